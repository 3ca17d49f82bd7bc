import type { ModuleName } from '../verification/reference.ts';
import type { VerifyResult } from '../verification/verdict.ts';

export interface Verdict {
  readonly dut: ModuleName;
  readonly golden: ModuleName;
  readonly result: VerifyResult;
  /** Every file that the verdict depends on, with the hash of the text that was verified, and the settings. */
  readonly basis: Basis;
}

export interface Basis {
  readonly hashes: ReadonlyMap<string, string | undefined>;
  /** Settings that change what the sources mean, as text. */
  readonly context: string;
}

/** The last verdict of each module in this session. */
export class Verdicts {
  readonly #byModule = new Map<string, Verdict>();
  #newest: Verdict | undefined;

  set(verdict: Verdict): void {
    this.#byModule.set(moduleKey(verdict.dut), verdict);
    this.#newest = verdict;
  }

  /** The last verdict of a module against this golden; a verdict against another one says nothing. */
  of(dut: ModuleName, golden: ModuleName | undefined): Verdict | undefined {
    const verdict = this.#byModule.get(moduleKey(dut));
    return golden && verdict?.golden.file === golden.file && verdict.golden.module === golden.module ? verdict : undefined;
  }

  remove(dut: ModuleName): void {
    const key = moduleKey(dut);
    if (this.#newest && moduleKey(this.#newest.dut) === key) this.#newest = undefined;
    this.#byModule.delete(key);
  }

  get all(): readonly Verdict[] {
    return [...this.#byModule.values()];
  }

  get newest(): Verdict | undefined {
    return this.#newest;
  }
}

export function moduleKey({ file, module }: ModuleName): string {
  return JSON.stringify([file, module]);
}
