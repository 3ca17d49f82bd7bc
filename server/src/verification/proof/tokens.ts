/** A source text as words, as far as proofs look into it. */

export interface Token {
  /** An escaped identifier without its backslash, where it is not to be taken for something else then (IEEE 1800, 5.6.1). */
  readonly text: string;
  readonly kind: 'name' | 'number' | 'string' | 'directive' | 'symbol';
  /** Offsets. */
  readonly start: number;
  readonly end: number;
}

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern =
    /(?<string>"(?:[^"\\\n]|\\.)*")|(?<directive>`\w+)|(?<name>\\\S+|[A-Za-z_$][\w$]*)|(?<number>(?:\d[\d_]*\s*)?'[sS]?[bodhBODH]\s*[\w?]+|'[01xzXZ]|\d[\w.]*)|(?<symbol><<<=|>>>=|<<=|>>=|<=|>=|===?|!==?|\+\+|--|[-+*/%&|^]=|[^\s])/g;
  for (const match of text.matchAll(pattern)) {
    const kind = (['string', 'directive', 'name', 'number'] as const).find((name) => match.groups?.[name] !== undefined) ?? 'symbol';
    const plain = kind === 'name' && /^\\[A-Za-z_][\w$]*$/.test(match[0]) ? match[0].slice(1) : undefined;
    tokens.push({ text: plain === undefined || keywords.has(plain) ? match[0] : plain, kind, start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

const keywords = new Set(
  `always always_comb always_ff always_latch and assign automatic begin bit break byte case casex casez continue default disable do else
   end endcase endfunction endmodule endtask enum for force forever fork function genvar if iff initial inside int integer join
   localparam logic longint module negedge not null or parameter posedge real reg repeat return shortint signed static struct task
   time typedef unsigned void wait while wire`.split(/\s+/),
);

const openers: Readonly<Record<string, string>> = { begin: 'end', case: 'endcase', casex: 'endcase', casez: 'endcase', fork: 'join' };

/** Index after the group that opens at `start`, which holds `(`, `[` or `{`. */
export function afterGroup(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    const text = tokens[i]?.text ?? '';
    if (text === '(' || text === '[' || text === '{') depth++;
    else if (text === ')' || text === ']' || text === '}') depth--;
    if (depth === 0) return i + 1;
  }
  return tokens.length;
}

/** Index of the bracket that the one at `closing` closes, or -1. */
export function openingOf(tokens: readonly Token[], closing: number): number {
  let depth = 0;
  for (let at = closing; at >= 0; at--) {
    const text = tokens[at]?.text ?? '';
    if ([')', ']', '}'].includes(text)) depth++;
    if (['(', '[', '{'].includes(text)) depth--;
    if (depth === 0) return at;
  }
  return -1;
}

function afterBlock(tokens: readonly Token[], start: number): number {
  const stack: string[] = [];
  for (let i = start; i < tokens.length; i++) {
    const text = tokens[i]?.text ?? '';
    const closer = Object.hasOwn(openers, text) ? openers[text] : undefined;
    if (closer !== undefined) stack.push(closer);
    else if (text === stack.at(-1) || (text.startsWith('join') && stack.at(-1) === 'join')) stack.pop();
    if (stack.length === 0) return i + 1;
  }
  return tokens.length;
}

/** Index after the statement that starts at `start` (IEEE 1800, A.6.4). */
export function afterStatement(tokens: readonly Token[], start: number): number {
  const text = tokens[start]?.text;
  if (text === undefined) return tokens.length;
  if (Object.hasOwn(openers, text)) return afterBlock(tokens, start);
  if (text === 'if') {
    const then = afterStatement(tokens, afterGroup(tokens, start + 1));
    return tokens[then]?.text === 'else' ? afterStatement(tokens, then + 1) : then;
  }
  if (text === 'for' || text === 'while' || text === 'repeat' || text === 'wait') return afterStatement(tokens, afterGroup(tokens, start + 1));
  if (text === 'forever') return afterStatement(tokens, start + 1);
  if (text === '@' || text === '#') {
    return afterStatement(tokens, tokens[start + 1]?.text === '(' ? afterGroup(tokens, start + 1) : start + 2);
  }
  for (let i = start; i < tokens.length; i++) {
    const here = tokens[i]?.text ?? '';
    if (here === '(' || here === '[' || here === '{') i = afterGroup(tokens, i) - 1;
    else if (here === ';') return i + 1;
  }
  return tokens.length;
}

export function isPlainName(token: Token): boolean {
  return token.kind === 'name' && !token.text.startsWith('$') && !keywords.has(token.text);
}

/** Names that stand for constants: parameters and the members of enumerations. */
export function constantNames(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  for (let i = 0; i < tokens.length; i++) {
    const text = tokens[i]?.text;
    if (text === 'parameter' || text === 'localparam') {
      for (let j = i + 1; j < tokens.length && tokens[j]?.text !== ';' && tokens[j]?.text !== ')'; j++) {
        if (tokens[j]?.text === '(') j = afterGroup(tokens, j) - 1;
        else if (tokens[j + 1]?.text === '=') names.add(tokens[j]?.text ?? '');
      }
    }
    if (text === 'enum') {
      const open = tokens.findIndex((t, j) => j > i && t.text === '{');
      if (open < 0) continue;
      for (const token of tokens.slice(open, afterGroup(tokens, open))) if (isPlainName(token)) names.add(token.text);
    }
  }
  return names;
}
