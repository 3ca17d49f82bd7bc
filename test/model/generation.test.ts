import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Core } from '../../server/src/core.ts';
import type { DesignInput } from '../../server/src/analysis/design.ts';
import { CHAT, delta, DONE, ScriptedServer } from './harness.ts';
import { createTestCore, inTurn, moduleRequest, play, said, verifyOptions, type Story, type Wish } from './module-run.ts';
import type { Step } from './scripted-server.ts';

let scripted: ScriptedServer;
let core: Core;
before(async () => {
  [scripted, core] = await Promise.all([ScriptedServer.start(), createTestCore()]);
});
after(() => scripted[Symbol.asyncDispose]());

const header = 'module m(input a, input b, output y);';
const gate = (expression: string): string => `${header}\n  assign y = ${expression};\nendmodule`;
const golden: DesignInput = { file: '/nowhere/golden.v', module: 'g', text: 'module g(input a, b, output y); assign y = a & b; endmodule' };
const testbench: DesignInput = {
  file: '/nowhere/tb.v',
  module: 'tb',
  text: 'module tb; reg a, b; wire y; m dut(a, b, y); initial begin a = 1; b = 0; #1 if (y !== 0) $display("FAIL: y is %b", y); else $display("PASS"); end endmodule',
};

async function generated(wish: Wish, ...codes: readonly string[]): Promise<Story> {
  await scripted.script(...inTurn(...codes.map((code) => said(code))));
  return play(core, scripted, { header, ...wish });
}

describe('a module from a model', () => {
  it('that agrees with the golden is proved, and no further sample is asked for', async () => {
    const { result, asked } = await generated({ golden, samples: 4 }, gate('b & a'));
    assert.deepEqual([result.outcome, result.reason, asked.length], ['verified', 'The module m: proved equivalent.', 1]);
    assert.equal(result.candidates[0]?.code, `${gate('b & a')}\n`);
  });

  it('that differs from the golden is repaired with the shortest counterexample, without its reasoning', async () => {
    const { result, failed, asked } = await generated({ golden }, gate('a | b'), gate('a & b'));
    assert.deepEqual([result.outcome, failed], ['verified', ['verify']]);
    const [, repair] = asked;
    assert.match(repair?.messages.at(-1)?.content ?? '', /cycle 0: a=1 b=0 -> y=1 \(right: 0\)[^]*Lines that assign y:\n {2}2: assign y = a \| b;/);
    assert.ok(!JSON.stringify(repair).includes('Let me think'));
  });

  it('that fails a testbench is repaired, and passes when the testbench says so', async () => {
    const { result, failed, asked } = await generated({ testbench }, gate('a | b'), gate('a & b'));
    assert.deepEqual([result.candidates[0]?.confidence, failed], ['compiles, interface matches, the testbench passed', ['verify']]);
    assert.match(asked[1]?.messages.at(-1)?.content ?? '', /FAIL: y is 1/);
  });

  it('without golden and testbench is chosen by the behaviour of the most samples', async () => {
    const { result } = await generated({ samples: 4 }, gate('a | b'), gate('a & b'), gate('~(~a | ~b)'), gate('a ^ b'));
    assert.deepEqual(
      result.candidates.map(({ turn, confidence }) => [turn.sample, confidence]),
      [
        [1, 'compiles, interface matches, 2 of 4 agree'],
        [2, 'compiles, interface matches, 2 of 4 agree'],
        [0, 'compiles, interface matches, none of the 3 others agree'],
        [3, 'compiles, interface matches, none of the 3 others agree'],
      ],
    );
    assert.equal(result.outcome, 'compiled');
    assert.deepEqual(result.candidates[0]?.votes?.groups, [2, 1, 1]);
  });

  it('passes its stages in order, and each says why it ends', async () => {
    const { result, failed } = await generated({}, 'I cannot do this.', gate('a & b').replace('m(', 'n('), gate('a & & b)'), gate('a & c'));
    assert.deepEqual(failed, ['extract', 'interface', 'parse', 'compile']);
    assert.equal(result.outcome, 'failed');
    for (const { reason } of result.rejected) assert.match(reason, /^[A-Z].*[.]$/);
  });

  it('starts afresh when a repair brings the same code again', async () => {
    const { asked } = await generated({ golden }, gate('a | b'), gate('a  |  b'), gate('a & b'));
    assert.deepEqual(asked.map(({ messages }) => messages.length), [2, 4, 2]);
    assert.deepEqual(asked.map(({ seed }) => seed), [7, 8, 9]);
  });
});

describe('where the module goes', () => {
  const at = (text: string): { readonly text: string; readonly span: { readonly start: number; readonly end: number } } => {
    const [before = '', inside = '', behind = ''] = text.split('|');
    return { text: before + inside + behind, span: { start: before.length, end: before.length + inside.length } };
  };
  const target = (text: string): Wish => ({ target: { file: '/nowhere/file.v', ...at(text) } });
  const put = ({ result }: Story, { target: place }: Wish): string => {
    const { text = '', span } = place ?? {};
    return text.slice(0, span?.start) + (result.candidates[0]?.code ?? 'nothing') + text.slice(span?.end);
  };

  it('the code takes the place of an empty module or stands on lines of its own', async () => {
    for (const [text, expected] of [
      [`// And.\n|${header}\nendmodule|\n// More.\n`, `// And.\n${gate('a & b')}\n// More.\n`],
      ['// And.||\n\nmodule other; endmodule\n', `// And.\n${gate('a & b')}\n\nmodule other; endmodule\n`],
      ['// And.||', `// And.\n${gate('a & b')}\n`],
      ['||', `${gate('a & b')}\n`],
    ] as const) {
      const wish = target(text);
      assert.equal(put(await generated({ golden, ...wish }, gate('a & b')), wish), expected);
    }
  });

  it("the user's header stays letter by letter, comments included, where the code can do with it", async () => {
    const own = 'module m(input a, // first\n  input b, output y);';
    assert.equal((await generated({ header: own, golden }, gate('a & b'))).result.candidates[0]?.code, `${own}\n  assign y = a & b;\nendmodule\n`);
    const variable = gate('a & b').replace('output y', 'output reg y').replace('assign y =', 'always @* y =');
    assert.equal((await generated({ header: own, golden }, variable)).result.candidates[0]?.code, `${variable}\n`);
  });

  it('the order of the ports is put right', async () => {
    const own = 'module m(input a, b, output [3:0] y);';
    const codes = [
      'module m(output [3:0] y, input a, b); assign y = {4{a & b}}; endmodule',
      'module m(input b, // second\n a, output reg [3:0] y); always @* y = {4{a & b}}; endmodule',
      'module m(b, a, y); input a, b; output [3:0] y; assign y = {4{a & b}}; endmodule',
    ];
    const headers: (string | undefined)[] = [];
    for (const code of codes) {
      const { result } = await generated({ header: own, repairs: 0 }, code);
      headers.push(result.candidates[0]?.code.split(/(?<=;)/)[0]);
    }
    assert.deepEqual(headers, [own, 'module m(\n  input a,\n  input b,\n  output reg [3:0] y\n);', 'module m(\n  a,\n  b,\n  y\n);']);
    const { failed } = await generated({ header: own, repairs: 0 }, 'module m(output [3:0] y, input b, output reg z, input a); assign y = {4{a & b}}; endmodule');
    assert.deepEqual(failed, ['interface']);
  });

  it('macros, constants and modules of the file are there', async () => {
    const wish = target('`define AND &\nmodule inner(input a, b, output y); assign y = a `AND b; endmodule\n||\n');
    const { result } = await generated({ golden, ...wish }, gate('c').replace('assign y = c;', 'wire c = a `AND b;\n  inner i(a, c, y);'));
    assert.equal(result.outcome, 'verified', result.reason);
  });

  it('a file that is broken elsewhere does not stand in the way', async () => {
    const { result } = await generated({ ...target('||\n\nmodule half_done(input a);\n  always @(posedge\n') }, gate('a & b'));
    assert.deepEqual([result.outcome, result.candidates[0]?.notes], ['compiled', ['The rest of the file does not compile, so the module was checked without it.']]);
    const { asked } = await generated({ ...target('module half_done(input a);\n  always @(posedge\nendmodule\n\n||\n') }, gate('a & c'), gate('a & b'));
    assert.match(asked[1]?.messages.at(-1)?.content ?? '', /- Line 2: [^]*assign y = a & c;/, 'its own mistakes are told in its own lines');
  });

  it('a module that exists nowhere is asked to be written out', async () => {
    const { failed, asked } = await generated({ golden }, gate('c').replace('assign y = c;', 'and_cell i(a, b, y);'), gate('a & b'));
    assert.deepEqual(failed, ['compile']);
    assert.match(asked[1]?.messages.at(-1)?.content ?? '', /Line 2: There is no module 'and_cell'; write it out or do without it\.\n {2}and_cell i\(a, b, y\);/);
  });

  it('parameters of the header bind too', async () => {
    const wide = 'module m #(parameter W = 4) (input [W-1:0] a, output [W-1:0] y);';
    const { result, failed } = await generated({ header: wide }, `${wide.replace('W = 4', 'W = 8')} assign y = a; endmodule`, `${wide.replaceAll('W', 'N')} assign y = a; endmodule`, `${wide} assign y = ~a; endmodule`);
    assert.deepEqual([result.outcome, failed], ['compiled', ['interface', 'interface']]);
    assert.match(result.rejected.map(({ reason }) => reason).join(' '), /'a' has 8 bits in 'm' and 4 bits in the wanted header\..*'m' has no parameter 'W'/);
  });
});

describe('code that would do harm', () => {
  const cases: readonly [string, string][] = [
    ['runs a program', 'initial $system("id");'],
    ['opens a file', 'integer f; initial f = $fopen("/tmp/x", "w");'],
    ['puts a task together from pieces', '`define A $sys``tem\n  initial `A("id");'],
    ['ends the simulation', 'initial if (a) $finish;'],
    ['includes a file of the system', '`include "/etc/passwd"'],
    ['reads a file of the system', 'reg [7:0] r[0:3]; initial $readmemh("/etc/passwd", r);'],
  ];
  for (const [what, text] of cases) {
    it(`and ${what} is not run`, async () => {
      const { result, failed, asked } = await generated({ golden, repairs: 1 }, gate('a & b').replace('endmodule', `${text}\nendmodule`), gate('a & b'));
      assert.deepEqual([result.outcome, failed], ['verified', ['extract']]);
      assert.match(asked[1]?.messages.at(-1)?.content ?? '', /There is this problem:\n- Line [34]: /);
    });
  }

  it('and speaks in the name of the testbench is refused, whatever macro it takes; other modules of the project may speak', async () => {
    const text = '`define SAY(x) $display(x)\nmodule inner(input a, b, output y); assign y = a & b; initial $display("inner is here"); endmodule\n';
    const place: Wish = { testbench, repairs: 0, target: { file: '/nowhere/file.v', text, span: { start: text.length, end: text.length } } };
    for (const speech of ['$display("PASS");', '`SAY("PASS");', '#9 $finish(0);']) {
      const { result } = await generated(place, gate('a | b').replace('endmodule', `initial ${speech}\nendmodule`));
      assert.equal(result.outcome, 'failed', speech);
      assert.match(result.reason, /so that nobody can tell what the testbench says|ends the simulation/);
    }
    const { result } = await generated(place, gate('a | b').replace('assign y = a | b;', 'inner i(a, b, y);'));
    assert.equal(result.outcome, 'verified', result.reason);
  });

  it('and reaches up into its testbench does not compile', async () => {
    const counting: DesignInput = { ...testbench, text: 'module tb; reg a, b; wire y; integer errors = 0; m dut(a, b, y); initial begin a = 1; b = 0; #1 if (y !== 0) errors = errors + 1; $display("errors: %0d", errors); end endmodule' };
    const { failed } = await generated({ testbench: counting, repairs: 0 }, gate('a | b').replace('endmodule', 'always @* tb.errors = 0;\nendmodule'));
    assert.deepEqual(failed, ['compile']);
  });

  it('and never ends costs its own time only', async () => {
    const { result } = await generated({ golden, repairs: 0, verify: { ...verifyOptions, timeoutMs: 2_000, prove: false } }, gate('a & b').replace('endmodule', 'reg r = 0; always @(a or r) r <= ~r;\nendmodule'));
    assert.deepEqual([result.outcome, result.rejected[0]?.stage], ['failed', 'verify']);
    assert.match(result.reason, /The DUT did not finish/);
  });
});

describe('an existing module', () => {
  const broken = gate('a & & b');
  const place: Wish = { target: { file: '/nowhere/file.v', text: `${broken}\n`, span: { start: 0, end: broken.length } } };

  it('is fixed by what was found in it', async () => {
    const { result, asked } = await generated({ ...place, golden, task: { kind: 'fix', code: broken, findings: [{ message: 'Unexpected operator.', line: 1 }] } }, gate('a & b'));
    assert.deepEqual([result.outcome, result.candidates[0]?.code], ['verified', gate('a & b')]);
    assert.match(asked[0]?.messages[1]?.content ?? '', /- Line 2: Unexpected operator\.\n {2}assign y = a & & b;/);
  });

  it('is repaired by the shortest counterexample', async () => {
    const code = gate('a | b');
    const verdict = await core.verify({ dut: { file: '/nowhere/file.v', text: code, module: 'm' }, golden, options: verifyOptions }, {});
    const { result, asked } = await generated({ ...place, golden, task: { kind: 'repair', code, verdict } }, gate('a & b'));
    assert.equal(result.outcome, 'verified');
    assert.match(asked[0]?.messages[1]?.content ?? '', /does not behave as its reference does[^]*a=1 b=0 -> y=1 \(right: 0\)/);
  });

  it('is explained in words', async () => {
    await scripted.script(...inTurn(said('x').slice(0, 1).concat([{ do: 'write', text: delta({ content: '<think>Hm.</think>\n**And** gate.' }) }, { do: 'write', text: delta({}, 'stop') + DONE }, { do: 'end' }])));
    const { model, lookup } = moduleRequest(scripted, {});
    const explained = await core.explainModule({ code: gate('a & b'), model, lookup }, {}).result;
    assert.ok(explained.kind === 'explained');
    assert.equal(explained.text, '**And** gate.');
  });
});

describe('several samples', () => {
  it('are written at the same time where the server has slots, and a proof stops the others', async () => {
    const slow = said(gate('a | b')).flatMap((step): Step[] => [step, { do: 'wait', ms: 200 }]);
    await scripted.script({ request: CHAT, times: 2, steps: slow }, { request: CHAT, times: 1, steps: said(gate('a & b')) });
    const { result, asked } = await play(core, scripted, { header, golden, samples: 3, slots: 3 });
    assert.deepEqual([result.outcome, asked.length, result.rejected], ['verified', 3, []]);
    assert.equal((await scripted.report()).abandoned, 2);
  });

  it('that nothing can simulate are only compiled', async () => {
    await scripted.script(...inTurn(said(gate('a & b')), said(gate('b & a'))));
    const { result } = await play(core, scripted, { header, samples: 2, verify: { ...verifyOptions, engine: 'yosys' } });
    assert.deepEqual(result.candidates.map(({ confidence }) => confidence), ['compiles, interface matches, behaviour not checked', 'compiles, interface matches, behaviour not checked']);
  });
});
