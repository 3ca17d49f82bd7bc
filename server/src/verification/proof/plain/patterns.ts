/**
 * Assignment patterns (IEEE 1800, 10.9) for a reader that does not know them: a structure or packed array is a concatenation, and an array of
 * words is assigned word by word.
 */
import { outerTokens } from '../memories.ts';
import { afterGroup, isPlainName, openingOf, tokenize, type Token } from '../tokens.ts';
import { edited, endOf, freshNames, startOf, subroutinesIn, textOf, type Edit, type Fresh } from './structure.ts';
import { isDescending, PLAIN, Types, type Bounds, type Type } from './types.ts';
import { elementsOf, isPattern, Values, type Element } from './values.ts';

/** The text without the patterns whose type can be told. */
export function withoutPatterns(text: string): string {
  const tokens = tokenize(text);
  if (!tokens.some((_, at) => isPattern(tokens, at))) return text;
  const patterns = new Patterns(text, tokens);
  const edits: Edit[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isPattern(tokens, at)) continue;
    const edit = patterns.edit(at);
    if (edit !== undefined) edits.push(edit);
    at = afterGroup(tokens, at + 1) - 1;
  }
  return edited(text, edits);
}

interface Place {
  readonly type: Type;
  readonly unpacked: readonly Bounds[];
  /** Index of its name. */
  readonly from: number;
  /** Index of the sign of an assignment to it. */
  readonly sign: number | undefined;
  readonly target: string;
}

class Patterns {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #types: Types;
  readonly #values: Values;
  readonly #fresh: Fresh;
  readonly #routines: ReturnType<typeof subroutinesIn>;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
    this.#types = new Types(text, tokens);
    this.#values = new Values(text, tokens);
    this.#fresh = freshNames(tokens);
    this.#routines = subroutinesIn(tokens);
  }

  edit(at: number): Edit | undefined {
    const tokens = this.#tokens;
    const before = tokens[at - 1];
    if (before === undefined) return undefined;
    const end = afterGroup(tokens, at + 1);
    const named = isPlainName(before) ? this.#types.named(before.text) : undefined;
    const place = named === undefined ? this.#target(at) : { type: named, unpacked: [], from: at - 1, sign: undefined, target: '' };
    if (place === undefined) return undefined;
    if (place.unpacked.length === 0) {
      const value = this.#values.packed(at, place.type);
      return value === undefined ? undefined : { start: startOf(tokens, named === undefined ? at : at - 1), end: endOf(tokens, end - 1), replacement: value };
    }
    // A whole array is assigned by statements, so the pattern must be all of the right side.
    if (place.sign !== at - 1 || tokens[end]?.text !== ';' || !this.#isStatement(place.from)) return undefined;
    const sign = tokens[place.sign]?.text ?? '=';
    if (sign === '=' && tokens.slice(at, end).some(({ text: word }) => word === tokens[place.from]?.text)) return undefined;
    const statements = this.#unpacked(at, place.target, sign, place.unpacked, place.type);
    return statements === undefined ? undefined : { start: startOf(tokens, place.from), end: endOf(tokens, end), replacement: `begin ${statements} end` };
  }

  /** What the value of the pattern goes to. */
  #target(at: number): Place | undefined {
    const tokens = this.#tokens;
    let sign = at - 1;
    // In a choice the values have the type of what is chosen for.
    while (sign >= 0 && !['=', '<=', ';', ',', '(', 'begin'].includes(tokens[sign]?.text ?? '')) {
      const word = tokens[sign]?.text ?? '';
      sign = word === ')' || word === ']' || word === '}' ? openingOf(tokens, sign) - 1 : sign - 1;
    }
    const between = outerTokens(tokens, sign + 1, at).map(({ text: word }) => word);
    if (between.length > 0 && !between.includes('?')) return undefined;
    const operator = tokens[sign]?.text;
    if (operator === ',' || operator === '(') return this.#argument(at, sign);
    if (operator !== '=' && operator !== '<=') return undefined;
    const from = targetStart(tokens, sign);
    const name = tokens[from];
    if (name === undefined || !isPlainName(name)) return undefined;
    const declared = this.#types.declared(name.text);
    if (declared === undefined) return undefined;
    // The value of a declaration stands behind the dimensions.
    const isOwn = declared.at === from;
    const place = isOwn ? declared : this.#selected(declared.type, declared.unpacked, from, sign);
    return place && { type: place.type, unpacked: place.unpacked, from, sign, target: textOf(this.#text, tokens, from, sign) };
  }

  /** The type of a name with selects and members behind it. */
  #selected(type: Type, unpacked: readonly Bounds[], from: number, to: number): { readonly type: Type; readonly unpacked: readonly Bounds[] } | undefined {
    const tokens = this.#tokens;
    let here = { type, unpacked };
    for (let at = from + 1; at < to; ) {
      if (tokens[at]?.text === '[') {
        const end = afterGroup(tokens, at);
        if (outerTokens(tokens, at + 1, end - 1).some(({ text: word }) => word === ':')) return undefined;
        if (here.unpacked.length > 0) here = { ...here, unpacked: here.unpacked.slice(1) };
        else if (here.type.packed.length > 0) here = { ...here, type: { ...here.type, packed: here.type.packed.slice(1) } };
        else return undefined;
        at = end;
      } else if (tokens[at]?.text === '.') {
        const member = here.unpacked.length + here.type.packed.length > 0 ? undefined : here.type.members?.find(({ name }) => name === tokens[at + 1]?.text);
        if (member === undefined) return undefined;
        here = { type: member.type, unpacked: [] };
        at += 2;
      } else return undefined;
    }
    return here;
  }

  /** The pattern is an argument of a function of the text, by its place. */
  #argument(at: number, before: number): Place | undefined {
    const tokens = this.#tokens;
    let open = before;
    let place = 0;
    while (open >= 0 && tokens[open]?.text !== '(') {
      const word = tokens[open]?.text ?? '';
      if (word === ';') return undefined;
      if (word === ',') place++;
      open = word === ')' || word === ']' || word === '}' ? openingOf(tokens, open) - 1 : open - 1;
    }
    const name = tokens[open - 1];
    const routine = this.#routines.find((one) => one.name !== undefined && one.name === name?.text);
    const list = routine && tokens.slice(routine.header, routine.body).findIndex(({ text: word }) => word === '(');
    if (routine === undefined || list === undefined || list < 0) return undefined;
    const start = routine.header + list;
    const end = afterGroup(tokens, start);
    const commas = outerTokens(tokens, start + 1, end - 1).flatMap(({ text: word, at: index }) => (word === ',' ? [index] : []));
    const from = place === 0 ? start + 1 : (commas[place - 1] ?? end) + 1;
    const first = tokens[from]?.text === 'input' ? from + 1 : from;
    const read = this.#types.read(first);
    const stop = commas[place] ?? end - 1;
    return read?.end === stop - 1 ? { type: read.type, unpacked: [], from: at, sign: undefined, target: '' } : undefined;
  }

  #isStatement(from: number): boolean {
    const before = this.#tokens[from - 1]?.text ?? '';
    return [';', ')', 'else', 'begin', 'end'].includes(before) || (before === ':' && this.#tokens[from - 2]?.text !== '?');
  }

  /** Assignments to the words of an array. */
  #unpacked(at: number, target: string, sign: string, [bounds, ...inner]: readonly Bounds[], type: Type): string | undefined {
    const tokens = this.#tokens;
    if (bounds === undefined) return undefined;
    const { left, right } = bounds;
    const elements = elementsOf(tokens, at);
    const word = (element: Element, index: string): string | undefined => {
      const place = `${target}[${index}]`;
      if (inner.length === 0) {
        const value = this.#values.value(element, type, element.key === 'default');
        return value === undefined ? undefined : `${place} ${sign} ${value};`;
      }
      if (isPattern(tokens, element.from) && afterGroup(tokens, element.from + 1) === element.to) return this.#unpacked(element.from, place, sign, inner, type);
      return element.key === 'default' ? this.#all(element, place, sign, inner, type) : undefined;
    };
    const [only] = elements;
    if (only?.key === 'default' && elements.length === 1) return this.#all(only, target, sign, [bounds, ...inner], type);
    if (!PLAIN.test(left) || !PLAIN.test(right) || elements.some(({ key }) => key !== undefined)) return undefined;
    const step = Number(left) <= Number(right) ? 1 : -1;
    if (elements.length !== Math.abs(Number(left) - Number(right)) + 1) return undefined;
    const written = elements.map((element, index) => word(element, String(Number(left) + step * index)));
    return written.every((one) => one !== undefined) ? written.join(' ') : undefined;
  }

  /** The same for every word. */
  #all(element: Element, target: string, sign: string, [bounds, ...inner]: readonly Bounds[], type: Type): string | undefined {
    if (bounds === undefined) {
      const value = this.#values.value(element, type, true);
      return value === undefined ? undefined : `${target} ${sign} ${value};`;
    }
    if (isPattern(this.#tokens, element.from)) return inner.length > 0 ? undefined : this.#loop(bounds, target, (place) => this.#all(element, place, sign, [], type));
    return this.#loop(bounds, target, (place) => this.#all(element, place, sign, inner, type));
  }

  #loop({ left, right }: Bounds, target: string, body: (place: string) => string | undefined): string | undefined {
    const index = this.#fresh('word');
    const isFalling = isDescending({ left, right });
    if (isFalling === undefined) return undefined;
    const [low, high] = isFalling ? [right, left] : [left, right];
    const inner = body(`${target}[${index}]`);
    return inner === undefined ? undefined : `for (int ${index} = ${low}; ${index} <= ${high}; ${index} = ${index} + 1) begin ${inner} end`;
  }
}

function targetStart(tokens: readonly Token[], sign: number): number {
  let at = sign - 1;
  for (;;) {
    if (tokens[at]?.text === ']') at = openingOf(tokens, at) - 1;
    else if (tokens[at - 1]?.text === '.') at -= 2;
    else return at;
  }
}
