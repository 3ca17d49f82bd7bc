/** Ports that are unpacked arrays, which Yosys cannot read, as vectors with an array of the same elements behind each. */
import { withEdits, type Edit } from './edits.ts';
import { groupsAt, outerTokens, type Group } from './memories.ts';
import { afterGroup, isPlainName, tokenize, type Token } from './tokens.ts';

/** A range, by the texts of its bounds. */
interface Bounds {
  readonly left: string;
  readonly right: string;
}

/** What is declared of an array. */
interface Shape {
  /** The range of an element; undefined for one bit. */
  readonly element: Bounds | undefined;
  /** Outermost first. */
  readonly dimensions: readonly Bounds[];
}

interface ArrayPort extends Shape {
  readonly name: string;
  /** Place in the list of ports. */
  readonly place: number;
  readonly direction: string;
  /** The words of its type, `signed` among them. */
  readonly words: readonly string[];
}

/** A module, as indices of tokens: the parenthesis of its ports, the semicolon behind them, and its end. */
interface ModuleRange {
  readonly name: string;
  readonly open: number;
  readonly semicolon: number;
  readonly end: number;
}

interface Header {
  readonly arrays: readonly ArrayPort[];
  readonly edits: readonly Edit[];
}

const TYPES: ReadonlySet<string> = new Set(['wire', 'reg', 'logic', 'var', 'signed', 'unsigned']);
const PLAIN = /^\d+$/;
/** Elements for each of which a line is written; those of a larger array are left to Yosys to count. */
const MOST_ELEMENTS = 4096;

/**
 * The text, macros expanded, in which each port that is an array is a vector of the same name. The element at the left of each range holds the
 * high bits, as where stimulus and traces hold such a port. The text as it is where there is no such port; undefined where one is declared or
 * connected in a way that is not understood.
 */
export function withoutPortArrays(text: string): string | undefined {
  const tokens = tokenize(text);
  const modules = modulesOf(tokens);
  const headers = new Map<string, Header>();
  for (const module of modules) {
    const header = readHeader(text, tokens, module);
    if (header === undefined) return undefined;
    headers.set(module.name, header);
  }
  if ([...headers.values()].every(({ arrays }) => arrays.length === 0)) return text;
  const unused = unusedNames(tokens);
  const edits: Edit[] = [];
  for (const module of modules) {
    const own = new Rewriting({ text, tokens, module, headers, unused }).edits();
    if (own === undefined) return undefined;
    edits.push(...own);
  }
  return withEdits(text, edits);
}

/** Where a word stands next; -1 where it does not. */
function indexFrom(tokens: readonly Token[], from: number, word: string): number {
  for (let at = from; at < tokens.length; at++) if (tokens[at]?.text === word) return at;
  return -1;
}

function unusedNames(tokens: readonly Token[]): (wanted: string) => string {
  const known = new Set(tokens.map(({ text }) => text));
  return (wanted) => {
    let name = wanted;
    for (let number = 0; known.has(name); number++) name = `${wanted}_${String(number)}`;
    known.add(name);
    return name;
  };
}

function modulesOf(tokens: readonly Token[]): ModuleRange[] {
  return tokens.flatMap(({ text }, keyword): ModuleRange[] => {
    if (text !== 'module' && text !== 'macromodule') return [];
    const at = ['automatic', 'static'].includes(tokens[keyword + 1]?.text ?? '') ? keyword + 2 : keyword + 1;
    const open = tokens[at + 1]?.text === '#' ? afterGroup(tokens, at + 2) : at + 1;
    const end = indexFrom(tokens, at, 'endmodule');
    return tokens[open]?.text !== '(' || end < 0 ? [] : [{ name: tokens[at]?.text ?? '', open, semicolon: afterGroup(tokens, open), end }];
  });
}

/** One port of a list that declares it: what it is, and the tokens from the first to that behind the last. */
interface Item {
  readonly direction: string;
  readonly words: readonly string[];
  readonly ranges: readonly Group[];
  readonly name: number;
  readonly dimensions: readonly Group[];
  /** Takes all from the port before. */
  readonly inherits: boolean;
  readonly from: number;
  readonly to: number;
}

/** What stands between commas, as indices from the first token to that behind the last. */
function listItems(tokens: readonly Token[], open: number, close: number): { readonly from: number; readonly to: number }[] {
  if (open + 1 >= close) return [];
  const commas = outerTokens(tokens, open + 1, close).flatMap(({ text, at }) => (text === ',' ? [at] : []));
  return [open, ...commas].map((at, index) => ({ from: at + 1, to: commas[index] ?? close }));
}

/** Empty for a header that only names its ports. */
function portItems(tokens: readonly Token[], { open, semicolon }: ModuleRange): Item[] {
  const items: Item[] = [];
  for (const { from, to } of listItems(tokens, open, semicolon - 1)) {
    const stated = ['input', 'output', 'inout'].includes(tokens[from]?.text ?? '') ? tokens[from]?.text : undefined;
    const outer = outerTokens(tokens, from, to);
    const equals = outer.findIndex(({ text }) => text === '=');
    const declared = equals < 0 ? outer : outer.slice(0, equals);
    const name = declared.findLastIndex(({ text }) => text !== '[' && text !== ']');
    const before = declared.slice(stated === undefined ? 0 : 1, name);
    const group = ({ at }: (typeof outer)[number]): Group => ({ start: at, end: afterGroup(tokens, at) });
    const ranges = before.filter(({ text }) => text === '[').map(group);
    const words = before.flatMap(({ text }) => (text === '[' ? [] : [text]));
    const last = items.at(-1);
    const inherits = stated === undefined && before.length === 0;
    const direction = stated ?? last?.direction;
    if (direction === undefined || name < 0) return [];
    const own = inherits && last !== undefined ? { words: last.words, ranges: last.ranges } : { words, ranges };
    items.push({ direction, ...own, name: declared[name]?.at ?? from, dimensions: declared.slice(name + 1).map(group), inherits, from, to });
  }
  return items;
}

/** Undefined where an array is declared in a way that is not understood. */
function readHeader(text: string, tokens: readonly Token[], module: ModuleRange): Header | undefined {
  const items = portItems(tokens, module);
  if (!items.some(({ dimensions }) => dimensions.length > 0)) return { arrays: [], edits: [] };
  const source = (from: number, to: number): string => text.slice(tokens[from]?.start, tokens[to - 1]?.end);
  const edits: Edit[] = [];
  const arrays: ArrayPort[] = [];
  for (const [place, { direction, words, ranges, name, dimensions, inherits, from, to }] of items.entries()) {
    const span = { start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 };
    if (dimensions.length === 0) {
      if (inherits) edits.push({ ...span, replacement: `${direction} ${words.join(' ')} ${ranges.map(({ start, end }) => source(start, end)).join('')} ${source(name, to)}` });
      continue;
    }
    const named = words.find((word) => !TYPES.has(word));
    const type = named === undefined ? ranges : words.length === 1 && ranges.length === 0 ? typeRanges(tokens, named) : undefined;
    const shape = type && shapeOf(text, tokens, type, dimensions);
    const isFollowed = direction !== 'inout' && isPlain(tokens[name]) && dimensions.at(-1)?.end === to;
    if (shape === undefined || !isFollowed) return undefined;
    const port: ArrayPort = { ...shape, name: tokens[name]?.text ?? '', place, direction, words };
    arrays.push(port);
    edits.push({ ...span, replacement: `${direction} wire ${vectorRange(port)} ${port.name}` });
  }
  return { arrays, edits };
}

/** The range of a type with a name that is declared as a vector, and nowhere otherwise; undefined elsewhere. */
function typeRanges(tokens: readonly Token[], name: string): readonly Group[] | undefined {
  const declarations = tokens.flatMap(({ text }, end) => {
    const start = text === name && tokens[end + 1]?.text === ';' ? tokens.slice(0, end).findLastIndex((token) => token.text === 'typedef' || token.text === ';') : -1;
    return tokens[start]?.text === 'typedef' ? [{ start, end }] : [];
  });
  const texts = new Set(declarations.map(({ start, end }) => tokens.slice(start, end).map(({ text }) => text).join(' ')));
  const [first] = declarations;
  if (first === undefined || texts.size > 1 || !['logic', 'reg'].includes(tokens[first.start + 1]?.text ?? '')) return undefined;
  const before = first.start + (tokens[first.start + 2]?.text === 'signed' ? 2 : 1);
  const ranges = groupsAt(tokens, before);
  return (ranges.at(-1)?.end ?? before + 1) === first.end ? ranges : undefined;
}

function isPlain(token: Token | undefined): boolean {
  return token !== undefined && isPlainName(token) && !token.text.startsWith('\\');
}

/** Undefined where an element has several dimensions, or a dimension is none that is plainly stated. */
function shapeOf(text: string, tokens: readonly Token[], ranges: readonly Group[], dimensions: readonly Group[]): Shape | undefined {
  const bounds = (group: Group, mayBeSize: boolean): Bounds | undefined => {
    const outer = outerTokens(tokens, group.start + 1, group.end - 1);
    const colons = outer.filter(({ text: word }) => word === ':');
    const source = (from: number, to: number): string => text.slice(tokens[from]?.start, tokens[to - 1]?.end);
    const first = tokens[group.start + 1];
    const isNumber = first !== undefined && (first.kind === 'number' || first.text === '(' || first.text === '-' || first.text.startsWith('$') || isPlainName(first));
    if (!isNumber || first.text === '$' || colons.length > 1 || outer.some(({ text: word }) => word === '?')) return undefined;
    const [colon] = colons;
    if (colon !== undefined) return { left: source(group.start + 1, colon.at), right: source(colon.at + 1, group.end - 1) };
    return mayBeSize ? { left: '0', right: less(source(group.start + 1, group.end - 1), '1') } : undefined;
  };
  const elements = ranges.map((group) => bounds(group, false));
  const sizes = dimensions.map((group) => bounds(group, true));
  if (elements.length > 1 || elements.includes(undefined) || sizes.includes(undefined)) return undefined;
  return { element: elements[0], dimensions: sizes.flatMap((size) => size ?? []) };
}

function less(a: string, b: string): string {
  return PLAIN.test(a) && PLAIN.test(b) ? String(Number(a) - Number(b)) : `(${a}) - (${b})`;
}

/** The number of a range, as an expression. */
function sizeOf({ left, right }: Bounds): string {
  if (PLAIN.test(left) && PLAIN.test(right)) return String(Math.abs(Number(left) - Number(right)) + 1);
  return `((${left}) > (${right}) ? (${left}) - (${right}) + 1 : (${right}) - (${left}) + 1)`;
}

function product(factors: readonly string[]): string {
  return factors.every((factor) => PLAIN.test(factor)) ? String(factors.reduce((all, factor) => all * Number(factor), 1)) : factors.map((factor) => `(${factor})`).join(' * ');
}

function elementBits({ element }: Shape): string {
  return element === undefined ? '1' : sizeOf(element);
}

function vectorRange(shape: Shape): string {
  return `[${less(product([elementBits(shape), ...shape.dimensions.map(sizeOf)]), '1')}:0]`;
}

/** Every element of an array beside its bits of a vector, joined to an item by `join`; `unused` names what counts them. */
function elementItems(shape: Shape, array: string, vector: string, unused: (wanted: string) => string, join: (element: string, bits: string) => string): string {
  const { dimensions } = shape;
  const [width, sizes] = [elementBits(shape), dimensions.map(sizeOf)];
  const total = product([width, ...sizes]);
  const place = ({ left, right }: Bounds, at: string): string => {
    if ([left, right, at].every((part) => PLAIN.test(part))) return String(Number(left) + (Number(left) <= Number(right) ? Number(at) : -Number(at)));
    return `(${left}) <= (${right}) ? (${left}) + ${at} : (${left}) - ${at}`;
  };
  const isPlainShape = [width, ...sizes].every((size) => PLAIN.test(size)) && Number(product(sizes)) <= MOST_ELEMENTS;
  const item = (at: readonly string[]): string => {
    const before = at.reduce((sum, index, level) => (PLAIN.test(index) ? String(Number(sum) * Number(sizes[level]) + Number(index)) : `(${sum}) * (${sizes[level] ?? ''}) + ${index}`), '0');
    return join(array + at.map((index, level) => `[${place(dimensions[level] ?? { left: '0', right: '0' }, index)}]`).join(''), `${vector}[${less(less(total, '1'), product([before, width]))} -: ${width}]`);
  };
  if (isPlainShape) {
    const count = (level: number): string[][] => (level === sizes.length ? [[]] : Array.from({ length: Number(sizes[level]) }, (_, at) => String(at)).flatMap((at) => count(level + 1).map((rest) => [at, ...rest])));
    return count(0).map(item).join(' ');
  }
  const counters = sizes.map((_, level) => unused(`${vector}_at_${String(level)}`));
  const loops = counters.map((counter, level) => `for (${counter} = 0; ${counter} < ${sizes[level] ?? ''}; ${counter} = ${counter} + 1) begin : ${unused(`${vector}_each_${String(level)}`)}`);
  return `genvar ${counters.join(', ')}; ${loops.join(' ')} ${item(counters)} ${loops.map(() => 'end').join(' ')}`;
}

interface Context {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly module: ModuleRange;
  readonly headers: ReadonlyMap<string, Header>;
  readonly unused: (wanted: string) => string;
}

/** What becomes of one module. */
class Rewriting {
  readonly #context: Context;
  /** Names of the arrays behind the ports. */
  readonly #arrays = new Map<string, { readonly name: string; readonly shape: Shape }>();
  readonly #edits: Edit[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** Undefined where something in it is not understood. */
  edits(): readonly Edit[] | undefined {
    const { tokens, module, headers, unused } = this.#context;
    const { arrays, edits } = headers.get(module.name) ?? { arrays: [], edits: [] };
    this.#edits.push(...edits);
    const behind: string[] = [];
    for (const port of arrays) {
      const name = unused(`${port.name}_words`);
      this.#arrays.set(port.name, { name, shape: port });
      behind.push(`${typeText(port)} ${name} ${port.dimensions.map(({ left, right }) => `[${left}:${right}]`).join('')};`);
      behind.push(elementItems(port, name, port.name, unused, (element, bits) => `assign ${port.direction === 'input' ? `${element} = ${bits}` : `${bits} = ${element}`};`));
    }
    if (behind.length > 0) this.#insert(module.semicolon + 1, behind.join(' '));
    const connected = new Set<number>();
    for (let at = module.semicolon + 1; at < module.end; at++) {
      const header = isPlain(tokens[at]) && tokens[at - 1]?.text !== '.' ? headers.get(tokens[at]?.text ?? '') : undefined;
      const isInstance = tokens[at + 1]?.text === '#' || isPlain(tokens[at + 1]);
      if (isInstance && header !== undefined && header.arrays.length > 0 && !this.#connect(at, header, connected)) return undefined;
    }
    for (let at = module.semicolon + 1; at < module.end; at++) {
      const [token, before] = [tokens[at], tokens[at - 1]?.text];
      const array = token !== undefined && isPlain(token) ? this.#arrays.get(token.text) : undefined;
      if (token === undefined || array === undefined || connected.has(at)) continue;
      // A connection that leaves out what it connects names both.
      if (before === '.' && tokens[at + 1]?.text !== '(' && ['(', ','].includes(tokens[at - 2]?.text ?? '')) return undefined;
      if (before !== '.') this.#edits.push({ start: token.start, end: token.end, replacement: array.name });
    }
    return this.#edits;
  }

  #insert(behind: number, items: string): void {
    const place = this.#context.tokens[behind - 1]?.end ?? 0;
    this.#edits.push({ start: place, end: place, replacement: ` ${items}` });
  }

  /** Gives the arrays of an instance, whose module is named here, vectors that hold what was connected; false where that is not understood. */
  #connect(at: number, { arrays }: Header, connected: Set<number>): boolean {
    const { tokens, unused } = this.#context;
    const name = tokens[at + 1]?.text === '#' ? afterGroup(tokens, at + 2) : at + 1;
    const [open, close] = [name + 1, afterGroup(tokens, name + 1) - 1];
    const isInstance = isPlain(tokens[name]) && tokens[open]?.text === '(' && tokens[close + 1]?.text === ';' && isBoundary(tokens, at - 1);
    if (!isInstance) return false;
    const items = listItems(tokens, open, close);
    const isNamed = tokens[open + 1]?.text === '.';
    const vectors: string[] = [];
    for (const port of arrays) {
      const item = isNamed ? items.find(({ from }) => tokens[from]?.text === '.' && tokens[from + 1]?.text === port.name) : items[port.place];
      if (item === undefined) {
        if (isNamed && !items.some(({ from }) => tokens[from + 1]?.text === '*')) continue;
        return false;
      }
      const [from, to] = isNamed ? [item.from + 3, item.to - 1] : [item.from, item.to];
      if (isNamed && tokens[item.from + 2]?.text !== '(') return false;
      if (from === to) continue;
      const token = tokens[from];
      const array = to === from + 1 && token !== undefined ? (this.#arrays.get(token.text) ?? this.#declared(token.text)) : undefined;
      if (token === undefined || array === undefined || !isSameShape(array.shape, port)) return false;
      const vector = unused(`${tokens[name]?.text ?? ''}_${port.name}`);
      const items_ = elementItems(array.shape, array.name, vector, unused, (element, bits) => `assign ${port.direction === 'input' ? `${bits} = ${element}` : `${element} = ${bits}`};`);
      vectors.push(`wire ${vectorRange(array.shape)} ${vector}; ${items_}`);
      connected.add(from);
      this.#edits.push({ start: token.start, end: token.end, replacement: vector });
    }
    if (vectors.length > 0) this.#insert(at, vectors.join(' '));
    return true;
  }

  /** An array that the module declares, once and plainly. */
  #declared(name: string): { readonly name: string; readonly shape: Shape } | undefined {
    const { text, tokens, module } = this.#context;
    const found: (Shape | undefined)[] = [];
    for (let at = module.semicolon + 1; at < module.end; at++) {
      if (!['wire', 'reg', 'logic'].includes(tokens[at]?.text ?? '') || tokens[at - 1]?.text === 'var') continue;
      const semicolon = indexFrom(tokens, at, ';');
      let first = at + 1;
      while (tokens[first]?.text === 'signed' || tokens[first]?.text === 'unsigned') first++;
      const ranges = groupsAt(tokens, first - 1);
      for (const { from, to } of listItems(tokens, (ranges.at(-1)?.end ?? first) - 1, semicolon)) {
        const dimensions = groupsAt(tokens, from);
        if (tokens[from]?.text === name) found.push(dimensions.length > 0 && dimensions.at(-1)?.end === to ? shapeOf(text, tokens, ranges, dimensions) : undefined);
      }
    }
    const [shape] = found;
    return found.length === 1 && shape !== undefined ? { name, shape } : undefined;
  }
}

/** The type of the array behind a port. */
function typeText({ words, direction, element }: ArrayPort): string {
  const named = words.find((word) => !TYPES.has(word));
  if (named !== undefined) return named;
  const kind = (direction === 'output' && words.find((word) => word === 'reg' || word === 'logic')) || 'wire';
  return `${kind} ${words.includes('signed') ? 'signed ' : ''}${element === undefined ? '' : `[${element.left}:${element.right}]`}`;
}

/** Whether an item of a module may begin behind this token. */
function isBoundary(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? '';
  if (tokens[at - 1]?.text === ':') return ['begin', 'end'].includes(tokens[at - 2]?.text ?? '');
  return [';', 'begin', 'end', 'generate', 'endgenerate', 'endfunction', 'endtask', 'endcase'].includes(text);
}

/** Whether elements of two arrays meet one by one whatever a tool goes by, as far as texts tell. */
function isSameShape(a: Shape, b: Shape): boolean {
  const isSame = (one: Bounds, other: Bounds | undefined): boolean => {
    if (other === undefined) return false;
    const bounds = [one.left, one.right, other.left, other.right];
    if (bounds.every((bound) => PLAIN.test(bound))) {
      const [left = 0, right = 0, otherLeft = 0, otherRight = 0] = bounds.map(Number);
      return left - right === otherLeft - otherRight;
    }
    return (one.left === '0' && other.left === '0') || (one.right === '0' && other.right === '0');
  };
  return a.dimensions.length === b.dimensions.length && a.dimensions.every((bounds, level) => isSame(bounds, b.dimensions[level]));
}
