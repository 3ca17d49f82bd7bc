import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { DesignInput } from '../analysis/design.ts';
import { verifyBatch } from '../verification/batch/batch.ts';
import type { VerifyTask } from '../verification/batch/worker.ts';
import { parameterSets, verifySets, worstVerdict } from '../verification/sweep.ts';
import { count } from '../verification/value-text.ts';
import { exitCodeOf, type VerdictKind, type VerifyRequest } from '../verification/verdict.ts';
import { UsageError, type ParsedArgs } from './args.ts';
import { batchLine, batchSummary } from './batch-text.ts';
import type { Command, CommandContext, Outcome, Told } from './context.ts';
import { designContext, isFile, sourceArgs, sourceOptions } from './sources.ts';
import { pairsOf } from './pairs.ts';
import { placesOf } from './places.ts';
import { integerArg, verifyArgs, verifySpec, type ModuleReference, type VerifyArgs } from './verify-args.ts';
import { verdictText } from './verdict-text.ts';

/** Processes beyond any machine. */
const MOST_JOBS = 1024;

/** `rtl-copilot verify`: the exit code follows the verdict. */
export const verifyCommand: Command = { spec: verifySpec, run: runVerify };

async function runVerify(parsed: ParsedArgs, context: CommandContext): Promise<Outcome> {
  const pairs = await pairsOf(parsed, context);
  return pairs === undefined ? verifyOne(await taskOf(parsed, context, sourceArgs), context) : verifyMany(parsed, pairs, context);
}

/** What a command line says of one pair. */
interface Task extends VerifyTask {
  readonly args: VerifyArgs;
}

async function taskOf(parsed: ParsedArgs, context: CommandContext, sourcesOf: typeof sourceArgs): Promise<Task> {
  const args = verifyArgs(parsed, (file) => isFile(path.resolve(context.cwd, file)));
  const request = verifyRequest(args, designContext(await sourcesOf(parsed, context)), context.cwd);
  checkOutputs(request);
  return { args, request, sets: args.sweeps.length === 0 ? [] : parameterSets(args.sweeps) };
}

async function verifyOne({ args, request, sets }: Task, { core, terminal, cwd, files, signal }: CommandContext): Promise<Outcome> {
  const engine = await core();
  const result = await verifySets(request, sets, (one, set) =>
    engine.verify(one, {
      ...(signal === undefined ? {} : { signal }),
      progress: ({ stage, share }) => terminal.progress(`${set === '' ? '' : `${set}: `}${stage}${share === undefined ? '' : ` ${Math.floor(share * 100)} %`}`),
    }),
  );
  const places = await placesOf(result, cwd, files);
  return { exitCode: exitCodeOf(result.verdict), json: result, text: verdictText(result, { places, columns: terminal.columns, paint: terminal.paint, wave: args.wave }) };
}

async function verifyMany(parsed: ParsedArgs, pairs: readonly ParsedArgs[], context: CommandContext): Promise<Outcome> {
  const { terminal, cwd, signal, startWorker, tell } = context;
  const jobs = integerArg(parsed, 'jobs', 1, MOST_JOBS) ?? availableParallelism();
  const sourcesOf = rememberedSources();
  const tasks: Task[] = [];
  for (const pair of pairs) tasks.push(await taskOf(pair, context, sourcesOf));
  const started = performance.now();
  const progress = (done: number): void => terminal.progress(`${String(done)} of ${count(tasks.length, 'pair')} done`);
  const kept: Told[] = [];
  const verdicts: VerdictKind[] = [];
  progress(0);
  for await (const result of verifyBatch(tasks, { jobs, startWorker, signal, progress })) {
    const task = tasks[verdicts.length];
    const told: Told = { json: result, text: task === undefined ? '' : batchLine(result, task.args, cwd, terminal.paint) };
    verdicts.push(result.verdict);
    if (tell === undefined) kept.push(told);
    else await tell(told);
  }
  const summary = batchSummary(verdicts, performance.now() - started);
  return {
    exitCode: exitCodeOf(worstVerdict(verdicts) ?? 'bad-input'),
    json: tell === undefined ? { schema: 1, results: kept.map(({ json }) => json) } : undefined,
    text: `${kept.map(({ text }) => text).join('')}${summary}`,
  };
}

/** Reads file lists that many pairs name once. */
function rememberedSources(): typeof sourceArgs {
  const known = new Map<string, ReturnType<typeof sourceArgs>>();
  return (parsed, context) => {
    const key = JSON.stringify(sourceOptions.map(({ name }) => parsed.all(name)));
    const found = known.get(key) ?? sourceArgs(parsed, context);
    known.set(key, found);
    return found;
  };
}

function verifyRequest(args: VerifyArgs, sources: ReturnType<typeof designContext>, cwd: string): VerifyRequest {
  const side = ({ file, module }: ModuleReference, parameters: Readonly<Record<string, string>>): DesignInput => ({
    file: path.resolve(cwd, file),
    ...(module === undefined ? {} : { module }),
    ...sources,
    parameters,
  });
  return {
    dut: side(args.dut, args.dutParameters),
    golden: side(args.golden, args.goldenParameters),
    options: {
      clocks: args.clocks,
      resets: args.resets,
      assume: args.assume,
      cycles: args.cycles,
      seed: args.seed,
      timeoutMs: args.timeoutMs,
      engine: args.engine,
      prove: args.prove,
      unknowns: args.unknowns,
      testbenchFile: args.testbench === undefined ? undefined : path.resolve(cwd, args.testbench),
      vcdFile: args.vcd === undefined ? undefined : path.resolve(cwd, args.vcd),
      saveCase: args.saveCase,
      brief: args.brief,
      fix: args.fix,
    },
  };
}

/** Refuses outputs that cannot be written or that would overwrite a source, before any time is spent. */
function checkOutputs({ dut, golden, options }: VerifyRequest): void {
  const sources = [dut.file, golden.file, ...(dut.libraryFiles ?? [])];
  for (const [option, file] of [['--testbench', options.testbenchFile], ['--vcd', options.vcdFile]] as const) {
    if (file === undefined) continue;
    if (sources.includes(file)) throw new UsageError(`${option} ${file} would overwrite a source; choose another name.`);
    const folder = path.dirname(file);
    if (!existsSync(folder)) throw new UsageError(`${option} ${file}: the folder ${folder} does not exist.`);
    if (existsSync(file) && !isFile(file)) throw new UsageError(`${option} ${file} is not a file.`);
  }
}
