import type { SourceContext } from '../core.ts';
import { directivesFor, macrosBehind, sameMacros } from '../syntax/compilation-unit.ts';
import type { Macros } from '../syntax/compilation-unit.ts';
import { includeGuardOf } from '../syntax/include-guard.ts';
import type { PlacedText } from './convert.ts';
import type { Project } from './projects.ts';

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
  readonly units: Project['units'];
  readonly contexts: ReadonlyMap<string, SourceContext>;
}

/** The sources of each file list as one compilation unit: what earlier ones define is there in later ones and in library files. */
export class InheritedMacros {
  readonly #find: (file: string) => PlacedText | undefined;
  readonly #links = new Map<string, Link>();
  readonly #units = new WeakMap<SourceContext, Unit>();

  constructor(find: (file: string) => PlacedText | undefined) {
    this.#find = find;
  }

  /** The same object until the settings or what earlier files define change. `stamp` differs when a text does. */
  contextOf(file: string, project: Project, stamp: string): SourceContext {
    const { context, units } = project;
    if (units.length === 0) return context;
    const before = this.#units.get(context);
    const unit = before?.stamp === stamp && before.units === units ? before : { stamp, units, contexts: this.#read(project, before?.contexts) };
    this.#units.set(context, unit);
    return unit.contexts.get(file) ?? context;
  }

  /**
   * Directives for a tool that reads a file by itself, so that it knows the macros of the files before; empty for none. What an include
   * guard guards may still have to be read.
   */
  directivesBefore({ macros }: SourceContext): string {
    return macros ? directivesFor(macros, [], ({ name, location }) => location === undefined || includeGuardOf(this.#find(location.file)?.text ?? '') === name) : '';
  }

  /** A file that several lists name belongs to the first of them. */
  #read({ context, units }: Project, before: Unit['contexts'] | undefined): Unit['contexts'] {
    const contexts = new Map<string, SourceContext>();
    const add = (file: string, macros: Macros | undefined): void => {
      const known = before?.get(file);
      contexts.set(file, macros === undefined ? context : known?.macros === macros ? known : { ...context, macros });
    };
    for (const { sources, libraries } of units) {
      let macros: Macros | undefined;
      for (const file of sources) {
        if (contexts.has(file)) continue;
        add(file, macros);
        macros = this.#after(file, context, macros);
      }
      for (const file of libraries) if (!contexts.has(file)) add(file, macros);
    }
    return contexts;
  }

  #after(file: string, context: SourceContext, before: Macros | undefined): Macros | undefined {
    const text = this.#find(file);
    if (!text) return before;
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
