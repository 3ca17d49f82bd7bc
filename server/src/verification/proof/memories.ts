/** Accesses to memories with addresses that may lie beyond them: nothing is written there and what is read is unknown (IEEE 1800, 7.4.5), but Yosys drops the high bits. */
import { afterGroup, isPlainName, tokenize } from './tokens.ts';

/** Some array of words may be accessed with an index that is no plain number; a range belongs to a declaration, or to a word. */
export function mayMissMemory(text: string): boolean {
  const tokens = tokenize(text);
  const groups = tokens.flatMap((token, at) => (isPlainName(token) && tokens[at + 1]?.text === '[' ? [{ name: token.text, at, end: afterGroup(tokens, at + 1) }] : []));
  const isRange = ({ at, end }: (typeof groups)[number]): boolean => {
    let depth = 0;
    const outer = tokens.slice(at + 2, end - 1).filter(({ text: word }) => {
      if (word === ']' || word === ')' || word === '}') depth--;
      if (word === '[' || word === '(' || word === '{') depth++;
      return depth === 0;
    });
    return outer.some(({ text: word }) => word === ':') && !outer.some(({ text: word }) => word === '?');
  };
  // A name that a range or a size follows, behind a type or a packed range, or in a list, is declared so.
  const declared = new Set(groups.filter(({ at, end }) => (tokens[at - 1]?.kind === 'name' || [']', ','].includes(tokens[at - 1]?.text ?? '')) && [';', ',', '=', '[', ')'].includes(tokens[end]?.text ?? '')).map(({ name }) => name));
  return groups.some((group) => declared.has(group.name) && !isRange(group) && !(group.end === group.at + 4 && tokens[group.at + 2]?.kind === 'number'));
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
