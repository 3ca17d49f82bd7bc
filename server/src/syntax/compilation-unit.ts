import type { Macro } from './macros.ts';
import { preprocess } from './preprocess.ts';
import type { PreprocessOptions } from './preprocessed.ts';

/** Macros by name. */
export type Macros = ReadonlyMap<string, Macro>;

/** Directives that change which macros there are, or may. */
const CHANGES = /`(?:define|undef|undefineall|include)\b/;

/** Larger files are netlists or memories as a rule, which define nothing for others. */
const largestLength = 4_000_000;

/** Whether there may be other macros behind a text than before it. */
export function changesMacros(text: string): boolean {
  return text.length <= largestLength && CHANGES.test(text);
}

/** The macros behind a file of a compilation unit, for the file after it; `macros` of the options are those before it. */
export function macrosBehind(file: string, text: string, options: PreprocessOptions): Macros | undefined {
  return changesMacros(text) ? preprocess(file, text, options).macros : options.macros;
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

/** Directives that leave exactly `wanted` of the macros that `others` name; `keep` are left as they are. */
export function directivesFor(wanted: Macros, others: Iterable<string>, keep: (macro: Macro) => boolean): string {
  const gone = [...new Set(others)].filter((name) => !wanted.has(name)).map((name) => `\`undef ${name}`);
  const there = [...wanted.values()].filter((macro) => !keep(macro)).map(({ name, parameters, body }) => {
    const list = parameters && `(${parameters.map((each) => (each.default === undefined ? each.name : `${each.name} = ${each.default}`)).join(', ')})`;
    return `\`define ${name}${list ?? ''} ${body}`.trimEnd().replace(/\n/g, '\\\n');
  });
  return [...gone, ...there].map((line) => `${line}\n`).join('');
}
