import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Element } from '../../../../server/src/verification/coverage/code-map.ts';
import { gapText, GapTrace, type NamedConstant } from '../../../../server/src/verification/explain/gaps.ts';

const CONSTANTS: readonly NamedConstant[] = [{ name: 'IDLE', value: "2'd0" }, { name: 'WAIT', value: "2'b10" }, { name: 'WIDTH', value: '8' }];

function check(labels: readonly string[], value: bigint | undefined, expected: string): void {
  assert.equal(gapText({ lacks: 'arm', chooser: 'state', labels, arms: [] }, { when: 'now', value }, CONSTANTS), `no arm for ${expected} where the output begins to be wrong, and no default`);
}

test('a value without an arm is written as the labels of the others are', () => {
  check(["3'b001", "3'b010"], 4n, "3'b100, the value of 'state'");
  check(["8'hA0"], 31n, "8'h1f, the value of 'state'");
  check(['IDLE'], 2n, "WAIT (2), the value of 'state'");
  check(['IDLE'], 3n, "3, the value of 'state'");
  check(['0', '1'], 2n, "WAIT (2), the value of 'state'");
});

test('a value that is not known, or does not fit, is not named', () => {
  check(["2'b01"], 4n, "the value that 'state' has");
  check(['A'], 1n << 63n, "the value that 'state' has");
  check(['A'], undefined, "the value that 'state' has");
});

test('the sentence says when it was, and what happens instead', () => {
  const text = (lacks: 'default' | 'else', chooser: string, when: 'just before' | 'before'): string => gapText({ lacks, chooser, labels: ["2'd1"], arms: [] }, { when, value: 3n }, []);
  assert.equal(text('default', 's', 'just before'), "no arm for 2'd3, the value of 's' just before the output is wrong: the default is taken");
  assert.equal(text('default', "1'b1", 'before'), 'no arm applies at some time before the output is wrong: the default is taken');
  assert.equal(text('else', 'if (a)', 'just before'), 'false just before the output is wrong, so that nothing is assigned here');
});

test('a choice keeps what it took until it chooses anew', () => {
  // Branch 0 takes what no arm is for, branch 1 is the arm, branch 2 stands elsewhere in the process.
  const gap = { lacks: 'arm', chooser: 's', comparison: 0, labels: [], arms: [1] } as const;
  const choice: Element = { module: 'm', kind: 'condition', location: { file: '', span: { start: 0, end: 0 } }, targets: [], reads: [], branches: [0], runs: 'settled', gap };
  const steps: readonly { readonly took?: readonly number[]; readonly left?: bigint }[] = [{ took: [1], left: 5n }, { took: [0], left: 7n }, {}, { took: [1, 2], left: 5n }, { took: [0, 1], left: 7n }, { took: [2] }];
  const trace = new GapTrace(choice, [1, 2], { steps: steps.length, took: (step, branch) => steps[step]?.took?.includes(branch) === true, left: (step) => steps[step]?.left });
  assert.deepEqual([...steps.keys()].map((step) => trace.missing(step)), [undefined, 7n, 7n, undefined, undefined, undefined]);
  assert.equal(trace.momentAt(0, 1), undefined);
  assert.deepEqual(trace.momentAt(2, 1), { when: 'now', value: 7n });
  assert.deepEqual(trace.momentAt(3, 1), { when: 'just before', value: 7n });
  // In one step it took both, as in a loop.
  assert.equal(trace.momentAt(5, 1), undefined);
});
