import type { NamesBuilder } from './builder.ts';
import { isDirection, readArguments, readBodyPorts, readImport, readLet, readParameters, readTypedef } from './declarations.ts';
import { isAssignment, isHardStop, readConnections, readExpression, readGroup, readParameterValues, readPath, readSystemCall, readTarget, readUnknownMacro } from './expressions.ts';
import { readCaseGenerate, readConditionalGenerate, readGenerateBlock, readGenerateFor } from './generate.ts';
import type { DeclarationIndex, PortConnection, Process, UseIndex } from './model.ts';
import { readAssertion, readEndLabel, readLocalDeclaration, readStatement, skipTo } from './statements.ts';
import { behindTypeName, isNetWord, isTypeWord, namedTypeAhead, NO_TYPE, readDeclarators, readDelay, readNetDecoration, readType } from './types.ts';
import { UNIT_ENDS } from './units.ts';
import { readClocking, readModports, readProperty } from './interface-items.ts';
import { readConstraint, readCovergroup } from './random-items.ts';

const GATES: ReadonlySet<string> = new Set([
  'and', 'nand', 'or', 'nor', 'xor', 'xnor', 'buf', 'not', 'bufif0', 'bufif1', 'notif0', 'notif1', 'nmos', 'pmos', 'cmos', 'rnmos', 'rpmos', 'rcmos', 'tran', 'rtran', 'tranif0', 'tranif1',
  'rtranif0', 'rtranif1', 'pullup', 'pulldown',
]);
const PROCESSES = { always: 'always', always_comb: 'always_comb', always_ff: 'always_ff', always_latch: 'always_latch', initial: 'initial', final: 'final' } as const satisfies Record<string, Process['kind']>;
const QUALIFIERS: ReadonlySet<string> = new Set(['virtual', 'static', 'local', 'protected', 'pure', 'extern', 'rand', 'randc', 'const', 'automatic', 'default', 'global', 'var']);

/** Reads one item of a module, package, interface, class or generate block. Makes progress unless it stands before a closing word. */
export function readItem(b: NamesBuilder): void {
  switch (b.tokens.kinds[b.at]) {
    case 'identifier':
      readNamedItem(b);
      return;
    case 'keyword':
      readKeywordItem(b, b.peek());
      return;
    case 'system':
      readSystemCall(b);
      b.accept(';');
      return;
    case 'macro':
      readUnknownMacro(b);
      b.accept(';');
      return;
    default:
      b.at++;
  }
}

function readNamedItem(b: NamesBuilder): void {
  if (b.peek(1) === ':') {
    if (['assert', 'assume', 'cover', 'restrict'].includes(b.peek(2))) {
      b.declareHere('block');
      b.at++;
      readItem(b);
    } else if (b.peek(2) === 'begin') readGenerateBlock(b, readItem);
    else b.at += 2;
    return;
  }
  if (instanceAhead(b)) readInstances(b);
  else if (namedTypeAhead(b)) b.inProcess('declaration', b.startAt(), () => readLocalDeclaration(b));
  else b.softly(() => readStatement(b));
}

/** `type [#(…)] [name [dimensions]] (` begins an instance. */
function instanceAhead(b: NamesBuilder): boolean {
  let at = b.at + 1;
  const word = (): string => (b.tokens.kinds[at] === 'operator' ? (b.tokens.texts[at] ?? '') : '');
  if (word() === '#') at = b.tokens.texts[at + 1] === '(' ? b.behindGroup(at + 1) : at + 2;
  const isNamed = b.tokens.kinds[at] === 'identifier';
  if (isNamed) at++;
  while (isNamed && word() === '[') at = b.behindGroup(at);
  return word() === '(' && (isNamed || b.tokens.texts[b.behindGroup(at)] === ';');
}

/** Reads `module #(…) name [dimensions] ( … ), … ;`. */
export function readInstances(b: NamesBuilder): void {
  const module = b.tokens.texts[b.at] ?? '';
  const start = b.startAt();
  b.inProcess('instance', start, () => {
    const moduleUse = b.useHere({ kind: 'unit' }, 'instantiate');
    let parameterList: { start: number; end: number } | undefined;
    let parameters: readonly PortConnection[] = [];
    if (b.peek() === '#') {
      if (b.peek(1) === '(') {
        b.at++;
        const from = b.startAt();
        parameters = readParameterValues(b, moduleUse);
        parameterList = b.spanFrom(from);
      } else readDelay(b);
    }
    do {
      const from = b.startAt();
      const declaration = b.isName() ? b.declareHere('instance', { type: { kind: 'named', use: moduleUse }, typeText: module, extent: { start: from, end: from } }) : undefined;
      const isArray = b.peek() === '[';
      while (b.peek() === '[') readGroup(b, 'read');
      const open = b.startAt();
      const ports = b.peek() === '(' ? readConnections(b, moduleUse, 'connection') : [];
      const extent = b.spanFrom(from);
      if (declaration !== undefined) b.declarationOf(declaration).extent = { start, end: extent.end };
      const portList = b.lastEnd > open ? b.spanFrom(open) : undefined;
      b.instances.push({ declaration, module, moduleUse, scope: b.scope, extent, parameterList, parameters, portList, ports, isArray });
    } while (b.accept(',') && (b.isName() || b.peek() === '('));
    b.accept(';');
  });
}

function readKeywordItem(b: NamesBuilder, word: string): void {
  const start = b.startAt();
  if (UNIT_ENDS.has(word)) return;
  if (word in PROCESSES) {
    b.at++;
    b.inProcess(PROCESSES[word as keyof typeof PROCESSES], start, () => readStatement(b));
    return;
  }
  if (isDirection(word)) {
    readBodyPorts(b, 'port');
    return;
  }
  if (isNetWord(word)) {
    readNets(b);
    return;
  }
  if (GATES.has(word)) {
    readGates(b);
    return;
  }
  switch (word) {
    case 'parameter':
    case 'localparam':
      readParameters(b, b.current.kind !== 'module' && b.current.kind !== 'interface' && b.current.kind !== 'program' ? true : b.current.parametersClosed);
      return;
    case 'specparam':
      b.at++;
      readDeclarators(b, 'specparam', b.isName() ? NO_TYPE : readType(b), { extent: { start, end: start } });
      b.accept(';');
      return;
    case 'genvar':
      b.at++;
      readDeclarators(b, 'genvar', { text: 'genvar', reference: undefined }, { extent: { start, end: start } });
      b.accept(';');
      return;
    case 'assign':
    case 'alias':
      readAssign(b);
      return;
    case 'typedef':
      readTypedef(b);
      return;
    case 'import':
    case 'export':
      if (b.tokens.kinds[b.at + 1] === 'string') readForeignImport(b);
      else readImport(b);
      return;
    case 'function':
    case 'task':
      readSubroutine(b, word, false);
      return;
    case 'if':
      b.at++;
      if (b.peek() === '(') readGroup(b, 'read');
      readConditionalGenerate(b, readItem);
      return;
    case 'case':
      readCaseGenerate(b, readItem);
      return;
    case 'for':
      readGenerateFor(b, readItem);
      return;
    case 'begin':
      readGenerateBlock(b, readItem);
      return;
    case 'assert':
    case 'assume':
    case 'cover':
    case 'restrict':
      b.inProcess('assertion', start, () => readAssertion(b));
      return;
    case 'modport':
      readModports(b);
      return;
    case 'clocking':
      readClocking(b);
      return;
    case 'property':
    case 'sequence':
      readProperty(b, word);
      return;
    case 'covergroup':
      readCovergroup(b);
      return;
    case 'constraint':
      readConstraint(b);
      return;
    case 'specify':
      skipTo(b, 'endspecify');
      return;
    case 'defparam':
      readDefparam(b);
      return;
    case 'bind':
      readBind(b);
      return;
    case 'let':
      readLet(b);
      return;
    default:
      if (QUALIFIERS.has(word) && !isDataVirtual(b)) readQualified(b);
      else if (isTypeWord(word)) b.inProcess('declaration', start, () => readLocalDeclaration(b));
      else b.at++;
  }
}

/** `virtual interface_name handle` or `virtual interface …` is a type, not a qualifier. */
function isDataVirtual(b: NamesBuilder): boolean {
  return b.peek() === 'virtual' && (b.peek(1) === 'interface' || (b.isName(1) && b.peek(1) === ''));
}

function readQualified(b: NamesBuilder): void {
  const start = b.startAt();
  let prototype = false;
  for (let word = b.acceptOneOf(QUALIFIERS); word !== undefined; word = isDataVirtual(b) ? undefined : b.acceptOneOf(QUALIFIERS)) {
    if (word === 'extern' || word === 'pure') prototype = true;
  }
  const word = b.peek();
  if (word === 'function' || word === 'task') readSubroutine(b, word, prototype);
  else if (word === 'class' || word === 'interface' || word === 'clocking' || word === 'disable' || word === 'constraint' || word === 'input' || word === 'output') {
    if (word === 'clocking') readClocking(b);
    else if (word === 'disable') {
      b.at++;
      readExpression(b);
      b.accept(';');
    } else if (word === 'constraint') readKeywordItem(b, word);
  } else if (b.isName() || isTypeWord(word)) {
    b.inProcess('declaration', start, () => readLocalDeclaration(b));
  }
}

function readNets(b: NamesBuilder): void {
  const start = b.startAt();
  b.inProcess('declaration', start, () => {
    const net = b.tokens.texts[b.at] ?? '';
    b.at++;
    readNetDecoration(b);
    const type = b.isName() && !namedTypeAhead(b) ? NO_TYPE : readType(b);
    readNetDecoration(b);
    const typeText = type.text === '' ? net : `${net} ${type.text}`;
    readDeclarators(b, 'net', type, { typeText, extent: { start, end: start } });
    b.accept(';');
  });
}

function readAssign(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  readNetDecoration(b);
  do {
    b.inProcess('assign', start, () => {
      const targets = readTarget(b, 'write');
      const last = targets.at(-1);
      if (isAssignment(b.peek())) b.at++;
      readExpression(b, 'read', last === undefined ? undefined : { use: last });
    });
  } while (b.accept(','));
  b.accept(';');
}

function readGates(b: NamesBuilder): void {
  const start = b.startAt();
  const gate = b.peek();
  b.at++;
  readNetDecoration(b);
  do {
    b.inProcess('gate', start, () => {
      if (b.isName()) b.declareHere('instance', { typeText: gate, extent: { start, end: start } });
      while (b.peek() === '[') readGroup(b, 'read');
      if (b.peek() === '(') readTerminals(b, gate);
    });
  } while (b.accept(','));
  b.accept(';');
}

/** The first terminal is driven; of a `buf` or `not` all but the last, of a switch that works both ways any (IEEE 1800-2017, 28). */
function readTerminals(b: NamesBuilder, gate: string): void {
  const end = b.behindGroup(b.at);
  const drivesAll = gate === 'buf' || gate === 'not';
  b.at++;
  for (let position = 0; !b.isDone() && b.peek() !== ')' && b.peek() !== ';' && !isHardStop(b.peek()); position++) {
    const before = b.at;
    const first = b.uses.length;
    if (position === 0 || drivesAll) readTarget(b, 'write');
    // The terminal that ends the list is the input.
    if (position > 0 && drivesAll && b.at === end - 1) for (let use = first; use < b.uses.length; use++) b.change(use, { access: 'read' });
    readExpression(b);
    b.accept(',');
    if (b.at === before) b.at++;
  }
  b.accept(')');
}

function readForeignImport(b: NamesBuilder): void {
  const imports = b.peek() === 'import';
  b.at += 2;
  while (b.accept('context') || b.accept('pure')) continue;
  if (b.isName() && b.peek(1) === '=') b.at += 2;
  const word = b.peek();
  if (imports && (word === 'function' || word === 'task')) readSubroutine(b, word, true);
  else while (!b.isDone() && !b.accept(';') && !isHardStop(b.peek(1))) b.at++;
}

/** Reads a function or task; a prototype ends with its header. */
export function readSubroutine(b: NamesBuilder, word: 'function' | 'task', prototype: boolean): void {
  const start = b.startAt();
  b.at++;
  while (b.accept('automatic') || b.accept('static')) continue;
  const isHere = (): boolean => (b.isName() || b.peek() === 'new') && ['(', ';', '::', '.'].includes(b.peek(1));
  const isTypeScope = b.isName() && b.peek(1) === '::' && !['(', ';'].includes(b.peek(3)) ;
  const type = word === 'function' && (!isHere() || isTypeScope) ? readType(b) : NO_TYPE;
  let owner: DeclarationIndex | undefined;
  const isOfInterface = b.isName() && b.peek(1) === '.';
  let outer: { readonly owner: UseIndex; readonly own: UseIndex } | undefined;
  if (b.isName() && (b.peek(1) === '::' || isOfInterface)) outer = readScopedName(b);
  else if (b.isName()) owner = b.declareHere(word, { typeText: type.text, type: type.reference, extent: { start, end: start } });
  else if (b.peek() === 'new' && b.current.kind === 'class') owner = b.declareHere(word, { extent: { start, end: start } });
  else b.accept('new');
  b.openScope(word, owner, start);
  const own = outer && b.uses[outer.own];
  // The name of the function holds its result; that of a class is a member of it.
  if (own && isOfInterface) b.declare('variable', own.name, own.span, { implicit: true }, b.scope);
  else b.current.base = outer?.owner;
  b.inProcess('subroutine', start, () => {
    if (b.peek() === '(') readArguments(b);
    b.accept(';');
    if (prototype) return;
    while (!b.isDone() && b.peek() !== 'endfunction' && b.peek() !== 'endtask' && !UNIT_ENDS.has(b.peek())) {
      const before = b.at;
      if (isDirection(b.peek())) readBodyPorts(b, 'argument');
      else if (b.peek() === 'localparam') readParameters(b, true);
      else readStatement(b);
      if (b.at === before) break;
    }
    if (b.peek() === 'endfunction' || b.peek() === 'endtask') b.at++;
  });
  b.closeScope();
  readEndLabel(b, owner);
}

/** Reads the name of a method, or of an interface's function, whose body stands outside of it: the uses of what it belongs to and of itself. */
function readScopedName(b: NamesBuilder): { readonly owner: UseIndex; readonly own: UseIndex } {
  let owner = b.useHere({ kind: 'lexical', orUnit: true }, 'path');
  let own = owner;
  while ((b.peek() === '::' || b.peek() === '.') && (b.isName(1) || b.peek(1) === 'new')) {
    b.at++;
    owner = own;
    own = b.useHere({ kind: 'member', of: own, operator: '::' }, 'path');
  }
  return { owner, own };
}

function readDefparam(b: NamesBuilder): void {
  b.at++;
  do {
    if (b.isName()) readPath(b, 'path');
    if (b.accept('=')) readExpression(b);
  } while (b.accept(','));
  b.accept(';');
}

/** What a bind connects is looked up in the bound module. */
function readBind(b: NamesBuilder): void {
  b.at++;
  const path = b.isName() ? readPath(b, 'path') : [];
  const target = path.at(-1);
  if (path.length === 1 && target !== undefined) b.change(target, { base: { kind: 'unit' } });
  if (b.accept(':')) while (!b.isDone() && (b.isName() || b.peek() === '.' || b.peek() === ',') && !namedTypeAhead(b)) b.at++;
  const first = b.uses.length;
  if (b.isName() && (instanceAhead(b) || behindTypeName(b) !== undefined)) readInstances(b);
  for (let use = first; use < b.uses.length; use++) {
    if (target !== undefined && b.uses[use]?.base.kind === 'lexical') b.change(use, { base: { kind: 'inside', of: target } });
  }
  b.accept(';');
}
