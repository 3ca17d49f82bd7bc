import type { DesignInput, LoadedDesign, LoadResult } from '../analysis/design.ts';
import type { Clocking } from '../analysis/module.ts';
import { diskFiles } from '../base/files.ts';
import { withTempDir } from '../base/tempdir.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { Parser } from '../syntax/parser.ts';
import { simulateAtLength } from './at-length.ts';
import { writeArtefacts } from './artefacts.ts';
import { findProver, type Decision, type ProofAttempt, type Prover } from './proof/by-proof.ts';
import { harnessScales, SimulationCheck, type StageOutcome } from './by-simulation.ts';
import { Assumption } from './assumption.ts';
import { caseFileOf, caseOf, parseCaseFile, rowsOfCase } from './cases.ts';
import { chooseClocking } from './choose-clocking.ts';
import { CoverageMeter } from './coverage/coverage.ts';
import { freshDir, portsAgree, withElaboratedPorts } from './elaborate-ports.ts';
import { proveFromReset } from './from-reset.ts';
import { CachedGolden, GoldenCache, goldenKey } from './golden-cache.ts';
import { matchInterfaces } from './interface.ts';
import { layOut, type Layout } from './stimulus/layout.ts';
import { boundedReason, makeResult, type Finding, type PortLocator } from './report.ts';
import type { Budget, NotCompiled, RunnableSide, Simulated, SimulationEngine } from './engine.ts';
import { endingFinding, mayBeLimit, refusalFinding, sideProblems, unfitFor, whyNot, type FailedTry } from './refusal.ts';
import { findSimulator } from './simulators.ts';
import { makeSolver } from './proof/solve.ts';
import { screenDesign } from './screen.ts';
import { count } from './value-text.ts';
import { twoStateSimulator, type EngineReport, type Unknowns, type VerdictKind, type VerifyRequest, type VerifyResult } from './verdict.ts';
import { WatchedSide } from './coverage/watched.ts';
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

/** Compares a DUT with its golden and says what was found; never throws for anything that is wrong with the inputs. */
export function verify(request: VerifyRequest, env: VerifyEnv, hooks: VerifyHooks): Promise<VerifyResult> {
  return new Verification(request, env, hooks).run();
}

interface Pair {
  readonly golden: LoadedDesign;
  readonly dut: LoadedDesign;
}

interface Prepared extends Pair {
  readonly assumption: Assumption | undefined;
  readonly layout: Layout;
  readonly clocking: Clocking;
}

/** Where and with what a pair is simulated. */
interface Bench {
  readonly dir: string;
  readonly engine: SimulationEngine;
  /** The compiler's view of the ports may still replace the analysis'. */
  readonly mayCorrect: boolean;
}

type CompileResults = FailedTry['results'];

/** The engines that tried and could not, with what the last of them was given. */
interface NotSimulated extends FailedTry {
  readonly prepared: Prepared | undefined;
}

/** Verdicts that say of the pair that it agrees or differs. */
const DECIDED: ReadonlySet<VerdictKind> = new Set<VerdictKind>(['equivalent', 'different', 'no-difference']);

/** Budget share of the formal proof, and its upper bound in milliseconds. */
const PROOF_SHARE = 0.4;
const PROOF_MS = 10_000;

class Verification {
  readonly #request: VerifyRequest;
  readonly #env: VerifyEnv;
  readonly #hooks: VerifyHooks;
  readonly #cache: GoldenCache;
  readonly #started = performance.now();
  readonly #engines: EngineReport[] = [];
  readonly #notes: string[] = [];
  #pair: Pair | undefined;
  #clocking: Clocking | undefined;
  /** Set once a proof was tried beside the simulation. */
  #prover: Prover | undefined;
  #recording: ((mostSamples: number) => Recording) | undefined;
  /** The simulated difference that was found. */
  #failed: Exchange | undefined;

  constructor(request: VerifyRequest, env: VerifyEnv, hooks: VerifyHooks) {
    this.#request = request;
    this.#env = env;
    this.#hooks = hooks;
    this.#cache = env.cache ?? new GoldenCache();
  }

  async run(): Promise<VerifyResult> {
    const finding = await this.#find();
    const { testbenchFile, vcdFile, saveCase, assume = [] } = this.#request.options;
    const golden = this.#pair?.golden;
    const qualified = !DECIDED.has(finding.verdict)
      ? []
      : [
          ...(assume.length > 0 ? [`Only inputs that keep to ${assume.join(' and ')} were considered.`] : []),
          ...(this.#unknowns === 'strict' ? ['The outputs had to be unknown (x) or undriven (z) exactly where those of the reference are.'] : []),
          ...arrayNotes(golden),
          ...(finding.verdict === 'equivalent' || twoStateSimulator(this.#engines) === undefined ? [] : [TWO_STATE_NOTE]),
        ];
    const added = this.#failed === undefined || finding.mismatch === undefined ? undefined : caseOf(this.#failed, finding.mismatch);
    const caseTask = saveCase === true && golden !== undefined ? { file: caseFileOf(golden.input.file), module: golden.module.name, added } : undefined;
    const written = await writeArtefacts({ saveCase: caseTask, testbenchFile, vcdFile, recording: this.#recording, dut: this.#pair?.dut, goldenName: golden?.module.name });
    return makeResult(finding, {
      request: this.#request,
      dutModule: this.#pair?.dut.module.name,
      goldenModule: this.#pair?.golden.module.name,
      clocks: this.#clocking?.clocks ?? [],
      resets: this.#clocking?.resets ?? [],
      engines: this.#engines,
      notes: [...this.#notes, ...qualified, ...written.notes],
      artefacts: written.artefacts,
      elapsedMs: performance.now() - this.#started,
    });
  }

  get #unknowns(): Unknowns {
    return this.#request.options.unknowns ?? 'ignore';
  }

  #remainingMs(): number {
    return this.#request.options.timeoutMs - (performance.now() - this.#started);
  }

  #budget(share = 1): Budget {
    return { timeoutMs: Math.max(200, this.#remainingMs() * share), signal: this.#hooks.signal };
  }

  #stage(stage: string, share: number): void {
    this.#hooks.progress?.({ stage, share });
  }

  async #find(): Promise<Finding> {
    this.#stage('Reading both modules', 0);
    const pair = await this.#load();
    if ('verdict' in pair) return pair;
    this.#pair = pair;
    const refused = screened(pair, { strict: false });
    if (refused !== undefined) return refused;
    const { engine } = this.#request.options;
    if (engine === 'yosys' || engine === 'yosys-wasm') return this.#proveOnly(pair);
    return this.#simulateOrProve(pair, engine);
  }

  /** Tries the simulators one after the other until one compiles both sides, and then the prover. */
  async #simulateOrProve(pair: Pair, choice: 'auto' | 'iverilog' | 'verilator'): Promise<Finding> {
    const tries: NotSimulated[] = [];
    /** Why engines were not tried. */
    const absent: string[] = [];
    for (const name of choice === 'auto' ? (['iverilog', 'verilator'] as const) : [choice]) {
      const found = await findSimulator(name, this.#env.toolbox);
      if (found.kind === 'broken' && name === 'iverilog') return { verdict: 'tool-error', reason: found.reason };
      const unfit = found.kind === 'found' ? unfitFor(found.tool, this.#unknowns) : found.reason;
      if (found.kind !== 'found' || unfit !== undefined) {
        absent.push(unfit ?? '');
        continue;
      }
      const before = [...tries.map(whyNot), ...absent];
      const outcome = await this.#simulate(pair, found.tool);
      if ('verdict' in outcome) return before.length === 0 ? outcome : { ...outcome, notes: [...(outcome.notes ?? []), ...before] };
      const ending = endingFinding(outcome);
      if (ending !== undefined) return ending;
      tries.push(outcome);
    }
    const [first, ...others] = tries;
    if (first === undefined) {
      if (choice !== 'auto') return { verdict: 'tool-error', reason: absent.join(' ') };
      this.#notes.push(`No simulator was run. ${absent.join(' ')}`);
      return this.#proveOnly(pair);
    }
    const last = others.at(-1) ?? first;
    if (choice === 'auto' && last.prepared !== undefined && this.#unknowns === 'ignore' && tries.every(mayBeLimit)) {
      const decision = await this.#decide(last.prepared);
      if ('finding' in decision && DECIDED.has(decision.finding.verdict)) {
        const finding = this.#accept(decision);
        return { ...finding, notes: [...(finding.notes ?? []), ...tries.map(whyNot)] };
      }
    }
    for (const { engine } of tries) this.#engines.push({ name: engine.name, version: engine.version, role: 'simulation' });
    const finding = refusalFinding([first, ...others], pair);
    return finding.verdict === 'bad-input' ? finding : { ...finding, reason: [finding.reason, ...absent].join(' ') };
  }

  async #load(): Promise<Pair | Finding> {
    const [golden, dut] = await Promise.all([this.#env.load(asSimulated(this.#request.golden)), this.#env.load(asSimulated(this.#request.dut))]);
    if (golden.kind === 'loaded' && dut.kind === 'loaded') return { golden: golden.design, dut: dut.design };
    const rejected = [
      ...(dut.kind === 'rejected' ? [{ name: 'DUT', reason: dut.reason, problems: sideProblems('dut', dut.problems) }] : []),
      ...(golden.kind === 'rejected' ? [{ name: 'Reference', reason: golden.reason, problems: sideProblems('golden', golden.problems) }] : []),
    ];
    return {
      verdict: 'bad-input',
      reason: rejected.map(({ name, reason }) => `${name}: ${reason}`).join(' '),
      problems: rejected.flatMap(({ problems }) => problems),
    };
  }

  /** Matches the interfaces and lays out the ports; a doubtful interface is first asked of the compiler. */
  #prepare(pair: Pair): Prepared | Finding {
    this.#pair = pair;
    const match = matchInterfaces(pair.golden.module, pair.dut.module);
    if (match.kind === 'mismatch') {
      const [first] = match.issues;
      const all = match.issues.length > 1 ? ` in ${String(match.issues.length)} places` : '';
      return { verdict: 'interface-mismatch', reason: `The ports do not correspond${all}: ${first?.message ?? ''}${bareHint(pair)}`, interfaceIssues: match.issues };
    }
    const chosen = chooseClocking(pair.golden.module, pair.dut.module, match.ports, this.#request.options);
    if ('verdict' in chosen) return chosen;
    this.#clocking = chosen;
    const layout = layOut(match.ports, chosen);
    if (layout.observedBits === 0) {
      return { verdict: 'inconclusive', reason: `'${pair.golden.module.name}' has no outputs, so there is nothing to compare; name a module that has some.` };
    }
    const assumption = Assumption.of(this.#request.options.assume ?? [], pair.golden.module, layout);
    if (typeof assumption === 'string') return { verdict: 'bad-input', reason: assumption };
    return { ...pair, layout, clocking: chosen, assumption };
  }

  async #simulate(pair: Pair, engine: SimulationEngine): Promise<Finding | NotSimulated> {
    const report: EngineReport = { name: engine.name, version: engine.version, role: 'simulation', values: engine.fourState ? '01xz' : '01' };
    this.#engines.push(report);
    const outcome = await withTempDir((dir) => this.#simulateIn({ dir, engine, mayCorrect: true }, pair));
    if (!('verdict' in outcome)) this.#engines.splice(this.#engines.indexOf(report), 1);
    return outcome;
  }

  async #simulateIn(bench: Bench, pair: Pair): Promise<Finding | NotSimulated> {
    const prepared = this.#prepare(pair);
    this.#stage('Compiling both modules', 0.1);
    if ('verdict' in prepared) return prepared.verdict === 'interface-mismatch' && bench.mayCorrect ? this.#askCompiler(bench, pair, prepared) : prepared;
    const { layout } = prepared;
    const key = goldenKey(pair.golden, layout, `${bench.engine.name} ${bench.engine.version}`);
    const isKnown = this.#cache.knows(key);
    const compile = this.#compiler(bench, pair, layout);
    const [golden, dut] = await Promise.all([isKnown ? undefined : compile('golden'), compile('dut')]);
    if ((golden !== undefined && golden.kind !== 'runnable') || dut.kind !== 'runnable') return { engine: bench.engine, results: { golden, dut }, prepared };
    const corrected = correctedPorts(pair, { golden, dut });
    if (corrected !== undefined) {
      if (bench.mayCorrect) return this.#simulateIn({ ...bench, mayCorrect: false }, corrected);
      return { verdict: 'tool-error', reason: 'The ports that the compiler elaborates could not be connected; please report this design.' };
    }
    this.#cache.remember(key);
    const [goldenSide, ownSide] = await Promise.all([golden?.build(this.#budget(0.5)), dut.build(this.#budget(0.5))]);
    if ((goldenSide !== undefined && goldenSide.kind !== 'built') || ownSide.kind !== 'built') {
      const failed = (side: typeof goldenSide): NotCompiled | undefined => (side?.kind === 'built' ? undefined : side);
      return { engine: bench.engine, results: { golden: failed(goldenSide), dut: failed(ownSide) }, prepared };
    }
    const made = async (): Promise<Simulated | undefined> => goldenSide?.simulated ?? this.#buildAgain(await compile('golden'));
    const finding = await this.#stages(prepared, bench, new CachedGolden(this.#cache, key, made), ownSide.simulated);
    return bench.engine.fourState ? finding : this.#confirm(finding, prepared);
  }

  /** A golden that was compiled before, for an answer that is not known yet. */
  async #buildAgain(side: RunnableSide | NotCompiled): Promise<Simulated | undefined> {
    const built = side.kind === 'runnable' ? await side.build(this.#budget(0.5)) : undefined;
    return built?.kind === 'built' ? built.simulated : undefined;
  }

  /**
   * A difference that only a simulator of two states has shown is put to the prover, where one can read both sides: such a simulator chooses
   * values where the language has none.
   */
  async #confirm(finding: Finding, prepared: Prepared): Promise<Finding> {
    if (finding.verdict !== 'different' || this.#prover !== undefined) return finding;
    const proof = await this.#prove(prepared);
    if (proof?.kind !== 'proved') return finding;
    this.#failed = undefined;
    this.#recording = undefined;
    const { reason, evidence } = finding;
    return { verdict: 'inconclusive', reason: `The tools disagree: Verilator shows a difference, and the proof says that there is none. ${reason}`, ...(evidence === undefined ? {} : { evidence }) };
  }

  /** An interface that does not match in this analysis is first looked at with the compiler's eyes. */
  async #askCompiler(bench: Bench, pair: Pair, mismatch: Finding): Promise<Finding | NotSimulated> {
    const compile = this.#compiler(bench, pair, undefined);
    const [golden, dut] = await Promise.all([compile('golden'), compile('dut')]);
    const results = { golden, dut };
    if (golden.kind !== 'runnable' || dut.kind !== 'runnable') return { engine: bench.engine, results, prepared: undefined };
    const corrected = correctedPorts(pair, results);
    return corrected === undefined ? mismatch : this.#simulateIn({ ...bench, mayCorrect: false }, corrected);
  }

  /** What compiles a side in its harness, or, without a layout, in a root that only shows its ports. */
  #compiler(bench: Bench, pair: Pair, layout: Layout | undefined): (side: 'golden' | 'dut') => Promise<RunnableSide | NotCompiled> {
    const scales = harnessScales(pair.golden, pair.dut, layout);
    return async (side) => {
      const task = { side, design: pair[side], timescale: scales[side], dir: await freshDir(bench.dir, side) };
      return bench.engine.compile(task, layout, this.#budget(0.5));
    };
  }

  async #stages(prepared: Prepared, bench: Bench, golden: CachedGolden, dut: Simulated): Promise<Finding> {
    const check = new SimulationCheck(
      {
        ...prepared,
        seed: this.#request.options.seed,
        unknowns: this.#unknowns,
        cycles: this.#request.options.cycles,
        locate: locator(prepared),
        remainingMs: () => this.#remainingMs(),
        signal: this.#hooks.signal,
        watchedDut: this.#watchedDut(prepared, bench),
      },
      golden,
      dut,
    );
    const failed = await this.#savedCases(check, prepared);
    if (failed !== undefined) return failed;
    this.#stage('Simulating the first vectors', 0.2);
    const short = await check.short();
    if (short.kind !== 'clean') return this.#settle(short);
    const own = short.evidence.exhaustive ? undefined : await check.ownConstants();
    if (own !== undefined && own.kind !== 'clean') return this.#settle(own);
    this.#record(short.exchange);
    const proof = await this.#prove(prepared, short.exchange);
    if (proof?.kind === 'proved') {
      return { verdict: 'equivalent', reason: proof.reason, evidence: short.evidence, notes: proof.notes };
    }
    if (proof?.kind === 'counterexample' && prepared.assumption?.holdsAll(proof.rows) !== false) {
      this.#stage('Replaying the counterexample', 0.6);
      const replayed = await check.replay(proof.rows);
      if (replayed.kind === 'different') return this.#settle(replayed);
      const behindReset = await this.#replayBehindReset(prepared, check);
      if (behindReset?.kind === 'different') return this.#settle(behindReset);
    }
    if (short.evidence.exhaustive) return this.#bounded(short);
    const every = check.everyInput();
    if (every !== undefined) {
      this.#stage('Simulating every input', 0.6);
      const outcome = await every;
      return outcome.kind === 'clean' ? this.#bounded(outcome) : this.#settle(outcome);
    }
    const stage = (name: string, share: number): void => this.#stage(name, share);
    const solve = this.#prover === undefined ? undefined : makeSolver({ prover: this.#prover, task: { ...prepared, signal: this.#hooks.signal }, cache: this.#cache, remainingMs: this.#remainingMs() });
    const long = await simulateAtLength(short, { check, golden: this.#meter('golden', prepared, bench, golden), dut: this.#meter('dut', prepared, bench, dut), solve, budget: (share) => this.#budget(share), stage });
    return long.kind === 'clean' ? this.#bounded(long) : this.#settle(long);
  }

  /** Tries the regression cases that were saved for the golden; a finding when one of them tells the sides apart. */
  async #savedCases(check: SimulationCheck, { golden, layout, assumption }: Prepared): Promise<Finding | undefined> {
    const file = caseFileOf(golden.input.file);
    const saved = parseCaseFile(await diskFiles.read(file), file);
    if (saved.kind === 'broken') return { verdict: 'bad-input', reason: saved.reason };
    const cases = saved.modules.get(golden.module.name) ?? [];
    let unfit = 0;
    for (const one of cases) {
      this.#stage('Trying the saved cases', 0.15);
      const rows = rowsOfCase(one, layout);
      const outcome = rows !== undefined && assumption?.holdsAll(rows) !== false ? await check.replay(rows, one.compareFrom) : undefined;
      if (outcome === undefined) unfit++;
      else if (outcome.kind !== 'clean') {
        this.#notes.push(`A saved case shows it: ${one.name} (${file}).`);
        return this.#settle(outcome);
      }
    }
    if (cases.length > unfit) this.#notes.push(`No difference in ${count(cases.length - unfit, 'saved case')} of ${file}.`);
    if (unfit > 0) this.#notes.push(`${count(unfit, 'saved case')} of ${file} could not be tried: the ports have changed, or the assumption excludes it.`);
    return undefined;
  }

  #watchedDut({ golden, dut: design, layout }: Prepared, { dir, engine: { iverilog } }: Bench): (() => Promise<WatchedSide | undefined>) | undefined {
    const { parser } = this.#env;
    const timescale = harnessScales(golden, design, layout).dut;
    return parser === undefined || iverilog === undefined ? undefined : async () => WatchedSide.of({ design, layout, timescale, dir: await freshDir(dir, 'dut'), iverilog, parser });
  }

  /** Measures what of one side the stimulus reaches. */
  #meter(side: 'golden' | 'dut', prepared: Prepared, { dir, engine: { iverilog } }: Bench, simulated: Simulated): CoverageMeter | undefined {
    const { parser } = this.#env;
    if (parser === undefined || iverilog === undefined) return undefined;
    const { layout, golden, dut } = prepared;
    const known = simulated instanceof CachedGolden ? { cache: this.#cache, key: simulated.key } : { cache: new GoldenCache(), key: side };
    const timescale = harnessScales(golden, dut, layout)[side];
    return new CoverageMeter({ design: prepared[side], layout, timescale, makeDir: () => freshDir(dir, side), iverilog, parser, side: simulated, ...known });
  }

  #settle(outcome: Exclude<StageOutcome, { kind: 'clean' }>): Finding {
    if (outcome.kind === 'different') {
      this.#failed = outcome.exchange;
      this.#record(outcome.exchange);
    }
    return outcome.finding;
  }

  #record(exchange: Exchange): void {
    this.#recording = (mostSamples) => recordingOf(exchange, mostSamples);
  }

  #bounded({ evidence, notes }: StageOutcome & { kind: 'clean' }): Finding {
    if (evidence.observedOutputBits === 0) {
      return { verdict: 'inconclusive', reason: 'No output of the reference ever had a known value, so nothing could be compared.', evidence, notes };
    }
    const clocked = (this.#clocking?.clocks.length ?? 0) > 0;
    if (this.#unknowns === 'strict') return { verdict: 'no-difference', reason: boundedReason(evidence, clocked, this.#unknowns), evidence, notes };
    const unseen = 1 - evidence.observedOutputBits;
    const blind = unseen > 0 ? [`${String(Math.max(1, Math.round(unseen * 100)))} % of the output bits were never known in the reference, so nothing is said about them.`] : [];
    return { verdict: 'no-difference', reason: boundedReason(evidence, clocked), evidence, notes: [...notes, ...blind] };
  }

  /** Looks for a proof that agrees with what the simulator did, where that is given. */
  async #prove(prepared: Prepared, recorded?: Exchange): Promise<ProofAttempt | undefined> {
    if (!this.#request.options.prove || this.#request.options.engine === 'iverilog') return undefined;
    const prover = await findProver(this.#request.options.engine, this.#env.toolbox);
    if (prover.kind !== 'found') {
      this.#notes.push(`No proof was tried. ${prover.reason}`);
      return undefined;
    }
    this.#prover = prover.tool;
    if (this.#unknowns === 'strict') {
      this.#notes.push(`No proof was tried. ${NO_STRICT_PROOF}`);
      return undefined;
    }
    const provable = underAssumption(prepared);
    if (provable === undefined) {
      this.#notes.push(NO_ASSUMED_PROOF);
      return undefined;
    }
    this.#stage('Looking for a proof', 0.4);
    const attempt = await prover.tool.prove({ ...provable, ...(recorded === undefined ? {} : { recorded }), timeoutMs: Math.min(PROOF_MS, this.#remainingMs() * PROOF_SHARE), signal: this.#hooks.signal });
    if (attempt.kind === 'proved') this.#engines.push({ name: attempt.by.name, version: attempt.by.version, role: 'proof' });
    if (attempt.kind === 'undecided') this.#notes.push(`Not proved: ${attempt.reason}`);
    return attempt;
  }

  /** A counterexample that no simulator shows may hide one that begins with a reset. */
  async #replayBehindReset(prepared: Prepared, check: SimulationCheck): Promise<StageOutcome | undefined> {
    if (this.#prover === undefined || prepared.assumption !== undefined) return undefined;
    this.#stage('Looking for a difference behind a reset', 0.6);
    const attempt = await proveFromReset(this.#prover, { ...prepared, timeoutMs: Math.min(PROOF_MS, this.#remainingMs() * PROOF_SHARE), signal: this.#hooks.signal });
    if (attempt?.kind === 'proved') this.#notes.push('Proved for every input sequence that begins with a reset; what the registers do before one was simulated only.');
    return attempt?.kind === 'counterexample' ? check.replay(attempt.rows) : undefined;
  }

  /** Without a simulator the prover alone decides; its counterexample comes with the values of both sides. */
  async #proveOnly(pair: Pair): Promise<Finding> {
    const decision = await this.#decide(pair);
    return 'verdict' in decision ? decision : this.#accept(decision);
  }

  async #decide(pair: Pair): Promise<Decision | Finding> {
    if (this.#unknowns === 'strict') return { verdict: 'tool-error', reason: `${NO_STRICT_PROOF} Install Icarus Verilog and choose the engine auto or iverilog, or let unknown values be ignored.` };
    const refused = screened(pair, { strict: true });
    if (refused !== undefined) return refused;
    const prepared = this.#prepare(pair);
    if ('verdict' in prepared) return prepared;
    const prover = await findProver(this.#request.options.engine, this.#env.toolbox);
    if (prover.kind !== 'found') return { verdict: 'tool-error', reason: prover.reason };
    const provable = underAssumption(prepared);
    if (provable === undefined) return { verdict: 'inconclusive', reason: NO_ASSUMED_PROOF };
    this.#stage('Looking for a proof', 0.2);
    return prover.tool.decide({ ...provable, timeoutMs: Math.max(200, this.#remainingMs()), signal: this.#hooks.signal, locate: locator(prepared) });
  }

  #accept({ finding, recording, by }: Decision): Finding {
    this.#engines.push({ name: by.name, version: by.version, role: 'proof' });
    this.#recording = recording === undefined ? undefined : () => recording;
    return finding;
  }

}

/** The pair with the ports that the compiler elaborated, or undefined when the analysis had them right. */
function correctedPorts(pair: Pair, results: CompileResults): Pair | undefined {
  const corrected = (design: LoadedDesign, result: CompileResults['dut']): LoadedDesign => {
    if (result?.kind !== 'runnable' || result.ports === undefined || portsAgree(design.module, result.ports)) return design;
    return { ...design, module: withElaboratedPorts(design.module, result.ports) };
  };
  const next = { golden: corrected(pair.golden, results.golden), dut: corrected(pair.dut, results.dut) };
  return next.golden === pair.golden && next.dut === pair.dut ? undefined : next;
}

/** A module without ports beside one with some is most likely the other's testbench. */
function bareHint({ golden, dut }: Pair): string {
  const bare = [dut, golden].find(({ module }) => module.ports.length === 0)?.module.name;
  return bare === undefined ? '' : ` '${bare}' has no ports at all, as a testbench has; name the module that it tests.`;
}

function locator({ golden, dut }: Pair): PortLocator {
  const find = (design: LoadedDesign, port: string) => design.module.ports.find((candidate) => candidate.name === port)?.location;
  return (port) => ({ dut: find(dut, port), golden: find(golden, port) });
}

/** How values of array ports are to be read. */
function arrayNotes(golden: LoadedDesign | undefined): string[] {
  const arrays = (golden?.module.ports ?? []).filter(({ unpacked }) => unpacked.length > 0).map(({ name }) => name);
  return arrays.length === 0 ? [] : [`A value of ${arrays.join(', ')} holds all elements of the array, the one at the left of its declared range in the high bits.`];
}

const TWO_STATE_NOTE =
  'Verilator knows only 0 and 1: each side ran from many power-on states at once, output bits of the reference that depend on them were not compared, and what x or z would change is not judged.';

const NO_STRICT_PROOF = 'Unknown values can only be compared strictly by simulation.';

const NO_ASSUMED_PROOF = 'No proof was tried, because only of a design without state can one be made that keeps to an assumption.';

/** What a prover is asked instead, so that its answer keeps to the assumption; undefined where it would not. */
function underAssumption(prepared: Prepared): Prepared | undefined {
  const { assumption, clocking, layout, golden } = prepared;
  if (assumption === undefined) return prepared;
  const wrapped = clocking.sequential || layout.clockBits > 0 ? undefined : assumption.wrap(golden);
  return wrapped && { ...prepared, golden: wrapped };
}

/** The input with what every simulation defines, so that the analysis reads what the simulator reads. */
function asSimulated(input: DesignInput): DesignInput {
  return { ...input, defines: { __ICARUS__: '1', ...input.defines } };
}

/** The finding for a pair of which a side reaches outside of the simulation. */
function screened({ golden, dut }: Pair, options: { readonly strict: boolean }): Finding | undefined {
  const problems = [...sideProblems('dut', screenDesign(dut, options)), ...sideProblems('golden', screenDesign(golden, options))];
  return problems[0] === undefined ? undefined : { verdict: 'bad-input', reason: problems[0].message, problems };
}
