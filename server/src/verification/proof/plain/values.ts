/** The values of assignment patterns of packed types. */
import { outerTokens } from '../memories.ts';
import { afterGroup, type Token } from '../tokens.ts';
import { textOf } from './structure.ts';
import { lengthOf, PLAIN, product, widthOf, type Type } from './types.ts';

export function isPattern(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === "'" && tokens[at + 1]?.text === '{';
}

/** An element of a pattern; its value stands from one index up to another. */
export interface Element {
  /** Undefined where the place counts. */
  readonly key: string | undefined;
  readonly from: number;
  readonly to: number;
}

export function elementsOf(tokens: readonly Token[], at: number): Element[] {
  const end = afterGroup(tokens, at + 1) - 1;
  const outer = outerTokens(tokens, at + 2, end);
  const commas = outer.flatMap(({ text, at: index }) => (text === ',' ? [index] : []));
  return [...commas, end].map((to, index): Element => {
    const from = index === 0 ? at + 2 : (commas[index - 1] ?? at) + 1;
    const isKeyed = tokens[from + 1]?.text === ':' && (tokens[from]?.kind === 'name' || tokens[from]?.kind === 'number');
    return isKeyed ? { key: tokens[from]?.text, from: from + 2, to } : { key: undefined, from, to };
  });
}

export class Values {
  readonly #text: string;
  readonly #tokens: readonly Token[];

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  /** The pattern as a value of a packed type. */
  packed(at: number, type: Type): string | undefined {
    const elements = elementsOf(this.#tokens, at);
    const parts = this.#parts(type);
    if (parts === undefined) return this.#repeated(elements, type);
    const keyed = elements.filter(({ key }) => key !== undefined);
    if (keyed.length === 0) {
      if (elements.length !== parts.length) return undefined;
      return concatenated(elements.map((element, index) => this.value(element, parts[index]?.type)));
    }
    if (keyed.length < elements.length) return undefined;
    const keys = new Set(keyed.map(({ key }) => key));
    const known = new Set(['default', ...parts.map(({ name }) => name)]);
    if (keys.size < keyed.length || [...keys].some((key) => !known.has(key ?? ''))) return undefined;
    return concatenated(
      parts.map(({ name, type: own }) => {
        const element = keyed.find(({ key }) => key === name) ?? keyed.find(({ key }) => key === 'default');
        return element && this.value(element, own, element.key === 'default');
      }),
    );
  }

  /** The parts of a structure, or of a packed array of plain size, from the left. */
  #parts(type: Type): { readonly name: string; readonly type: Type }[] | undefined {
    const [first, ...rest] = type.packed;
    if (first === undefined) return type.members === undefined ? undefined : [...type.members];
    const length = lengthOf(first);
    return PLAIN.test(length) ? Array.from({ length: Number(length) }, () => ({ name: '', type: { ...type, packed: rest } })) : undefined;
  }

  /** All elements of a vector or array from `default`. */
  #repeated(elements: readonly Element[], type: Type): string | undefined {
    const [only] = elements;
    const [first, ...rest] = type.packed;
    if (only?.key !== 'default' || elements.length > 1 || first === undefined) return undefined;
    const value = this.value(only, { ...type, packed: rest }, true);
    return value === undefined ? undefined : `{(${lengthOf(first)}){${value}}}`;
  }

  /** An element as the value of its type, in exactly as many bits. */
  value({ from, to }: Element, type: Type | undefined, isDefault = false): string | undefined {
    if (type === undefined) return undefined;
    const tokens = this.#tokens;
    if (isPattern(tokens, from) && afterGroup(tokens, from + 1) === to) return this.packed(from, type);
    if (tokens.slice(from, to).some((_, index) => isPattern(tokens, from + index))) return undefined;
    // A default value goes down to the members of a structure within.
    if (isDefault && type.members !== undefined) {
      const inner = concatenated(type.members.map((member) => this.value({ key: 'default', from, to }, member.type, true)));
      return inner === undefined || type.packed.length === 0 ? inner : `{(${product(type.packed.map(lengthOf))}){${inner}}}`;
    }
    // It goes down to the innermost elements of an array as well, which makes no difference where all bits are the same.
    if (isDefault && type.packed.length > 1 && !/^(?:'[01xzXZ]|0)$/.test(textOf(this.#text, tokens, from, to))) return undefined;
    const [width, value] = [widthOf(type), textOf(this.#text, tokens, from, to)];
    if (/^'[01xzXZ]$/.test(value)) return `{(${width}){1'b${value.slice(1)}}}`;
    return value === '' ? undefined : `(${width})'(1'b1 ? (${value}) : $signed({(${width}){1'b0}}))`;
  }
}

function concatenated(parts: readonly (string | undefined)[]): string | undefined {
  return parts.every((part) => part !== undefined) ? `{${parts.join(', ')}}` : undefined;
}
