import { scopeLine, unquote } from './vvp-file.ts';

export interface Bounds {
  readonly left: number;
  readonly right: number;
}

/** A variable that can hold state, as a compiled `.vvp` file lists it. */
export interface StateVariable {
  /** Hierarchical name from the root, one entry a scope, unescaped. */
  readonly path: readonly string[];
  /** Bit bounds as declared, most significant first; undefined for a scalar. */
  readonly bits: Bounds | undefined;
  /** Word bounds of a memory. */
  readonly words: Bounds | undefined;
}

const variableLine = /^v\w+ \.var(?:\/([su2i]+))? "((?:[^"\\]|\\.)*)", (-?\d+) (-?\d+);/;
const memoryLine = /^v\w+ \.array(?:\/([su2i]+))? "((?:[^"\\]|\\.)*)", (-?\d+) (-?\d+), (-?\d+) (-?\d+);/;
/** Scopes whose variables keep their values: modules, generate blocks and named blocks, but not functions and tasks. */
const keepingScopes = new Set(['module', 'generate', 'begin']);

/** The four-state variables and memories below the instance `scopeName` (as in `harness.dut`), in file order. */
export function readStateVariables(vvpText: string, scopeName: string): StateVariable[] {
  const scopes = new Map<string, readonly string[]>();
  const found: StateVariable[] = [];
  let current: readonly string[] | undefined;
  for (const line of vvpText.split('\n')) {
    const scope = scopeLine.exec(line);
    if (scope !== null) {
      const [, id = '', kind = '', name = '', parent = ''] = scope;
      const path = [...(scopes.get(parent) ?? []), unquote(name)];
      scopes.set(id, path);
      const dotted = path.join('.');
      current = keepingScopes.has(kind) && (dotted === scopeName || dotted.startsWith(`${scopeName}.`)) ? path : undefined;
      continue;
    }
    if (current === undefined) continue;
    const variable = variableLine.exec(line);
    if (variable !== null) {
      const [, flags = '', name = '', left, right] = variable;
      const scalar = left === '0' && right === '0';
      if (!flags.includes('2')) found.push({ path: [...current, unquote(name)], bits: scalar ? undefined : bounds(left, right), words: undefined });
    }
    const memory = memoryLine.exec(line);
    if (memory !== null) {
      const [, flags = '', name = '', firstWord, lastWord, left, right] = memory;
      const scalar = left === '0' && right === '0';
      if (!flags.includes('2')) {
        found.push({ path: [...current, unquote(name)], bits: scalar ? undefined : bounds(left, right), words: bounds(firstWord, lastWord) });
      }
    }
  }
  return found;
}

function bounds(left: string | undefined, right: string | undefined): Bounds {
  return { left: Number(left), right: Number(right) };
}
