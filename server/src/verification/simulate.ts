import path from 'node:path';
import type { DesignSource, LoadedDesign, SourceProblem } from '../analysis/design.ts';
import type { Port } from '../analysis/module.ts';
import { diskFiles } from '../base/files.ts';
import { makeFolder, readLeft, readScratch, writeScratch } from '../base/scratch-files.ts';
import type { RunFailure } from '../base/process.ts';
import type { ToolMessage } from '../tools/iverilog-messages.ts';
import { couldPassAssertions, type CompileRequest, type Generation, type Iverilog } from '../tools/iverilog.ts';
import { complaintOf, type Complaint } from '../tools/complaint.ts';
import { readSystemCalls } from '../tools/vvp-calls.ts';
import { readElaboratedPorts, type ElaboratedPort } from '../tools/vvp-file.ts';
import { mended } from '../tools/vvp-mended.ts';
import { withoutUnusedModules } from '../tools/vvp-modules.ts';
import { readStateVariables, type StateVariable } from '../tools/vvp-state.ts';
import { makeHarness, makeProbe, type Harness } from './harness/harness.ts';
import { INSTANCE } from './harness/naming.ts';
import { powerOnArguments } from './harness/power-on.ts';
import { CHANGES_FILE, type Watch } from './harness/watch.ts';
import type { Layout } from './stimulus/layout.ts';
import type { Rows } from './stimulus/rows.ts';
import { concurrentAssertionsAct } from './assertions.ts';
import { plainWords } from './compiler-words.ts';
import { screenCalls, type ScreenedRun } from './screen.ts';
import { commonTimescale, type Timescale } from './source-scan.ts';
import { MEMORY_BYTES, PRINT_BYTES, runSide } from './run-side.ts';
import { type Budget, type CompilerProblem, type NotCompiled, type PowerOn, type SideRun, type Simulated } from './engine.ts';

const HARNESS_FILE = 'harness.v';
const DEPENDENCIES_FILE = 'dependencies.txt';

export type Compiled =
  | {
      readonly kind: 'compiled';
      readonly vvpFile: string;
      readonly ports: readonly ElaboratedPort[] | undefined;
      readonly images: ScreenedRun['images'];
      /** The design itself calls dump tasks. */
      readonly dumps: boolean;
    }
  | NotCompiled;

/** One side compiled inside its harness; each run gets a directory of its own. */
export class Simulation implements Simulated {
  readonly #iverilog: Iverilog;
  readonly #dir: string;
  readonly #vvpFile: string;
  readonly #layout: Layout;
  readonly #images: ScreenedRun['images'];
  readonly #options: CompileOptions;
  readonly #harness: (state: readonly StateVariable[]) => Harness;
  #runs = 0;

  /** `harness`: what it was compiled in, by the state that is drawn in it; the one of its design unless given. */
  constructor(options: CompileOptions & { readonly vvpFile: string; readonly images: ScreenedRun['images']; readonly layout: Layout; readonly harness?: (state: readonly StateVariable[]) => Harness }) {
    this.#options = options;
    this.#harness = options.harness ?? ((state) => harnessFor(options, options.layout, state));
    this.#iverilog = options.iverilog;
    this.#dir = options.dir;
    this.#vvpFile = options.vvpFile;
    this.#layout = options.layout;
    this.#images = options.images;
  }

  async withDrawnState(budget: Budget): Promise<Simulation | undefined> {
    const state = readStateVariables((await readScratch(this.#vvpFile)).toString('latin1'), `${this.#harness([]).name}.${INSTANCE}`);
    const dir = path.join(this.#dir, 'drawn-state');
    makeFolder(dir);
    const options = { ...this.#options, dir };
    const compiled = await compileDesign(options, this.#harness(state), budget);
    return compiled.kind === 'compiled' ? new Simulation({ ...options, ...compiled, layout: this.#layout }) : undefined;
  }

  async run(rows: Rows, budget: Budget, powerOn?: PowerOn): Promise<SideRun> {
    return (await this.record(rows, budget, [], powerOn)).run;
  }

  /** A run with the files that it wrote besides its trace; a file that it did not write is empty. */
  async record(rows: Rows, budget: Budget, names: readonly string[], powerOn?: PowerOn): Promise<{ readonly run: SideRun; readonly files: readonly Uint8Array[] }> {
    const cwd = path.join(this.#dir, `run-${String(this.#runs++)}`);
    const run = await runSide({ cwd, rows, layout: this.#layout, images: this.#images, budget }, (signal, onStdout) =>
      this.#iverilog.simulate({
        vvpFile: this.#vvpFile,
        args: powerOnArguments(powerOn),
        cwd,
        dump: names.includes(CHANGES_FILE),
        counts: true,
        timeoutMs: Math.max(1, budget.timeoutMs),
        cpuMs: budget.cpuMs,
        signal,
        onStdout,
        maxOutputBytes: PRINT_BYTES,
        memoryBytes: MEMORY_BYTES,
      }),
    );
    return { run, files: await Promise.all(names.map((name) => readLeft(path.join(cwd, name)))) };
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
    const request: CompileRequest = {
      dir,
      files: [HARNESS_FILE, ...files.keys()],
      top: harness.name,
      includeDirs,
      defines: input.defines ?? {},
      generation,
      output: `side-${generation}.vvp`,
      dependencies: DEPENDENCIES_FILE,
      timeoutMs: Math.max(1, budget.timeoutMs),
      cpuMs: budget.cpuMs,
      signal: budget.signal,
      memoryBytes: MEMORY_BYTES,
    };
    const strict = await iverilog.compile(request);
    const passes = strict.kind === 'failed' && couldPassAssertions(strict.messages) && !concurrentAssertionsAct(design);
    const result = passes ? await iverilog.compile({ ...request, withoutAssertions: true }) : strict;
    const foreign = await foreignFiles(dir, design, includeDirs);
    if (foreign.length > 0) return { kind: 'forbidden', problems: foreign };
    if (result.kind === 'compiled') {
      const vvpText = (await readScratch(result.vvpFile)).toString('latin1');
      const ports = readElaboratedPorts(vvpText, `${harness.name}.${INSTANCE}`);
      const { calls, own, complete } = readSystemCalls(vvpText, harness.name);
      if (!complete || harness.calls?.every((name) => own.has(name)) === false) return unreadable(iverilog);
      const { problems, images, dumps } = screenCalls(calls, input.file, (name) => files.get(name) ?? includedFile(name, design));
      if (problems.length > 0) return { kind: 'forbidden', problems };
      const right = mended(withoutUnusedModules(vvpText, [...own, ...calls.map(({ name }) => name)]));
      if (right !== vvpText) await writeScratch(result.vvpFile, Buffer.from(right, 'latin1'));
      return { kind: 'compiled', vvpFile: result.vvpFile, ports, images, dumps };
    }
    if (result.kind !== 'failed') return failureOf(result, design);
    refused ??= {
      kind: 'refused',
      problems: problemsOf(result.messages, harness, files, input.file).map((problem) => ({ ...problem, message: problem.message.replaceAll(`${harness.name}.${INSTANCE}`, design.module.name) })),
    };
  }
  return refused ?? { kind: 'failed', cause: 'tool', message: 'The compiler was not run.' };
}

/** Files that the compiler read and that are neither the design's own nor in its folders: a way round the screen of this analysis. */
async function foreignFiles(dir: string, { includes, input }: LoadedDesign, includeDirs: readonly string[]): Promise<SourceProblem[]> {
  const list = (await readLeft(path.join(dir, DEPENDENCIES_FILE))).toString();
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

/** What runs without being screened could do anything. */
function unreadable({ version }: Iverilog): Compiled {
  const message = `Icarus Verilog ${version} writes compiled simulations in a form that RTL Copilot cannot look through, so it does not run them; a newer RTL Copilot or an older Icarus Verilog may help.`;
  return { kind: 'failed', cause: 'tool', message };
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
      return { kind: 'failed', cause: 'crashed', message: 'Icarus Verilog printed without end.' };
    case 'crashed':
      return { kind: 'failed', cause: 'crashed', message: `Icarus Verilog broke down on it (${failure.signal}), ${crashCause(module.ports)}.` };
  }
}

function crashCause(ports: readonly Port[]): string {
  const single = ports.find(({ unpacked }) => unpacked.length > 0 && unpacked.every(({ left, right }) => left === right));
  return single === undefined ? 'which a recursion without end or a lack of memory would explain' : `as releases before 13 do where a port, here '${single.name}', is an array of one element`;
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
        makeFolder(path.dirname(path.join(overlay, name)));
        await writeScratch(path.join(overlay, name), text);
      }
      result.push(overlay);
    }
    result.push(includeDir);
  }
  return result;
}

/** Writes each source under a name of its own; the map leads from the written name to the user's file. */
async function writeSources(dir: string, harness: string, sources: readonly DesignSource[]): Promise<Map<string, string>> {
  await writeScratch(path.join(dir, HARNESS_FILE), harness);
  const files = new Map<string, string>();
  for (const [index, source] of sources.entries()) {
    const name = `source-${String(index)}${path.extname(source.file) === '.sv' ? '.sv' : '.v'}`;
    files.set(name, source.file);
    await writeScratch(path.join(dir, name), source.text);
  }
  return files;
}

function problemsOf(messages: readonly ToolMessage[], harness: Harness, files: ReadonlyMap<string, string>, fallback: string): CompilerProblem[] {
  return messages
    .filter((message) => message.severity !== 'warning')
    .map((said) => {
      const { file, line, severity } = said;
      const about = severity === 'sorry' ? 'unsupported' : complaintOf(said.message);
      const message = plainWords(said.message);
      if (file === HARNESS_FILE) return { file: fallback, line: undefined, character: undefined, ...inHarness(message, about, harness) };
      return { file: file === undefined ? fallback : (files.get(file) ?? file), line: line === undefined ? undefined : line - 1, character: undefined, message, about };
    });
}

/** A mistake in the text around the design is none of the design: its ports are such that this compiler cannot connect them so. */
function inHarness(message: string, about: Complaint, { nets }: Harness): Pick<CompilerProblem, 'message' | 'about'> {
  const told = message.replace(/\b((?:in|out)_\d+)(?:_array)?\b/g, (name, net: string) => nets?.get(net) ?? name);
  return about === 'mistake' ? { message: `The ports cannot be connected. ${told}`, about: 'unsupported' } : { message: told, about };
}

/** Memory images that designs name by literals, from where they lie to where a run looks for them. */
export function imagesOf(designs: readonly LoadedDesign[]): ScreenedRun['images'] {
  return designs.flatMap(({ outside }) =>
    outside.flatMap(({ name, text, file }) => (name.startsWith('$readmem') && text !== undefined ? [{ from: path.join(path.dirname(file), text), to: text }] : [])),
  );
}
