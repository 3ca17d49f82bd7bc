import { NearestFiles } from '../names/lookup.ts';
import { NameResolver } from '../names/resolve.ts';
import type { ParsedSource } from '../parsed-text.ts';
import { runRules } from './engine.ts';
import type { RuleFinding, RuleOptions } from './engine.ts';
import { fileView, interfaceOnly } from './file-view.ts';

/** Runs the rules over files that belong together, and gives the findings of each in turn. One file alone is no project: what it lacks may be elsewhere. */
export async function* lintFiles(files: readonly ParsedSource[], options: RuleOptions): AsyncGenerator<{ readonly source: ParsedSource; readonly findings: readonly RuleFinding[] }> {
  const summaries = files.map(({ summary }) => interfaceOnly(summary));
  const units = new Set(summaries.flatMap((summary) => [...summary.modules, ...summary.packages].map(({ name }) => name)));
  const declaring = new Map<string, string[]>();
  for (const { file, names } of files) {
    for (const name of names.scopes[0]?.names.keys() ?? []) declaring.set(name, [...(declaring.get(name) ?? []), file]);
  }
  const importing = files.filter(({ names }) => (names.scopes[0]?.imports.length ?? 0) > 0).map(({ file }) => file);
  const byFile = new Map(files.map((source) => [source.file, source.names]));
  const resolver = new NameResolver(new NearestFiles({ filesDeclaring: (name) => declaring.get(name) ?? [], filesImporting: () => importing, namesOf: (file) => byFile.get(file) }));
  for (const source of files) {
    const view = fileView({
      file: source.file,
      text: source.text,
      source: source.preprocessed,
      summary: source.summary,
      names: source.names,
      errors: source.problems.filter(({ file, severity }) => file === source.file && severity === 'error').map(({ span }) => span),
      others: summaries,
      units: files.length > 1 ? units : undefined,
      resolver,
    });
    yield { source, findings: (await runRules(view, options)) ?? [] };
  }
}
