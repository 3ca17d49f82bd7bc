import { isFreeName } from '../../syntax/reserved-words.ts';
import { firstForeignCloser, isOnlyClosers } from './blocks.ts';
import type { Gap } from './gap.ts';

/** Takes from a completion what does not belong there; an empty text is no completion. */
export type Filter = (completion: string, gap: Gap) => string;

/** Marks with which models separate parts of their prompts. */
const MODEL_TOKEN = /<\|[\w▁ -]{1,40}\|>|<｜[^｜\n]{1,40}｜>|<\/?(?:fim_\w+|file_sep|repo_name|EOT|think|answer|s)>|<(?:PRE|SUF|MID|END)>/;

function leakedTokens(completion: string): string {
  const at = completion.search(MODEL_TOKEN);
  return at < 0 ? completion : completion.slice(0, at);
}

/** Code between fences is taken; three backticks are never Verilog. */
function fences(completion: string): string {
  const [before = '', fenced, ...rest] = completion.split(/[ \t]*```[\w+-]*[ \t]*\r?\n?/);
  if (fenced === undefined) return completion;
  if (before.trim() === '' || (rest.length > 0 && isProse(before))) return fenced;
  return before;
}

/** A sentence for people: several plain words that begin with none of the language. */
function isProse(line: string): boolean {
  const words = line.trim().replace(/[.:!?]+$/, '').split(/\s+/);
  return words.length >= 3 && words.every((word) => /^[A-Za-z][A-Za-z'’-]*,?$/.test(word)) && words.every((word, at) => at > 1 || isFreeName(word.replace(/[,'’-].*/, '')));
}

function prose(completion: string): string {
  const lines = completion.split('\n');
  const at = lines.findIndex((line) => isProse(line.replace(/\r$/, '')));
  return at < 0 ? completion : lines.slice(0, at).join('\n');
}

/** Some models begin the line of the cursor anew. */
function echoOfLine(completion: string, { line }: Gap): string {
  const start = line.trim();
  if (start === '') return line === '' ? completion : completion.replace(/^[ \t]+/, '');
  const again = completion.trimStart();
  const rest = start.length >= 3 && again.startsWith(start) ? again.slice(start.length) : completion;
  return line.endsWith(' ') ? rest.replace(/^ +/, '') : rest;
}

/** The number of lines of the block that the lines end in, repeated; 0 when they do not. Three times for short blocks, twice for long ones. */
function loopLength(lines: readonly string[]): number {
  for (let length = 1; length * 2 <= lines.length; length += 1) {
    const times = length >= 3 ? 2 : 3;
    if (length * times > lines.length) continue;
    const block = lines.slice(-length);
    const repeats = Array.from({ length: times }, (_, turn) => lines.slice(lines.length - length * (turn + 1), lines.length - length * turn));
    if (repeats.every((copy) => copy.every((line, at) => line === block[at])) && block.some((line) => !isOnlyClosers(line))) return length;
  }
  return 0;
}

/** A model that has lost its way repeats itself; the first turn is kept. */
function repeatedLines(completion: string): string {
  const lines = completion.split('\n');
  // The last line may be cut off in the middle.
  for (const dropped of [0, 1]) {
    const whole = lines.slice(0, lines.length - dropped).map((line) => line.trim());
    const length = loopLength(whole);
    if (length === 0) continue;
    let keep = whole.length - length;
    while (keep >= length && whole.slice(keep - length, keep).every((line, at) => line === whole[keep + at])) keep -= length;
    return lines.slice(0, keep + length).join('\n');
  }
  return completion;
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}

/** Writes again what stands above. */
function echoOfLinesBefore(completion: string, { before, line }: Gap): string {
  const above = linesOf(before.slice(0, before.length - line.length)).filter((text) => text !== '');
  const own = linesOf(line + completion).filter((text) => text !== '');
  const last = above.at(-1);
  const [first] = own;
  if (first === undefined || last === undefined) return completion;
  const same = Math.min(own.length, above.length, 3);
  const echoes = own.slice(0, same).every((text, at) => text === above[above.length - same + at]);
  return (echoes || first === last) && !isOnlyClosers(first) ? '' : completion;
}

/** The longest end of one text that the other begins with. */
function overlap(ending: string, beginning: string): number {
  for (let length = Math.min(ending.length, beginning.length); length > 0; length -= 1) {
    if (ending.endsWith(beginning.slice(0, length))) return length;
  }
  return 0;
}

/** Writes again what stands behind the cursor, on its line or on the lines below. */
function duplicateSuffix(completion: string, { rest, after }: Gap): string {
  const behind = rest.trim();
  const trimmed = completion.trimEnd();
  const same = behind === '' ? 0 : overlap(trimmed, behind);
  const own = same > 0 ? trimmed.slice(0, trimmed.length - same) : completion;
  const below = linesOf(after.slice(rest.length)).filter((text) => text !== '');
  const [next] = below;
  if (next === undefined) return own;
  const lines = own.split('\n');
  const cut = lines.findIndex((line, at) => at > 0 && line.trim() === next && (!isOnlyClosers(next) || repeatsToEnd(lines.slice(at), below)));
  return cut < 0 ? own : lines.slice(0, cut).join('\n');
}

function repeatsToEnd(lines: readonly string[], below: readonly string[]): boolean {
  return lines.filter((line) => line.trim() !== '').every((line, at) => line.trim() === below[at]);
}

function duplicateClosers(completion: string, { text, offset }: Gap): string {
  const at = firstForeignCloser(text, offset, completion);
  return at === undefined ? completion : completion.slice(0, at).replace(/[ \t]+$/, '');
}

function ownLineOnly(completion: string, { scope }: Gap): string {
  return scope === 'block' ? completion : (/^[^\r\n]*/.exec(completion)?.[0] ?? '');
}

/** No blanks at the end, no empty lines at the beginning of a line of its own. */
function blanks(completion: string, { line }: Gap): string {
  const text = completion.trimEnd();
  return line.trim() === '' ? text.replace(/^(?:[ \t]*\r?\n)+/, '') : text;
}

/** In the order in which they work. */
export const filters: Readonly<Record<string, Filter>> = {
  leakedTokens, fences, prose, ownLineOnly, echoOfLine, repeatedLines, echoOfLinesBefore, duplicateSuffix, duplicateClosers, blanks,
};

/** A completion after all filters; empty when nothing worth showing is left. */
export function filterCompletion(completion: string, gap: Gap): string {
  return Object.values(filters).reduce((text, filter) => (text === '' ? '' : filter(text, gap)), completion);
}
