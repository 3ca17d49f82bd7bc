import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { NameValues } from '../../analysis/names/values.ts';
import { toNumber } from '../../analysis/operators.ts';
import { written } from '../../syntax/reserved-words.ts';
import { parametersOf, portRefsOf } from './connections.ts';

/** Puts a place into a snippet, numbered in the order of the calls; without snippets the text alone. */
export type Placeholder = (text: string) => string;

export function snippetPlaceholders(): Placeholder {
  let number = 0;
  return (text) => {
    number++;
    return `\${${number}:${text.replace(/[$}\\]/g, '\\$&')}}`;
  };
}

export const plainText: Placeholder = (text) => text;

export interface InstanceStyle {
  /** White space before the statement's first line. */
  readonly indent: string;
  readonly place: Placeholder;
  readonly connect?: (port: string) => string;
}

/**
 * A whole instance of a module: the parameters that an instance may set, each with its default, and every port once, in order.
 * A parameter of the body is local once there is a list in the header.
 */
export function instanceText(module: DeclarationRef, values: NameValues, { indent, place, connect = (port) => port }: InstanceStyle): string {
  const { name } = declarationOf(module);
  const inner = `${indent}    `;
  const list = (names: readonly { readonly name: string; readonly value: string }[]): string => {
    if (names.length === 0) return '()';
    const width = Math.max(...names.map((entry) => written(entry.name).length));
    const lines = names.map((entry) => `${inner}.${written(entry.name).padEnd(width)}(${place(entry.value)})`);
    return `(\n${lines.join(',\n')}\n${indent})`;
  };
  const parameters = parametersOf(module).map((ref) => ({ name: declarationOf(ref).name, value: defaultText(ref, values) }));
  const ports = portRefsOf(module).map((ref) => ({ name: declarationOf(ref).name, value: written(connect(declarationOf(ref).name)) }));
  const settings = parameters.length === 0 ? '' : ` #${list(parameters)}`;
  return `${written(name)}${settings} ${place(`u_${name.replace(/\W/g, '_')}`)} ${list(ports)};`;
}

/** The default of a parameter as it can be written elsewhere: where it names something of its module, its value. */
function defaultText(ref: DeclarationRef, values: NameValues): string {
  const { valueText = '', scope } = declarationOf(ref);
  const own = ref.names.scopes[scope]?.names;
  const isLocal = [...valueText.matchAll(/[A-Za-z_][\w$]*/g)].some(([word]) => own?.has(word) === true);
  const value = isLocal ? values.valueOf(ref) : undefined;
  return value ? toNumber(value).toString() : valueText;
}
