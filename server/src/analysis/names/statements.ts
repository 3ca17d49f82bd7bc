import type { NamesBuilder } from './builder.ts';
import { isAssignment, isHardStop, readExpression, readGroup, readPath, readSystemCall, readTarget, readUnknownMacro, setAccess } from './expressions.ts';
import type { DeclarationIndex, TypeReference, UseIndex } from './model.ts';
import { behindTypeName, isNetWord, isTypeWord, namedTypeAhead, readDeclarators, readDelay, readType } from './types.ts';
import type { ReadType } from './types.ts';
import { readImport, readLet, readParameters, readTypedef } from './declarations.ts';

/** Words that end the construct around a statement, so that a broken statement never swallows them. */
const ENDERS: ReadonlySet<string> = new Set([
  'end', 'join', 'join_any', 'join_none', 'endcase', 'endfunction', 'endtask', 'endmodule', 'endinterface', 'endprogram', 'endpackage', 'endclass', 'endgenerate', 'endproperty',
  'endsequence', 'endclocking', 'endgroup', 'endchecker', 'endspecify', 'module', 'macromodule', 'package', 'always_comb', 'always_ff', 'always_latch', 'always', 'initial', 'generate',
  'function', 'endprimitive', 'localparam',
]);

const LIFETIMES: ReadonlySet<string> = new Set(['automatic', 'static', 'const', 'var', 'rand', 'randc', 'local', 'protected']);

/** Whether a statement can't begin here, because something outside of it ends or begins. */
export function isEnder(word: string): boolean {
  return ENDERS.has(word);
}

/** Reads one statement with everything inside it. Always makes progress, except before what ends its surroundings. */
export function readStatement(b: NamesBuilder): void {
  const label = b.isName() && b.peek(1) === ':' ? b.at : undefined;
  if (label !== undefined) {
    if (b.peek(2) !== 'begin' && b.peek(2) !== 'fork') b.declareHere('block');
    else b.at++;
    b.at++;
  }
  switch (b.tokens.kinds[b.at]) {
    case 'identifier':
      if (namedTypeAhead(b)) readLocalDeclaration(b);
      else readAssignmentOrCall(b);
      return;
    case 'system':
      readSystemCall(b);
      readExpression(b);
      b.accept(';');
      return;
    case 'macro':
      readUnknownMacro(b);
      b.accept(';');
      return;
    case 'keyword':
      readKeywordStatement(b, b.peek(), label);
      return;
    case 'operator':
      readOperatorStatement(b, b.peek());
      return;
    default:
      b.at++;
  }
}

function readOperatorStatement(b: NamesBuilder, word: string): void {
  if (word === '@') {
    readEventControl(b);
    readStatement(b);
  } else if (word === '#' || word === '##') {
    readDelay(b);
    readStatement(b);
  } else if (word === '->' || word === '->>') {
    b.at++;
    if (b.peek() === '#' || b.peek() === '@') readIntraDelay(b);
    setAccess(b, readTarget(b, 'write'), 'write');
    b.accept(';');
  } else if (word === '{' || word === "'{" || word === '++' || word === '--') {
    if (word === '++' || word === '--') b.at++;
    readAssignmentOrCall(b);
  } else b.at++;
}

/** Reads `@*`, `@(…)`, `@name`. */
export function readEventControl(b: NamesBuilder): void {
  b.at++;
  if (b.peek() === '(') readGroup(b, 'event');
  else if (b.isName()) readPath(b, 'event');
  else if (b.peek() === '*' || b.tokens.kinds[b.at] === 'macro') b.at++;
}

/** Reads a delay or event control on the right side of an assignment: `a <= #1 b`, `a = repeat (3) @(posedge c) b`. */
function readIntraDelay(b: NamesBuilder): void {
  if (b.accept('repeat') && b.peek() === '(') readGroup(b, 'read');
  if (b.peek() === '#' || b.peek() === '##') readDelay(b);
  else if (b.peek() === '@') readEventControl(b);
}

/** Reads `target = value`, `target <= value`, `target++` or a call, without the semicolon. */
function readSimple(b: NamesBuilder): void {
  const before = b.at;
  const prefix = b.tokens.texts[b.at - 1];
  const isPrefixed = prefix === '++' || prefix === '--';
  const targets: UseIndex[] = readTarget(b, 'write');
  const word = b.peek();
  const last = targets.at(-1);
  if (isAssignment(word) || word === '<=') {
    if (word !== '=' && word !== '<=') setAccess(b, targets, 'update');
    b.at++;
    readIntraDelay(b);
    readExpression(b, 'read', targets.length > 0 && last !== undefined ? { use: last } : undefined);
  } else if (word === '++' || word === '--' || isPrefixed) {
    setAccess(b, targets, 'update');
    if (!isPrefixed) b.at++;
  } else if (last !== undefined) {
    for (const use of targets) if (b.uses[use]?.access === 'write') b.change(use, { access: use === last ? 'call' : 'read' });
    readExpression(b);
  } else if (b.at === before && !isHardStop(b.peek()) && b.peek() !== ';') b.at++;
}

function readAssignmentOrCall(b: NamesBuilder): void {
  readSimple(b);
  b.accept(';');
}

function readKeywordStatement(b: NamesBuilder, word: string, label: number | undefined): void {
  if (isEnder(word)) return;
  switch (word) {
    case 'begin':
    case 'fork':
      readBlock(b, label);
      return;
    case 'if':
    case 'while':
    case 'repeat':
    case 'wait':
    case 'wait_order':
      b.at++;
      if (b.accept('fork')) {
        b.accept(';');
        return;
      }
      if (b.peek() === '(') readGroup(b, 'read');
      readStatement(b);
      if (word === 'if' || word === 'wait_order') readElse(b);
      return;
    case 'forever':
    case 'unique':
    case 'unique0':
    case 'priority':
    case 'final':
      b.at++;
      readStatement(b);
      return;
    case 'do':
      b.at++;
      readStatement(b);
      if (b.accept('while') && b.peek() === '(') readGroup(b, 'read');
      b.accept(';');
      return;
    case 'for':
      readFor(b);
      return;
    case 'foreach':
      readForeach(b);
      return;
    case 'case':
    case 'casex':
    case 'casez':
    case 'randcase':
      readCase(b);
      return;
    case 'disable':
      b.at++;
      if (!b.accept('fork') && b.isName()) readPath(b, 'path');
      b.accept(';');
      return;
    case 'assign':
    case 'force':
    case 'deassign':
    case 'release':
      b.at++;
      readAssignmentOrCall(b);
      return;
    case 'assert':
    case 'assume':
    case 'cover':
    case 'restrict':
    case 'expect':
      readAssertion(b);
      return;
    case 'import':
      readImport(b);
      return;
    case 'typedef':
      readTypedef(b);
      return;
    case 'parameter':
      readParameters(b, true);
      return;
    case 'let':
      readLet(b);
      return;
    case 'this':
    case 'super':
      readAssignmentOrCall(b);
      return;
    case 'return':
      b.at++;
      readExpression(b);
      b.accept(';');
      return;
    case 'void':
      if (b.peek(1) === "'(") {
        b.at++;
        readExpression(b);
        b.accept(';');
        return;
      }
      readLocalDeclaration(b);
      return;
    case 'randsequence':
      skipTo(b, 'endsequence');
      return;
    default:
      if (isTypeWord(word) || LIFETIMES.has(word) || isNetWord(word)) readLocalDeclaration(b);
      else b.at++;
  }
}

/** Reads past everything up to a closing word, as uses that are not followed in detail. */
export function skipTo(b: NamesBuilder, ...closers: readonly string[]): void {
  b.softly(() => {
    b.at++;
    while (!b.isDone() && !closers.includes(b.peek()) && !/^end(?:module|interface|package|program|class)$/.test(b.peek())) {
      if (b.isName()) readPath(b, 'read');
      else if (b.tokens.kinds[b.at] === 'system') readSystemCall(b);
      else b.at++;
    }
  });
  if (closers.includes(b.peek())) b.at++;
}

function readElse(b: NamesBuilder): void {
  if (b.accept('else')) readStatement(b);
}

/** Reads `begin … end` or `fork … join`; the label before the keyword or behind it names its scope. */
export function readBlock(b: NamesBuilder, label: number | undefined): void {
  const start = b.startAt();
  b.at++;
  const owner = declareLabel(b, label);
  b.openScope('block', owner, start);
  // Declarations stand first; a constant behind statements is rather one of the module, behind a missing `end`.
  for (let declares = true; !b.isDone() && (!isEnder(b.peek()) || (declares && b.peek() === 'localparam')); ) {
    const before = b.at;
    declares &&= declarationAhead(b);
    if (b.peek() === 'localparam') readParameters(b, true);
    else readStatement(b);
    if (b.at === before) break;
  }
  if (b.peek() === 'end' || b.peek().startsWith('join')) b.at++;
  b.closeScope();
  readEndLabel(b, owner);
}

function declarationAhead(b: NamesBuilder): boolean {
  const word = b.peek();
  return word === 'localparam' || word === 'parameter' || word === 'typedef' || word === 'import' || isTypeWord(word) || LIFETIMES.has(word) || namedTypeAhead(b);
}

function declareLabel(b: NamesBuilder, label: number | undefined): DeclarationIndex | undefined {
  if (label !== undefined) {
    const span = { start: b.startAt(label), end: b.tokens.ends[label] ?? b.text.length };
    return b.declare('block', b.tokens.texts[label] ?? '', span, {}, b.scope);
  }
  if (b.peek() !== ':' || !b.isName(1)) return undefined;
  b.at++;
  return b.declareHere('block');
}

/** Reads the name that is repeated behind a closing word. */
export function readEndLabel(b: NamesBuilder, owner: DeclarationIndex | undefined): void {
  if (b.peek() !== ':' || (!b.isName(1) && b.peek(1) !== 'new')) return;
  b.at++;
  if (owner !== undefined && b.isName()) b.useHere({ kind: 'declared', declaration: owner }, 'label');
  else b.at++;
}

function readFor(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  const opened = b.accept('(');
  // A loop without variables of its own is no scope: what is named in it belongs to what is around it.
  const isScope = opened && (b.peek() === 'var' || isTypeWord(b.peek()) || namedTypeAhead(b));
  if (isScope) b.openScope('block', undefined, start);
  if (opened) {
    while (!b.isDone() && b.peek() !== ';' && !isHardStop(b.peek())) {
      const before = b.at;
      b.accept('var');
      if (isTypeWord(b.peek()) || namedTypeAhead(b)) {
        const from = b.startAt();
        b.declareHere('variable', { ...typeDetails(readType(b)), extent: { start: from, end: from } });
        if (b.accept('=')) readExpression(b);
      } else if (b.isName() && b.peek(1) === '=' && isScope) {
        // Behind `int i = 0,` a further name is declared as well.
        b.declareHere('variable');
        b.at++;
        readExpression(b);
      } else readSimple(b);
      b.accept(',');
      if (b.at === before) b.at++;
    }
    b.accept(';');
    readExpression(b);
    b.accept(';');
    while (!b.isDone() && b.peek() !== ')' && !isHardStop(b.peek())) {
      const before = b.at;
      if (b.peek() === '++' || b.peek() === '--') b.at++;
      readSimple(b);
      b.accept(',');
      if (b.at === before) b.at++;
    }
    b.accept(')');
  }
  readStatement(b);
  if (isScope) b.closeScope();
}

function typeDetails(type: ReadType): { readonly typeText: string; readonly type: TypeReference | undefined } {
  return { typeText: type.text, type: type.reference };
}

function readForeach(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  b.openScope('block', undefined, start);
  if (b.accept('(')) {
    if (b.isName()) {
      let last = b.useHere({ kind: 'lexical', orUnit: false }, 'read');
      while ((b.peek() === '.' || b.peek() === '::') && b.isName(1)) {
        b.at++;
        last = b.useHere({ kind: 'member', of: last, operator: '.' }, 'read');
      }
      if (b.accept('[')) {
        while (!b.isDone() && b.peek() !== ']' && !isHardStop(b.peek())) {
          if (b.isName()) b.declareHere('variable', { typeText: 'int' });
          else b.at++;
        }
        b.accept(']');
      }
    }
    while (!b.isDone() && b.peek() !== ')' && !isHardStop(b.peek())) b.at++;
    b.accept(')');
  }
  readStatement(b);
  b.closeScope();
}

function readCase(b: NamesBuilder): void {
  b.at++;
  if (b.peek() === '(') readGroup(b, 'read');
  if (!b.accept('inside')) b.accept('matches');
  while (!b.isDone() && b.peek() !== 'endcase' && !isEnder(b.peek())) {
    const before = b.at;
    if (!b.accept('default')) readCaseLabels(b);
    b.accept(':');
    readStatement(b);
    if (b.at === before) b.at++;
  }
  b.accept('endcase');
}

function readCaseLabels(b: NamesBuilder): void {
  while (!b.isDone() && b.peek() !== ':' && b.peek() !== ';' && !isHardStop(b.peek())) {
    const before = b.at;
    readExpression(b);
    b.accept(',');
    if (b.at === before) return;
  }
}

/** Reads an immediate or concurrent assertion with its actions. */
export function readAssertion(b: NamesBuilder): void {
  b.at++;
  if (b.peek() === 'property' || b.peek() === 'sequence' || b.peek() === 'final') b.at++;
  else if (b.peek() === '#') b.at += 2;
  if (b.peek() === '(') readGroup(b, 'read');
  if (b.peek() !== 'else' && !isEnder(b.peek())) readStatement(b);
  readElse(b);
}

/** Reads a declaration inside of a block or subroutine. */
export function readLocalDeclaration(b: NamesBuilder): void {
  const start = b.startAt();
  while (b.acceptOneOf(LIFETIMES) !== undefined) continue;
  const isNet = isNetWord(b.peek());
  if (isNet) b.at++;
  const end = behindTypeName(b);
  const hasType = !b.isName() || (end !== undefined && b.tokens.kinds[end] === 'identifier');
  const type = hasType ? readType(b) : { text: '', reference: undefined };
  const before = b.at;
  readDeclarators(b, isNet ? 'net' : 'variable', type, { extent: { start, end: start } });
  if (b.at === before && !isEnder(b.peek()) && b.peek() !== ';') readExpression(b);
  b.accept(';');
}
