import type { DeclarationDetails, NamesBuilder } from './builder.ts';
import { acceptDirection, isDirection, readArguments } from './declarations.ts';
import { isHardStop, readExpression, readGroup, readPath } from './expressions.ts';
import { readEndLabel, readEventControl, readLocalDeclaration } from './statements.ts';
import { isTypeWord, namedTypeAhead, readDelay, readType } from './types.ts';
import { UNIT_ENDS } from './units.ts';

export function readModports(b: NamesBuilder): void {
  b.at++;
  do {
    if (!b.isName()) break;
    const owner = b.declareHere('modport');
    b.openScope('modport', owner, b.startAt());
    if (b.accept('(')) {
      let direction: DeclarationDetails['direction'];
      const isFurther = (): boolean => b.tokens.texts[b.at - 1] === ',' && (b.peek() === 'function' || b.peek() === 'task');
      while (!b.isDone() && b.peek() !== ')' && b.peek() !== ';' && (isFurther() || !isHardStop(b.peek()))) {
        const before = b.at;
        direction = acceptDirection(b) ?? direction;
        b.accept('clocking');
        if (b.accept('import') || b.accept('export') || isFurther()) {
          readModportSubroutine(b);
          b.accept(',');
          continue;
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

/** A function or task by its name or prototype; its body may stand in a module that the interface is connected to (IEEE 1800-2017, 25.7.4). */
function readModportSubroutine(b: NamesBuilder): void {
  const start = b.startAt();
  const isFunction = b.accept('function');
  const isPrototype = b.accept('task') || isFunction;
  if (isFunction && !(b.isName() && /^[(,)]$/.test(b.peek(1)))) readType(b);
  if (b.isName()) b.softly(() => b.useHere({ kind: 'lexical', orUnit: false }, 'declaration'));
  if (!isPrototype || b.peek() !== '(') return;
  b.openScope('function', undefined, start);
  readArguments(b);
  b.closeScope();
}

export function readClocking(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  // Without an event it names the one that is the default (IEEE 1800-2017, 14.12).
  if (b.isName() && b.peek(1) === ';') {
    b.useHere({ kind: 'lexical', orUnit: false }, 'read');
    b.at++;
    return;
  }
  const owner = b.isName() ? b.declareHere('clocking', { extent: { start, end: start } }) : undefined;
  b.openScope('clocking', owner, start);
  if (b.peek() === '@') readEventControl(b);
  b.accept(';');
  while (!b.isDone() && b.peek() !== 'endclocking' && !UNIT_ENDS.has(b.peek())) {
    const before = b.at;
    readClockingItem(b);
    if (b.at === before) b.at++;
  }
  b.accept('endclocking');
  b.closeScope();
  readEndLabel(b, owner);
}

/** `input #1 a, b = c.d;`: a name without `=` is that of the signal itself. */
function readClockingItem(b: NamesBuilder): void {
  let direction: DeclarationDetails['direction'];
  while (isDirection(b.peek()) || b.peek() === 'default' || b.peek() === '#') {
    direction = acceptDirection(b) ?? direction;
    b.accept('default');
    if (b.peek() === '#') readDelay(b);
    if (b.peek() === 'posedge' || b.peek() === 'negedge' || b.peek() === 'edge') b.at++;
  }
  if (direction === undefined) {
    if (b.isName()) b.softly(() => readPath(b, 'read'));
    return;
  }
  while (b.isName()) {
    if (b.peek(1) === '=') {
      b.declareHere('port', { direction });
      b.at++;
      readExpression(b);
    } else b.useHere({ kind: 'lexical', orUnit: false }, 'declaration');
    if (!b.accept(',')) break;
  }
  b.accept(';');
}

export function readProperty(b: NamesBuilder, word: 'property' | 'sequence'): void {
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
