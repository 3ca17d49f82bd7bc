import type { Expression, ExpressionForm, Placed } from './ast.ts';
import { parseDataType } from './datatype.ts';
import { TokenCursor, tokenize } from '../syntax/tokens.ts';
import type { Token } from '../syntax/tokens.ts';

/** Binding strengths of IEEE 1800-2017, table 11-2; a higher one binds tighter. */
const BINARY = new Map<string, number>([
  ['->', 1], ['<->', 1],
  ['||', 3], ['&&', 4], ['&&&', 2], ['|', 5], ['^', 6], ['~^', 6], ['^~', 6], ['&', 7],
  ['==', 8], ['!=', 8], ['===', 8], ['!==', 8], ['==?', 8], ['!=?', 8],
  ['<', 9], ['<=', 9], ['>', 9], ['>=', 9], ['inside', 9],
  ['<<', 10], ['>>', 10], ['<<<', 10], ['>>>', 10],
  ['+', 11], ['-', 11], ['*', 12], ['/', 12], ['%', 12], ['**', 13],
]);
const CONDITIONAL_STRENGTH = 2;
const UNARY = new Set(['+', '-', '!', '~', '&', '~&', '|', '~|', '^', '~^', '^~', '++', '--']);

const TYPE_KEYWORDS = new Set([
  'logic', 'reg', 'bit', 'byte', 'shortint', 'int', 'longint', 'integer', 'time', 'real', 'shortreal', 'realtime', 'string', 'enum', 'struct', 'union',
]);

/** Reads one expression of a text; text behind it is ignored. `base` is the place of the text in the parsed text, if it has one. */
export function parseExpression(text: string, base?: number): Expression {
  return readerOf(text, base).expression();
}

export function readerOf(text: string, base?: number): ExpressionReader {
  return new ExpressionReader(tokenize(text, base), base !== undefined);
}

/** Reads expressions; the readers of types and declarations build on it. */
export class ExpressionReader extends TokenCursor {
  readonly #isPlaced: boolean;

  /** `isPlaced`: the places of the tokens are those in the parsed text. */
  constructor(tokens: readonly Token[], isPlaced = false) {
    super(tokens);
    this.#isPlaced = isPlaced;
  }

  expression(minimum = 0): Expression {
    const from = this.at;
    let left = this.#unary();
    for (;;) {
      const operator = this.peek();
      if (operator === undefined || this.current?.kind === 'string') return left;
      if (operator === '?' && minimum <= CONDITIONAL_STRENGTH) {
        this.at++;
        const whenTrue = this.expression();
        this.accept(':');
        left = this.#placed(from, { kind: 'conditional', condition: left, whenTrue, whenFalse: this.expression(CONDITIONAL_STRENGTH) });
        continue;
      }
      const strength = BINARY.get(operator);
      if (strength === undefined || strength < minimum) return left;
      this.at++;
      if (operator === 'inside') left = this.#placed(from, { kind: 'inside', operand: left, ranges: this.#braced() });
      else left = this.#placed(from, { kind: 'binary', operator, left, right: this.expression(strength + 1) });
    }
  }

  /** Expressions between commas up to `closer`, which is taken; empty places are left out. */
  list(closer: string): Expression[] {
    const parts: Expression[] = [];
    while (!this.done && !this.accept(closer)) {
      if (this.accept(',')) continue;
      const before = this.at;
      parts.push(this.expression());
      if (this.accept(':')) parts.push(this.expression());
      if (this.at === before) this.at++;
    }
    return parts;
  }

  #braced(): Expression[] {
    return this.accept('{') ? this.list('}') : [this.expression()];
  }

  /** Notes that an expression reaches from the token `from` to the last one that was taken. */
  #placed<E extends ExpressionForm>(from: number, expression: E & Placed): E & Placed {
    const [first, last] = [this.tokens[from], this.tokens[this.at - 1]];
    return this.#isPlaced && first && last && this.at > from ? Object.assign(expression, { span: { start: first.span.start, end: last.span.end } }) : expression;
  }

  #unary(): Expression {
    const token = this.current;
    const from = this.at;
    if (token?.kind === 'operator' && UNARY.has(token.text)) {
      this.at++;
      return this.#placed(from, { kind: 'unary', operator: token.text, operand: this.#unary() });
    }
    return this.#postfix(this.#placed(from, this.#primary()), from);
  }

  #postfix(start: Expression, from: number): Expression {
    let base = start;
    for (;;) {
      if (this.accept('[')) base = this.#placed(from, this.#select(base));
      else if (this.peek() === '.' && this.tokens[this.at + 1]?.kind === 'identifier') {
        this.at++;
        base = this.#placed(from, { kind: 'member', base, name: this.identifier() ?? '' });
      } else if (this.accept("'(")) base = this.#placed(from, this.#cast(base));
      else if (this.peek() === "'{" && base.kind === 'name') {
        this.at++;
        base = this.#placed(from, { kind: 'pattern', parts: this.list('}') });
      } else return base;
    }
  }

  #select(base: Expression): ExpressionForm {
    const left = this.expression();
    for (const mode of [':', '+:', '-:'] as const) {
      if (!this.accept(mode)) continue;
      const right = this.expression();
      this.accept(']');
      return { kind: 'range', base, mode, left, right };
    }
    this.accept(']');
    return { kind: 'select', base, index: left };
  }

  #cast(base: Expression): ExpressionForm {
    const operand = this.expression();
    this.accept(')');
    if (base.kind === 'name' && base.scope === undefined) {
      if (base.name === 'signed' || base.name === 'unsigned') return { kind: 'sign-cast', signed: base.name === 'signed', operand };
      if (base.name === 'const') return operand;
    }
    if (base.kind === 'type') return { kind: 'type-cast', type: base.type, operand };
    return { kind: 'width-cast', width: base, operand };
  }

  #primary(): Expression {
    const token = this.current;
    if (!token) return { kind: 'other', parts: [] };
    switch (token.kind) {
      case 'number':
        this.at++;
        return parseNumber(token.text);
      case 'string':
        this.at++;
        return { kind: 'string', value: unquote(token.text) };
      case 'system':
        this.at++;
        return { kind: 'call', scope: undefined, name: token.text, arguments: this.accept('(') ? this.#arguments() : [] };
      case 'identifier':
        return this.#named(token.text);
      case 'operator':
        return this.#bracketed(token.text);
    }
  }

  #arguments(): Expression[] {
    const parts: Expression[] = [];
    while (!this.done && !this.accept(')')) {
      if (this.accept(',')) continue;
      const before = this.at;
      if (this.accept('.')) this.identifier();
      parts.push(this.expression());
      if (this.at === before) this.at++;
    }
    return parts;
  }

  #named(word: string): Expression {
    if (TYPE_KEYWORDS.has(word)) return { kind: 'type', type: parseDataType(this) };
    if (word === 'type' && this.peek(1) === '(') {
      this.at += 2;
      const operand = this.expression();
      this.accept(')');
      return { kind: 'other', parts: [operand] };
    }
    this.at++;
    let scope: string | undefined;
    let name = word;
    while (this.peek() === '::' && this.tokens[this.at + 1]?.kind === 'identifier') {
      this.at++;
      scope = name;
      name = this.identifier() ?? '';
    }
    if (this.accept('(')) return { kind: 'call', scope, name, arguments: this.#arguments() };
    return { kind: 'name', scope, name };
  }

  #bracketed(opener: string): Expression {
    if (opener === '(') {
      this.at++;
      const inner = this.expression();
      if (this.accept(':')) {
        // The typical value of a min:typ:max triple is the one that counts.
        const typical = this.expression();
        if (this.accept(':')) this.expression();
        this.accept(')');
        return typical;
      }
      this.accept(')');
      return inner;
    }
    if (opener === '[') {
      this.at++;
      return { kind: 'other', parts: this.list(']') };
    }
    if (opener === "'{") {
      this.at++;
      return { kind: 'pattern', parts: this.list('}') };
    }
    if (opener !== '{') return { kind: 'other', parts: [] };
    this.at++;
    if (this.peek() === '<<' || this.peek() === '>>') {
      this.at++;
      const parts = this.peek() === '{' ? [] : [this.expression()];
      if (this.accept('{')) parts.push(...this.list('}'));
      this.accept('}');
      return { kind: 'other', parts };
    }
    if (this.accept('}')) return { kind: 'concatenation', parts: [] };
    const first = this.expression();
    if (this.accept('{')) {
      const parts = this.list('}');
      this.accept('}');
      return { kind: 'replication', count: first, parts };
    }
    this.accept(',');
    return { kind: 'concatenation', parts: [first, ...this.list('}')] };
  }
}

const RADIX_BITS = new Map([['b', 1], ['o', 3], ['h', 4]]);

/** Reads a literal by IEEE 1800-2017, 5.7; times lose their unit. */
export function parseNumber(text: string): Expression {
  const compact = text.replace(/[\s_]/g, '').toLowerCase();
  const fill = /^'([01xz])$/.exec(compact)?.[1];
  if (fill !== undefined) return { kind: 'fill', bit: fill as '0' | '1' | 'x' | 'z' };
  const based = /^(\d*)'(s?)([bodh])(.+)$/.exec(compact);
  if (!based) {
    if (/^\d+$/.test(compact)) return { kind: 'number', bits: BigInt(compact), unknown: 0n, width: undefined, signed: true };
    return { kind: 'real', value: Number.parseFloat(compact) };
  }
  const [, size = '', sign = '', radix = '', digits = ''] = based;
  const width = size === '' ? undefined : Math.min(Number(size), 1 << 20);
  const { bits, unknown } = readDigits(digits, radix, width);
  return { kind: 'number', bits, unknown, width, signed: sign !== '' };
}

function readDigits(digits: string, radix: string, width: number | undefined): { bits: bigint; unknown: bigint } {
  const mask = width === undefined ? undefined : (1n << BigInt(width)) - 1n;
  const cut = (value: bigint): bigint => (mask === undefined ? value : value & mask);
  const perDigit = RADIX_BITS.get(radix);
  if (perDigit === undefined) {
    if (/^\d+$/.test(digits)) return { bits: cut(BigInt(digits)), unknown: 0n };
    return { bits: 0n, unknown: mask ?? (1n << 32n) - 1n };
  }
  let bits = 0n;
  let unknown = 0n;
  for (const digit of digits) {
    const isUnknown = digit === 'x' || digit === 'z' || digit === '?';
    bits = (bits << BigInt(perDigit)) | (isUnknown ? 0n : BigInt(Number.parseInt(digit, 16) || 0));
    unknown = (unknown << BigInt(perDigit)) | (isUnknown ? (1n << BigInt(perDigit)) - 1n : 0n);
  }
  // A leading x or z digit fills the literal to the left.
  if (/^[xz?]/.test(digits) && mask !== undefined) unknown |= mask & ~((1n << BigInt(digits.length * perDigit)) - 1n);
  return { bits: cut(bits), unknown: cut(unknown) };
}

/** Characters with a backslash before them; any other stands for itself (IEEE 1800-2017, 5.9.1). */
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', v: '\v', f: '\f', a: '\x07' };

function unquote(text: string): string {
  const inner = text.slice(1, text.endsWith('"') && text.length > 1 ? -1 : undefined);
  return inner.replace(/\\(x[\da-fA-F]{1,2}|[0-7]{1,3}|\r?\n|[\s\S])/g, (_, escape: string) => {
    if (/^x./.test(escape)) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8));
    return escape.endsWith('\n') ? '' : (ESCAPES[escape] ?? escape);
  });
}
