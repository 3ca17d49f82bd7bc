import type { NamesBuilder } from './builder.ts';
import { readArguments } from './declarations.ts';
import { readExpression, readGroup, readPath, readSystemCall } from './expressions.ts';
import { readEndLabel } from './statements.ts';
import { UNIT_ENDS } from './units.ts';

/** Reads a constraint of a class, or one whose body stands outside of it: `constraint owner::name { … }`. */
export function readConstraint(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  const isOutside = b.isName() && b.peek(1) === '::';
  const base = isOutside ? b.useHere({ kind: 'lexical', orUnit: true }, 'path') : undefined;
  if (base !== undefined && b.accept('::') && b.isName()) b.useHere({ kind: 'member', of: base, operator: '::' }, 'path');
  const owner = !isOutside && b.isName() ? b.declareHere('constraint', { extent: { start, end: start } }) : undefined;
  b.openScope('block', owner, start);
  b.current.base = base;
  b.softly(() => (b.peek() === '{' ? readGroup(b, 'read') : readExpression(b)));
  b.accept(';');
  b.closeScope();
}

/** Reads a covergroup: its arguments, its points and crosses by their labels, and the rest as uses that are not followed in detail. */
export function readCovergroup(b: NamesBuilder): void {
  const start = b.startAt();
  b.at++;
  const owner = b.isName() ? b.declareHere('covergroup', { extent: { start, end: start } }) : undefined;
  b.openScope('covergroup', owner, start);
  if (b.peek() === '(') readArguments(b);
  b.softly(() => {
    while (!b.isDone() && b.peek() !== 'endgroup' && !UNIT_ENDS.has(b.peek()) && b.peek() !== 'endclass') readPart(b);
  });
  b.accept('endgroup');
  b.closeScope();
  readEndLabel(b, owner);
}

function readPart(b: NamesBuilder): void {
  if (b.isName() && b.peek(1) === ':' && (b.peek(2) === 'coverpoint' || b.peek(2) === 'cross')) b.declareHere('coverpoint');
  else if (b.accept('coverpoint')) readCovered(b);
  else if (/^(?:ignore_|illegal_)?bins$/.test(b.peek())) b.at += b.isName(1) ? 2 : 1;
  else if (b.isName()) readPath(b, 'read');
  else if (b.tokens.kinds[b.at] === 'system') readSystemCall(b);
  else b.at++;
}

/** What a point covers stands outside of the covergroup, also under the name of a point. */
function readCovered(b: NamesBuilder): void {
  const { scope } = b;
  const known = b.isName() ? b.current.names.get(b.tokens.texts[b.at] ?? '') : undefined;
  if (known?.every((index) => b.declarations[index]?.kind === 'coverpoint') === true) b.scope = b.current.parent ?? scope;
  while (!b.isDone() && b.peek() !== ';' && b.peek() !== 'endgroup' && !UNIT_ENDS.has(b.peek()) && !(b.peek() === '{' && isOperandBefore(b))) {
    if (b.isName()) readPath(b, 'read');
    else if (b.tokens.kinds[b.at] === 'system') readSystemCall(b);
    else if (/^[([{]$/.test(b.peek())) readGroup(b, 'read');
    else b.at++;
  }
  b.scope = scope;
}

/** The bins follow an operand; other braces are a part of what is covered. */
function isOperandBefore(b: NamesBuilder): boolean {
  const kind = b.tokens.kinds[b.at - 1];
  return kind === 'identifier' || kind === 'number' || /^[)\]}]$/.test(b.tokens.texts[b.at - 1] ?? '');
}
