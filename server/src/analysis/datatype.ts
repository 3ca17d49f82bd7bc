import { implicitType } from './ast.ts';
import type { DataType, Dimension, EnumMember, Expression, StructMember } from './ast.ts';
import type { TokenCursor } from '../syntax/tokens.ts';

/** Types hold expressions, and expressions hold types; this breaks the circle. */
export interface TypeReader extends TokenCursor {
  expression(): Expression;
}

const ATOMS = new Map([['byte', 8], ['shortint', 16], ['int', 32], ['longint', 64], ['integer', 32], ['time', 64]]);
const REALS = new Set(['real', 'shortreal', 'realtime']);
const VECTORS = new Set(['logic', 'reg', 'bit'] as const);

/** Reads a data type or an implicit one (only `signed` and dimensions, or nothing). */
export function parseDataType(reader: TypeReader): DataType {
  const word = reader.peek();
  if (word === undefined) return implicitType;
  const width = ATOMS.get(word);
  if (width !== undefined) {
    reader.at++;
    return { kind: 'atom', keyword: word, width, signed: signing(reader) ?? word !== 'time' };
  }
  if (REALS.has(word) || word === 'string' || word === 'void' || word === 'event' || word === 'chandle') {
    reader.at++;
    return { kind: REALS.has(word) ? 'real' : word === 'string' ? 'string' : 'void' };
  }
  if (word === 'enum') return parseEnum(reader);
  if (word === 'struct' || word === 'union') return parseStruct(reader, word);
  const keyword = [...VECTORS].find((name) => name === word);
  if (keyword === undefined && reader.current?.kind === 'identifier' && word !== 'signed' && word !== 'unsigned') return parseNamed(reader);
  if (keyword !== undefined) reader.at++;
  return { kind: 'vector', keyword: keyword ?? '', signed: signing(reader) ?? false, packed: parseDimensions(reader) };
}

function signing(reader: TypeReader): boolean | undefined {
  if (reader.accept('signed')) return true;
  return reader.accept('unsigned') ? false : undefined;
}

export function parseDimensions(reader: TypeReader): Dimension[] {
  const dimensions: Dimension[] = [];
  while (reader.accept('[')) {
    if (reader.accept(']')) {
      dimensions.push({ left: { kind: 'other', parts: [] }, right: undefined });
      continue;
    }
    const left = reader.expression();
    const right = reader.accept(':') ? reader.expression() : undefined;
    while (!reader.done && !reader.accept(']')) reader.at++;
    dimensions.push({ left, right });
  }
  return dimensions;
}

function parseNamed(reader: TypeReader): DataType {
  let name = reader.identifier() ?? '';
  let scope: string | undefined;
  if (reader.accept('#')) skipParentheses(reader);
  while (reader.accept('::')) {
    scope = name;
    name = reader.identifier() ?? '';
  }
  return { kind: 'named', scope, name, packed: parseDimensions(reader) };
}

function skipParentheses(reader: TypeReader): void {
  if (!reader.accept('(')) return;
  for (let depth = 1; depth > 0 && !reader.done; reader.at++) {
    if (reader.peek() === '(') depth++;
    else if (reader.peek() === ')') depth--;
  }
}

function parseEnum(reader: TypeReader): DataType {
  reader.accept('enum');
  const base = reader.peek() === '{' ? undefined : parseDataType(reader);
  const members: EnumMember[] = [];
  if (reader.accept('{')) {
    while (!reader.done && !reader.accept('}')) {
      const name = reader.identifier();
      if (name === undefined) {
        reader.at++;
        continue;
      }
      const range = parseDimensions(reader)[0];
      const value = reader.accept('=') ? reader.expression() : undefined;
      members.push({ name, value, range });
    }
  }
  return { kind: 'enum', base, members, packed: parseDimensions(reader) };
}

function parseStruct(reader: TypeReader, kind: 'struct' | 'union'): DataType {
  reader.at++;
  reader.accept('tagged');
  reader.accept('soft');
  const isPacked = reader.accept('packed');
  const signed = signing(reader) ?? false;
  const members: StructMember[] = [];
  if (reader.accept('{')) {
    while (!reader.done && !reader.accept('}')) {
      const before = reader.at;
      const type = parseDataType(reader);
      do {
        const name = reader.identifier();
        if (name === undefined) break;
        members.push({ name, type, unpacked: parseDimensions(reader) });
        if (reader.accept('=')) reader.expression();
      } while (reader.accept(','));
      reader.accept(';');
      if (reader.at === before) reader.at++;
    }
  }
  return { kind, isPacked, signed, members, packed: parseDimensions(reader) };
}
