import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { filesOfUnits, readFilelist, unitOfList } from '../analysis/filelist.ts';
import type { Filelist } from '../analysis/filelist.ts';
import type { CompilationUnit, SourceProblem } from '../analysis/design.ts';
import type { Settings } from '../config.ts';
import type { SourceContext } from '../core.ts';
import type { FileReader } from '../base/files.ts';

export interface ReadList {
  /** Absolute path. */
  readonly file: string;
  readonly list: Filelist | undefined;
  readonly problem: SourceProblem | undefined;
}

/** What settings and file lists say about the files of a folder. */
export interface Project {
  readonly context: SourceContext;
  readonly lists: readonly ReadList[];
  /** One for each list. */
  readonly units: readonly CompilationUnit[];
  /** Absolute paths of what the lists name: sources, `-v` files, and the sources in `-y` folders. */
  readonly files: readonly string[];
  /** Where each define comes from: a file list, or the settings. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Reads what the settings of a folder name. Defines of the settings come before those of lists, later lists before earlier ones. */
export async function readProject(root: string | undefined, settings: Settings, files: FileReader): Promise<Project> {
  const at = (name: string): string => (root === undefined ? resolve(name) : resolve(root, name));
  // Outside of all folders a relative path leads nowhere.
  const named = settings.filelists.filter((name) => root !== undefined || isAbsolute(name));
  const lists = await Promise.all(named.map((name) => readList(at(name), root, files)));
  const found = lists.flatMap(({ list }) => list ?? []);
  const units = await Promise.all(found.map((list) => unitOfList(list, files)));
  const origins = new Map<string, string>();
  for (const { file, list } of lists) for (const name of Object.keys(list?.defines ?? {})) origins.set(name, file);
  for (const name of Object.keys(settings.defines)) origins.set(name, 'settings');
  return {
    context: {
      includeDirs: [...new Set([...settings.includeDirs.map(at), ...found.flatMap(({ includeDirs }) => includeDirs)])],
      defines: { ...Object.fromEntries(found.flatMap(({ defines }) => Object.entries(defines))), ...settings.defines },
    },
    lists,
    units,
    files: filesOfUnits(units),
    origins,
  };
}

/**
 * Simulators take paths of a list as relative to where they are started, which a list does not tell: the folder of the
 * workspace or that of the list is taken, whichever more of the named files are found from.
 */
async function readList(file: string, root: string | undefined, files: FileReader): Promise<ReadList> {
  const folders = [...new Set([dirname(file), ...(root === undefined ? [] : [root])])];
  const results = await Promise.all(folders.map((cwd) => readFilelist(file, 'cwd', { files, cwd, variables: process.env })));
  const lists = results.flatMap((result) => (result.kind === 'read' ? [result.list] : []));
  const list = lists.toSorted((a, b) => countThere(b) - countThere(a))[0];
  const rejected = results.find((result) => result.kind === 'rejected');
  return { file, list, problem: list ? undefined : rejected?.problem };
}

function countThere({ sources, includeDirs }: Filelist): number {
  return [...sources, ...includeDirs].filter((path) => existsSync(path)).length;
}
