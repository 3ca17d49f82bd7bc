/** The place of the cursor as a completion sees it. */
export interface Gap {
  /** The whole text. */
  readonly text: string;
  readonly offset: number;
  /** What the model is shown: the last lines before the cursor and the first ones after it. */
  readonly before: string;
  readonly after: string;
  /** The line of the cursor, before and after it. */
  readonly line: string;
  readonly rest: string;
  /** `line`: something stands behind the cursor on its line, so that only this line may be completed. */
  readonly scope: 'line' | 'block';
}

const SHOWN_BEFORE = 6_000;
const SHOWN_AFTER = 2_000;

/** Larger texts are netlists or memories as a rule. */
const LARGEST_TEXT = 2_000_000;

/** What may stand behind the cursor on its line: what an editor or a person put there to be filled. */
const ONLY_CLOSERS = /^[\s)\]};,]*$/;

/** The gap at an offset, or undefined where a completion would disturb: inside a comment, a string or a word, or before other code. */
export function gapAt(text: string, offset: number): Gap | undefined {
  if (text.length > LARGEST_TEXT || text.trim() === '') return undefined;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = /\r?\n/.exec(text.slice(offset));
  const line = text.slice(lineStart, offset);
  const rest = lineEnd === null ? text.slice(offset) : text.slice(offset, offset + lineEnd.index);
  if (!ONLY_CLOSERS.test(rest) || isInsideCommentOrString(text, offset)) return undefined;
  return { text, offset, before: lastLines(text, offset), after: firstLines(text, offset), line, rest, scope: rest.trim() === '' ? 'block' : 'line' };
}

function isInsideCommentOrString(text: string, offset: number): boolean {
  for (const match of text.slice(0, offset).matchAll(/"(?:[^"\\\n]|\\[\s\S])*("|$)?|\/\/[^\n]*|\/\*[\s\S]*?(\*\/|$)/g)) {
    const reachesCursor = match.index + match[0].length === offset;
    const closed = match[0].startsWith('//') ? false : (match[1] ?? match[2] ?? '') !== '';
    if (reachesCursor && !closed) return true;
  }
  return false;
}

function lastLines(text: string, offset: number): string {
  if (offset <= SHOWN_BEFORE) return text.slice(0, offset);
  const cut = text.indexOf('\n', offset - SHOWN_BEFORE);
  return text.slice(cut >= 0 && cut < offset ? cut + 1 : offset - SHOWN_BEFORE, offset);
}

function firstLines(text: string, offset: number): string {
  if (text.length - offset <= SHOWN_AFTER) return text.slice(offset);
  const cut = text.lastIndexOf('\n', offset + SHOWN_AFTER);
  return text.slice(offset, cut > offset ? cut : offset + SHOWN_AFTER);
}
