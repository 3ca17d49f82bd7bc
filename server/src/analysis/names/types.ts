import type { DeclarationDetails, NamesBuilder } from './builder.ts';
import { isHardStop, readExpression, readGroup, readParameterValues } from './expressions.ts';
import type { DeclarationIndex, DeclarationKind, ScopeIndex, TypeReference, UseIndex } from './model.ts';

const TYPE_WORDS: ReadonlySet<string> = new Set([
  'logic', 'reg', 'bit', 'byte', 'shortint', 'int', 'longint', 'integer', 'time', 'real', 'realtime', 'shortreal', 'string', 'chandle', 'event', 'void',
  'struct', 'union', 'enum', 'virtual', 'type', 'signed', 'unsigned',
]);
const NET_WORDS: ReadonlySet<string> = new Set(['wire', 'tri', 'tri0', 'tri1', 'wand', 'wor', 'triand', 'trior', 'trireg', 'supply0', 'supply1', 'uwire', 'interconnect']);
const DRIVE_WORDS: ReadonlySet<string> = new Set(['strong0', 'strong1', 'pull0', 'pull1', 'weak0', 'weak1', 'highz0', 'highz1', 'small', 'medium', 'large']);

/** An enumeration with more names is a mistake. */
const MOST_MEMBERS = 1000;

export interface ReadType {
  readonly text: string;
  readonly reference: TypeReference | undefined;
}

export const NO_TYPE: ReadType = { text: '', reference: undefined };

export function isTypeWord(word: string): boolean {
  return TYPE_WORDS.has(word);
}

export function isNetWord(word: string): boolean {
  return NET_WORDS.has(word);
}

/** Whether the name at the current token is a type: another name follows it, behind dimensions, scopes or parameters. */
export function namedTypeAhead(b: NamesBuilder): boolean {
  const end = behindTypeName(b);
  return end !== undefined && b.tokens.kinds[end] === 'identifier';
}

/** The index of the token behind a type name and its packed dimensions. */
export function behindTypeName(b: NamesBuilder): number | undefined {
  if (!b.isName()) return undefined;
  const word = (index: number): string => (b.tokens.kinds[index] === 'operator' ? (b.tokens.texts[index] ?? '') : '');
  let at = b.at + 1;
  for (;;) {
    if (word(at) === '#' && word(at + 1) === '(') at = b.behindGroup(at + 1);
    else if (word(at) === '::' && b.tokens.kinds[at + 1] === 'identifier') at += 2;
    else break;
  }
  while (word(at) === '[') at = b.behindGroup(at);
  return at;
}

/** Reads a data type with its packed dimensions; an implicit type may be empty. */
export function readType(b: NamesBuilder): ReadType {
  const start = b.startAt();
  let reference: TypeReference | undefined;
  const word = b.peek();
  if (word === 'struct' || word === 'union') reference = readStruct(b, word);
  else if (word === 'enum') readEnum(b);
  else if (word === 'virtual') {
    b.at++;
    b.accept('interface');
    if (b.isName()) reference = readTypeName(b, true);
  } else if (word === 'type') {
    b.at++;
    if (b.peek() === '(') readGroup(b, 'read');
  } else if (b.isName()) reference = readTypeName(b, false);
  else if (TYPE_WORDS.has(word)) b.at++;
  while (b.peek() === 'signed' || b.peek() === 'unsigned') b.at++;
  while (b.peek() === '[') readGroup(b, 'read');
  return { text: b.textFrom(start).replace(/\s+/g, ' '), reference };
}

function readTypeName(b: NamesBuilder, modport: boolean): TypeReference {
  const path: UseIndex[] = [b.useHere({ kind: 'lexical', orUnit: true }, 'type')];
  for (;;) {
    const last = path[path.length - 1] ?? 0;
    const word = b.peek();
    if (word === '#' && b.peek(1) === '(') {
      b.at++;
      readParameterValues(b, last);
    } else if ((word === '::' || (modport && word === '.')) && b.isName(1)) {
      b.at++;
      b.change(last, { partial: true });
      path.push(b.useHere({ kind: 'member', of: last, operator: word === '::' ? '::' : '.' }, 'type'));
    } else return { kind: 'named', use: last };
  }
}

/** Structures in each other before those inside are passed over: the text of each holds all that it contains. */
const MAX_STRUCTS = 50;

/** Undefined where the members are not read. */
function readStruct(b: NamesBuilder, kind: 'struct' | 'union'): TypeReference | undefined {
  const start = b.startAt();
  b.at++;
  while (['tagged', 'soft', 'packed', 'signed', 'unsigned'].includes(b.peek())) b.at++;
  if (b.peek() !== '{') return { kind: 'inline', scope: b.scope };
  if (structsAround(b) >= MAX_STRUCTS) {
    b.at = b.behindGroup(b.at);
    return undefined;
  }
  b.at++;
  const scope = b.openScope(kind, undefined, start);
  while (!b.isDone() && !isHardStop(b.peek())) {
    if (b.accept('}')) break;
    const before = b.at;
    while (b.accept('rand') || b.accept('randc')) continue;
    const type = readType(b);
    readDeclarators(b, 'member', type, {});
    b.accept(';');
    if (b.at === before) b.at++;
  }
  b.closeScope();
  return { kind: 'inline', scope };
}

/** The names of an enumeration belong to the scope around it. */
function readEnum(b: NamesBuilder): void {
  b.at++;
  if (b.peek() !== '{') readType(b);
  if (!b.accept('{')) return;
  const target = enclosingOfStructs(b);
  while (!b.isDone() && !isHardStop(b.peek())) {
    if (b.accept('}')) return;
    const before = b.at;
    if (b.isName()) {
      const index = b.peek(1) === '[' ? declareNumbered(b, target) : b.declareHere('enum-member', {}, target);
      if (b.peek() === '[') readGroup(b, 'read');
      readValue(b, index);
    }
    b.accept(',');
    if (b.at === before) b.at++;
  }
}

/** Declares the names that `NAME[3]` or `NAME[2:4]` stands for, IEEE 1800-2017, 6.19.2; the first is the answer. Goes to the bracket. */
function declareNumbered(b: NamesBuilder, target: ScopeIndex): DeclarationIndex {
  const word = (ahead: number): string => b.tokens.texts[b.at + ahead] ?? '';
  const bounds = word(3) === ']' ? ['0', String(Number(word(2)) - 1)] : word(3) === ':' && word(5) === ']' ? [word(2), word(4)] : [];
  if (bounds.length === 0 || !bounds.every((bound) => /^\d+$/.test(bound))) return b.declareHere('enum-member', {}, target);
  const [name, span] = [word(0), { start: b.startAt(), end: b.tokens.ends[b.at] ?? b.text.length }];
  const [from = 0, to = 0] = bounds.map(Number);
  const step = from <= to ? 1 : -1;
  const members = Array.from({ length: Math.min(Math.abs(to - from) + 1, MOST_MEMBERS) }, (_, at) => b.declare('enum-member', `${name}${from + step * at}`, span, {}, target));
  b.at++;
  return members[0] ?? 0;
}

function structsAround(b: NamesBuilder): number {
  let count = 0;
  for (let scope = b.scopes[b.scope]; scope && (scope.kind === 'struct' || scope.kind === 'union'); scope = b.scopes[scope.parent ?? 0]) count++;
  return count;
}

function enclosingOfStructs(b: NamesBuilder): number {
  let scope = b.scope;
  for (let known = b.scopes[scope]; known && (known.kind === 'struct' || known.kind === 'union'); known = b.scopes[scope]) scope = known.parent ?? 0;
  return scope;
}

/** Reads `= value` of a declaration, when it is there. */
export function readValue(b: NamesBuilder, index: DeclarationIndex): void {
  if (!b.accept('=')) return;
  const start = b.startAt();
  readExpression(b, 'read', { declaration: index });
  const declaration = b.declarationOf(index);
  declaration.valueText = b.textFrom(start);
  declaration.valueSpan = b.spanFrom(start);
  declaration.extent = { start: declaration.extent.start, end: b.lastEnd };
}

/** Reads strengths, delays and the words between a net's type and its data type. */
export function readNetDecoration(b: NamesBuilder): void {
  for (;;) {
    if (b.peek() === '(' && DRIVE_WORDS.has(b.peek(1))) readGroup(b, 'read');
    else if (b.peek() === 'scalared' || b.peek() === 'vectored') b.at++;
    else if (b.peek() === '#') readDelay(b);
    else return;
  }
}

/** Reads `#5`, `#(a, b)`, `#name`, `##1`. */
export function readDelay(b: NamesBuilder): void {
  b.at++;
  if (b.peek() === '(') readGroup(b, 'read');
  else if (b.isName()) {
    const path = b.useHere({ kind: 'lexical', orUnit: true }, 'read');
    for (let last = path; (b.peek() === '.' || b.peek() === '::') && b.isName(1); ) {
      b.at++;
      last = b.useHere({ kind: 'member', of: last, operator: '::' }, 'read');
    }
  } else if (b.peek() === '[') readGroup(b, 'read');
  else b.at++;
}

/** Reads `name [dimensions] = value, …` and declares each. Stops where no name stands. */
export function readDeclarators(b: NamesBuilder, kind: DeclarationKind, type: ReadType, details: DeclarationDetails): DeclarationIndex[] {
  const found: DeclarationIndex[] = [];
  while (b.isName()) {
    found.push(readDeclarator(b, kind, type, details));
    if (!b.accept(',')) break;
  }
  return found;
}

/** Reads one `name [dimensions] = value`. A second declaration of a port completes the first. */
export function readDeclarator(b: NamesBuilder, kind: DeclarationKind, type: ReadType, details: DeclarationDetails): DeclarationIndex {
  const start = b.startAt();
  const { index, completion } = declareOrComplete(b, kind, type, details);
  const isFirst = completion === undefined;
  const dimensions = b.startAt();
  while (b.peek() === '[') readGroup(b, 'read');
  const declaration = b.declarationOf(index);
  if (b.lastEnd > dimensions) declaration.dimensionsText = b.textFrom(dimensions).replace(/\s+/g, ' ');
  if (isFirst) declaration.extent = { start: details.extent?.start ?? start, end: b.lastEnd };
  if (isFirst) readValue(b, index);
  else if (b.accept('=')) {
    b.change(completion, { access: 'write' });
    readExpression(b, 'read', { declaration: index });
  }
  return index;
}

const COMPLETABLE: ReadonlySet<DeclarationKind> = new Set(['port', 'argument']);

function declareOrComplete(b: NamesBuilder, kind: DeclarationKind, type: ReadType, details: DeclarationDetails): { readonly index: DeclarationIndex; readonly completion: UseIndex | undefined } {
  const known = b.current.names.get(b.tokens.texts[b.at] ?? '')?.[0];
  const first = known === undefined ? undefined : b.declarations[known];
  if (known === undefined || !first || !COMPLETABLE.has(first.kind) || (kind !== 'net' && kind !== 'variable')) {
    return { index: b.declareHere(kind, { ...details, type: type.reference, typeText: details.typeText ?? type.text }), completion: undefined };
  }
  const completion = b.useHere({ kind: 'declared', declaration: known }, 'declaration');
  const text = details.typeText ?? type.text;
  if (text.length > first.typeText.length) first.typeText = text;
  first.type ??= type.reference;
  return { index: known, completion };
}
