import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Core } from '../../server/src/core.ts';
import type { DesignInput } from '../../server/src/analysis/design.ts';
import { ScriptedServer } from './harness.ts';
import { createTestCore, inTurn, play, said, type Story, type Wish } from './module-run.ts';

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
