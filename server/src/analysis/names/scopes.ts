import type { DeclarationRef } from './declaration-ref.ts';
import type { DeclarationIndex, DeclarationKind, FileNames, Scope, ScopeIndex } from './model.ts';

/** A scope with the file model that holds it. */
export interface Place {
  readonly names: FileNames;
  readonly scope: ScopeIndex;
}

const UNIT_KINDS: ReadonlySet<DeclarationKind> = new Set(['module', 'interface', 'program', 'package', 'primitive', 'checker', 'config']);

export function isStruct({ names, scope }: Place): boolean {
  const kind = names.scopes[scope]?.kind;
  return kind === 'struct' || kind === 'union';
}

/** A variable or net with unpacked dimensions; an array of instances is none. */
export function isArray({ names, index }: DeclarationRef): boolean {
  const declaration = names.declarations[index];
  return (declaration?.kind === 'variable' || declaration?.kind === 'net') && declaration.dimensionsText !== '';
}

/** Whether it declares a design element (IEEE 1800-2017, 3.2). */
export function isUnit(names: FileNames, index: DeclarationIndex): boolean {
  const kind = names.declarations[index]?.kind;
  return kind !== undefined && UNIT_KINDS.has(kind);
}

/** A scope and those around it, innermost first. */
export function enclosing(names: FileNames, start: ScopeIndex): Place[] {
  const places: Place[] = [];
  for (let scope: ScopeIndex | undefined = start; scope !== undefined; scope = names.scopes[scope]?.parent) places.push({ names, scope });
  return places;
}

export function portNamed(names: FileNames, scope: Scope, name: string): DeclarationIndex | undefined {
  return scope.ports.find((index) => names.declarations[index]?.name === name);
}

/** A local parameter is found as well: that it can't be set is another matter. */
export function parameterNamed(names: FileNames, scope: Scope, name: string): DeclarationIndex | undefined {
  return scope.names.get(name)?.find((index) => {
    const kind = names.declarations[index]?.kind;
    return kind === 'parameter' || kind === 'type-parameter';
  });
}

/** The number of an unnamed generate block, which is called `genblk` and this (IEEE 1800-2017, 27.6). */
export function generateNumber(name: string): number | undefined {
  const digits = /^genblk0*(\d+)$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The unnamed generate blocks of a number in the first of some scopes that has them; several are branches of one construct. */
export function generateBlocks(surroundings: readonly Place[], number: number): Place[] {
  for (const { names, scope } of surroundings) {
    const found = names.scopes.flatMap((candidate, index) =>
      candidate.generateNumber === number && candidate.owner === undefined && generateParent(names, candidate) === scope ? [{ names, scope: index }] : [],
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** The scope that a generate block belongs to: the one around the loop, if it stands in one. */
function generateParent(names: FileNames, scope: Scope): ScopeIndex | undefined {
  const parent = scope.parent === undefined ? undefined : names.scopes[scope.parent];
  return parent?.kind === 'block' && parent.owner === undefined ? parent.parent : scope.parent;
}
