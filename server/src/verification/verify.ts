import type { DesignInput, LoadedDesign } from '../analysis/design.ts';
import { TempDirError } from '../base/tempdir.ts';
import { writeArtefacts } from './artefacts.ts';
import { caseFileOf, caseOf } from './cases.ts';
import type { SimulationEngine } from './engine.ts';
import { screened, type Pair } from './pair.ts';
import { Proving } from './proving.ts';
import { findFixes, type Look } from './fix/fix.ts';
import { endingFinding, mayBeLimit, refusalFinding, sideProblems, unfitFor, whyNot } from './refusal.ts';
import { makeResult, type Finding } from './report.ts';
import { Session, type VerifyEnv, type VerifyHooks } from './session.ts';
import { simulatePair, type NotSimulated } from './simulating.ts';
import { findSimulator } from './simulators.ts';
import { TimeBudget } from './time-budget.ts';
import { twoStateSimulator, type EngineReport, type FixSearch, type Mismatch, type VerdictKind, type VerifyOptions, type VerifyRequest, type VerifyResult } from './verdict.ts';

/** Compares a DUT with its golden and says what was found; never throws for anything that is wrong with the inputs. */
export async function verify(request: VerifyRequest, env: VerifyEnv, hooks: VerifyHooks): Promise<VerifyResult> {
  const session = new Session(request, env, hooks);
  const result = await resultOf(session, await find(session).catch(withoutTempDir));
  if (request.options.fix !== true || result.mismatch === undefined) return result;
  const fix = await fixesFor(session, result.mismatch);
  return { ...result, fix, elapsedMs: session.time.elapsedMs() };
}

/** Cycles of the short look at a change of the DUT, and its time: a change may make the DUT hang. */
const SHORT_LOOK = 200;
const SHORT_LOOK_MS = 3000;

/** Looks for a small change with which the DUT is right. */
async function fixesFor(session: Session, mismatch: Mismatch): Promise<FixSearch | undefined> {
  const { request, env, hooks, pair, failed, cache } = session;
  if (pair === undefined || env.parser === undefined) return undefined;
  const time = new TimeBudget(request.options.timeoutMs, hooks.signal);
  const plain: VerifyOptions = { ...request.options, brief: true, fix: false, first: failed === undefined ? [] : [caseOf(failed, mismatch)], testbenchFile: undefined, vcdFile: undefined, saveCase: false };
  // A simulator that builds a program takes its time for every change.
  const shortMs = Math.max(SHORT_LOOK_MS, twoStateSimulator(session.engines) === undefined ? 0 : session.time.elapsedMs());
  const options = (how: Look): VerifyOptions => {
    const left = Math.min(time.remainingMs(), time.ms);
    if (how === 'whole') return { ...plain, timeoutMs: left };
    return how === 'by proof' ? { ...plain, cycles: SHORT_LOOK, timeoutMs: left } : { ...plain, cycles: SHORT_LOOK, prove: false, timeoutMs: Math.min(left, shortMs) };
  };
  return findFixes({
    dut: pair.dut,
    shared: new Set(pair.golden.sources.map(({ file }) => file)),
    suspects: mismatch.suspects ?? [],
    parser: env.parser,
    time,
    verify: (file, text, how) => verify({ ...request, dut: { ...request.dut, ...(file === pair.dut.input.file ? { text } : { texts: { [file]: text } }) }, options: options(how) }, { ...env, cache }, hooks.signal === undefined ? {} : { signal: hooks.signal }),
    progress: (share) => session.stage('Looking for a small change that makes it right', share),
  });
}

function withoutTempDir(error: unknown): Finding {
  if (error instanceof TempDirError) return { verdict: 'tool-error', reason: error.message };
  throw error;
}

/** Verdicts that say of the pair that it agrees or differs. */
const DECIDED: ReadonlySet<VerdictKind> = new Set<VerdictKind>(['equivalent', 'different', 'no-difference']);

async function find(session: Session): Promise<Finding> {
  session.stage('Reading both modules', 0);
  const pair = await load(session);
  if ('verdict' in pair) return pair;
  session.pair = pair;
  const refused = screened(pair, { strict: false });
  if (refused !== undefined) return refused;
  const { engine } = session.request.options;
  const proving = new Proving(session);
  return engine === 'yosys' || engine === 'yosys-wasm' ? proving.proveOnly(pair) : simulateOrProve(session, proving, pair, engine);
}

async function load({ env, request }: Session): Promise<Pair | Finding> {
  const [golden, dut] = await Promise.all([env.load(asSimulated(request.golden)), env.load(asSimulated(request.dut))]);
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

/** The input with what every simulation defines, so that the analysis reads what the simulator reads. */
function asSimulated(input: DesignInput): DesignInput {
  return { ...input, defines: { __ICARUS__: '1', ...input.defines } };
}

/** Tries the simulators one after the other until one compiles both sides, and then the prover. */
async function simulateOrProve(session: Session, proving: Proving, pair: Pair, choice: 'auto' | SimulationEngine['name']): Promise<Finding> {
  const tries: NotSimulated[] = [];
  /** Why engines were not tried. */
  const absent: string[] = [];
  let broken: { readonly finding: Finding; readonly engines: readonly EngineReport[] } | undefined;
  for (const name of choice === 'auto' ? (['iverilog', 'verilator'] as const) : [choice]) {
    const found = await findSimulator(name, session.env.toolbox);
    if (found.kind === 'broken' && name === 'iverilog') return { verdict: 'tool-error', reason: found.reason };
    const unfit = found.kind === 'found' ? unfitFor(found.tool, session.unknowns) : found.reason;
    if (found.kind !== 'found' || unfit !== undefined) {
      absent.push(unfit ?? '');
      continue;
    }
    const before = [...tries.map(whyNot), ...absent];
    const outcome = await simulatePair(session, proving, found.tool, pair);
    if ('verdict' in outcome && outcome.isBroken === true && choice === 'auto') {
      broken ??= { finding: outcome, engines: session.engines.splice(0) };
      absent.push(`${found.tool.title} could not be used. ${outcome.reason}`);
      continue;
    }
    if ('verdict' in outcome) return before.length === 0 ? outcome : { ...outcome, notes: [...(outcome.notes ?? []), ...before] };
    const ending = endingFinding(outcome);
    if (ending !== undefined) return ending;
    tries.push(outcome);
  }
  if (broken !== undefined) {
    session.engines.push(...broken.engines);
    return broken.finding;
  }
  const [first, ...others] = tries;
  if (first === undefined) {
    if (choice !== 'auto') return { verdict: 'tool-error', reason: absent.join(' ') };
    session.notes.push(`No simulator was run. ${absent.join(' ')}`);
    return proving.proveOnly(pair);
  }
  const last = others.at(-1) ?? first;
  if (choice === 'auto' && last.prepared !== undefined && session.unknowns === 'ignore' && tries.every(mayBeLimit)) {
    const decision = await proving.decide(last.prepared);
    if ('finding' in decision && DECIDED.has(decision.finding.verdict)) {
      const finding = proving.accept(decision);
      return { ...finding, notes: [...(finding.notes ?? []), ...tries.map(whyNot)] };
    }
  }
  for (const { engine } of tries) session.engines.push({ name: engine.name, version: engine.version, role: 'simulation' });
  const finding = refusalFinding([first, ...others], pair);
  return finding.verdict === 'bad-input' ? finding : { ...finding, reason: [finding.reason, ...absent].join(' ') };
}

/** Writes the artefacts that were asked for, and puts the finding and what qualifies it into the stable result. */
async function resultOf(session: Session, finding: Finding): Promise<VerifyResult> {
  const { request, pair, clocking, engines, notes, failed } = session;
  const { testbenchFile, vcdFile, saveCase, assume = [] } = request.options;
  const golden = pair?.golden;
  const qualified = !DECIDED.has(finding.verdict)
    ? []
    : [
        ...(assume.length > 0 ? [`Only inputs that keep to ${assume.join(' and ')} were considered.`] : []),
        ...(session.unknowns === 'strict' ? ['The outputs had to be unknown (x) or undriven (z) exactly where those of the reference are.'] : []),
        ...arrayNotes(golden),
        ...(finding.verdict === 'equivalent' || twoStateSimulator(engines) === undefined ? [] : [TWO_STATE_NOTE]),
      ];
  const added = (): ReturnType<typeof caseOf> | undefined => (failed === undefined || finding.mismatch === undefined ? undefined : caseOf(failed, finding.mismatch));
  const caseTask = saveCase === true && golden !== undefined ? { file: caseFileOf(golden.input.file), module: golden.module.name, added: added() } : undefined;
  const written = await writeArtefacts({ saveCase: caseTask, testbenchFile, vcdFile, recording: session.recording, dut: pair?.dut, goldenName: golden?.module.name });
  const told = request.options.brief === true ? { ...finding, witness: [] } : finding;
  return makeResult(told, {
    request,
    dutModule: pair?.dut.module.name,
    goldenModule: golden?.module.name,
    clocks: clocking?.clocks ?? [],
    resets: clocking?.resets ?? [],
    engines,
    notes: [...notes, ...qualified, ...written.notes],
    artefacts: written.artefacts,
    elapsedMs: session.time.elapsedMs(),
  });
}

/** How values of array ports are to be read. */
function arrayNotes(golden: LoadedDesign | undefined): string[] {
  const arrays = (golden?.module.ports ?? []).filter(({ unpacked }) => unpacked.length > 0).map(({ name }) => name);
  return arrays.length === 0 ? [] : [`A value of ${arrays.join(', ')} holds all elements of the array, the one at the left of its declared range in the high bits.`];
}

const TWO_STATE_NOTE =
  'Verilator knows only 0 and 1: each side ran from many power-on states at once, output bits of the reference that depend on them were not compared, and what x or z would change is not judged, those included that a read beyond an array gives.';
