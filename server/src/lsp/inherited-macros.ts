import type { SourceContext } from '../core.ts';
import { macrosBehind, sameMacros } from '../syntax/compilation-unit.ts';
import type { Macros } from '../syntax/compilation-unit.ts';
import type { PlacedText } from './convert.ts';
import type { Project } from './projects.ts';

/** Larger files are netlists or memories as a rule, which define nothing for others. */
const largestLength = 4_000_000;

/** What one file makes of the macros before it, and all that it was read from. */
interface Link {
  readonly text: PlacedText;
  readonly context: SourceContext;
  readonly before: Macros | undefined;
  /** Files that were looked for while reading, with the texts they had. */
  readonly includes: ReadonlyMap<string, PlacedText | undefined>;
  readonly after: Macros | undefined;
}

/** The files of the lists of a project, with their contexts. */
interface Unit {
  readonly stamp: string;
  readonly lists: Project['lists'];
  readonly contexts: ReadonlyMap<string, SourceContext>;
}

/** The sources of each file list as one compilation unit: what earlier ones define is there in later ones. */
export class InheritedMacros {
  readonly #find: (file: string) => PlacedText | undefined;
  readonly #links = new Map<string, Link>();
  readonly #units = new WeakMap<SourceContext, Unit>();

  constructor(find: (file: string) => PlacedText | undefined) {
    this.#find = find;
  }

  /** The same object until the settings or what earlier files define change. `stamp` differs when a text does. */
  contextOf(file: string, project: Project, stamp: string): SourceContext {
    const { context, lists } = project;
    if (lists.length === 0) return context;
    const before = this.#units.get(context);
    const unit = before?.stamp === stamp && before.lists === lists ? before : { stamp, lists, contexts: this.#read(project, before?.contexts) };
    this.#units.set(context, unit);
    return unit.contexts.get(file) ?? context;
  }

  /** A file that several lists name belongs to the first of them. */
  #read({ context, lists }: Project, before: Unit['contexts'] | undefined): Unit['contexts'] {
    const contexts = new Map<string, SourceContext>();
    for (const { list } of lists) {
      let macros: Macros | undefined;
      for (const file of list?.sources ?? []) {
        if (contexts.has(file)) continue;
        const known = before?.get(file);
        contexts.set(file, macros === undefined ? context : known?.macros === macros ? known : { ...context, macros });
        macros = this.#after(file, context, macros);
      }
    }
    return contexts;
  }

  #after(file: string, context: SourceContext, before: Macros | undefined): Macros | undefined {
    const text = this.#find(file);
    if (!text || text.text.length > largestLength) return before;
    const known = this.#links.get(file);
    if (known?.text === text && known.context === context && known.before === before && [...known.includes].every(([path, was]) => this.#find(path) === was)) return known.after;
    const includes = new Map<string, PlacedText | undefined>();
    const readFile = (path: string): string | undefined => {
      const found = this.#find(path);
      includes.set(path, found);
      return found?.text;
    };
    const read = macrosBehind(file, text.text, { ...context, macros: before, readFile });
    // Equal macros stay the same object, so that an edit elsewhere in the file has nothing behind it read again.
    const after = [before, known?.after].find((other) => other && sameMacros(other, read)) ?? read;
    this.#links.set(file, { text, context, before, includes, after });
    return after;
  }
}
