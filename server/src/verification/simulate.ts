import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DesignSource, LoadedDesign, SourceProblem } from '../analysis/design.ts';
import type { Port } from '../analysis/module.ts';
import { diskFiles } from '../base/files.ts';
import type { RunFailure, RunResult } from '../base/process.ts';
import type { ToolMessage } from '../tools/iverilog-messages.ts';
import { outOfMemory, type Generation, type Iverilog } from '../tools/iverilog.ts';
import { readSystemCalls } from '../tools/vvp-calls.ts';
import { readElaboratedPorts, type ElaboratedPort } from '../tools/vvp-file.ts';
import { readStateVariables, type StateVariable } from '../tools/vvp-state.ts';
import { CHANGES_FILE, INSTANCE, makeHarness, makeProbe, POWER_ON_ARGUMENT, STIMULUS_FILE, TRACE_FILE, type Harness, type Watch } from './harness.ts';
import type { Layout } from './stimulus/layout.ts';
import type { Rows } from './stimulus/rows.ts';
import { screenCalls, type ScreenedRun } from './screen.ts';
import { commonTimescale, type Timescale } from './source-scan.ts';
import { parseTrace, type Trace } from './trace.ts';

const HARNESS_FILE = 'harness.v';
const DEPENDENCIES_FILE = 'dependencies.txt';
/** Address space that one compiler or simulator process may take. */
const MEMORY_BYTES = 3 * 2 ** 30;
/** Text that a design may print in one run before it is stopped. */
const PRINT_BYTES = 64 * 2 ** 20;
/** A simulation that leaves no sample for this long, or for a quarter of its time if that is longer, does not advance any more. */
const STALL_MS = 4000;
const STALL_SHARE = 0.25;
const WATCH_MS = 250;

export interface Budget {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export type Compiled =
  | {
      readonly kind: 'compiled';
      readonly vvpFile: string;
      readonly ports: readonly ElaboratedPort[] | undefined;
      readonly images: ScreenedRun['images'];
      /** The design itself calls dump tasks. */
      readonly dumps: boolean;
    }
  /** It compiles, and would reach outside of the simulation. */
  | { readonly kind: 'forbidden'; readonly problems: readonly SourceProblem[] }
  /** The compiler refused the design. `unsupported`: it said that it knows the construct and does not handle it. */
  | { readonly kind: 'refused'; readonly unsupported: boolean; readonly problems: readonly SourceProblem[] }
  | { readonly kind: 'failed'; readonly cause: 'timed-out' | 'cancelled' | 'tool'; readonly message: string };

export type SideRun =
  | { readonly kind: 'finished'; readonly trace: Trace }
  /** The simulation ended before the last row; `trace` holds what was sampled until then. */
  | { readonly kind: 'ended-early' | 'timed-out' | 'flooded'; readonly trace: Trace }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' };

/** One side that can answer a stimulus. */
export interface Simulated {
  /**
   * Applies the rows from the power-on state: unknown as the language has it, or, with a seed, random where it would be unknown
   * (of a simulation compiled with its state).
   */
  run(rows: Rows, budget: Budget, powerOnSeed?: number): Promise<SideRun>;
  /** The same side compiled so that its power-on state can be drawn; undefined when the compiler does not take it. */
  withDrawnState(budget: Budget): Promise<Simulated | undefined>;
}

/** One side compiled inside its harness; each run gets a directory of its own. */
export class Simulation implements Simulated {
  readonly #iverilog: Iverilog;
  readonly #dir: string;
  readonly #vvpFile: string;
  readonly #layout: Layout;
  readonly #images: ScreenedRun['images'];
  readonly #options: CompileOptions;
  #runs = 0;

  constructor(options: CompileOptions & { readonly vvpFile: string; readonly images: ScreenedRun['images']; readonly layout: Layout }) {
    this.#options = options;
    this.#iverilog = options.iverilog;
    this.#dir = options.dir;
    this.#vvpFile = options.vvpFile;
    this.#layout = options.layout;
    this.#images = options.images;
  }

  async withDrawnState(budget: Budget): Promise<Simulation | undefined> {
    const plain = harnessFor(this.#options, this.#layout);
    const state = readStateVariables(await readFile(this.#vvpFile, 'latin1'), `${plain.name}.${INSTANCE}`);
    const dir = path.join(this.#dir, 'drawn-state');
    await mkdir(dir);
    const options = { ...this.#options, dir };
    const compiled = await compileDesign(options, harnessFor(options, this.#layout, state), budget);
    return compiled.kind === 'compiled' ? new Simulation({ ...options, ...compiled, layout: this.#layout }) : undefined;
  }

  async run(rows: Rows, budget: Budget, powerOnSeed?: number): Promise<SideRun> {
    return (await this.record(rows, budget, [], powerOnSeed)).run;
  }

  /** A run with the files that it wrote besides its trace; a file that it did not write is empty. */
  async record(rows: Rows, budget: Budget, names: readonly string[], powerOnSeed?: number): Promise<{ readonly run: SideRun; readonly files: readonly Uint8Array[] }> {
    const cwd = path.join(this.#dir, `run-${String(this.#runs++)}`);
    const run = await this.#run(cwd, rows, budget, { powerOnSeed, dump: names.includes(CHANGES_FILE) });
    return { run, files: await Promise.all(names.map((name) => readFile(path.join(cwd, name)).catch(() => new Uint8Array()))) };
  }

  async #run(cwd: string, rows: Rows, budget: Budget, { powerOnSeed, dump }: { readonly powerOnSeed: number | undefined; readonly dump: boolean }): Promise<SideRun> {
    await mkdir(cwd);
    await writeFile(path.join(cwd, STIMULUS_FILE), rows.bytes);
    for (const image of this.#images) {
      const target = path.join(cwd, image.to);
      await mkdir(path.dirname(target), { recursive: true });
      await copyFile(image.from, target).catch(() => undefined);
    }
    const watch = new StallWatch(path.join(cwd, TRACE_FILE), Math.max(STALL_MS, budget.timeoutMs * STALL_SHARE), budget.signal);
    const result = await watch.over((signal) =>
      this.#iverilog.simulate({
        vvpFile: this.#vvpFile,
        args: powerOnSeed === undefined ? [] : [`${POWER_ON_ARGUMENT}${String(powerOnSeed)}`],
        cwd,
        dump,
        timeoutMs: Math.max(1, budget.timeoutMs),
        signal,
        maxOutputBytes: PRINT_BYTES,
        memoryBytes: MEMORY_BYTES,
      }),
    );
    if (result.kind === 'cancelled' && !watch.stalled) return { kind: 'cancelled' };
    if (result.kind === 'not-found') return { kind: 'failed', message: `'${result.command}' could not be started.` };
    const bytes = await readFile(path.join(cwd, TRACE_FILE)).catch(() => new Uint8Array());
    const trace = parseTrace(bytes, this.#layout);
    if (result.kind === 'timed-out' || result.kind === 'cancelled') return { kind: 'timed-out', trace };
    if (result.kind === 'output-limit') return { kind: 'flooded', trace };
    if (trace.samples === rows.count * this.#layout.samplesPerRow) return { kind: 'finished', trace };
    if (result.kind === 'exited' && trace.samples > 0) return { kind: 'ended-early', trace };
    if (result.kind === 'exited' && (result.exitCode === 0 || /^FATAL: /m.test(result.stdout))) return { kind: 'ended-early', trace };
    return { kind: 'failed', message: breakdownText(result) };
  }
}

function breakdownText(result: Extract<RunResult, { kind: 'exited' | 'crashed' }>): string {
  if (outOfMemory(result.stderr)) return `it needs more than the ${String(MEMORY_BYTES / 2 ** 30)} GiB of memory that a simulation may take.`;
  if (result.kind === 'crashed') return `the simulator broke down (${result.signal}), as a recursion without end makes it do.`;
  const said = (result.stderr.trim() || result.stdout.trim()).split('\n')[0] ?? '';
  return `the simulator stopped without a result${said === '' ? '.' : `: ${said}`}`;
}

/** Ends a simulation whose trace stops growing: in an endless loop without delay no time limit comes soon enough. */
class StallWatch {
  readonly #file: string;
  readonly #limitMs: number;
  readonly #outer: AbortSignal | undefined;
  readonly #controller = new AbortController();
  stalled = false;

  constructor(file: string, limitMs: number, outer: AbortSignal | undefined) {
    this.#file = file;
    this.#limitMs = limitMs;
    this.#outer = outer;
  }

  async over<T>(simulate: (signal: AbortSignal) => Promise<T>): Promise<T> {
    let size = 0;
    let since = performance.now();
    const look = async (): Promise<void> => {
      const now = await stat(this.#file).then((file) => file.size, () => 0);
      if (now !== size) [size, since] = [now, performance.now()];
      else if (performance.now() - since > this.#limitMs) {
        this.stalled = true;
        this.#controller.abort();
      }
    };
    const timer = setInterval(() => void look(), WATCH_MS);
    try {
      return await simulate(this.#outer === undefined ? this.#controller.signal : AbortSignal.any([this.#outer, this.#controller.signal]));
    } finally {
      clearInterval(timer);
    }
  }
}

/** Old sources use words as names that later language generations reserve, so an older one is tried when the newest refuses. */
const GENERATIONS: readonly Generation[] = ['2012', '2005', '2001-noconfig'];

export interface CompileOptions {
  readonly design: LoadedDesign;
  /** Time scale of the harness, or none. */
  readonly timescale: Timescale | undefined;
  /** An empty directory for this side alone. */
  readonly dir: string;
  readonly iverilog: Iverilog;
}

/** The time scale that a design states, or none. */
export function timescaleOf(design: LoadedDesign): Timescale | undefined {
  return commonTimescale(design.sources.map((source) => source.text));
}

/** The harness of a design for `compileDesign`; without a layout it only instantiates the module, to learn its ports. */
export function harnessFor({ design, timescale }: CompileOptions, layout: Layout | undefined, state: readonly StateVariable[] = [], watch?: Watch): Harness {
  const options = {
    module: design.module.name,
    parameters: design.input.parameters ?? {},
    timescale,
    sources: design.sources.map((source) => source.text),
  };
  return layout === undefined ? makeProbe(options) : makeHarness({ ...options, layout, ports: design.module.ports, state, watch });
}

/** Compiles a design inside its harness; the first generation's messages are reported when all refuse. */
export async function compileDesign(options: CompileOptions, harness: Harness, budget: Budget): Promise<Compiled> {
  const { design, dir, iverilog } = options;
  const { input, sources } = design;
  const files = await writeSources(dir, harness.text, sources);
  const includeDirs = await overlaidIncludeDirs(dir, design);
  let refused: Compiled | undefined;
  for (const generation of GENERATIONS) {
    const result = await iverilog.compile({
      dir,
      files: [HARNESS_FILE, ...files.keys()],
      top: harness.name,
      includeDirs,
      defines: input.defines ?? {},
      generation,
      output: `side-${generation}.vvp`,
      dependencies: DEPENDENCIES_FILE,
      timeoutMs: Math.max(1, budget.timeoutMs),
      signal: budget.signal,
      memoryBytes: MEMORY_BYTES,
    });
    const foreign = await foreignFiles(dir, design, includeDirs);
    if (foreign.length > 0) return { kind: 'forbidden', problems: foreign };
    if (result.kind === 'compiled') {
      const vvpText = await readFile(result.vvpFile, 'latin1');
      const ports = readElaboratedPorts(vvpText, `${harness.name}.${INSTANCE}`);
      const { problems, images, dumps } = screenCalls(readSystemCalls(vvpText, harness.name), input.file, (name) => files.get(name) ?? includedFile(name, design));
      return problems.length > 0 ? { kind: 'forbidden', problems } : { kind: 'compiled', vvpFile: result.vvpFile, ports, images, dumps };
    }
    if (result.kind !== 'failed') return failureOf(result, design);
    refused ??= {
      kind: 'refused',
      unsupported: result.messages.some((message) => message.severity === 'sorry'),
      problems: problemsOf(result.messages, files, input.file).map((problem) => ({ ...problem, message: problem.message.replaceAll(`${harness.name}.${INSTANCE}`, design.module.name) })),
    };
  }
  return refused ?? { kind: 'failed', cause: 'tool', message: 'The compiler was not run.' };
}

/** Files that the compiler read and that are neither the design's own nor in its folders: a way round the screen of this analysis. */
async function foreignFiles(dir: string, { includes, input }: LoadedDesign, includeDirs: readonly string[]): Promise<SourceProblem[]> {
  const list = await readFile(path.join(dir, DEPENDENCIES_FILE), 'utf8').catch(() => '');
  const known = new Set(includes.map(({ file }) => file));
  const isBelow = (file: string, folder: string): boolean => file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
  return list.split(/\r?\n/).flatMap((name): SourceProblem[] => {
    const file = path.resolve(dir, name);
    if (name === '' || known.has(file) || [dir, ...includeDirs].some((folder) => isBelow(file, folder))) return [];
    return [{ file: input.file, line: undefined, character: undefined, message: `The file ${file} lies outside the project and is included all the same, so this module is not run; remove that \`include.` }];
  });
}

/** A file that is included, by the name that the compiler gives it. */
function includedFile(name: string, { includes }: LoadedDesign): string | undefined {
  return includes.find(({ file }) => file === path.resolve(name))?.file;
}

function failureOf(failure: RunFailure, { module }: LoadedDesign): Compiled {
  switch (failure.kind) {
    case 'cancelled':
      return { kind: 'failed', cause: 'cancelled', message: 'Cancelled.' };
    case 'timed-out':
      return { kind: 'failed', cause: 'timed-out', message: 'Icarus Verilog did not finish in time, which a generate loop without end would explain.' };
    case 'not-found':
      return { kind: 'failed', cause: 'tool', message: `'${failure.command}' could not be started.` };
    case 'output-limit':
      return { kind: 'failed', cause: 'tool', message: 'Icarus Verilog printed without end.' };
    case 'crashed':
      return { kind: 'failed', cause: 'tool', message: `Icarus Verilog broke down on it (${failure.signal}), ${crashCause(module.ports)}.` };
  }
}

function crashCause(ports: readonly Port[]): string {
  const single = ports.find(({ unpacked }) => unpacked.length > 0 && unpacked.every(({ left, right }) => left === right));
  return single === undefined ? 'which a recursion without end or a lack of memory would explain' : `as version 11 does where a port, here '${single.name}', is an array of one element`;
}

/**
 * The include directories of a design, each behind a directory that holds those of its files whose text in the editor is newer than
 * on the disk.
 */
async function overlaidIncludeDirs(dir: string, { input, sources, includes }: LoadedDesign): Promise<string[]> {
  const changed: DesignSource[] = [];
  for (const include of includes) {
    if ((await diskFiles.read(include.file)) !== include.text) changed.push(include);
  }
  const result: string[] = [];
  for (const includeDir of new Set([...sources.map((source) => path.dirname(source.file)), ...(input.includeDirs ?? [])])) {
    const inside = changed.map(({ file, text }) => ({ name: path.relative(includeDir, file), text })).filter(({ name }) => !name.startsWith('..') && !path.isAbsolute(name));
    if (inside.length > 0) {
      const overlay = path.join(dir, `includes-${String(result.length)}`);
      for (const { name, text } of inside) {
        await mkdir(path.dirname(path.join(overlay, name)), { recursive: true });
        await writeFile(path.join(overlay, name), text);
      }
      result.push(overlay);
    }
    result.push(includeDir);
  }
  return result;
}

/** Writes each source under a name of its own; the map leads from the written name to the user's file. */
async function writeSources(dir: string, harness: string, sources: readonly DesignSource[]): Promise<Map<string, string>> {
  await writeFile(path.join(dir, HARNESS_FILE), harness);
  const files = new Map<string, string>();
  for (const [index, source] of sources.entries()) {
    const name = `source-${String(index)}${path.extname(source.file) === '.sv' ? '.sv' : '.v'}`;
    files.set(name, source.file);
    await writeFile(path.join(dir, name), source.text);
  }
  return files;
}

function problemsOf(messages: readonly ToolMessage[], files: ReadonlyMap<string, string>, fallback: string): SourceProblem[] {
  return messages
    .filter((message) => message.severity !== 'warning')
    .map((message) => ({
      file: message.file === undefined ? fallback : (files.get(message.file) ?? message.file),
      line: message.line === undefined || message.file === HARNESS_FILE ? undefined : message.line - 1,
      character: undefined,
      message: message.message,
    }));
}

/** Memory images that designs name by literals, from where they lie to where a run looks for them. */
export function imagesOf(designs: readonly LoadedDesign[]): ScreenedRun['images'] {
  return designs.flatMap(({ outside }) =>
    outside.flatMap(({ name, text, file }) => (name.startsWith('$readmem') && text !== undefined ? [{ from: path.join(path.dirname(file), text), to: text }] : [])),
  );
}
