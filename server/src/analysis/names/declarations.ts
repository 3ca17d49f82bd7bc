import type { DeclarationDetails, NamesBuilder } from './builder.ts';
import { isHardStop, readExpression, readGroup } from './expressions.ts';
import type { DeclarationIndex } from './model.ts';
import { isNetWord, isTypeWord, namedTypeAhead, NO_TYPE, readDeclarator, readDeclarators, readType } from './types.ts';
import type { ReadType } from './types.ts';

const DIRECTIONS: ReadonlySet<string> = new Set(['input', 'output', 'inout', 'ref']);

export function isDirection(word: string): boolean {
  return DIRECTIONS.has(word);
}

export function acceptDirection(b: NamesBuilder): DeclarationDetails['direction'] {
  return b.acceptOneOf(DIRECTIONS) as DeclarationDetails['direction'];
}

/** Reads `import pkg::*, pkg::name;`, or an import or export of a foreign function, which is left out. */
export function readImport(b: NamesBuilder): void {
  b.at++;
  while (b.isName() && b.peek(1) === '::') {
    const unit = b.at;
    const of = b.useHere({ kind: 'unit' }, 'import');
    b.change(of, { partial: true });
    b.at++;
    const wildcard = b.accept('*');
    const name = wildcard ? undefined : (b.tokens.texts[b.at] ?? '');
    b.current.imports.push({ package: b.tokens.texts[unit] ?? '', name });
    if (!wildcard && b.isName()) b.useHere({ kind: 'member', of, operator: '::' }, 'import');
    if (!b.accept(',')) break;
  }
  while (!b.isDone() && b.peek() !== ';' && !isHardStop(b.peek())) b.at++;
  b.accept(';');
}

/** Reads `typedef … name;`. */
export function readTypedef(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  const extent = { start, end: start };
  const forward = ['enum', 'struct', 'union', 'class', 'interface'].includes(b.peek()) && (b.isName(1) || b.peek(1) === 'class');
  if (b.peek() === 'class' || b.peek() === 'interface' || (forward && b.tokens.texts[b.at + 2] === ';')) {
    // A forward declaration says nothing but the name.
    while (!b.isDone() && b.peek() !== ';' && !isHardStop(b.peek(1))) b.at++;
    b.accept(';');
    return;
  }
  if (b.isName() && b.peek(1) === ';') b.at++;
  else {
    const type = readType(b);
    if (b.isName()) readDeclarator(b, 'typedef', type, { extent });
  }
  b.accept(';');
}

/** Reads `let name(arguments) = expression;`, which is called like a function (IEEE 1800-2017, 11.12). */
export function readLet(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  const owner = b.isName() ? b.declareHere('function', { typeText: 'let', extent: { start, end: start } }) : undefined;
  b.openScope('function', owner, start);
  if (b.peek() === '(') readArguments(b);
  if (b.accept('=')) b.softly(() => readExpression(b));
  b.closeScope();
  b.accept(';');
}

/** Reads `parameter …;` or `localparam …;`. `local` tells that an instance can't set them. */
export function readParameters(b: NamesBuilder, local: boolean): void {
  const start = b.startAt();
  const isLocal = local || b.peek() === 'localparam';
  b.at++;
  const found = readParameterGroup(b, isLocal, start);
  if (!isLocal) b.current.parameters.push(...found);
  b.accept(';');
}

function readParameterGroup(b: NamesBuilder, local: boolean, start: number): DeclarationIndex[] {
  const details: DeclarationDetails = { local, extent: { start, end: start } };
  if (b.accept('type')) return readTypeParameters(b, details);
  return readDeclarators(b, 'parameter', readParameterType(b), details);
}

function readParameterType(b: NamesBuilder): ReadType {
  return !b.isName() || namedTypeAhead(b) ? readType(b) : NO_TYPE;
}

function readTypeParameters(b: NamesBuilder, details: DeclarationDetails): DeclarationIndex[] {
  const found: DeclarationIndex[] = [];
  while (b.isName()) {
    found.push(readTypeParameter(b, details));
    if (b.peek() !== ',' || !b.isName(1)) break;
    b.at++;
  }
  return found;
}

function readTypeParameter(b: NamesBuilder, details: DeclarationDetails): DeclarationIndex {
  const index = b.declareHere('type-parameter', details);
  if (b.accept('=')) {
    const from = b.startAt();
    const type = readType(b);
    const declaration = b.declarationOf(index);
    declaration.valueText = type.text;
    declaration.valueSpan = b.spanFrom(from);
    declaration.type = type.reference;
  }
  return index;
}

/** Reads `#( parameter … )` of a header from its parenthesis. What a keyword or type says holds for the names behind it. */
export function readParameterPortList(b: NamesBuilder): void {
  b.at++;
  let local = false;
  let isType = false;
  let type: ReadType = NO_TYPE;
  while (!b.isDone() && b.peek() !== ')' && !isHeaderEnd(b)) {
    const before = b.at;
    const start = b.startAt();
    const word = b.peek();
    if (b.accept('parameter') || b.accept('localparam')) {
      local = word === 'localparam';
      isType = false;
      type = NO_TYPE;
    }
    if (b.accept('type')) isType = true;
    else if (!b.isName() || namedTypeAhead(b)) isType = false;
    const details: DeclarationDetails = { local, extent: { start, end: start } };
    if (isType) {
      if (b.isName()) settable(b, readTypeParameter(b, details));
    } else {
      if (!b.isName() || namedTypeAhead(b)) type = readType(b);
      if (b.isName()) settable(b, readDeclarator(b, 'parameter', type, details));
    }
    b.accept(',');
    if (b.at === before) b.at++;
  }
  b.accept(')');
}

function settable(b: NamesBuilder, index: DeclarationIndex): void {
  if (!b.declarationOf(index).local) b.current.parameters.push(index);
}

function isHeaderEnd(b: NamesBuilder): boolean {
  const word = b.peek();
  return word === ';' || (isHardStop(word) && word !== 'parameter' && word !== 'localparam' && word !== 'wire' && word !== 'reg' && word !== 'interface');
}

/** Reads `( … )` of a header. Returns the names of a list without declarations, in order. */
export function readPortList(b: NamesBuilder): readonly string[] {
  if (!isAnsi(b)) return readPortNames(b);
  b.at++;
  let direction: DeclarationDetails['direction'];
  let type: ReadType = NO_TYPE;
  let typeText = '';
  while (!b.isDone() && b.peek() !== ')' && !isHeaderEnd(b)) {
    const before = b.at;
    const start = b.startAt();
    const written = acceptDirection(b);
    const head = readPortHead(b, start, written !== undefined);
    if (written !== undefined || head !== undefined) {
      direction = head?.isInterface === true ? undefined : (written ?? direction ?? (head?.isNamed === true ? undefined : 'inout'));
      type = head?.type ?? NO_TYPE;
      typeText = head?.text ?? '';
    }
    const extent = { start, end: start };
    if (b.peek() === '.' && b.isName(1)) {
      b.at++;
      b.current.ports.push(readExplicitPort(b, { direction, extent, hidden: true }));
    } else if (b.isName()) b.current.ports.push(readDeclarator(b, 'port', type, { direction, typeText, extent }));
    b.accept(',');
    if (b.at === before) b.at++;
  }
  b.accept(')');
  return [];
}

interface PortHead {
  readonly type: ReadType;
  readonly text: string;
  readonly isInterface: boolean;
  /** The type is a name, which may be that of an interface. */
  readonly isNamed: boolean;
}

/** Reads net type, data type or interface of a port; undefined when only its name stands there. */
function readPortHead(b: NamesBuilder, portStart: number, hasDirection: boolean): PortHead | undefined {
  const start = b.startAt();
  let isNet = false;
  if (isNetWord(b.peek()) || b.peek() === 'var') {
    b.at++;
    isNet = true;
  }
  if (!hasDirection && b.peek() === 'interface') {
    b.at++;
    if (b.accept('.') && b.isName()) b.at++;
    return { type: NO_TYPE, text: b.textFrom(portStart), isInterface: true, isNamed: true };
  }
  if (b.isName() && b.peek(1) === '.' && b.isName(2) && (b.isName(3) || b.peek(3) === '[')) {
    const of = b.useHere({ kind: 'unit' }, 'type');
    b.change(of, { partial: true });
    b.at++;
    const modport = b.useHere({ kind: 'member', of, operator: '.' }, 'type');
    return { type: { text: '', reference: { kind: 'named', use: modport } }, text: b.textFrom(start), isInterface: true, isNamed: true };
  }
  if (isTypeWord(b.peek()) || b.peek() === '[' || namedTypeAhead(b)) {
    const isNamed = b.isName();
    const type = readType(b);
    return { type, text: b.textFrom(start).replace(/\s+/g, ' '), isInterface: false, isNamed: isNamed && !isNet };
  }
  return isNet ? { type: NO_TYPE, text: b.textFrom(start), isInterface: false, isNamed: false } : undefined;
}

/** Reads `name(expression)` behind the dot of a port with an outer name. */
function readExplicitPort(b: NamesBuilder, details: DeclarationDetails): DeclarationIndex {
  const index = b.declareHere('port', details);
  if (b.peek() === '(') readGroup(b, 'read');
  b.declarationOf(index).extent = { start: details.extent?.start ?? b.lastEnd, end: b.lastEnd };
  return index;
}

/** A list that declares its ports has a direction, a type, or two names in a row. */
function isAnsi(b: NamesBuilder): boolean {
  const end = b.behindGroup(b.at);
  let depth = 0;
  for (let at = b.at; at < end; at++) {
    const text = b.tokens.texts[at] ?? '';
    const kind = b.tokens.kinds[at];
    if (kind === 'operator') depth += text === '(' || text === '[' || text === '{' ? 1 : text === ')' || text === ']' || text === '}' ? -1 : 0;
    else if (kind === 'keyword' && (DIRECTIONS.has(text) || isTypeWord(text) || isNetWord(text) || text === 'interface' || text === 'var')) return true;
    else if (kind === 'identifier' && depth === 1 && b.tokens.kinds[at + 1] === 'identifier') return true;
  }
  return false;
}

function readPortNames(b: NamesBuilder): string[] {
  const names: string[] = [];
  b.at++;
  while (!b.isDone() && b.peek() !== ')' && !isHeaderEnd(b)) {
    const before = b.at;
    if (b.peek() === '.' && b.isName(1)) {
      b.at++;
      b.current.ports.push(readExplicitPort(b, { hidden: true }));
      names.push('');
    } else if (b.isName()) {
      names.push(b.tokens.texts[b.at] ?? '');
      b.useHere({ kind: 'lexical', orUnit: false }, 'declaration');
      while (b.peek() === '[') readGroup(b, 'read');
    } else readExpression(b, 'declaration');
    b.accept(',');
    if (b.at === before) b.at++;
  }
  b.accept(')');
  return names;
}

/** Reads port declarations of a body: `input [3:0] a, b;`. */
export function readBodyPorts(b: NamesBuilder, kind: 'port' | 'argument'): void {
  const start = b.startAt();
  const direction = acceptDirection(b);
  const from = b.startAt();
  if (isNetWord(b.peek()) || b.peek() === 'var') b.at++;
  const type = !b.isName() || namedTypeAhead(b) ? readType(b) : NO_TYPE;
  const typeText = b.textFrom(from).replace(/\s+/g, ' ');
  const found = readDeclarators(b, kind, type, { direction, typeText, extent: { start, end: start } });
  if (kind === 'argument') b.current.ports.push(...found.filter((index) => !b.current.ports.includes(index)));
  b.accept(';');
}

/** Reads the parenthesised arguments of a subroutine, property or sequence. */
export function readArguments(b: NamesBuilder): void {
  b.at++;
  let direction: DeclarationDetails['direction'] = 'input';
  let type: ReadType = NO_TYPE;
  while (!b.isDone() && b.peek() !== ')' && !isHeaderEnd(b)) {
    const before = b.at;
    const start = b.startAt();
    b.accept('const');
    b.accept('local');
    b.accept('untyped');
    const written = acceptDirection(b);
    b.accept('var');
    const isType = !b.isName() || namedTypeAhead(b);
    if (b.peek() === 'property' || b.peek() === 'sequence') b.at++;
    else if (isType) type = readType(b);
    else if (written !== undefined) type = NO_TYPE;
    direction = written ?? direction;
    if (b.isName()) b.current.ports.push(readDeclarator(b, 'argument', type, { direction, extent: { start, end: start } }));
    b.accept(',');
    if (b.at === before) b.at++;
  }
  b.accept(')');
}

