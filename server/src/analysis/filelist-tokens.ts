/** A word of a file list. */
export interface Token {
  readonly text: string;
  /** Zero-based place of the first character. */
  readonly line: number;
  readonly character: number;
  /** As `line`, lines that continue another one not counted. */
  readonly row: number;
}

/** Puts values in the place of `$NAME`, `${NAME}` and `$(NAME)`. */
export function replaceVariables(text: string, valueOf: (name: string, written: string) => string): string {
  return text.replace(/\$(?:\{(\w+)\}|\((\w+)\)|(\w+))/g, (written, braced?: string, round?: string, bare?: string) =>
    valueOf(braced ?? round ?? bare ?? '', written));
}

/**
 * Splits a file list at white space. A token may be quoted (single quotes: only as a whole,
 * since they also stand in sized literals), and `\` before a space keeps the space. `//` and
 * `#` start a comment at the start of a token, `/*` anywhere between tokens; a lone `\` at the end of a line continues it.
 */
export function tokenize(text: string): Token[] {
  const pattern = /\/\/[^\r\n]*|#[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|\\(?=\r?\n|$)|('[^'\r\n]*'(?=\s|$)|(?:"[^"\r\n]*"?|\\[ \t]|[^\s"])+)|\r\n|\r|\n/g;
  const tokens: Token[] = [];
  let [line, row] = [0, 0];
  let lineStart = 0;
  for (const match of text.replace(/^\uFEFF/, '').matchAll(pattern)) {
    const [whole, word] = match;
    if (whole === '\\') row--;
    if (word !== undefined) tokens.push({ text: unquote(word), line, row, character: match.index - lineStart });
    for (const newline of whole.matchAll(/\r\n|\r|\n/g)) {
      line++;
      row++;
      lineStart = match.index + newline.index + newline[0].length;
    }
  }
  return tokens;
}

/** Removes quotes round paths; those of a define's value belong to the macro's text. */
function unquote(word: string): string {
  if (/^(?:\+define\+|-D)/.test(word)) return word;
  const single = /^'([^']*)'$/.exec(word);
  return single?.[1] ?? word.replace(/"([^"]*)"?|\\([ \t])/g, (_, quoted?: string, space?: string) => quoted ?? space ?? '');
}
