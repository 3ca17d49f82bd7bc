import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DesignInput } from '../analysis/design.ts';
import { parameterSets, verifySets } from '../verification/sweep.ts';
import { exitCodeOf, type VerifyRequest, type VerifyResult } from '../verification/verdict.ts';
import { UsageError, type ParsedArgs } from './args.ts';
import type { Command, CommandContext, Outcome } from './context.ts';
import { designContext, isFile, sourceArgs } from './sources.ts';
import { placesOf } from './places.ts';
import { verifyArgs, verifySpec, type ModuleReference, type VerifyArgs } from './verify-args.ts';
import { verdictText } from './verdict-text.ts';

/** `rtl-copilot verify`: the exit code follows the verdict. */
export const verifyCommand: Command = { spec: verifySpec, run: runVerify };

async function runVerify(parsed: ParsedArgs, context: CommandContext): Promise<Outcome> {
  const { terminal, cwd, signal } = context;
  const args = verifyArgs(parsed, (file) => isFile(path.resolve(cwd, file)));
  const request = verifyRequest(args, designContext(await sourceArgs(parsed, context)), context.cwd);
  checkOutputs(request);
  const core = await context.core();
  const verifyOne = (one: VerifyRequest, set = ''): Promise<VerifyResult> =>
    core.verify(one, {
      ...(signal === undefined ? {} : { signal }),
      progress: ({ stage, share }) => terminal.progress(`${set === '' ? '' : `${set}: `}${stage}${share === undefined ? '' : ` ${Math.floor(share * 100)} %`}`),
    });
  const result = await (args.sweeps.length === 0 ? verifyOne(request) : verifySets(request, parameterSets(args.sweeps), verifyOne));
  const places = await placesOf(result, cwd, context.files);
  return { exitCode: exitCodeOf(result.verdict), json: result, text: verdictText(result, { places, columns: terminal.columns, paint: terminal.paint, wave: args.wave }) };
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
