import type { Budget, PowerOn, SideRun, Simulated } from './engine.ts';
import type { Rows } from './stimulus/rows.ts';

/** A side that is run once on the same rows from its unknown power-on state, as long as somebody holds these. */
export class RememberedSide implements Simulated {
  readonly #side: Simulated;
  readonly #runs = new WeakMap<Rows, SideRun>();

  constructor(side: Simulated) {
    this.#side = side;
  }

  async run(rows: Rows, budget: Budget, powerOn?: PowerOn): Promise<SideRun> {
    if (powerOn !== undefined) return this.#side.run(rows, budget, powerOn);
    const known = this.#runs.get(rows);
    if (known !== undefined) return known;
    const run = await this.#side.run(rows, budget);
    if (run.kind === 'finished') this.#runs.set(rows, run);
    return run;
  }

  withDrawnState(budget: Budget): Promise<Simulated | undefined> {
    return this.#side.withDrawnState(budget);
  }
}
