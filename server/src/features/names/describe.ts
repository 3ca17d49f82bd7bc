import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { Declaration } from '../../analysis/names/model.ts';
import { placeOf } from '../../analysis/names/model.ts';
import type { NameValues } from '../../analysis/names/values.ts';
import { toNumber } from '../../analysis/operators.ts';
import { beginningOf } from '../../base/text.ts';
import type { Scope, Value } from '../../analysis/scope.ts';
import { written } from '../../syntax/reserved-words.ts';
import { parametersOf, portsOf } from './connections.ts';
import { docComment } from './doc-comment.ts';
import type { NameSnapshot } from './snapshot.ts';

const HEADER_LIMIT = 40;

/** A declaration on one line, as it would be written. */
export function declarationText(ref: DeclarationRef): string {
  const declaration = declarationOf(ref);
  const { kind, typeText, dimensionsText, valueText, direction } = declaration;
  const name = written(declaration.name).trim();
  const typed = (...words: readonly (string | undefined)[]): string => words.filter((word) => word !== undefined && word !== '').join(' ');
  const value = valueText === undefined ? '' : ` = ${shorten(valueText)}`;
  switch (kind) {
    case 'parameter':
      return `${typed(declaration.local ? 'localparam' : 'parameter', typeText, name, dimensionsText)}${value}`;
    case 'type-parameter':
      return `${typed(declaration.local ? 'localparam' : 'parameter', 'type', name)}${value}`;
    case 'typedef':
      return typed('typedef', shorten(typeText), name, dimensionsText);
    case 'function':
    case 'task':
      return `${typed(kind, typeText, name)}(${portsOf(ref).map(portText).join(', ')})`;
    case 'enum-member':
      return `${name}${value}`;
    case 'port':
    case 'argument':
    case 'member':
      return portText(declaration);
    case 'instance':
      return `${typeText} ${name}`;
    case 'net':
    case 'variable':
    case 'genvar':
      return `${typed(direction, shorten(typeText), name, dimensionsText)}${value}`;
    default:
      return `${kind} ${name}`;
  }
}

export function portText({ direction, typeText, name, dimensionsText, kind, valueText }: Declaration): string {
  const words = [direction === undefined && kind === 'port' && typeText === '' ? 'port' : direction, shorten(typeText), written(name).trim(), dimensionsText];
  return `${words.filter((word) => word !== undefined && word !== '').join(' ')}${valueText === undefined ? '' : ` = ${shorten(valueText)}`}`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 120 ? `${beginningOf(line, 117)}…` : line;
}

/** A unit with its parameters and ports, one a line. */
export function headerText(ref: DeclarationRef): string {
  const { kind, name } = declarationOf(ref);
  const parameters = parametersOf(ref).map(declarationText);
  const ports = portsOf(ref).map(portText);
  const list = (lines: readonly string[]): string => {
    const shown = lines.slice(0, HEADER_LIMIT).map((line, at) => `    ${line}${at === lines.length - 1 ? '' : ','}`);
    const rest = lines.length > HEADER_LIMIT ? [`    // … ${lines.length - HEADER_LIMIT} more`] : [];
    return [...shown, ...rest].join('\n');
  };
  const head = parameters.length === 0 ? `${kind} ${name}` : `${kind} ${name} #(\n${list(parameters)}\n)`;
  return ports.length === 0 ? `${head};` : `${head} (\n${list(ports)}\n);`;
}

/** What a declaration says beside its text: its value or width as it comes out. Empty when there is nothing to say. */
export function evaluatedText(values: NameValues, ref: DeclarationRef, scope?: Scope): string {
  const declaration = declarationOf(ref);
  const value = values.valueOf(ref, scope);
  if (value) return isPlainNumber(declaration.valueText ?? '') || isText(declaration) ? '' : `= ${valueText(value)}`;
  if (['port', 'net', 'variable', 'argument', 'member', 'typedef', 'function'].includes(declaration.kind)) {
    const type = values.typeOf(ref, scope);
    const width = type?.width;
    if (!type || width === undefined || declaration.kind === 'function' && width <= 1) return '';
    const range = type.packed[0];
    const bounds = range && type.packed.length === 1 && /[A-Za-z_$`]/.test(declaration.typeText.replace(/^[\w ]+/, '')) ? ` [${range.left}:${range.right}]` : '';
    const whole = values.widthOf(ref, scope);
    const count = type.unpacked.length === 0 || whole === undefined || width === 0 ? '' : ` each, ${whole / width} elements`;
    return `${width} ${width === 1 ? 'bit' : 'bits'}${bounds}${type.signed ? ', signed' : ''}${count}`;
  }
  return '';
}

/** It holds a text, whose value as a number tells nobody anything. */
export function isText({ typeText, valueText = '' }: Pick<Declaration, 'typeText' | 'valueText'>): boolean {
  return typeText === 'string' || valueText.includes('"');
}

export function isPlainNumber(text: string): boolean {
  return /^-?\d+$/.test(text.trim());
}

/** A value in decimal, with its bits where they say more. */
export function valueText(value: Value): string {
  const number = toNumber(value);
  const size = value.bits.toString(16);
  return value.width === 32 && number < 1024n && number > -1024n ? `${number}` : `${number} (${value.width}'h${size})`;
}

/** The comment of a declaration, from whatever file it stands in. */
export function commentOf(snapshot: NameSnapshot, ref: DeclarationRef): string {
  const { names } = ref;
  const declaration = declarationOf(ref);
  const place = placeOf(names, declaration.extent);
  const text = snapshot.source(place.file)?.text;
  return text === undefined || !place.exact ? '' : docComment(text, place.span);
}
