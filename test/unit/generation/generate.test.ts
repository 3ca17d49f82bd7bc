import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { loadDesign } from '../../../server/src/analysis/load.ts';
import { diskFiles } from '../../../server/src/base/files.ts';
import { build, generate, type Built, type GenerateRequest } from '../../../server/src/generation/generate.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';
import type { VerdictKind, VerifyRequest } from '../../../server/src/verification/verdict.ts';
import { result } from '../cli/result.ts';

let parser: Parser;
before(async () => {
  parser = await Parser.create();
});

type Choice = Partial<GenerateRequest>;

function request(text: string, choice: Choice): GenerateRequest {
  return { text, start: 0, directory: '/nowhere', engine: 'auto', seed: 1, timeoutMs: 1000, ...choice };
}

async function built(text: string, choice: Choice = {}): Promise<Built> {
  const outcome = await build(request(text, choice), (input) => loadDesign(input, { parser, files: diskFiles }));
  assert.ok(outcome.kind === 'built', outcome.kind === 'failed' ? outcome.reason : '');
  return outcome;
}

async function refusal(text: string, choice: Choice = {}): Promise<string> {
  const outcome = await build(request(text, choice), (input) => loadDesign(input, { parser, files: diskFiles }));
  assert.ok(outcome.kind !== 'built');
  return outcome.reason;
}

/** The code has these lines in this order, blanks at their ends aside. */
function checkLines(code: string, ...lines: readonly string[]): void {
  const own = code.split('\n').map((line) => line.trim());
  let from = 0;
  for (const line of lines) {
    const at = own.indexOf(line, from);
    assert.ok(at >= 0, `"${line}" is missing in\n${code}`);
    from = at + 1;
  }
}

const and = 'a b || y\n0 - || 0\n1 0 || 0\n1 1 || 1';
const toggle = 'A (out=0) --in=0--> A\nA (out=0) --in=1--> B\nB (out=1) --in=0--> B\nB (out=1) --in=1--> A\nreset state: A';

describe('modules for logic tables', () => {
  test('equations, names from the table', async () => {
    assert.equal((await built(and)).code, 'module generated (\n    input  wire a,\n    input  wire b,\n    output wire y\n);\n\n    assign y = a & b;\n\nendmodule\n');
  });

  test('name and ports from the text, in its order', async () => {
    checkLines((await built(`A module named both.\noutput y\ninputs: b, a\n\n${and}`)).code, 'module both (', 'output wire y,', 'input  wire b,', 'input  wire a', 'assign y = b & a;');
  });

  test('a given header stays as it is, whatever its order and range', async () => {
    const header = 'module both(output y,\n  input wire [2:1] s);';
    const { code } = await built('s[2] s[1] || y\n0 - || 0\n1 0 || 0\n1 1 || 1', { header });
    assert.ok(code.startsWith(`${header}\n`));
    checkLines(code, 'assign y = s[2] & s[1];');
  });

  test('a header with variables is driven by a process', async () => {
    checkLines((await built(and, { header: 'module m(input a, b, output reg y);' })).code, 'always @(*) begin', 'y = a & b;', 'end');
  });

  test('many outputs read better as a case statement', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => `${at.toString(2).padStart(3, '0')} || ${((at * 77) % 256).toString(2).padStart(8, '0')}`).join('\n');
    checkLines((await built(`s[2:0] || q[7:0]\n${rows}`)).code, 'always @(*) begin', 'case (s)', "3'b001: q = 8'b01001101;", "default: q = 8'b00000000;", 'endcase');
    checkLines((await built(`s[2:0] || q[7:0]\n${rows}`, { header: 'module m(input [2:0] s, output [7:0] q);' })).code, 'reg [7:0] q_value;', 'assign q = q_value;', "3'b001: q_value = 8'b01001101;");
  });

  test('constants', async () => checkLines((await built('a b || y z\n0 0 || 1 0\n1 1 || 1 x')).code, "assign y = 1'b1;", "assign z = 1'b0;"));

  test('the reference says the table row by row, open values as x', async () => {
    checkLines((await built('a b || y\n0 - || 0\n1 0 || x\n1 1 || 1')).reference, 'casez ({a, b})', "2'b0?: y = 1'b0;", "2'b11: y = 1'b1;", "default: y = 1'bx;", 'endcase');
  });

  for (const [name, text, choice, pattern] of [
    ['prose', 'An adder.', {}, /holds no table, so that a model has to write the module/],
    ['an output of the header without a column', and, { header: 'module m(input a, b, output y, output z);' }, /does not say what the output z/],
    ['a name that the header lacks', and, { header: 'module m(input a, c, output y);' }, /'b' is no port of the module/],
    ['an input as output', and, { header: 'module m(input a, y, output b);' }, /'[by]' is an/],
    ['another name than the header', and, { header: 'module m(input a, b, output y);', module: 'n' }, /of the module m, but n/],
    ['a header that is broken', and, { header: 'module m(input a, b, output;' }, /header/],
    ['a header of another kind', and, { header: 'module m(input a, b, inout y);' }, /'y' of the header/],
    ['an impossible name', and, { module: 'table' }, /'table' cannot name a module/],
  ] as const) {
    test(`nothing is built for ${name}`, async () => assert.match(await refusal(text, choice), pattern));
  }
});

describe('modules for state machines', () => {
  test('state codes, register, next state and outputs', async () => {
    checkLines(
      (await built(toggle)).code,
      'input  wire clk,', 'input  wire reset,', 'input  wire in,', 'output reg  out', "localparam A = 1'b0,", "B = 1'b1;", 'reg state, next_state;',
      'always @(posedge clk)', 'if (reset)', 'state <= A;', 'state <= next_state;', 'A: next_state = in ? B : A;', 'B: begin', 'next_state = in ? A : B;', "out = 1'b1;",
    );
  });

  for (const [encoding, codes] of [['binary', ["A = 2'b00,", "C = 2'b10;"]], ['gray', ["A = 2'b00,", "C = 2'b11;"]], ['one-hot', ["A = 3'b001,", "C = 3'b100;"]]] as const) {
    test(`${encoding} codes`, async () => {
      const { code } = await built('*A: 0->B, 1->C / out 0\nB: x->C / out 0\nC: x->A / out 1', { encoding });
      for (const text of codes) assert.ok(code.includes(text), code);
    });
  }

  for (const [name, text, choice, edge, test_] of [
    ['synchronous, active high by default', toggle, {}, 'posedge clk', 'reset'],
    ['what the text says', `${toggle}\nThe reset is asynchronous and active low.`, {}, 'posedge clk or negedge reset', '!reset'],
    ['what the names of the header say', toggle, { header: 'module m(input clock, input arst_n, input in, output reg out);' }, 'posedge clock or negedge arst_n', '!arst_n'],
    ['what the options say', toggle, { clock: 'ck', reset: { name: 'clear', active: 'high', kind: 'async' } }, 'posedge ck or posedge clear', 'clear'],
  ] as const) {
    test(`reset: ${name}`, async () => checkLines((await built(text, choice)).code, `always @(${edge})`, `if (${test_})`, 'state <= A;'));
  }

  test('names that collide are moved out of the way', async () => {
    const { code } = await built('*begin (state=0) --A=1--> A\nbegin --A=0--> begin\nA (state=1) --A=1--> begin\nA --A=0--> A');
    checkLines(code, 'output reg  state', "localparam S_begin = 1'b0,", "S_A     = 1'b1;", 'reg state_reg, next_state;', 'S_begin: next_state = A ? S_A : S_begin;');
  });

  test('choices that the text leaves open are noted', async () => {
    const { notes } = await built(toggle);
    assert.match(notes.join(' '), /the reset 'reset' is synchronous and active high/);
    assert.deepEqual((await built(`${toggle}\nSynchronous reset, active high.`)).notes, []);
  });

  for (const [name, choice, pattern] of [
    ['without a clock', { header: 'module m(input reset, in, output out);' }, /needs a clock/],
    ['without a reset', { header: 'module m(input clk, in, output out);' }, /needs a reset/],
    ['with a wide clock', { header: 'module m(input [1:0] clk, input reset, in, output out);' }, /more than one bit/],
  ] as const) {
    test(`nothing is built for a header ${name}`, async () => assert.match(await refusal(toggle, choice), pattern));
  }
});

describe('the outcome follows the verdict', () => {
  async function outcome(verdict: VerdictKind, engines = result().engines): Promise<{ readonly outcome: string; readonly offered: boolean; readonly reason: string; readonly asked: VerifyRequest | undefined }> {
    let asked: VerifyRequest | undefined;
    const env = {
      load: () => Promise.reject(new Error('There is no header to load.')),
      verify: (given: VerifyRequest) => {
        asked = given;
        return Promise.resolve(result({ verdict, engines, reason: 'So it was.' }));
      },
    };
    const generated = await generate(request(and, {}), env, {});
    return { outcome: generated.outcome, offered: generated.code !== undefined, reason: generated.reason, asked };
  }

  for (const [verdict, expected, offered, words] of [
    ['equivalent', 'verified', true, /^Proved equal to its truth table for every input;/],
    ['no-difference', 'verified', true, /^No difference from its truth table/],
    ['inconclusive', 'unverified', true, /not verified against it: So it was\./],
    ['timeout', 'unverified', true, /not verified against it: So it was\./],
    ['different', 'failed', false, /did not agree with its table.*So it was\./],
    ['tool-error', 'failed', false, /So it was\./],
    ['interface-mismatch', 'failed', false, /So it was\./],
    ['cancelled', 'failed', false, /Stopped/],
  ] as const) {
    test(verdict, async () => {
      const found = await outcome(verdict);
      assert.deepEqual([found.outcome, found.offered], [expected, offered]);
      assert.match(found.reason, words);
      assert.doesNotMatch(found.reason, /\bcorrect\b/);
    });
  }

  test('no engine at all', async () => assert.deepEqual([(await outcome('tool-error', [])).outcome, (await outcome('tool-error', [])).offered], ['unverified', true]));

  test('the module is the DUT and the table the golden', async () => {
    const { asked } = await outcome('equivalent');
    assert.match(asked?.dut.text ?? '', /assign y = a & b;/);
    assert.match(asked?.golden.text ?? '', /casez/);
  });

  test('nothing is verified for a table with a mistake', async () => {
    const generated = await generate(request('a b || y\n0 0 || 0\n0 0 || 1', {}), { load: () => Promise.reject(new Error('unused')), verify: () => Promise.reject(new Error('unused')) }, {});
    assert.equal(generated.outcome, 'failed');
    assert.equal(generated.problems[0]?.code, 'contradiction');
    assert.equal(generated.code, undefined);
  });
});
