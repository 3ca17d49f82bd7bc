/** Where statements may read a variable that they have not set before. */
import { outerTokens } from './memories.ts';
import { armsOf, declaredNames } from './processes.ts';
import { afterGroup, afterStatement, type Token } from './tokens.ts';

export interface Flow {
  /** Places of such reads. */
  readonly reads: readonly number[];
  /** It is set as a whole once the statements have run. */
  readonly isSet: boolean;
}

/** Follows the statements from one place to another; what part of a variable is set counts for none. */
export function flowOf(tokens: readonly Token[], from: number, to: number, name: string): Flow {
  const follower = new Follower(tokens, name);
  const isSet = follower.sequence(from, to, false);
  return { reads: follower.reads, isSet };
}

/** Functions that look at a type only. */
const QUERIES: ReadonlySet<string> = new Set(['$bits', '$size', '$left', '$right', '$low', '$high', '$increment', '$dimensions', '$unpacked_dimensions']);

class Follower {
  readonly reads: number[] = [];
  readonly #tokens: readonly Token[];
  readonly #name: string;

  constructor(tokens: readonly Token[], name: string) {
    this.#tokens = tokens;
    this.#name = name;
  }

  /** These answer whether the variable is set afterwards. */
  sequence(from: number, to: number, isSet: boolean): boolean {
    let result = isSet;
    for (let at = from; at < to; ) {
      const end = Math.max(at + 1, afterStatement(this.#tokens, at));
      result = this.#statement(at, Math.min(end, to), result);
      at = end;
    }
    return result;
  }

  #statement(at: number, end: number, isSet: boolean): boolean {
    const word = this.#word(at);
    if (isSet || !this.#mentions(at, end)) return isSet;
    const group = this.#word(at + 1) === '(' ? afterGroup(this.#tokens, at + 1) : at + 1;
    switch (word) {
      case 'begin':
      case 'fork':
        return this.sequence(this.#word(at + 1) === ':' ? at + 3 : at + 1, end - 1, false);
      case 'if':
      case 'case':
      case 'casez':
      case 'casex':
        return this.#choice(at, group, end);
      case 'for':
        return this.#loop(at, group, end);
      case 'while':
      case 'repeat':
      case 'wait':
        this.#read(at, group);
        this.sequence(group, end, false);
        return false;
      case 'forever':
        return this.sequence(at + 1, end, false);
      case '@':
      case '#': {
        const behind = this.#word(at + 1) === '(' ? group : at + 2;
        this.#read(at, behind);
        return this.sequence(behind, end, false);
      }
      default:
        return this.#simple(at, end);
    }
  }

  #choice(at: number, group: number, end: number): boolean {
    this.#read(at, group);
    const arms = armsOf(this.#tokens, at);
    let behind = group;
    for (const { from, to } of arms) {
      // Labels stand between the statements.
      this.#read(behind, from);
      behind = to;
    }
    const results = arms.map(({ from, to }) => this.sequence(from, to, false));
    const isComplete = this.#word(at) === 'if' ? arms.length > 1 : outerTokens(this.#tokens, group, end).some(({ text }) => text === 'default');
    return isComplete && results.every((result) => result);
  }

  #loop(at: number, group: number, end: number): boolean {
    const first = outerTokens(this.#tokens, at + 2, group - 1).find(({ text }) => text === ';')?.at ?? at + 2;
    const second = outerTokens(this.#tokens, first + 1, group - 1).find(({ text }) => text === ';')?.at ?? first;
    // It may declare what it counts with, and begin with several.
    const isOwn = outerTokens(this.#tokens, at + 2, first).some(({ text, at: place }) => text === this.#name && this.#word(place + 1) === '=');
    if (isOwn && this.#word(at + 2) !== this.#name) return true;
    if (this.#simple(at + 2, first + 1)) return true;
    this.#read(first, second);
    if (!this.sequence(group, end, false)) this.#read(second, group);
    // It may run not even once.
    return false;
  }

  #simple(at: number, end: number): boolean {
    const target = this.#word(at) === '{' ? afterGroup(this.#tokens, at) : at + 1;
    if (this.#word(at) === '{') {
      const parts = this.#tokens.slice(at, target).flatMap(({ text }, part) => (text === this.#name ? [at + part] : []));
      const isWhole = parts.some((part) => [',', '}'].includes(this.#word(part + 1)) && ['{', ','].includes(this.#word(part - 1)));
      this.#read(target, end);
      return isWhole && this.#word(target) === '=';
    }
    if (declaredNames(this.#tokens, { from: at, to: end }).has(this.#name)) return this.#word(at) === 'automatic' && this.#tokens.slice(at, end).some(({ text }) => text === '=');
    const isTarget = this.#word(at) === this.#name && !['++', '--'].includes(this.#word(target)) && !/^[^=<>!]+=$/.test(this.#word(target));
    this.#read(isTarget ? target : at, end);
    return isTarget && this.#word(target) === '=';
  }

  #read(from: number, to: number): void {
    for (let at = from; at < to; at++) if (this.#word(at) === this.#name && this.#word(at - 1) !== '.' && !QUERIES.has(this.#word(at - 2))) this.reads.push(at);
  }

  #mentions(from: number, to: number): boolean {
    return this.#tokens.slice(from, to).some(({ text }) => text === this.#name);
  }

  #word(at: number): string {
    return this.#tokens[at]?.text ?? '';
  }
}
