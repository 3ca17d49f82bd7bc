import type { DesignInput, SourceProblem } from '../analysis/design.ts';
import type { Clock, Reset, SourceLocation } from '../analysis/module.ts';

/**
 * What one verification says. The words are distinct on purpose: a bounded run is never called a proof, and a tool that did
 * not run is never called a pass.
 */
export type VerdictKind =
  /** Proved for every input sequence. */
  | 'equivalent'
  /** Bounded: the stated number of comparisons found no difference. */
  | 'no-difference'
  /** A counterexample is attached. */
  | 'different'
  /** Neither a difference nor enough comparisons to say anything. */
  | 'inconclusive'
  /** The ports do not correspond; `interfaceIssues` names each. */
  | 'interface-mismatch'
  /** The time budget ended first; `evidence` says how far the comparison got. */
  | 'timeout'
  /** No usable simulator or prover, or it could not elaborate a side. Not a statement about the design. */
  | 'tool-error'
  /** A missing or empty file, an unknown module, a syntax error, an option that names nothing. */
  | 'bad-input'
  | 'cancelled';

export interface ResetOverride {
  readonly port: string;
  /** Undefined: keep the polarity that the analysis finds, else high. */
  readonly active: 'high' | 'low' | undefined;
}

export type EngineChoice = 'auto' | 'iverilog' | 'verilator' | 'yosys' | 'yosys-wasm';

/**
 * What a bit of the golden says that is unknown (x) or undriven (z). `ignore`: nothing, the DUT may have any value there. `strict`: the DUT must have the
 * same, as `===` compares.
 */
export type Unknowns = 'ignore' | 'strict';

/** A stimulus that once told a faulty DUT from the golden; it is tried first in every later verification against that golden. */
export interface RegressionCase {
  /** Why it is there, for a person. */
  readonly name: string;
  /** First row whose outputs are compared: what is before it resets the design. */
  readonly compareFrom: number;
  /** The input values of each row, clocks included: binary text by port, most significant bit first; `z` where an inout is not driven. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

export interface VerifyOptions {
  /** Replaces the detected clocks when not empty. */
  readonly clocks: readonly string[];
  /** Replaces the detected resets when not empty. */
  readonly resets: readonly ResetOverride[];
  /** Clock cycles (or input vectors, without a clock) of the long run; undefined: chosen from the design. */
  readonly cycles: number | undefined;
  readonly seed: number;
  /** Wall-clock budget in milliseconds for the whole verification. */
  readonly timeoutMs: number;
  readonly engine: EngineChoice;
  /** Try a formal proof when the simulation found no difference. */
  readonly prove: boolean;
  /** `ignore` unless given; strictly, only simulation can compare. */
  readonly unknowns?: Unknowns;
  /** Absolute path; a self-checking testbench is written there (the witness, or the run that found no difference). */
  readonly testbenchFile?: string | undefined;
  /** Absolute path; the waveform of both sides is written there. */
  readonly vcdFile?: string | undefined;
  /** Conditions over inputs, as Verilog expressions, that the inputs always keep to. */
  readonly assume?: readonly string[];
  /** Only the verdict is wanted: a difference is told as it was met, and is neither made plain nor explained, and has no witness. */
  readonly brief?: boolean;
  /** Look for a small change of the DUT that makes it right; that may take the time budget once more. */
  readonly fix?: boolean;
  /** Stimuli to try before any other. */
  readonly first?: readonly RegressionCase[];
  /** Save the witness of a difference as a regression case beside the golden's source. */
  readonly saveCase?: boolean;
}

export interface VerifyRequest {
  readonly dut: DesignInput;
  readonly golden: DesignInput;
  readonly options: VerifyOptions;
}

/** Which tool a verdict rests on. */
export interface EngineReport {
  readonly name: 'iverilog' | 'verilator' | 'yosys' | 'yosys-wasm';
  readonly version: string;
  readonly role: 'simulation' | 'proof';
  /** Values that a simulator knows. */
  readonly values?: '01' | '01xz' | undefined;
}

export interface InterfaceIssue {
  readonly kind: 'missing-in-dut' | 'extra-in-dut' | 'direction' | 'width' | 'unsupported';
  readonly port: string;
  /** One full sentence. */
  readonly message: string;
  readonly dut: SourceLocation | undefined;
  readonly golden: SourceLocation | undefined;
}

/** A problem that a tool or the front end reported about one side. */
export interface SideProblem extends SourceProblem {
  readonly side: 'dut' | 'golden';
}

/** One row of a witness: what was applied and what both sides answered. Values are binary text, most significant bit first, of 0, 1, x, z. */
export interface WitnessStep {
  /** Zero-based stimulus row within the witness. */
  readonly step: number;
  /** Completed active edges of any clock before this sample. */
  readonly cycle: number;
  /** `settled`: inputs changed, clocks still; `clocked`: after the clocks of this row moved. */
  readonly phase: 'settled' | 'clocked';
  readonly inputs: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, string>>;
  readonly actual: Readonly<Record<string, string>>;
}

/** A place in a source file: zero-based line and UTF-16 column. */
export interface CodePlace {
  readonly file: string;
  readonly line: number;
  readonly character: number;
}

/** A piece of the DUT that may be the cause of a difference. */
export interface Suspect extends CodePlace, SourceLocation {
  /** The code on one line, cut when it is long. */
  readonly text: string;
  /** 0 to 1: how closely its activity goes with the difference. A ranking, no probability. */
  readonly score: number;
  /** What was seen of it, where that may be the cause: a `case` without an arm for a value. */
  readonly note?: string;
}

/** A small change of the DUT with which it does what the golden does. */
export interface Fix extends CodePlace, SourceLocation {
  /** What stands in the place of the span. */
  readonly text: string;
  /** The code around it on one line, as it is and as it would be. */
  readonly before: string;
  readonly after: string;
  /** What a verification of the changed DUT says. */
  readonly verdict: 'equivalent' | 'no-difference';
  readonly reason: string;
}

/** What a search for a small change came to. */
export interface FixSearch {
  /** Changes of which it was decided whether they help, of those that there are. */
  readonly tried: number;
  readonly total: number;
  /** The likeliest first. */
  readonly fixes: readonly Fix[];
}

export interface Mismatch {
  readonly output: string;
  readonly cycle: number;
  readonly phase: 'settled' | 'clocked';
  /** Binary text of the golden's and the DUT's value, most significant bit first. */
  readonly expected: string;
  readonly actual: string;
  /** Input values at the mismatch. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Every output that differs at this sample, the named one first. */
  readonly differing: readonly string[];
  /** Named pattern of the difference, when one fits: `inverted`, `latency`, ... */
  readonly pattern: { readonly id: string; readonly text: string } | undefined;
  /** Likeliest causes in the DUT, the first one first; empty where none could be told. */
  readonly suspects?: readonly Suspect[];
  readonly dut: SourceLocation | undefined;
  readonly golden: SourceLocation | undefined;
}

/** A branch of the golden that no stimulus reached. */
export interface UnreachedBranch extends CodePlace {
  /** As in the source: `if (a)`, `missing else of if (a)`, `case 2'b01`, `default of case (s)`. */
  readonly what: string;
}

/** What the stimulus reached in the golden, measured on a run. */
export interface Coverage {
  /** Arms of `if`, `case` and `?:`; an `if` without `else` has two. */
  readonly branches: { readonly reached: number; readonly total: number };
  /** Changes of every bit of every net and variable from 0 to 1 and from 1 to 0; undefined when they were too many to follow. */
  readonly toggles: { readonly reached: number; readonly total: number } | undefined;
  readonly unreached: readonly UnreachedBranch[];
  /** Bits that miss a change, as `instance.net[bit]`; the first ones. */
  readonly untoggled: readonly string[];
}

export interface Evidence {
  /** Samples at which all outputs were compared. */
  readonly comparisons: number;
  /** Stimulus rows applied. */
  readonly steps: number;
  /** Active clock edges applied. */
  readonly cycles: number;
  /** Every input combination was applied (combinational only). */
  readonly exhaustive: boolean;
  /** Bits of the golden's outputs that were known (0 or 1) in at least one comparison, as a share of all output bits. */
  readonly observedOutputBits: number;
  readonly seed: number;
  readonly unknowns?: Unknowns;
  /** Undefined where it was not measured: a proof, a difference or every input combination need none. */
  readonly coverage?: Coverage | undefined;
}

/** The stable result object; `--json` prints exactly this. `schema` grows when a field changes its meaning. */
export interface VerifyResult {
  readonly schema: 1;
  readonly verdict: VerdictKind;
  /** One full sentence that a person can act on. */
  readonly reason: string;
  readonly dut: { readonly module: string | undefined; readonly file: string };
  readonly golden: { readonly module: string | undefined; readonly file: string };
  readonly engines: readonly EngineReport[];
  readonly clocks: readonly Clock[];
  readonly resets: readonly Reset[];
  readonly evidence: Evidence | undefined;
  readonly mismatch: Mismatch | undefined;
  /** Undefined unless one was asked for and there is a difference. */
  readonly fix?: FixSearch | undefined;
  /** Shortest prefix found that still shows the mismatch, oldest row first, both phases of a row in order. */
  readonly witness: readonly WitnessStep[];
  readonly interfaceIssues: readonly InterfaceIssue[];
  readonly problems: readonly SideProblem[];
  /** Remarks that qualify the verdict, each one sentence. */
  readonly notes: readonly string[];
  readonly elapsedMs: number;
  /** Files made on request. */
  readonly artefacts: { readonly testbench: string | undefined; readonly vcd: string | undefined; readonly caseFile: string | undefined };
}

/** The simulator that a result rests on and that knows only 0 and 1, as a person calls it; undefined where there is none. */
export function twoStateSimulator(engines: readonly EngineReport[]): 'Verilator' | undefined {
  return engines.some(({ role, values }) => role === 'simulation' && values === '01') ? 'Verilator' : undefined;
}

/** Exit code of the command line for a verdict. */
export function exitCodeOf(verdict: VerdictKind): 0 | 1 | 2 | 3 {
  switch (verdict) {
    case 'equivalent':
    case 'no-difference':
      return 0;
    case 'different':
      return 1;
    case 'inconclusive':
    case 'timeout':
    case 'cancelled':
      return 2;
    case 'interface-mismatch':
    case 'tool-error':
    case 'bad-input':
      return 3;
  }
}
