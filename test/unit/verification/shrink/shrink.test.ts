import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../../../../server/src/verification/stimulus/layout.ts';
import { fieldText, RowBuilder, type Rows } from '../../../../server/src/verification/stimulus/rows.ts';
import { shrinkWitness } from '../../../../server/src/verification/shrink/shrink.ts';
import type { Answer, ShrinkTask } from '../../../../server/src/verification/shrink/task.ts';
import type { Trace } from '../../../../server/src/verification/trace.ts';
import { sizedPorts } from '../designs.ts';

const layout = layOut(sizedPorts('input a, input [7:0] noise, output y'), { clocks: [] });
const [a, noise] = layout.fields;
assert.ok(a !== undefined && noise !== undefined);

/** The pair differs from the row on in which `a` was 1 for the third time. */
function replayThirdOne(rows: Rows): Answer {
  let ones = 0;
  const answer = (wrong: boolean): Trace => ({
    words: Uint32Array.from({ length: rows.count * 2 }, (_, word) => {
      if (word === 0) ones = 0;
      if (word % 2 === 1) return 0;
      ones += fieldText(rows, word / 2, a as NonNullable<typeof a>) === '1' ? 1 : 0;
      return wrong && ones >= 3 ? 1 : 0;
    }),
    wordsPerSample: 2,
    samples: rows.count,
  });
  return { golden: answer(false), dut: answer(true) };
}

function noisyRows(count: number): Rows {
  const builder = new RowBuilder(layout);
  for (let row = 0; row < count; row++) {
    builder.setNumber(a as NonNullable<typeof a>, row % 5 === 0 ? 1 : 0);
    builder.setNumber(noise as NonNullable<typeof noise>, row * 37);
    builder.push();
  }
  return builder.finish();
}

/** 200 noisy rows, of which the 11th is the first that differs. */
function noisyTask(): ShrinkTask {
  const rows = noisyRows(200);
  return {
    layout,
    rows,
    answer: replayThirdOne(rows),
    prefix: 0,
    failingRow: 10,
    criterion: { unknowns: 'ignore', threeState: new Uint32Array(1) },
    history: 'since-power-on',
    replay: (candidate) => Promise.resolve(replayThirdOne(candidate)),
    replays: 100,
    deadline: () => false,
  };
}

test('a witness loses the rows and the values that do not matter', async () => {
  const shrunk = await shrinkWitness(noisyTask());
    assert.equal(shrunk.rows.count, 3);
  assert.equal(shrunk.sample, 2);
  for (let row = 0; row < 3; row++) {
    assert.equal(fieldText(shrunk.rows, row, a), '1');
    assert.equal(fieldText(shrunk.rows, row, noise), '00000000');
  }
});

test('a difference in a known value does not become one in an unknown value', async () => {
  const replay = (candidate: Rows): Answer => {
    const { golden, dut } = replayThirdOne(candidate);
    const last = 2 * candidate.count - 2;
    if ((dut.words[last] ?? 0) === 0) dut.words.fill(1, last);
    return { golden, dut };
  };
  const shrunk = await shrinkWitness({ ...noisyTask(), replay: (candidate) => Promise.resolve(replay(candidate)) });
  assert.deepEqual([shrunk.rows.count, shrunk.answer.dut.words[2 * shrunk.sample + 1]], [3, 0]);
});

test('without replays left the cut stimulus is kept, and it fails', async () => {
  const shrunk = await shrinkWitness({ ...noisyTask(), replays: 0 });
  assert.equal(shrunk.rows.count, 11);
  assert.equal(shrunk.sample, 10);
});

test('a failure that no replay shows again is shown as it was seen', async () => {
  const same: Trace = { words: new Uint32Array(400), wordsPerSample: 2, samples: 200 };
  const shrunk = await shrinkWitness({ ...noisyTask(), replay: () => Promise.resolve({ golden: same, dut: same }), replays: 10 });
  assert.deepEqual([shrunk.rows.count, shrunk.sample], [11, 10]);
  assert.equal(shrunk.answer.dut.words[20], 1);
});

test('without state one row is left, plain where it may be, after few replays', async () => {
  let replays = 0;
  /** Differs wherever `a` is 1 and the noise is not zero. */
  const replay = (rows: Rows): Promise<Answer> => {
    replays++;
    const words = Uint32Array.from({ length: rows.count * 2 }, (_, word) => (word % 2 === 0 && fieldText(rows, word / 2, a) === '1' && /1/.test(fieldText(rows, word / 2, noise)) ? 1 : 0));
    const trace = { wordsPerSample: 2, samples: rows.count };
    return Promise.resolve({ golden: { ...trace, words: new Uint32Array(words.length) }, dut: { ...trace, words } });
  };
  const rows = noisyRows(200);
  const answer = await replay(rows);
  replays = 0;
  const shrunk = await shrinkWitness({ layout, rows, answer, prefix: 0, failingRow: 10, criterion: { unknowns: 'ignore', threeState: new Uint32Array(1) }, history: 'none', replay, replays: 100, deadline: () => false });
  assert.deepEqual([shrunk.rows.count, shrunk.sample, replays], [1, 0, 1]);
  assert.equal(fieldText(shrunk.rows, 0, a), '1');
});

/** Rows of a counter that `noise` 255 resets and `a` advances; the pair differs from the third step on since the reset. `spared`: the reset does not reach the count. */
function replaySteps(rows: Rows, spared = false): Answer {
  let steps = 0;
  const wrong = Array.from({ length: rows.count }, (_, row) => {
    if (fieldText(rows, row, noise as NonNullable<typeof noise>) === '11111111') steps = spared ? steps : 0;
    else if (fieldText(rows, row, a as NonNullable<typeof a>) === '1') steps++;
    return steps >= 3 ? 1 : 0;
  });
  const trace = (bits: readonly number[]): Trace => ({ words: Uint32Array.from(bits.flatMap((bit) => [bit, 0])), wordsPerSample: 2, samples: rows.count });
  return { golden: trace(wrong.map(() => 0)), dut: trace(wrong) };
}

function rowsBehindReset(count: number): Rows {
  const builder = new RowBuilder(layout);
  for (let row = 0; row < count; row++) {
    builder.setNumber(a as NonNullable<typeof a>, row % 5 === 0 ? 1 : 0);
    builder.setNumber(noise as NonNullable<typeof noise>, row < 2 || row % 50 === 49 ? 255 : row * 37);
    builder.push();
  }
  return builder.finish();
}

async function shrinkSteps(rows: Rows, answer: (rows: Rows) => Answer) {
  let replays = 0;
  const known = answer(rows);
  const failingRow = known.dut.words.findIndex((word) => word === 1) / 2;
  const shrunk = await shrinkWitness({
    layout,
    rows,
    answer: known,
    prefix: 2,
    failingRow,
    criterion: { unknowns: 'ignore', threeState: new Uint32Array(1) },
    history: 'since-reset',
    replay: (candidate) => {
      replays++;
      return Promise.resolve(answer(candidate));
    },
    replays: 60,
    deadline: () => false,
  });
  return { shrunk, replays };
}

test('behind a reset many plainer stimuli are tried in one run', async () => {
  const { shrunk, replays } = await shrinkSteps(rowsBehindReset(200), (rows) => replaySteps(rows));
  assert.deepEqual([shrunk.rows.count, shrunk.sample], [5, 4]);
  assert.ok(replays <= 6, `${String(replays)} replays`);
  for (let row = 2; row < 5; row++) assert.deepEqual([fieldText(shrunk.rows, row, a), fieldText(shrunk.rows, row, noise)], ['1', '00000000']);
});

test('what a common run promises and a run from power-on does not show is found step by step', async () => {
  const { shrunk } = await shrinkSteps(rowsBehindReset(200), (rows) => replaySteps(rows, true));
  assert.deepEqual([shrunk.rows.count, shrunk.sample], [5, 4]);
  assert.equal(shrunk.answer.dut.words[8], 1);
});

test('where stimuli can be run together from power-on, one replay confirms what that promises', async () => {
  const counted = { replays: 0, together: 0 };
  const task: ShrinkTask = {
    ...noisyTask(),
    replay: (candidate) => {
      counted.replays++;
      return Promise.resolve(replayThirdOne(candidate));
    },
  };
  const together = (parts: readonly Rows[]): Promise<Answer[]> => {
    counted.together++;
    return Promise.resolve(parts.map(replayThirdOne));
  };
  const shrunk = await shrinkWitness({ ...task, together });
  assert.deepEqual([shrunk.rows.count, shrunk.sample, counted.replays], [3, 2, 1]);
  assert.ok(counted.together <= 6, `${String(counted.together)} runs together`);
  const alone = await shrinkWitness({ ...task, together: () => Promise.resolve(undefined) });
  assert.deepEqual([alone.rows.count, alone.sample], [3, 2], 'where they cannot be, it is found step by step');
});
