/** From the sources of both sides to netlists, read as a simulator reads them where an index may lie beyond what it selects from. */
import { randomUUID } from 'node:crypto';
import type { SourceProblem } from '../../analysis/design.ts';
import type { RunFailure } from '../../base/process.ts';
import { parseYosysProblems, type Yosys } from '../../tools/yosys.ts';
import type { TimeBudget } from '../time-budget.ts';
import { memoryBytes } from './ask.ts';
import { assignsDownwards, guardIndices } from './guard.ts';
import { failedSide, implicitNames } from './log.ts';
import { memoryAccess, missedMemory } from './memories.ts';
import { readNetlist, type Netlist } from './netlist.ts';
import { interfaceNames } from './interfaces.ts';
import { namedArray } from './named-arrays.ts';
import { leftDimension } from './packed.ts';
import { cleanNetlistFile, elaborationScript, marker, memoryFile, memoryScript, netlistFile, netlistModule, rtlilFile, sideTop, type ElaborationOptions, type SideFiles, type SideName } from './script.ts';

type Sides<T> = Readonly<Record<SideName, T>>;

export interface ElaborationTask {
  readonly yosys: Yosys;
  readonly sides: Sides<SideFiles>;
  /** Overridden header parameters: name to a Verilog constant. */
  readonly parameters: ElaborationOptions['parameters'];
  readonly budget: TimeBudget;
}

export interface Elaborated {
  readonly kind: 'elaborated';
  readonly netlists: Sides<Netlist>;
  /** What Yosys wrote, by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** An index that the netlists do not take as a simulator does. */
  readonly doubt: { readonly side: SideName; readonly reason: string } | undefined;
}

export type Elaboration =
  | Elaborated
  | { readonly kind: 'stopped'; readonly failure: RunFailure }
  | { readonly kind: 'unreadable'; readonly side: SideName | undefined; readonly reason: string; readonly problems: readonly SourceProblem[] };

export const sideWord = { golden: 'golden module', dut: 'DUT' } as const;

/** Reads both sides; those in which an index may lie beyond once more, with guards, where it can be guarded. */
export async function elaborate(task: ElaborationTask): Promise<Elaboration> {
  const plain = await read(task);
  if (plain.kind !== 'elaborated') return plain;
  const missed: Partial<Record<SideName, string>> = {};
  for (const side of ['golden', 'dut'] as const) {
    const reason = await missedIndex(task, side, plain.options);
    if (reason !== undefined) missed[side] = `The ${sideWord[side]} ${reason}, which the prover cannot follow.`;
  }
  const missedSide = missed.golden === undefined ? 'dut' : 'golden';
  const reason = missed[missedSide];
  if (reason === undefined) return { ...plain, doubt: plain.doubt ?? dimensionDoubt(task.sides) };
  const sides = guardedSides(task.sides, missed);
  const guarded = sides && (await read({ ...task, sides }));
  return guarded?.kind === 'elaborated' ? { ...guarded, doubt: guarded.doubt ?? dimensionDoubt(task.sides) } : { ...plain, doubt: { side: missedSide, reason } };
}

/** Elements of an array that are wider or narrower than those of the port do not lie where its vector has them. */
function unequalDoubt(sides: Sides<SideFiles>, log: string, nonce: string): Elaborated['doubt'] {
  const behind = log.indexOf(marker(nonce, 'dut'));
  for (const [side, text] of [['golden', log.slice(0, behind)], ['dut', log.slice(behind)]] as const) {
    if (sides[side].portArrays === 'vectors' && text.includes('Resizing cell port')) return { side, reason: `The ${sideWord[side]} has ports that are unpacked arrays, and connects a port to something of another width, which the prover cannot follow.` };
  }
  return undefined;
}

function dimensionDoubt(sides: Sides<SideFiles>): Elaborated['doubt'] {
  for (const side of ['golden', 'dut'] as const) {
    const name = leftDimension(sides[side].expanded);
    if (name !== undefined) return { side, reason: `The ${sideWord[side]} may index '${name}' beyond one of its dimensions, which the prover cannot follow.` };
  }
  return undefined;
}

async function read({ yosys, sides, parameters, budget }: ElaborationTask): Promise<Exclude<Elaboration, Elaborated> | (Elaborated & { readonly options: ElaborationOptions })> {
  const systemVerilog = { golden: true, dut: true };
  const firstFailure: Partial<Record<SideName, Elaboration & { kind: 'unreadable' }>> = {};
  for (;;) {
    const nonce = randomUUID();
    const options = { systemVerilog: { ...systemVerilog }, parameters, tops: { golden: sides.golden.top, dut: sides.dut.top }, nonce };
    const result = await yosys.run(
      elaborationScript(options),
      withoutLatchComplaints({ ...sides.golden.inputs, ...sides.dut.inputs }),
      { outputs: [netlistFile, cleanNetlistFile, rtlilFile].flatMap((names) => Object.values(names)), ...budget.part(1), memoryBytes },
    );
    if (result.kind !== 'exited') return { kind: 'stopped', failure: result };
    if (result.ok) {
      const look = (side: SideName): Netlist | undefined => readNetlist(result.outputs[netlistFile[side]] ?? '', netlistModule[side]);
      const [golden, dut] = [look('golden'), look('dut')];
      const misread = misreadSide(sides, implicitNames(result.log, nonce));
      if (misread !== undefined) return misread;
      if (golden !== undefined && dut !== undefined) return { kind: 'elaborated', netlists: { golden, dut }, files: result.outputs, doubt: unequalDoubt(sides, result.log, nonce), options };
      return { kind: 'unreadable', side: undefined, reason: 'The prover left no netlist of one of the modules.', problems: [] };
    }
    const side = failedSide(result.log, nonce);
    const failure = unreadable(side, sides[side], result.log);
    if (!isSyntaxError(result.log)) return failure;
    // Older sources use words as names that SystemVerilog has taken since: such a side is read once more as Verilog-2005.
    if (!systemVerilog[side]) return firstFailure[side] ?? failure;
    firstFailure[side] = failure;
    systemVerilog[side] = false;
  }
}

/** Yosys goes on with a net of its own where it does not find a member of a variable or a system function; a member of an interface it finds later. */
function misreadSide(sides: Sides<SideFiles>, implicit: Sides<readonly string[]>): (Elaboration & { kind: 'unreadable' }) | undefined {
  for (const side of ['golden', 'dut'] as const) {
    const array = namedArray(sides[side].expanded);
    if (array !== undefined) return misread(side, sides[side], `it does not keep an array of the type '${array}' apart`);
    const interfaces = interfaceNames(sides[side].expanded);
    const name = implicit[side].find((one) => one.includes('$func$') || one.startsWith('$') || (one.includes('.') && !interfaces.has(one.slice(0, one.indexOf('.')))));
    if (name === undefined) continue;
    const routine = /^(.*)\$func\$/.exec(name)?.[1];
    const message = routine === undefined ? `it does not find what '${name}' stands for` : `it does not find the members of a variable of the function '${routine}'`;
    return misread(side, sides[side], message);
  }
  return undefined;
}

function misread(side: SideName, { origins }: SideFiles, message: string): Elaboration & { kind: 'unreadable' } {
  const file = origins.values().next().value ?? '';
  return { kind: 'unreadable', side, reason: `The prover cannot read the ${sideWord[side]}: ${message}.`, problems: [{ file, line: undefined, character: undefined, message }] };
}

/** Yosys refuses a latch in `always_comb`, which is legal, and follows the same block when it is written as `always @*`. */
function withoutLatchComplaints(inputs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, text.replace(/\balways_comb\b/g, 'always @*  ')]));
}

/** What Yosys takes otherwise than a simulator does, as what a module does; undefined where there is nothing. */
async function missedIndex({ yosys, sides, budget }: ElaborationTask, side: SideName, options: ElaborationOptions): Promise<string | undefined> {
  const { inputs, expanded } = sides[side];
  if (assignsDownwards(expanded)) return 'assigns a part select downwards from a variable place';
  const access = memoryAccess(expanded);
  if (access === 'plain') return undefined;
  if (access === 'several') return 'may address an array beyond its words';
  const result = await yosys.run(memoryScript(side, options), withoutLatchComplaints(inputs), { outputs: [memoryFile], ...budget.part(1), memoryBytes });
  // A netlist does not tell that a part of a word is taken as a number with a sign.
  const text = result.kind === 'exited' && result.ok && !/\[\s*(?:\$signed\b|signed\s*')/.test(expanded) ? result.outputs[memoryFile] : undefined;
  const missed = text === undefined ? 'an array' : missedMemory(text);
  return missed && `may address ${text === undefined ? missed : `'${missed}'`} beyond its words`;
}

/** The sides with guards where something is missed; undefined where one cannot be guarded. */
function guardedSides(sides: Sides<SideFiles>, missed: Partial<Record<SideName, string>>): Sides<SideFiles> | undefined {
  const guarded = { ...sides };
  for (const side of ['golden', 'dut'] as const) {
    if (missed[side] === undefined) continue;
    const text = guardIndices(sides[side].expanded);
    if (text === undefined) return undefined;
    guarded[side] = { ...sides[side], inputs: { [sideTop(side)]: text } };
  }
  return guarded;
}

function isSyntaxError(log: string): boolean {
  return parseYosysProblems(log).some((problem) => /syntax error/i.test(problem.message));
}

function unreadable(side: SideName, files: SideFiles, log: string): Elaboration & { kind: 'unreadable' } {
  const found = parseYosysProblems(log);
  const problems = found.map((problem): SourceProblem => {
    const file = problem.file === undefined ? undefined : files.origins.get(problem.file);
    const line = file === undefined || problem.line === undefined ? undefined : Math.max(0, problem.line - 1);
    return { file: file ?? files.origins.values().next().value ?? '', line, character: undefined, message: problem.message };
  });
  const [first] = found;
  const code = first?.file === undefined || first.line === undefined ? '' : (files.inputs[first.file]?.split('\n')[first.line - 1] ?? '');
  const imported = /\bimport\s+([\w$]+)\s*::/.exec(code)?.[1];
  const connected = /\$interfaces\$.* in cell `([^']*)' does not have a port named/.exec(first?.message ?? '')?.[1];
  const message =
    imported !== undefined ? `Yosys knows no import declaration, here that of ${imported}` : connected !== undefined ? `Yosys cannot follow the interface that is connected to '${connected}'` : (first?.message ?? 'it stopped without a message');
  return { kind: 'unreadable', side, reason: `The prover cannot read the ${sideWord[side]}: ${message.replace(/\.$/, '')}.`, problems };
}
