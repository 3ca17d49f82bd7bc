import { BLANKS } from './directives.ts';
import { IDENTIFIER, matchAt } from './macros.ts';

/** What stands behind `` `ifdef``: whether it holds, and the offset behind it. */
export interface Condition {
  readonly holds: boolean;
  readonly end: number;
}

/**
 * Reads the name of a macro, or by IEEE 1800-2023, 22.6, an expression of such names in parentheses. Undefined when there
 * is neither.
 */
export function readCondition(text: string, offset: number, isDefined: (name: string) => boolean): Condition | undefined {
  const start = behindBlanks(text, offset);
  // The condition is on the line of its directive, so that an unfinished one takes nothing from the next.
  if (/(?<!\\\r?)\n/.test(text.slice(offset, start))) return undefined;
  const name = matchAt(IDENTIFIER, text, start);
  if (name !== undefined) return { holds: isDefined(name), end: start + name.length };
  return text[start] === '(' ? new ConditionReader(text, start, isDefined).group() : undefined;
}

/** By precedence: `!`, `&&`, `||`, and then `->` and `<->`, which associate to the right. */
class ConditionReader {
  readonly #text: string;
  readonly #isDefined: (name: string) => boolean;
  #at: number;

  constructor(text: string, offset: number, isDefined: (name: string) => boolean) {
    this.#text = text;
    this.#at = offset;
    this.#isDefined = isDefined;
  }

  group(): Condition | undefined {
    if (!this.#accept('(')) return undefined;
    const holds = this.#implication();
    return holds !== undefined && this.#accept(')') ? { holds, end: this.#at } : undefined;
  }

  #accept(sign: string): boolean {
    const at = behindBlanks(this.#text, this.#at);
    if (!this.#text.startsWith(sign, at)) return false;
    this.#at = at + sign.length;
    return true;
  }

  #implication(): boolean | undefined {
    const left = this.#or();
    const isEquivalence = this.#accept('<->');
    if (!isEquivalence && !this.#accept('->')) return left;
    const right = this.#implication();
    if (left === undefined || right === undefined) return undefined;
    return isEquivalence ? left === right : !left || right;
  }

  #or(): boolean | undefined {
    let left = this.#and();
    while (left !== undefined && this.#accept('||')) {
      const right = this.#and();
      left = right === undefined ? undefined : left || right;
    }
    return left;
  }

  #and(): boolean | undefined {
    let left = this.#operand();
    while (left !== undefined && this.#accept('&&')) {
      const right = this.#operand();
      left = right === undefined ? undefined : left && right;
    }
    return left;
  }

  #operand(): boolean | undefined {
    if (this.#accept('!')) {
      const operand = this.#operand();
      return operand === undefined ? undefined : !operand;
    }
    const group = this.group();
    if (group) return group.holds;
    const at = behindBlanks(this.#text, this.#at);
    const name = matchAt(IDENTIFIER, this.#text, at);
    if (name === undefined) return undefined;
    this.#at = at + name.length;
    return this.#isDefined(name);
  }
}

function behindBlanks(text: string, offset: number): number {
  return offset + (matchAt(BLANKS, text, offset)?.length ?? 0);
}
