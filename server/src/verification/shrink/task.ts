import type { Criterion } from '../compare.ts';
import type { Layout } from '../stimulus/layout.ts';
import type { Rows } from '../stimulus/rows.ts';
import type { Trace } from '../trace.ts';

export interface Answer {
  readonly golden: Trace;
  readonly dut: Trace;
}

export interface ShrinkTask {
  readonly layout: Layout;
  readonly rows: Rows;
  /** What both sides answered to the rows. */
  readonly answer: Answer;
  /** Leading rows that are always kept: the first reset. */
  readonly prefix: number;
  /** Row of the first difference. */
  readonly failingRow: number;
  readonly criterion: Criterion;
  /** Runs both sides from power-on; undefined when a run did not finish. */
  readonly replay: (rows: Rows) => Promise<Answer | undefined>;
  /** Runs several stimuli in fewer runs, and says what each is likely to do by itself. Unless given, they follow each other in one replay. */
  readonly together?: ((parts: readonly Rows[]) => Promise<readonly Answer[] | undefined>) | undefined;
  /** Whether rows may be tried; all may unless given. */
  readonly allows?: (rows: Rows) => boolean;
  /** What an answer may depend on: on its row alone, on what came since the reset, or on the power-on state too. */
  readonly history: 'none' | 'since-reset' | 'since-power-on';
  /** Replays that may be spent. */
  readonly replays: number;
  readonly deadline: () => boolean;
}

export interface Shrunk {
  readonly rows: Rows;
  readonly answer: Answer;
  /** Index of the differing sample within the shrunk rows. */
  readonly sample: number;
}
