import { createHash } from 'node:crypto';

/** A design as a text around it instantiates it. */
export interface Instantiated {
  readonly module: string;
  /** Parameter overrides as expression text. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Instance name of the design inside the harness. */
export const INSTANCE = 'side';

/** An identifier in a form that is legal whatever its characters (IEEE 1800 5.6.1). */
export function escapedIdentifier(name: string): string {
  return `\\${name} `;
}

/** A path in the form that a reference needs. The scopes on it may be elements of an array; the last name may only look so. */
export function hierarchicalName(path: readonly string[]): string {
  const plain = (part: string, index: number): boolean => (index < path.length - 1 ? /^[A-Za-z_]\w*(\[\d+\])?$/ : /^[A-Za-z_]\w*$/).test(part);
  return path.map((part, index) => (plain(part, index) ? part : escapedIdentifier(part))).join('.');
}

export function instantiation({ module, parameters }: Instantiated): string {
  const overrides = Object.entries(parameters).map(([parameter, value]) => `.${escapedIdentifier(parameter)}(${value})`);
  const list = overrides.length === 0 ? '' : `#(${overrides.join(', ')}) `;
  return `${escapedIdentifier(module)}${list}${INSTANCE}`;
}

/** A name that holds a digest of the sources, so that none of them can name it, not even by macros. */
export function unusedName(base: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(source);
  return `${base}_${hash.digest('hex').slice(0, 16)}`;
}
