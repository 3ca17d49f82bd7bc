import type { DesignInput, LoadResult } from '../analysis/design.ts';
import type { Clocking } from '../analysis/module.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { Parser } from '../syntax/parser.ts';
import { GoldenCache } from './golden-cache.ts';
import { prepare, type Pair, type Prepared } from './pair.ts';
import type { Finding } from './report.ts';
import { TimeBudget } from './time-budget.ts';
import type { EngineReport, Unknowns, VerifyRequest } from './verdict.ts';
import { recordingOf, type Exchange, type Recording } from './witness.ts';

export type VerifyToolbox = Pick<Toolbox, 'iverilog' | 'verilatorSimulator' | 'yosys' | 'embeddedYosys'>;

/** What a verification needs from the floors below, injected so that tests can stand in for it. */
export interface VerifyEnv {
  readonly load: (input: DesignInput) => Promise<LoadResult>;
  readonly toolbox: VerifyToolbox;
  /** Reads the branches of the golden, for coverage; undefined: no coverage is measured. */
  readonly parser?: Parser;
  /** Answers of goldens from earlier verifications. */
  readonly cache?: GoldenCache;
}

export interface VerifyHooks {
  readonly signal?: AbortSignal;
  /** `share` is the finished part, 0 to 1, where it is known. */
  readonly progress?: (progress: { readonly stage: string; readonly share?: number }) => void;
}

/** One verification: what it was given, the time that it has left, and what it will tell beside its finding. */
export class Session {
  readonly request: VerifyRequest;
  readonly env: VerifyEnv;
  readonly hooks: VerifyHooks;
  readonly cache: GoldenCache;
  readonly time: TimeBudget;
  readonly engines: EngineReport[] = [];
  readonly notes: string[] = [];
  /** As last prepared. */
  pair: Pair | undefined;
  clocking: Clocking | undefined;
  /** What goes into the artefacts. */
  recording: ((mostSamples: number) => Recording) | undefined;
  /** The simulated difference that was found. */
  failed: Exchange | undefined;

  constructor(request: VerifyRequest, env: VerifyEnv, hooks: VerifyHooks) {
    this.request = request;
    this.env = env;
    this.hooks = hooks;
    this.cache = env.cache ?? new GoldenCache();
    this.time = new TimeBudget(request.options.timeoutMs, hooks.signal);
  }

  get unknowns(): Unknowns {
    return this.request.options.unknowns ?? 'ignore';
  }

  /** Tells the user what begins, and which share of the whole is done. */
  stage(stage: string, share: number): void {
    this.hooks.progress?.({ stage, share });
  }

  prepare(pair: Pair): Prepared | Finding {
    this.pair = pair;
    const prepared = prepare(pair, this.request.options);
    if (!('verdict' in prepared)) this.clocking = prepared.clocking;
    return prepared;
  }

  record(exchange: Exchange): void {
    this.recording = (mostSamples) => recordingOf(exchange, mostSamples);
  }
}
