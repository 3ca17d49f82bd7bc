import { childrenOf } from './nodes.ts';
import type { Node } from './parser.ts';

/** One statement of an `if`, with what decides that it runs. */
export interface IfArm {
  /** Undefined: the last `else`. */
  readonly condition: Node | undefined;
  /** Undefined where the text is broken. */
  readonly body: Node | undefined;
  /** Offset of the `if` or the `else`, and of the end of the body with every `else` that belongs to an `if` inside. */
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `if (a) … else if (b) … else …`, which is one node, flat. The grammar gives an `else` to the outermost `if` that could have it, the language to
 * the last one that lacks it (IEEE 1800-2017, 12.4). So an `if` has to be read before those inside it: what is theirs is handed down to them.
 */
export class IfStatements {
  /** By the id of an `if`: the parts that the grammar gave to an outer one. */
  readonly #tails = new Map<number, readonly Node[]>();

  /** The arms of a `conditional_statement`, in order. */
  read(node: Node): IfArm[] {
    const parts = [...childrenOf(node), ...(this.#tails.get(node.id) ?? [])];
    const arms: IfArm[] = [];
    let start = node.startIndex;
    let condition: Node | undefined;
    let open = false;
    const close = (body: Node | undefined, end: number): void => {
      if (open) arms.push({ condition, body, start, end });
      open = false;
    };
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index];
      if (part === undefined) break;
      if (part.type === 'if') start = part.startIndex;
      else if (part.type === 'cond_predicate' || part.type === 'else') {
        if (part.type === 'else') {
          close(undefined, part.startIndex);
          start = part.startIndex;
        }
        condition = part.type === 'else' ? undefined : part;
        open = true;
      } else if (part.type === 'statement_or_null' && open) {
        const tail = tailOf(part, parts.slice(index + 1));
        const inner = trailingConditional(part);
        if (inner !== undefined) this.#tails.set(inner.id, tail);
        close(part, tail.at(-1)?.endIndex ?? part.endIndex);
        index += tail.length;
      }
    }
    close(undefined, node.endIndex);
    return arms;
  }
}

const CARRIES = new Set(['statement_or_null', 'statement', 'statement_item', 'loop_statement', 'procedural_timing_control_statement', 'wait_statement']);

/** The first `if` of a statement behind which an `else` could follow. */
function trailingConditional(node: Node): Node | undefined {
  if (node.type === 'conditional_statement') return node;
  const last = childrenOf(node).at(-1);
  return last !== undefined && CARRIES.has(node.type) ? trailingConditional(last) : undefined;
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
  if (rest[0]?.type !== 'else') return [];
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
