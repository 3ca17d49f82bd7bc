import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Branch, CodeMap, Element } from '../../../../server/src/verification/coverage/code-map.ts';
import { rankSuspects, spectrumOf, type Spectrum, type Steps } from '../../../../server/src/verification/explain/suspects.ts';

const location = { file: '/m.v', span: { start: 0, end: 1 } };

function element(text: string, branches: readonly number[] = [], more: Partial<Element> = {}): Element {
  const [module = '', targets = '', reads = ''] = text.split(/\.|<-/).map((part) => part.trim());
  return { module, kind: 'assignment', location, targets: targets.split(' '), reads: reads.split(' ').filter(Boolean), branches, runs: 'settled', ...more };
}

function branchesOf(...processes: readonly number[]): Branch[] {
  return processes.map((process) => ({ what: '', location, process, kind: 'arm', body: undefined }));
}

/** Steps by the branches that each took, and the output that differs: of the only one, `!`. */
function stepsOf(...steps: readonly string[]): Steps {
  return {
    count: steps.length,
    from: 0,
    differing: (step) => (steps[step]?.includes('!') === true ? [0] : []),
    clocked: () => true,
    took: (step, branch) => steps[step]?.includes(String(branch)) === true,
    isMissing: (_, step) => steps[step]?.includes('?') === true,
  };
}

function spectrum(map: CodeMap, ...steps: readonly string[]): Spectrum {
  const found = spectrumOf(map, 'm', ['y'], stepsOf(...steps));
  assert.ok(found);
  return found;
}

function code(elements: readonly Element[], more: Partial<CodeMap> = {}): CodeMap {
  return { branches: [], elements, instances: [], comparisons: [], ports: new Map(), insertions: new Map(), complete: true, ...more };
}

/** Elements and the order in which they are suspected; those that are missing have no influence. */
function check(map: CodeMap, outputs: readonly string[], known: Spectrum | undefined, expected: readonly Element[], isEvent = false): void {
  const ranked = rankSuspects({ code: map, top: 'm', outputs, spectrum: known, isEvent });
  assert.deepEqual(ranked.filter(({ score }) => score > 0).map((found) => found.element), expected);
}

test('only what has an influence on the output is suspected, the nearest first', () => {
  const [far, near, other] = [element('m. a <- b'), element('m. y <- a'), element('m. z <- a')];
  check(code([far, near, other]), ['y'], undefined, [near, far]);
});

test('what reaches every output that differs comes before what reaches one of them', () => {
  const [y, z, both] = [element('m. y <- a'), element('m. z <- a'), element('m. a <- b')];
  check(code([y, z, both]), ['y', 'z'], undefined, [both, y, z]);
});

test('influence goes through instances in both directions, by name, by position and by wildcard', () => {
  const inside = element('sub. q <- p');
  const source = element('m. a <- b');
  for (const connections of [[{ port: 'p', names: ['a'] }, { port: 'q', names: ['y'] }], [{ port: 0, names: ['a'] }, { port: 1, names: ['y'] }]]) {
    check(code([source, inside], { instances: [{ module: 'm', of: 'sub', connections, wildcard: false }], ports: new Map([['sub', ['p', 'q']]]) }), ['y'], undefined, [inside, source]);
  }
  const wildcard = { module: 'm', of: 'sub', connections: [], wildcard: true };
  check(code([element('sub. y <- p')], { instances: [wildcard], ports: new Map([['sub', ['p', 'y']]]) }), ['y'], undefined, [element('sub. y <- p')]);
});

test('what had a part in the values where differences began comes first, and a process that rests keeps its branches', () => {
  const [good, bad, always] = [element('m. y <- a', [0]), element('m. y <- b', [1]), element('m. y <- c')];
  const map = code([good, bad, always], { branches: branchesOf(0, 0) });
  // Nothing runs in the second and the fourth step; the fifth goes on being wrong.
  const found = spectrum(map, '0', '', '1!', '', '1!', '!', '0');
  assert.equal(found.failed, 2);
  assert.deepEqual(found.activity.get(bad), { failed: 2, passed: 1 });
  assert.deepEqual(found.activity.get(good), { failed: 0, passed: 3 });
  check(map, ['y'], found, [bad, always]);
});

test('what set a register is followed through it to where that shows, and so is the reset that a value comes from until it is set anew', () => {
  const clocked = { runs: 'clocked' } as const;
  const [start, wrong, right, out] = [element('m. r <-', [], { runs: 'once' }), element('m. r <- a', [0], clocked), element('m. r <- b', [1], clocked), element('m. y <- r', [2], clocked)];
  const map = code([start, wrong, right, out], { branches: branchesOf(0, 0, 1) });
  const found = spectrum(map, '', '12', '02', '2!');
  assert.equal(found.activity.get(wrong)?.failed, 0.95);
  assert.equal(found.activity.get(right)?.failed, 0);
  assert.equal(found.activity.get(start)?.failed, 0);
  check(map, ['y'], found, [wrong, out]);
});

test('where nothing can be followed, the code is ranked by its reach alone', () => {
  assert.equal(spectrumOf(code([element('m. y <- a', [0])], { branches: branchesOf(0) }), 'm', ['y'], { ...stepsOf(), count: 0 })?.failed, 0);
  const many = Array.from({ length: 20_000 }, (_, index) => element(`m. y <- a${String(index)} b c d`));
  assert.equal(spectrumOf(code(many), 'm', ['y'], stepsOf('', '', '', '', '', '!')), undefined);
});

test('a constant is suspected with the code that uses it', () => {
  const [declared, user, always] = [element('m. LIMIT', [], { kind: 'declaration' }), element('m. y <- LIMIT', [0]), element('m. y <- c')];
  const map = code([declared, user, always], { branches: branchesOf(0, 0) });
  check(map, ['y'], spectrum(map, '1', '0!'), [user, declared, always]);
});

test('a choice without an arm for a value is suspected where it shows, and before it the label of an arm that is never taken', () => {
  const gap = { lacks: 'default', chooser: 's', labels: [], arms: [0, 1] } as const;
  const [one, other] = [element('m. y <- s', [0], { kind: 'condition' }), element('m. y <- s', [1], { kind: 'condition' })];
  const [choice, rest] = [element('m. y <- s', [2], { kind: 'condition', gap }), element('m. y <- a', [2])];
  const map = code([one, other, choice, rest], { branches: branchesOf(0, 0, 0) });
  // The default is right for other values.
  check(map, ['y'], spectrum(map, '0', '1', '2', '2?!'), [choice, rest]);
  check(map, ['y'], spectrum(map, '0', '2', '2?!'), [other, choice, rest]);
});

test('when the event list is suspected, the one of a process comes first that had a part in what was wrong', () => {
  const [event, elsewhere, out] = [element('m. a <-', [], { kind: 'event', runs: 'clocked' }), element('m. b <-', [], { kind: 'event', runs: 'clocked' }), element('m. y <- a b')];
  const map = code([event, elsewhere, out]);
  check(map, ['y'], undefined, [event, elsewhere, out], true);
});

test('a label is not suspected where the choice is by a state, which does not come to the arm for want of another', () => {
  const gap = { lacks: 'arm', chooser: 's', labels: [], arms: [0, 1] } as const;
  const [one, other] = [element('m. y <- s', [0], { kind: 'condition' }), element('m. y <- s', [1], { kind: 'condition' })];
  const [choice, state] = [element('m. y <- s', [2], { kind: 'condition', gap }), element('m. s <- a', [3], { runs: 'clocked' })];
  const map = code([one, other, choice, state], { branches: branchesOf(0, 0, 0, 1) });
  check(map, ['y'], spectrum(map, '03', '03', '23!'), [choice, state]);
});
