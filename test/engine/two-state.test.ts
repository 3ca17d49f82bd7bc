import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { loadDesign } from '../../server/src/analysis/load.ts';
import { memoryFiles } from '../../server/src/base/files.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import { checkCompiles } from '../../server/src/verification/compile-check.ts';
import type { EngineChoice, VerdictKind, VerifyOptions, VerifyResult } from '../../server/src/verification/verdict.ts';
import type { VerifyToolbox } from '../../server/src/verification/session.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { families } from './families.ts';

// A folder for this file alone, so that what is left behind is its own.
const scratch = mkdtempSync(path.join(tmpdir(), 'two-state-test-'));
const cache = mkdtempSync(path.join(tmpdir(), 'two-state-cache-'));
process.env['TMPDIR'] = scratch;
process.env['XDG_CACHE_HOME'] = cache;
after(() => {
  for (const dir of [scratch, cache]) rmSync(dir, { recursive: true, force: true });
});

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });
const here = (await toolbox.verilatorSimulator()).kind === 'found';
const needed = { skip: here ? false : 'Verilator or a C++ compiler is not installed' };
const plainOptions: VerifyOptions = { clocks: [], resets: [], cycles: 400, seed: 1, timeoutMs: 120_000, engine: 'verilator', prove: false };

interface Given {
  readonly golden: string;
  readonly dut: string;
  readonly options?: Partial<VerifyOptions>;
  readonly tools?: VerifyToolbox;
}

async function run({ golden, dut, options, tools = toolbox }: Given): Promise<VerifyResult> {
  const files = memoryFiles(new Map([['/g/golden.sv', golden], ['/d/dut.sv', dut]]));
  const load = (input: Parameters<typeof loadDesign>[0]) => loadDesign(input, { parser, files });
  return verify({ golden: { file: '/g/golden.sv', module: 'm' }, dut: { file: '/d/dut.sv', module: 'm' }, options: { ...plainOptions, ...options } }, { load, toolbox: tools, parser }, {});
}

async function check(given: Given, verdict: VerdictKind): Promise<VerifyResult> {
  const result = await run(given);
  assert.equal(result.verdict, verdict, `${result.reason} ${result.problems.map(({ message }) => message).join(' ')}`);
  assert.deepEqual(readdirSync(scratch), [], 'no temporary directory is left');
  return result;
}

for (const name of ['synchronous reset, active high', 'asynchronous reset, active low', 'both edges']) {
  test(`${name}: the same steps as in the other simulator`, needed, async () => {
    const family = families[name];
    assert.ok(family);
    const result = await check({ golden: family.golden, dut: family.same }, 'no-difference');
    assert.equal(result.evidence?.observedOutputBits, 1);
    assert.deepEqual(result.engines.map((engine) => [engine.name, engine.values]), [['verilator', '01']]);
    assert.ok(result.notes.some((note) => /^Verilator knows only 0 and 1: /.test(note)));
    assert.ok((result.evidence.coverage?.branches.total ?? 0) > 0);
    assert.equal(result.evidence.coverage?.toggles, undefined);
    const [fault = ''] = Object.values(family.faults);
    const differing = await check({ golden: family.golden, dut: fault }, 'different');
    assert.ok((differing.mismatch?.suspects ?? []).length > 0);
  });
}

/** SystemVerilog that Icarus Verilog 11 does not read. */
const modern = `package p;
  typedef enum logic [1:0] { A, B, C } state_t;
  typedef struct packed { logic [2:0] x; state_t s; } pair_t;
endpackage
module m import p::*; (input logic clk, input logic rst, input logic [1:0] next, output pair_t q, output logic l);
  state_t s;
  always_ff @(posedge clk) if (rst) s <= A; else s <= state_t'(next == 2'd3 ? 2'd0 : next);
  assign q = '{ x: 3'(s) + 3'd1, s: s };
  always_comb if (next[0]) l = next[1];
endmodule`;

/** An answer that is right for one value of many only, and never by chance: what is compared has to be seen for it. */
const answered = `package p; typedef struct packed { logic [15:0] sum; logic ok; } q_t; endpackage
module m import p::*; (input logic clk, input logic rst, input logic [15:0] d, input logic v, output q_t q);
  always_ff @(posedge clk)
    if (rst) q <= '{sum: 16'd1, ok: 1'b0};
    else if (v) begin
      if (d == (q.sum ^ 16'h5ac3)) q.ok <= 1'b1;
      else q <= '{sum: {q.sum[14:0], q.sum[15]} + d, ok: q.ok};
    end
endmodule`;

test('what Verilator runs is watched: branches are counted, values that are compared lead into them, suspects are named', needed, async () => {
  const { evidence } = await check({ golden: answered, dut: answered, options: { cycles: 2000 } }, 'no-difference');
  assert.deepEqual(evidence?.coverage?.branches, { reached: 5, total: 5 });
  const { mismatch } = await check({ golden: answered, dut: answered.replace("q.ok <= 1'b1", "q.ok <= 1'b0"), options: { cycles: 2000 } }, 'different');
  assert.equal(mismatch?.output, 'q');
  assert.ok(mismatch.suspects?.some(({ line, text }) => line === 5 && text.includes('q.ok')));
});

test('each side is built once to be run, and once more to be watched, whatever is watched then', needed, async () => {
  const found = await toolbox.verilatorSimulator();
  assert.ok(found.kind === 'found');
  let built = 0;
  const counting = { ...found.tool, build: (request: Parameters<typeof found.tool.build>[0]) => (built++, found.tool.build(request)) };
  const tools = { ...toolbox, verilatorSimulator: () => Promise.resolve({ ...found, tool: counting }) };
  const { mismatch } = await check({ golden: answered, dut: answered.replace("q.ok <= 1'b1", "q.ok <= 1'b0"), options: { cycles: 2000 }, tools }, 'different');
  assert.ok((mismatch?.suspects?.length ?? 0) > 0);
  assert.equal(built, 4);
});

test('modern SystemVerilog is compared, and the difference found, at its own place', needed, async () => {
  await check({ golden: modern, dut: modern.replace("3'(s) + 3'd1", "{ 1'b0, s } + 3'd1") }, 'no-difference');
  const wrong = await check({ golden: modern, dut: modern.replace("? 2'd0", "? 2'd1") }, 'different');
  assert.equal(wrong.mismatch?.output, 'q');
});

test('what is unknown in the golden is not compared, and states without a reset do not disagree', needed, async () => {
  const golden = 'module m(input clk, input [1:0] a, output logic [3:0] y, output logic t);\nlogic [1:0] s;\nalways_ff @(posedge clk) begin s <= s + 1; t <= s[1] ^ t; end\nalways_comb case (a) 0: y = 4\'h3; 1: y = {2\'b0, s}; default: y = \'x; endcase\nendmodule';
  const dut = 'module m(input clk, input [1:0] a, output logic [3:0] y, output logic t);\nlogic [3:0] s;\nalways_ff @(posedge clk) begin s <= {s[2:0], ~s[3]}; t <= ~t; end\nassign y = a == 0 ? 4\'h3 : a == 1 ? {2\'b0, s[1:0]} : 4\'h0;\nendmodule';
  const result = await check({ golden, dut }, 'no-difference');
  assert.ok((result.evidence?.observedOutputBits ?? 0) > 0 && (result.evidence?.observedOutputBits ?? 1) < 1);
  await check({ golden, dut: dut.replace("4'h3", "4'h2") }, 'different');
});

test('power-on states have nothing in common, however early they are drawn: here a register keeps one where the clock is high at first', needed, async () => {
  const throughInterface = (sign: string): string => `interface bus(input logic clk); logic [3:0] d; modport src(output d); modport dst(input d, clk); endinterface
    module prod(input logic [3:0] x, bus.src b); assign b.d = x ${sign} 4'd1; endmodule
    module cons(bus.dst b, output logic [3:0] y); always_ff @(posedge b.clk) y <= b.d; endmodule
    module m(input logic clk, input logic [3:0] x, output logic [3:0] y);
      bus b(clk); prod p0(.x, .b(b.src)); cons c0(.b(b.dst), .y);
    endmodule`;
  await check({ golden: throughInterface('+'), dut: throughInterface('+') }, 'no-difference');
  await check({ golden: throughInterface('+'), dut: throughInterface('-') }, 'different');
});

test('delays, own time and several widths of ports', needed, async () => {
  const own = '`timescale 1ns/100ps\nmodule m(output logic [70:0] y, output logic c);\ninitial begin y = 1; c = 0; forever begin #5 c = ~c; y <= #1 {y[69:0], c}; end end\nendmodule';
  await check({ golden: own, dut: own.replace('forever begin #5', 'forever begin #2; #3') }, 'no-difference');
  await check({ golden: own, dut: own.replace('#5', '#6') }, 'different');
  const wide = 'module m #(parameter W = 40)(input logic [99:0] a, input logic [W-1:0] b [2], output logic [139:0] y);\nassign y = {a, b[0] ^ b[1]} + 140\'d1;\nendmodule';
  await check({ golden: wide, dut: wide.replace('b[0] ^ b[1]', 'b[1] ^ b[0]') }, 'no-difference');
  await check({ golden: wide, dut: wide.replace('b[0] ^ b[1]', 'b[1] | b[0]') }, 'different');
});

const wire = 'module m(input logic a, output logic y);\nassign y = a;\nendmodule';

test('what does not end, or ends by itself, is said', needed, async () => {
  const dut = (body: string): string => `module m(input logic a, output logic y);\nassign y = a;\n${body}\nendmodule`;
  assert.match((await check({ golden: wire, dut: dut('always @(posedge a) $finish;') }, 'inconclusive')).reason, /^The DUT ended the simulation itself/);
  assert.match((await check({ golden: wire, dut: dut('logic r; assign r = ~(r & a);').replace('y = a', 'y = r') }, 'tool-error')).reason, /its logic never settles/);
  // A busy machine may take the flood for a standstill.
  const flood = await run({ golden: wire, dut: dut('initial while (1) $display("again and again and again and again");'), options: { timeoutMs: 60_000 } });
  assert.match(flood.reason, /^The DUT (?:printed text without end|did not finish)/);
});

test('native code does not reach the compiler', needed, async () => {
  const marker = path.join(scratch, 'reached');
  for (const body of [`initial $c("std::fopen(\\"${marker}\\", \\"w\\");");`, `\`systemc_header\n#include <cstdio>\nstatic FILE* f = fopen("${marker}", "w");\n\`verilog`, 'import "DPI-C" function int getpid(); initial $display("%d", getpid());']) {
    const result = await run({ golden: wire, dut: wire.replace('endmodule', `${body}\nendmodule`) });
    assert.ok(result.verdict === 'bad-input' || result.verdict === 'tool-error', result.verdict);
    assert.equal(existsSync(marker), false);
  }
});

test('what two states cannot judge is left to other engines', needed, async () => {
  const strict = await check({ golden: wire, dut: wire, options: { unknowns: 'strict' } }, 'tool-error');
  assert.match(strict.reason, /^Verilator knows only 0 and 1, so it cannot compare unknown values\.$/);
  const three = await check({ golden: wire, dut: "module m(input logic a, output logic y);\nassign y = a ? 1'b1 : 1'bz;\nendmodule" }, 'tool-error');
  assert.match(three.reason, /Verilator knows only 0 and 1/);
});

/** A toolbox with an Icarus Verilog that ends in some way. */
function withIcarus(name: string, body: string, others: Partial<VerifyToolbox> = {}): VerifyToolbox {
  const dir = path.join(cache, name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'iverilog'), `#!/bin/sh\ncase "$1" in -V) echo "Icarus Verilog version 11.0 (stable) ()";; *) ${body};; esac\n`);
  writeFileSync(path.join(dir, 'vvp'), '#!/bin/sh\n');
  for (const program of ['iverilog', 'vvp']) chmodSync(path.join(dir, program), 0o755);
  return { ...createToolbox({ iverilog: path.join(dir, 'iverilog'), yosys: '' }), ...others };
}
const missing = { kind: 'missing', reason: 'Verilator was not found on PATH.', install: undefined } as const;
const noVerilator = { verilatorSimulator: () => Promise.resolve(missing) };
const noProver = { yosys: () => Promise.resolve(missing), embeddedYosys: () => Promise.resolve(missing) };

test('where one compiler breaks down or is at its limit, the next engine speaks', needed, async () => {
  for (const [name, body, note] of [
    ['crash', 'echo "Aborted" >&2; exit 1', /^Icarus Verilog did not compile the DUT: Icarus Verilog broke down on it \(Aborted\)/],
    ['sorry', 'echo "source-0.sv:2: sorry: not yet" >&2; exit 1', /^Icarus Verilog could not compile the DUT: not yet\.$/],
  ] as const) {
    const tools = withIcarus(name, body);
    const result = await check({ golden: wire, dut: wire.replace('= a', "= a & 1'b1"), options: { engine: 'auto' }, tools }, 'no-difference');
    assert.deepEqual(result.engines.map((engine) => engine.name), ['verilator']);
    assert.ok(result.notes.some((text) => note.test(text)), result.notes.join(' '));
  }
});

test('a module that only the second compiler takes compiles', needed, async () => {
  const files = memoryFiles(new Map([['/d/dut.sv', modern]]));
  const loaded = await loadDesign({ file: '/d/dut.sv', module: 'm' }, { parser, files });
  assert.ok(loaded.kind === 'loaded');
  const compile = (engine: EngineChoice, tools: VerifyToolbox = toolbox) => checkCompiles(loaded.design, engine, tools, { timeoutMs: 60_000, signal: undefined });
  assert.deepEqual(await compile('verilator'), { kind: 'compiled', tool: 'Verilator', ports: undefined });
  const crash = withIcarus('crash', 'echo "Aborted" >&2; exit 1');
  assert.deepEqual(await compile('auto', crash), { kind: 'compiled', tool: 'Verilator', ports: undefined });
  assert.equal((await compile('iverilog', crash)).kind, 'failed');
});

test('without Verilator the prover speaks, and without both it is told what would', async () => {
  const crash = { golden: wire, dut: wire.replace('= a', "= a & 1'b1"), options: { engine: 'auto' as const } };
  const proved = await check({ ...crash, tools: withIcarus('crash', 'echo "Aborted" >&2; exit 1', noVerilator) }, 'equivalent');
  assert.ok(proved.engines.every(({ role }) => role === 'proof'));
  const none = await check({ ...crash, tools: withIcarus('crash', 'echo "Aborted" >&2; exit 1', { ...noVerilator, ...noProver }) }, 'tool-error');
  assert.match(none.reason, /^The DUT could not be compiled: Icarus Verilog broke down on it .* Verilator was not found on PATH\.$/);
  const syntax = await check({ ...crash, tools: withIcarus('syntax', 'echo "source-0.sv:2: syntax error" >&2; exit 1', { ...noVerilator, ...noProver }) }, 'tool-error');
  assert.match(syntax.reason, /^Icarus Verilog could not read the DUT, in which this analysis sees no mistake: syntax error\. Verilator was not found/);
});

test('assertions that only check and print are no hindrance, and one that acts is not passed over', async () => {
  const body = (text: string): string => `module m(input logic clk, input logic a, output logic q);\nlogic seen = 0;\nalways_comb begin q = a ^ seen; end\n${text}\nendmodule`;
  const checking = body('assert property (@(posedge clk) a) else $error("no");\ncover property (@(posedge clk) a);');
  for (const engine of ['iverilog', 'verilator'] as const) {
    if (engine === 'verilator' && !here) continue;
    await check({ golden: checking, dut: body(''), options: { engine } }, 'no-difference');
    for (const acting of ['assert property (@(posedge clk) a) else seen = 1;', '`define CHECK(x) assert property (@(posedge clk) x) else seen = 1;\n`CHECK(a)']) {
      const result = await check({ golden: body(''), dut: body(acting), options: { engine } }, 'tool-error');
      assert.match(result.reason, engine === 'iverilog' ? /does not support a construct of the DUT/ : /may do more than check and print/);
    }
  }
  const immediate = 'module m(input logic a, output logic q);\nalways_comb begin assert (a) q = 1; else q = 0; end\nendmodule';
  await check({ golden: 'module m(input logic a, output logic q);\nassign q = a;\nendmodule', dut: immediate, options: { engine: 'iverilog' } }, 'no-difference');
  if (here) assert.match((await check({ golden: immediate, dut: immediate }, 'tool-error')).reason, /may do more than check and print/);
});

test('where Icarus Verilog breaks down as it runs, Verilator goes on', needed, async () => {
  const golden = (set: string): string => `module m(input clk, input [1:0] a, input [2:0] b, output reg [7:0] q);\nreg [7:0] mem [0:3];\nalways @(posedge clk) begin mem[a] <= ${set}; q <= mem[a]; end\nendmodule\n`;
  const dut = golden('0').replace('mem[a] <= 0; q <= mem[a];', 'q <= mem[a]; mem[a] = 0; mem[a][b] ^= 1;');
  const same = await check({ golden: golden("8'd1 << b"), dut, options: { engine: 'auto' } }, 'no-difference');
  assert.deepEqual(same.engines.map(({ name }) => name), ['verilator']);
  assert.match(same.notes.join(' '), /Icarus Verilog could not be used\. The simulation of the DUT failed: the simulator fails a check of its own, which is no fault of the design\./);
  await check({ golden: golden("8'd2 << b"), dut, options: { engine: 'auto' } }, 'different');
  const nested = `module m(input [3:0] a, b, output logic [7:0] y);\ntypedef struct packed { logic v; logic [2:0] d; } s_t;\nstruct packed { s_t [1:0] e; } s;\nalways_comb begin s.e[0] = a; s.e[1] = b; end\nassign y = s;\nendmodule\n`;
  await check({ golden: 'module m(input [3:0] a, b, output [7:0] y);\nassign y = {b, a};\nendmodule\n', dut: nested, options: { engine: 'auto' } }, 'no-difference');
});
