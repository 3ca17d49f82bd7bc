import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { readFilelist, type Filelist } from '../analysis/filelist.ts';
import type { DesignInput } from '../analysis/design.ts';
import { parameterSets, verifySets } from '../verification/sweep.ts';
import { exitCodeOf, type VerifyRequest, type VerifyResult } from '../verification/verdict.ts';
import { UsageError } from './args.ts';
import { jsonText, type CommandContext } from './context.ts';
import { commandHelp } from './help.ts';
import { placesOf, placeText, shortPath } from './places.ts';
import { parseVerifyArgs, verifySpec, type ModuleReference, type VerifyArgs } from './verify-args.ts';
import { verdictText } from './verdict-text.ts';

/** `rtl-copilot verify`: the exit code follows the verdict. */
export async function verifyCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal, cwd } = context;
  const parsed = parseVerifyArgs(args, (file) => isFile(path.resolve(cwd, file)));
  if (parsed === 'help') {
    await terminal.write(commandHelp(verifySpec, terminal.columns));
    return 0;
  }
  const request = await verifyRequest(parsed, context);
  checkOutputs(request);
  const core = await context.core();
  const verifyOne = (one: VerifyRequest, set = ''): Promise<VerifyResult> =>
    core.verify(one, {
      progress: ({ stage, share }) => terminal.progress(`${set === '' ? '' : `${set}: `}${stage}${share === undefined ? '' : ` ${Math.floor(share * 100)} %`}`),
    });
  const result = await (parsed.sweeps.length === 0 ? verifyOne(request) : verifySets(request, parameterSets(parsed.sweeps), verifyOne));
  terminal.progress(undefined);
  if (parsed.json) await terminal.write(jsonText(result));
  else {
    const places = await placesOf(result, cwd, context.files);
    await terminal.write(verdictText(result, { places, columns: terminal.columns, paint: terminal.paint, wave: parsed.wave }));
  }
  return exitCodeOf(result.verdict);
}

async function verifyRequest(args: VerifyArgs, context: CommandContext): Promise<VerifyRequest> {
  const { cwd } = context;
  const lists: Filelist[] = [];
  for (const filelist of args.filelists) lists.push(await loadFilelist(filelist, context));
  const libraryFiles = [...new Set((await Promise.all(lists.map((list) => filesOf(list, context)))).flat())];
  const shared = {
    libraryFiles,
    includeDirs: [...new Set([...args.includeDirs.map((dir) => existingDir(dir, cwd)), ...lists.flatMap((list) => list.includeDirs)])],
    defines: Object.assign({}, ...lists.map((list) => list.defines), args.defines) as Record<string, string>,
  };
  const side = ({ file, module }: ModuleReference, parameters: Readonly<Record<string, string>>): DesignInput => ({
    file: path.resolve(cwd, file),
    ...(module === undefined ? {} : { module }),
    ...shared,
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
      testbenchFile: args.testbench === undefined ? undefined : path.resolve(cwd, args.testbench),
      vcdFile: args.vcd === undefined ? undefined : path.resolve(cwd, args.vcd),
      saveCase: args.saveCase,
    },
  };
}

async function loadFilelist(filelist: VerifyArgs['filelists'][number], { terminal, cwd, files, variables }: CommandContext): Promise<Filelist> {
  const result = await readFilelist(filelist.file, filelist.relativeTo, { files, cwd, variables });
  if (result.kind === 'rejected') {
    const { file, line, character, message } = result.problem;
    throw new UsageError(line === undefined ? message : `${placeText(shortPath(file, cwd), line, character)}: ${message}`);
  }
  for (const { option, file, line } of result.list.ignored) {
    terminal.warn(`${placeText(shortPath(file, cwd), line, undefined)}: note: ${option} has no meaning here and is ignored.\n`);
  }
  for (const file of [...result.list.sources, ...result.list.libraryFiles]) {
    if (isFile(file)) continue;
    const hint = filelist.relativeTo === 'cwd' ? '; where its paths are relative to the list, give it with -F' : '';
    throw new UsageError(`The file list ${filelist.file} names ${shortPath(file, cwd)}, which does not exist${hint}.`);
  }
  return result.list;
}

/** Sources and library files of a list; of library directories, the files with a library extension. */
async function filesOf(list: Filelist, { files }: CommandContext): Promise<string[]> {
  const extensions = list.libraryExtensions.length > 0 ? list.libraryExtensions : ['.v', '.sv'];
  const inDirs = list.libraryDirs.map(async (dir) => {
    const names = await files.list(dir);
    return names.filter((name) => extensions.some((extension) => name.endsWith(extension))).map((name) => path.join(dir, name));
  });
  return [...list.sources, ...list.libraryFiles, ...(await Promise.all(inDirs)).flat()];
}

export function existingDir(dir: string, cwd: string): string {
  const resolved = path.resolve(cwd, dir);
  if (!existsSync(resolved) || !statSync(resolved).isDirectory()) throw new UsageError(`-I ${dir}: there is no such folder.`);
  return resolved;
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

export function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
