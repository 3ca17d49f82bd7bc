import type { LoadedDesign, SourceProblem } from '../analysis/design.ts';
import type { Complaint } from '../tools/complaint.ts';
import type { ElaboratedPort } from '../tools/vvp-file.ts';
import type { Watch } from './harness/watch.ts';
import type { Timescale } from './source-scan.ts';
import type { Layout } from './stimulus/layout.ts';
import type { Rows } from './stimulus/rows.ts';
import type { Trace } from './trace.ts';

export interface Budget {
  /** Of the wall clock. */
  readonly timeoutMs: number;
  /** CPU time for one program; undefined where only the wall clock limits it. */
  readonly cpuMs?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export type SideRun =
  /** `workMs`: the CPU time that it would take an ordinary machine, told from what the simulator had to do and not from a clock. */
  | { readonly kind: 'finished'; readonly trace: Trace; readonly workMs: number }
  /** The simulation ended before the last row; `trace` holds what was sampled until then. `timed-out`: it still advanced; `stalled`: it did not. */
  | { readonly kind: 'ended-early' | 'timed-out' | 'stalled' | 'flooded'; readonly trace: Trace }
  /** `isBroken`: the simulator says itself that it is at fault. */
  | { readonly kind: 'failed'; readonly message: string; readonly isBroken?: boolean }
  | { readonly kind: 'cancelled' };

/** How a side begins whose power-on state is drawn. */
export interface PowerOn {
  /** Of what is random where it would be unknown. */
  readonly seed: number;
  /**
   * Powers the side on again and again in one run, as nearly as that can be done: after so many rows each, its inputs become unknown, and its variables have once more
   * what they had before the first row. So many states take turns: one that is unknown as it is by itself, where that is asked for, and those of the seeds from `seed` on.
   */
  readonly again?: { readonly rows: number; readonly states: number; readonly unknownFirst: boolean };
}

/** One side that can answer a stimulus. */
export interface Simulated {
  /**
   * Applies the rows from the power-on state: unknown as the language has it, or drawn (of a simulation compiled with its state).
   */
  run(rows: Rows, budget: Budget, powerOn?: PowerOn): Promise<SideRun>;
  /** The same side compiled so that its power-on state can be drawn; undefined when that cannot be done or is done already. */
  withDrawnState(budget: Budget): Promise<Simulated | undefined>;
}

export interface CompilerProblem extends SourceProblem {
  readonly about: Complaint;
}

/** Why a side cannot be run. */
export type NotCompiled =
  /** It compiles, and would reach outside of the simulation. */
  | { readonly kind: 'forbidden'; readonly problems: readonly SourceProblem[] }
  /** The compiler refused the design; there is always at least one problem. */
  | { readonly kind: 'refused'; readonly problems: readonly CompilerProblem[] }
  /** `message` is one full sentence. `crashed`: the tool broke down, whatever the design is. */
  | { readonly kind: 'failed'; readonly cause: 'timed-out' | 'cancelled' | 'crashed' | 'tool'; readonly message: string };

/** A side that the compiler took. */
export interface RunnableSide {
  readonly kind: 'runnable';
  /** As the compiler elaborated them, where it says so. */
  readonly ports: readonly ElaboratedPort[] | undefined;
  /** Makes what remains to be made for a run, which may take much longer than to know that there is something to run. */
  readonly build: (budget: Budget) => Promise<BuiltSide | NotCompiled>;
}

export interface BuiltSide {
  readonly kind: 'built';
  readonly simulated: Simulated;
}

export interface SideTask {
  readonly side: 'golden' | 'dut';
  readonly design: LoadedDesign;
  /** Time scale of the harness, or none. */
  readonly timescale: Timescale | undefined;
  /** An empty directory for this side alone. */
  readonly dir: string;
}

/** A simulator, as a verification uses it. */
export interface SimulationEngine {
  readonly name: 'iverilog' | 'verilator';
  /** As a person calls it. */
  readonly title: string;
  readonly version: string;
  /** It knows x and z; an engine that does not says x where its values depend on the power-on state. */
  readonly fourState: boolean;
  /** Compiles a side in its harness, or, without a layout, only to know whether the compiler takes it and with which ports; such a side cannot be built. */
  compile(task: SideTask, layout: Layout | undefined, budget: Budget): Promise<RunnableSide | NotCompiled>;
  /** Copies of a side can tell how its nets change; else one program does for all that is noted, since each takes long to build. */
  readonly dumps: boolean;
  /** How copies of a side are run whose text notes what it does, by which coverage is measured and suspects are found. */
  watching(task: SideTask, layout: Layout): Watching;
}

export interface Watching {
  /** The statement that marks a branch in the text of a side. */
  mark(branch: number): string;
  /** The statement that notes the values of a comparison, in the scope of their expressions. */
  note(index: number, left: string, right: string): string;
  /** Compiles the side with such statements in its sources, in an empty directory for this copy alone; undefined when it does not compile. */
  compile(copy: { readonly design: LoadedDesign; readonly dir: string }, watch: Watch, budget: Budget): Promise<WatchedProgram | undefined>;
}

export interface WatchedProgram {
  /** Nets that only a constant drives, by path from the instance on, joined with dots. */
  readonly constants: ReadonlySet<string>;
  /** Undefined when the run does not finish. An engine that dumps was told at the compilation what is wanted. */
  record(rows: Rows, wanted: Wanted, budget: Budget): Promise<WatchedRun | undefined>;
}

/** What one run is to keep of what the program can note. */
export interface Wanted {
  readonly eachSample: boolean;
  /** Indexes of comparisons, in the order in which a sample has them. */
  readonly compared: readonly number[];
  /** Where its power-on state is to be drawn; an engine that draws none does without. */
  readonly powerOn?: PowerOn | undefined;
}

/** What a watched copy left: its trace, and the files of its harness. */
export interface WatchedRun {
  readonly trace: Trace;
  readonly marks: Uint8Array;
  readonly compared: Uint8Array;
  /** A value change dump; undefined where the simulator writes none. */
  readonly changes: Uint8Array | undefined;
}

/** What building a side ends with that was compiled for its ports alone. */
export const NO_LAYOUT: NotCompiled = { kind: 'failed', cause: 'tool', message: 'Only the ports of this side were asked for.' };
