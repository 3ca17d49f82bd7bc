import { NearestFiles } from '../../../../server/src/analysis/names/lookup.ts';
import type { FileNames } from '../../../../server/src/analysis/names/model.ts';
import { readNames } from '../../../../server/src/analysis/names/read.ts';
import { NameResolver } from '../../../../server/src/analysis/names/resolve.ts';
import { preprocess } from '../../../../server/src/syntax/preprocess.ts';

/** Splits a fixture at its `//- path` lines; a text without one is the file `/w/top.sv`. */
export function filesOf(fixture: string): Map<string, string> {
  const files = new Map<string, string>();
  const parts = fixture.split(/^[ \t]*\/\/- (\S+)[^\n]*\n/m);
  if ((parts[0] ?? '').trim() !== '' || parts.length === 1) files.set('/w/top.sv', parts[0] ?? '');
  for (let at = 1; at < parts.length; at += 2) files.set(`/w/${parts[at] ?? ''}`, parts[at + 1] ?? '');
  return files;
}

export interface NamesWorkspace {
  readonly files: ReadonlyMap<string, string>;
  readonly models: readonly FileNames[];
  readonly resolver: NameResolver;
}

export function workspace(fixture: string, defines: Readonly<Record<string, string>> = {}): NamesWorkspace {
  const files = filesOf(fixture);
  const models = [...files].map(([file, text]) => {
    const source = preprocess(file, text, { defines, readFile: (path) => files.get(path) });
    return readNames(file, source.text, source.map);
  });
  const lookup = new NearestFiles({
    filesDeclaring: (name) => models.filter(({ scopes }) => scopes[0]?.names.has(name)).map(({ file }) => file),
    filesImporting: () => models.map(({ file }) => file),
    namesOf: (file) => models.find((model) => model.file === file),
  });
  return { files, models, resolver: new NameResolver(lookup) };
}
