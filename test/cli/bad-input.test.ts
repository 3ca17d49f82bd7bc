import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { VerifyResult } from '../../server/src/verification/verdict.ts';
import { Bench, sides, type Json } from './program.ts';

const inverter = 'module inverter(input a, output y); assign y = ~a; endmodule\n';
const flop = 'module flop(input clk, input d, output reg q); always @(posedge clk) q <= d; endmodule\n';

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly code: 2 | 3;
  readonly verdict: string | readonly string[];
  /** Must match the reason. */
  readonly reason: RegExp;
  /** Must match a line `file:line: message` (one-based) of a problem, or `file: message` of an interface issue. */
  readonly place?: RegExp;
}

const cases: readonly Case[] = [
  { name: 'a missing DUT file', files: { 'golden.v': inverter }, code: 3, verdict: 'bad-input', reason: /dut\.v/ },
  { name: 'a missing golden file', files: { 'dut.v': inverter }, code: 3, verdict: 'bad-input', reason: /golden\.v/ },
  { name: 'a folder in place of a file', files: { 'dut.v/x.v': inverter, 'golden.v': inverter }, code: 3, verdict: 'bad-input', reason: /dut\.v/ },
  { name: 'an empty file', files: { 'dut.v': '', 'golden.v': inverter }, code: 3, verdict: 'bad-input', reason: /dut\.v.*(?:empty|no module)/ },
  { name: 'a file of comments', files: { 'dut.v': '// nothing here\n/* at all */\n', 'golden.v': inverter }, code: 3, verdict: 'bad-input', reason: /dut\.v.*no module/ },
  { name: 'a file without a module', files: { 'dut.v': '`define A 1\n', 'golden.v': inverter }, code: 3, verdict: 'bad-input', reason: /no module/ },
  { name: 'an unknown module name', files: { 'dut.v': inverter, 'golden.v': inverter }, args: ['--dut', 'dut.v:invertor', '--golden', 'golden.v'], code: 3, verdict: 'bad-input', reason: /invertor/ },
  {
    name: 'a syntax error in the DUT',
    files: { 'dut.v': 'module inverter(input a, output y);\n  assign y = ~a\nendmodule\n', 'golden.v': inverter },
    code: 3,
    verdict: 'bad-input',
    reason: /\bDUT\b/,
    place: /^dut\.v:[23]: ./m,
  },
  {
    name: 'a syntax error in the golden',
    files: { 'dut.v': inverter, 'golden.v': 'module inverter(input a, output y);\n  assign = ~a;\nendmodule\n' },
    code: 3,
    verdict: 'bad-input',
    reason: /\breference\b/i,
    place: /^golden\.v:2: ./m,
  },
  { name: 'a parameter that nobody has', files: { 'dut.v': inverter, 'golden.v': inverter }, args: [...sides, '--param', 'WIDTH=3'], code: 3, verdict: 'bad-input', reason: /WIDTH/ },
  {
    name: 'an output that is missing',
    files: { 'dut.v': 'module inverter(input a); endmodule\n', 'golden.v': inverter },
    code: 3,
    verdict: 'interface-mismatch',
    reason: /\by\b/,
    place: /^\w+\.v: .*\by\b/m,
  },
  {
    name: 'a width that differs',
    files: { 'dut.v': inverter.replace('output y', 'output [1:0] y'), 'golden.v': inverter },
    code: 3,
    verdict: 'interface-mismatch',
    reason: /\by\b/,
    place: /^dut\.v: .*\by\b/m,
  },
  { name: 'a direction that differs', files: { 'dut.v': 'module inverter(output a, input y); assign a = ~y; endmodule\n', 'golden.v': inverter }, code: 3, verdict: 'interface-mismatch', reason: /\b[ay]\b/ },
  {
    name: 'a module that is used and nowhere defined',
    files: { 'dut.v': 'module inverter(input a, output y); lost u(.a(a), .y(y)); endmodule\n', 'golden.v': inverter },
    code: 3,
    verdict: 'bad-input',
    reason: /lost/,
  },
  { name: 'an include that is missing', files: { 'dut.v': `\`include "lost.vh"\n${inverter}`, 'golden.v': inverter }, code: 3, verdict: 'bad-input', reason: /lost\.vh/ },
  {
    name: 'a simulation that never ends',
    files: { 'dut.v': 'module flop(input clk, input d, output reg q); always @(posedge clk) begin q <= d; while (d) q <= d; end endmodule\n', 'golden.v': flop },
    args: [...sides, '--engine', 'iverilog', '--timeout', '6'],
    code: 2,
    verdict: 'timeout',
    reason: /DUT did not finish/,
  },
  {
    name: 'a design that prints for ever',
    files: { 'dut.v': 'module flop(input clk, input d, output reg q); always @(posedge clk) begin q <= d; while (d) $display("again and again"); end endmodule\n', 'golden.v': flop },
    args: [...sides, '--engine', 'iverilog', '--timeout', '20'],
    code: 2,
    // Which limit is met first, of output or of time, depends on the machine.
    verdict: ['inconclusive', 'timeout'],
    reason: /DUT (?:printed text without end|did not finish)/,
  },
  {
    name: 'a design that ends the simulation',
    files: { 'dut.v': 'module flop(input clk, input d, output reg q); always @(posedge clk) begin q <= d; if (d) $finish; end endmodule\n', 'golden.v': flop },
    args: [...sides, '--engine', 'iverilog'],
    code: 2,
    verdict: 'inconclusive',
    reason: /DUT ended the simulation/,
  },
  {
    name: 'a design that opens files',
    files: { 'dut.v': 'module flop(input clk, input d, output reg q); integer f; initial f = $fopen("/etc/passwd"); always @(posedge clk) q <= d; endmodule\n', 'golden.v': flop },
    code: 3,
    verdict: 'bad-input',
    reason: /\$fopen/,
    place: /^dut\.v:1: .*\$fopen/m,
  },
  { name: 'binary text', files: { 'dut.v': '\u0000\u0001\u0002\uFFFD', 'golden.v': inverter }, code: 3, verdict: 'bad-input', reason: /dut\.v/ },
];

function placesIn({ problems, interfaceIssues }: Json<VerifyResult>): string {
  return [
    ...problems.map(({ file, line, message }) => `${path.basename(file)}:${line === null ? '?' : line + 1}: ${message}`),
    ...interfaceIssues.map(({ dut, golden, message }) => `${path.basename(dut?.file ?? golden?.file ?? '')}: ${message}`),
  ].join('\n');
}

describe('bad input gives one clear message', { concurrency: 2 }, () => {
  for (const { name, files, args = sides, code, verdict, reason, place } of cases) {
    test(name, async () => {
      using bench = new Bench(files);
      const json = await bench.verify(args);
      assert.equal(json.code, code, json.result.reason);
      assert.ok([verdict].flat().includes(json.result.verdict), json.result.verdict);
      assert.match(json.result.reason, reason);
      assert.match(json.result.reason, /\.$/);
      if (place !== undefined) assert.match(placesIn(json.result), place);
    });
  }

  test('a path with spaces and non-ASCII letters that is missing is named as it was written', async () => {
    using bench = new Bench({ 'golden.v': inverter });
    const { code, out } = await bench.run(['verify', '--dut', 'größe λ/zähler 1.v', '--golden', 'golden.v']);
    assert.equal(code, 3);
    assert.match(out, /größe λ\/zähler 1\.v/);
  });

  test('usage errors go to standard error and leave standard output empty', async () => {
    using bench = new Bench({ 'dut.v': inverter });
    for (const args of [['verify'], ['verify', '--dut', 'dut.v'], ['verify', ...sides, '--frob'], ['check'], ['prove'], ['verify', ...sides, '-f', 'lost.f']]) {
      const { code, out, err } = await bench.run(args);
      assert.deepEqual([code, out], [3, ''], args.join(' '));
      assert.match(err, /^rtl-copilot: [^\n]+[.?]\nSee rtl-copilot (?:verify |check )?--help\.\n$/);
    }
  });
});
