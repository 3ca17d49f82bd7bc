import { statSync } from 'node:fs';
import { readFilelist, type Filelist } from '../analysis/filelist.ts';
import { UsageError, type ParsedArgs } from './args.ts';
import type { CommandContext } from './context.ts';
import { placeText, shortPath } from './places.ts';

/** A file list of the command line, and what its paths are relative to. */
export interface NamedFilelist {
  readonly file: string;
  readonly relativeTo: 'cwd' | 'list';
}

/** The lists of `-f`, then those of `-F`. */
export function namedFilelists(parsed: ParsedArgs): NamedFilelist[] {
  return [
    ...parsed.all('filelist').map((file) => ({ file, relativeTo: 'cwd' as const })),
    ...parsed.all('F').map((file) => ({ file, relativeTo: 'list' as const })),
  ];
}

/** Reads a list whose files are all there; throws a usage error for any other. */
export async function loadFilelist(filelist: NamedFilelist, { terminal, cwd, files, variables }: CommandContext): Promise<Filelist> {
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
