import type { LoadedDesign } from '../analysis/design.ts';
import { preprocess } from '../syntax/preprocess.ts';
import type { Preprocessed } from '../syntax/preprocessed.ts';
import { codeOnly } from './source-scan.ts';

export interface ActingAssertion {
  readonly offset: number;
  /** Of a clock or deferred, and not checked where a statement stands. */
  readonly isConcurrent: boolean;
}

const ASSERTION = /(?<![\w$`'.])(?:assert|assume|cover|expect|restrict)\b\s*(property\b|sequence\b|final\b|#\s*0\b)?\s*(?=\()/g;
/** In a condition: a call of a function of the design, a cast into a variable, an assignment. */
const EFFECT = /(?<![\w$'])(?!(?:inside|dist|and|or|not|if|signed|unsigned)\b)[A-Za-z_]\w*\s*\(|\$cast\b|\+\+|--|(?<![=!<>])=(?![=])/;

/**
 * Assertions that do more than check and print: they assign, call or wait when they hold or fail (IEEE 1800 16.3), or their condition does. `code` has
 * neither comments nor what strings hold. What cannot be read counts as acting.
 */
export function actingAssertions(code: string): ActingAssertion[] {
  return [...code.matchAll(ASSERTION)].flatMap((match) => {
    const isConcurrent = match[1] !== undefined;
    const open = match.index + match[0].length;
    const close = endOfParentheses(code, open);
    const acts = close === undefined || (!isConcurrent && EFFECT.test(code.slice(open, close))) || !new Actions(code, close).arePassive();
    return acts ? [{ offset: match.index, isConcurrent }] : [];
  });
}

/** The end of what stands in parentheses from `open` on; undefined where they are not closed. */
function endOfParentheses(code: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++;
    else if (code[at] === ')' && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Reads the statements behind a condition. */
class Actions {
  readonly #code: string;
  #at: number;

  constructor(code: string, at: number) {
    this.#code = code;
    this.#at = at;
  }

  /** Whether nothing stands there but calls of system tasks, for either outcome. */
  arePassive(): boolean {
    return this.#take(/else\b/y) ? this.#statement() : this.#statement() && (!this.#take(/else\b/y) || this.#statement());
  }

  #statement(): boolean {
    if (this.#take(/;/y)) return true;
    if (this.#take(/begin\b(?:\s*:\s*\w+)?/y)) {
      while (!this.#take(/end\b(?:\s*:\s*\w+)?/y)) if (!this.#statement()) return false;
      return true;
    }
    if (!this.#take(/\$\w+/y)) return false;
    if (this.#take(/(?=\()/y)) this.#at = endOfParentheses(this.#code, this.#at) ?? this.#code.length;
    return this.#take(/;/y);
  }

  #take(pattern: RegExp): boolean {
    const blank = /\s*/y;
    blank.lastIndex = this.#at;
    blank.test(this.#code);
    pattern.lastIndex = blank.lastIndex;
    const taken = pattern.test(this.#code);
    if (taken) this.#at = pattern.lastIndex;
    return taken;
  }
}

/** Whether an output of the design may depend on an assertion that is not of a statement, as its macros have it. */
export function concurrentAssertionsAct({ sources, includes, input: { defines, includeDirs } }: LoadedDesign): boolean {
  const known = new Map([...includes, ...sources].map(({ file, text }) => [file, text]));
  let macros: Preprocessed['macros'] | undefined;
  return sources.some(({ file, text }) => {
    const read = preprocess(file, text, { defines, includeDirs, macros, readFile: (name) => known.get(name) });
    macros = read.macros;
    return actingAssertions(codeOnly(read.text)).some(({ isConcurrent }) => isConcurrent);
  });
}
