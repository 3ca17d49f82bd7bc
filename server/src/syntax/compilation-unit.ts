import type { Macro } from './macros.ts';
import { preprocess } from './preprocess.ts';
import type { PreprocessOptions } from './preprocessed.ts';

/** Macros by name. */
export type Macros = ReadonlyMap<string, Macro>;

/** Directives that change which macros there are, or may. */
const CHANGES = /`(?:define|undef|undefineall|include)\b/;

/** The macros behind a file of a compilation unit, for the file after it; `macros` of the options are those before it. */
export function macrosBehind(file: string, text: string, options: PreprocessOptions): Macros | undefined {
  return CHANGES.test(text) ? preprocess(file, text, options).macros : options.macros;
}

/** Whether two sets of macros expand all texts alike; where the definitions stand does not matter. */
export function sameMacros(a: Macros | undefined, b: Macros | undefined): boolean {
  if (a === b) return true;
  if (a?.size !== b?.size || !a || !b) return false;
  return [...a].every(([name, macro]) => {
    const other = b.get(name);
    return other?.body === macro.body && JSON.stringify(other.parameters) === JSON.stringify(macro.parameters);
  });
}
