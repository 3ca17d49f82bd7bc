import type { Declaration, DeclarationIndex, FileNames } from './model.ts';
import { placeOf } from './model.ts';

/** A declaration with the file model that holds it. */
export interface DeclarationRef {
  readonly names: FileNames;
  readonly index: DeclarationIndex;
}

export function declarationOf({ names, index }: DeclarationRef): Declaration {
  const declaration = names.declarations[index];
  if (!declaration) throw new Error('a reference names a declaration of its own model');
  return declaration;
}

/** Equal for the same declaration in the models of different files, as for what a header declares. */
export function keyOf(ref: DeclarationRef): string {
  const declaration = declarationOf(ref);
  const place = placeOf(ref.names, declaration.span);
  return `${place.file}:${place.span.start}:${place.exact ? '' : declaration.span.start}:${declaration.name}`;
}
