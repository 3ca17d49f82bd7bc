import { MOST_CHANGES_BYTES } from '../harness/watch.ts';

/** Which way each bit of a net or variable changed in a run. */
export interface Toggled {
  /** From the instance on, one entry a scope. */
  readonly path: readonly string[];
  /** Per bit, least significant first: 1 = went from 0 to 1, 2 = from 1 to 0, 3 = both. */
  readonly bits: Uint8Array;
  /** Index of the least significant bit as declared, and the step to the next one. */
  readonly lowest: number;
  readonly step: 1 | -1;
}

/** What some stimulus reached in a golden. */
export interface Reach {
  /** Indexes of branches. */
  readonly taken: ReadonlySet<number>;
  /** By path, joined with dots. Undefined: the changes were too many to follow. */
  readonly toggles: ReadonlyMap<string, Toggled> | undefined;
}

/** Share of the rows in which a clock changes at least. */
const CLOCK_SHARE = 0.9;
const COUNTED_SCOPES = new Set(['module', 'begin', 'fork']);
const COUNTED_KINDS = new Set(['wire', 'reg', 'logic', 'tri', 'tri0', 'tri1', 'wand', 'wor']);

/**
 * Reads a value change dump (IEEE 1364, 18) whose outermost scope is the harness and the next its instance. Nets that are one
 * net, such as a port and what it is connected to, have one code there and count once. Loop counters (`integer`), real numbers,
 * parameters and the insides of functions do not count. Undefined when the dump reached its limit.
 */
export function readToggles(dump: Uint8Array, limit = MOST_CHANGES_BYTES): Toggled[] | undefined {
  if (dump.byteLength >= limit) return undefined;
  const text = Buffer.from(dump.buffer, dump.byteOffset, dump.byteLength).toString('latin1');
  const found = new Map<string, Toggled>();
  const headerEnd = readHeader(text, found);
  const values = new Map<string, string>();
  let from = headerEnd;
  while (from < text.length) {
    let end = text.indexOf('\n', from);
    if (end < 0) end = text.length;
    const first = text.charCodeAt(from);
    if (first === 98) {
      const space = text.indexOf(' ', from);
      change(text.slice(space + 1, end).trimEnd(), text.slice(from + 1, space), found, values);
    } else if (first !== 35 && first !== 36 && end > from) {
      change(text.slice(from + 1, end).trimEnd(), text.charAt(from), found, values);
    }
    from = end + 1;
  }
  return [...found.values()];
}

/**
 * How often nets and variables change in each row of the stimulus, from a dump that has the row counter of the harness. What
 * changes in nearly every row is a clock and does not count, nor do the named inputs. Undefined when the dump reached its limit.
 */
export function readActivity(dump: Uint8Array, rows: number, inputs: ReadonlySet<string>): number[] | undefined {
  if (dump.byteLength >= MOST_CHANGES_BYTES) return undefined;
  const text = Buffer.from(dump.buffer, dump.byteOffset, dump.byteLength).toString('latin1');
  const found = new Map<string, Toggled>();
  const from = readHeader(text, found);
  const counter = /\$var\s+integer\s+\d+\s+(\S+)\s+steps\s/.exec(text.slice(0, from))?.[1];
  if (counter === undefined) return undefined;
  const changes = new Map([...found].filter(([, { path }]) => path.length > 1 || !inputs.has(path[0] ?? '')).map(([code]) => [code, new Uint16Array(rows)]));
  let row = 0;
  for (const line of text.slice(from).split('\n')) {
    const isVector = line.startsWith('b');
    const space = line.indexOf(' ');
    const code = isVector ? line.slice(space + 1).trimEnd() : line.slice(1).trimEnd();
    if (code === counter) row = Number.parseInt(line.slice(1, space), 2) || 0;
    const own = changes.get(code);
    if (own !== undefined && row < rows) own[row] = (own[row] ?? 0) + 1;
  }
  const activity = new Array<number>(rows).fill(0);
  for (const own of changes.values()) {
    if (own.filter((count) => count > 0).length > rows * CLOCK_SHARE) continue;
    for (let at = 0; at < rows; at++) activity[at] = (activity[at] ?? 0) + (own[at] ?? 0);
  }
  return activity;
}

function readHeader(text: string, found: Map<string, Toggled>): number {
  const end = text.indexOf('$enddefinitions');
  const scopes: { readonly name: string; readonly counted: boolean }[] = [];
  for (const match of text.slice(0, Math.max(0, end)).matchAll(/\$scope\s+(\S+)\s+(\S+)\s+\$end|(\$upscope)\s+\$end|\$var\s+(\S+)\s+(\d+)\s+(\S+)\s+(\S+)(?:\s+\[(-?\d+):(-?\d+)\])?/g)) {
    const [, kind, name = '', up, type = '', width = '1', code = '', variable = '', left = '0', right = '0'] = match;
    if (up !== undefined) scopes.pop();
    else if (kind !== undefined) scopes.push({ name, counted: COUNTED_SCOPES.has(kind) });
    else if (COUNTED_KINDS.has(type) && scopes.every((scope) => scope.counted) && !found.has(code)) {
      found.set(code, { path: [...scopes.slice(2).map((scope) => scope.name), variable], bits: new Uint8Array(Number(width)), lowest: Number(right), step: Number(left) < Number(right) ? -1 : 1 });
    }
  }
  return end < 0 ? text.length : text.indexOf('\n', end) + 1;
}

function change(code: string, value: string, found: ReadonlyMap<string, Toggled>, values: Map<string, string>): void {
  const bits = found.get(code)?.bits;
  if (bits === undefined) return;
  const left = value.charAt(0);
  const full = value.length < bits.length ? value.padStart(bits.length, left === '1' ? '0' : left) : value;
  const before = values.get(code);
  values.set(code, full);
  if (before === undefined) return;
  for (let bit = 0; bit < bits.length; bit++) {
    const at = bits.length - 1 - bit;
    const was = before.charCodeAt(at);
    const is = full.charCodeAt(at);
    if (was === 48 && is === 49) bits[bit] = (bits[bit] ?? 0) | 1;
    else if (was === 49 && is === 48) bits[bit] = (bits[bit] ?? 0) | 2;
  }
}
