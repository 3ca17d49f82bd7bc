import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Bench, noPrograms, sides } from './program.ts';

const examples = path.join(import.meta.dirname, '../../examples/arbiter');

const counter = `module counter #(parameter W = 4) (input clk, input rst_n, input en, output reg [W-1:0] q);
  always @(posedge clk or negedge rst_n)
    if (!rst_n) q <= 0; else if (en) q <= q + 1;
endmodule
`;
/** The same behaviour in other words, and the same module name. */
const rewrite = `module counter #(parameter W = 4) (input wire clk, rst_n, en, output wire [W-1:0] q);
  reg [W-1:0] state;
  wire [W-1:0] next = state + {{(W-1){1'b0}}, en};
  assign q = state;
  always @(posedge clk, negedge rst_n)
    if (rst_n) state <= next; else state <= {W{1'b0}};
endmodule
`;
const saturating = counter.replace('q <= q + 1', 'if (q != {W{1\'b1}}) q <= q + 1');

const noDifference = ['no-difference', 'equivalent'];

describe('verify with real tools', () => {
  test('a good rewrite', async () => {
    using bench = new Bench({ 'dut.v': rewrite, 'golden.v': counter });
    const { code, result } = await bench.verify(sides);
    assert.equal(code, 0, JSON.stringify(result));
    assert.ok(noDifference.includes(result.verdict));
    assert.deepEqual(result.clocks, [{ port: 'clk', bit: null, edges: ['posedge'] }]);
    assert.deepEqual(result.resets, [{ port: 'rst_n', bit: null, active: 'low', kind: 'async' }]);
    assert.ok((result.evidence?.comparisons ?? 0) > 100);
    assert.ok(result.engines.some((engine) => engine.name === 'iverilog' && engine.role === 'simulation'));
  });

  test('a broken module: the first mismatch as a table, exit code 1', async () => {
    using bench = new Bench({ 'dut.v': saturating, 'golden.v': counter });
    const { code, out, err } = await bench.run(['verify', ...sides]);
    assert.equal(code, 1, out);
    assert.equal(err, '');
    assert.match(out, /^✗ Different: q at cycle \d+\n/);
    assert.match(out, /^ {2}cycle {2}phase .*expected q {2}got$/m);
    assert.match(out, /^> .*4'(?:h0|b0000) +4'(?:hf|b1111)$/m);
    assert.match(out, /^DUT port {4}dut\.v:1:\d+$/m);
  });

  test('the same seed gives the same witness', async () => {
    using bench = new Bench({ 'dut.v': saturating, 'golden.v': counter });
    const [first, second] = [await bench.verify([...sides, '--seed', '7']), await bench.verify([...sides, '--seed', '7'])];
    assert.deepEqual(first.result.witness, second.result.witness);
    assert.equal(first.result.verdict, 'different');
  });

  test('a parameter on both sides, and on one', async () => {
    using bench = new Bench({ 'dut.v': rewrite, 'golden.v': counter });
    const wide = await bench.verify([...sides, '--param', 'W=9', '--no-prove']);
    assert.equal(wide.code, 0, wide.result.reason);
    const uneven = await bench.verify([...sides, '--param', 'dut.W=5']);
    assert.equal(uneven.result.verdict, 'interface-mismatch');
    assert.equal(uneven.code, 3);
    assert.deepEqual(uneven.result.interfaceIssues.map((issue) => [issue.kind, issue.port]), [['width', 'q']]);
  });

  test('a file list with an include folder and a submodule in another file', async () => {
    const args = (dut: string) => ['--dut', path.join(examples, dut), '--golden', path.join(examples, 'golden/rr_arbiter.v'), '-F', path.join(examples, 'arbiter.f')];
    using bench = new Bench({});
    const good = await bench.verify(args('rtl/rr_arbiter.v'));
    assert.equal(good.code, 0, good.result.reason);
    const greedy = await bench.verify(args('rtl/rr_arbiter_greedy.v:rr_arbiter_greedy'));
    assert.equal(greedy.code, 1, greedy.result.reason);
    assert.equal(greedy.result.mismatch?.output, 'grant');
  });

  test('-I and -D reach both sides', async () => {
    using bench = new Bench({
      'inc/width.vh': '`define WIDTH 6\n',
      'dut.v': '`include "width.vh"\nmodule inv(input [`WIDTH-1:0] a, output [`WIDTH-1:0] y); assign y = a ^ `MASK; endmodule\n',
      'golden.v': '`include "width.vh"\nmodule inv(input [`WIDTH-1:0] a, output [`WIDTH-1:0] y); assign y = ~a; endmodule\n',
    });
    assert.equal((await bench.verify([...sides, '-Iinc', "-DMASK=6'h3f"])).code, 0);
    const wrong = await bench.verify([...sides, '-I', 'inc', '-D', "MASK=6'h3e"]);
    assert.equal(wrong.code, 1, wrong.result.reason);
    assert.equal(wrong.result.mismatch?.expected.length, 6);
  });

  test('the module is chosen by name, in a path with spaces, a colon and non-ASCII letters', async () => {
    const two = `module first(input a, output y); assign y = a; endmodule\nmodule second(input a, output y); assign y = ~a; endmodule\n`;
    using bench = new Bench({ 'größe: λ/zwei module.v': two, 'golden.v': 'module inverter(input a, output y); not(y, a); endmodule\n' });
    const args = (module: string) => ['--dut', `größe: λ/zwei module.v:${module}`, '--golden', 'golden.v:inverter'];
    const second = await bench.verify(args('second'));
    assert.equal(second.code, 0, second.result.reason);
    assert.equal((await bench.verify(args('first'))).code, 1);
  });

  test('an overridden clock and reset', async () => {
    using bench = new Bench({ 'dut.v': rewrite, 'golden.v': counter });
    const { code, result } = await bench.verify([...sides, '--clock', 'clk', '--reset', 'rst_n:low', '--cycles', '50', '--no-prove']);
    assert.equal(code, 0, result.reason);
    const unknown = await bench.verify([...sides, '--clock', 'clock']);
    assert.deepEqual([unknown.code, unknown.result.verdict], [3, 'bad-input']);
    assert.match(unknown.result.reason, /clock/);
  });

  test('the counterexample as testbench and waveform file', async () => {
    using bench = new Bench({ 'dut.v': saturating, 'golden.v': counter });
    const { result } = await bench.verify([...sides, '--testbench', 'tb.v', '--vcd', 'wave.vcd']);
    assert.deepEqual(result.artefacts, { testbench: path.join(bench.dir, 'tb.v'), vcd: path.join(bench.dir, 'wave.vcd'), caseFile: null });
    assert.match(readFileSync(path.join(bench.dir, 'tb.v'), 'utf8'), /endmodule/);
    assert.match(readFileSync(path.join(bench.dir, 'wave.vcd'), 'utf8'), /\$enddefinitions \$end/);
  });

  test('--brief tells the verdict and the first difference, without a counterexample', async () => {
    using bench = new Bench({ 'dut.v': saturating, 'golden.v': counter });
    const { code, result } = await bench.verify([...sides, '--brief']);
    assert.deepEqual([code, result.verdict, result.witness, result.mismatch?.output, result.mismatch?.pattern, result.mismatch?.suspects], [1, 'different', [], 'q', null, []]);
    const { out } = await bench.run(['verify', ...sides, '--brief']);
    assert.match(out, /^Output 'q' is .* where .* is expected/m);
    const same = await bench.verify(['--dut', 'golden.v', '--golden', 'golden.v', '--brief']);
    assert.deepEqual([same.code, same.result.verdict], [0, 'equivalent']);
  });

  test('--fix shows a small change that makes the DUT right, writes nothing, and still says that the modules differ', async () => {
    const wrong = rewrite.replace('state + ', 'state - ');
    using bench = new Bench({ 'dut.v': wrong, 'golden.v': counter });
    const { code, out } = await bench.run(['verify', ...sides, '--fix']);
    assert.equal(code, 1);
    assert.match(out, /^Fix +dut\.v:3:29: next = state - .*  →  next = state \+ .*\(then proved equivalent\)$/m);
    assert.equal(readFileSync(path.join(bench.dir, 'dut.v'), 'utf8'), wrong);
    const { result } = await bench.verify([...sides, '--fix']);
    assert.deepEqual(result.fix?.fixes.map(({ text, verdict }) => [text, verdict]), [['+', 'equivalent']]);
    const none = await bench.run(['verify', '--dut', 'golden.v', '--golden', 'dut.v', '--fix', '--sweep', 'W=1,2']);
    assert.equal(none.code, 3);
    assert.match(none.err, /--fix looks at one set of parameters; leave out --sweep/);
  });

  test('--fix says how many changes it has tried where none helps', async () => {
    using bench = new Bench({ 'dut.v': 'module m(input [3:0] a, output y); assign y = a[0]; endmodule\n', 'golden.v': 'module m(input [3:0] a, output y); assign y = ^a & a > 3; endmodule\n' });
    const { code, out } = await bench.run(['verify', ...sides, '--fix']);
    assert.equal(code, 1);
    assert.match(out.replace(/\n +/g, ' '), /^Fix +None of the \d+ small changes of the DUT makes it right\.$/m);
  });

  test('--wave draws the counterexample', async () => {
    using bench = new Bench({ 'dut.v': saturating, 'golden.v': counter });
    const { out } = await bench.run(['verify', ...sides, '--wave']);
    assert.match(out, /^clk .*╱▔/m);
    assert.match(out, /^q DUT /m);
    assert.ok(out.split('\n').every((line) => line.length <= 80), out);
  });

  test('colour never reaches a pipe', async () => {
    using bench = new Bench({ 'dut.v': rewrite, 'golden.v': counter });
    const { out } = await bench.run(['verify', ...sides, '--no-prove']);
    assert.ok(!out.includes('\u001B'));
  });
});

describe('verify without any program on the search path', () => {
  test('the embedded engine decides and says so', async () => {
    using bench = new Bench({ 'dut.v': rewrite, 'golden.v': counter, 'broken.v': saturating });
    const good = await bench.verify(sides, noPrograms);
    assert.equal(good.code, 0, good.result.reason);
    assert.equal(good.result.verdict, 'equivalent');
    assert.deepEqual(good.result.engines.map((engine) => engine.name), ['yosys-wasm']);
    const broken = await bench.verify(['--dut', 'broken.v', '--golden', 'golden.v'], noPrograms);
    assert.equal(broken.code, 1, broken.result.reason);
    assert.equal(broken.result.mismatch?.output, 'q');
    assert.ok(broken.result.witness.length > 0);
  });

  test('--engine yosys-wasm asks for it by name', async () => {
    using bench = new Bench({ 'dut.v': rewrite, 'golden.v': counter });
    const { code, result } = await bench.verify([...sides, '--engine', 'yosys-wasm']);
    assert.equal(code, 0, result.reason);
    assert.deepEqual(result.engines.map((engine) => engine.name), ['yosys-wasm']);
  });

  test('--engine iverilog is a tool error that tells how to get it', async () => {
    using bench = new Bench({ 'dut.v': rewrite, 'golden.v': counter });
    const { code, result } = await bench.verify([...sides, '--engine', 'iverilog'], noPrograms);
    assert.deepEqual([code, result.verdict], [3, 'tool-error']);
    assert.match(result.reason, /Icarus Verilog was not found/);
  });
});
