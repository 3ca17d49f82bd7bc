import type { SourceLocation } from '../../analysis/module.ts';
import { childOfType, childrenOf, childrenOfType, nameOf, textOf } from '../../syntax/nodes.ts';
import type { Node } from '../../syntax/parser.ts';
import type { SourceMap } from '../../syntax/source-map.ts';

/** A branch that a simulation can be watched to take. */
export interface Branch {
  /** As the source has it: `if (a)`, `else of if (a)`, `case 2'b01`, `default`, `b of a ? b : c`. */
  readonly what: string;
  readonly location: SourceLocation;
  /** Branches of one process run together. */
  readonly process: number;
  /** It takes what no other branch takes, which is often nothing: the `default` of a `case` that names every value. */
  readonly isDefault: boolean;
  /** Its statement, in offsets of the file; undefined where it has none of its own. */
  readonly body: SourceLocation | undefined;
}

/** A piece of code that gives names their values or decides whether other pieces run. */
export interface Element {
  readonly module: string;
  readonly kind: 'assignment' | 'condition' | 'event' | 'declaration' | 'connection';
  readonly location: SourceLocation;
  /** Names of the module that it assigns, or whose assignment it controls. */
  readonly targets: readonly string[];
  /** Names that it reads, those of the conditions around it included. */
  readonly reads: readonly string[];
  /** Indexes of the branches in which it takes part; empty when it always does. */
  readonly branches: readonly number[];
  /** A statement that makes what a procedural assignment sets wrong, to stand behind it. */
  readonly fault?: string | undefined;
}

export interface Connection {
  /** By name, or by position. */
  readonly port: string | number;
  readonly names: readonly string[];
}

export interface InstanceLink {
  /** The module that holds the instance. */
  readonly module: string;
  readonly of: string;
  readonly connections: readonly Connection[];
  /** `.*`: every other port is connected to the name that it has. */
  readonly wildcard: boolean;
}

/** Two values that a decision compares, or that decide it through the nets that it reads. */
export interface Comparison {
  /** The branches that it decides about. */
  readonly branches: readonly number[];
  /** Expressions in the scope of the decision. */
  readonly left: string;
  readonly right: string;
  /** Which is greater decides, not whether they are equal. */
  readonly ordered: boolean;
}

/** Text to insert into a source file so that it marks what it runs. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
  /** Only needed to watch one of these comparisons: it goes before the decision, and `text` behind it. */
  readonly comparisons?: readonly number[];
}

/** What the code of one or more files does, piece by piece. */
export interface CodeMap {
  readonly branches: readonly Branch[];
  readonly elements: readonly Element[];
  readonly instances: readonly InstanceLink[];
  readonly comparisons: readonly Comparison[];
  /** Port names of each module in order. */
  readonly ports: ReadonlyMap<string, readonly string[]>;
  /** Insertions of each file, in the order in which they are made where offsets are equal. */
  readonly insertions: ReadonlyMap<string, readonly Insertion[]>;
  /** False when some branch stands where nothing can be inserted, in a macro or an included file. */
  readonly complete: boolean;
}

/** The statement that marks a branch as taken. */
export type Mark = (branch: number) => string;

export interface CodeText {
  readonly file: string;
  /** After preprocessing. */
  readonly text: string;
  readonly map: SourceMap;
  readonly root: Node;
}

/** Where a statement stands. */
interface Context {
  readonly module: string;
  readonly branch: number | undefined;
  /** Names in the conditions around it. */
  readonly controls: readonly string[];
  /** Marks may be inserted here. */
  readonly watched: boolean;
  /** Names that stand for constants, which no run can change. */
  readonly constants: ReadonlySet<string>;
  /** What continuous assignments give to whole names. */
  readonly values: ReadonlyMap<string, Node>;
}

const IDENTIFIERS = ['simple_identifier', 'escaped_identifier'];
const SELECTS = new Set(['select', 'constant_select', 'bit_select', 'constant_bit_select', 'part_select_range', 'constant_part_select_range']);
const ASSIGNMENTS = ['nonblocking_assignment', 'blocking_assignment', 'procedural_continuous_assignment'];
const ASSIGNED = ['net_assignment', 'net_decl_assignment', 'operator_assignment', 'nonblocking_assignment', 'variable_assignment'];
const COMPARING = new Set(['==', '!=', '===', '!==', '<', '<=', '>', '>=']);
/** Nets between a decision and a comparison that are followed. */
const DEEPEST_NET = 3;
const LONGEST_TEXT = 60;

type Sides = Omit<Comparison, 'branches'>;

/** Where a `?:` stands. */
interface ChoicePlace {
  readonly context: Context;
  /** What the marks are inserted beside. */
  readonly holder: Node;
  /** Texts of the conditions met so far, to wake up on. */
  readonly conditions: string[];
  /** What is assigned. */
  readonly targets: readonly string[];
}

/** Reads the branches and the elements of some files; `mark` is the text that is put into each branch. */
export function readCode(files: readonly CodeText[], mark: Mark): CodeMap {
  const reader = new CodeReader(mark);
  for (const file of files) reader.read(file);
  return reader;
}

class CodeReader implements CodeMap {
  readonly branches: Branch[] = [];
  readonly elements: Element[] = [];
  readonly instances: InstanceLink[] = [];
  readonly comparisons: Comparison[] = [];
  readonly ports = new Map<string, string[]>();
  readonly insertions = new Map<string, Insertion[]>();
  complete = true;
  readonly #mark: Mark;
  /** By the id of an `if`: the parts that the grammar gave to an outer one. */
  readonly #tails = new Map<number, readonly Node[]>();
  #file: CodeText | undefined;
  #process = 0;

  constructor(mark: Mark) {
    this.#mark = mark;
  }

  read(file: CodeText): void {
    this.#file = file;
    this.insertions.set(file.file, []);
    this.complete &&= !file.root.hasError;
    for (const module of file.root.descendantsOfType('module_declaration')) this.#module(module);
  }

  #module(node: Node): void {
    const header = childOfType(node, 'module_ansi_header', 'module_nonansi_header');
    const name = header === undefined ? undefined : childOfType(header, ...IDENTIFIERS);
    if (header === undefined || name === undefined) {
      this.complete = false;
      return;
    }
    const module = this.#name(name);
    this.ports.set(module, header.descendantsOfType(['ansi_port_declaration', 'port']).flatMap((port) => childrenOfType(port, ...IDENTIFIERS).map((child) => this.#name(child))));
    const constants = new Set(node.descendantsOfType(['param_assignment', 'genvar_initialization', 'enum_name_declaration']).flatMap((child) => childrenOfType(child, ...IDENTIFIERS).map((named) => this.#name(named))));
    const context: Context = { module, branch: undefined, controls: [], watched: true, constants, values: this.#valuesIn(node) };
    for (const child of childrenOf(node)) this.#item(child, context);
  }

  #valuesIn(module: Node): Map<string, Node> {
    const values = new Map<string, Node>();
    for (const assignment of module.descendantsOfType(['net_assignment', 'net_decl_assignment'])) {
      const [target, ...rest] = childrenOf(assignment);
      const value = rest.at(-1);
      const [name, ...others] = target === undefined ? [] : this.#names(target);
      if (name !== undefined && others.length === 0 && value !== undefined && textOf(assignment, this.#text).trim().startsWith(name)) values.set(name, value);
    }
    return values;
  }

  #item(node: Node, context: Context): void {
    this.#process++;
    switch (node.type) {
      case 'continuous_assign':
        for (const assignment of node.descendantsOfType('net_assignment')) this.#assignment(assignment, context);
        this.#watchItem(node, context);
        return;
      case 'net_declaration':
        for (const declared of node.descendantsOfType('net_decl_assignment')) if (childOfType(declared, '=')) this.#assignment(declared, context);
        this.#watchItem(node, context);
        return;
      case 'always_construct':
        this.#statement(node, context);
        return;
      case 'initial_construct':
      case 'function_declaration':
      case 'task_declaration':
        this.#statement(node, { ...context, watched: false });
        return;
      case 'module_instantiation':
        this.#instances(node, context);
        return;
      case 'gate_instantiation':
        for (const gate of childrenOf(node)) this.#gate(gate, context);
        return;
      case 'param_assignment':
      case 'enum_name_declaration':
      case 'variable_decl_assignment':
        this.#declaration(node, context);
        return;
      default:
        for (const child of childrenOf(node)) this.#item(child, context);
    }
  }

  #statement(node: Node, context: Context): void {
    switch (node.type) {
      case 'statement':
        this.#watchStatement(node, context, () => this.#parts(node, context));
        return;
      case 'conditional_statement':
        this.#conditional(node, context);
        return;
      case 'case_statement':
        this.#case(node, context);
        return;
      case 'operator_assignment':
      case 'inc_or_dec_expression':
      case 'nonblocking_assignment':
      case 'variable_assignment':
      case 'variable_decl_assignment':
        this.#assignment(node, context);
        return;
      case 'procedural_timing_control_statement':
        this.#timing(node, context);
        return;
      case 'loop_statement':
        this.#loop(node, context);
        return;
      case 'tf_call': {
        const names = this.#names(node);
        this.#element('assignment', node, names, names, context);
        return;
      }
      default:
        this.#parts(node, context);
    }
  }

  #parts(node: Node, context: Context): void {
    for (const child of childrenOf(node)) this.#statement(child, context);
  }

  /**
   * `if (a) … else if (b) … else …` is one node, flat; a missing last `else` is a branch too. The grammar gives an `else` to the
   * outermost `if` that could have it, the language to the innermost, so what follows an open `if` is handed down to it.
   */
  #conditional(node: Node, context: Context): void {
    const parts = [...childrenOf(node), ...(this.#tails.get(node.id) ?? [])];
    const found: Sides[] = [];
    const arms: number[] = [];
    const finish = this.#decision(node, context);
    const conditions: { readonly node: Node; readonly from: number }[] = [];
    const first = this.elements.length;
    let names = [...context.controls];
    let isElse = false;
    let last: { readonly body: Node; readonly end: number } | undefined;
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index];
      if (part === undefined) break;
      const condition = conditions.at(-1)?.node;
      if (part.type === 'else') isElse = true;
      else if (part.type === 'cond_predicate') {
        conditions.push({ node: part, from: this.branches.length });
        names = [...names, ...this.#names(part)];
        found.push(...this.#compared(part, context));
        isElse = false;
      } else if (part.type === 'statement_or_null' && condition !== undefined) {
        const text = `if (${this.#short(condition)})`;
        const tail = tailOf(part, parts.slice(index + 1));
        const inner = trailingConditional(part);
        if (inner !== undefined) this.#tails.set(inner.id, tail);
        const end = tail.at(-1)?.endIndex ?? part.endIndex;
        const arm = this.#arm(part, end, isElse ? `else of ${text}` : text, isElse ? part : condition, { ...context, controls: names });
        if (arm !== undefined) arms.push(arm);
        last = { body: part, end };
        index += tail.length;
      }
    }
    const condition = conditions.at(-1)?.node;
    if (!isElse && last !== undefined && condition !== undefined) {
      const id = this.#branch(`missing else of if (${this.#short(condition)})`, condition, last.body, context);
      if (id !== undefined) arms.push(id);
      if (id !== undefined) this.#insert(last.end, ` else begin ${this.#mark(id)} end`);
    }
    finish(parts.at(-1)?.endIndex ?? node.endIndex, found.map((sides) => ({ ...sides, branches: arms })));
    for (const { node: predicate, from } of conditions) {
      const branches = Array.from({ length: this.branches.length - from }, (_, index) => from + index);
      this.#controlling('condition', predicate, first, { ...context, branch: undefined }, branches);
    }
  }

  #case(node: Node, context: Context): void {
    const selector = childOfType(node, 'case_expression');
    const from = this.branches.length;
    const first = this.elements.length;
    const selected = selector === undefined ? [] : this.#names(selector);
    const compared: Comparison[] = [];
    const finish = this.#decision(node, context);
    for (const item of childrenOfType(node, 'case_item', 'case_inside_item', 'case_pattern_item')) {
      const body = childOfType(item, 'statement_or_null');
      const labels = childrenOf(item).filter((part) => part !== body && part.type !== ':' && part.type !== ',');
      const [label] = labels;
      const end = labels.at(-1)?.endIndex;
      if (body === undefined || label === undefined || end === undefined) continue;
      const isDefault = label.type === 'default';
      const inside = this.elements.length;
      const names = isDefault ? [] : labels.flatMap((part) => this.#names(part));
      const what = isDefault ? `default of case (${selector === undefined ? '' : this.#short(selector)})` : `case ${this.#shortText(label.startIndex, end)}`;
      const id = this.#arm(body, body.endIndex, what, label, { ...context, controls: [...context.controls, ...selected, ...names] });
      if (!isDefault && selector !== undefined && !/[xz?]/i.test(textOf(label, this.#text).replace(/^.*'/, ''))) {
        compared.push({ left: textOf(selector, this.#text), right: textOf(label, this.#text), ordered: false, branches: id === undefined ? [] : [id] });
      }
      if (!isDefault) this.#controlling('condition', label, inside, context, id === undefined ? [] : [id]);
    }
    finish(node.endIndex, compared);
    const branches = Array.from({ length: this.branches.length - from }, (_, index) => from + index);
    if (selector !== undefined) this.#controlling('condition', selector, first, context, branches);
  }

  /** Leaves room for watching the comparisons of a decision; the answer is to be called when its branches are known. */
  #decision(node: Node, context: Context): (end: number, compared: readonly Comparison[]) => void {
    const list = this.insertions.get(this.#file?.file ?? '');
    const [at, place] = [this.#sourceOffset(node.startIndex), list?.length ?? 0];
    return (end, compared) => {
      const close = this.#sourceOffset(end);
      if (!context.watched || list === undefined || at === undefined || close === undefined || compared.length === 0) return;
      const comparisons = compared.map((comparison) => this.comparisons.push(comparison) - 1);
      list.splice(place, 0, { offset: at, text: '', comparisons });
      list.push({ offset: close, text: ' end', comparisons });
    };
  }

  /** The comparisons in a condition, and those that decide about the nets that it reads. */
  #compared(node: Node, context: Context, depth = 0): Sides[] {
    const own = node.descendantsOfType('expression').flatMap((expression) => {
      const [left, operator, right, ...rest] = childrenOf(expression);
      if (left === undefined || operator === undefined || right === undefined || rest.length > 0 || !COMPARING.has(operator.type)) return [];
      return [{ left: textOf(left, this.#text), right: textOf(right, this.#text), ordered: /[<>]/.test(operator.type) }];
    });
    if (depth >= DEEPEST_NET) return own;
    const behind = [...new Set(this.#names(node))].flatMap((name) => {
      const value = context.values.get(name);
      return value === undefined ? [] : this.#compared(value, context, depth + 1);
    });
    return [...own, ...behind].filter(({ left, right }) => !/[$`]/.test(left + right));
  }

  #arm(body: Node, end: number, what: string, place: Node, context: Context): number | undefined {
    const id = this.#branch(what, place, body, context, this.#location(body.startIndex, end));
    if (id === undefined) this.#statement(body, context);
    else this.#around(body.startIndex, end, this.#mark(id), () => this.#statement(body, { ...context, branch: id }));
    return id;
  }

  #timing(node: Node, context: Context): void {
    const event = childOfType(node, 'event_control');
    const first = this.elements.length;
    this.#parts(node, context);
    if (event !== undefined) this.#controlling('event', event, first, context, []);
  }

  #loop(node: Node, context: Context): void {
    const body = childOfType(node, 'statement_or_null');
    const heads = childrenOf(node).filter((part) => part !== body);
    const controls = [...context.controls, ...heads.flatMap((part) => this.#names(part))];
    const first = this.elements.length;
    for (const head of heads) this.#statement(head, { ...context, watched: false });
    if (body !== undefined) this.#statement(body, { ...context, controls });
    const [start] = heads;
    if (start !== undefined) this.#controlling('condition', start, first, context, []);
  }

  /** An assignment in any form: what stands before the operator is its target. */
  #assignment(node: Node, context: Context): void {
    const [target, ...rest] = childrenOf(node);
    if (target === undefined) return;
    const targets = this.#targets(target);
    const operator = rest[0]?.type === 'assignment_operator' ? textOf(rest[0], this.#text) : '=';
    const own = operator === '=' && node.type !== 'inc_or_dec_expression' ? [] : targets;
    const value = rest.at(-1);
    const sign = node.type === 'nonblocking_assignment' ? '<=' : node.type === 'operator_assignment' && operator === '=' ? '=' : undefined;
    const fault = sign === undefined || value === undefined ? undefined : `${textOf(target, this.#text)} ${sign} ~(${textOf(value, this.#text)});`;
    this.#element('assignment', node, targets, [...own, ...this.#names(node).filter((name) => !targets.includes(name)), ...rest.flatMap((part) => this.#names(part))], context, fault);
  }

  #gate(node: Node, context: Context): void {
    const names = node.descendantsOfType(['net_lvalue', 'expression']).flatMap((terminal) => this.#names(terminal));
    if (names.length > 0) this.#element('assignment', node, names.slice(0, 1), names.slice(1), context);
  }

  #declaration(node: Node, context: Context): void {
    if (childOfType(node, '=') === undefined) return;
    const [name] = childrenOfType(node, ...IDENTIFIERS);
    if (name !== undefined) this.#element('declaration', node, [this.#name(name)], this.#names(node), context);
  }

  #instances(node: Node, context: Context): void {
    const [type] = childrenOfType(node, ...IDENTIFIERS);
    if (type === undefined) return;
    for (const instance of childrenOfType(node, 'hierarchical_instance')) {
      const connections: Connection[] = [];
      let wildcard = false;
      for (const [index, part] of instance.descendantsOfType(['named_port_connection', 'ordered_port_connection']).entries()) {
        const [port] = childrenOfType(part, ...IDENTIFIERS);
        const value = childOfType(part, 'expression');
        const names = value === undefined ? [] : this.#names(value);
        if (part.type === 'ordered_port_connection') connections.push({ port: index, names });
        else if (port === undefined) wildcard = true;
        else connections.push({ port: this.#name(port), names: value === undefined && childOfType(part, '(') === undefined ? [this.#name(port)] : names });
        if (names.length > 0) this.#element('connection', part, names, names, context);
      }
      this.instances.push({ module: context.module, of: this.#name(type), connections, wildcard });
    }
  }

  /** An element that decides about all elements that were added since `first`. */
  #controlling(kind: Element['kind'], node: Node, first: number, context: Context, branches: readonly number[]): void {
    const targets = [...new Set(this.elements.slice(first).flatMap((element) => element.targets))];
    const reads = [...new Set([...this.#names(node), ...context.controls])];
    const own = branches.length > 0 || context.branch === undefined ? branches : [context.branch];
    this.elements.push({ module: context.module, kind, location: this.#location(node.startIndex, node.endIndex), targets, reads, branches: own });
  }

  #element(kind: Element['kind'], node: Node, targets: readonly string[], reads: readonly string[], context: Context, fault?: string): void {
    const branches = context.branch === undefined ? [] : [context.branch];
    this.elements.push({
      module: context.module,
      kind,
      location: this.#location(node.startIndex, node.endIndex),
      targets,
      reads: [...new Set([...reads, ...context.controls])],
      branches,
      fault,
    });
  }

  /** Marks for the `?:` of a statement, in front of it. */
  #watchStatement(node: Node, context: Context, inside: () => void): void {
    const item = childOfType(node, 'statement_item');
    const assignment = item === undefined ? undefined : childOfType(item, ...ASSIGNMENTS);
    const watch = assignment === undefined || !context.watched ? undefined : this.#watch(assignment, context, node);
    if (watch === undefined) inside();
    else this.#around(node.startIndex, node.endIndex, watch.text, inside);
  }

  /** A process of its own beside a continuous assignment that marks the arms of its `?:`. */
  #watchItem(node: Node, context: Context): void {
    const parent = node.parent?.type === 'module_item' ? node.parent.parent : node.parent;
    const opens = parent?.type === 'module_declaration' || parent?.type === 'generate_region' || (parent?.type === 'generate_block' && childOfType(parent, 'begin') !== undefined);
    if (!opens) return;
    const watch = this.#watch(node, context, node);
    if (watch === undefined) return;
    const wakes = watch.conditions.map((text) => `(${text})`).join(' or ');
    this.#insert(node.endIndex, ` initial forever begin ${watch.text} @(${wakes}); end`);
  }

  #watch(node: Node, context: Context, holder: Node): { readonly text: string; readonly conditions: readonly string[] } | undefined {
    const conditions: string[] = [];
    const texts = node.descendantsOfType(ASSIGNED).flatMap((assignment) => {
      const [target] = childrenOf(assignment);
      const place = { context, holder, conditions, targets: target === undefined ? [] : this.#targets(target) };
      return outermost(assignment, 'conditional_expression').map((choice) => this.#watchChoice(choice, place));
    });
    return conditions.length === 0 ? undefined : { text: texts.join(' '), conditions };
  }

  #watchChoice(node: Node, place: ChoicePlace): string {
    const { context, holder, conditions, targets } = place;
    const [condition, whenTrue, whenFalse] = childrenOfType(node, 'expression');
    if (condition === undefined || whenTrue === undefined || whenFalse === undefined) return '';
    const text = textOf(condition, this.#text);
    const names = this.#names(condition);
    const controls = [...context.controls, ...names];
    const nested = (arm: Node, branch: number | undefined): string =>
      outermost(arm, 'conditional_expression').map((inner) => this.#watchChoice(inner, { ...place, context: { ...context, branch, controls } })).join(' ');
    if (/[$`"]|\+\+|--/.test(text) || names.every((name) => context.constants.has(name))) return '';
    const what = `${this.#short(condition)} ? ${this.#short(whenTrue)} : ${this.#short(whenFalse)}`;
    const ids = [whenTrue, whenFalse].map((arm) => this.#branch(`'${this.#short(arm)}' of '${what}'`, arm, holder, context));
    const [first, second] = ids;
    if (first === undefined || second === undefined) return '';
    conditions.push(text);
    this.#element('condition', condition, targets, names, context);
    for (const [index, arm] of [whenTrue, whenFalse].entries()) this.#element('assignment', arm, targets, this.#names(arm), { ...context, branch: ids[index], controls });
    const marks = [whenTrue, whenFalse].map((arm, index) => `begin ${this.#mark(ids[index] ?? 0)} ${nested(arm, ids[index])} end`);
    return `if (${text}) ${marks[0] ?? ''} else if (!(${text})) ${marks[1] ?? ''}`;
  }

  /** A new branch whose marks go to `holder`; undefined, and the map is incomplete, where nothing can be inserted. */
  #branch(what: string, place: Node, holder: Node, context: Context, body?: SourceLocation): number | undefined {
    if (!context.watched) return undefined;
    if (this.#sourceOffset(holder.startIndex) === undefined || this.#sourceOffset(holder.endIndex) === undefined) {
      this.complete = false;
      return undefined;
    }
    this.branches.push({ what, location: this.#location(place.startIndex, place.endIndex), process: this.#process, isDefault: place.type === 'default', body });
    return this.branches.length - 1;
  }

  #around(start: number, end: number, text: string, inside: () => void): void {
    this.#insert(start, `begin ${text} `);
    inside();
    this.#insert(end, ' end');
  }

  #insert(offset: number, text: string): void {
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

  #location(start: number, end: number): SourceLocation {
    const { file, span } = this.#file?.map.locateSpan({ start, end }) ?? { file: '', span: { start: 0, end: 0 } };
    return { file, span };
  }

  get #text(): string {
    return this.#file?.text ?? '';
  }

  #name(node: Node): string {
    return nameOf(node, this.#text);
  }

  /** Every name in a node. */
  #names(node: Node): string[] {
    return node.descendantsOfType(IDENTIFIERS).map((child) => this.#name(child));
  }

  /** The names that a target assigns; those in its selects are only read. */
  #targets(node: Node): string[] {
    if (IDENTIFIERS.includes(node.type)) return [this.#name(node)];
    if (node.type === 'hierarchical_identifier') return this.#names(node).slice(0, 1);
    return childrenOf(node).filter((child) => !SELECTS.has(child.type)).flatMap((child) => this.#targets(child));
  }

  #short(node: Node): string {
    return this.#shortText(node.startIndex, node.endIndex);
  }

  #shortText(start: number, end: number): string {
    const text = this.#text.slice(start, end).replace(/\s+/g, ' ').trim();
    return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`;
  }
}

/** The first `if` of a statement behind which an `else` could follow. */
function trailingConditional(node: Node): Node | undefined {
  if (node.type === 'conditional_statement') return node;
  const last = childrenOf(node).at(-1);
  const carries = ['statement_or_null', 'statement', 'statement_item', 'loop_statement', 'procedural_timing_control_statement', 'wait_statement'];
  return last !== undefined && carries.includes(node.type) ? trailingConditional(last) : undefined;
}

/** How many of the `if`s that a statement ends in still lack an `else`. */
function openConditionals(node: Node): number {
  const conditional = trailingConditional(node);
  if (conditional === undefined) return 0;
  let open = 0;
  for (const part of childrenOf(conditional)) {
    if (part.type === 'if') open++;
    else if (part.type === 'else') open--;
    else if (part.type === 'statement_or_null') open += openConditionals(part);
  }
  return open;
}

/** What of the parts behind the body of an `if` belongs to the `if`s inside that body. */
function tailOf(body: Node, rest: readonly Node[]): readonly Node[] {
  let open = openConditionals(body);
  let length = 0;
  while (open > 0 && rest[length]?.type === 'else') {
    open--;
    length++;
    while (length < rest.length && rest[length - 1]?.type !== 'statement_or_null') {
      const part = rest[length++];
      if (part?.type === 'if') open++;
      else if (part?.type === 'statement_or_null') open += openConditionals(part);
    }
  }
  return rest.slice(0, length);
}

/** The nodes of a type that are in no other of that type, below a node or the node itself. */
function outermost(node: Node, type: string): Node[] {
  return node.type === type ? [node] : childrenOf(node).flatMap((child) => outermost(child, type));
}

/** A text with everything inserted; `watch` is the statement that notes a comparison, or undefined where it is not wanted. */
export function withInsertions(text: string, insertions: readonly Insertion[], watch: (comparison: number) => string | undefined = () => undefined): string {
  const ordered = insertions.map((insertion, order) => ({ ...insertion, order })).sort((a, b) => a.offset - b.offset || a.order - b.order);
  let result = '';
  let from = 0;
  for (const { offset, text: inserted, comparisons } of ordered) {
    const notes = comparisons?.flatMap((comparison) => watch(comparison) ?? []);
    const now = notes === undefined ? inserted : notes.length === 0 ? '' : inserted === '' ? `begin ${notes.join(' ')} ` : inserted;
    const before = text.slice(from, offset);
    // A word of the source may stand right before or behind, as in `o <= 1;end`.
    result += `${before}${meets(before, now)}${now}${meets(now, text.slice(offset, offset + 1))}`;
    from = offset;
  }
  return result + text.slice(from);
}

/** A space where two words would become one. */
function meets(before: string, behind: string): string {
  return /[\w$]$/.test(before) && /^[\w$]/.test(behind) ? ' ' : '';
}
