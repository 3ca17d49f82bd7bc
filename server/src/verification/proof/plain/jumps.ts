/**
 * Statements that leave a subroutine or a loop (IEEE 1800, 12.8), for a reader that does not know them: each sets a flag, and what it
 * would have left out is done only where no flag is set.
 */
import { outerTokens } from '../memories.ts';
import { afterGroup, afterStatement, tokenize, type Token } from '../tokens.ts';
import { afterDeclarations, freshNames, processesIn, startOf, subroutinesIn, textOf, type Fresh, type Subroutine } from './structure.ts';

const JUMPS: ReadonlySet<string> = new Set(['return', 'break', 'continue']);

/** A statement whose jumps are not followed. */
class NotFollowed extends Error {}

/** The text without `return`, `break` and `continue`; those of a subroutine or process that is not understood stay. */
export function withoutJumps(text: string): string {
  const tokens = tokenize(text);
  if (!tokens.some(isJump)) return text;
  const fresh = freshNames(tokens);
  const pieces = [
    ...subroutinesIn(tokens).map((one) => ({ from: one.header, to: one.end, write: (): string => subroutine(text, tokens, one, fresh) })),
    ...processesIn(tokens).map((one) => ({ from: one.body, to: one.end, write: (): string => process(text, tokens, one.body, fresh) })),
  ];
  let result = '';
  let copied = 0;
  for (const { from, to, write } of pieces.sort((a, b) => a.from - b.from)) {
    const start = startOf(tokens, from);
    if (start < copied || !tokens.slice(from, to).some(isJump)) continue;
    const written = attempt(write);
    if (written === undefined) continue;
    result += text.slice(copied, start) + written;
    copied = tokens[to - 1]?.end ?? copied;
  }
  return result + text.slice(copied);
}

function isJump({ text, kind }: Token): boolean {
  return kind === 'name' && JUMPS.has(text);
}

function attempt(write: () => string): string | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof NotFollowed) return undefined;
    throw error;
  }
}

/** The head of a subroutine, its declarations, the flags, and its statements. */
function subroutine(text: string, tokens: readonly Token[], { name, header, body, end }: Subroutine, fresh: Fresh): string {
  const writer = new Writer(text, tokens, fresh);
  const statements = afterDeclarations(tokens, body, end);
  const { text: written } = writer.sequence(statements, end, { returned: writer.flag('returned'), ...(name === undefined ? {} : { result: name }) });
  return `${textOf(text, tokens, header, statements)} ${writer.declared()} ${writer.cleared()} ${written}`;
}

function process(text: string, tokens: readonly Token[], body: number, fresh: Fresh): string {
  const writer = new Writer(text, tokens, fresh);
  const { text: written } = writer.statement(body, {});
  return `begin : ${fresh('jumps')} ${writer.declared()} ${writer.cleared()} ${written} end`;
}

/** The flags that a jump sets here. */
interface Scope {
  readonly returned?: string;
  /** The function, whose name holds its result. */
  readonly result?: string;
  readonly broken?: string;
  readonly continued?: string;
}

interface Written {
  readonly text: string;
  /** Behind the last token. */
  readonly end: number;
  /** Flags that may be set behind it. */
  readonly flags: readonly string[];
}

class Writer {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #fresh: Fresh;
  readonly #flags: string[] = [];

  constructor(text: string, tokens: readonly Token[], fresh: Fresh) {
    this.#text = text;
    this.#tokens = tokens;
    this.#fresh = fresh;
  }

  flag(wanted: string): string {
    const name = this.#fresh(wanted);
    this.#flags.push(name);
    return name;
  }

  declared(): string {
    return `reg ${this.#flags.join(', ')};`;
  }

  cleared(): string {
    return this.#flags.map((flag) => `${flag} = 1'b0;`).join(' ');
  }

  /** The statements from one index up to another. */
  sequence(from: number, to: number, scope: Scope): Written {
    if (from >= to) return { text: '', end: to, flags: [] };
    const first = this.statement(from, scope);
    const rest = this.sequence(first.end, to, scope);
    const guarded = first.flags.length === 0 || rest.text === '' ? rest.text : `if (!(${first.flags.join(' | ')})) begin ${rest.text} end`;
    return { text: `${first.text} ${guarded}`, end: to, flags: union(first.flags, rest.flags) };
  }

  statement(at: number, scope: Scope): Written {
    const tokens = this.#tokens;
    const end = afterStatement(tokens, at);
    if (!tokens.slice(at, end).some(isJump)) return { text: this.#copied(at, end), end: this.#afterLabel(end), flags: [] };
    switch (tokens[at]?.text) {
      case 'begin': {
        const inside = tokens[at + 1]?.text === ':' ? at + 3 : at + 1;
        const statements = afterDeclarations(tokens, inside, end - 1);
        const { text, flags } = this.sequence(statements, end - 1, scope);
        return { text: `${this.#copied(at, statements)} ${text} end`, end: this.#afterLabel(end), flags };
      }
      case 'if':
        return this.#choice(at, scope);
      case 'case':
      case 'casez':
      case 'casex':
        return this.#cases(at, end, scope);
      case 'for':
        return this.#loop(at, scope);
      case 'return':
        return this.#return(at, end, scope);
      case 'break':
        return this.#set(scope.broken, end);
      case 'continue':
        return this.#set(scope.continued, end);
      default:
        throw new NotFollowed();
    }
  }

  #choice(at: number, scope: Scope): Written {
    const condition = afterGroup(this.#tokens, at + 1);
    const then = this.statement(condition, scope);
    const head = `${this.#copied(at, condition)} begin ${then.text} end`;
    if (this.#tokens[then.end]?.text !== 'else') return { text: head, end: then.end, flags: then.flags };
    const other = this.statement(then.end + 1, scope);
    return { text: `${head} else begin ${other.text} end`, end: other.end, flags: union(then.flags, other.flags) };
  }

  #cases(at: number, end: number, scope: Scope): Written {
    const tokens = this.#tokens;
    const items = afterGroup(tokens, at + 1);
    // Patterns and ranges are other kinds of cases.
    if (tokens[items]?.text === 'inside' || tokens[items]?.text === 'matches') throw new NotFollowed();
    let text = this.#copied(at, items);
    let flags: readonly string[] = [];
    for (let item = items; item < end - 1; ) {
      const colon = outerTokens(tokens, item, end - 1).find(({ text: word }) => word === ':' || word === '?' || word === ';');
      if (colon?.text !== ':' && tokens[item]?.text !== 'default') throw new NotFollowed();
      const body = tokens[item]?.text === 'default' && tokens[item + 1]?.text !== ':' ? item + 1 : (colon?.at ?? item) + 1;
      const written = this.statement(body, scope);
      text += ` ${this.#copied(item, body)} begin ${written.text} end`;
      flags = union(flags, written.flags);
      item = written.end;
    }
    return { text: `${text} endcase`, end, flags };
  }

  #loop(at: number, scope: Scope): Written {
    if (!this.#countsAlone(at)) throw new NotFollowed();
    const body = afterGroup(this.#tokens, at + 1);
    const [broken, continued] = [this.flag('broken'), this.flag('continued')];
    const inner = this.statement(body, { ...scope, broken, continued });
    const flags = inner.flags.filter((flag) => flag !== broken && flag !== continued);
    const stops = [broken, ...flags].join(' | ');
    return { text: `begin ${broken} = 1'b0; ${this.#copied(at, body)} if (!(${stops})) begin ${continued} = 1'b0; ${inner.text} end end`, end: inner.end, flags };
  }

  /** Whether the variable of a loop is read nowhere else: a loop that is left keeps its value there. */
  #countsAlone(at: number): boolean {
    const tokens = this.#tokens;
    const [name, sign] = [tokens[at + 2]?.text ?? '', tokens[at + 3]?.text];
    if (tokens[at]?.text !== 'for') return false;
    if (sign !== '=') return true;
    const loops = tokens.flatMap(({ text }, index) => (text === 'for' && tokens[index + 2]?.text === name && tokens[index + 3]?.text === '=' ? [{ from: index, to: afterStatement(tokens, index) }] : []));
    return tokens.every(({ text }, index) => text !== name || ['int', 'integer', 'genvar'].includes(tokens[index - 1]?.text ?? '') || loops.some(({ from, to }) => index > from && index < to));
  }

  #return(at: number, end: number, { returned, result }: Scope): Written {
    if (returned === undefined) throw new NotFollowed();
    const value = this.#copied(at + 1, end - 1);
    if (value !== '' && result === undefined) throw new NotFollowed();
    return { text: `begin ${value === '' ? '' : `${result ?? ''} = ${value};`} ${returned} = 1'b1; end`, end, flags: [returned] };
  }

  #set(flag: string | undefined, end: number): Written {
    if (flag === undefined) throw new NotFollowed();
    return { text: `${flag} = 1'b1;`, end, flags: [flag] };
  }

  #copied(from: number, to: number): string {
    return textOf(this.#text, this.#tokens, from, to);
  }

  /** A block may repeat its label. */
  #afterLabel(end: number): number {
    return this.#tokens[end - 1]?.text === 'end' && this.#tokens[end]?.text === ':' ? end + 2 : end;
  }
}

function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])];
}
