import { childrenOf, textOf } from '../../syntax/nodes.ts';
import type { Node } from '../../syntax/parser.ts';
import type { CodeDraft, Context } from './code-draft.ts';
import type { Comparison } from './code-map.ts';

const COMPARING = new Set(['==', '!=', '===', '!==', '<', '<=', '>', '>=']);
/** Nets between a decision and a comparison that are followed. */
const DEEPEST_NET = 3;

export type Sides = Omit<Comparison, 'branches'>;

/** What stands on both sides of the operator, where the node itself is a comparison. */
export function sidesOf(node: Node, text: string): Sides | undefined {
  if (node.type !== 'expression') return undefined;
  const [left, operator, right, ...rest] = childrenOf(node);
  if (left === undefined || operator === undefined || right === undefined || rest.length > 0 || !COMPARING.has(operator.type)) return undefined;
  return { left: textOf(left, text), right: textOf(right, text), ordered: /[<>]/.test(operator.type) };
}

/** An expression without parentheses around it. */
export function bareOf(node: Node): Node {
  const parts = childrenOf(node);
  const [inner, ...others] = parts.length === 3 && parts[0]?.type === '(' ? parts.slice(1, 2) : parts;
  return inner === undefined || others.length > 0 || inner.childCount === 0 ? node : bareOf(inner);
}

/** An expression that may be evaluated once more: it calls no system function that does more than to convert, and changes nothing. */
export function canRepeat(text: string): boolean {
  return !/[$`"]|\+\+|--/.test(text.replace(/\$(?:un)?signed\b/g, ''));
}

/** The comparisons in an expression, and those that decide about the nets that it reads. */
export function comparedIn(node: Node, draft: CodeDraft, context: Context, depth = 0): Sides[] {
  const own = node.descendantsOfType('expression').flatMap((expression) => sidesOf(expression, draft.text) ?? []);
  if (depth >= DEEPEST_NET) return own;
  const behind = [...new Set(draft.names(node))].flatMap((name) => {
    const value = context.values.get(name);
    return value === undefined ? [] : comparedIn(value, draft, context, depth + 1);
  });
  return [...own, ...behind].filter(({ left, right }) => canRepeat(left + right));
}
