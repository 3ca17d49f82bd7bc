import path from 'node:path';
import type { DesignSource } from '../analysis/design.ts';
import type { FileReader } from '../base/files.ts';
import { withoutPragmas } from './formal-source.ts';

export type SideName = 'golden' | 'dut';

/** One side as the prover reads it. */
export interface SideFiles {
  readonly top: string;
  /** File name in the prover's directory to text. The first is the one to read; it includes the others. */
  readonly inputs: Readonly<Record<string, string>>;
  /** File name in the prover's directory to the user's path. */
  readonly origins: ReadonlyMap<string, string>;
  /** The source texts with everything that they include, as the prover reads them. */
  readonly texts: readonly string[];
}

export interface SideSources {
  readonly top: string;
  readonly sources: readonly DesignSource[];
  /** Absolute; searched after the directory of the including file. */
  readonly includeDirs: readonly string[];
  readonly defines: Readonly<Record<string, string>>;
}

const maxIncludes = 500;

/** Copies the sources and what they include to names of the prover's directory, so that nothing outside it is read. */
class Collector {
  readonly inputs: Record<string, string> = {};
  readonly origins = new Map<string, string>();
  readonly #side: SideName;
  readonly #includeDirs: readonly string[];
  readonly #files: FileReader;
  readonly #byPath = new Map<string, string>();

  constructor(side: SideName, includeDirs: readonly string[], files: FileReader) {
    this.#side = side;
    this.#includeDirs = includeDirs;
    this.#files = files;
  }

  async add(file: string, text: string): Promise<string> {
    const name = `${this.#side}/${this.#byPath.size}${path.extname(file) === '.sv' ? '.sv' : '.v'}`;
    this.#byPath.set(file, name);
    this.origins.set(name, file);
    let result = '';
    let from = 0;
    const clean = withoutPragmas(text);
    for (const match of clean.matchAll(/(`include\s*)["<]([^"\n>]*)[">]/g)) {
      result += `${clean.slice(from, match.index)}${match[1] ?? ''}"${await this.#include(match[2] ?? '', file)}"`;
      from = match.index + match[0].length;
    }
    this.inputs[name] = result + clean.slice(from);
    return name;
  }

  async #include(wanted: string, from: string): Promise<string> {
    for (const dir of path.isAbsolute(wanted) ? [''] : [path.dirname(from), ...this.#includeDirs]) {
      const file = path.resolve(dir, wanted);
      const known = this.#byPath.get(file);
      if (known !== undefined) return known;
      const text = this.#byPath.size < maxIncludes ? await this.#files.read(file) : undefined;
      if (text !== undefined) return await this.add(file, text);
    }
    return `missing/${path.basename(wanted)}`;
  }
}

/** Gathers one side under names of the prover's directory. */
export async function collectSide(side: SideName, from: SideSources, files: FileReader): Promise<SideFiles> {
  const collector = new Collector(side, from.includeDirs, files);
  const names: string[] = [];
  for (const source of from.sources) names.push(await collector.add(source.file, source.text));
  const lines = [
    // The macros that a simulator does not define must not choose another text for the prover.
    '`undef SYNTHESIS',
    '`undef YOSYS',
    '`define __ICARUS__ 1',
    ...Object.entries(from.defines).map(([name, value]) => `\`define ${name} ${value.replaceAll('\n', ' ')}`),
    // One compilation unit, as for the simulator: macros of a file reach the files after it.
    ...names.map((name) => `\`include "${name}"`),
  ];
  const inputs = { [`${side}/top.v`]: `${lines.join('\n')}\n`, ...collector.inputs };
  return { top: from.top, inputs, origins: collector.origins, texts: Object.values(collector.inputs) };
}

export interface ScriptOptions {
  /** Read the side as SystemVerilog; otherwise as Verilog-2005, where its keywords are free names. */
  readonly systemVerilog: Readonly<Record<SideName, boolean>>;
  readonly parameters: Readonly<Record<SideName, Readonly<Record<string, string>>>>;
  readonly tops: Readonly<Record<SideName, string>>;
  readonly maxSteps: number;
  readonly outputs: readonly string[];
  /** A word that no source can guess, so that none can print what looks like an answer. */
  readonly nonce: string;
}

export const netlistFile = { golden: 'golden.json', dut: 'dut.json' } as const;
const internalName = { golden: 'gold', dut: 'gate' } as const;
/** Steps within which the golden's outputs must be able to become known. */
const knownWithin = 40;

function readSide(side: SideName, options: ScriptOptions): string[] {
  const name = internalName[side];
  const parameters = Object.entries(options.parameters[side]).map(([key, value]) => ` -chparam ${key} ${value}`);
  return [
    `log ${marker(options.nonce, side)}`,
    `read_verilog ${options.systemVerilog[side] ? '-sv ' : ''}${side}/top.v`,
    `hierarchy -check -top ${options.tops[side]}${parameters.join('')}`,
    'proc -norom',
    'flatten',
    `rename -top ${name}`,
    'memory_collect',
    'memory_map',
    // Assertions of the user are neither goals nor assumptions here.
    ...['$assert', '$assume', '$cover', '$live', '$fair', '$check', '$print'].map((type) => `delete */t:${type}`),
    `write_json ${netlistFile[side]}`,
    'setundef -undriven -undef',
    'opt_clean',
    `design -stash ${name}`,
  ];
}

export type Stage = SideName | 'miter' | 'prove' | `known ${number}`;

/** The line that the log holds where a stage begins. */
export function marker(nonce: string, stage: Stage): string {
  return `stage-${nonce} ${stage}`;
}

/**
 * The whole proof as one script: both sides in designs of their own, so that equal module names do not meet; a miter that lets
 * any answer pass where the golden is unknown, bit by bit; every flip-flop made explicit over the change of its clock
 * (`clk2fflogic`, which keeps clock polarity and asynchronous controls); induction over all input sequences from an unknown
 * initial state; then, for each output, whether the golden's value can become known at all, without which the proof is empty.
 */
export function proofScript(options: ScriptOptions): string {
  const known = options.outputs.flatMap((output, i) => [
    `log ${marker(options.nonce, `known ${i}`)}`,
    `sat -seq ${knownWithin} -enable_undef -set-init-undef -set-def-inputs -set-def-at ${knownWithin} \\${output} gold`,
  ]);
  return [
    ...readSide('golden', options),
    ...readSide('dut', options),
    `log ${marker(options.nonce, 'miter')}`,
    'design -copy-from gold -as gold gold',
    'design -copy-from gate -as gate gate',
    'miter -equiv -ignore_gold_x -make_assert -make_outputs -flatten gold gate miter',
    'opt_merge miter',
    'clk2fflogic',
    'opt_clean',
    `log ${marker(options.nonce, 'prove')}`,
    `sat -verify -tempinduct -maxsteps ${options.maxSteps} -set-init-undef -set-def-inputs -prove-asserts -show-inputs -show-outputs miter`,
    ...known,
    '',
  ].join('\n');
}
