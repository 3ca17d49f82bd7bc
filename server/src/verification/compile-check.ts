import { diskFiles, memoryFiles } from '../base/files.ts';
import type { LoadedDesign, SourceProblem } from '../analysis/design.ts';
import { withTempDir } from '../base/tempdir.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { parseYosysProblems, type Yosys } from '../tools/yosys.ts';
import { collectSide } from './proof/script.ts';
import type { Budget, RunnableSide, SimulationEngine } from './engine.ts';
import { findSimulator } from './simulators.ts';
import { timescaleOf } from './simulate.ts';
import type { EngineChoice } from './verdict.ts';

export type CompileCheck =
  /** `ports`: as the compiler elaborated them, where it says so. */
  | { readonly kind: 'compiled'; readonly tool: string; readonly ports: RunnableSide['ports'] }
  | { readonly kind: 'refused'; readonly tool: string; readonly problems: readonly SourceProblem[] }
  /** No tool could say. `reason` is one full sentence. */
  | { readonly kind: 'failed'; readonly cause: 'timed-out' | 'cancelled' | 'tool'; readonly reason: string };

type CheckToolbox = Pick<Toolbox, 'iverilog' | 'verilatorSimulator' | 'yosys' | 'embeddedYosys'>;

/**
 * Compiles and elaborates a design without running it: with Icarus Verilog; with Verilator where that is missing, is not to be used or refuses; with
 * Yosys where neither knows a construct.
 */
export async function checkCompiles(design: LoadedDesign, choice: EngineChoice, toolbox: CheckToolbox, budget: Budget): Promise<CompileCheck> {
  if (choice === 'yosys' || choice === 'yosys-wasm') return withYosys(design, choice, toolbox, budget);
  const answers: SimulatorCheck[] = [];
  const absent: string[] = [];
  for (const name of choice === 'auto' ? (['iverilog', 'verilator'] as const) : [choice]) {
    const engine = await findSimulator(name, toolbox);
    if (engine.kind === 'broken' && name === 'iverilog') return { kind: 'failed', cause: 'tool', reason: engine.reason };
    if (engine.kind !== 'found') absent.push(engine.reason);
    else {
      const answer = await withSimulator(design, engine.tool, budget);
      if (answer.kind === 'compiled' || answer.kind === 'forbidden' || (answer.kind === 'failed' && answer.cause !== 'tool')) return plain(answer);
      answers.push(answer);
    }
  }
  const [first] = answers;
  if (first?.kind === 'refused') return first;
  const read = choice === 'auto' ? await withYosys(design, choice, toolbox, budget) : undefined;
  if (read !== undefined && (first === undefined || read.kind !== 'failed')) return read;
  return first === undefined ? { kind: 'failed', cause: 'tool', reason: absent.join(' ') } : plain(first);
}

/** `unsupported`: the compiler is at its limit. `forbidden`: the design reaches outside of the simulation. */
type SimulatorCheck =
  | CompileCheck
  | { readonly kind: 'unsupported'; readonly tool: string; readonly problems: readonly SourceProblem[] }
  | { readonly kind: 'forbidden'; readonly tool: string; readonly problems: readonly SourceProblem[] };

function plain(check: SimulatorCheck): CompileCheck {
  return check.kind === 'unsupported' || check.kind === 'forbidden' ? { kind: 'refused', tool: check.tool, problems: check.problems } : check;
}

function withSimulator(design: LoadedDesign, engine: SimulationEngine, budget: Budget): Promise<SimulatorCheck> {
  return withTempDir(async (dir): Promise<SimulatorCheck> => {
    const result = await engine.compile({ side: 'dut', design, timescale: timescaleOf(design), dir }, undefined, budget);
    const tool = engine.title;
    if (result.kind === 'runnable') return { kind: 'compiled', tool, ports: result.ports };
    if (result.kind === 'failed') return { kind: 'failed', cause: result.cause === 'crashed' ? 'tool' : result.cause, reason: result.message };
    if (result.kind === 'forbidden') return { kind: 'forbidden', tool, problems: result.problems };
    return { kind: result.problems.some(({ about }) => about === 'unsupported') ? 'unsupported' : 'refused', tool, problems: result.problems };
  });
}

const MEMORY_BYTES = 3 * 2 ** 30;

async function withYosys(design: LoadedDesign, engine: EngineChoice, toolbox: Pick<Toolbox, 'yosys' | 'embeddedYosys'>, budget: Budget): Promise<CompileCheck> {
  const native = engine === 'yosys-wasm' ? undefined : await toolbox.yosys();
  const found = native === undefined || (native.kind === 'missing' && engine !== 'yosys') ? await toolbox.embeddedYosys() : native;
  return found.kind === 'found' ? elaborate(design, found.tool, budget) : { kind: 'failed', cause: 'tool', reason: found.reason };
}

async function elaborate({ module, sources, includes, input }: LoadedDesign, yosys: Yosys, budget: Budget): Promise<CompileCheck> {
  const files = memoryFiles(new Map(includes.map(({ file, text }) => [file, text])), diskFiles);
  const side = await collectSide('dut', { top: module.name, sources, includeDirs: input.includeDirs ?? [], defines: input.defines ?? {} }, files);
  const [root = ''] = Object.keys(side.inputs);
  const script = [`read_verilog -sv ${root}`, `hierarchy -check -top \\${module.name}`, 'proc', ''].join('\n');
  const result = await yosys.run(script, side.inputs, { outputs: [], timeoutMs: Math.max(1, budget.timeoutMs), signal: budget.signal, memoryBytes: MEMORY_BYTES });
  if (result.kind === 'cancelled') return { kind: 'failed', cause: 'cancelled', reason: 'Cancelled.' };
  if (result.kind === 'timed-out') return { kind: 'failed', cause: 'timed-out', reason: 'The compiler did not finish in time.' };
  if (result.kind !== 'exited') return { kind: 'failed', cause: 'tool', reason: 'Yosys stopped without a result.' };
  if (result.ok) return { kind: 'compiled', tool: 'Yosys', ports: undefined };
  const problems = parseYosysProblems(result.log).map(({ file, line, message }): SourceProblem => {
    const known = file === undefined ? undefined : side.origins.get(file);
    return { file: known ?? input.file, line: known === undefined || line === undefined ? undefined : Math.max(0, line - 1), character: undefined, message };
  });
  return { kind: 'refused', tool: 'Yosys', problems: problems.length > 0 ? problems : [{ file: input.file, line: undefined, character: undefined, message: 'Yosys refused the module without a message.' }] };
}
