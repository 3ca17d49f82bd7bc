import { unitsOf } from '../features/module-info.ts';
import { count } from '../verification/value-text.ts';
import type { Session } from './session.ts';

/** How a file is seen and why: what it is read with, what was found in it, and what is ambiguous about it. */
export function fileLines(session: Session, file: string): string[] {
  const { context, linter, indexer } = session;
  const { folders, index, sources, analyses } = context;
  const project = context.projectOf(file);
  const show = (path: string): string => folders.display(path);
  const lists = project.lists.filter(({ list }) => list !== undefined).map((read) => `${show(read.file)} (${read.list?.sources.includes(file) === true ? 'names this file' : count(read.list?.sources.length ?? 0, 'source')})`);
  const defines = Object.entries(project.context.defines).map(([name, value]) => {
    const origin = project.origins.get(name) ?? 'settings';
    return `${name}${value === '' ? '' : ` = ${value}`} (${origin === 'settings' ? origin : show(origin)})`;
  });
  const lines = [
    `Workspace folder: ${folders.rootOf(file) ?? 'none; the file is seen by itself'}.`,
    `File lists: ${lists.join(', ') || 'none'}.`,
    ...project.lists.flatMap(({ problem }) => (problem ? [`File list with a problem: ${problem.message}`] : [])),
    `Defines: ${defines.join(', ') || 'none'}.`,
    `Include folders: its own, ${project.context.includeDirs.map(show).join(', ') || 'and no other'}.`,
  ];
  const document = sources.document(file);
  const outline = document ? analyses.ofOpen(file, sources.textOf(file), context.sourceContext(file)).outline : index.outline(file);
  if (outline) {
    lines.push(`Included files: ${outline.includes.map(show).join(', ') || 'none'}.`, `Declares: ${unitsOf(outline).map(({ name }) => name).join(', ') || 'no design unit'}.`);
    const names = new Set(unitsOf(outline).flatMap(({ name, uses }) => [name, ...uses]));
    for (const name of [...names].sort()) {
      const files = index.definitions(name).map((definition) => show(definition.file));
      if (files.length > 1) lines.push(`'${name}' is defined ${files.length} times, the nearest counts: ${files.join(', ')}.`);
    }
  } else lines.push(indexer.running ? 'It has not been read yet.' : 'It is not part of the search: it is excluded, too large, or no source file.');
  lines.push(linter.stateOf(file)?.text ?? 'No tool has looked over this file yet.');
  return lines;
}
