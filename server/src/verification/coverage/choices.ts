import { childOfType, childrenOf, childrenOfType, textOf } from '../../syntax/nodes.ts';
import type { Node } from '../../syntax/parser.ts';
import type { CodeDraft, Context } from './code-draft.ts';
import type { Comparison } from './code-map.ts';

const ASSIGNMENTS = ['nonblocking_assignment', 'blocking_assignment', 'procedural_continuous_assignment'];
const ASSIGNED = ['net_assignment', 'net_decl_assignment', 'operator_assignment', 'nonblocking_assignment', 'variable_assignment'];

/** Where a `?:` stands. */
interface ChoicePlace {
  readonly context: Context;
  /** What the marks are inserted beside. */
  readonly holder: Node;
  /** Texts of the conditions met so far, to wake up on. */
  readonly conditions: string[];
  /** What the conditions met so far compare. */
  readonly compared: Comparison[];
  /** What is assigned. */
  readonly targets: readonly string[];
}

type Watched = Pick<ChoicePlace, 'conditions' | 'compared'> & { readonly text: string };

/** The comparisons in a condition. */
export type CompareReader = (condition: Node, context: Context) => Omit<Comparison, 'branches'>[];

/** Marks the arms of the `?:` that code assigns. */
export class Choices {
  readonly #draft: CodeDraft;
  readonly #comparisons: CompareReader;

  constructor(draft: CodeDraft, comparisons: CompareReader) {
    this.#draft = draft;
    this.#comparisons = comparisons;
  }

  /** Marks for the `?:` of a statement, in front of it. */
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

  /** A process of its own beside a continuous assignment that marks the arms of its `?:`. */
  item(node: Node, context: Context): void {
    const parent = node.parent?.type === 'module_item' ? node.parent.parent : node.parent;
    const opens = parent?.type === 'module_declaration' || parent?.type === 'generate_region' || (parent?.type === 'generate_block' && childOfType(parent, 'begin') !== undefined);
    if (!opens) return;
    const watch = this.#watch(node, context, node);
    if (watch === undefined) return;
    const wakes = watch.conditions.map((text) => `(${text})`).join(' or ');
    this.#draft.insert(node.endIndex, ` initial forever begin ${watch.text} @(${wakes}); end`);
  }

  #watch(node: Node, context: Context, holder: Node): Watched | undefined {
    const conditions: string[] = [];
    const compared: Comparison[] = [];
    const texts = node.descendantsOfType(ASSIGNED).flatMap((assignment) => {
      const [target] = childrenOf(assignment);
      const place = { context, holder, conditions, compared, targets: target === undefined ? [] : this.#draft.targets(target) };
      return outermost(assignment, 'conditional_expression').map((choice) => this.#watchChoice(choice, place));
    });
    return conditions.length === 0 ? undefined : { text: texts.join(' '), conditions, compared };
  }

  #watchChoice(node: Node, place: ChoicePlace): string {
    const { context, holder, conditions, compared, targets } = place;
    const [condition, whenTrue, whenFalse] = childrenOfType(node, 'expression');
    if (condition === undefined || whenTrue === undefined || whenFalse === undefined) return '';
    const text = textOf(condition, this.#draft.text);
    const names = this.#draft.names(condition);
    const controls = [...context.controls, ...names];
    const nested = (arm: Node, branch: number | undefined): string =>
      outermost(arm, 'conditional_expression').map((inner) => this.#watchChoice(inner, { ...place, context: { ...context, branch, controls } })).join(' ');
    if (/[$`"]|\+\+|--/.test(text) || names.every((name) => context.constants.has(name))) return '';
    const what = `${this.#draft.short(condition)} ? ${this.#draft.short(whenTrue)} : ${this.#draft.short(whenFalse)}`;
    const ids = [whenTrue, whenFalse].map((arm) => this.#draft.branch(`'${this.#draft.short(arm)}' of '${what}'`, arm, holder, context));
    const [first, second] = ids;
    if (first === undefined || second === undefined) return '';
    conditions.push(text);
    compared.push(...this.#comparisons(condition, context).map((sides) => ({ ...sides, branches: [first, second] })));
    this.#draft.element('condition', condition, targets, names, context);
    for (const [index, arm] of [whenTrue, whenFalse].entries()) this.#draft.element('assignment', arm, targets, this.#draft.names(arm), { ...context, branch: ids[index], controls });
    const marks = [whenTrue, whenFalse].map((arm, index) => `begin ${this.#draft.mark(ids[index] ?? 0)} ${nested(arm, ids[index])} end`);
    return `if (${text}) ${marks[0] ?? ''} else if (!(${text})) ${marks[1] ?? ''}`;
  }
}

/** The nodes of a type that are in no other of that type, below a node or the node itself. */
function outermost(node: Node, type: string): Node[] {
  return node.type === type ? [node] : childrenOf(node).flatMap((child) => outermost(child, type));
}
