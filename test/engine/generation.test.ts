import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { silentLogger } from '../../server/src/base/logger.ts';
import { createCore, type Core } from '../../server/src/core.ts';
import { build, verifyRequest, type Built, type GenerateRequest } from '../../server/src/generation/generate.ts';
import { logicTables, machines, machineText, mapText, truthTableText } from '../unit/generation/random.ts';

let core: Core;
before(async () => {
  core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
});

function request(text: string): GenerateRequest {
  return { text, start: 0, directory: '/nowhere', engine: 'auto', seed: 1, timeoutMs: 60_000 };
}

async function built(text: string): Promise<Built> {
  const outcome = await build(request(text), () => Promise.reject(new Error('There is no header to load.')));
  assert.ok(outcome.kind === 'built', outcome.kind === 'failed' ? outcome.reason : '');
  return outcome;
}

async function checkVerified(text: string): Promise<void> {
  const { outcome, reason } = await core.generate(request(text), {});
  assert.equal(outcome, 'verified', `${reason}\n${text}`);
}

/** The module of one table is compared with the reference of another one. */
async function checkDifferent(text: string, other: string): Promise<void> {
  const [one, two] = [await built(text), await built(other)];
  const { verdict, reason } = await core.verify(verifyRequest({ ...one, reference: two.reference }, request(text)), {});
  assert.equal(verdict, 'different', `${reason}\n${text}\n${other}`);
}

describe('modules from tables, with real tools', () => {
  for (const [at, table] of fc.sample(logicTables({ inputs: 6, outputs: 3 }), { seed: 7, numRuns: 4 }).entries()) {
    test(`random truth table ${at}`, () => checkVerified(truthTableText(table, 'bars')));
  }

  for (const [at, machine] of fc.sample(machines({ states: 5, inputs: 2, outputs: 2 }), { seed: 7, numRuns: 4 }).entries()) {
    test(`random state machine ${at}`, () => checkVerified(machineText(machine, 'rows')));
  }

  test('a map of five variables', () => checkVerified(mapText(Array.from({ length: 32 }, (_, at) => (at % 5 === 0 ? 'd' : String((at * 13) >> 2 & 1))), { rows: 2, columns: 2, layers: 1 }, 'labels')));

  test('a wide waveform', () => checkVerified('input a (3 bits)\noutput q (16 bits)\n\ntime a q\n0ns 0 1232\n5ns 1 aee0\n10ns 2 27d4\n15ns 7 2f19'));

  test('one flipped output of a truth table is a difference', async () => {
    const rows = ['00 | 0 1', '01 | 1 0', '10 | 1 1', '11 | x 0'];
    const text = (list: readonly string[]): string => `outputs: y, z\ninputs: a, b\n\na b | y z\n${list.join('\n')}`;
    await checkVerified(text(rows));
    for (const at of rows.keys()) await checkDifferent(text(rows), text(rows.map((row, index) => (index === at ? row.replace(/.$/, (value) => (value === '0' ? '1' : '0')) : row))));
  });

  test('one flipped output or one other next state of a state machine is a difference', async () => {
    const text = '*A: 0->A, 1->B / out 0\nB: 0->C, 1->B / out 0\nC: 0->A, 1->B / out 1';
    await checkVerified(text);
    await checkDifferent(text, text.replace('1->B / out 1', '1->B / out 0'));
    await checkDifferent(text, text.replace('B: 0->C', 'B: 0->A'));
    await checkDifferent(text, text.replace('*A', 'A').replace('\nC', '\n*C'));
  });
});
