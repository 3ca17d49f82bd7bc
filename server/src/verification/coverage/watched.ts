import path from 'node:path';
import type { DesignSource, LoadedDesign } from '../../analysis/design.ts';
import type { SourceLocation } from '../../analysis/module.ts';
import { diskFiles, memoryFiles } from '../../base/files.ts';
import { makeFolder } from '../../base/scratch-files.ts';
import { LineIndex, onOneLine } from '../../base/text.ts';
import type { Parser, SyntaxTree } from '../../syntax/parser.ts';
import type { Preprocessed } from '../../syntax/preprocessed.ts';
import { preprocessFile } from '../../syntax/source.ts';
import type { CodeText } from './code-draft.ts';
import { withInsertions, type CodeMap, type Mark } from './code-map.ts';
import { readCode } from './code-reader.ts';
import type { Budget, SideTask, SimulationEngine, Wanted, Watching, WatchedProgram } from '../engine.ts';
import { COMPARED_BITS, markWords, type Watch } from '../harness/watch.ts';
import type { Layout } from '../stimulus/layout.ts';
import type { Rows } from '../stimulus/rows.ts';
import { readActivity, readToggles, type Toggled } from './toggles.ts';
import { contradict, parseTrace, sameTrace, type Trace } from '../trace.ts';
import type { CodePlace } from '../verdict.ts';

/** Sources above this length in all are not read for their branches. */
const MOST_TEXT = 500_000;

/** A source of a design with its macros expanded, as the design was loaded. */
export function preprocessedSource({ input, includes, sources }: LoadedDesign, { file, text }: DesignSource): Promise<Preprocessed> {
  const files = memoryFiles(new Map([...includes, ...sources].map((source) => [source.file, source.text])), diskFiles);
  return preprocessFile(file, text, { defines: input.defines, includeDirs: input.includeDirs }, files);
}

/** Reads what the code of a design does; undefined for a design that is too large or takes too long to parse. */
export async function codeOf(design: LoadedDesign, parser: Parser, mark: Mark): Promise<CodeMap | undefined> {
  if (design.sources.reduce((sum, { text }) => sum + text.length, 0) > MOST_TEXT) return undefined;
  const trees: SyntaxTree[] = [];
  try {
    const texts: CodeText[] = [];
    for (const { file, text } of design.sources) {
      const source = await preprocessedSource(design, { file, text });
      const tree = parser.parse(source.text);
      if (tree === undefined) return undefined;
      trees.push(tree);
      texts.push({ file, text: source.text, map: source.map, root: tree.rootNode });
    }
    return readCode(texts, mark);
  } finally {
    for (const tree of trees) tree.delete();
  }
}

function sourceText({ sources, includes }: LoadedDesign, file: string): string {
  return [...sources, ...includes].find((source) => source.file === file)?.text ?? '';
}

/** Turns places in the sources of a design into lines and columns. */
export function placesIn(design: LoadedDesign): (location: SourceLocation) => CodePlace {
  const indexes = new Map<string, LineIndex>();
  return ({ file, span }) => {
    const index = indexes.get(file) ?? new LineIndex(sourceText(design, file));
    indexes.set(file, index);
    return { file, ...index.position(span.start) };
  };
}

/** What a watched run noted. */
export interface Noted {
  readonly trace: Trace;
  /** `markWords` words of 32 branches each, lowest first: for every sample, or once. */
  readonly marks: Uint32Array;
  /** Of nets and variables that can change; undefined when the changes were too many to note. */
  readonly toggles: readonly Toggled[] | undefined;
  /** Changes of nets and variables in each row where all are dumped, see `readActivity`. */
  readonly activity: () => readonly number[] | undefined;
  /** Values of the comparisons that were asked for, by their place among those. */
  readonly compared: (sample: number, index: number) => Compared | undefined;
}

export interface Compared {
  readonly left: bigint;
  readonly right: bigint;
}

export interface WatchRequest extends Omit<Watch, 'branches' | 'compared'>, Pick<Wanted, 'powerOn'> {
  /** Indexes of comparisons. */
  readonly compared: readonly number[];
}

export interface WatchOptions extends SideTask {
  readonly layout: Layout;
  readonly parser: Parser;
  readonly engine: SimulationEngine;
}

/** A copy of one side whose text marks every branch that it takes. That a run of the copy leaves the same trace is for the caller to check. */
export class WatchedSide {
  readonly code: CodeMap;
  /** Line and column of a place in the sources. */
  readonly place: (location: SourceLocation) => CodePlace;
  readonly #options: WatchOptions;
  readonly #watching: Watching;
  readonly #compiled = new Map<string, Promise<WatchedProgram | undefined>>();

  private constructor(options: WatchOptions, watching: Watching, code: CodeMap) {
    this.#options = options;
    this.#watching = watching;
    this.code = code;
    this.place = placesIn(options.design);
  }

  /** Undefined when the code cannot be read. */
  static async of(options: WatchOptions): Promise<WatchedSide | undefined> {
    const watching = options.engine.watching(options, options.layout);
    const code = await codeOf(options.design, options.parser, (branch) => watching.mark(branch));
    return code === undefined ? undefined : new WatchedSide(options, watching, code);
  }

  /** The side with a fault in one branch: something that it assigns comes out inverted. Undefined where it assigns nothing itself. */
  withFault(branch: number): LoadedDesign | undefined {
    const { design } = this.#options;
    const body = this.code.branches[branch]?.body;
    const fault = this.code.elements.find(({ branches, fault: text }) => text !== undefined && branches.includes(branch))?.fault;
    if (body === undefined || fault === undefined) return undefined;
    const insertions = [{ offset: body.span.start, text: 'begin ' }, { offset: body.span.end, text: ` ${fault} end` }];
    return { ...design, sources: design.sources.map(({ file, text }) => ({ file, text: file === body.file ? withInsertions(text, insertions) : text })) };
  }

  /** Name of the module that is verified. */
  get top(): string {
    return this.#options.design.module.name;
  }

  /** The code at a place on one line, cut at `most` characters. */
  textOf({ file, span }: SourceLocation, most: number): string {
    return onOneLine(sourceText(this.#options.design, file).slice(span.start, span.end), most);
  }

  /** The whole line on which a place begins, without the space before and behind. */
  lineOf({ file, span }: SourceLocation): SourceLocation {
    const text = sourceText(this.#options.design, file);
    const start = text.lastIndexOf('\n', span.start - 1) + 1;
    const [line = ''] = text.slice(start).split(/\r?\n/, 1);
    const from = start + line.length - line.trimStart().length;
    return { file, span: { start: from, end: from + line.trim().length } };
  }

  /** Runs the copy, compiled for what is to be watched; undefined when it does not compile or does not finish. */
  async run(rows: Rows, watch: WatchRequest, budget: Budget): Promise<Noted | undefined> {
    const program = await (this.#options.engine.dumps ? this.#program(watch, budget) : this.#programForAll(watch, budget));
    const left = await program?.record(rows, watch, budget);
    if (program === undefined || left === undefined) return undefined;
    const words = markWords(this.code.branches.length);
    const samples = parseTrace(left.marks, { observedBits: words * 32 });
    const noted = new Uint32Array(samples.samples * words);
    for (let word = 0; word < noted.length; word++) noted[word] = samples.words[2 * word] ?? 0;
    const inputs = new Set(this.#options.layout.fields.map(({ port }) => port));
    const pairs = parseTrace(left.compared, { observedBits: COMPARED_BITS * watch.compared.length });
    const { changes } = left;
    const toggles = changes && readToggles(changes)?.filter((net) => !program.constants.has(net.path.join('.')));
    return { trace: left.trace, marks: noted, toggles, activity: () => changes && readActivity(changes, rows.count, inputs), compared: (sample, index) => pairAt(pairs, sample, index) };
  }

  /**
   * Whether a run of the copy did what the side itself did with the same rows. With a simulator of two states the copy runs from one power-on state alone, and what the side left unknown
   * depends on that state.
   */
  didAs({ trace }: Noted, own: Trace): boolean {
    return this.#options.engine.fourState ? sameTrace(trace, own) : trace.words.length === own.words.length && !contradict(trace, own);
  }

  /** One program for all that is ever watched, since each takes long to build; where a comparison cannot be noted, one without them for what needs none. */
  async #programForAll({ compared }: WatchRequest, budget: Budget): Promise<WatchedProgram | undefined> {
    const all = { eachSample: true, changes: [], compared: [...this.code.comparisons.keys()] };
    return (await this.#program(all, budget)) ?? (compared.length === 0 ? this.#program({ ...all, compared: [] }, budget) : undefined);
  }

  #program(watch: WatchRequest, budget: Budget): Promise<WatchedProgram | undefined> {
    const { eachSample, changes, compared } = watch;
    const key = JSON.stringify({ eachSample, changes, compared });
    const compiling = this.#compiled.get(key) ?? this.#compile(watch, budget);
    this.#compiled.set(key, compiling);
    return compiling;
  }

  #compile(watch: WatchRequest, budget: Budget): Promise<WatchedProgram | undefined> {
    const dir = path.join(this.#options.dir, `watched-${String(this.#compiled.size)}`);
    makeFolder(dir);
    return this.#watching.compile({ design: this.#marked(watch.compared), dir }, { ...watch, branches: this.code.branches.length, compared: watch.compared.length }, budget);
  }

  #marked(compared: readonly number[]): LoadedDesign {
    const { comparisons, insertions } = this.code;
    const note = (comparison: number): string | undefined => {
      const index = compared.indexOf(comparison);
      const found = comparisons[comparison];
      if (index < 0 || found === undefined) return undefined;
      const note = this.#watching.note(index, found.left, found.right);
      return found.when === undefined ? note : `if (${found.when}) begin ${note} end`;
    };
    const { design } = this.#options;
    return { ...design, sources: design.sources.map(({ file, text }) => ({ file, text: withInsertions(text, insertions.get(file) ?? [], note) })) };
  }
}

/** The two values of a comparison at a sample, in 64 bits; undefined where it was not made or has an unknown bit. */
function pairAt(pairs: Trace, sample: number, index: number): Compared | undefined {
  const from = sample * pairs.wordsPerSample + 10 * index;
  if (pairs.words[from + 8] !== 1) return undefined;
  const word = (at: number): number | undefined => (pairs.words[from + 2 * at + 1] === 0 ? pairs.words[from + 2 * at] : undefined);
  const [a, b, c, d] = [word(0), word(1), word(2), word(3)];
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return { left: (BigInt(b) << 32n) | BigInt(a), right: (BigInt(d) << 32n) | BigInt(c) };
}
