import type { SyntaxDiagnostic } from './diagnostics.ts';
import type { Parser, SyntaxTree } from './parser.ts';
import { closerByOpener, openerByCloser } from './keywords.ts';
import { wordsOf } from './words.ts';
import type { Word } from './words.ts';

/** Characters that are parsed at most in the search for a repair. */
const BUDGET = 120_000;
/** A text of which fewer repairs than this can be tried is left alone. */
const LEAST_TRIES = 6;

/** A name and a value, where one is missing. */
const NAME = 'x';
const VALUE = "'0";
/** Words that are put where the text stops making sense, by how often they are what is missing. */
const INSERTED = [';', ')', ',', '=', '(', NAME, '}', ']', '{', '[', ':', VALUE, 'begin', '#', '@'];

/** The word that closes a block or bracket, by the one that opens it. */
const CLOSERS: ReadonlyMap<string, string> = new Map([...closerByOpener(), ['{', '}'], ["'{", '}'], ['(', ')']]);
const CLOSING = new Set([...CLOSERS.values(), ...openerByCloser().keys()]);
/** Words before the opening word of what is only mentioned. */
const MENTIONING = new Set(['extern', 'pure', 'typedef', 'import', 'export', 'context', 'virtual', 'disable', 'wait', 'assert', 'assume', 'cover', 'restrict', 'default', 'global']);

/** What belongs into the text of a macro. */
const UNKNOWN = /`["`\\]/;
/** Blocks that hold items. */
const HOLDING_ITEMS = new Set([...closerByOpener('unit', 'region').keys(), 'class', 'checker']);
const BINARY = /^(?:[*/%?]|\*\*|[=!]=[=?]?|[<>]=?|&&|\|\||<<<?|>>>?|[-+*/%&|^]?=|\|->|\|=>|->)$/;

/**
 * Names the mistake of a text when the change of one word mends all of it: one put in, taken out, or exchanged with its
 * neighbour, where the text stops being the beginning of a valid one. Undefined when there is no such word. A construct that
 * the grammar does not know is rarely one word away from another one that it knows. `isInside`: only a mistake inside of a
 * block of statements or the like is looked for, and none between items.
 */
export function repairableMistake(parser: Parser, broken: SyntaxTree, isInside = false): SyntaxDiagnostic | undefined {
  const { text } = broken;
  if (text.length * LEAST_TRIES > BUDGET || UNKNOWN.test(text)) return undefined;
  const good = parser.lastGoodEnd(text);
  if (good === undefined) return undefined;
  const words = wordsOf(text);
  const found = words.findIndex((word) => word.span.end > good);
  const at = found < 0 ? words.length : found;
  const opener = openBlock(words.slice(0, at));
  if (isInside && (!opener || HOLDING_ITEMS.has(opener.text))) return undefined;
  let budget = BUDGET;
  const isMended = (repaired: string): boolean => {
    budget -= repaired.length;
    if (budget < 0) return false;
    using tree = parser.parse(repaired, { previous: broken });
    return tree !== undefined && !tree.hasError;
  };
  const [before, word] = [words[at - 1], words[at]];
  const unclosed = (): SyntaxDiagnostic | undefined => unclosedBlock(text, opener, word, isMended);
  const endsBlock = word === undefined || CLOSING.has(word.text) || CLOSERS.has(word.text);
  return (
    (endsBlock ? unclosed() : undefined) ??
    (before && missingWord(text, before, word, isMended)) ??
    (word?.text === ':' && before?.first === true ? unfinishedBefore(text, words[at - 2], isMended) : undefined) ??
    surplusWord(text, [word, before], isMended) ??
    swappedWords(text, words.slice(Math.max(0, at - 1), at + 2), isMended) ??
    (endsBlock ? undefined : unclosed())
  );
}

/** The word that begins the innermost block or bracket that is open behind some words. */
function openBlock(words: readonly Word[]): Word | undefined {
  const open: Word[] = [];
  words.forEach((word, index) => {
    if (CLOSING.has(word.text)) open.pop();
    else if (CLOSERS.has(word.text) && !MENTIONING.has(words[index - 1]?.text ?? '')) open.push(word);
  });
  return open.at(-1);
}

/** The word that closes a block is missing before `next`. */
function unclosedBlock(text: string, opener: Word | undefined, next: Word | undefined, isMended: (repaired: string) => boolean): SyntaxDiagnostic | undefined {
  const closer = CLOSERS.get(opener?.text ?? '');
  const end = next?.span.start ?? text.length;
  if (!opener || closer === undefined || !/^\w/.test(closer) || !isMended(`${text.slice(0, end)} ${closer} ${text.slice(end)}`)) return undefined;
  return { span: opener.span, code: 'unclosed', message: `'${opener.text}' without '${closer}'; add it where the block ends.` };
}

function missingWord(text: string, before: Word, next: Word | undefined, isMended: (repaired: string) => boolean): SyntaxDiagnostic | undefined {
  const { end } = before.span;
  const inserted = INSERTED.find((word) => isMended(`${text.slice(0, end)} ${word} ${text.slice(end)}`));
  if (inserted === undefined) return undefined;
  const isPlace = inserted === NAME || inserted === VALUE;
  if (isPlace && next && BINARY.test(next.text)) return { span: next.span, code: 'missing', message: `Missing an operand before '${next.text}'.` };
  if (isPlace && BINARY.test(before.text)) return { span: before.span, code: 'missing', message: `Missing an operand after '${before.text}'.` };
  return { span: before.span, code: 'missing', message: isPlace ? `A ${inserted === NAME ? 'name' : 'value'} is missing after '${shown(before)}'.` : `Missing '${inserted}' after this.` };
}

/** What stands before a label is not finished. */
function unfinishedBefore(text: string, last: Word | undefined, isMended: (repaired: string) => boolean): SyntaxDiagnostic | undefined {
  if (!last || !isMended(`${text.slice(0, last.span.end)};${text.slice(last.span.end)}`)) return undefined;
  return { span: last.span, code: 'missing', message: "Missing ';' after this." };
}

function surplusWord(text: string, words: readonly (Word | undefined)[], isMended: (repaired: string) => boolean): SyntaxDiagnostic | undefined {
  const surplus = words.find((word) => word && isMended(text.slice(0, word.span.start) + text.slice(word.span.end)));
  return surplus && { span: surplus.span, code: 'unexpected', message: `'${shown(surplus)}' is not expected here.` };
}

/** Each of the words and the one behind it are tried in the other order. */
function swappedWords(text: string, words: readonly Word[], isMended: (repaired: string) => boolean): SyntaxDiagnostic | undefined {
  for (const [index, left] of words.entries()) {
    const right = words[index + 1];
    if (!right) return undefined;
    const [first, second] = [text.slice(left.span.start, left.span.end), text.slice(right.span.start, right.span.end)];
    const swapped = `${text.slice(0, left.span.start)} ${second} ${text.slice(left.span.end, right.span.start)} ${first} ${text.slice(right.span.end)}`;
    if (isMended(swapped)) return { span: right.span, code: 'unexpected', message: `'${shown(right)}' belongs before '${shown(left)}'.` };
  }
  return undefined;
}

function shown(word: Word): string {
  return word.kind === 'string' ? '"…"' : word.text;
}
