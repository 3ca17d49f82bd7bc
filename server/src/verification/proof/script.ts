import path from 'node:path';
import type { DesignSource } from '../../analysis/design.ts';
import type { FileReader } from '../../base/files.ts';
import { preprocess } from '../../syntax/preprocess.ts';
import { withoutSharedLoopVariables } from './loop-variables.ts';
import { withoutImports } from './packages.ts';
import { withoutPortArrays } from './port-arrays.ts';
import { withoutReturns } from './returns.ts';
import { withoutPragmas } from './source.ts';

export type SideName = 'golden' | 'dut';

/** One side as the prover reads it. */
export interface SideFiles {
  readonly top: string;
  /** File name in the prover's directory to text. The first is the one to read; it includes the others. */
  readonly inputs: Readonly<Record<string, string>>;
  /** File name in the prover's directory to the user's path. */
  readonly origins: ReadonlyMap<string, string>;
  /** All of it as one text, macros expanded. */
  readonly expanded: string;
  /** What became of ports that are unpacked arrays, of which `unread` ones could not be made vectors. */
  readonly portArrays: 'none' | 'vectors' | 'unread';
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
    this.inputs[name] = withoutReturns(result + clean.slice(from));
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

/** The file of a side that includes its others. */
export function sideTop(side: SideName): string {
  return `${side}/top.v`;
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
  const root = sideTop(side);
  const inputs: Record<string, string> = { [root]: `${lines.join('\n')}\n`, ...withoutImports(collector.inputs) };
  const inDirectory = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '');
  const { text } = preprocess(`/${root}`, inputs[root] ?? '', { includeDirs: ['/'], readFile: (name) => inputs[inDirectory(name)] });
  const vectors = withoutPortArrays(text);
  const expanded = vectors ?? text;
  const read = expanded === text ? inputs : { [root]: expanded };
  return { top: from.top, inputs: { ...read, ...withoutSharedLoopVariables(read, expanded) }, origins: collector.origins, expanded, portArrays: vectors === undefined ? 'unread' : vectors === text ? 'none' : 'vectors' };
}

export interface ElaborationOptions {
  /** Read the side as SystemVerilog; otherwise as Verilog-2005, where its keywords are free names. */
  readonly systemVerilog: Readonly<Record<SideName, boolean>>;
  readonly parameters: Readonly<Record<SideName, Readonly<Record<string, string>>>>;
  readonly tops: Readonly<Record<SideName, string>>;
  /** A word that no source can guess, so that none can print what looks like an answer. */
  readonly nonce: string;
}

/** What the elaboration leaves: a netlist to look at, and the same one to prove with. */
export const netlistFile = { golden: 'golden.json', dut: 'dut.json' } as const;
/** The netlist without what nothing uses: its names are those that the proof finds. */
export const cleanNetlistFile = { golden: 'golden-clean.json', dut: 'dut-clean.json' } as const;
export const memoryFile = 'memories.il';
export const rtlilFile = { golden: 'golden.il', dut: 'dut.il' } as const;
/** The files of both sides that a later script reads, out of all that the elaboration left. */
export function sideInputs(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.values(rtlilFile).map((name) => [name, files[name] ?? '']));
}

export const netlistModule = { golden: 'gold', dut: 'gate' } as const;

export type Stage = SideName | 'miter' | `known ${number}` | 'registers' | 'prove' | 'search' | 'end';

/** The line that the log holds where a stage begins. */
export function marker(nonce: string, stage: Stage): string {
  return `stage-${nonce} ${stage}`;
}

function readCommands(side: SideName, options: ElaborationOptions, memories: '-mem2reg' | '-nomem2reg'): string[] {
  const parameters = Object.entries(options.parameters[side]).map(([key, value]) => ` -chparam ${key} ${value}`);
  return [`read_verilog ${memories} ${options.systemVerilog[side] ? '-sv ' : ''}${sideTop(side)}`, `hierarchy -check -top ${options.tops[side]}${parameters.join('')}`];
}

/** Leaves the modules of a side with their memories whole, before words become registers and addresses lose the bits that are too many. */
export function memoryScript(side: SideName, options: ElaborationOptions): string {
  return [...readCommands(side, options, '-nomem2reg'), `write_rtlil ${memoryFile}`, ''].join('\n');
}

function readSide(side: SideName, options: ElaborationOptions): string[] {
  const name = netlistModule[side];
  return [
    'design -reset',
    `log ${marker(options.nonce, side)}`,
    ...readCommands(side, options, '-mem2reg'),
    'proc -norom',
    'flatten',
    `rename -top ${name}`,
    'memory_collect',
    'memory_map',
    // Assertions of the user are neither goals nor assumptions here.
    ...['$assert', '$assume', '$cover', '$live', '$fair', '$check', '$print'].map((type) => `delete */t:${type}`),
    `write_json ${netlistFile[side]}`,
    'opt_clean',
    `write_json ${cleanNetlistFile[side]}`,
    // It takes high impedance for unknown as well, which it is to the SAT solver anyway.
    'setundef -undriven -undef',
    'opt_clean',
    `select ${name}`,
    `write_rtlil -selected ${rtlilFile[side]}`,
    'select -clear',
  ];
}

/** Reads both sides, each in a design of its own, so that equal module names do not meet. */
export function elaborationScript(options: ElaborationOptions): string {
  return [...readSide('golden', options), ...readSide('dut', options), ''].join('\n');
}

/**
 * How a proof sees time. `edges`: in each step any input takes any value, and a flip-flop moves when its clock has changed since
 * the step before (`clk2fflogic`); right for every design. `ticks`: in each step the data inputs settle, asynchronous resets act,
 * outputs are compared, and then any of the clocks may make its active edge; right, and much quicker, where each clock has one
 * active edge and does nothing else. A pulse of a reset between two edges is a step without a tick.
 */
export type TimeModel = 'edges' | 'ticks';

const tickMapFile = 'ticks.v';

/** In the `ticks` model the input that was a clock says whether its active edge follows. */
const tickMap = `
module \\$dff (CLK, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire [WIDTH-1:0] next = CLK ? D : Q;
  \\$ff #(.WIDTH(WIDTH)) state (.D(next), .Q(Q));
endmodule
module \\$adff (CLK, ARST, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  parameter ARST_POLARITY = 1;
  parameter ARST_VALUE = 0;
  parameter [WIDTH-1:0] _TECHMAP_WIREINIT_Q_ = 0;
  input CLK, ARST;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire [WIDTH-1:0] _TECHMAP_REMOVEINIT_Q_ = {WIDTH{1'b1}};
  (* init = _TECHMAP_WIREINIT_Q_ *)
  wire [WIDTH-1:0] held;
  wire reset = ARST_POLARITY ? ARST : ~ARST;
  wire [WIDTH-1:0] value = ARST_VALUE;
  wire [WIDTH-1:0] sampled = reset ? value : D;
  wire [WIDTH-1:0] next = CLK ? sampled : Q;
  \\$ff #(.WIDTH(WIDTH)) state (.D(next), .Q(held));
  assign Q = reset ? value : held;
endmodule
`;

export interface ProofOptions {
  readonly time: TimeModel;
  /** False: only the search for a counterexample. */
  readonly induction: boolean;
  /** Most steps of the search for a counterexample. */
  readonly maxSteps: number;
  /** Output ports of which it must be shown that the golden's value can become known. */
  readonly mustBecomeKnown: readonly string[];
  /** Registers of the same name and width on both sides, which may hold the same value. */
  readonly registers: readonly string[];
  readonly nonce: string;
}

/** Steps within which the golden's outputs must be able to become known: a quick look, and one for deep pipelines. */
const knownWithin = { soon: 10, late: 70 } as const;
/** Most steps of an induction; a step is a clock edge in one model and a whole cycle in the other. */
const inductionSteps = { edges: 16, ticks: 8 } as const;

/** Files that the proof script reads besides the netlists. */
export const proofInputs: Readonly<Record<string, string>> = { [tickMapFile]: tickMap };

const timing = { edges: 'clk2fflogic', ticks: `techmap -map ${tickMapFile}` } as const;
const comparison = 'miter -equiv -ignore_gold_x -make_assert -make_outputs -flatten';
const initialState = '-set-init-undef -set-def-inputs';

/**
 * Miters that let any answer pass where the golden is unknown, bit by bit, and four questions, of which a success ends the
 * script: whether each wanted output of the golden can become known at all, without which a proof would be empty; induction over
 * all input sequences from an unknown initial state, first with the registers of the same name compared like outputs, which
 * closes most proofs at once, then without; at last a plain search for a counterexample, step by step.
 */
export function proofScript(options: ProofOptions): string {
  const { nonce, registers, time, maxSteps } = options;
  const induction = `sat -falsify -tempinduct ${initialState} -prove-asserts`;
  const withRegisters = registers.length === 0 ? [] : registerMiter(registers);
  return [
    `log ${marker(nonce, 'miter')}`,
    `read_rtlil ${rtlilFile.golden}`,
    `read_rtlil ${rtlilFile.dut}`,
    ...withRegisters,
    `${comparison} gold gate miter`,
    'opt_merge',
    timing[time],
    'opt_clean',
    ...knownQuestions(options, knownWithin.soon),
    `log ${marker(nonce, 'registers')}`,
    ...(registers.length === 0 ? [] : [`${induction} -maxsteps 3 miter_registers`]),
    `log ${marker(nonce, 'prove')}`,
    ...(options.induction ? [`${induction} -maxsteps ${Math.min(maxSteps, inductionSteps[time])} -show-inputs -show-outputs miter`] : []),
    `log ${marker(nonce, 'search')}`,
    `sat -tempinduct -tempinduct-baseonly -maxsteps ${maxSteps} ${initialState} -prove-asserts -show-inputs -show-outputs miter`,
    `log ${marker(nonce, 'end')}`,
    '',
  ].join('\n');
}

function knownQuestions({ mustBecomeKnown, nonce }: Pick<ProofOptions, 'mustBecomeKnown' | 'nonce'>, steps: number): string[] {
  return mustBecomeKnown.flatMap((output, i) => [
    `log ${marker(nonce, `known ${i}`)}`,
    `sat -seq ${steps} -enable_undef ${initialState} -set-def-at ${steps} \\${output} gold`,
  ]);
}

/** Asks once more, within many steps, whether outputs of the golden can become known. */
export function knownScript(options: Pick<ProofOptions, 'time' | 'mustBecomeKnown' | 'nonce'>): string {
  const questions = knownQuestions(options, knownWithin.late);
  return [`read_rtlil ${rtlilFile.golden}`, timing[options.time], 'opt_clean', ...questions, `log ${marker(options.nonce, 'registers')}`, ''].join('\n');
}

export interface PortShape {
  readonly name: string;
  readonly direction: 'input' | 'output' | 'inout';
  readonly width: number;
}

/** A module like the miter whose output `bad` says that both sides are known and differ, in some bit. */
function definiteMiter(ports: readonly PortShape[]): string {
  const range = (port: PortShape): string => `[${port.width - 1}:0]`;
  const inputs = ports.filter((port) => port.direction === 'input');
  const outputs = ports.filter((port) => port.direction === 'output');
  const connect = (prefix: string): string =>
    ports.map((port) => `.${port.name}(${port.direction === 'input' ? 'in' : prefix}_${port.name})`).join(', ');
  const bits = outputs.flatMap((port) => Array.from({ length: port.width }, (_, i) => `((gold_${port.name}[${i}] ^ gate_${port.name}[${i}]) === 1'b1)`));
  return [
    'module definite (',
    [
      ...inputs.map((port) => `input ${range(port)} in_${port.name}`),
      ...outputs.flatMap((port) => [`output ${range(port)} gold_${port.name}`, `output ${range(port)} gate_${port.name}`]),
      'output bad',
    ].join(',\n'),
    ');',
    `gold golden_side (${connect('gold')});`,
    `gate dut_side (${connect('gate')});`,
    `assign bad = ${bits.join(' |\n')};`,
    'endmodule',
    '',
  ].join('\n');
}

export const definiteFile = 'definite.v';

/** Searches for a difference in which neither side is unknown; the log reads like that of the proof script. */
export function definiteSearch(options: Pick<ProofOptions, 'time' | 'maxSteps' | 'nonce'>, ports: readonly PortShape[]): { script: string; inputs: Readonly<Record<string, string>> } {
  const script = [
    `read_rtlil ${rtlilFile.golden}`,
    `read_rtlil ${rtlilFile.dut}`,
    `read_verilog ${definiteFile}`,
    'hierarchy -top definite',
    'flatten',
    timing[options.time],
    'opt_clean',
    `log ${marker(options.nonce, 'search')}`,
    `sat -tempinduct -tempinduct-baseonly -maxsteps ${options.maxSteps} ${initialState} -prove bad 0 -show-inputs -show-outputs definite`,
    `log ${marker(options.nonce, 'end')}`,
    '',
  ].join('\n');
  return { script, inputs: { ...proofInputs, [definiteFile]: definiteMiter(ports) } };
}

/** A second miter, in which registers are outputs. */
function registerMiter(registers: readonly string[]): string[] {
  const expose = (module: string): string[] => registers.map((name) => `expose ${module}/w:${name.replace(/[^\w.$]/g, '?')}`);
  return [
    'copy gold gold_registers',
    'copy gate gate_registers',
    ...expose('gold_registers'),
    ...expose('gate_registers'),
    `${comparison} gold_registers gate_registers miter_registers`,
  ];
}
