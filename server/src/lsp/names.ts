import { functionIn } from '../analysis/function-text.ts';
import type { FunctionItem } from '../analysis/items.ts';
import type { NamedSource } from '../analysis/names/source.ts';
import { namedInSteps } from '../analysis/names/source.ts';
import { finish } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import type { SourceContext } from '../core.ts';
import { mentionsInSteps } from '../features/names/mentions.ts';
import { NameWorkspace } from '../features/names/workspace.ts';
import { outlineSymbols } from '../features/outline.ts';
import { pathOf } from './convert.ts';
import type { PlacedText } from './convert.ts';
import { longText } from './analysis.ts';
import type { Preprocessing } from './preprocessings.ts';
import { SharedSlices } from './shared-slices.ts';
import type { ServerContext } from './context.ts';

/** Models of this many files are kept; open files come on top of it. */
const keptModels = 300;

/** Milliseconds to read one function. */
const functionDeadlineMs = 200;

interface Entry extends Preprocessing {
  readonly named: NamedSource;
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
  readonly #readings = new SharedSlices<string>();
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

  /** An open document is known better than the index knows it; of a long one, what was known last is good enough for others. */
  #openSource<T>(file: string, look: (source: NamedSource) => T): T | undefined {
    const { sources } = this.#context;
    if (!sources.document(file)) return undefined;
    const isLong = (sources.find(file)?.text.length ?? 0) > longText;
    const source = isLong ? this.#entries.get(file)?.named : this.#source(file);
    return source && look(source);
  }

  /**
   * Reads the names of a long open document in slices, so that `snapshot` has them at hand; between them `pause` is awaited, which may end
   * the wait by throwing. When the text changes meanwhile, the newest one is read.
   */
  async ready(file: string, pause: () => Promise<void>): Promise<void> {
    for (let text = this.#unread(file); text; text = this.#unread(file)) {
      const unread = text;
      await this.#readings.wait(file, () => this.#readInSteps(file, unread), pause);
    }
  }

  /** The names of a file are at hand, or soon read. */
  isReady(file: string): boolean {
    return this.#unread(file) === undefined;
  }

  /** The text of a long open document whose names are not known. */
  #unread(file: string): PlacedText | undefined {
    const { sources, preprocessings } = this.#context;
    const text = sources.document(file) && sources.find(file);
    if (!text || text.text.length <= longText) return undefined;
    return preprocessings.isFresh(this.#entries.get(file), text, this.#context.sourceContext(file)) ? undefined : text;
  }

  #source(file: string): NamedSource | undefined {
    const { sources, preprocessings } = this.#context;
    const text = sources.find(file);
    const known = this.#entries.get(file);
    this.#entries.delete(file);
    if (!text) return undefined;
    const context = this.#context.sourceContext(file);
    const entry = preprocessings.isFresh(known, text, context) ? known : finish(this.#read(file, text, context, known));
    this.#entries.set(file, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > keptModels && oldest !== undefined) this.#entries.delete(oldest);
    return entry.named;
  }

  #readFunction(text: string): FunctionItem | undefined {
    return functionIn(text, (whole) => this.#context.core.parse({ file: '', text: whole, context: { includeDirs: [], defines: {} }, deadlineMs: functionDeadlineMs, first: 'summary' }));
  }

  *#readInSteps(file: string, text: PlacedText): Steps<void> {
    this.#entries.set(file, yield* this.#read(file, text, this.#context.sourceContext(file), this.#entries.get(file)));
  }

  *#read(file: string, text: PlacedText, context: SourceContext, known: Entry | undefined): Steps<Entry> {
    const preprocessing = yield* this.#context.preprocessings.inSteps(file, text, context);
    const source = { file, text: text.text, preprocessed: preprocessing.source, given: Object.keys(context.defines) };
    const named = yield* namedInSteps(source, known?.named);
    if (text.text.length > longText) yield* mentionsInSteps(named);
    return { ...preprocessing, named };
  }
}
