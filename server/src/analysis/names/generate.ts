import type { NamesBuilder } from './builder.ts';
import { isHardStop, readExpression, readGroup } from './expressions.ts';
import type { DeclarationIndex } from './model.ts';
import { readEndLabel } from './statements.ts';
import { UNIT_ENDS } from './units.ts';

/** Reads one item of a block; the reader of items passes itself in, since items hold generate constructs. */
export type ItemReader = (b: NamesBuilder) => void;

/** Each construct has a number in its scope, by which an unnamed block is called (IEEE 1800-2017, 27.6). */
function nextGenerate(b: NamesBuilder): number {
  const scope = b.current;
  scope.generates++;
  return scope.generates;
}

export function readConditionalGenerate(b: NamesBuilder, readItem: ItemReader, number = nextGenerate(b)): void {
  readBranch(b, readItem, number);
  if (!b.accept('else')) return;
  if (b.peek() === 'if') {
    b.at++;
    if (b.peek() === '(') readGroup(b, 'read');
    readConditionalGenerate(b, readItem, number);
  } else readBranch(b, readItem, number);
}

/** A nested `if` without a block of its own belongs to the outer construct. */
function readBranch(b: NamesBuilder, readItem: ItemReader, number: number): void {
  if (b.peek() === 'if') {
    b.at++;
    if (b.peek() === '(') readGroup(b, 'read');
    readConditionalGenerate(b, readItem, number);
  } else readGenerateBlock(b, readItem, number);
}

export function readCaseGenerate(b: NamesBuilder, readItem: ItemReader): void {
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
    readGenerateBlock(b, readItem, number);
    if (b.at === before) b.at++;
  }
  b.accept('endcase');
}

export function readGenerateFor(b: NamesBuilder, readItem: ItemReader): void {
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
  readGenerateBlock(b, readItem, number, outer);
  b.closeScope();
}

/** Reads `begin : name … end` or a single item; the block's name belongs to the scope around the construct. */
export function readGenerateBlock(b: NamesBuilder, readItem: ItemReader, number?: number, named: number = b.scope): void {
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
