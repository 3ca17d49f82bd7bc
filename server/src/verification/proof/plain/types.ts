/** The types that a text declares, and the sizes of their parts as constant expressions. */
import { groupsAt, outerTokens } from '../memories.ts';
import { afterGroup, isPlainName, type Token } from '../tokens.ts';
import { textOf } from './structure.ts';

export interface Member {
  readonly name: string;
  readonly type: Type;
}

export interface Type {
  /** Undefined of what is no structure. */
  readonly members: readonly Member[] | undefined;
  /** Bits of one element, where there are packed dimensions in front of it. */
  readonly element: string;
  readonly signed: boolean;
  /** Packed dimensions, the outermost first. */
  readonly packed: readonly Bounds[];
}

/** Left and right bound of a dimension, as constant expressions. */
export interface Bounds {
  readonly left: string;
  readonly right: string;
}

export interface Declared {
  readonly type: Type;
  readonly unpacked: readonly Bounds[];
  /** Index of the name, and of its type. */
  readonly at: number;
  readonly typeAt: number;
}

const FIXED: Readonly<Record<string, string>> = { int: '32', integer: '32', byte: '8', shortint: '16', longint: '64' };
const VECTORS: ReadonlySet<string> = new Set(['logic', 'reg', 'bit', 'wire']);

/** Bits of a value of the type. */
export function widthOf({ element, packed }: Type): string {
  return product([...packed.map(lengthOf), element]);
}

export function product(factors: readonly string[]): string {
  const known = factors.filter((factor) => factor !== '1');
  return known.length === 0 ? '1' : known.length === 1 ? (known[0] ?? '1') : `(${known.join(' * ')})`;
}

export function sum(terms: readonly string[]): string {
  const known = terms.filter((term) => term !== '0');
  if (known.every((term) => /^\d+$/.test(term))) return String(known.reduce((total, term) => total + Number(term), 0));
  return `(${known.join(' + ')})`;
}

export const PLAIN = /^\d+$/;
const NUMBER = /^-?\d+$/;

/** Whether the index falls from left to right; undefined where that cannot be told. */
export function isDescending({ left, right }: Bounds): boolean | undefined {
  if (NUMBER.test(left) && NUMBER.test(right)) return Number(left) > Number(right);
  if (left.startsWith('-') || right.startsWith('-')) return undefined;
  return right === '0' ? true : left === '0' ? false : undefined;
}

/** How many elements a dimension has. */
export function lengthOf({ left, right }: Bounds): string {
  if (NUMBER.test(left) && NUMBER.test(right)) return String(Math.abs(Number(left) - Number(right)) + 1);
  if (right === '0' && !left.startsWith('-')) return `((${left}) + 1)`;
  return left === '0' && !right.startsWith('-') ? `((${right}) + 1)` : `((${left}) > (${right}) ? (${left}) - (${right}) + 1 : (${right}) - (${left}) + 1)`;
}

export class Types {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #named = new Map<string, Type | undefined>();
  readonly #declared = new Map<string, Declared[]>();

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
    for (const [at, { text: word }] of tokens.entries()) if (word === 'typedef') this.#define(at);
    for (let at = 0; at < tokens.length; at++) this.#declare(at);
  }

  /** What all declarations of a name agree on; undefined where it is not declared, or in several ways. */
  declared(name: string): Declared | undefined {
    const [first, ...others] = this.#declared.get(name) ?? [];
    return first !== undefined && others.every((other) => sameShape(first, other)) ? first : undefined;
  }

  /** The declaration whose name stands at an index. */
  at(index: number): Declared | undefined {
    return [...this.#declared.values()].flat().find(({ at }) => at === index);
  }

  /** The type of that name; undefined where it has none or several have it. */
  named(name: string): Type | undefined {
    return this.#named.get(name);
  }

  #define(at: number): void {
    const read = this.read(at + 1);
    const name = read && this.#tokens[read.end];
    if (read === undefined || name === undefined || this.#tokens[read.end + 1]?.text !== ';') return;
    // A package that is hoisted defines its types twice.
    const known = this.#named.get(name.text);
    this.#named.set(name.text, this.#named.has(name.text) && JSON.stringify(known) !== JSON.stringify(read.type) ? undefined : read.type);
  }

  #declare(at: number): void {
    const tokens = this.#tokens;
    const before = tokens[at - 1]?.text ?? ';';
    if (before === '.' || before === 'typedef' || (before === ':' && tokens[at - 2]?.text !== ':')) return;
    const read = this.read(at) ?? this.#implicit(at);
    if (read === undefined) return;
    for (let name = read.end; ; ) {
      const token = tokens[name];
      if (token === undefined || !isPlainName(token)) return;
      const groups = groupsAt(tokens, name);
      const behind = groups.at(-1)?.end ?? name + 1;
      if (![',', ';', '=', ')', '('].includes(tokens[behind]?.text ?? '')) return;
      const unpacked = groups.map(({ start, end }) => this.#bounds(start, end));
      this.#declared.set(token.text, [...(this.#declared.get(token.text) ?? []), { type: read.type, unpacked, at: name, typeAt: at }]);
      let next = behind;
      while (next < tokens.length && ![',', ';', ')'].includes(tokens[next]?.text ?? '')) next = ['(', '[', '{'].includes(tokens[next]?.text ?? '') ? afterGroup(tokens, next) : next + 1;
      if (tokens[next]?.text !== ',') return;
      name = next + 1;
    }
  }

  /** The type of a port or argument that says only its direction. */
  #implicit(at: number): { readonly type: Type; readonly end: number } | undefined {
    const tokens = this.#tokens;
    const sign = tokens[at + 1]?.text;
    if (!['input', 'output', 'inout'].includes(tokens[at]?.text ?? '') || this.read(at + 1) !== undefined) return undefined;
    return this.#ranged({ members: undefined, element: '1', signed: sign === 'signed', packed: [] }, sign === 'signed' || sign === 'unsigned' ? at + 2 : at + 1);
  }

  /** The type that stands from an index on. */
  read(at: number): { readonly type: Type; readonly end: number } | undefined {
    const tokens = this.#tokens;
    const word = tokens[at]?.text ?? '';
    if (word === 'struct') return this.#structure(at);
    if (word === 'enum') return this.#enumeration(at);
    if (Object.hasOwn(FIXED, word)) {
      const isSigned = tokens[at + 1]?.text !== 'unsigned';
      return this.#ranged({ members: undefined, element: FIXED[word] ?? '', signed: isSigned, packed: [] }, ['signed', 'unsigned'].includes(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1);
    }
    if (VECTORS.has(word)) {
      const sign = tokens[at + 1]?.text;
      return this.#ranged({ members: undefined, element: '1', signed: sign === 'signed', packed: [] }, sign === 'signed' || sign === 'unsigned' ? at + 2 : at + 1);
    }
    const type = this.#named.get(word);
    return type === undefined || tokens[at]?.kind !== 'name' ? undefined : this.#ranged(type, at + 1);
  }

  #ranged(type: Type, from: number): { readonly type: Type; readonly end: number } {
    const groups = groupsAt(this.#tokens, from - 1);
    const packed = groups.map(({ start, end }) => this.#bounds(start, end));
    return { type: { ...type, packed: [...packed, ...type.packed] }, end: groups.at(-1)?.end ?? from };
  }

  #bounds(start: number, end: number): Bounds {
    const colon = outerTokens(this.#tokens, start + 1, end - 1).find(({ text }) => text === ':')?.at;
    if (colon === undefined) {
      const size = textOf(this.#text, this.#tokens, start + 1, end - 1);
      return { left: '0', right: PLAIN.test(size) ? String(Number(size) - 1) : `(${size}) - 1` };
    }
    return { left: textOf(this.#text, this.#tokens, start + 1, colon), right: textOf(this.#text, this.#tokens, colon + 1, end - 1) };
  }

  #structure(at: number): { readonly type: Type; readonly end: number } | undefined {
    const tokens = this.#tokens;
    if (tokens[at + 1]?.text !== 'packed') return undefined;
    const sign = tokens[at + 2]?.text;
    const open = sign === 'signed' || sign === 'unsigned' ? at + 3 : at + 2;
    if (tokens[open]?.text !== '{') return undefined;
    const end = afterGroup(tokens, open);
    const members: Member[] = [];
    for (let item = open + 1; item < end - 1; ) {
      const read = this.read(item);
      if (read === undefined) return undefined;
      let name = read.end;
      for (; ; name += 2) {
        const token = tokens[name];
        if (token === undefined || !isPlainName(token) || ![',', ';'].includes(tokens[name + 1]?.text ?? '')) return undefined;
        members.push({ name: token.text, type: read.type });
        if (tokens[name + 1]?.text === ';') break;
      }
      item = name + 2;
    }
    return this.#ranged({ members, element: sum(members.map(({ type }) => widthOf(type))), signed: sign === 'signed', packed: [] }, end);
  }

  #enumeration(at: number): { readonly type: Type; readonly end: number } | undefined {
    const base = this.#tokens[at + 1]?.text === '{' ? undefined : this.read(at + 1);
    const open = base?.end ?? at + 1;
    if (this.#tokens[open]?.text !== '{') return undefined;
    return this.#ranged(base?.type ?? { members: undefined, element: '32', signed: true, packed: [] }, afterGroup(this.#tokens, open));
  }
}

function sameShape(a: Declared, b: Declared): boolean {
  return JSON.stringify([a.type, a.unpacked]) === JSON.stringify([b.type, b.unpacked]);
}
