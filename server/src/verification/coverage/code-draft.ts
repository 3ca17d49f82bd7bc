import type { SourceLocation } from '../../analysis/module.ts';
import { onOneLine } from '../../base/text.ts';
import { childrenOf, nameOf } from '../../syntax/nodes.ts';
import type { Node } from '../../syntax/parser.ts';
import type { SourceMap } from '../../syntax/source-map.ts';
import type { Branch, CodeMap, Comparison, Element, Gap, Insertion, InstanceLink, Mark } from './code-map.ts';

export interface CodeText {
  readonly file: string;
  /** After preprocessing. */
  readonly text: string;
  readonly map: SourceMap;
  readonly root: Node;
}

/** Where a statement stands. */
export interface Context {
  readonly module: string;
  readonly branch: number | undefined;
  readonly runs: Element['runs'];
  /** Names in the conditions around it. */
  readonly controls: readonly string[];
  /** Marks may be inserted here. */
  readonly watched: boolean;
  /** Names that stand for constants, which no run can change. */
  readonly constants: ReadonlySet<string>;
  /** What continuous assignments give to whole names. */
  readonly values: ReadonlyMap<string, Node>;
}

export const IDENTIFIERS = ['simple_identifier', 'escaped_identifier'];
const SELECTS = new Set(['select', 'constant_select', 'bit_select', 'constant_bit_select', 'part_select_range', 'constant_part_select_range']);
const LONGEST_TEXT = 60;

/** The map of some code while it is read, one file after the other. */
export class CodeDraft implements CodeMap {
  readonly branches: Branch[] = [];
  readonly elements: Element[] = [];
  readonly instances: InstanceLink[] = [];
  readonly comparisons: Comparison[] = [];
  readonly ports = new Map<string, string[]>();
  readonly insertions = new Map<string, Insertion[]>();
  complete = true;
  /** The statement that marks a branch as taken. */
  readonly mark: Mark;
  #file: CodeText | undefined;
  #process = 0;

  constructor(mark: Mark) {
    this.mark = mark;
  }

  /** Begins a file. */
  open(file: CodeText): void {
    this.#file = file;
    this.insertions.set(file.file, []);
    this.complete &&= !file.root.hasError;
  }

  /** Begins a process: its branches run together. */
  nextProcess(): void {
    this.#process++;
  }

  /** An element that decides about all elements that were added since `first`. */
  controlling(kind: Element['kind'], node: Node, first: number, context: Context, branches: readonly number[]): void {
    const targets = [...new Set(this.elements.slice(first).flatMap((element) => element.targets))];
    const reads = [...new Set([...this.names(node), ...context.controls])];
    const own = branches.length > 0 || context.branch === undefined ? branches : [context.branch];
    this.elements.push({ module: context.module, kind, location: this.location(node.startIndex, node.endIndex), targets, reads, branches: own, runs: context.runs });
  }

  /** An element for what may be missing of a choice that decides about all elements that were added since `first`. */
  gap(gap: Gap, place: { readonly startIndex: number; readonly endIndex: number }, read: readonly string[], first: number, context: Context, branch: number): void {
    const targets = [...new Set(this.elements.slice(first).flatMap((element) => element.targets))];
    const reads = [...new Set([...read, ...context.controls])];
    this.elements.push({ module: context.module, kind: 'condition', location: this.location(place.startIndex, place.endIndex), targets, reads, branches: [branch], runs: context.runs, gap });
  }

  element(kind: Element['kind'], node: Node, targets: readonly string[], reads: readonly string[], context: Context, fault?: string): void {
    const branches = context.branch === undefined ? [] : [context.branch];
    this.elements.push({
      module: context.module,
      kind,
      location: this.location(node.startIndex, node.endIndex),
      targets,
      reads: [...new Set([...reads, ...context.controls])],
      branches,
      runs: context.runs,
      fault,
    });
  }

  /** A new branch whose marks go to `holder`; undefined, and the map is incomplete, where nothing can be inserted. */
  branch(what: string, place: Node, holder: Node, context: Context, { kind = 'arm', body }: Partial<Pick<Branch, 'kind' | 'body'>> = {}): number | undefined {
    if (!context.watched) return undefined;
    if (this.#sourceOffset(holder.startIndex) === undefined || this.#sourceOffset(holder.endIndex) === undefined) {
      this.complete = false;
      return undefined;
    }
    this.branches.push({ what, location: this.location(place.startIndex, place.endIndex), process: this.#process, kind, body });
    return this.branches.length - 1;
  }

  /** The two ways in which a comparison comes out, true first, marked in `holder`; undefined where nothing can be inserted. */
  results(node: Node, holder: Node, context: Context): readonly [number, number] | undefined {
    if (!context.watched || this.#sourceOffset(holder.startIndex) === undefined || this.#sourceOffset(holder.endIndex) === undefined) return undefined;
    const result = { location: this.location(node.startIndex, node.endIndex), process: this.#process, kind: 'result', body: undefined } as const;
    const count = this.branches.push({ ...result, what: `'${this.short(node)}' is true` }, { ...result, what: `'${this.short(node)}' is false` });
    return [count - 2, count - 1];
  }

  /** Leaves room for watching the comparisons of a decision; the answer is to be called when its branches are known, and returns the indexes of those that can be watched. */
  decision(node: Node, context: Context): (end: number, compared: readonly Comparison[]) => readonly number[] {
    const list = this.insertions.get(this.#file?.file ?? '');
    const [at, place] = [this.#sourceOffset(node.startIndex), list?.length ?? 0];
    return (end, compared) => {
      const close = this.#sourceOffset(end);
      if (!context.watched || list === undefined || at === undefined || close === undefined || compared.length === 0) return [];
      const comparisons = compared.map((comparison) => this.comparisons.push(comparison) - 1);
      list.splice(place, 0, { offset: at, text: '', comparisons });
      list.push({ offset: close, text: ' end', comparisons });
      return comparisons;
    };
  }

  /** A process behind an item: it runs `text`, notes what is watched, and waits until one of the expressions has changed. */
  process(node: Node, text: string, wakes: ReadonlySet<string>, compared: readonly Comparison[]): void {
    const list = this.insertions.get(this.#file?.file ?? '');
    const offset = this.#sourceOffset(node.endIndex);
    if (offset === undefined || list === undefined) return;
    const comparisons = compared.map((comparison) => this.comparisons.push(comparison) - 1);
    list.push({ offset, text: ` initial forever begin ${text}` }, { offset, text: '', comparisons }, { offset, text: ' end', comparisons });
    list.push({ offset, text: ` @(${[...wakes].map((wake) => `(${wake})`).join(' or ')}` });
    for (const [index, { left, right }] of compared.entries()) list.push({ offset, text: ` or (${left}) or (${right})`, comparisons: comparisons.slice(index, index + 1) });
    list.push({ offset, text: '); end' });
  }

  around(start: number, end: number, text: string, inside: () => void): void {
    this.insert(start, `begin ${text} `);
    inside();
    this.insert(end, ' end');
  }

  insert(offset: number, text: string): void {
    const at = this.#sourceOffset(offset);
    if (at !== undefined && this.#file !== undefined) this.insertions.get(this.#file.file)?.push({ offset: at, text });
  }

  /** The place in the file for an offset behind which, or before which, its own text stands. */
  #sourceOffset(offset: number): number | undefined {
    const file = this.#file;
    if (file === undefined) return undefined;
    for (const at of [offset, offset - 1]) {
      const place = file.map.locate(at);
      if (place.exact && place.file === file.file) return place.span.start + offset - at;
    }
    return undefined;
  }

  location(start: number, end: number): SourceLocation {
    const { file, span } = this.#file?.map.locateSpan({ start, end }) ?? { file: '', span: { start: 0, end: 0 } };
    return { file, span };
  }

  /** Of the file that is read, after preprocessing. */
  get text(): string {
    return this.#file?.text ?? '';
  }

  name(node: Node): string {
    return nameOf(node, this.text);
  }

  /** Every name in a node. */
  names(node: Node): string[] {
    return node.descendantsOfType(IDENTIFIERS).map((child) => this.name(child));
  }

  /** The names that a target assigns; those in its selects are only read. */
  targets(node: Node): string[] {
    if (IDENTIFIERS.includes(node.type)) return [this.name(node)];
    if (node.type === 'hierarchical_identifier') return this.names(node).slice(0, 1);
    return childrenOf(node).filter((child) => !SELECTS.has(child.type)).flatMap((child) => this.targets(child));
  }

  short(node: Node): string {
    return this.shortText(node.startIndex, node.endIndex);
  }

  shortText(start: number, end: number): string {
    return onOneLine(this.text.slice(start, end), LONGEST_TEXT);
  }
}
