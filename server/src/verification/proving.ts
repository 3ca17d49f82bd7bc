import { searchInLanes } from './lanes/search.ts';
import { locator, screened, type Pair, type Prepared } from './pair.ts';
import { findProver, type Decision, type ProofAttempt, type ProofTask, type Prover } from './proof/by-proof.ts';
import type { PairOfNetlists } from './proof/graph.ts';
import { makeSolver } from './proof/solve.ts';
import type { Finding } from './report.ts';
import type { Session } from './session.ts';
import type { Rows } from './stimulus/rows.ts';
import type { Exchange } from './witness.ts';

/** Share of the time for a proof, and its upper bound in milliseconds. */
const PROOF_SHARE = 0.2;
const PROOF_MS = 6000;

/** What a search far from power-on may do for each millisecond of the time, in nodes of its graph, and rows without which there is no far. */
const FAR_WORK_PER_MS = 80_000;
const FEWEST_FAR_ROWS = 1000;
/** Share of that for a first look, before the long part of a proof. */
const FIRST_LOOK = 0.2;

const NO_STRICT_PROOF = 'Unknown values can only be compared strictly by simulation.';

const NO_ASSUMED_PROOF = 'No proof was tried, because only of a design without state can one be made that keeps to an assumption.';

const BEHIND_RESET = 'Proved for every input sequence that begins with a reset; what the registers do before one was simulated only.';

/** Rows that a simulator can take, and whether it shows a difference on some. */
interface FarTask {
  readonly mostRows: number;
  readonly shows: (rows: Rows) => Promise<boolean>;
}

/** The prover's part in a verification: beside a simulator, and alone where none runs. */
export class Proving {
  readonly #session: Session;
  /** Set once a proof was tried beside the simulation. */
  #prover: Prover | undefined;
  /** What the sides are to the prover, where it could follow them. */
  #pair: PairOfNetlists | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  get wasTried(): boolean {
    return this.#prover !== undefined;
  }

  /** Looks for a proof, which agrees with what a simulator did, or for rows on which one shows a difference, where there is one. */
  async prove(prepared: Prepared, simulator?: { readonly recorded: Exchange } & FarTask): Promise<ProofAttempt | undefined> {
    const session = this.#session;
    const { prove, engine } = session.request.options;
    if (!prove || engine === 'iverilog') return undefined;
    const prover = await findProver(engine, session.env.toolbox);
    if (prover.kind !== 'found') {
      session.notes.push(`No proof was tried. ${prover.reason}`);
      return undefined;
    }
    this.#prover = prover.tool;
    if (session.unknowns === 'strict') {
      session.notes.push(`No proof was tried. ${NO_STRICT_PROOF}`);
      return undefined;
    }
    const provable = underAssumption(prepared);
    if (provable === undefined) {
      session.notes.push(NO_ASSUMED_PROOF);
      return undefined;
    }
    session.stage('Looking for a proof', 0.4);
    const shown: Rows[] = [];
    const shows = async (rows: Rows): Promise<boolean> => {
      if (shown.length === 0 && (await simulator?.shows(rows)) === true) shown.push(rows);
      return shown.length > 0;
    };
    const elsewhere = async (): Promise<boolean> => {
      await this.#searchInLanes(prepared, { mostRows: simulator?.mostRows ?? 0, shows }, FIRST_LOOK);
      return shown.length > 0;
    };
    const beside = simulator && { recorded: simulator.recorded, shows, elsewhere };
    const attempt = await prover.tool.prove({ ...provable, ...beside, followed: (pair) => void (this.#pair = pair), ...this.#limits() });
    if (shown.length > 0) return attempt;
    if (attempt.kind === 'proved') session.engines.push({ name: attempt.by.name, version: attempt.by.version, role: 'proof' });
    if (attempt.kind === 'undecided') session.notes.push(attempt.behindReset === true ? BEHIND_RESET : `Not proved: ${attempt.reason}`);
    return attempt;
  }

  /** Where no proof was found: looks for a difference far from power-on until a simulator shows one; false where the pair cannot be searched so. */
  async searchFar(prepared: Prepared, task: FarTask): Promise<boolean> {
    this.#session.stage('Looking far', 0.58);
    return this.#searchInLanes(prepared, task, 1);
  }

  async #searchInLanes({ layout, clocking, golden, dut }: Prepared, { mostRows, shows }: FarTask, share: number): Promise<boolean> {
    const { request, time, hooks } = this.#session;
    if (this.#pair === undefined || mostRows < FEWEST_FAR_ROWS) return false;
    const constants = [...golden.module.constants, ...dut.module.constants];
    // A first look goes other ways than the one that may follow.
    const seed = request.options.seed + (share < 1 ? 1 : 0);
    return searchInLanes({ pair: this.#pair, layout, resets: clocking.resets, constants, seed, mostRows, mostWork: share * FAR_WORK_PER_MS * time.ms, signal: hooks.signal, shows });
  }

  /** What finds rows that tell a faulty copy of the golden from it; undefined where no prover was asked. */
  solver(prepared: Prepared): ReturnType<typeof makeSolver> | undefined {
    const { hooks, cache } = this.#session;
    return this.#prover && makeSolver({ prover: this.#prover, task: { ...prepared, signal: hooks.signal }, cache, time: this.#session.time });
  }

  /** Without a simulator the prover alone decides; its counterexample comes with the values of both sides. */
  async proveOnly(pair: Pair): Promise<Finding> {
    const decision = await this.decide(pair);
    return 'verdict' in decision ? decision : this.accept(decision);
  }

  async decide(pair: Pair): Promise<Decision | Finding> {
    const session = this.#session;
    if (session.unknowns === 'strict') return { verdict: 'tool-error', reason: `${NO_STRICT_PROOF} Install Icarus Verilog and choose the engine auto or iverilog, or let unknown values be ignored.` };
    const refused = screened(pair, { strict: true });
    if (refused !== undefined) return refused;
    const prepared = session.prepare(pair);
    if ('verdict' in prepared) return prepared;
    const prover = await findProver(session.request.options.engine, session.env.toolbox);
    if (prover.kind !== 'found') return { verdict: 'tool-error', reason: prover.reason };
    const provable = underAssumption(prepared);
    if (provable === undefined) return { verdict: 'inconclusive', reason: NO_ASSUMED_PROOF };
    session.stage('Looking for a proof', 0.2);
    return prover.tool.decide({ ...provable, timeoutMs: session.time.part(1).cpuMs, wallMs: session.time.remainingMs(), signal: session.hooks.signal, locate: locator(prepared) });
  }

  /** The finding of a decision, which the result will rest on. */
  accept({ finding, recording, by }: Decision): Finding {
    this.#session.engines.push({ name: by.name, version: by.version, role: 'proof' });
    this.#session.recording = recording === undefined ? undefined : () => recording;
    return finding;
  }

  #limits(): Pick<ProofTask, 'timeoutMs' | 'wallMs' | 'signal'> {
    const { time } = this.#session;
    return { timeoutMs: time.part(PROOF_SHARE, PROOF_MS).cpuMs, wallMs: time.remainingMs(), signal: time.signal };
  }
}

/** What a prover is asked instead, so that its answer keeps to the assumption; undefined where it would not. */
function underAssumption(prepared: Prepared): Prepared | undefined {
  const { assumption, clocking, layout, golden } = prepared;
  if (assumption === undefined) return prepared;
  const wrapped = clocking.sequential || layout.clockBits > 0 ? undefined : assumption.wrap(golden);
  return wrapped && { ...prepared, golden: wrapped };
}
