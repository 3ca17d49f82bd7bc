import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Reset } from '../../server/src/analysis/module.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { Mismatch } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { design, loader } from '../unit/verification/designs.ts';

const toolbox = createToolbox({ iverilog: '', yosys: '' });
const parser = await Parser.create();
after(() => {
  parser.delete();
});

async function mismatchOf(golden: string, dut: string): Promise<Mismatch> {
  const reset = (text: string): Reset[] =>
    /\brst\b/.test(text) ? [{ port: 'rst', bit: undefined, active: 'high', kind: text.includes('posedge rst') ? 'async' : 'sync' }] : [];
  const load = loader({
    '/golden.v': design(golden, { file: '/golden.v', resets: reset(golden) }),
    '/dut.v': design(dut, { file: '/dut.v', resets: reset(dut) }),
  });
  const options = { clocks: [], resets: [], cycles: 4000, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: false } as const;
  const result = await verify({ golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options }, { load, toolbox, parser }, {});
  assert.ok(result.mismatch, `${result.verdict}: ${result.reason}`);
  return result.mismatch;
}

interface Case {
  /** The golden; what stands between « and » is the fault's place. */
  readonly golden: string;
  /** What stands there in the DUT. */
  readonly fault: string;
  readonly pattern: string | undefined;
  readonly says?: RegExp;
}

const counter = (reset: string): string =>
  `module m(input clk, input rst, input en, input [3:0] d, output reg [3:0] q);\nalways @(posedge clk${reset}) if (rst) q <= 4'd5; else if (en) q <= q ^ d;\nendmodule`;

/** Each pair has one fault; no other pattern may be named for it. */
const cases: Readonly<Record<string, Case>> = {
  'wrong reset value': { golden: counter('').replace("4'd5", "«4'd5»"), fault: "4'd4", pattern: 'reset-value', says: /is 4'b0100 in reset, where 4'b0101 is expected/ },
  'missing reset': { golden: counter('').replace('if (rst)', 'if («rst»)'), fault: "1'b0", pattern: 'reset-missing', says: /does not take its reset value/ },
  'synchronous for asynchronous': { golden: counter('« or posedge rst»'), fault: '', pattern: 'reset-kind', says: /only by a clock edge/ },
  'asynchronous for synchronous': { golden: counter('«»'), fault: ' or posedge rst', pattern: 'reset-kind', says: /reset at once/ },
  'wrong edge': { golden: counter('').replace('posedge', '«posedge»'), fault: 'negedge', pattern: 'edge', says: /changes at the falling edge of 'clk'/ },
  'enable ignored': { golden: counter('').replace('if (en)', '«if (en)»'), fault: '', pattern: 'enable', says: /although 'en' is 0/ },
  'one cycle late': {
    golden: 'module m(input clk, input [7:0] d, output reg [7:0] q);\nreg [7:0] p;\nalways @(posedge clk) begin p <= d; q <= «d»; end\nendmodule',
    fault: 'p',
    pattern: 'latency',
    says: /one cycle too late/,
  },
  'wrong after the wrap': {
    golden: "module m(input clk, input rst, output reg [4:0] q);\nalways @(posedge clk) if (rst) q <= 0; else if (q == 20) q <= «0»; else q <= q + 5'd1;\nendmodule",
    fault: "5'd7",
    pattern: 'wrap',
    says: /right until it has to return from 20 to 0/,
  },
  'counts one too far': {
    golden: "module m(input clk, input rst, output reg [4:0] q);\nalways @(posedge clk) if (rst) q <= 0; else if (q == «20») q <= 0; else q <= q + 5'd1;\nendmodule",
    fault: '21',
    pattern: 'off-by-one',
    says: /counts to 21, where it is expected to count to 20/,
  },
  'one too much': { golden: "module m(input [7:0] a, input [7:0] b, output [7:0] y);\nassign y = a * b«»;\nendmodule", fault: " + 8'd1", pattern: 'off-by-one', says: /always 1 more/ },
  'sign extension lost': {
    golden: 'module m(input [7:0] a, output [15:0] y);\nassign y = «{{8{a[7]}}, a}»;\nendmodule',
    fault: "{8'b0, a}",
    pattern: 'sign',
    says: /extended with zeros above bit 7/,
  },
  'sign extension where there is none': { golden: "module m(input [7:0] a, output [15:0] y);\nassign y = «{8'b0, a}»;\nendmodule", fault: '{{8{a[7]}}, a}', pattern: 'sign', says: /with the sign above bit 7/ },
  'upper bits lost': { golden: 'module m(input [7:0] a, input [7:0] b, output [15:0] y);\nwire «[15:0]» p = a * b;\nassign y = p;\nendmodule', fault: '[9:0]', pattern: 'width', says: /upper 6 bits of 'y' are lost/ },
  'swapped outputs': { golden: 'module m(input [7:0] a, input [7:0] b, output [7:0] x, output [7:0] y);\nassign «{x, y}» = {a & b, a | b};\nendmodule', fault: '{y, x}', pattern: 'swapped-ports', says: /'x' and 'y' are exchanged/ },
  'swapped bytes': { golden: 'module m(input [31:0] a, output [31:0] y);\nassign y = «{a[31:24], a[23:16], a[15:8], a[7:0]}»;\nendmodule', fault: '{a[7:0], a[15:8], a[23:16], a[31:24]}', pattern: 'byte-order' },
  'swapped halves': { golden: 'module m(input [11:0] a, output [11:0] y);\nassign y = «a»;\nendmodule', fault: '{a[5:0], a[11:6]}', pattern: 'halves' },
  'swapped bits': { golden: 'module m(input [7:0] a, output [7:0] y);\nassign y = «a»;\nendmodule', fault: '{a[7:4], a[1], a[2], a[3], a[0]}', pattern: 'swapped-bits', says: /Bits 1 and 3 of 'y' are exchanged/ },
  'reversed bits': { golden: 'module m(input [7:0] a, output [7:0] y);\nassign y = «a»;\nendmodule', fault: '{a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]}', pattern: 'bit-order' },
  inverted: { golden: 'module m(input [7:0] a, input [7:0] b, output y);\nassign y = «a > b»;\nendmodule', fault: 'a <= b', pattern: 'inverted' },
  stuck: { golden: 'module m(input [7:0] a, input [7:0] b, output [7:0] y);\nassign y = «a + b»;\nendmodule', fault: "8'd9", pattern: 'stuck', says: /never leaves the value 8'h09/ },
  undriven: { golden: 'module m(input [7:0] a, output [7:0] y);\nassign «y» = a;\nendmodule', fault: 'z', pattern: 'unknown' },
  'undriven at times': { golden: "module m(input en, input [7:0] a, output [7:0] y);\nassign y = «en» ? a : 8'bz;\nendmodule", fault: '(en & a[0])', pattern: 'unknown', says: /is undriven \(z\) where a value is expected/ },
  'driven too often': { golden: "module m(input en, input [7:0] a, output [7:0] y);\nassign y = «en» ? a : 8'bz;\nendmodule", fault: '(en | a[0])', pattern: 'three-state', says: /driven where it should be left undriven/ },
  'driven at the wrong times': { golden: "module m(input en, input [7:0] a, output [7:0] y);\nassign y = «en» ? a : 8'bz;\nendmodule", fault: '!en', pattern: 'three-state', says: /at other moments than expected/ },
  'open drain that drives high': {
    golden: "module m(input clk, input rst, input d, inout y, output reg q);\nreg o;\nassign y = o ? 1'b0 : «1'bz»;\nalways @(posedge clk) if (rst) begin o <= 0; q <= 0; end else begin o <= d; q <= y; end\nendmodule",
    fault: "1'b1",
    pattern: 'three-state',
  },
  'one bit wrong': { golden: 'module m(input [7:0] a, input [7:0] b, output [7:0] y);\nassign y = {«^a», a[6:0] + b[6:0]};\nendmodule', fault: '^a[6:0]', pattern: 'bit', says: /'y' differs in its bit 7 alone\./ },
  'one bit too often': { golden: 'module m(input [7:0] a, input [7:0] b, output [7:0] y);\nassign y = {a[6:3] + b[3:0], «a[7] & b[7]», a[2:0]};\nendmodule', fault: 'a[7]', pattern: 'bit', says: /in its bit 3 alone, which is 1 where 0 is expected/ },
  'a constant too much': { golden: "module m(input [7:0] a, input [7:0] b, output [7:0] y);\nassign y = a * b«»;\nendmodule", fault: " + 8'd3", pattern: 'offset' },
  'another operator': { golden: 'module m(input [7:0] a, input [7:0] b, output [7:0] y);\nassign y = a «&» b;\nendmodule', fault: '|', pattern: undefined },
  'another condition': { golden: counter('').replace('(en)', '«(en)»'), fault: '(en ^ d[0])', pattern: undefined },
  'another next state': {
    golden: 'module m(input clk, input rst, input d, output [1:0] y);\nreg [1:0] s;\nalways @(posedge clk) if (rst) s <= 0; else case (s) 0: s <= d ? 1 : 0; 1: s <= d ? 2 : 0; 2: s <= d ? «2» : 3; 3: s <= 0; endcase\nassign y = s;\nendmodule',
    fault: '3',
    pattern: undefined,
  },
};

function sidesOf({ golden, fault }: Case): { golden: string; dut: string } {
  return { golden: golden.replace(/[«»]/g, ''), dut: golden.replace(/«.*»/s, () => fault) };
}

for (const [name, given] of Object.entries(cases)) {
  test(`pattern: ${name}`, async () => {
    const { golden, dut } = sidesOf(given);
    const { pattern } = await mismatchOf(golden, dut);
    assert.equal(pattern?.id, given.pattern, pattern?.text);
    if (given.says) assert.match(pattern?.text ?? '', given.says);
  });
}

/** The fault stands between « and »; the first suspects must hold it. */
async function checkSuspects(golden: string, dutMarked: string, most: number): Promise<void> {
  const start = dutMarked.indexOf('«');
  const dut = dutMarked.replace(/[«»]/g, '');
  const { suspects = [] } = await mismatchOf(golden, dut);
  const rank = suspects.findIndex(({ span }) => span.start <= start && start < span.end);
  assert.ok(rank >= 0 && rank < most, JSON.stringify(suspects));
}

const alu = (add: string, last: string): string => `module m(input clk, input rst, input [1:0] op, input [7:0] a, input [7:0] b, output reg [7:0] y, output reg z);
  wire [7:0] sum;
  adder u(.x(a), .y(b), .s(sum));
  always @(posedge clk) begin
    if (rst) y <= 0;
    else case (op)
      0: y <= sum;
      1: y <= a & b;
      2: y <= a ^ b;
      default: y <= ${last};
    endcase
    z <= a == b;
  end
endmodule
module adder(input [7:0] x, input [7:0] y, output [7:0] s);
  assign s = ${add};
endmodule`;

test('the likeliest lines hold the fault: in the branch that fails, and behind an instance', async () => {
  const golden = alu('x + y', 'a - b');
  await checkSuspects(golden, alu('x + y', 'a - «1»'), 1);
  await checkSuspects(golden, alu('x + «1»', 'a - b'), 3);
});

/** A machine of four states. */
const machine = (arm: string): string => `module m(input clk, input go, input rst, output reg q);
  localparam A = 2'd0, B = 2'd1, C = 2'd2, D = 2'd3;
  reg [1:0] state, next;
  always @(*) begin
    next = state;
    case (state)
      A: if (go) next = B;
      B: next = C;
      ${arm}
      D: next = A;
    endcase
  end
  always @(posedge clk) if (rst) state <= A; else state <= next;
  always @(posedge clk) q <= state == D;
endmodule`;

test('an arm that is missing is named with the value that has none', async () => {
  const { suspects: [first] = [] } = await mismatchOf(machine('C: next = D;'), machine(''));
  assert.deepEqual([first?.text, first?.note], ['case (state)', "no arm for C (2), the value of 'state' where the output begins to be wrong, and no default"]);
});

test('the fault is found where the state at power-on is drawn, too', async () => {
  const golden = 'module m(input clk, input [1:0] s, input [7:0] d, output reg [7:0] q);\n  always @(posedge clk)\n    if (s[0]) q <= d;\n    else if (s[1]) q <= q + 1;\n    else q <= q ^ d;\nendmodule';
  await checkSuspects(golden, golden.replace('q ^ d', '«q | d»'), 1);
});
