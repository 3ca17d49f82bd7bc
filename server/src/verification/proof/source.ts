/**
 * A proof reads a source as synthesis does, a simulator as the standard does. This file removes what makes the two differ where
 * that can be done in the text, and finds what cannot be removed, so that no proof is claimed on it.
 */

interface Token {
  readonly text: string;
  readonly kind: 'name' | 'number' | 'string' | 'directive' | 'symbol';
}

/** Blanks comments and attributes at equal length: tools read orders such as `full_case` or `translate_off` in them. */
export function withoutPragmas(text: string): string {
  const blank = (part: string): string => part.replace(/[^\r\n]/g, ' ');
  const pattern = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\(\*(?!\s*\))[\s\S]*?\*\)|\b(?:unique0?|priority)(?=\s+(?:case[xz]?|if)\b)/g;
  return text.replace(pattern, (part) => (part.startsWith('"') ? part : blank(part)));
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern =
    /(?<string>"(?:[^"\\\n]|\\.)*")|(?<directive>`\w+)|(?<name>\\\S+|[A-Za-z_$][\w$]*)|(?<number>(?:\d[\d_]*\s*)?'[sS]?[bodhBODH]\s*[\w?]+|'[01xzXZ]|\d[\w.]*)|(?<symbol><<<=|>>>=|<<=|>>=|<=|>=|===?|!==?|\+\+|--|[-+*/%&|^]=|[^\s])/g;
  for (const match of text.matchAll(pattern)) {
    const kind = (['string', 'directive', 'name', 'number'] as const).find((name) => match.groups?.[name] !== undefined) ?? 'symbol';
    tokens.push({ text: match[0], kind });
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
function afterGroup(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    const text = tokens[i]?.text ?? '';
    if (text === '(' || text === '[' || text === '{') depth++;
    else if (text === ')' || text === ']' || text === '}') depth--;
    if (depth === 0) return i + 1;
  }
  return tokens.length;
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
function afterStatement(tokens: readonly Token[], start: number): number {
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

interface AlwaysBlock {
  readonly control: readonly Token[];
  readonly body: readonly Token[];
}

function alwaysBlocks(tokens: readonly Token[]): AlwaysBlock[] {
  const blocks: AlwaysBlock[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (!['always', 'always_ff'].includes(tokens[i]?.text ?? '') || tokens[i + 1]?.text !== '@') continue;
    const bodyStart = tokens[i + 2]?.text === '(' ? afterGroup(tokens, i + 2) : i + 3;
    const end = afterStatement(tokens, bodyStart);
    blocks.push({ control: tokens.slice(i + 2, bodyStart), body: tokens.slice(bodyStart, end) });
    i = end - 1;
  }
  return blocks;
}

const assigns = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '<<<=', '>>>=', '++', '--']);

/** Names that the statements assign with `=` and its kin, and those among them that only count loops. */
function blockingTargets(body: readonly Token[]): { targets: Set<string>; loopVariables: Set<string> } {
  const targets = new Set<string>();
  const loopVariables = new Set<string>();
  for (let i = 0; i < body.length; i++) {
    const token = body[i];
    if (token?.text === '{') {
      const after = afterGroup(body, i);
      if (body[after]?.text === '=') for (const t of body.slice(i, after)) if (isPlainName(t)) targets.add(t.text);
    }
    if (token === undefined || !isPlainName(token)) continue;
    let after = i + 1;
    while (body[after]?.text === '[' || body[after]?.text === '.') after = body[after]?.text === '[' ? afterGroup(body, after) : after + 2;
    if (!assigns.has(body[after]?.text ?? '')) continue;
    targets.add(token.text);
    if (body[i - 1]?.text === '(' && body[i - 2]?.text === 'for') loopVariables.add(token.text);
  }
  return { targets, loopVariables };
}

function isPlainName(token: Token): boolean {
  return token.kind === 'name' && !token.text.startsWith('$') && !keywords.has(token.text);
}

/** Names that stand for constants: parameters and the members of enumerations. */
function constantNames(tokens: readonly Token[]): Set<string> {
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

/** First name that a level-sensitive block reads but does not wait for, or undefined. */
function missingFromSensitivity(block: AlwaysBlock, constants: ReadonlySet<string>): string | undefined {
  const { control, body } = block;
  if (control.some((t) => t.text === '*' || t.text === 'posedge' || t.text === 'negedge')) return undefined;
  if (control.some((t) => t.text === '[' || t.kind === 'directive')) return control.find(isPlainName)?.text;
  const listed = new Set(control.filter(isPlainName).map((t) => t.text));
  const { targets } = blockingTargets(body);
  for (const [i, token] of body.entries()) {
    if (token.kind === 'directive') return token.text;
    if (!isPlainName(token) || listed.has(token.text) || targets.has(token.text) || constants.has(token.text)) continue;
    const before = body[i - 1]?.text;
    if (before === ':' && body[i - 2]?.text === 'begin') continue;
    return token.text;
  }
  return undefined;
}

/** First variable whose order of update between blocks the standard leaves open, or undefined. */
function racingVariable(blocks: readonly AlwaysBlock[], tokens: readonly Token[]): string | undefined {
  const clocked = blocks.filter((block) => block.control.some((t) => t.text === 'posedge' || t.text === 'negedge'));
  const modules = tokens.filter((t) => t.text === 'module').length;
  if (clocked.length <= 1 && modules <= 1) return undefined;
  for (const block of clocked) {
    const { targets, loopVariables } = blockingTargets(block.body);
    for (const name of targets) {
      const elsewhere = tokens.filter((t) => t.text === name).length - block.body.filter((t) => t.text === name).length;
      // A declaration is one mention; a variable that counts loops is set before each use.
      if (!loopVariables.has(name) && elsewhere > 1) return name;
    }
  }
  return undefined;
}

export interface SourceDoubt {
  /** Why a proof on this source would not say what a simulation says; one full sentence. */
  readonly reason: string;
}

function isTiming(token: Token): boolean {
  return token.text === '#' || token.text === '@' || token.text === 'wait';
}

/** Some `initial` block lets time pass, so that what it sets is no initial value. */
function initialTakesTime(tokens: readonly Token[]): boolean {
  return tokens.some((token, i) => token.text === 'initial' && tokens.slice(i + 1, afterStatement(tokens, i + 1)).some(isTiming));
}

/** Looks through the text of one side, macros expanded, for what synthesis and simulation read differently. */
export function findDoubt(text: string): SourceDoubt | undefined {
  const tokens = tokenize(withoutPragmas(text));
  const constants = constantNames(tokens);
  const blocks = alwaysBlocks(tokens);
  for (const block of blocks) {
    const name = missingFromSensitivity(block, constants);
    if (name !== undefined) return { reason: `An always block reads '${name}' but may not wake when it changes, which a proof cannot follow.` };
    if (block.body.some((t) => t.text === '@' || t.text === 'wait')) return { reason: 'An always block waits in its middle, which a proof cannot follow.' };
  }
  if (tokens.some((token, i) => token.text === 'always' && tokens[i + 1]?.text !== '@')) {
    return { reason: 'An always block runs without waiting for an event, which a proof cannot follow.' };
  }
  if (initialTakesTime(tokens)) return { reason: 'An initial block lets time pass, which a proof cannot follow.' };
  const racing = racingVariable(blocks, tokens);
  if (racing !== undefined) {
    return { reason: `'${racing}' is assigned with '=' at a clock edge and read elsewhere, so the order of the blocks matters, which a proof cannot follow.` };
  }
  return undefined;
}

/** Some delay is written in the text; a proof takes every delay as zero. */
export function hasDelays(text: string): boolean {
  const tokens = tokenize(withoutPragmas(text));
  return tokens.some((token, i) => {
    if (token.text !== '#') return false;
    const next = tokens[i + 1];
    // The parameters of an instance follow a name, those of a module its own.
    return next?.kind === 'number' || (next?.text === '(' && tokens[i + 2]?.kind === 'number' && tokens[i - 1]?.kind !== 'name') || next?.kind === 'name';
  });
}
