import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Drive, Line } from '../../../../server/src/verification/lanes/drive.ts';
import { BAD, LANES, Machine, SEEN, WORDS } from '../../../../server/src/verification/lanes/machine.ts';
import { Paths, type Path, type Segment } from '../../../../server/src/verification/lanes/paths.ts';
import { linesOf, rowsOf } from '../../../../server/src/verification/lanes/ports.ts';
import { walkStates, type WalkEnd } from '../../../../server/src/verification/lanes/walk.ts';
import { shortened } from '../../../../server/src/verification/lanes/shorten.ts';
import { Aig, not, TRUE, type Literal } from '../../../../server/src/verification/proof/aig.ts';
import { Random } from '../../../../server/src/verification/stimulus/random.ts';
import { layOut } from '../../../../server/src/verification/stimulus/layout.ts';
import { rowBit } from '../../../../server/src/verification/stimulus/rows.ts';

async function machineFor(aig: Aig, bad: Literal, marks: readonly Literal[] = []): Promise<Machine> {
  const machine = await Machine.of({ aig, bad, marks });
  assert.ok(machine !== undefined);
  return machine;
}

test('a compiled graph computes in each word what the graph computes', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const aig = new Aig();
    const inputs = Array.from({ length: 4 }, () => aig.input());
    const latches = Array.from({ length: 6 }, () => aig.latch());
    const nodes: Literal[] = [...inputs, ...latches.map(({ value }) => value)];
    const draw = (): Literal => (nodes[random.below(nodes.length)] ?? 0) ^ random.below(2);
    for (let node = 0; node < 60; node++) nodes.push(random.chance(0.5) ? aig.and(draw(), draw()) : aig.xor(draw(), draw()));
    for (const { setNext } of latches) setNext(draw());
    const bad = draw();
    const machine = await machineFor(aig, bad);
    const plain = aig.simulator();
    for (let step = 0; step < 40; step++) {
      for (const input of inputs) {
        const word = random.uint32() | 0;
        plain.set(input, word);
        machine.memory.fill(word, machine.wordOf(input >> 1) ?? 0, (machine.wordOf(input >> 1) ?? -WORDS) + WORDS);
      }
      plain.settle();
      const said = machine.step();
      for (let word = 0; word < WORDS; word++) assert.equal(machine.bad(word), plain.read(bad), `seed ${String(seed)}, step ${String(step)}`);
      assert.equal(said & BAD, plain.read(bad) === 0 ? 0 : BAD);
      plain.advance();
    }
  }
});

/** A counter of steps in which an input is 1, begun anew where it is 0, and what says that it holds a number. */
function counting(bits: number, number: number): { readonly aig: Aig; readonly input: Literal; readonly isThere: Literal } {
  const aig = new Aig();
  const input = aig.input();
  const counter = Array.from({ length: bits }, () => aig.latch());
  let carry = TRUE;
  let isThere = TRUE;
  counter.forEach(({ value, setNext }, bit) => {
    setNext(aig.and(input, aig.xor(value, carry)));
    carry = aig.and(carry, value);
    isThere = aig.and(isThere, ((number >> bit) & 1) === 1 ? value : not(value));
  });
  return { aig, input, isThere };
}

test('what is watched is told in the step in which it comes, with the states before', async () => {
  const { aig, input, isThere } = counting(4, 9);
  const machine = await machineFor(aig, isThere, [isThere]);
  machine.watch([isThere]);
  const at = machine.wordOf(input >> 1) ?? 0;
  machine.memory[at + 2] = 1 << 7;
  for (let step = 0; step < 9; step++) assert.equal(machine.step(), 0);
  assert.equal(machine.step(), BAD | SEEN);
  assert.deepEqual([0, 1, 2, 3].map((word) => machine.bad(word)), [0, 0, 1 << 7, 0]);
  assert.deepEqual([...machine.latchesOf(2 * 32 + 7, 1)], [1, 0, 0, 1]);
  assert.deepEqual([...machine.latchesOf(2 * 32 + 7, 3)], [1, 1, 1, 0]);
  assert.equal(machine.inputOf(2 * 32 + 7, 3, at), 1);
  assert.deepEqual([...machine.latchesOf(0, 1)], [0, 0, 0, 0]);
});

test('only the tail that leads to a difference is left, behind the head', async () => {
  const { aig, input, isThere } = counting(6, 40);
  const machine = await machineFor(aig, isThere);
  const frames = Uint8Array.from({ length: 3000 }, (_, step) => (step < 2900 ? Number(step % 7 < 3) : 1));
  const left = shortened({ frames: frames.subarray(0, 2941), inputs: 1, head: 4 }, machine, Int32Array.of(machine.wordOf(input >> 1) ?? -1));
  assert.deepEqual([...left.subarray(0, 4)], [...frames.subarray(0, 4)]);
  assert.ok(left.length >= 4 + 37 && left.length < 4 + 50, String(left.length));
  assert.ok(left.subarray(4).every((value) => value === 1));
});

const single: readonly Line[] = [{ role: 'data', bits: [0], active: 1 }];

test('a walk goes to every state, finds the shortest way, and tells whether there is another state', async () => {
  const { aig, input, isThere } = counting(6, 40);
  const machine = await machineFor(aig, isThere);
  const ways: number[][] = [];
  const walk = (mostSteps: number, ends: boolean): Promise<WalkEnd> =>
    walkStates({ machine, lines: single, places: Int32Array.of(machine.wordOf(input >> 1) ?? -1), free: [], headSteps: 0, mostSteps, shows: (frames) => Promise.resolve(ways.push([...frames]) > 0 && ends) });
  assert.deepEqual(await walk(1000, false), { kind: 'complete', steps: 64 });
  assert.deepEqual(ways.map((way) => [way.length, way.slice(0, -1).every((value) => value === 1)]), [[41, true]]);
  assert.deepEqual(await walk(30, false), { kind: 'left', steps: 31 });
  assert.equal((await walk(1000, true)).kind, 'left');
});

test('a walk leaves a graph with many inputs', async () => {
  const aig = new Aig();
  const inputs = Array.from({ length: 16 }, () => aig.input());
  const { value, setNext } = aig.latch();
  setNext(inputs.reduce((all, each) => aig.xor(all, each)));
  const machine = await machineFor(aig, value);
  const wide: Line[] = [{ role: 'data', bits: inputs.map((_, index) => index), active: 1 }];
  const end = await walkStates({ machine, lines: wide, places: Int32Array.from(inputs, (each) => machine.wordOf(each >> 1) ?? -1), free: [], headSteps: 0, mostSteps: 1000, shows: () => Promise.resolve(true) });
  assert.deepEqual(end, { kind: 'left', steps: 0 });
});

const lines: readonly Line[] = [
  { role: 'reset', bits: [0], active: 0 },
  { role: 'data', bits: [1, 2, 3, 4, 5], active: 1 },
  { role: 'data', bits: [6], active: 1 },
  { role: 'clock', bits: [7], active: 1 },
  { role: 'clock', bits: [8], active: 1 },
];

test('the inputs on a path are drawn again as they were', () => {
  const paths = new Paths({ lines, constants: [9n, 40n], inputs: 9 });
  const memory = new Int32Array(9 * WORDS);
  const places = Int32Array.from({ length: 9 }, (_, input) => input * WORDS);
  const seen: number[][][] = Array.from({ length: LANES }, () => []);
  let origins: (Path | undefined)[] = new Array<undefined>(LANES).fill(undefined);
  for (const [seed, kind] of (['mixed', 'near', 'far', 'near', 'mixed'] as const).entries()) {
    const segment: Segment = { plan: { kind, steps: 150 + seed, seed, fresh: 0x0f0f0f0f }, origins };
    const drives: Drive[] = Array.from({ length: WORDS }, (_, word) => paths.drive(segment, word, memory, places));
    for (let step = 0; step < segment.plan.steps; step++) {
      drives.forEach((drive) => {
        drive.step(step);
      });
      seen.forEach((steps, lane) => steps.push(Array.from(places, (place) => ((memory[place + (lane >> 5)] ?? 0) >>> (lane & 31)) & 1)));
    }
    origins = origins.map((_, lane) => paths.path(segment, lane, segment.plan.steps));
  }
  for (const lane of [0, 31, 45, 127]) {
    const path = origins[lane];
    assert.ok(path !== undefined);
    assert.deepEqual([...paths.frames(path)], seen[lane]?.flat());
  }
  const steps = seen[3] ?? [];
  assert.ok(steps.slice(0, paths.headSteps).every(([reset]) => reset === 0), 'the reset comes first');
  assert.ok(steps.every((inputs) => (inputs[7] ?? 0) + (inputs[8] ?? 0) <= 1), 'clocks move one at a time');
});

test('far away, any two of the lines of one bit turn in some lane while the others stay', () => {
  const singles: Line[] = [0, 1, 2, 3].map((bit) => ({ role: 'data', bits: [bit], active: 1 }));
  const paths = new Paths({ lines: singles, constants: [], inputs: 4 });
  const memory = new Int32Array(4 * WORDS);
  const found = new Set<string>();
  for (let seed = 0; seed < 4; seed++) {
    const segment: Segment = { plan: { kind: 'far', steps: 64, seed, fresh: -1 }, origins: new Array<undefined>(LANES).fill(undefined) };
    const drive = paths.drive(segment, 1, memory, Int32Array.of(0, WORDS, 2 * WORDS, 3 * WORDS));
    const steps = Array.from({ length: 64 }, (_, step) => {
      drive.step(step);
      return singles.map((_line, input) => memory[input * WORDS + 1] ?? 0);
    });
    for (let lane = 0; lane < 32; lane++) {
      const moving = singles.flatMap((_, input) => (new Set(steps.map((words) => ((words[input] ?? 0) >>> lane) & 1)).size > 1 ? [input] : []));
      if (moving.length === 2) found.add(moving.join());
    }
  }
  assert.deepEqual([...found].sort(), ['0,1', '0,2', '0,3', '1,2', '1,3', '2,3']);
});

test('a clock with one active edge comes back in a row of its own', () => {
  const port = (name: string, direction: 'input' | 'output', width: number) => ({ name, direction, width, packed: [], unpacked: [], signed: false, location: { file: '/m.v', span: { start: 0, end: 0 } } });
  const layout = layOut([port('clk', 'input', 1), port('d', 'input', 2), port('q', 'output', 1)], { clocks: [{ port: 'clk', bit: undefined, edges: ['negedge'] }] });
  const inputs = [{ port: 'd', index: 1 }, { port: 'd', index: 0 }, { port: 'clk', index: 0 }].map((bit) => ({ ...bit, value: 0, moves: 0 }));
  assert.deepEqual(linesOf(inputs, layout, []).map(({ role, bits }) => [role, bits]), [['data', [0, 1]], ['clock', [2]]]);
  const rows = rowsOf(Uint8Array.of(1, 0, 1, 0, 1, 0, 0, 1, 1), inputs, layout, true);
  const [clk, d] = ['clk', 'd'].map((name) => layout.fields.find((field) => field.port === name)?.offset ?? 0) as [number, number];
  const read = Array.from({ length: rows.count }, (_, row) => [rowBit(rows, row, d + 1), rowBit(rows, row, d), rowBit(rows, row, clk)].join(''));
  assert.deepEqual(read, ['100', '101', '011', '011', '010', '011']);
});
