/** Small changes that make a DUT right, tried with the real tools. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadDesign } from '../../server/src/analysis/load.ts';
import { memoryFiles } from '../../server/src/base/files.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { VerifyOptions, VerifyResult } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';

const toolbox = createToolbox({ iverilog: '', yosys: '' });
const parser = await Parser.create();
after(() => {
  parser.delete();
});

async function fixOf(golden: string, dut: string, more: Partial<VerifyOptions> = {}, others: Readonly<Record<string, string>> = {}): Promise<VerifyResult> {
  const files = memoryFiles(new Map(Object.entries({ '/w/golden.sv': golden, '/w/dut.sv': dut, ...others })));
  const options: VerifyOptions = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: true, fix: true, ...more };
  return verify({ golden: { file: '/w/golden.sv' }, dut: { file: '/w/dut.sv' }, options }, { load: (input) => loadDesign(input, { parser, files }), toolbox, parser }, {});
}

/** The golden holds the right code between « and »; the DUT what is given in its place. */
async function check(golden: string, fault: string): Promise<void> {
  const right = golden.replace(/[«»]/g, '');
  const dut = golden.replace(/«[^»]*»/, fault);
  const result = await fixOf(right, dut);
  assert.equal(result.verdict, 'different', result.reason);
  const [fix] = result.fix?.fixes ?? [];
  assert.ok(fix, `nothing was found for ${fault}: ${JSON.stringify(result.fix)}`);
  assert.equal(fix.verdict, 'equivalent');
  const fixed = dut.slice(0, fix.span.start) + fix.text + dut.slice(fix.span.end);
  assert.equal((await fixOf(right, fixed)).verdict, 'equivalent', fixed);
  assert.equal(fix.line, dut.slice(0, fix.span.start).split('\n').length - 1);
}

const timer = `module timer(input clk, rst_n, start, input [5:0] period, output reg busy, output done);
  reg [5:0] left;
  assign done = busy «&&» left == 0;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin busy <= 1'b0; left <= 6'd0; end
    else if (start && !busy) begin busy <= 1'b1; left <= period; end
    else if (busy) begin if (left == 0) busy <= 1'b0; else left <= left - 6'd1; end
endmodule`;

test('a slip of one place is found, and the change is proved right', async () => {
  await check(timer, '||');
  const plain = timer.replace(/[«»]/g, '');
  await check(plain.replace('start && !busy', 'start && «!busy»'), 'busy');
  await check(plain.replace("left - 6'd1", "left - «6'd1»"), "6'd2");
  await check(plain.replace('posedge clk or negedge rst_n', 'posedge clk« or negedge rst_n»'), '');
  await check(plain.replace('left <= period', 'left <= «period»'), 'left');
});

test('a slip beside a macro is found in the file itself', async () => {
  const golden = 'module m(input clk, input [3:0] a, output reg [3:0] q);\n`define STEP 4\'d3\n  always @(posedge clk) q <= q + `STEP; // +\n endmodule';
  const result = await fixOf(golden.replace('q <= q + ', 'if (a == 4\'d9) q <= 0; else q <= q + '), golden.replace('q <= q + ', 'if (a != 4\'d9) q <= 0; else q <= q + '));
  assert.equal(result.fix?.fixes[0]?.text, '==', JSON.stringify(result.fix ?? result.reason));
  assert.equal(result.fix.fixes[0].line, 2);
});

test('a fault that no small change mends is said to have none', async () => {
  const golden = 'module m(input [3:0] a, b, output [3:0] y); assign y = a * b + 4\'d5; endmodule';
  const none = await fixOf(golden, 'module m(input [3:0] a, b, output [3:0] y); assign y = a; endmodule');
  assert.equal(none.verdict, 'different');
  assert.deepEqual(none.fix?.fixes, []);
  assert.ok(none.fix.total > 0 && none.fix.tried === none.fix.total);
});

test('a slip in a module of another file is found there, unless the golden has that file, too', async () => {
  const golden = 'module m(input [3:0] a, b, output [3:0] y); k k(a, b, y); endmodule\n';
  const part = (name: string, number: string): string => `module ${name}(input [3:0] a, b, output [3:0] y); assign y = a * b + 4'd${number}; endmodule\n`;
  const found = await fixOf(part('m', '5'), golden, {}, { '/w/k.sv': part('k', '4') });
  assert.equal(found.verdict, 'different', found.reason);
  assert.deepEqual(found.fix?.fixes.map(({ file, text, verdict }) => [file, text, verdict]), [['/w/k.sv', "4'd5", 'equivalent']]);
  const shared = await fixOf(golden, golden.replace('(a, b, y)', '(a, ~b, y)'), {}, { '/w/k.sv': part('k', '4') });
  assert.deepEqual(shared.fix?.fixes.map(({ file, after }) => [file, after]), [['/w/dut.sv', 'a, b, y']]);
});

test('where both modules stand in one file, only the DUT is changed', async () => {
  const text = 'module golden(input [3:0] a, b, output [3:0] y); assign y = a + b; endmodule\nmodule dut(input [3:0] a, b, output [3:0] y); assign y = a - b; endmodule\n';
  const files = memoryFiles(new Map([['/w/both.sv', text]]));
  const options: VerifyOptions = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: true, fix: true };
  const request = { golden: { file: '/w/both.sv', module: 'golden' }, dut: { file: '/w/both.sv', module: 'dut' }, options };
  const { fix } = await verify(request, { load: (input) => loadDesign(input, { parser, files }), toolbox, parser }, {});
  assert.deepEqual(fix?.fixes.map(({ line, text: change }) => [line, change]), [[1, '+']]);
});

test('nothing is looked for unless asked, nor where there is no difference; where only a simulator may speak, the change is not called proved', async () => {
  const [right, wrong] = [timer.replace(/[«»]/g, ''), timer.replace('«&&»', '||')];
  assert.equal((await fixOf(right, wrong, { fix: false })).fix, undefined);
  assert.equal((await fixOf(right, right)).fix, undefined);
  const simulated = await fixOf(right, wrong, { prove: false, cycles: 3000 });
  assert.ok((simulated.fix?.fixes ?? []).length > 0);
  assert.ok(simulated.fix?.fixes.every(({ verdict }) => verdict === 'no-difference'));
});

test('the same seed gives the same fixes', async () => {
  const [right, wrong] = [timer.replace(/[«»]/g, ''), timer.replace('«&&»', '||')];
  const [first, second] = await Promise.all([fixOf(right, wrong), fixOf(right, wrong)]);
  assert.deepEqual(first.fix, second.fix);
});
