import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock, Reset } from '../../../../server/src/analysis/module.ts';
import { layOut, type Layout } from '../../../../server/src/verification/stimulus/layout.ts';
import { fieldText, rowBit, type Rows } from '../../../../server/src/verification/stimulus/rows.ts';
import { deepStimulus, exhaustiveStimulus, randomStimulus, repeatingStimulus, serialStimulus, settingsStimulus, trialStimulus, type Stimulus } from '../../../../server/src/verification/stimulus/stimulus.ts';
import { sizedPorts } from '../designs.ts';

const posedge = (port: string): Clock => ({ port, bit: undefined, edges: ['posedge'] });

function stimulusFor(header: string, options: { clocks?: Clock[]; resets?: Reset[]; seed?: number; rows?: number } = {}): { layout: Layout; stimulus: Stimulus } {
  const clocks = options.clocks ?? [];
  const layout = layOut(sizedPorts(header), { clocks });
  const stimulus = randomStimulus({
    layout,
    clocks,
    resets: options.resets ?? [],
    constants: [{ value: 0xbeefn, width: 16 }],
    seed: options.seed ?? 1,
    rows: options.rows ?? 2000,
    longestEpisode: 64,
  });
  return { layout, stimulus };
}

function bitOf(layout: Layout, port: string): number {
  const field = layout.fields.find((candidate) => candidate.port === port);
  assert.ok(field);
  return field.offset;
}

function levels({ layout, stimulus }: ReturnType<typeof stimulusFor>, port: string): (0 | 1)[] {
  const position = bitOf(layout, port);
  return Array.from({ length: stimulus.rows.count }, (_, row) => rowBit(stimulus.rows, row, position));
}

test('every combination of few inputs is applied, in two orders', () => {
  const layout = layOut(sizedPorts('input [2:0] a, input b, output y'), { clocks: [] });
  const { rows, exhaustive } = exhaustiveStimulus(layout, 1);
  assert.equal(exhaustive, true);
  assert.equal(rows.count, 32);
  const values = Array.from(rows.bytes);
  assert.deepEqual(values.slice(0, 16), Array.from({ length: 16 }, (_, value) => value));
  assert.deepEqual(values.slice(16).sort((a, b) => a - b), values.slice(0, 16));
  assert.notDeepEqual(values.slice(16), values.slice(0, 16));
});

test('the same seed gives the same bytes, another seed gives others', () => {
  const make = (seed: number): Uint8Array => stimulusFor('input clk, input [15:0] d, output q', { clocks: [posedge('clk')], seed }).stimulus.rows.bytes;
  assert.deepEqual(make(7), make(7));
  assert.notDeepEqual(make(7), make(8));
});

test('a reset is asserted from the first row until outputs are compared, and again in mid-flight', () => {
  for (const active of ['high', 'low'] as const) {
    const made = stimulusFor('input clk, input rst, input d, output q', {
      clocks: [posedge('clk')],
      resets: [{ port: 'rst', bit: undefined, active, kind: 'async' }],
    });
    const asserted = levels(made, 'rst').map((level) => (level === 1) === (active === 'high'));
    const clock = levels(made, 'clk');
    const { compareFrom } = made.stimulus;
    assert.ok(asserted.slice(0, compareFrom + 1).every(Boolean));
    const edges = clock.slice(0, compareFrom).filter((level, row) => level === 1 && (row === 0 || clock[row - 1] === 0));
    assert.ok(edges.length >= 2, 'two active edges happen under reset');
    const later = asserted.slice(compareFrom);
    assert.ok(later.includes(false));
    assert.ok(later.slice(later.indexOf(false)).includes(true), 'the reset comes back');
  }
});

test('resets also change while no clock moves', () => {
  const made = stimulusFor('input clk, input rst, output q', { clocks: [posedge('clk')], resets: [{ port: 'rst', bit: undefined, active: 'high', kind: 'async' }] });
  const [reset, clock] = [levels(made, 'rst'), levels(made, 'clk')];
  assert.ok(reset.some((level, row) => row > 0 && level !== reset[row - 1] && clock[row] === clock[row - 1]));
});

test('of several clocks one moves in a row, at different ratios', () => {
  const made = stimulusFor('input a, input b, input d, output q', { clocks: [posedge('a'), posedge('b')], rows: 4000 });
  const [a, b] = [levels(made, 'a'), levels(made, 'b')];
  const moved = (clock: (0 | 1)[]): boolean[] => clock.map((level, row) => level !== (clock[row - 1] ?? 0));
  const [movedA, movedB] = [moved(a), moved(b)];
  assert.ok(movedA.every((move, row) => !(move && movedB[row] === true)));
  const longestRun = (moves: boolean[], others: boolean[]): number => {
    let longest = 0;
    let run = 0;
    moves.forEach((move, row) => {
      if (move) run++;
      else if (others[row] === true) run = 0;
      longest = Math.max(longest, run);
    });
    return longest;
  };
  assert.ok(longestRun(movedA, movedB) >= 3, 'a runs faster than b at times');
  assert.ok(longestRun(movedB, movedA) >= 3, 'b runs faster than a at times');
});

test('mined constants reach wide inputs and controls are held for long stretches', () => {
  const made = stimulusFor('input clk, input en, input [15:0] d, output q', { clocks: [posedge('clk')], rows: 6000 });
  const field = made.layout.fields.find(({ port }) => port === 'd');
  assert.ok(field);
  const values = Array.from({ length: made.stimulus.rows.count }, (_, row) => {
    let value = 0;
    for (let bit = 0; bit < 16; bit++) value |= rowBit(made.stimulus.rows, row, field.offset + bit) << bit;
    return value;
  });
  for (const wanted of [0xbeef, 0xbef0, 0xbeee, 0, 0xffff]) assert.ok(values.includes(wanted), `0x${wanted.toString(16)} is applied`);
  const enable = levels(made, 'en').join('');
  assert.match(enable, /1{40}/);
  assert.match(enable, /0{40}/);
});

test('of few values that wide inputs take at a time, what is written to one address meets what is written to another', () => {
  const layout = layOut(sizedPorts('input clk, input we, input [7:0] address, input [31:0] data, output q'), { clocks: [posedge('clk')] });
  const options = { layout, clocks: [posedge('clk')], resets: [], constants: [{ value: 0x10n, width: 8 }], seed: 1, rows: 6000, longestEpisode: 500 };
  const repeating = repeatingStimulus(options);
  assert.ok(repeating);
  const writes = (made: Stimulus): string[] => {
    const [address, data] = ['address', 'data'].map((port) => layout.fields.find((field) => field.port === port));
    assert.ok(address && data);
    return Array.from({ length: made.rows.count }, (_, row) => `${fieldText(made.rows, row, address)} ${fieldText(made.rows, row, data)}`);
  };
  const again = (all: string[]): number => {
    const changes = all.filter((pair, row) => pair !== all[row - 1]);
    return 1 - new Set(changes).size / changes.length;
  };
  const [few, any] = [again(writes(repeating)), again(writes(randomStimulus(options)))];
  assert.ok(few > 2 * any, `${String(few)} of the changes lead to a pair of values that was there before, and ${String(any)} in other stimulus`);
  assert.ok(writes(repeating).some((write) => /^00010000 0{28}/.test(write)), 'a small number goes to an address that the source names');
  assert.equal(repeatingStimulus({ ...options, layout: layOut(sizedPorts('input clk, input d, output q'), { clocks: [posedge('clk')] }) }), undefined);
});

test('every setting of the inputs of one bit is held for its share of the rows', () => {
  const layout = layOut(sizedPorts('input clk, input rst, input a, input b, input c, input [7:0] d, output q'), { clocks: [posedge('clk')] });
  const resets: Reset[] = [{ port: 'rst', bit: undefined, active: 'high', kind: 'sync' }];
  const made = settingsStimulus({ layout, clocks: [posedge('clk')], resets, constants: [], seed: 1, rows: 8000, longestEpisode: 64 });
  assert.ok(made);
  const columns = ['a', 'b', 'c'].map((port) => levels({ layout, stimulus: made }, port));
  const settings = Array.from({ length: made.rows.count }, (_, row) => columns.map((column) => column[row]).join(''));
  const held = new Map<string, number>();
  for (let row = 0, since = 0; row <= settings.length; row++) {
    if (settings[row] === settings[since]) continue;
    const setting = settings[since] ?? '';
    held.set(setting, Math.max(held.get(setting) ?? 0, row - since));
    since = row;
  }
  assert.equal([...held.values()].filter((rows) => rows >= 990).length, 8);
  assert.equal(settingsStimulus({ layout: layOut(sizedPorts('input clk, input [1:0] d, output q'), { clocks: [posedge('clk')] }), clocks: [posedge('clk')], resets: [], constants: [], seed: 1, rows: 8000, longestEpisode: 64 }), undefined);
});

test('a deep stimulus holds the inputs of one trial while the clocks run, and ends with a reset between two edges', () => {
  const layout = layOut(sizedPorts('input clk, input rst, input en, input [3:0] d, output q'), { clocks: [posedge('clk')] });
  const resets: Reset[] = [{ port: 'rst', bit: undefined, active: 'high', kind: 'sync' }];
  const options = { layout, clocks: [posedge('clk')], resets, constants: [], seed: 5, rows: 500, longestEpisode: 64 };
  const trials = trialStimulus(options);
  const data = layout.fields.filter(({ role, port }) => role === 'data' && port !== 'rst');
  const inputs = (rows: Rows, row: number): string => data.map((field) => fieldText(rows, row, field)).join(' ');
  const heldInTrial = new Set<string>();
  for (let trial = 0; trial < 8; trial++) {
    const first = trials.from + trial * trials.rowsPerTrial;
    for (let row = first; row < first + trials.rowsPerTrial; row++) assert.equal(inputs(trials.rows, row), inputs(trials.rows, first));
    heldInTrial.add(inputs(trials.rows, first));
    const { rows, compareFrom } = deepStimulus(options, trials, trial);
    const at = (row: number, port: string): 0 | 1 => rowBit(rows, row, bitOf(layout, port));
    assert.deepEqual([at(499, 'rst'), at(500, 'rst'), at(501, 'rst')], [0, 1, 0]);
    assert.deepEqual([at(500, 'clk'), at(501, 'clk')], [at(499, 'clk'), at(499, 'clk')]);
    for (let row = compareFrom + 10; row < 500; row++) {
      assert.equal(inputs(rows, row), inputs(trials.rows, first));
      assert.notEqual(rowBit(rows, row, bitOf(layout, 'clk')), rowBit(rows, row - 1, bitOf(layout, 'clk')));
      assert.equal(rowBit(rows, row, bitOf(layout, 'rst')), 0);
    }
  }
  assert.ok(heldInTrial.size > 3, 'the trials differ');
});

/** Lengths of the stretches between two changes of a port, in active clock edges. */
function stretches(made: ReturnType<typeof stimulusFor>, port: string): number[] {
  const bits = levels(made, port);
  const changes = bits.flatMap((level, row) => (row > 0 && level !== bits[row - 1] ? [row] : []));
  return changes.slice(1).map((row, index) => Math.round((row - (changes[index] ?? 0)) / 2));
}

test('serial inputs also go at the pace that a large constant of the source names', () => {
  const clocks = [posedge('clk')];
  const layout = layOut(sizedPorts('input clk, input rst, input rxd, output q'), { clocks });
  const options = { layout, clocks, resets: [{ port: 'rst', bit: undefined, active: 'high', kind: 'sync' } as const], seed: 1, rows: 60_000, longestEpisode: 64 };
  const stimulus = serialStimulus({ ...options, constants: [{ value: 433n, width: 16 }, { value: 3n, width: 2 }] });
  assert.ok(stimulus);
  const lengths = stretches({ layout, stimulus }, 'rxd');
  const atPace = lengths.filter((length) => length % 434 <= 8 || length % 433 <= 8);
  assert.ok(atPace.length > 20 && atPace.length > lengths.length / 4, `${String(atPace.length)} of ${String(lengths.length)}`);
  assert.equal(serialStimulus({ ...options, constants: [{ value: 3n, width: 2 }] }), undefined);
  assert.equal(serialStimulus({ ...options, constants: [{ value: 1n << 40n, width: 64 }] }), undefined);
});

test('some serial episodes keep each bit for several cycles', () => {
  const clocks = [posedge('clk')];
  const layout = layOut(sizedPorts('input clk, input rxd, output q'), { clocks });
  const stimulus = randomStimulus({ layout, clocks, resets: [], constants: [{ value: 15n, width: 4 }], seed: 1, rows: 30_000, longestEpisode: 6000 });
  const lengths = stretches({ layout, stimulus }, 'rxd');
  for (let from = 0; from + 12 <= lengths.length; from++) {
    const window = lengths.slice(from, from + 12);
    if (window.every((length) => length % 16 === 0)) return;
  }
  assert.fail('no frame of twelve changes, each a multiple of 16 cycles apart');
});

test('serial transfers: one input strobes, another moves behind it and, seldom, in between; words of the source are sent', () => {
  const clocks = [posedge('clk')];
  const layout = layOut(sizedPorts('input clk, input scl, input sda, output q'), { clocks });
  const options = { layout, clocks, resets: [], seed: 1, rows: 100_000, longestEpisode: 64 };
  const stimulus = serialStimulus({ ...options, constants: [{ value: 0x84n, width: 8 }] });
  assert.ok(stimulus);
  const [scl, sda] = [levels({ layout, stimulus }, 'scl'), levels({ layout, stimulus }, 'sda')];
  // An address behind a start condition: what a receiver shifts in at the rising edges.
  let [started, bits, seen] = [false, '', 0];
  for (let row = 1; row < scl.length; row++) {
    if (scl[row] === 1 && scl[row - 1] === 1 && sda[row] !== sda[row - 1]) [started, bits] = [sda[row] === 0, ''];
    else if (started && scl[row] === 1 && scl[row - 1] === 0) bits += String(sda[row]);
    if (bits === '10000100') seen++;
  }
  assert.ok(seen >= 5, String(seen));
});
