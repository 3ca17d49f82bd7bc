import { diskFiles, memoryFiles } from '../base/files.ts';
import type { LoadedDesign, SourceProblem } from '../analysis/design.ts';
import { withTempDir } from '../base/tempdir.ts';
import type { Iverilog } from '../tools/iverilog.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { parseYosysProblems, type Yosys } from '../tools/yosys.ts';
import { collectSide } from './proof/script.ts';
import type { Budget } from './engine.ts';
import { compileDesign, harnessFor, timescaleOf, type Compiled } from './simulate.ts';
import type { EngineChoice } from './verdict.ts';

export type CompileCheck =
  /** `ports`: as the compiler elaborated them, where it says so. */
  | { readonly kind: 'compiled'; readonly tool: string; readonly ports: (Compiled & { readonly kind: 'compiled' })['ports'] }
  | { readonly kind: 'refused'; readonly tool: string; readonly problems: readonly SourceProblem[] }
  /** No tool could say. `reason` is one full sentence. */
  | { readonly kind: 'failed'; readonly cause: 'timed-out' | 'cancelled' | 'tool'; readonly reason: string };

/**
 * Compiles and elaborates a design without running it: with Icarus Verilog, or with Yosys where that is missing, is not to be used or does not
 * support a construct.
 */
export async function checkCompiles(design: LoadedDesign, engine: EngineChoice, toolbox: Pick<Toolbox, 'iverilog' | 'yosys' | 'embeddedYosys'>, budget: Budget): Promise<CompileCheck> {
  const mayRead = engine !== 'iverilog';
  const simulator = engine === 'auto' || engine === 'iverilog' ? await toolbox.iverilog() : undefined;
  if (simulator?.kind === 'found') {
    const first = await withIverilog(design, simulator.tool, budget);
    if (first.kind !== 'unsupported') return first;
    const second = mayRead ? await withYosys(design, engine, toolbox, budget) : undefined;
    return second === undefined || second.kind === 'failed' ? { kind: 'refused', tool: 'Icarus Verilog', problems: first.problems } : second;
  }
  if (simulator !== undefined && (!mayRead || simulator.kind === 'broken')) return { kind: 'failed', cause: 'tool', reason: simulator.reason };
  return withYosys(design, engine, toolbox, budget);
}

type IverilogCheck = CompileCheck | { readonly kind: 'unsupported'; readonly problems: readonly SourceProblem[] };

function withIverilog(design: LoadedDesign, iverilog: Iverilog, budget: Budget): Promise<IverilogCheck> {
  return withTempDir(async (dir): Promise<IverilogCheck> => {
    const options = { design, timescale: timescaleOf(design), dir, iverilog };
    const result = await compileDesign(options, harnessFor(options, undefined), budget);
    if (result.kind === 'compiled') return { kind: 'compiled', tool: 'Icarus Verilog', ports: result.ports };
    if (result.kind === 'failed') return { kind: 'failed', cause: result.cause === 'crashed' ? 'tool' : result.cause, reason: result.message };
    if (result.kind === 'forbidden') return { kind: 'refused', tool: 'Icarus Verilog', problems: result.problems };
    return result.unsupported ? { kind: 'unsupported', problems: result.problems } : { kind: 'refused', tool: 'Icarus Verilog', problems: result.problems };
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
