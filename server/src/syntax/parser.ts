import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Edit, Language, Parser as WasmParser } from 'web-tree-sitter';
import type { Node, Point, Tree } from 'web-tree-sitter';
import { changeBetween } from '../base/text.ts';
import { maskNames, youngKeywordsAsNames } from './grammar-gaps.ts';

export type { Node } from 'web-tree-sitter';

const RUNTIME = 'web-tree-sitter.wasm';
const GRAMMAR = 'tree-sitter-systemverilog.wasm';
const DEFAULT_DEADLINE_MS = 10_000;
/** Progress is told this many times between the start of the log and the sighting of an error. */
const LOG_AHEAD = 3;

/**
 * A concrete syntax tree and the text it was parsed from. It lives in WASM memory, which no garbage collector frees:
 * bind it with `using`, or call `delete()`. Nodes must not be used after that.
 */
export class SyntaxTree implements Disposable {
  readonly text: string;
  static #live = 0;
  readonly #tree: Tree;
  #alive = true;

  constructor(text: string, tree: Tree) {
    this.text = text;
    this.#tree = tree;
    SyntaxTree.#live++;
  }

  /** Trees that have not been deleted. */
  static get liveCount(): number {
    return SyntaxTree.#live;
  }

  get rootNode(): Node {
    if (!this.#alive) throw new Error('the syntax tree was deleted');
    return this.#tree.rootNode;
  }

  get hasError(): boolean {
    return this.rootNode.hasError;
  }

  /** Another handle on the same tree, with a life of its own; cheap. */
  copy(): SyntaxTree {
    if (!this.#alive) throw new Error('the syntax tree was deleted');
    return new SyntaxTree(this.text, this.#tree.copy());
  }

  /** A copy of the WASM tree, moved to fit `text`; the caller deletes it. */
  editedCopy(text: string): Tree {
    if (!this.#alive) throw new Error('the syntax tree was deleted');
    const copy = this.#tree.copy();
    const edit = editBetween(this.text, text);
    if (edit) copy.edit(edit);
    return copy;
  }

  delete(): void {
    if (!this.#alive) return;
    this.#alive = false;
    SyntaxTree.#live--;
    this.#tree.delete();
  }

  [Symbol.dispose](): void {
    this.delete();
  }
}

export interface ParseOptions {
  /** A tree of an earlier text; parts that did not change are reused. It stays valid. */
  readonly previous?: SyntaxTree | undefined;
  /** Milliseconds of wall-clock time after which parsing is given up. */
  readonly deadlineMs?: number;
}

/** Parses SystemVerilog with tree-sitter; offsets are UTF-16 code units. */
export class Parser implements Disposable {
  readonly #parser: WasmParser;

  private constructor(parser: WasmParser) {
    this.#parser = parser;
  }

  /** Loads the runtime and the grammar from a directory that holds both WASM files; throws when one is missing. */
  static async create(assetsDir: string = defaultAssetsDir()): Promise<Parser> {
    const language = await loadLanguage(assetsDir);
    const parser = new WasmParser();
    parser.setLanguage(language);
    return new Parser(parser);
  }

  /** Undefined when the deadline passed. The tree belongs to the caller. */
  parse(text: string, options: ParseOptions = {}): SyntaxTree | undefined {
    const end = performance.now() + (options.deadlineMs ?? DEFAULT_DEADLINE_MS);
    const previous = options.previous?.editedCopy(text);
    try {
      const tree = this.#parser.parse(text, previous, { progressCallback: () => performance.now() > end });
      if (tree) return new SyntaxTree(text, tree);
      this.#parser.reset();
      return undefined;
    } finally {
      previous?.delete();
    }
  }

  /**
   * The tree of a text as names are looked up in it. A text with errors is parsed from scratch, since what error recovery
   * makes of it depends on the tree before; where that comes from what the grammar does not know, it is read with that masked.
   */
  parseWhole(text: string, options: ParseOptions = {}): SyntaxTree | undefined {
    const first = this.parse(text, options);
    if (!first?.hasError) return first;
    const masked = maskNames(text, youngKeywordsAsNames(text));
    if (masked === undefined && !options.previous) return first;
    first.delete();
    return this.parse(masked ?? text, { ...options, previous: undefined });
  }

  /**
   * Offset of the end of the last token up to which a text is the beginning of a valid one: what follows cannot stand there.
   * Undefined when it is not found, as in a text without errors.
   */
  lastGoodEnd(text: string): number | undefined {
    // The log tells the place and is slow, so that it is switched on a little before the error.
    const offsets: number[] = [];
    const sighted = this.#parser.parse(text, null, {
      progressCallback: ({ currentOffset, hasError }) => {
        offsets.push(currentOffset);
        return hasError;
      },
    });
    sighted?.delete();
    this.#parser.reset();
    for (let ahead = LOG_AHEAD; ; ahead *= 4) {
      const from = offsets.at(-ahead) ?? 0;
      const end = this.#logged(text, from);
      if (end !== undefined || from === 0) return end;
    }
  }

  #logged(text: string, from: number): number | undefined {
    let furthest: Point | undefined;
    const state = { found: false };
    try {
      const whole = from > 0 ? this.#parser.parse(text, null, { progressCallback: ({ currentOffset }) => currentOffset >= from }) : null;
      whole?.delete();
      if (whole) return undefined;
      this.#parser.setLogger((message, isLex) => {
        if (state.found || isLex) return;
        state.found = message.startsWith('resume version');
        const [, row, column] = /^process version.* row:(\d+), col:(\d+)/.exec(message) ?? [];
        if (row === undefined || column === undefined) return;
        const point = { row: Number(row), column: Number(column) };
        if (!furthest || point.row > furthest.row || (point.row === furthest.row && point.column > furthest.column)) furthest = point;
      });
      this.#parser.parse(text, null, { progressCallback: () => state.found })?.delete();
    } finally {
      this.#parser.setLogger(null);
      this.#parser.reset();
    }
    return state.found && furthest ? offsetAt(text, furthest) : undefined;
  }

  delete(): void {
    this.#parser.delete();
  }

  [Symbol.dispose](): void {
    this.delete();
  }
}

/** The directory beside this code that has the WASM files: that of the bundle, or `node_modules` in a checkout. */
export function defaultAssetsDir(): string {
  for (let dir = import.meta.dirname; ; dir = dirname(dir)) {
    if (existsSync(join(dir, GRAMMAR))) return dir;
    const modules = join(dir, 'node_modules');
    if (findAsset(modules, GRAMMAR) !== undefined) return modules;
    if (dirname(dir) === dir) throw new Error(`${GRAMMAR} was not found beside the program; install it again`);
  }
}

function findAsset(directory: string, name: string): string | undefined {
  return [join(directory, name), join(directory, name.replace('.wasm', ''), name)].find((path) => existsSync(path));
}

const languages = new Map<string, Promise<Language>>();

function loadLanguage(assetsDir: string): Promise<Language> {
  let language = languages.get(assetsDir);
  if (!language) {
    language = readLanguage(assetsDir);
    languages.set(assetsDir, language);
  }
  return language;
}

async function readLanguage(assetsDir: string): Promise<Language> {
  const [runtime, grammar] = [RUNTIME, GRAMMAR].map((name) => findAsset(assetsDir, name));
  if (runtime === undefined || grammar === undefined) {
    throw new Error(`${runtime === undefined ? RUNTIME : GRAMMAR} was not found in ${assetsDir}; install the program again`);
  }
  await WasmParser.init({ wasmBinary: await readFile(runtime) });
  return Language.load(await readFile(grammar));
}

/** The single edit that leads from one text to the other. */
function editBetween(before: string, after: string): Edit | undefined {
  if (before === after) return undefined;
  const { start, oldEnd, newEnd } = changeBetween(before, after);
  return new Edit({
    startIndex: start,
    oldEndIndex: oldEnd,
    newEndIndex: newEnd,
    startPosition: pointAt(before, start),
    oldEndPosition: pointAt(before, oldEnd),
    newEndPosition: pointAt(after, newEnd),
  });
}

/** The reverse of `pointAt`; the log counts columns in bytes of UTF-16. */
function offsetAt(text: string, { row, column }: Point): number {
  let start = 0;
  for (let count = 0; count < row; count++) start = text.indexOf('\n', start) + 1;
  return start + column / 2;
}

/** Tree-sitter counts only line feeds as line ends. */
function pointAt(text: string, offset: number): Point {
  let row = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    row++;
    lineStart = at + 1;
  }
  return { row, column: offset - lineStart };
}
