import { isFreeName } from '../../syntax/reserved-words.ts';
import { bitsOf, bitText, type BitRef, type KnownPort } from './table.ts';
import type { Cell, Problems } from './text.ts';

/** What is known of the interface before the table is read. */
export interface Names {
  readonly ports: readonly KnownPort[];
  /** Every port is listed, so that another name is a mistake. */
  readonly closed: boolean;
}

const RANGE = /^([A-Za-z_][\w$]*)\s*\[\s*(\d{1,4})\s*(?::\s*(\d{1,4})\s*)?\]$/;

/** Whether a word may head a column. */
export function isColumnName(text: string): boolean {
  return /^[A-Za-z_][\w$]*(?:\[\d+(?::\d+)?\])?$/.test(text);
}

/**
 * The bits that a column's heading names, leftmost first. `width` is the number of digits in the column, where it is known: with it a heading such as
 * `ab` over two digits is the bits `a` and `b`. A name that cannot be understood is added to the problems.
 */
export function resolveColumn(heading: Cell, width: number | undefined, names: Names, problems: Problems): BitRef[] | undefined {
  const found = known(heading.text, names) ?? (names.closed ? undefined : fresh(heading.text, width));
  if (found === undefined) {
    problems.add(heading, 'unknown-name', unknownMessage(heading.text, names));
    return undefined;
  }
  const reserved = found.find((bit) => !isFreeName(bit.port));
  if (reserved !== undefined) {
    problems.add(heading, 'reserved-name', `'${reserved.port}' is a word of the language and cannot name a port; rename the column.`);
    return undefined;
  }
  return found;
}

function unknownMessage(text: string, { ports, closed }: Names): string {
  if (!closed) return `'${text}' cannot name a port; a name begins with a letter, as in a, in[2] or sel[1:0].`;
  return `'${text}' is no port of the module; its ports are ${ports.map((port) => port.name).join(', ')}.`;
}

/** A name of the known interface. */
function known(text: string, names: Names): BitRef[] | undefined {
  const port = portNamed(text, names.ports);
  if (port !== undefined) return bitsOf(port);
  const ranged = RANGE.exec(text);
  if (ranged !== null) return knownRange(ranged, names.ports);
  const digits = /^(.*?)_?(\d+)$/.exec(text);
  const vector = portNamed(digits?.[1] ?? '', names.ports);
  const bit = vector === undefined || vector.range === undefined ? undefined : bitsOf(vector).find(({ index }) => index === Number(digits?.[2]));
  if (bit !== undefined) return [bit];
  if (!names.closed) return undefined;
  const letters = Array.from(text).map((letter) => portNamed(letter, names.ports));
  return letters.every((letter) => letter !== undefined && letter.range === undefined) ? letters.flatMap((letter) => (letter === undefined ? [] : bitsOf(letter))) : undefined;
}

function knownRange([, name = '', left = '', right]: RegExpExecArray, ports: readonly KnownPort[]): BitRef[] | undefined {
  const port = portNamed(name, ports);
  if (port === undefined) return undefined;
  const wanted = bitsOf({ name: port.name, range: { left: Number(left), right: Number(right ?? left) } });
  const own = new Set(bitsOf(port).map(bitText));
  if (wanted.every((bit) => own.has(bitText(bit)))) return wanted;
  // A scalar may be written as x[0].
  return wanted.length === 1 && port.range === undefined && Number(left) === 0 ? bitsOf(port) : undefined;
}

/** Exact first, then without regard to case where that is unambiguous. */
export function portNamed(name: string, ports: readonly KnownPort[]): KnownPort | undefined {
  const exact = ports.find((port) => port.name === name);
  if (exact !== undefined) return exact;
  const loose = ports.filter((port) => port.name.toLowerCase() === name.toLowerCase());
  return loose.length === 1 ? loose[0] : undefined;
}

/** A name that no interface lists. */
function fresh(text: string, width: number | undefined): BitRef[] | undefined {
  const ranged = RANGE.exec(text);
  if (ranged !== null) {
    const [, name = '', left = '', right] = ranged;
    return bitsOf({ name, range: { left: Number(left), right: Number(right ?? left) } });
  }
  if (!/^[A-Za-z_][\w$]*$/.test(text)) return undefined;
  if (width === undefined || width === 1) return [{ port: text, index: undefined }];
  if (text.length === width && areSuccessive(text)) return Array.from(text).map((port) => ({ port, index: undefined }));
  return bitsOf({ name: text, range: { left: width - 1, right: 0 } });
}

/** Letters that follow each other in the alphabet, such as `ab` or `WXYZ`, are names of their own. */
function areSuccessive(text: string): boolean {
  return /^[A-Za-z]+$/.test(text) && Array.from(text).every((letter, at) => at === 0 || letter.charCodeAt(0) === text.charCodeAt(at - 1) + 1);
}

/** The `count` variables that a label of a Karnaugh map names: `ab`, `x1x2`, `x[0]x[1]`, `a, b`, or a vector. */
export function resolveLabel(label: Cell, count: number, names: Names, problems: Problems): BitRef[] | undefined {
  const parts = splitLabel(label.text, count, names);
  if (parts === undefined) {
    problems.add(label, 'label-width', `'${label.text}' has to name ${count === 1 ? 'one variable' : `${count} variables`}, one for each digit of the codes.`);
    return undefined;
  }
  const bits = parts.map((text) => resolveColumn({ ...label, text }, parts.length === 1 ? count : 1, names, problems));
  if (bits.some((bit) => bit === undefined)) return undefined;
  const flat = bits.flatMap((bit) => bit ?? []);
  if (flat.length === count) return flat;
  problems.add(label, 'label-width', `'${label.text}' names ${flat.length} bits, but its codes have ${count} digits.`);
  return undefined;
}

function splitLabel(text: string, count: number, names: Names): string[] | undefined {
  const ways = [
    text.split(/[\s,]+/).filter((part) => part !== ''),
    text.match(/[A-Za-z_]\w*?(?:\[\d+\]|\d+(?=[A-Za-z]|$))/g) ?? [],
    Array.from(text.replace(/[\s,]+/g, '')),
  ];
  const whole = (parts: readonly string[]): boolean => parts.join('') === text.replace(/[\s,]+/g, '');
  const split = ways.find((parts) => parts.length === count && whole(parts) && parts.every(isColumnName));
  const single = isColumnName(text) && (count === 1 || !areSuccessive(text)) ? [text] : undefined;
  const port = portNamed(text, names.ports);
  return port?.range !== undefined ? [text] : (split ?? single);
}
