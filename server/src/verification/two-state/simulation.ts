import path from 'node:path';
import type { LoadedDesign } from '../../analysis/design.ts';
import { runConfined } from '../../base/confinement.ts';
import { readLeft, writeScratch } from '../../base/scratch-files.ts';
import type { RunFailure } from '../../base/process.ts';
import { youngKeywordsAsNames } from '../../syntax/grammar-gaps.ts';
import { complaintOf } from '../../tools/complaint.ts';
import type { LintMessage } from '../../tools/lint-message.ts';
import type { Verilator } from '../../tools/verilator.ts';
import { NO_LAYOUT, type Budget, type CompilerProblem, type NotCompiled, type RunnableSide, type SideRun, type SideTask, type Simulated, type SimulationEngine, type Wanted, type WatchedRun, type Watching } from '../engine.ts';
import { makeProbe, type Harness } from '../harness/harness.ts';
import { INSTANCE } from '../harness/naming.ts';
import { COMPARED_FILE, MARKS_FILE, type Watch } from '../harness/watch.ts';
import { MEMORY_BYTES, PRINT_BYTES, runSide } from '../run-side.ts';
import type { ScreenedRun } from '../screen.ts';
import { timescaleDirective } from '../source-scan.ts';
import type { Layout } from '../stimulus/layout.ts';
import type { Rows } from '../stimulus/rows.ts';
import { closeDesign, isClosed, type ClosedText } from './closed-text.ts';
import { noteArguments, notePrelude, Notes } from './notes.ts';
import { DUT_STATES, GOLDEN_STATES, makeDriver, makeWrapper, WATCHED_STATES } from './wrapper.ts';

const WRAPPER_FILE = 'wrapper.v';
const PROGRAM = 'simulation';

/** Verilator as the simulator of a verification: the values 0 and 1 only, and every side in many power-on states at once. */
export function twoStateEngine(verilator: Verilator): SimulationEngine {
  return {
    name: 'verilator',
    title: 'Verilator',
    version: verilator.version,
    fourState: false,
    dumps: false,
    compile: (task, layout, budget) => compile(verilator, task, layout, budget),
    watching: (task, layout) => twoStateWatching(verilator, task, layout),
  };
}

function twoStateWatching(verilator: Verilator, task: SideTask, layout: Layout): Watching {
  const notes = new Notes();
  return {
    mark: (branch) => notes.mark(branch),
    note: (index, left, right) => notes.note(index, left, right),
    async compile(copy, watch, budget) {
      const compiled = await compile(verilator, { ...task, ...copy }, layout, budget, { notes, watch });
      const built = compiled.kind === 'runnable' ? await compiled.build(budget) : undefined;
      if (built?.kind !== 'built') return undefined;
      return { constants: new Set(), record: (rows, wanted, limit) => built.simulated.record(rows, wanted, limit) };
    },
  };
}

interface Watched {
  readonly notes: Notes;
  readonly watch: Watch;
}

type Runnable = Omit<RunnableSide, 'build'> & { readonly build: (budget: Budget) => Promise<{ readonly kind: 'built'; readonly simulated: TwoStateSimulation } | NotCompiled> };

/** `watched`: the sources hold notes, which a run is to keep. */
async function compile(verilator: Verilator, { side, design, timescale, dir }: SideTask, layout: Layout | undefined, budget: Budget, watched?: Watched): Promise<Runnable | NotCompiled> {
  const closed = closeDesign(design);
  if (closed.kind === 'forbidden') return closed;
  if (closed.kind === 'unsuited') return { kind: 'refused', problems: closed.problems.map((problem) => ({ ...problem, about: 'unsupported' })) };
  const options = { module: design.module.name, parameters: design.input.parameters ?? {}, timescale, sources: design.sources.map(({ text }) => text), ports: design.module.ports };
  const wrapper = layout === undefined ? makeProbe(options) : makeWrapper({ ...options, layout });
  if (!isClosed(wrapper.text)) return { kind: 'failed', cause: 'tool', message: 'A value that is given for a parameter cannot be given to Verilator.' };
  await writeScratch(path.join(dir, WRAPPER_FILE), wrapper.text);
  for (const { name, text } of closed.texts) await writeScratch(path.join(dir, name), watched === undefined ? text : watched.notes.asCalls(text));
  // Without one, a design that keeps its own time is paced in seconds, the unit that the language has then.
  const defaultScale = timescale ?? (layout?.fields.length === 0 ? { unit: 0, precision: 0 } : undefined);
  const translated = await verilator.translate({
    dir,
    files: [WRAPPER_FILE, ...closed.texts.map(({ name }) => name)],
    top: wrapper.name,
    timescale: defaultScale && timescaleDirective(defaultScale).trim().replace('`timescale ', ''),
    old: closed.texts.every(({ name, text }) => name.endsWith('.v') && youngKeywordsAsNames(text).size > 0),
    ...limits(budget),
  });
  if (translated.kind === 'failed') return refusal(translated.messages, closed.texts, design, wrapper, layout);
  if (translated.kind !== 'translated') return failureOf(translated, 'Verilator');
  const misfit = translated.warnings.find(({ file, code }) => file === WRAPPER_FILE && /^(?:WIDTH|PIN)/.test(code));
  if (layout !== undefined && misfit !== undefined) return { kind: 'failed', cause: 'tool', message: `Verilator sees other ports than this analysis: ${misfit.message}` };
  const build: Runnable['build'] = async (limit) => {
    if (layout === undefined) return NO_LAYOUT;
    const program = path.join(dir, PROGRAM);
    const states = watched !== undefined ? WATCHED_STATES : side === 'golden' ? GOLDEN_STATES : DUT_STATES;
    const driver = makeDriver({ layout, timescale }, states, watched?.watch);
    const built = await verilator.build({ modelDir: translated.modelDir, prelude: watched === undefined ? '' : notePrelude(watched.watch), driver, output: program, ...limits(limit) });
    if (built.kind === 'failed') return { kind: 'failed', cause: 'tool', message: `The C++ compiler refused what Verilator made of it: ${built.message}` };
    if (built.kind !== 'built') return failureOf(built, 'The C++ compiler');
    return { kind: 'built', simulated: new TwoStateSimulation({ program, dir, layout, images: closed.images }) };
  };
  return { kind: 'runnable', ports: undefined, build };
}

function limits({ timeoutMs, cpuMs, signal }: Budget) {
  return { timeoutMs, cpuMs, signal, memoryBytes: MEMORY_BYTES };
}

function refusal(messages: readonly LintMessage[], texts: readonly ClosedText[], { input, module }: LoadedDesign, wrapper: Harness, layout: Layout | undefined): NotCompiled {
  // The wrapper's own nets stand for ports of the design.
  const portOf = (net: string, direction: string, index: string): string => (direction === 'in' ? layout?.fields : layout?.observed)?.[Number(index)]?.port ?? net;
  const nets = new RegExp(String.raw`\b${wrapper.name}\.(in|out)_(\d+)\b`, 'g');
  const problems = messages.map(({ file, line, column, message, about }): CompilerProblem => {
    const text = texts.find(({ name }) => name === file);
    const place = text === undefined ? { file: input.file, line: undefined, character: undefined } : text.locate(line, column);
    return { ...place, about: about === 'unsupported' ? about : complaintOf(message), message: message.replaceAll(`${wrapper.name}.${INSTANCE}`, module.name).replace(nets, portOf) };
  });
  return { kind: 'refused', problems };
}

function failureOf(failure: RunFailure, tool: string): NotCompiled {
  switch (failure.kind) {
    case 'cancelled':
      return { kind: 'failed', cause: 'cancelled', message: 'Cancelled.' };
    case 'timed-out':
      return { kind: 'failed', cause: 'timed-out', message: `${tool} did not finish in time.` };
    case 'not-found':
      return { kind: 'failed', cause: 'tool', message: `'${failure.command}' could not be started.` };
    case 'output-limit':
      return { kind: 'failed', cause: 'crashed', message: `${tool} printed without end.` };
    case 'crashed':
      return { kind: 'failed', cause: 'crashed', message: `${tool} broke down on it (${failure.signal}).` };
  }
}

/** One side as a native program; each run gets a directory of its own. */
class TwoStateSimulation implements Simulated {
  readonly #side: { readonly program: string; readonly dir: string; readonly layout: Layout; readonly images: ScreenedRun['images'] };
  #runs = 0;

  constructor(side: { readonly program: string; readonly dir: string; readonly layout: Layout; readonly images: ScreenedRun['images'] }) {
    this.#side = side;
  }

  run(rows: Rows, budget: Budget): Promise<SideRun> {
    return this.#runIn(this.#freshDir(), [], rows, budget);
  }

  /** A run of a watched copy. */
  async record(rows: Rows, wanted: Wanted, budget: Budget): Promise<WatchedRun | undefined> {
    const cwd = this.#freshDir();
    const run = await this.#runIn(cwd, noteArguments(wanted), rows, budget);
    if (run.kind !== 'finished') return undefined;
    return { trace: run.trace, marks: await readLeft(path.join(cwd, MARKS_FILE)), compared: await readLeft(path.join(cwd, COMPARED_FILE)), changes: undefined };
  }

  #freshDir(): string {
    return path.join(this.#side.dir, `run-${String(this.#runs++)}`);
  }

  #runIn(cwd: string, args: readonly string[], rows: Rows, budget: Budget): Promise<SideRun> {
    const { program, layout, images } = this.#side;
    return runSide({ cwd, rows, layout, images, budget }, (signal, onStdout) =>
      runConfined(program, args, { cwd, env: { LC_ALL: 'C' }, timeoutMs: Math.max(1, budget.timeoutMs), cpuMs: budget.cpuMs, signal, onStdout, maxOutputBytes: PRINT_BYTES, memoryBytes: MEMORY_BYTES }),
    );
  }

  /** Every run is made of drawn states already. */
  withDrawnState(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
