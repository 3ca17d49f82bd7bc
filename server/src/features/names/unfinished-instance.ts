import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { NameResolver } from '../../analysis/names/resolve.ts';
import type { NamedSource } from '../../analysis/names/source.ts';
import { parametersOf } from './connections.ts';

const LONGEST = 4000;

/** The list of parameters of an instance that has no name yet, as in `fifo #(.WIDTH(8), .`. */
export interface UnfinishedParameters {
  readonly module: DeclarationRef;
  /** Names that are set before the cursor. */
  readonly given: ReadonlySet<string>;
  /** Separators before the cursor. */
  readonly position: number;
}

/** Reads it from the text in front of an offset of the file. Undefined where no such list is open. */
export function unfinishedParameters(resolver: NameResolver, { names, text }: Pick<NamedSource, 'names' | 'text'>, offset: number): UnfinishedParameters | undefined {
  const before = text.slice(Math.max(0, offset - LONGEST), offset).replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"/g, (piece) => ' '.repeat(piece.length));
  let depth = 0;
  let position = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const sign = before[at] ?? '';
    if (sign === ';') return undefined;
    if (sign === ',' && depth === 0) position++;
    if (/[)\]}]/.test(sign)) depth++;
    if (!/[([{]/.test(sign)) continue;
    if (depth-- > 0) continue;
    const name = /(?<!\b(?:module|macromodule|interface|program|class)\s+)\b([A-Za-z_][\w$]*)\s*#\s*$/.exec(before.slice(0, at))?.[1];
    const module = name === undefined ? undefined : resolver.unit(names, name);
    if (!module || parametersOf(module).length === 0 || declarationOf(module).kind === 'package') return undefined;
    return { module, given: new Set([...before.slice(at).matchAll(/\.\s*([A-Za-z_][\w$]*)\s*\(/g)].map(([, given = '']) => given)), position };
  }
  return undefined;
}
