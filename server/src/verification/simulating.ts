import { diskFiles } from '../base/files.ts';
import { withTempDir } from '../base/tempdir.ts';
import { simulateAtLength } from './at-length.ts';
import { harnessScales, SimulationCheck } from './by-simulation.ts';
import { caseFileOf, parseCaseFile, rowsOfCase } from './cases.ts';
import { CoverageMeter } from './coverage/coverage.ts';
import { WatchedSide } from './coverage/watched.ts';
import { freshDir } from './elaborate-ports.ts';
import type { NotCompiled, RunnableSide, Simulated, SimulationEngine } from './engine.ts';
import { CachedGolden, GoldenCache, goldenKey } from './golden-cache.ts';
import { correctedPorts, locator, type Pair, type Prepared } from './pair.ts';
import type { Proving } from './proving.ts';
import type { FailedTry } from './refusal.ts';
import { RememberedSide } from './remembered-side.ts';
import { boundedReason, type Finding } from './report.ts';
import type { Session } from './session.ts';
import type { StageOutcome } from './side-by-side.ts';
import type { Layout } from './stimulus/layout.ts';
import type { Rows } from './stimulus/rows.ts';
import { count } from './value-text.ts';
import type { EngineReport, RegressionCase } from './verdict.ts';

/** Share of the time for a compiler. */
const COMPILE_SHARE = 0.5;

/** A pair that an engine could not compile, with what it was given. */
export interface NotSimulated extends FailedTry {
  readonly prepared: Prepared | undefined;
}

/** Compares a pair by simulating it with one engine, and asks the prover in between. */
export async function simulatePair(session: Session, proving: Proving, engine: SimulationEngine, pair: Pair): Promise<Finding | NotSimulated> {
  const report: EngineReport = { name: engine.name, version: engine.version, role: 'simulation', values: engine.fourState ? '01xz' : '01' };
  session.engines.push(report);
  const outcome = await withTempDir((dir) => new Simulating(session, proving, engine, dir).run(pair, true), { runsPrograms: engine.name === 'verilator' });
  if ('verdict' in outcome) return outcome;
  session.engines.splice(session.engines.indexOf(report), 1);
  if (Object.values(outcome.results).some((result) => result?.kind === 'failed' && result.cause === 'timed-out')) session.time.spend(COMPILE_SHARE);
  return outcome;
}

class Simulating {
  readonly #session: Session;
  readonly #proving: Proving;
  readonly #engine: SimulationEngine;
  readonly #dir: string;
  /** The prover has found a difference that no simulation shows. */
  #unshown = false;

  constructor(session: Session, proving: Proving, engine: SimulationEngine, dir: string) {
    this.#session = session;
    this.#proving = proving;
    this.#engine = engine;
    this.#dir = dir;
  }

  /** `mayCorrect`: the compiler's view of the ports may still replace the analysis'. */
  async run(pair: Pair, mayCorrect: boolean): Promise<Finding | NotSimulated> {
    const [session, engine] = [this.#session, this.#engine];
    const prepared = session.prepare(pair);
    session.stage('Compiling both modules', 0.1);
    if ('verdict' in prepared) return prepared.verdict === 'interface-mismatch' && mayCorrect ? this.#askCompiler(pair, prepared) : prepared;
    const { layout } = prepared;
    const key = goldenKey(pair.golden, layout, `${engine.name} ${engine.version}`);
    const compile = this.#compiler(pair, layout);
    const [golden, dut] = await Promise.all([session.cache.knows(key) ? undefined : compile('golden'), compile('dut')]);
    if ((golden !== undefined && golden.kind !== 'runnable') || dut.kind !== 'runnable') return { engine, results: { golden, dut }, prepared };
    const corrected = correctedPorts(pair, { golden, dut });
    if (corrected !== undefined) {
      if (mayCorrect) return this.run(corrected, false);
      return { verdict: 'tool-error', reason: 'The ports that the compiler elaborates could not be connected; please report this design.' };
    }
    session.cache.remember(key);
    const [goldenSide, ownSide] = await Promise.all([golden?.build(session.time.part(COMPILE_SHARE)), dut.build(session.time.part(COMPILE_SHARE))]);
    if ((goldenSide !== undefined && goldenSide.kind !== 'built') || ownSide.kind !== 'built') {
      const failed = (side: typeof goldenSide): NotCompiled | undefined => (side?.kind === 'built' ? undefined : side);
      return { engine, results: { golden: failed(goldenSide), dut: failed(ownSide) }, prepared };
    }
    const made = async (): Promise<Simulated | undefined> => goldenSide?.simulated ?? this.#buildAgain(await compile('golden'));
    const finding = await this.#stages(prepared, new CachedGolden(session.cache, key, made), new RememberedSide(ownSide.simulated));
    return engine.fourState ? finding : this.#confirm(finding, prepared);
  }

  /** A golden that was compiled before, for an answer that is not known yet. */
  async #buildAgain(side: RunnableSide | NotCompiled): Promise<Simulated | undefined> {
    const built = side.kind === 'runnable' ? await side.build(this.#session.time.part(COMPILE_SHARE)) : undefined;
    return built?.kind === 'built' ? built.simulated : undefined;
  }

  /** An interface that does not match in this analysis is first looked at with the compiler's eyes. */
  async #askCompiler(pair: Pair, mismatch: Finding): Promise<Finding | NotSimulated> {
    const compile = this.#compiler(pair, undefined);
    const [golden, dut] = await Promise.all([compile('golden'), compile('dut')]);
    const results = { golden, dut };
    if (golden.kind !== 'runnable' || dut.kind !== 'runnable') return { engine: this.#engine, results, prepared: undefined };
    const corrected = correctedPorts(pair, results);
    return corrected === undefined ? mismatch : this.run(corrected, false);
  }

  /** What compiles a side in its harness, or, without a layout, in a root that only shows its ports. */
  #compiler(pair: Pair, layout: Layout | undefined): (side: 'golden' | 'dut') => Promise<RunnableSide | NotCompiled> {
    const scales = harnessScales(pair.golden, pair.dut, layout);
    return async (side) => {
      const task = { side, design: pair[side], timescale: scales[side], dir: freshDir(this.#dir, side) };
      return this.#engine.compile(task, layout, this.#session.time.part(COMPILE_SHARE));
    };
  }

  /**
   * A difference that only a simulator of two states has shown is put to the prover, where one can read both sides: such a simulator chooses
   * values where the language has none.
   */
  async #confirm(finding: Finding, prepared: Prepared): Promise<Finding> {
    if (finding.verdict !== 'different' || this.#proving.wasTried) return finding;
    const proof = await this.#proving.prove(prepared);
    if (proof?.kind !== 'proved') return finding;
    this.#session.failed = undefined;
    this.#session.recording = undefined;
    const { reason, evidence } = finding;
    return { verdict: 'inconclusive', reason: `The tools disagree: Verilator shows a difference, and the proof says that there is none. ${reason}`, ...(evidence === undefined ? {} : { evidence }) };
  }

  async #stages(prepared: Prepared, golden: CachedGolden, dut: Simulated): Promise<Finding> {
    const session = this.#session;
    const { seed, cycles, brief = false } = session.request.options;
    const watchedDut = this.#watched('dut', prepared);
    const check = new SimulationCheck(
      {
        ...prepared,
        seed,
        unknowns: session.unknowns,
        cycles,
        locate: locator(prepared),
        time: session.time,
        brief,
        watchedDut,
      },
      golden,
      dut,
    );
    const failed = (await this.#firstCases(check, prepared)) ?? (await this.#savedCases(check, prepared));
    if (failed !== undefined) return failed;
    session.stage('Simulating the first vectors', 0.2);
    const short = await check.short();
    if (short.kind !== 'clean') return this.#settle(short);
    const own = short.evidence.exhaustive ? undefined : await check.ownConstants();
    if (own !== undefined && own.kind !== 'clean') return this.#settle(own);
    session.record(short.exchange);
    const shown: Finding[] = [];
    const shows = async (rows: Rows): Promise<boolean> => {
      if (prepared.assumption?.holdsAll(rows) === false) return false;
      const replayed = await check.replay(rows);
      if (replayed.kind === 'different') shown.push(this.#settle(replayed));
      return replayed.kind === 'different';
    };
    const proof = await this.#proving.prove(prepared, { recorded: short.exchange, mostRows: check.mostRows, shows });
    const soon = shown.at(-1);
    if (soon !== undefined) return soon;
    if (proof?.kind === 'proved') {
      return { verdict: 'equivalent', reason: proof.reason, evidence: short.evidence, notes: proof.notes };
    }
    this.#unshown = proof?.kind === 'counterexample';
    if (short.evidence.exhaustive) return this.#bounded(short);
    const every = check.everyInput();
    if (every !== undefined) {
      session.stage('Simulating every input', 0.6);
      const outcome = await every;
      return outcome.kind === 'clean' ? this.#bounded(outcome) : this.#settle(outcome);
    }
    const isSearched = await this.#proving.searchFar(prepared, { mostRows: check.mostRows, shows });
    const far = shown.at(-1);
    if (far !== undefined) return far;
    const long = await simulateAtLength(short, {
      check,
      golden: this.#meter('golden', this.#watched('golden', prepared), golden),
      dut: this.#meter('dut', watchedDut, dut),
      solve: this.#proving.solver(prepared),
      isSearched,
      time: session.time,
      stage: (name, share) => session.stage(name, share),
    });
    return long.kind === 'clean' ? this.#bounded(long) : this.#settle(long);
  }

  /** Tries the stimuli that the caller gave. */
  async #firstCases(check: SimulationCheck, prepared: Prepared): Promise<Finding | undefined> {
    for (const one of this.#session.request.options.first ?? []) {
      const outcome = await replayCase(one, check, prepared);
      if (outcome !== undefined && outcome.kind !== 'clean') return this.#settle(outcome);
    }
    return undefined;
  }

  /** Tries the regression cases that were saved for the golden; a finding when one of them tells the sides apart. */
  async #savedCases(check: SimulationCheck, prepared: Prepared): Promise<Finding | undefined> {
    const { golden } = prepared;
    const { notes } = this.#session;
    const file = caseFileOf(golden.input.file);
    const saved = parseCaseFile(await diskFiles.read(file), file);
    if (saved.kind === 'broken') return { verdict: 'bad-input', reason: saved.reason };
    const cases = saved.modules.get(golden.module.name) ?? [];
    let unfit = 0;
    for (const one of cases) {
      this.#session.stage('Trying the saved cases', 0.15);
      const outcome = await replayCase(one, check, prepared);
      if (outcome === undefined) unfit++;
      else if (outcome.kind !== 'clean') {
        notes.push(`A saved case shows it: ${one.name} (${file}).`);
        return this.#settle(outcome);
      }
    }
    if (cases.length > unfit) notes.push(`No difference in ${count(cases.length - unfit, 'saved case')} of ${file}.`);
    if (unfit > 0) notes.push(`${count(unfit, 'saved case')} of ${file} could not be tried: the ports have changed, or the assumption excludes it.`);
    return undefined;
  }

  /** What makes the watched copy of a side, which all that needs one share; undefined where none can be made. */
  #watched(side: 'golden' | 'dut', prepared: Prepared): (() => Promise<WatchedSide | undefined>) | undefined {
    const { parser } = this.#session.env;
    if (parser === undefined) return undefined;
    const { layout, golden, dut } = prepared;
    let made: Promise<WatchedSide | undefined> | undefined;
    return () => {
      const timescale = harnessScales(golden, dut, layout)[side];
      made ??= WatchedSide.of({ side, design: prepared[side], layout, timescale, dir: freshDir(this.#dir, side), engine: this.#engine, parser });
      return made;
    };
  }

  /** Measures what of one side the stimulus reaches. */
  #meter(side: 'golden' | 'dut', watched: (() => Promise<WatchedSide | undefined>) | undefined, simulated: Simulated): CoverageMeter | undefined {
    if (watched === undefined) return undefined;
    const known = simulated instanceof CachedGolden ? { cache: this.#session.cache, key: simulated.key } : { cache: new GoldenCache(), key: side };
    return new CoverageMeter({ watched, engine: this.#engine, simulated, ...known });
  }

  #settle(outcome: Exclude<StageOutcome, { kind: 'clean' }>): Finding {
    if (outcome.kind === 'different') {
      this.#session.failed = outcome.exchange;
      this.#session.record(outcome.exchange);
    }
    return outcome.finding;
  }

  #bounded({ evidence, notes }: StageOutcome & { kind: 'clean' }): Finding {
    if (evidence.observedOutputBits === 0) {
      return { verdict: 'inconclusive', reason: 'No output of the reference ever had a known value, so nothing could be compared.', evidence, notes };
    }
    const { unknowns, clocking } = this.#session;
    const clocked = (clocking?.clocks.length ?? 0) > 0;
    if (unknowns === 'strict') return { verdict: 'no-difference', reason: boundedReason(evidence, clocked, unknowns), evidence, notes };
    const unseen = 1 - evidence.observedOutputBits;
    const unshown = this.#unshown ? ['Not proved: The prover differs from the simulator about what an unknown value does, and finds a difference that no simulation shows.'] : [];
    const blind = unseen > 0 ? [`${String(Math.max(1, Math.round(unseen * 100)))} % of the output bits were never known in the reference, so nothing is said about them.`] : [];
    return { verdict: 'no-difference', reason: boundedReason(evidence, clocked), evidence, notes: [...notes, ...unshown, ...blind] };
  }
}

/** Undefined where the ports are not those of the case any more, or the assumption excludes it. */
async function replayCase(one: RegressionCase, check: SimulationCheck, { layout, assumption }: Prepared): Promise<StageOutcome | undefined> {
  const rows = rowsOfCase(one, layout);
  return rows !== undefined && assumption?.holdsAll(rows) !== false ? check.replay(rows, one.compareFrom) : undefined;
}
