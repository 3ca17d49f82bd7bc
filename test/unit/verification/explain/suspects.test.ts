import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Branch, CodeMap, Element } from '../../../../server/src/verification/coverage/code-map.ts';
import { rankSuspects, spectrumOf, type Spectrum } from '../../../../server/src/verification/explain/suspects.ts';

const location = { file: '/m.v', span: { start: 0, end: 1 } };

function element(text: string, branches: readonly number[] = [], kind: Element['kind'] = 'assignment'): Element {
  const [module = '', targets = '', reads = ''] = text.split(/\.|<-/).map((part) => part.trim());
  return { module, kind, location, targets: targets.split(' '), reads: reads.split(' ').filter(Boolean), branches };
}

function code(elements: readonly Element[], more: Partial<CodeMap> = {}): CodeMap {
  return { branches: [], elements, instances: [], comparisons: [], ports: new Map(), insertions: new Map(), complete: true, ...more };
}

/** Elements and the order in which they are suspected; those that are missing have no influence. */
function check(map: CodeMap, outputs: readonly string[], spectrum: Spectrum | undefined, expected: readonly Element[]): void {
  const ranked = rankSuspects({ code: map, top: 'm', outputs, spectrum, isEvent: false });
  assert.deepEqual(ranked.map((found) => found.element), expected);
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

test('what was active where differences began comes first, and a process that rests keeps its branches', () => {
  const [good, bad, always] = [element('m. y <- a', [0]), element('m. y <- b', [1]), element('m. y <- c')];
  const branches: Branch[] = [0, 1].map((process) => ({ what: '', location, process: process < 2 ? 0 : 1, isDefault: false, isResult: false, body: undefined }));
  const map = code([good, bad, always], { branches });
  // Branch 0 in the first step, 1 in the third; nothing runs in the second and the fourth.
  const spectrum = spectrumOf(map, new Uint32Array([1, 0, 2, 0, 0, 1]), 1, ['passes', 'passes', 'fails', 'fails', 'goes on', 'passes']);
  assert.deepEqual([spectrum.failed, spectrum.passed], [2, 3]);
  assert.deepEqual(spectrum.activity.get(bad), { failed: 2, passed: 0 });
  assert.deepEqual(spectrum.activity.get(good), { failed: 0, passed: 3 });
  check(map, ['y'], spectrum, [bad, always, good]);
});

test('a constant is suspected with the code that uses it', () => {
  const [declared, user, always] = [element('m. LIMIT', [], 'declaration'), element('m. y <- LIMIT', [0]), element('m. y <- c')];
  const map = code([declared, user, always], { branches: [{ what: '', location, process: 0, isDefault: false, isResult: false, body: undefined }] });
  check(map, ['y'], spectrumOf(map, new Uint32Array([0, 1]), 1, ['passes', 'fails']), [user, declared, always]);
});
