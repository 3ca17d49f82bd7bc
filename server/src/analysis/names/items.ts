import type { DeclarationDetails, NamesBuilder } from './builder.ts';
import { acceptDirection, isDirection, readArguments, readBodyPorts, readImport, readLet, readParameters, readTypedef } from './declarations.ts';
import { isAssignment, isHardStop, readConnections, readExpression, readGroup, readParameterValues, readPath, readSystemCall, readTarget, readUnknownMacro } from './expressions.ts';
import type { DeclarationIndex, PortConnection, Process, UseIndex } from './model.ts';
import { readAssertion, readEndLabel, readLocalDeclaration, readStatement, skipTo } from './statements.ts';
import { behindTypeName, isNetWord, isTypeWord, namedTypeAhead, NO_TYPE, readDeclarators, readDelay, readNetDecoration, readType } from './types.ts';

const GATES: ReadonlySet<string> = new Set([
  'and', 'nand', 'or', 'nor', 'xor', 'xnor', 'buf', 'not', 'bufif0', 'bufif1', 'notif0', 'notif1', 'nmos', 'pmos', 'cmos', 'rnmos', 'rpmos', 'rcmos', 'tran', 'rtran', 'tranif0', 'tranif1',
  'rtranif0', 'rtranif1', 'pullup', 'pulldown',
]);
const PROCESSES = { always: 'always', always_comb: 'always_comb', always_ff: 'always_ff', always_latch: 'always_latch', initial: 'initial', final: 'final' } as const satisfies Record<string, Process['kind']>;
const QUALIFIERS: ReadonlySet<string> = new Set(['virtual', 'static', 'local', 'protected', 'pure', 'extern', 'rand', 'randc', 'const', 'automatic', 'default', 'global', 'var']);
/** A closing word of a unit ends everything inside it, however broken. */
export const UNIT_ENDS: ReadonlySet<string> = new Set(['endmodule', 'endinterface', 'endprogram', 'endpackage', 'endclass', 'endchecker', 'endprimitive', 'endconfig']);

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
    } else if (b.peek(2) === 'begin') readGenerateBlock(b);
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
      readConditionalGenerate(b);
      return;
    case 'case':
      readCaseGenerate(b);
      return;
    case 'for':
      readGenerateFor(b);
      return;
    case 'begin':
      readGenerateBlock(b);
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
      b.at++;
      if (b.isName()) b.at++;
      b.softly(() => (b.peek() === '{' ? readGroup(b, 'read') : readExpression(b)));
      b.accept(';');
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
  const outerName = b.isName() && (b.peek(1) === '::' || b.peek(1) === '.');
  // The body of a method or of an interface's function, declared elsewhere.
  const scoped = outerName ? readScopedName(b) : undefined;
  if (!outerName && b.isName()) owner = b.declareHere(word, { typeText: type.text, type: type.reference, extent: { start, end: start } });
  else if (!outerName) b.accept('new');
  b.openScope(word, owner, start);
  const own = scoped === undefined ? undefined : b.uses[scoped];
  // The name of the function holds its result.
  if (own) b.declare('variable', own.name, own.span, { implicit: true }, b.scope);
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

/** The use of the last name; undefined for a constructor. */
function readScopedName(b: NamesBuilder): UseIndex | undefined {
  let path: UseIndex[] = [];
  b.softly(() => {
    path = [b.useHere({ kind: 'lexical', orUnit: true }, 'path')];
    while ((b.peek() === '::' || b.peek() === '.') && (b.isName(1) || b.peek(1) === 'new')) {
      b.at++;
      const last = path.at(-1) ?? 0;
      if (b.accept('new')) path = [];
      else path.push(b.useHere({ kind: 'member', of: last, operator: '::' }, 'path'));
      if (path.length === 0) return;
    }
  });
  return path.at(-1);
}

// Generate constructs.

/** Each construct has a number in its scope, by which an unnamed block is called (IEEE 1800-2017, 27.6). */
function nextGenerate(b: NamesBuilder): number {
  const scope = b.current;
  scope.generates++;
  return scope.generates;
}

function readConditionalGenerate(b: NamesBuilder, number = nextGenerate(b)): void {
  readBranch(b, number);
  if (!b.accept('else')) return;
  if (b.peek() === 'if') {
    b.at++;
    if (b.peek() === '(') readGroup(b, 'read');
    readConditionalGenerate(b, number);
  } else readBranch(b, number);
}

/** A nested `if` without a block of its own belongs to the outer construct. */
function readBranch(b: NamesBuilder, number: number): void {
  if (b.peek() === 'if') {
    b.at++;
    if (b.peek() === '(') readGroup(b, 'read');
    readConditionalGenerate(b, number);
  } else readGenerateBlock(b, number);
}

function readCaseGenerate(b: NamesBuilder): void {
  const number = nextGenerate(b);
  b.at++;
  if (b.peek() === '(') readGroup(b, 'read');
  while (!b.isDone() && b.peek() !== 'endcase' && !UNIT_ENDS.has(b.peek())) {
    const before = b.at;
    if (!b.accept('default')) {
      while (!b.isDone() && b.peek() !== ':' && !isHardStop(b.peek()) && b.peek() !== ';') {
        const from = b.at;
        readExpression(b);
        b.accept(',');
        if (b.at === from) break;
      }
    }
    b.accept(':');
    readGenerateBlock(b, number);
    if (b.at === before) b.at++;
  }
  b.accept('endcase');
}

function readGenerateFor(b: NamesBuilder): void {
  const number = nextGenerate(b);
  const outer = b.scope;
  const start = b.startAt();
  b.at++;
  b.openScope('block', undefined, start);
  if (b.accept('(')) {
    if (b.accept('genvar')) {
      if (b.isName()) b.declareHere('genvar', { typeText: 'genvar' });
      if (b.accept('=')) readExpression(b);
    } else readExpression(b);
    b.accept(';');
    readExpression(b);
    b.accept(';');
    if (b.peek() === '++' || b.peek() === '--') b.at++;
    readExpression(b);
    b.accept(')');
  }
  readGenerateBlock(b, number, outer);
  b.closeScope();
}

/** Reads `begin : name … end` or a single item; the block's name belongs to the scope around the construct. */
function readGenerateBlock(b: NamesBuilder, number?: number, named: number = b.scope): void {
  const start = b.startAt();
  const before = b.isName() && b.peek(1) === ':' && b.peek(2) === 'begin';
  let owner: DeclarationIndex | undefined;
  if (before) {
    owner = b.declareHere('block', {}, named);
    b.at++;
  }
  if (!b.accept('begin')) {
    if (UNIT_ENDS.has(b.peek()) || b.peek() === 'end') return;
    b.openScope('generate', undefined, start);
    b.current.generateNumber = number;
    readItem(b);
    b.closeScope();
    return;
  }
  if (b.peek() === ':' && b.isName(1)) {
    b.at++;
    owner = b.declareHere('block', {}, named);
  }
  b.openScope('generate', owner, start);
  b.current.generateNumber = number;
  while (!b.isDone() && b.peek() !== 'end' && !UNIT_ENDS.has(b.peek())) {
    const from = b.at;
    readItem(b);
    if (b.at === from) b.at++;
  }
  b.accept('end');
  b.closeScope();
  readEndLabel(b, owner);
}

// Interfaces, assertions and the rest.

function readModports(b: NamesBuilder): void {
  b.at++;
  do {
    if (!b.isName()) break;
    const owner = b.declareHere('modport');
    b.openScope('modport', owner, b.startAt());
    if (b.accept('(')) {
      let direction: DeclarationDetails['direction'];
      while (!b.isDone() && b.peek() !== ')' && b.peek() !== ';' && !isHardStop(b.peek())) {
        const before = b.at;
        direction = acceptDirection(b) ?? direction;
        if (b.accept('import') || b.accept('export') || b.accept('clocking')) {
          b.accept('function');
          b.accept('task');
        }
        if (b.peek() === '.' && b.isName(1)) {
          b.at++;
          b.declareHere('port', { direction });
          if (b.peek() === '(') readGroup(b, 'read');
        } else if (b.isName()) b.useHere({ kind: 'lexical', orUnit: false }, 'declaration');
        b.accept(',');
        if (b.at === before) b.at++;
      }
      b.accept(')');
    }
    b.closeScope();
  } while (b.accept(','));
  b.accept(';');
}

function readClocking(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  const owner = b.isName() ? b.declareHere('clocking', { extent: { start, end: start } }) : undefined;
  b.openScope('clocking', owner, start);
  b.softly(() => {
    while (!b.isDone() && b.peek() !== 'endclocking' && !UNIT_ENDS.has(b.peek())) {
      if (b.isName()) readPath(b, 'read');
      else b.at++;
    }
  });
  b.accept('endclocking');
  b.closeScope();
  readEndLabel(b, owner);
}

function readProperty(b: NamesBuilder, word: 'property' | 'sequence'): void {
  const start = b.startAt();
  b.at++;
  const owner = b.isName() ? b.declareHere(word, { extent: { start, end: start } }) : undefined;
  b.openScope('property', owner, start);
  if (b.peek() === '(') readArguments(b);
  b.accept(';');
  while (!b.isDone() && b.peek() !== `end${word}` && !UNIT_ENDS.has(b.peek())) {
    const before = b.at;
    if (isTypeWord(b.peek()) || namedTypeAhead(b)) readLocalDeclaration(b);
    else readExpression(b);
    b.accept(';');
    if (b.at === before) b.at++;
  }
  b.accept(`end${word}`);
  b.closeScope();
  readEndLabel(b, owner);
}

function readCovergroup(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  const owner = b.isName() ? b.declareHere('covergroup', { extent: { start, end: start } }) : undefined;
  b.openScope('covergroup', owner, start);
  if (b.peek() === '(') readArguments(b);
  skipTo(b, 'endgroup');
  b.closeScope();
  readEndLabel(b, owner);
}

function readDefparam(b: NamesBuilder): void {
  b.at++;
  do {
    if (b.isName()) readPath(b, 'path');
    if (b.accept('=')) readExpression(b);
  } while (b.accept(','));
  b.accept(';');
}

/** What a bind connects is looked up in the bound module; the names are not followed. */
function readBind(b: NamesBuilder): void {
  b.at++;
  b.softly(() => {
    if (b.isName()) {
      const path: UseIndex[] = readPath(b, 'path');
      if (path.length === 1 && path[0] !== undefined) b.change(path[0], { base: { kind: 'unit' } });
    }
    if (b.accept(':')) while (!b.isDone() && (b.isName() || b.peek() === '.' || b.peek() === ',') && !namedTypeAhead(b)) b.at++;
    if (b.isName() && (instanceAhead(b) || behindTypeName(b) !== undefined)) readInstances(b);
  });
  b.accept(';');
}

