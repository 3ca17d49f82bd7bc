import { lexNamesInSteps } from '../analysis/names/lexer.ts';
import { finish } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import type { Span } from '../base/text.ts';
import { closersByOpener } from '../syntax/keywords.ts';
import { endOfDefinition } from '../syntax/macros.ts';
import { statementSpans } from './statement-spans.ts';

export interface Fold extends Span {
  readonly kind: 'code' | 'comment' | 'imports' | 'macro' | 'region';
}

const OPENERS: ReadonlyMap<string, readonly string[]> = new Map([
  ...closersByOpener(),
  ['(', [')']],
  ['{', ['}']],
  ["'{", ['}']],
  ['[', [']']],
  ["'(", [')']],
]);
const CLOSERS: ReadonlySet<string> = new Set([...OPENERS.values()].flat());

/** Parts of a text between an opening and a closing word or bracket, both included, outermost first. A word without its partner has none. */
export function pairs(text: string): Span[] {
  return finish(pairsInSteps(text));
}

function* pairsInSteps(text: string): Steps<Span[]> {
  const { tokens } = yield* lexNamesInSteps(text);
  const open: { readonly closers: readonly string[]; readonly start: number }[] = [];
  const found: Span[] = [];
  for (let at = 0; at < tokens.length; at++) {
    yield;
    const kind = tokens.kinds[at];
    if (kind !== 'keyword' && kind !== 'operator') continue;
    const word = tokens.texts[at] ?? '';
    const start = tokens.starts[at] ?? 0;
    if (CLOSERS.has(word)) {
      const partner = open.findLastIndex(({ closers }) => closers.includes(word));
      if (partner < 0) continue;
      found.push({ start: open[partner]?.start ?? 0, end: tokens.ends[at] ?? start });
      open.length = partner;
    } else {
      const closers = OPENERS.get(word);
      if (closers) open.push({ closers, start });
    }
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** What can be folded: constructs and lists over several lines, blocks of comment, conditional text, texts of macros, regions and runs of imports or includes. */
export function folds(text: string): Fold[] {
  return finish(foldsInSteps(text));
}

/** As `folds`, step by step. */
export function* foldsInSteps(text: string): Steps<Fold[]> {
  const isFold = ({ start, end }: Span): boolean => text.slice(start, end).includes('\n');
  const code = (yield* pairsInSteps(text)).filter(isFold).map(({ start, end }): Fold => ({ start, end, kind: 'code' }));
  const others = [
    ...(yield* blockFolds(text)),
    ...(yield* runs(text, /^[ \t]*\/\/(?![ \t]*#?(?:end)?region\b)/, 'comment')),
    ...(yield* conditionalFolds(text)),
    ...(yield* definitionFolds(text)),
    ...regionFolds(text),
    ...(yield* runs(text, /^[ \t]*(?:import\s+\w+::|`include\b)/, 'imports')),
  ];
  return [...code, ...others.filter(isFold)];
}

function* blockFolds(text: string): Steps<Fold[]> {
  const found: Fold[] = [];
  for (const match of text.matchAll(/\/\*[\s\S]*?\*\//g)) {
    yield;
    found.push({ start: match.index, end: match.index + match[0].length, kind: 'comment' });
  }
  return found;
}

/** Two or more lines in a row that fit. */
function* runs(text: string, line: RegExp, kind: Fold['kind']): Steps<Fold[]> {
  const found: Fold[] = [];
  let start = -1;
  let end = 0;
  let at = 0;
  for (const content of text.split('\n')) {
    yield;
    if (line.test(content)) {
      if (start < 0) start = at;
      end = at + content.length;
    } else if (start >= 0) {
      found.push({ start, end, kind });
      start = -1;
    }
    at += content.length + 1;
  }
  if (start >= 0) found.push({ start, end, kind });
  return found;
}

/** From a conditional directive to the line before the next of the same level. */
function* conditionalFolds(text: string): Steps<Fold[]> {
  const open: number[] = [];
  const found: Fold[] = [];
  for (const match of text.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|`(ifdef|ifndef|elsif|else|endif)\b/g)) {
    yield;
    const word = match[1];
    if (word === undefined) continue;
    if (word !== 'ifdef' && word !== 'ifndef') {
      const start = open.pop();
      const end = text.lastIndexOf('\n', match.index);
      if (start !== undefined && end > start) found.push({ start, end, kind: 'code' });
    }
    if (word !== 'endif') open.push(match.index);
  }
  return found;
}

/** Between the comments that people set round a part of a file. */
function regionFolds(text: string): Fold[] {
  const open: number[] = [];
  return [...text.matchAll(/^[ \t]*\/\/[ \t]*#?(end)?region\b[^\n]*/gm)].flatMap((match): Fold[] => {
    if (match[1] === undefined) open.push(match.index);
    const start = match[1] === undefined ? undefined : open.pop();
    return start === undefined ? [] : [{ start, end: match.index + match[0].length, kind: 'region' }];
  });
}

/** From a `` `define`` to the end of its text. */
function* definitionFolds(text: string): Steps<Fold[]> {
  const found: Fold[] = [];
  for (const match of text.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|(`define)\b/g)) {
    yield;
    const start = match.index;
    if (match[1] !== undefined) found.push({ start, end: endOfDefinition(text, start + match[0].length), kind: 'macro' });
  }
  return found;
}

/** Parts of a text around an offset, each in the next: the word, what is in brackets or between words, the whole. */
export function selections(text: string, offset: number): Span[] {
  const found: Span[] = [];
  const word = wordAround(text, offset);
  if (word) found.push(word);
  const all = pairs(text);
  const isAround = ({ start, end }: Span): boolean => start <= offset && offset <= end;
  const statements = statementSpans(text, all).filter(isAround);
  for (const pair of all.filter(isAround).toReversed()) {
    // A statement of several parts, as `if` with its `else`, lies between two blocks.
    while (statements.length > 0 && (statements.at(-1)?.start ?? 0) > pair.start) found.push(...statements.splice(-1));
    const size = /^\W/.test(text.slice(pair.start, pair.start + 1)) ? (text.startsWith("'", pair.start) ? 2 : 1) : 0;
    const inside = { start: pair.start + size, end: pair.end - 1 };
    if (size > 0 && inside.start < inside.end && inside.start <= offset && offset <= inside.end) found.push(inside);
    else if (size === 0) found.push(lineOf(text, offset));
    found.push(pair, wholeLines(text, pair));
  }
  found.push(...statements.toReversed(), { start: 0, end: text.length });
  // Each has to hold the one before it.
  const nested: Span[] = [];
  for (const span of found) {
    const last = nested.at(-1);
    if (!last || (span.start <= last.start && span.end >= last.end && span.end - span.start > last.end - last.start)) nested.push(span);
  }
  return nested;
}

function wordAround(text: string, offset: number): Span | undefined {
  let start = offset;
  while (start > 0 && /[\w$`]/.test(text[start - 1] ?? '')) start--;
  let end = offset;
  while (/[\w$]/.test(text[end] ?? '')) end++;
  return end > start ? { start, end } : undefined;
}

function lineOf(text: string, offset: number): Span {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const line = text.slice(start, end < 0 ? text.length : end);
  return { start: start + (line.length - line.trimStart().length), end: start + line.trimEnd().length };
}

/** A construct with what stands before it on its first line, as in `always @(posedge clk) begin`. */
function wholeLines(text: string, { start, end }: Span): Span {
  const line = lineOf(text, start);
  return { start: Math.min(line.start, start), end };
}
