import type { SourceMap } from '../syntax/source-map.ts';
import { readNames } from './names/read.ts';

/** Larger files are netlists or memories as a rule, which declare nothing for others. */
const largestLength = 4_000_000;

/** What may stand outside of all modules and packages, by a look at the text. */
export function mayDeclareOuter(text: string): boolean {
  if (text.length > largestLength) return false;
  const code = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (piece) => (piece.startsWith('"') ? '""' : ' '));
  const outer = code.replace(/\b(?:macro)?(module|interface|package|program|primitive)\b[\s\S]*?\bend\1\b/g, ' ');
  return /\b(?:typedef|parameter|localparam|function|task|class|import|const)\b|`include\b/.test(outer);
}

/** Names that a file declares outside of its modules and packages; `expanded` is its preprocessed text. */
export function outerNames({ file, expanded, map }: { readonly file: string; readonly expanded: string; readonly map: SourceMap }): string[] {
  const { scopes, declarations } = readNames(file, expanded, map);
  const kinds = new Set(['module', 'interface', 'program', 'package', 'primitive', 'checker', 'config']);
  return [...(scopes[0]?.names ?? [])].flatMap(([name, indices]) => (indices.every((index) => kinds.has(declarations[index]?.kind ?? 'module')) ? [] : [name]));
}
