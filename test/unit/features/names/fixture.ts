import { functionIn } from '../../../../server/src/analysis/function-text.ts';
import { ParsedText } from '../../../../server/src/analysis/parsed-text.ts';
import { readSource } from '../../../../server/src/analysis/names/source.ts';
import type { NamedSource } from '../../../../server/src/analysis/names/source.ts';
import { NameWorkspace } from '../../../../server/src/features/names/workspace.ts';
import { outlineSymbols } from '../../../../server/src/features/outline.ts';
import { Parser } from '../../../../server/src/syntax/parser.ts';
import { preprocess } from '../../../../server/src/syntax/preprocess.ts';
import { filesOf } from '../../analysis/names/workspace.ts';

const parser = await Parser.create();

export interface Fixture {
  readonly snapshot: NameWorkspace;
  /** Without the cursor. */
  readonly files: ReadonlyMap<string, string>;
  readonly file: string;
  readonly offset: number;
}

export interface FixtureOptions {
  readonly defines?: Readonly<Record<string, string>>;
  /** Files outside of the workspace. */
  readonly foreign?: readonly string[];
  readonly complete?: boolean;
}

/** A workspace from a text with `//- path` lines between its files and `$0` at the cursor. */
export function fixture(text: string, { defines = {}, foreign = [], complete = true }: FixtureOptions = {}): Fixture {
  const files = new Map<string, string>();
  let file = '';
  let offset = 0;
  for (const [path, written] of filesOf(text)) {
    const cursor = written.indexOf('$0');
    if (cursor >= 0) [file, offset] = [path, cursor];
    files.set(path, written.replace('$0', ''));
  }
  return { snapshot: snapshotOf(files, { defines, foreign, complete }), files, file: file === '' ? ([...files.keys()][0] ?? '') : file, offset };
}

export function snapshotOf(files: ReadonlyMap<string, string>, { defines = {}, foreign = [], complete = true }: FixtureOptions = {}): NameWorkspace {
  const sources = new Map<string, NamedSource>();
  for (const [path, content] of files) sources.set(path, readSource(path, content, { defines, readFile: (name) => files.get(name) }));
  return new NameWorkspace({
    files: [...files.keys()].filter((path) => !foreign.includes(path)),
    complete,
    text: (path) => files.get(path),
    options: () => ({ defines }),
    source: (path) => sources.get(path),
    symbols: (path) => {
      const source = sources.get(path);
      return source ? outlineSymbols(source) : [];
    },
    includes: (path) => sources.get(path)?.preprocessed.includes.flatMap(({ resolved }) => resolved ?? []) ?? [],
    readFunction: (content) => functionIn(content, (whole) => new ParsedText(parser, { file: '', text: whole, source: preprocess('', whole, { readFile: () => undefined }), previous: undefined, deadlineMs: undefined })),
    isOwn: (path) => !foreign.includes(path),
  });
}
