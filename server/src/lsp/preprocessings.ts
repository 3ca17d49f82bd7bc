import type { Steps } from '../base/steps.ts';
import { finish } from '../base/steps.ts';
import type { SourceContext } from '../core.ts';
import { preprocessedAgain } from '../syntax/preprocess-again.ts';
import { preprocessInSteps } from '../syntax/preprocess.ts';
import type { Preprocessed } from '../syntax/preprocessed.ts';
import type { PlacedText } from './convert.ts';
import type { Sources } from './sources.ts';

/** What the preprocessor made of a text, and all that it was read from. */
export interface Preprocessing {
  readonly text: PlacedText;
  readonly context: SourceContext;
  /** Files that were looked for while reading, with the texts they had. */
  readonly includes: ReadonlyMap<string, PlacedText | undefined>;
  readonly source: Preprocessed;
}

/** Preprocesses each version of an open document once, whoever asks. */
export class Preprocessings {
  readonly #sources: Pick<Sources, 'find' | 'document'>;
  readonly #kept = new Map<string, Preprocessing>();

  constructor(sources: Pick<Sources, 'find' | 'document'>) {
    this.#sources = sources;
  }

  /** Neither the text nor anything that it was read from is another one now. */
  isFresh(known: Preprocessing | undefined, text: PlacedText, context: SourceContext): known is Preprocessing {
    return known?.text === text && this.#isSameAround(known, context);
  }

  #isSameAround(known: Preprocessing, context: SourceContext): boolean {
    return known.context === context && [...known.includes].every(([path, was]) => this.#sources.find(path) === was);
  }

  of(file: string, text: PlacedText, context: SourceContext): Preprocessing {
    return finish(this.inSteps(file, text, context));
  }

  *inSteps(file: string, text: PlacedText, context: SourceContext): Steps<Preprocessing> {
    const known = this.#kept.get(file);
    if (known && this.#isSameAround(known, context)) {
      if (known.text === text) return known;
      const source = preprocessedAgain(known.source, file, known.text.text, text.text);
      if (source) return this.#keep(file, { ...known, text, source });
      yield;
    }
    const includes = new Map<string, PlacedText | undefined>();
    const readFile = (path: string): string | undefined => {
      const found = this.#sources.find(path);
      includes.set(path, found);
      return found?.text;
    };
    const source = yield* preprocessInSteps(file, text.text, { ...context, readFile });
    return this.#keep(file, { text, context, includes, source });
  }

  #keep(file: string, made: Preprocessing): Preprocessing {
    // The document may have been closed or changed meanwhile.
    if (this.#sources.document(file) && this.#sources.find(file) === made.text) this.#kept.set(file, made);
    return made;
  }

  drop(file: string): void {
    this.#kept.delete(file);
  }
}
