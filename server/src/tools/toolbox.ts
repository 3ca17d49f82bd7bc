import { existsSync } from 'node:fs';
import path from 'node:path';
import { findConfinement, type Confinement } from '../base/confinement.ts';
import { findExecutable, run } from '../base/process.ts';
import { TempDirError, withTempDir } from '../base/tempdir.ts';
import { settingsSection } from '../config.ts';
import { installAdvice, installCommand, thisSystem, type SystemFacts } from './install-hint.ts';
import type { LintTool } from './lint.ts';
import { createVerilator, type Verilator } from './verilator.ts';
import { createIverilog, readIverilogVersion, type Iverilog } from './iverilog.ts';
import {
  createEmbeddedYosys,
  createNativeYosys,
  findEmbeddedYosys,
  readEmbeddedYosysVersion,
  readYosysVersion,
  type EmbeddedYosys,
  type Yosys,
} from './yosys.ts';

/** Explicit paths of programs; empty text means: look for it. */
export interface ToolPaths {
  readonly iverilog: string;
  readonly yosys: string;
  readonly verilator?: string;
}

/** What a toolbox asks of the machine; the defaults are this machine. */
export interface ToolboxEnv {
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly system?: SystemFacts;
  readonly findEmbedded?: () => EmbeddedYosys | undefined;
  readonly findConfinement?: () => Promise<Confinement>;
}

export type Lookup<T> =
  | { readonly kind: 'found'; readonly tool: T; readonly path: string }
  /** Not installed. `reason` is one sentence with what to do; `install` is the bare command where one is known. */
  | { readonly kind: 'missing'; readonly reason: string; readonly install: string | undefined }
  /** Something is wrong that the user has to correct: an explicit path that leads nowhere, a program that does not answer. */
  | { readonly kind: 'broken'; readonly reason: string; readonly path: string };

export interface ToolDescription {
  readonly name: 'iverilog' | 'yosys' | 'yosys-wasm' | 'verilator' | 'bubblewrap';
  readonly found: boolean;
  /** What was found, or the path that is wrong. */
  readonly path: string | undefined;
  readonly version: string | undefined;
  /** What it is used for, or what to do to get it; one full sentence. */
  readonly remark: string;
  readonly install: string | undefined;
}

/** The tools of one machine, looked up when first asked for. What was found is kept; what was not is looked for again. */
export interface Toolbox {
  iverilog(): Promise<Lookup<Iverilog>>;
  /** The installed program. */
  yosys(): Promise<Lookup<Yosys>>;
  /** Looks for mistakes while a source is edited. */
  verilator(): Promise<Lookup<LintTool>>;
  /** The same program with what it needs to simulate. */
  verilatorSimulator(): Promise<Lookup<Verilator>>;
  /** The embedded engine. */
  embeddedYosys(): Promise<Lookup<Yosys>>;
  describe(): Promise<ToolDescription[]>;
}

const names = { iverilog: 'Icarus Verilog', yosys: 'Yosys', verilator: 'Verilator' } as const;
/** Programs among the tools whose path may be set. */
type Program = keyof ToolPaths;
/** The first one that keeps time as the language has it. */
const FIRST_TIMING_VERILATOR = 5;

/** The installers of some systems do not touch PATH; these are where they put things. */
const usualDirs: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ['C:\\iverilog\\bin', 'C:\\Program Files\\iverilog\\bin'],
  darwin: ['/opt/homebrew/bin', '/usr/local/bin'],
};

class Finder {
  readonly #paths: ToolPaths;
  readonly #variables: Readonly<Record<string, string | undefined>>;
  readonly #system: SystemFacts;

  constructor(paths: ToolPaths, env: ToolboxEnv) {
    this.#paths = paths;
    this.#variables = env.variables ?? process.env;
    this.#system = env.system ?? thisSystem();
  }

  async iverilog(): Promise<Lookup<Iverilog>> {
    const program = this.#program('iverilog');
    if (program.kind !== 'found') return program;
    const beside = findExecutable(path.join(path.dirname(program.path), 'vvp'), this.#variables);
    const vvp = beside ?? (this.#paths.iverilog === '' ? this.#search('vvp') : undefined);
    if (vvp === undefined) {
      return { kind: 'broken', path: program.path, reason: `The program "vvp" of Icarus Verilog is not beside ${program.path}; reinstall Icarus Verilog.` };
    }
    const paths = { iverilog: program.path, vvp };
    const version = await withTempDir((dir) => readIverilogVersion(paths, dir)).catch(asTempDirError);
    if (version instanceof TempDirError) return { kind: 'broken', path: program.path, reason: version.message };
    if (version === undefined) return this.#mute('iverilog', program.path);
    return { kind: 'found', tool: createIverilog(paths, version), path: program.path };
  }

  async yosys(): Promise<Lookup<Yosys>> {
    const program = this.#program('yosys');
    if (program.kind !== 'found') return program;
    const version = await readYosysVersion(program.path);
    if (version === undefined) return this.#mute('yosys', program.path);
    return { kind: 'found', tool: createNativeYosys(program.path, version), path: program.path };
  }

  async verilator(): Promise<Lookup<LintTool>> {
    const program = this.#program('verilator');
    if (program.kind !== 'found') return program;
    const result = await run(program.path, ['--version'], { timeoutMs: 20_000, maxOutputBytes: 1 << 20 });
    const version = result.kind === 'exited' ? /^Verilator (\S+)/m.exec(result.stdout)?.[1] : undefined;
    if (version === undefined) return this.#mute('verilator', program.path);
    return { kind: 'found', tool: { name: 'verilator', path: program.path, version }, path: program.path };
  }

  async verilatorSimulator(): Promise<Lookup<Verilator>> {
    const found = await this.verilator();
    if (found.kind !== 'found') return found;
    const { path: verilator, version } = found.tool;
    if (Number.parseInt(version, 10) < FIRST_TIMING_VERILATOR) {
      return { kind: 'missing', reason: `Verilator ${version} is too old to simulate; version ${String(FIRST_TIMING_VERILATOR)} or later can.`, install: undefined };
    }
    const compiler = [this.#variables['CXX'] ?? '', 'g++', 'clang++', 'c++'].map((name) => (name === '' ? undefined : this.#search(name))).find((file) => file !== undefined);
    if (compiler === undefined) {
      const reason = `Verilator needs a C++ compiler to simulate, and none was found on PATH; to get one, ${installAdvice('c++', this.#system)}.`;
      return { kind: 'missing', reason, install: installCommand('c++', this.#system) };
    }
    const asked = await run(verilator, ['--getenv', 'VERILATOR_ROOT'], { timeoutMs: 20_000, maxOutputBytes: 1 << 20 });
    const include = path.join(asked.kind === 'exited' ? asked.stdout.trim() : '', 'include');
    if (!existsSync(path.join(include, 'verilated.cpp'))) {
      return { kind: 'broken', path: verilator, reason: `The C++ sources of ${verilator}, which a simulation needs, are not in ${include}; reinstall Verilator.` };
    }
    return { kind: 'found', tool: createVerilator({ verilator, compiler, include }, version), path: verilator };
  }

  #program(tool: Program): { kind: 'found'; path: string } | Exclude<Lookup<never>, { kind: 'found' }> {
    const explicit = (this.#paths[tool] ?? '').trim();
    if (explicit === '') {
      const found = this.#search(tool);
      if (found !== undefined) return { kind: 'found', path: found };
      const reason = `${names[tool]} was not found on PATH; to get it, ${installAdvice(tool, this.#system)}.`;
      return { kind: 'missing', reason, install: installCommand(tool, this.#system) };
    }
    const found = findExecutable(explicit, this.#variables);
    if (found !== undefined) return { kind: 'found', path: found };
    const reason = `There is no program at "${explicit}"; correct the path of ${tool} (setting ${settingsSection}.${tool}.path), or clear it to search PATH.`;
    return { kind: 'broken', path: explicit, reason };
  }

  #search(program: string): string | undefined {
    const onPath = findExecutable(program, this.#variables);
    if (onPath !== undefined) return onPath;
    const dirs = usualDirs[this.#system.platform] ?? [];
    return dirs.map((dir) => findExecutable(path.join(dir, program), this.#variables)).find((found) => found !== undefined);
  }

  #mute(tool: Program, file: string): Lookup<never> {
    return { kind: 'broken', path: file, reason: `${file} does not answer as ${names[tool]} does; reinstall it or set the path of another one.` };
  }
}

function asTempDirError(error: unknown): TempDirError {
  if (error instanceof TempDirError) return error;
  throw error;
}

async function embedded(find: () => EmbeddedYosys | undefined): Promise<Lookup<Yosys>> {
  const place = find();
  const version = place === undefined ? undefined : await readEmbeddedYosysVersion(place);
  if (place !== undefined && version !== undefined) {
    return { kind: 'found', tool: createEmbeddedYosys(place, version), path: place.bundle };
  }
  const reason = 'The embedded Yosys engine is not part of this installation; reinstall RTL Copilot.';
  return place === undefined ? { kind: 'missing', reason, install: undefined } : { kind: 'broken', path: place.bundle, reason };
}

/** Keeps the lookup that runs or that found something, and forgets one that did not. */
function remembered<T>(lookUp: () => Promise<Lookup<T>>): () => Promise<Lookup<T>> {
  let last: Promise<Lookup<T>> | undefined;
  return async () => {
    last ??= lookUp();
    const mine = last;
    try {
      const result = await mine;
      if (result.kind !== 'found' && last === mine) last = undefined;
      return result;
    } catch (error) {
      if (last === mine) last = undefined;
      throw error;
    }
  };
}

function describeOne(name: ToolDescription['name'], purpose: string, lookup: Lookup<{ readonly version: string }>): ToolDescription {
  if (lookup.kind === 'found') {
    return { name, found: true, path: lookup.path, version: lookup.tool.version, remark: purpose, install: undefined };
  }
  const install = lookup.kind === 'missing' ? lookup.install : undefined;
  return { name, found: false, path: lookup.kind === 'broken' ? lookup.path : undefined, version: undefined, remark: lookup.reason, install };
}

/** What keeps simulations from the rest of the machine; nothing is told of systems that have no such thing. */
function describeConfinement(confinement: Confinement, system: SystemFacts): ToolDescription[] {
  if (system.platform !== 'linux') return [];
  const held = 'simulations are kept from the rest of the machine only by the check of what they call';
  switch (confinement.kind) {
    case 'confined': {
      const remark = 'Simulations run in it: each can write to its own temporary folder alone and reaches no network.';
      return [{ name: 'bubblewrap', found: true, path: confinement.path, version: confinement.version, remark, install: undefined }];
    }
    case 'unusable': {
      const remark = `${confinement.path} does not work here (${confinement.said}), so ${held}.`;
      return [{ name: 'bubblewrap', found: false, path: confinement.path, version: undefined, remark, install: undefined }];
    }
    case 'missing': {
      const remark = `Without it, ${held}; to get it, ${installAdvice('bubblewrap', system)}.`;
      return [{ name: 'bubblewrap', found: false, path: undefined, version: undefined, remark, install: installCommand('bubblewrap', system) }];
    }
  }
}

export function createToolbox(paths: ToolPaths, env: ToolboxEnv = {}): Toolbox {
  const finder = new Finder(paths, env);
  const toolbox: Toolbox = {
    iverilog: remembered(() => finder.iverilog()),
    yosys: remembered(() => finder.yosys()),
    verilator: remembered(() => finder.verilator()),
    verilatorSimulator: remembered(() => finder.verilatorSimulator()),
    embeddedYosys: remembered(() => embedded(env.findEmbedded ?? findEmbeddedYosys)),
    async describe() {
      const lookups = [toolbox.iverilog(), toolbox.yosys(), toolbox.embeddedYosys(), toolbox.verilator(), toolbox.verilatorSimulator(), (env.findConfinement ?? findConfinement)()] as const;
      const [iverilog, yosys, wasm, verilator, simulator, confinement] = await Promise.all(lookups);
      const simulates = simulator.kind === 'found' ? 'It looks for mistakes while you edit, and simulates what Icarus Verilog cannot read.' : `It looks for mistakes while you edit. ${simulator.reason}`;
      return [
        describeOne('iverilog', 'It simulates both sides of a verification.', iverilog),
        describeOne('yosys', 'It proves what the simulation could not tell apart.', yosys),
        describeOne('yosys-wasm', 'It ships with RTL Copilot and decides by proof when no other tool is installed.', wasm),
        describeOne('verilator', simulates, verilator),
        ...describeConfinement(confinement, env.system ?? thisSystem()),
      ];
    },
  };
  return toolbox;
}
