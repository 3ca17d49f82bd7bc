import { childOfType, childrenOf, childrenOfType, textOf } from '../../syntax/nodes.ts';
import type { Node } from '../../syntax/parser.ts';
import type { CodeDraft, Context } from './code-draft.ts';
import type { Comparison } from './code-map.ts';
import { bareOf, canRepeat, comparedIn, sidesOf, type Sides } from './comparisons.ts';

const ASSIGNMENTS = ['nonblocking_assignment', 'blocking_assignment', 'procedural_continuous_assignment'];
const ASSIGNED = ['net_assignment', 'net_decl_assignment', 'operator_assignment', 'nonblocking_assignment', 'variable_assignment'];
const CONNECTED = ['named_port_connection', 'ordered_port_connection'];

/** When an operand decides about the result of an operator: where the other one does not. */
const DECIDING: ReadonlyMap<string, (other: string) => string> = new Map([
  ['&&', (other) => other],
  ['&', (other) => other],
  ['||', (other) => `!(${other})`],
  ['|', (other) => `!(${other})`],
]);

/** Where a `?:` or a comparison stands. */
interface ChoicePlace {
  readonly context: Context;
  /** What the marks are inserted beside. */
  readonly holder: Node;
  /** Texts of the conditions met so far, to wake up on. */
  readonly wakes: Set<string>;
  /** What they compare. */
  readonly compared: Compared;
  /** Ways in which the comparisons met so far come out. */
  readonly results: number[];
  /** What is assigned. */
  readonly targets: readonly string[];
  /** Where a comparison decides about what is assigned. */
  readonly guards: readonly string[];
  /** The conditions of the arms that it is in. */
  readonly arms: readonly string[];
}

interface Watched {
  readonly text: string;
  readonly wakes: ReadonlySet<string>;
  readonly compared: readonly Comparison[];
}

/** Marks the arms of the `?:` that code assigns, and how the comparisons come out that it assigns or connects. */
export class Choices {
  readonly #draft: CodeDraft;

  constructor(draft: CodeDraft) {
    this.#draft = draft;
  }

  /** Marks for the values of a statement, in front of it. */
  statement(node: Node, context: Context, inside: () => void): void {
    const item = childOfType(node, 'statement_item');
    const assignment = item === undefined ? undefined : childOfType(item, ...ASSIGNMENTS);
    const watch = assignment === undefined || !context.watched ? undefined : this.#watch(assignment, context, node);
    if (watch === undefined) {
      inside();
      return;
    }
    const finish = this.#draft.decision(node, context);
    this.#draft.around(node.startIndex, node.endIndex, watch.text, inside);
    finish(node.endIndex, watch.compared);
  }

  /** A process of its own beside a continuous assignment or an instance that marks its values. */
  item(node: Node, context: Context): void {
    const parent = node.parent?.type === 'module_item' ? node.parent.parent : node.parent;
    const opens = parent?.type === 'module_declaration' || parent?.type === 'generate_region' || (parent?.type === 'generate_block' && childOfType(parent, 'begin') !== undefined);
    const watch = opens ? this.#watch(node, context, node) : undefined;
    if (watch !== undefined) this.#draft.process(node, watch.text, watch.wakes, watch.compared);
  }

  #watch(node: Node, context: Context, holder: Node): Watched | undefined {
    const [wakes, compared, results] = [new Set<string>(), new Compared(), [] as number[]];
    const values = node.type === 'module_instantiation' ? node.descendantsOfType(CONNECTED).filter((part) => part.descendantsOfType('conditional_expression').length === 0) : node.descendantsOfType(ASSIGNED);
    const texts = values.flatMap((value) => {
      const [target] = node.type === 'module_instantiation' ? [] : childrenOf(value);
      return this.#value(value, { context, holder, wakes, compared, results, guards: [], arms: [], targets: target === undefined ? [] : this.#draft.targets(target) });
    });
    if (results.length > 0) for (const value of values) compared.add(comparedIn(value, this.#draft, context), results);
    return wakes.size === 0 ? undefined : { text: texts.join(' '), wakes, compared: compared.all() };
  }

  /** Marks for the outermost `?:` of a value and for its comparisons. */
  #value(node: Node, place: ChoicePlace): string[] {
    if (node.type === 'conditional_expression') return [this.#choice(node, place)];
    const parts = childrenOf(node);
    const [left, operator, right] = parts;
    const deciding = node.type === 'expression' && parts.length === 3 ? DECIDING.get(operator?.type ?? '') : undefined;
    if (deciding === undefined || left === undefined || right === undefined) return [...this.#result(node, place), ...parts.flatMap((part) => this.#value(part, place))];
    const beside = (other: Node): ChoicePlace => ({ ...place, guards: [...place.guards, deciding(textOf(other, this.#draft.text))] });
    return [...this.#value(left, beside(right)), ...this.#value(right, beside(left))];
  }

  #result(node: Node, { context, holder, wakes, compared, results, guards, arms }: ChoicePlace): string[] {
    const text = textOf(node, this.#draft.text);
    const sides = this.#sides(node, context, guards);
    if (sides === undefined || !canRepeat([text, sides.left, sides.right, ...guards].join(' ')) || this.#draft.names(node).every((name) => context.constants.has(name))) return [];
    const ids = this.#draft.results(node, holder, context);
    if (ids === undefined) return [];
    const [whenTrue, whenFalse] = ids;
    results.push(...ids);
    for (const wake of [text, ...guards]) wakes.add(wake);
    if (guards.length + arms.length > 0) compared.add([{ ...sides, when: [...arms, ...guards].map((guard) => `(${guard})`).join(' && ') }], ids);
    return [`${guards.map((guard) => `if (${guard}) `).join('')}if (${text}) begin ${this.#draft.mark(whenTrue)} end else if (!(${text})) begin ${this.#draft.mark(whenFalse)} end`];
  }

  /** What a comparison compares, or the net of one that is beside other conditions. */
  #sides(node: Node, context: Context, guards: readonly string[]): Sides | undefined {
    const value = node.type === 'primary' && guards.length > 0 ? context.values.get(textOf(node, this.#draft.text)) : undefined;
    return sidesOf(value === undefined ? node : bareOf(value), this.#draft.text);
  }

  #choice(node: Node, place: ChoicePlace): string {
    const { context, holder, wakes, compared, arms, targets } = place;
    const [condition, whenTrue, whenFalse] = childrenOfType(node, 'expression');
    if (condition === undefined || whenTrue === undefined || whenFalse === undefined) return '';
    const text = textOf(condition, this.#draft.text);
    const names = this.#draft.names(condition);
    const controls = [...context.controls, ...names];
    if (!canRepeat(text) || names.every((name) => context.constants.has(name))) return '';
    const what = `${this.#draft.short(condition)} ? ${this.#draft.short(whenTrue)} : ${this.#draft.short(whenFalse)}`;
    const ids = [whenTrue, whenFalse].map((arm) => this.#draft.branch(`'${this.#draft.short(arm)}' of '${what}'`, arm, holder, context));
    const [first, second] = ids;
    if (first === undefined || second === undefined) return '';
    wakes.add(text);
    compared.add(comparedIn(condition, this.#draft, context), [first, second]);
    this.#draft.element('condition', condition, targets, names, context);
    for (const [index, arm] of [whenTrue, whenFalse].entries()) this.#draft.element('assignment', arm, targets, this.#draft.names(arm), { ...context, branch: ids[index], controls });
    const nested = (arm: Node, branch: number, taken: string): string => this.#value(arm, { ...place, context: { ...context, branch, controls }, arms: [...arms, taken] }).join(' ');
    return `if (${text}) begin ${this.#draft.mark(first)} ${nested(whenTrue, first, text)} end else if (!(${text})) begin ${this.#draft.mark(second)} ${nested(whenFalse, second, `!(${text})`)} end`;
  }
}

/** Comparisons by what they compare, each with everything that it decides about. */
class Compared {
  readonly #found = new Map<string, Comparison>();

  add(sides: readonly Sides[], branches: readonly number[]): void {
    for (const one of sides) {
      const key = JSON.stringify(one);
      this.#found.set(key, { ...one, branches: [...new Set([...(this.#found.get(key)?.branches ?? []), ...branches])] });
    }
  }

  all(): Comparison[] {
    return [...this.#found.values()];
  }
}
