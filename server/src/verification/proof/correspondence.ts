/** Which register of one side may stand for which of the other. Any answer is right, since nothing rests on it but how soon a proof is found. */
import { isRegister } from './follow.ts';
import type { Bit, Netlist } from './netlist.ts';
import type { SideName } from './script.ts';

/** By a bit of a register: a text that two bits share when they held the same values under the same inputs, unknown ones included. */
export type Signatures = Readonly<Record<SideName, ReadonlyMap<Bit, string>>>;

/** Which registers stand for each other in one pair of netlists. All that asks about the pair shares what one question has found of it. */
export class Correspondence {
  readonly #golden: Netlist;
  readonly #dut: Netlist;
  readonly #signatures: () => Signatures | undefined;
  #pairs: ReadonlyMap<Bit, Bit> | undefined;
  #isRefined = false;

  /** `signatures` are asked for once, when names turn out to be wrong. */
  constructor(golden: Netlist, dut: Netlist, signatures: () => Signatures | undefined = () => undefined) {
    this.#golden = golden;
    this.#dut = dut;
    this.#signatures = signatures;
  }

  /** For bits of the golden's registers the bits of the DUT's. */
  get pairs(): ReadonlyMap<Bit, Bit> {
    return (this.#pairs ??= pairRegisters(this.#golden, this.#dut));
  }

  /** Pairs them by what they do from now on, where that can be told and is not done already. */
  refine(): boolean {
    if (this.#isRefined) return false;
    this.#isRefined = true;
    const signatures = this.#signatures();
    if (signatures !== undefined) this.#pairs = pairRegisters(this.#golden, this.#dut, signatures);
    return signatures !== undefined;
  }
}

/** A bit of a register, with its word. */
interface RegisterBit {
  readonly bit: Bit;
  readonly name: string | undefined;
  readonly word: readonly Bit[];
  readonly index: number;
  readonly signature: string | undefined;
}

/** What two bits must have in common; undefined where that says nothing of a bit. */
type Trait = (register: RegisterBit) => string | undefined;

/**
 * For bits of the golden's registers the bits of the DUT's. Without signatures: of the same name, and else in the same order among
 * those of the same width. With them, first: what did the same, of the same name or place in its word where there is a choice.
 */
function pairRegisters(golden: Netlist, dut: Netlist, signatures?: Signatures): Map<Bit, Bit> {
  const [own, others] = [registerBits(golden, signatures?.golden), registerBits(dut, signatures?.dut)];
  const pairs = new Map<Bit, Bit>();
  const taken = new Set<Bit>();
  const name: Trait = (register) => register.name;
  const place: Trait = ({ word, index }) => `${String(word.length)} ${String(index)}`;
  const same = (trait: Trait): Trait => (register) => {
    const [what, further] = [register.signature, trait(register)];
    return what === undefined || further === undefined ? undefined : `${what} ${further}`;
  };
  const isUndivided = ({ word }: RegisterBit, used: { readonly has: (bit: Bit) => boolean }): boolean => !word.some((bit) => used.has(bit));
  const pair = (trait: Trait, whole = false): void => {
    const left = grouped(others.filter((register) => (whole ? isUndivided(register, taken) : !taken.has(register.bit))), trait);
    for (const [key, bits] of grouped(own.filter((register) => (whole ? isUndivided(register, pairs) : !pairs.has(register.bit))), trait)) {
      bits.forEach((bit, at) => {
        const other = left.get(key)?.[at];
        if (other === undefined) return;
        pairs.set(bit, other);
        taken.add(other);
      });
    }
  };
  if (signatures !== undefined) for (const trait of [name, place, (): string => '']) pair(same(trait));
  pair(name);
  pair(place, true);
  return pairs;
}

function registerBits(netlist: Netlist, signatures: ReadonlyMap<Bit, string> | undefined): RegisterBit[] {
  const names = registerNames(netlist);
  return netlist.cells.filter(isRegister).flatMap(({ connections }) => {
    const word = connections['Q'] ?? [];
    return word.map((bit, index) => ({ bit, name: names.get(bit), word, index, signature: signatures?.get(bit) }));
  });
}

function grouped(registers: readonly RegisterBit[], trait: Trait): Map<string, Bit[]> {
  const groups = new Map<string, Bit[]>();
  for (const register of registers) {
    const key = trait(register);
    const known = key === undefined ? undefined : groups.get(key);
    if (known !== undefined) known.push(register.bit);
    else if (key !== undefined) groups.set(key, [register.bit]);
  }
  return groups;
}

/** The names that the user gave; one of them where a bit has several. */
function registerNames(netlist: Netlist): Map<Bit, string> {
  const names = new Map<Bit, string>();
  for (const [name, { hide_name: hidden, bits }] of Object.entries(netlist.netnames)) {
    if (hidden === 0) bits.forEach((bit, index) => names.set(bit, `${name}[${String(index)}]`));
  }
  return names;
}

/** All register bits that some path leads to from the given ones, themselves included. */
export function registersBehind(netlist: Netlist, from: Iterable<Bit>): Set<Bit> {
  const readers = new Map<Bit, Bit[]>();
  const registers = new Set<Bit>();
  for (const cell of netlist.cells) {
    const ends = Object.entries(cell.connections).flatMap(([port, bits]) => (cell.port_directions?.[port] === 'output' ? bits : []));
    if (isRegister(cell)) ends.forEach((bit) => registers.add(bit));
    for (const [port, bits] of Object.entries(cell.connections)) {
      if (cell.port_directions?.[port] !== 'output') for (const bit of bits) {
        const known = readers.get(bit);
        if (known === undefined) readers.set(bit, [...ends]);
        else known.push(...ends);
      }
    }
  }
  const reached = new Set<Bit>(from);
  const pending = [...reached];
  for (let bit = pending.pop(); bit !== undefined; bit = pending.pop()) {
    for (const next of readers.get(bit) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(next);
    }
  }
  return new Set([...reached].filter((bit) => registers.has(bit)));
}
