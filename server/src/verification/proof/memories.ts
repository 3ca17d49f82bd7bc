/** Accesses to memories with addresses that may lie beyond them: nothing is written there and what is read is unknown (IEEE 1800, 7.4.5), but Yosys drops the high bits. */
import { afterGroup, isPlainName, tokenize, type Token } from './tokens.ts';

/** Names that something declares as an array of words; may hold others as well. */
export function memoryNames(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  tokens.forEach((token, at) => {
    if (!isPlainName(token) || tokens[at + 1]?.text !== '[') return;
    const before = tokens[at - 1];
    // A name that a range or a size follows, behind a type or a packed range, or in a list, is declared so.
    if ((before?.kind === 'name' || [']', ',', '}'].includes(before?.text ?? '')) && [';', ',', '=', '[', ')'].includes(tokens[afterGroup(tokens, at + 1)]?.text ?? '')) names.add(token.text);
  });
  // Such a name may be that of a type, and then what has the type is an array too.
  for (let before = -1; before < names.size; ) {
    before = names.size;
    tokens.forEach((token, at) => {
      if (names.has(token.text) && tokens[at - 1]?.text !== '.') for (const name of listBehind(tokens, groupsAt(tokens, at).at(-1)?.end ?? at + 1)) names.add(name);
    });
  }
  return names;
}

/** The names of a list of declarations, where one begins here. */
export function listBehind(tokens: readonly Token[], from: number): string[] {
  const names: string[] = [];
  for (let at = from; ; at++) {
    const name = tokens[at];
    if (name === undefined || !isPlainName(name)) return names;
    names.push(name.text);
    while (at < tokens.length && ![',', ';', ')'].includes(tokens[at]?.text ?? '')) at = ['(', '[', '{'].includes(tokens[at]?.text ?? '') ? afterGroup(tokens, at) : at + 1;
    if (tokens[at]?.text !== ',') return names;
  }
}

/** Tokens from a bracket to the one behind its partner. */
export interface Group {
  readonly start: number;
  readonly end: number;
}

/** What stands in brackets behind a name. */
export function groupsAt(tokens: readonly Token[], name: number): Group[] {
  const groups: Group[] = [];
  for (let start = name + 1; tokens[start]?.text === '['; start = groups.at(-1)?.end ?? tokens.length) groups.push({ start, end: afterGroup(tokens, start) });
  return groups;
}

/** The tokens from `from` on, before `to`, that stand in no inner group. */
export function outerTokens(tokens: readonly Token[], from: number, to: number): { readonly text: string; readonly at: number }[] {
  const outer: { readonly text: string; readonly at: number }[] = [];
  for (let at = from; at < to; at++) {
    const text = tokens[at]?.text ?? '';
    outer.push({ text, at });
    if (['(', '[', '{'].includes(text)) at = afterGroup(tokens, at) - 1;
  }
  return outer;
}

/** How the arrays of words are accessed: with plain numbers only, with others in one dimension, or in several, of which each may be missed alone. */
export function memoryAccess(text: string): 'plain' | 'variable' | 'several' {
  const tokens = tokenize(text);
  const names = memoryNames(tokens);
  let access: 'plain' | 'variable' = 'plain';
  for (const [at, token] of tokens.entries()) {
    if (!names.has(token.text)) continue;
    const groups = groupsAt(tokens, at);
    const ranges = groups.filter(({ start, end }) => {
      const outer = outerTokens(tokens, start + 1, end - 1).map(({ text: word }) => word);
      return outer.includes(':') && !outer.includes('?');
    });
    if (ranges.length > 1 || (ranges.length === 0 && groups.length > 1 && isSized(tokens, at, groups))) return 'several';
    const [first] = groups;
    if (first !== undefined && ranges[0] !== first && !(first.end === first.start + 3 && tokens[first.start + 1]?.kind === 'number')) access = 'variable';
  }
  return access;
}

/** A declaration by sizes. */
function isSized(tokens: readonly Token[], name: number, groups: readonly Group[]): boolean {
  const before = tokens[name - 1];
  return (before?.kind === 'name' || [']', ','].includes(before?.text ?? '')) && [';', ',', '='].includes(tokens[groups.at(-1)?.end ?? 0]?.text ?? '');
}

interface Memory {
  readonly name: string;
  /** Words, and the index of the first. */
  readonly size: number;
  readonly offset: number;
}

/** The first memory, in the RTLIL of a design whose memories are whole, that some address may miss; undefined when none can. */
export function missedMemory(rtlil: string): string | undefined {
  for (const module of rtlil.split(/^end$/m)) {
    const memories = new Map<string, Memory>();
    for (const [, size, offset = '0', id = ''] of module.matchAll(/^ {2}memory width \d+ size (\d+)(?: offset (-?\d+))? (\S+)$/gm)) {
      memories.set(id, { name: id.replace(/^\\/, ''), size: Number(size), offset: Number(offset) });
    }
    if (memories.size === 0) continue;
    const wires = new Map<string, Wire>();
    for (const [, flags = '', id = ''] of module.matchAll(/^ {2}wire (.*?)(\S+)$/gm)) wires.set(id, { width: Number(/width (\d+)/.exec(flags)?.[1] ?? 1), signed: / signed /.test(` ${flags}`) });
    for (const { id, address } of accesses(module)) {
      const memory = memories.get(id);
      if (memory !== undefined && mayMiss(memory, address, wires)) return memory.name;
    }
  }
  return undefined;
}

interface Wire {
  readonly width: number;
  readonly signed: boolean;
}

interface Access {
  readonly id: string;
  /** As RTLIL writes a signal. */
  readonly address: string;
}

function accesses(module: string): Access[] {
  const reads = [...module.matchAll(/^ {2}cell \$memrd\S* [\s\S]*?^ {2}end$/gm)].map(([cell]): Access => ({
    id: /parameter \\MEMID "(.*)"/.exec(cell)?.[1]?.replace(/^\\\\/, '\\') ?? '',
    address: /connect \\ADDR (.*)/.exec(cell)?.[1] ?? '',
  }));
  const writes = [...module.matchAll(/^ *memwr (\S+) (\{[^}]*\}|\S+(?: \[[\d:]+\])?) /gm)].map(([, id = '', address = '']): Access => ({ id, address }));
  return [...reads, ...writes];
}

function mayMiss({ size, offset }: Memory, address: string, wires: ReadonlyMap<string, Wire>): boolean {
  const constant = /^(?:\d+'([01]+)|(\d+))$/.exec(address);
  if (constant !== null) {
    const index = constant[1] === undefined ? Number(constant[2]) : Number.parseInt(constant[1], 2);
    return index < offset || index >= offset + size;
  }
  return offset !== 0 || wires.get(address)?.signed === true || widthOf(address, wires) > Math.ceil(Math.log2(size));
}

/** Bits of a signal that may be 1, up to the highest; infinite where that is not clear. */
function widthOf(signal: string, wires: ReadonlyMap<string, Wire>): number {
  let width = 0;
  for (const [part, bits, name, high, low] of signal.matchAll(/\d+'([01]+)|([^\s{}[][^\s{}]*)(?: \[(\d+)(?::(\d+))?\])?/g)) {
    if (bits !== undefined) width += width === 0 ? bits.replace(/^0+/, '').length : bits.length;
    else if (high !== undefined) width += Number(high) - Number(low ?? high) + 1;
    else width += wires.get(name ?? part)?.width ?? Infinity;
  }
  return width;
}
