/** What a row of stimulus costs, learnt from the runs so far. */
export class RunCost {
  readonly #runs: { readonly rows: number; readonly ms: number }[] = [];

  add(rows: number, ms: number): void {
    this.#runs.push({ rows, ms });
  }

  /**
   * Rows that a time is enough for; none before the first run. The shortest run is taken for what it costs to start a simulator, which on
   * a busy machine is far more than what some rows cost. A run that is longer than thought is cut off, so this rather says too many.
   */
  rowsIn(ms: number): number {
    const start = this.#runs.reduce((least, run) => (run.rows < least.rows ? run : least), { rows: Infinity, ms: 0 });
    const more = this.#runs.filter(({ rows }) => rows >= 2 * start.rows).map((run) => Math.max(0, run.ms - start.ms) / (run.rows - start.rows));
    const perRow = more.length > 0 ? Math.min(...more) : start.ms / start.rows;
    return this.#runs.length === 0 ? 0 : Math.floor(Math.max(0, ms - start.ms) / Math.max(perRow, CHEAPEST_MS));
  }
}

/** No simulator does a row in less. */
const CHEAPEST_MS = 1e-3;
