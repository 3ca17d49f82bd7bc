import { functionIn } from '../analysis/function-text.ts';
import type { FunctionItem } from '../analysis/items.ts';
import type { NamedSource } from '../analysis/names/source.ts';
import { readSource } from '../analysis/names/source.ts';
import type { SourceContext } from '../core.ts';
import { NameWorkspace } from '../features/names/workspace.ts';
import { outlineSymbols } from '../features/outline.ts';
import { pathOf } from './convert.ts';
import type { PlacedText } from './convert.ts';
import type { ServerContext } from './context.ts';

/** Models of this many files are kept; open files come on top of it. */
const keptModels = 300;

/** Milliseconds to read one function. */
const functionDeadlineMs = 200;

interface Entry {
  readonly text: PlacedText;
  readonly context: SourceContext;
  /** Files that were looked for while reading, with the texts they had. */
  readonly includes: ReadonlyMap<string, PlacedText | undefined>;
  readonly source: NamedSource;
}

function includesOf({ preprocessed }: NamedSource): string[] {
  return [...new Set(preprocessed.includes.flatMap(({ resolved }) => resolved ?? []))];
}

/** The names of all files. Nothing is read before it is asked for, and what has not changed is read once. */
export class Names {
  readonly #context: ServerContext;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  /** Whether the workspace is known as a whole. */
  readonly #complete: () => boolean;
  #snapshot: { readonly stamp: string; readonly names: NameWorkspace } | undefined;

  constructor(context: ServerContext, complete: () => boolean) {
    this.#context = context;
    this.#complete = complete;
  }

  /** The names as they are now; the same object as long as nothing changes. */
  snapshot(): NameWorkspace {
    const stamp = this.#stamp();
    if (this.#snapshot?.stamp === stamp) return this.#snapshot.names;
    const { index, sources, folders } = this.#context;
    const open = sources.documents.map(({ uri }) => pathOf(uri));
    const known = new Set([...open, ...index.files]);
    const names = new NameWorkspace({
      files: [...known],
      complete: this.#complete(),
      text: (file) => sources.glance(file),
      options: (file) => this.#context.sourceContext(file),
      source: (file) => this.#source(file),
      symbols: (file) => this.#openSource(file, outlineSymbols) ?? index.outline(file)?.symbols ?? [],
      includes: (file) => this.#openSource(file, includesOf) ?? index.outline(file)?.includes ?? [],
      readFunction: (text) => this.#readFunction(text),
      isOwn: (file) => sources.document(file) !== undefined || (known.has(file) && folders.rootOf(file) !== undefined),
    });
    this.#snapshot = { stamp, names };
    return names;
  }

  #stamp(): string {
    const { index, sources, settings } = this.#context;
    return [index.revision, settings.revision, this.#complete(), sources.stamp()].join('\n');
  }

  /** An open document is known better than the index knows it. */
  #openSource<T>(file: string, look: (source: NamedSource) => T): T | undefined {
    const source = this.#context.sources.document(file) ? this.#source(file) : undefined;
    return source && look(source);
  }

  #source(file: string): NamedSource | undefined {
    const { sources } = this.#context;
    const text = sources.find(file);
    const context = this.#context.sourceContext(file);
    const known = this.#entries.get(file);
    this.#entries.delete(file);
    if (!text) return undefined;
    const isFresh = known?.text === text && known.context === context && [...known.includes].every(([path, was]) => sources.find(path) === was);
    const entry = isFresh ? known : this.#read(file, text, context);
    this.#entries.set(file, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > keptModels && oldest !== undefined) this.#entries.delete(oldest);
    return entry.source;
  }

  #readFunction(text: string): FunctionItem | undefined {
    return functionIn(text, (whole) => this.#context.core.parse({ file: '', text: whole, context: { includeDirs: [], defines: {} }, deadlineMs: functionDeadlineMs, first: 'summary' }));
  }

  #read(file: string, text: PlacedText, context: SourceContext): Entry {
    const includes = new Map<string, PlacedText | undefined>();
    const readFile = (path: string): string | undefined => {
      const found = this.#context.sources.find(path);
      includes.set(path, found);
      return found?.text;
    };
    return { text, context, includes, source: readSource(file, text.text, { ...context, readFile }) };
  }
}
