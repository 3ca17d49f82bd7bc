import type { Expression } from './ast.ts';
import { evaluate, sizeOf } from './constant.ts';
import type { Elaboration } from './elaborate.ts';
import type { Statement } from './items.ts';
import type { MinedConstant } from './module.ts';
import type { Scope } from './scope.ts';
import { forEachExpression, forEachStatement, readsOf } from './walk.ts';

const COMPARISONS = new Set(['==', '!=', '===', '!==', '==?', '!=?', '<', '<=', '>', '>=']);
const MAX_CONSTANTS = 512;
const MAX_WIDTH = 4096;

/** Constants that this module and those below it compare something with, as literals, parameters or case labels; each once. */
export function mineConstants(elaboration: Elaboration): MinedConstant[] {
  const miner = new Miner();
  miner.visit(elaboration);
  return miner.found();
}

class Miner {
  readonly #found = new Map<string, MinedConstant>();
  readonly #visited = new Set<Elaboration>();

  found(): MinedConstant[] {
    return [...this.#found.values()].slice(0, MAX_CONSTANTS);
  }

  visit(module: Elaboration): void {
    if (this.#visited.has(module)) return;
    this.#visited.add(module);
    for (const { item, scope } of module.items) {
      if (item.kind === 'assign') this.#expression(item.value, scope);
      else if (item.kind === 'variable' && item.initial) this.#expression(item.initial, scope);
      else if (item.kind === 'always' || item.kind === 'initial') this.#statement(item.body, scope);
      else if (item.kind === 'function') for (const statement of item.body) this.#statement(statement, scope);
    }
    for (const child of module.children) {
      for (const connection of child.instance.connections) if (connection.expression) this.#expression(connection.expression, child.scope);
      if (child.module) this.visit(child.module);
    }
  }

  #statement(statement: Statement, scope: Scope): void {
    forEachStatement(statement, (inner) => {
      for (const read of readsOf(inner)) this.#expression(read, scope);
      if (inner.kind !== 'case') return;
      const width = sizeOf(inner.selector, scope)?.width;
      for (const branch of inner.branches) for (const label of branch.labels) this.#constant(label, scope, width);
    });
  }

  #expression(expression: Expression, scope: Scope): void {
    forEachExpression(expression, (part) => {
      if (part.kind === 'binary' && COMPARISONS.has(part.operator)) {
        this.#constant(part.right, scope, sizeOf(part.left, scope)?.width);
        this.#constant(part.left, scope, sizeOf(part.right, scope)?.width);
      } else if (part.kind === 'inside') {
        const width = sizeOf(part.operand, scope)?.width;
        for (const range of part.ranges) for (const bound of range.kind === 'other' ? range.parts : [range]) this.#constant(bound, scope, width);
      }
    });
  }

  /** `width` is that of the other side, which tells more than that of an unsized number. */
  #constant(expression: Expression, scope: Scope, width: number | undefined): void {
    // Unknown digits of a casez label stand for anything; zero is as good as any.
    const value = expression.kind === 'number' ? { bits: expression.bits, width: expression.width } : evaluate(expression, scope);
    if (!value) return;
    const bits = width ?? value.width;
    if (bits !== undefined && (bits > MAX_WIDTH || value.bits >> BigInt(bits) !== 0n)) return;
    this.#found.set(`${value.bits} ${bits ?? ''}`, { value: value.bits, width: bits });
  }
}
