import { statSync } from 'node:fs';
import path from 'node:path';
import type { CompilationUnit, DesignInput } from '../analysis/design.ts';
import { filesOfUnits, joinedUnit, parseDefine, readFilelist, unitOfList, type Filelist } from '../analysis/filelist.ts';
import { UsageError, type OptionSpec, type ParsedArgs } from './args.ts';
import type { CommandContext } from './context.ts';
import { placeText, shortPath } from './places.ts';

/** The options that say how sources are compiled, and which there are beside the named ones. */
export const sourceOptions: readonly OptionSpec[] = [
  { name: 'include', short: 'I', value: 'DIR', repeatable: true, help: 'Search DIR for included files.' },
  { name: 'define', short: 'D', value: 'NAME[=VALUE]', repeatable: true, help: 'Define a macro; without VALUE it is 1.' },
  { name: 'filelist', short: 'f', value: 'FILELIST', repeatable: true, help: 'Take sources, +incdir+, +define+, -y and -v from a file list; its paths are relative to the working directory.' },
  { name: 'F', value: 'FILELIST', repeatable: true, help: 'As -f, with paths relative to the file list.' },
];

/** What the source options say; those of the command line come before those of lists. */
export interface SourceArgs {
  /** Absolute. */
  readonly includeDirs: readonly string[];
  readonly defines: Readonly<Record<string, string>>;
  /** The sources and libraries of all lists; undefined where no list is given. */
  readonly unit: CompilationUnit | undefined;
}

/** A file list of the command line, and what its paths are relative to. */
interface NamedFilelist {
  readonly file: string;
  readonly relativeTo: 'cwd' | 'list';
}

/** Reads the source options and the file lists that they name. Throws a `UsageError` for what is not there. */
export async function sourceArgs(parsed: ParsedArgs, context: CommandContext): Promise<SourceArgs> {
  const includeDirs = parsed.all('include').map((dir) => existingDir(dir, context.cwd));
  const defines = Object.fromEntries(parsed.all('define').map(defineArg));
  const lists: Filelist[] = [];
  for (const list of namedFilelists(parsed)) lists.push(await loadFilelist(list, context));
  const units = await Promise.all(lists.map((list) => unitOfList(list, context.files)));
  return {
    includeDirs: [...new Set([...includeDirs, ...lists.flatMap((list) => list.includeDirs)])],
    defines: { ...Object.fromEntries(lists.flatMap((list) => Object.entries(list.defines))), ...defines },
    unit: units.length === 0 ? undefined : joinedUnit(units),
  };
}

/** The same, as a design is loaded with it. */
export function designContext({ includeDirs, defines, unit }: SourceArgs): Pick<DesignInput, 'libraryFiles' | 'units' | 'includeDirs' | 'defines'> {
  return { libraryFiles: filesOfUnits(unit === undefined ? [] : [unit]), ...(unit === undefined ? {} : { units: [unit] }), includeDirs, defines };
}

/** The lists of `-f`, then those of `-F`. */
function namedFilelists(parsed: ParsedArgs): NamedFilelist[] {
  return [
    ...parsed.all('filelist').map((file) => ({ file, relativeTo: 'cwd' as const })),
    ...parsed.all('F').map((file) => ({ file, relativeTo: 'list' as const })),
  ];
}

/** Reads a list whose files are all there; throws a usage error for any other. */
async function loadFilelist(filelist: NamedFilelist, { terminal, cwd, files, variables }: CommandContext): Promise<Filelist> {
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

export function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function existingDir(dir: string, cwd: string): string {
  const resolved = path.resolve(cwd, dir);
  if (statSync(resolved, { throwIfNoEntry: false })?.isDirectory() !== true) throw new UsageError(`-I ${dir}: there is no such folder.`);
  return resolved;
}

function defineArg(text: string): [string, string] {
  const define = parseDefine(text);
  if (define === undefined) throw new UsageError(`-D ${text}: write NAME or NAME=VALUE, where NAME is a macro's name.`);
  return [define.name, define.value];
}
