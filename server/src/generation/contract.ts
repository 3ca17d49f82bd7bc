import type { DesignInput, SourceProblem } from '../analysis/design.ts';
import type { Span } from '../base/text.ts';
import type { Failure } from '../model/outcome.ts';
import type { Server } from '../model/server.ts';
import type { VerifyOptions, VerifyResult } from '../verification/verdict.ts';

/** Where the module goes: the text of a file and the part of it that the module takes the place of. No file is ever written. */
export interface Target {
  /** Absolute path; need not exist. */
  readonly file: string;
  /** Text of the file as the user sees it; empty for a file of its own. */
  readonly text: string;
  /** Empty: the module is inserted there. */
  readonly span: Span;
}

/** What the file needs besides itself to compile: how it finds included files, macros and the modules that it instantiates. */
export type CompileContext = Pick<DesignInput, 'libraryFiles' | 'units' | 'includeDirs' | 'defines'>;

/** A module of the project that the prompt may speak of. */
export interface KnownModule {
  readonly name: string;
  /** From `module` to the semicolon after the ports. */
  readonly header: string;
  /** Absolute path. */
  readonly file: string;
}

/** A finding that a fix must remove. */
export interface FixFinding {
  readonly message: string;
  /** Zero-based line within `code`; undefined: no place is known. */
  readonly line: number | undefined;
}

export type Task =
  /** A new module. `header` (from `module` to its semicolon) binds name, ports and parameters. */
  | { readonly kind: 'write'; readonly description: string; readonly header: string | undefined }
  /** The same module without the findings. */
  | { readonly kind: 'fix'; readonly code: string; readonly findings: readonly FixFinding[] }
  /** The same module, changed so that it agrees with the reference; `verdict` is `different` and holds the shortest counterexample. */
  | { readonly kind: 'repair'; readonly code: string; readonly verdict: VerifyResult };

/** A model on a server, as `Core.connectModel` found it. */
export interface ModelChoice {
  readonly server: Server;
  readonly name: string;
  /** Most tokens of one request, prompt and reply together; undefined when the server does not say. */
  readonly contextTokens: number | undefined;
  /** Requests that the server works on at the same time. */
  readonly slots: number;
  /** Most tokens of one reply, reasoning included. */
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP: number;
  /** The first sample's seed; each further request takes the next number. Undefined: the server draws. */
  readonly seed: number | undefined;
}

export interface ModuleRequest {
  readonly task: Task;
  readonly target: Target;
  readonly context: CompileContext;
  /** Finds a module of the project by name, for the prompt. */
  readonly lookup: (name: string) => Promise<KnownModule | undefined>;
  /** The reference that candidates are verified against. */
  readonly golden: DesignInput | undefined;
  /** A testbench that instantiates the module and says PASS or FAIL; used when there is no golden. `module`: its root. */
  readonly testbench: DesignInput | undefined;
  readonly model: ModelChoice;
  /** Samples; 4 is the usual number. */
  readonly samples: number;
  /** Repairs of one sample; 3 is the usual number. */
  readonly repairs: number;
  /** How candidates are verified; the budget is that of one candidate. */
  readonly verify: VerifyOptions;
}

/** The rooms that a reply passes, in this order. `write` is the model's own work. */
export type Stage = 'write' | 'extract' | 'interface' | 'parse' | 'compile' | 'verify';

/** Which reply an event is about. */
export interface Turn {
  /** Zero-based sample. */
  readonly sample: number;
  /** 0: the sample itself; 1, 2, 3: its repairs. */
  readonly round: number;
}

export type GenerationEvent =
  /** The prompt is ready: `modules` are the project's modules that it speaks of, `tokens` is an estimate from below. */
  | { readonly kind: 'prompt'; readonly modules: readonly string[]; readonly tokens: number }
  /** The server is still loading its model. */
  | { readonly kind: 'waiting'; readonly waitedMs: number }
  | { readonly kind: 'stage'; readonly turn: Turn; readonly stage: Stage; readonly state: 'started' | 'passed' }
  /** The reply goes no further; `reason` is one full sentence. */
  | { readonly kind: 'stage'; readonly turn: Turn; readonly stage: Stage; readonly state: 'failed'; readonly reason: string }
  /** Pieces of the reply as they arrive. */
  | { readonly kind: 'reasoning' | 'answer'; readonly turn: Turn; readonly text: string }
  /** All pieces that were told as `answer` of this turn so far are reasoning. */
  | { readonly kind: 'answer-was-reasoning'; readonly turn: Turn }
  /** At most four times a second while a reply arrives. Servers send about one token a piece; `tokens` counts pieces. */
  | { readonly kind: 'rate'; readonly turn: Turn; readonly tokens: number; readonly tokensPerSecond: number; readonly elapsedMs: number }
  /** A candidate came through; better ones may follow. */
  | { readonly kind: 'candidate'; readonly candidate: Candidate }
  /** The candidates are run on the same stimulus. */
  | { readonly kind: 'voting'; readonly candidates: number };

/** How much is known about a candidate, best first. */
export type Level =
  /** Proved equivalent to the golden, or compared for every input combination. */
  | 'proved'
  /** Bounded comparison with the golden found no difference. */
  | 'no-difference'
  /** The user's testbench passed. */
  | 'testbench'
  /** It compiles; `votes` says how many samples behave alike. */
  | 'compiled';

/** How many samples behave like a candidate under the same stimulus. */
export interface Votes {
  readonly agree: number;
  /** Samples that could be run. */
  readonly of: number;
  /** Sizes of the groups of equal behaviour, largest first. */
  readonly groups: readonly number[];
  readonly vectors: number;
}

export type TestbenchVerdict = 'passed' | 'failed' | 'silent' | 'timed-out' | 'not-run';

export interface TestbenchResult {
  readonly verdict: TestbenchVerdict;
  /** One full sentence. */
  readonly reason: string;
  /** The first lines that it printed. */
  readonly output: readonly string[];
}

/** A module that may be offered. */
export interface Candidate {
  readonly turn: Turn;
  readonly module: string;
  /** Exactly what takes the place of the target's span, with the line ends that it needs there. */
  readonly code: string;
  readonly level: Level;
  /** Exactly what is known, such as "proved equivalent" or "compiles, interface matches, 3 of 4 agree"; no more. */
  readonly confidence: string;
  readonly verification: VerifyResult | undefined;
  readonly testbench: TestbenchResult | undefined;
  readonly votes: Votes | undefined;
  /** Remarks that qualify the confidence, each one sentence. */
  readonly notes: readonly string[];
}

/** A reply that came to nothing. */
export interface Rejected {
  readonly turn: Turn;
  readonly stage: Stage;
  /** One full sentence. */
  readonly reason: string;
  /** Undefined when no module was found in the reply. */
  readonly code: string | undefined;
  /** In places of the target's file with the code in it. */
  readonly problems: readonly SourceProblem[];
  /** Of a code that differs from the golden. */
  readonly verification: VerifyResult | undefined;
}

export interface ModuleResult {
  readonly schema: 1;
  /**
   * `verified`: the first candidate agrees with the golden or passed the testbench, to the extent that its confidence says. `compiled`: it compiles and nothing
   * more is known than its votes. `failed` and `cancelled`: `reason` says why; a cancelled run still has the candidates that it found.
   */
  readonly outcome: 'verified' | 'compiled' | 'failed' | 'cancelled';
  /** One or two full sentences. */
  readonly reason: string;
  /** Best first. */
  readonly candidates: readonly Candidate[];
  readonly rejected: readonly Rejected[];
  /** Why the server gave no reply at all, where that is the reason. */
  readonly failure: Failure | undefined;
  readonly model: string;
  readonly elapsedMs: number;
  /** From the last piece of the last reply to the result. */
  readonly checkMs: number;
}

export interface GenerationHooks {
  /** Ends the run at any moment; requests, processes and files are gone when `result` settles. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: GenerationEvent) => void) | undefined;
}

/** A run in progress. */
export interface Run<Result> {
  /** Never rejects for anything that the model, a server or a tool does. */
  readonly result: Promise<Result>;
  /** Asks the model to stop thinking and to write its answer now. Nothing happens when no reply is on its way or its answer has begun. */
  answerNow(): void;
}

/** A question about a module; the answer is text and changes nothing. */
export interface ExplainRequest {
  /** The module with its comments. */
  readonly code: string;
  readonly lookup: ModuleRequest['lookup'];
  readonly model: ModelChoice;
}

export type ExplainResult =
  /** Text with Markdown. */
  { readonly kind: 'explained'; readonly text: string; readonly elapsedMs: number } | { readonly kind: 'failed'; readonly failure: Failure };
