import type { CodeMap } from '../coverage/code-map.ts';
import type { Influence } from './influence.ts';

/** Registers between a piece of code and a value beyond which its part in the value is no longer followed. */
const MOST_REGISTERS = 6;
/** No part. */
export const NONE = 255;
/** Rounds in which logic that feeds itself is followed. */
const MOST_ROUNDS = 8;

/** What ran in a sample. */
export interface Ran {
  /** Whether a branch was taken in it. */
  readonly took: (branch: number) => boolean;
  /** Clocks moved in it. */
  readonly clocked: boolean;
  /** Whether an element that stands for a missing arm has the value in question. */
  readonly isMissing: (element: number) => boolean;
}

/**
 * Which pieces of code have a part in the values that names have at the moment, and through how many registers: dynamic slices (Korel and Laski 1988), carried on
 * from one sample to the next. A process that does not run keeps the branches of its last run, a variable that is not assigned what had a part in it before.
 */
export class Slices {
  readonly #influence: Influence;
  readonly #processOf: readonly number[];
  readonly #processes: readonly (readonly number[])[];
  readonly #active: Uint8Array;
  readonly #registers: readonly number[];
  /** Names whose values follow at once from others, in an order in which most are met behind those. */
  readonly #wires: readonly number[];
  readonly #parts: Uint8Array[];
  #samples = 0;

  /** `names`: those that are followed. */
  constructor({ branches, elements }: CodeMap, influence: Influence, names: ReadonlySet<number>) {
    this.#influence = influence;
    const byProcess = new Map<number, number[]>();
    for (const [branch, { process }] of branches.entries()) byProcess.set(process, [...(byProcess.get(process) ?? []), branch]);
    this.#processes = [...byProcess.values()];
    const order = [...byProcess.keys()];
    this.#processOf = branches.map(({ process }) => order.indexOf(process));
    this.#active = new Uint8Array(branches.length);
    const isRegister = (name: number): boolean => influence.drivers(name).some((element) => elements[element]?.runs === 'clocked');
    this.#registers = [...names].filter(isRegister);
    this.#wires = inOrder([...names].filter((name) => !isRegister(name)), influence);
    this.#parts = [];
    for (const name of names) this.#parts[name] = new Uint8Array(elements.length).fill(NONE);
  }

  /** Of each element, by its index: registers between it and a name, or `NONE`. */
  of(name: number): Uint8Array {
    return this.#parts[name] ?? new Uint8Array(this.#influence.elements.length).fill(NONE);
  }

  /** Goes on by a sample. */
  advance(ran: Ran): void {
    const running = this.#processes.map((own) => own.some((branch) => ran.took(branch)));
    for (const [process, own] of this.#processes.entries()) if (running[process] === true) for (const branch of own) this.#active[branch] = ran.took(branch) ? 1 : 0;
    const isActive = (element: number): boolean => {
      const { branches = [], gap } = this.#influence.elements[element] ?? {};
      return (branches.length === 0 || branches.some((branch) => this.#active[branch] === 1)) && (gap?.lacks !== 'default' || ran.isMissing(element));
    };
    const isRunning = (element: number): boolean => {
      const { branches: [first] = [], runs } = this.#influence.elements[element] ?? {};
      if (runs === 'once') return this.#samples === 0;
      return first === undefined ? runs === 'settled' || ran.clocked : running[this.#processOf[first] ?? -1] === true;
    };
    const updates = this.#registers.flatMap((name) => this.#updated(name, (element) => isRunning(element) && isActive(element)) ?? []);
    for (const { name, parts } of updates) {
      this.#parts[name] = parts;
      for (const other of this.#influence.connected(name)) this.#join(parts, this.of(other), 0);
    }
    this.#settle(isActive);
    this.#samples++;
  }

  /** What a register has a part from after a run of its processes; undefined when none ran. */
  #updated(name: number, runs: (element: number) => boolean): { readonly name: number; readonly parts: Uint8Array } | undefined {
    const drivers = this.#influence.drivers(name);
    const kindOf = (element: number): string | undefined => this.#influence.elements[element]?.kind;
    const ran = drivers.filter((element) => kindOf(element) !== 'event' && runs(element));
    if (ran.length === 0) return undefined;
    const isAssigned = ran.some((element) => kindOf(element) === 'assignment' || kindOf(element) === 'declaration');
    const parts = isAssigned ? new Uint8Array(this.#influence.elements.length).fill(NONE) : this.of(name).slice();
    for (const element of ran) for (const read of this.#influence.reads(element)) this.#join(parts, this.of(read), 1);
    for (const element of [...ran, ...drivers.filter((driver) => kindOf(driver) === 'event')]) parts[element] = 0;
    return { name, parts };
  }

  #settle(isActive: (element: number) => boolean): void {
    const { elements } = this.#influence;
    for (const name of this.#wires) this.#parts[name]?.fill(NONE);
    const active = this.#wires.map((name) => {
      const drivers = this.#influence.drivers(name).filter(isActive);
      const lasting = drivers.filter((element) => elements[element]?.runs !== 'once');
      return lasting.length === 0 ? drivers : lasting;
    });
    for (let round = 0, changed = true; changed && round < MOST_ROUNDS; round++) {
      changed = false;
      for (const [index, name] of this.#wires.entries()) {
        const parts = this.of(name);
        for (const element of active[index] ?? []) {
          changed ||= parts[element] !== 0;
          parts[element] = 0;
          for (const read of this.#influence.reads(element)) if (read !== name && this.#join(parts, this.of(read), 0)) changed = true;
        }
        for (const other of this.#influence.connected(name)) if (this.#join(parts, this.of(other), 0)) changed = true;
      }
    }
  }

  /** Adds what another value has a part from; true when that is new. */
  #join(parts: Uint8Array, other: Uint8Array, registers: number): boolean {
    let changed = false;
    for (let element = 0; element < parts.length; element++) {
      const now = (other[element] ?? NONE) + registers;
      if (now > MOST_REGISTERS || now >= (parts[element] ?? NONE)) continue;
      parts[element] = now;
      changed = true;
    }
    return changed;
  }
}

/** Names behind those that their values are computed from, as far as there are no loops. */
function inOrder(names: readonly number[], influence: Influence): number[] {
  const wanted = new Set(names);
  const ordered: number[] = [];
  const seen = new Set<number>();
  for (const start of names) {
    const open: { readonly name: number; readonly next: number[] }[] = [];
    const enter = (name: number): void => {
      if (!wanted.has(name) || seen.has(name)) return;
      seen.add(name);
      open.push({ name, next: [...influence.connected(name), ...influence.drivers(name).flatMap((element) => influence.reads(element))] });
    };
    enter(start);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const next = top.next.pop();
      if (next !== undefined) enter(next);
      else ordered.push(open.pop()?.name ?? top.name);
    }
  }
  return ordered;
}
