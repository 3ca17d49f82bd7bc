import { closerByOpener } from '../../syntax/keywords.ts';
import { tokenize, type Token } from '../../syntax/tokens.ts';
import { BRACKETS } from '../../syntax/brackets.ts';

/** Words that stand in a statement as well, such as `property` and `interface`, tell nothing. */
const CLOSER_OF: ReadonlyMap<string, string> = new Map([...closerByOpener('unit', 'subroutine', 'region', 'statements', 'case'), ...BRACKETS].filter(([opener]) => opener !== 'interface' && opener !== 'fork'));
const CLOSERS: ReadonlySet<string> = new Set(CLOSER_OF.values());

interface Balance {
  /** The closer of each block and bracket that is left open, outermost first. */
  readonly open: readonly string[];
  /** How many closers have nothing to close. */
  readonly surplus: number;
}

function balanceOf(tokens: readonly Token[]): Balance {
  const open: string[] = [];
  let surplus = 0;
  for (const { kind, text } of tokens) {
    if (kind === 'string') continue;
    const closer = CLOSER_OF.get(text);
    if (closer !== undefined) open.push(closer);
    else if (open.at(-1) === text) open.pop();
    else if (CLOSERS.has(text)) surplus += 1;
  }
  return { open, surplus };
}

/** What stands before and after an offset in its module, as far as lines tell where modules begin and end. */
function moduleAround(text: string, offset: number): { readonly before: string; readonly after: string } {
  const [before, after] = [text.slice(0, offset), text.slice(offset)];
  const start = [...before.matchAll(/^[ \t]*(?:macro)?module\b/gm)].at(-1)?.index ?? 0;
  const end = /^[ \t]*(?:(?:macro)?module\b|endmodule\b)/m.exec(after);
  if (end === null) return { before: before.slice(start), after };
  return { before: before.slice(start), after: after.slice(0, end[0].endsWith('endmodule') ? end.index + end[0].length : end.index) };
}

/**
 * Offset in `completion` of the first word or bracket that closes what is closed behind the cursor already, or what was never opened.
 * Undefined when there is none.
 */
export function firstForeignCloser(text: string, offset: number, completion: string): number | undefined {
  const around = moduleAround(text, offset);
  const outer = [...balanceOf(tokenize(around.before)).open];
  const { surplus } = balanceOf(tokenize(around.after));
  const own: string[] = [];
  for (const token of tokenize(completion)) {
    if (token.kind === 'string') continue;
    const closer = CLOSER_OF.get(token.text);
    if (closer !== undefined) own.push(closer);
    else if (own.at(-1) === token.text) own.pop();
    else if (CLOSERS.has(token.text)) {
      if (own.length > 0 || outer.length <= surplus || outer.at(-1) !== token.text) return token.span.start;
      outer.pop();
    }
  }
  return undefined;
}

/** Whether a line says nothing of its own: only closing words and signs. */
export function isOnlyClosers(line: string): boolean {
  return tokenize(line).every(({ text }) => CLOSERS.has(text) || text === ';' || text === ',');
}
