import type { Span } from '../base/text.ts';
import { INFIX_WORDS, intendedKeyword } from './keywords.ts';
import { COMMENT_OR_STRING } from './pieces.ts';

/** A word in the place of a type that may be a mistyped keyword, such as `asign y = a;`, which reads as a declaration. */
export interface Suspect {
  readonly word: string;
  readonly keyword: string;
  readonly span: Span;
}

/** A word and what follows it, in the place where an item, a port or a parameter begins, or behind nothing but blanks on its line. */
const PLACE = new RegExp(String.raw`(?<=^|[;(,]|\b(?:begin|end|endcase|generate|endgenerate|input|output|inout)\b)(?:[^\S\n]|/\*[^*]*\*/)*([a-z_]{3,14})(?=(?:\s+|\s*\[[^\]]*\]\s*)(?!(?:${INFIX_WORDS.join('|')})\b)[A-Za-z_\\])`, 'gm');

const verdicts = new Map<string, string | undefined>();

function keywordOf(word: string): string | undefined {
  if (!verdicts.has(word)) {
    if (verdicts.size > 20_000) verdicts.clear();
    verdicts.set(word, intendedKeyword(word));
  }
  return verdicts.get(word);
}

export function suspectTypes(text: string): Suspect[] {
  const found: Suspect[] = [];
  let code: string | undefined;
  for (const match of text.matchAll(PLACE)) {
    const word = match[1] ?? '';
    const keyword = keywordOf(word);
    if (keyword === undefined) continue;
    const end = match.index + match[0].length;
    code ??= withoutComments(text);
    if (code[end - 1] === ' ') continue;
    // An instance has its list of ports or parameters behind it.
    const isPorts = /^\s*[\w$]+\s*\(\s*(?:input|output|inout|ref|const|reg|logic|bit|int|integer|string)\b/.test(text.slice(end, end + 200));
    if (/^\s*(?:#|[\w$]+\s*(?:\[[^\]]*\]\s*)?\()/.test(text.slice(end, end + 200)) && !(isPorts && /^(?:function|task)$/.test(keyword))) continue;
    found.push({ word, keyword, span: { start: end - word.length, end } });
  }
  return found;
}

/** The word names a type or a design unit of this text, or may name one of an imported package. */
export function isDeclaredType(text: string, { word, keyword }: Suspect): boolean {
  const declared = new RegExp(String.raw`\b(?:class|module|interface|primitive|checker|program|nettype\s+\w+|type|covergroup|function\s+\w*)\s+${word}\b|\btypedef\b[^;{}]*(?:\{[^}]*\}[^;{}]*)*\b${word}\s*(?:\[[^;]*\]\s*)?;|\}\s*${word}\s*(?:\[[^;]*\]\s*)?;|::\s*${word}\b`);
  if (declared.test(text)) return true;
  // Plurals and prefixes of keywords are good names for types, which an import may bring.
  return word.length > keyword.length && /\bimport\b|::\s*\*/.test(text);
}

const CODE_LESS = new RegExp(COMMENT_OR_STRING, 'g');

/** The text with comments and strings blanked at equal length. */
function withoutComments(text: string): string {
  return text.replace(CODE_LESS, (piece) => piece.replace(/[^\n]/g, ' '));
}
