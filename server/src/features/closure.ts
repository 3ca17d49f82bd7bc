import { dirname, sep } from 'node:path';
import type { ModuleInfo } from './module-info.ts';

/** All definitions in the workspace of a module or package name. */
export type FindDefinitions = (name: string) => readonly { readonly file: string; readonly uses: readonly string[] }[];

/**
 * Absolute paths of the files that define what a module uses, directly or through others, without its own file. Of several
 * definitions of one name, one in a file that is already needed is taken, else the one nearest to the using file's folder.
 */
export function libraryFiles(module: Pick<ModuleInfo, 'file' | 'uses'>, find: FindDefinitions): string[] {
  const files = new Set([module.file]);
  const seen = new Set<string>();
  const queue = module.uses.map((name) => ({ name, from: module.file }));
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (seen.has(next.name)) continue;
    seen.add(next.name);
    const definition = nearest(find(next.name), next.from, files);
    if (!definition) continue;
    files.add(definition.file);
    queue.push(...definition.uses.map((name) => ({ name, from: definition.file })));
  }
  files.delete(module.file);
  return [...files];
}

function nearest<D extends { readonly file: string }>(definitions: readonly D[], from: string, needed: ReadonlySet<string>): D | undefined {
  const cost = (definition: D): number => (needed.has(definition.file) ? -1 : distance(definition.file, from));
  return definitions.toSorted((a, b) => cost(a) - cost(b) || (a.file < b.file ? -1 : 1))[0];
}

/** Steps between the folders of two files, up and down. */
function distance(a: string, b: string): number {
  const left = dirname(a).split(sep);
  const right = dirname(b).split(sep);
  let common = 0;
  while (common < left.length && common < right.length && left[common] === right[common]) common++;
  return left.length + right.length - 2 * common;
}
