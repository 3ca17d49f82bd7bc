import { withinStack } from '../../base/nesting.ts';
import type { Span } from '../../base/text.ts';
import type { Preprocessed } from '../../syntax/preprocessed.ts';
import type { FileSummary } from '../items.ts';
import { Library } from '../library.ts';
import type { FileNames } from '../names/model.ts';
import { NameResolver, noOtherFiles } from '../names/resolve.ts';
import { mayRelease } from './release.ts';
import type { FileView } from './view.ts';

export interface FileParts {
  readonly file: string;
  readonly text: string;
  readonly source: Preprocessed;
  readonly summary: FileSummary;
  readonly names: FileNames;
  /** Syntax errors, in offsets of the file's own text. */
  readonly errors: readonly Span[];
  /** What other files declare that this one needs. */
  readonly others: readonly FileSummary[];
  /** Names of all design units of the project; undefined when not all are known. */
  readonly units?: ReadonlySet<string> | undefined;
  /** What knows the names of other files; undefined: they have none. */
  readonly resolver?: NameResolver | undefined;
}

export function fileView({ file, text, source, summary, names, errors, others, units, resolver }: FileParts): FileView {
  return {
    file,
    text,
    parsed: source.text,
    map: source.map,
    summary,
    names,
    resolver: resolver ?? new NameResolver(noOtherFiles),
    unknownMacros: [...source.unknown.filter((usage) => usage.file === file).map(({ span }) => ({ start: source.map.fromRoot(span.start), end: source.map.fromRoot(span.end) })), ...names.unknownMacros],
    errors,
    // Verilog-AMS has functions and declarations of its own.
    missesInclude: source.problems.some(({ code }) => code === 'missing-include') || text.includes('`begin_keywords "VAMS'),
    library: new Library([summary, ...others.filter((other) => other.file !== file)]),
    units,
  };
}

/** Of a file what others can see of it: nothing that runs or is instantiated, so that a whole project fits into memory. */
export function interfaceOnly(summary: FileSummary): FileSummary {
  const visible = ({ kind }: FileSummary['items'][number]): boolean => kind === 'parameter' || kind === 'port' || kind === 'typedef' || kind === 'import' || kind === 'function';
  return {
    ...summary,
    modules: summary.modules.map((module) => ({ ...module, mayRelease: module.mayRelease ?? withinStack(() => mayRelease(module), () => true), items: module.items.filter(visible) })),
  };
}
