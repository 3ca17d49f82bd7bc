import { evaluate, evaluateNumber, resolveType } from './constant.ts';
import type { Expression } from './ast.ts';
import type { CaseBranch, FunctionItem, Statement } from './items.ts';
import { convert } from './operators.ts';
import { constantOf } from './resolve-type.ts';
import { Scope } from './scope.ts';
import type { ConstantFunction, ResolvedType, Value } from './scope.ts';

const MAX_STEPS = 200_000;
const MAX_NESTING = 64;

type Outcome = 'next' | 'return' | 'unknown';

/** Makes a function callable with constants, IEEE 1800-2017, 13.4.3. */
export function constantFunction(item: FunctionItem, scope: Scope): ConstantFunction {
  let nesting = 0;
  const returns = (): ResolvedType => resolveType({ type: item.returns, unpacked: [], scope });
  const known = new Map<string, Value | undefined>();
  return {
    returns,
    call: (values) => {
      if (nesting >= MAX_NESTING) return undefined;
      const key = values.map(({ bits, width, signed }) => `${bits} ${width} ${String(signed)}`).join();
      if (known.has(key)) return known.get(key);
      nesting++;
      try {
        const result = new Run(item, scope, returns()).result(values);
        known.set(key, result);
        return result;
      } finally {
        nesting--;
      }
    },
  };
}

/** One call of a constant function. */
class Run {
  readonly #item: FunctionItem;
  readonly #scope: Scope;
  readonly #type: ResolvedType;
  #steps = 0;
  #result: Value | undefined;

  constructor(item: FunctionItem, scope: Scope, type: ResolvedType) {
    this.#item = item;
    this.#scope = new Scope(scope);
    this.#type = type;
  }

  result(values: readonly Value[]): Value | undefined {
    const { width, signed } = this.#type;
    if (width === undefined) return undefined;
    this.#declare(this.#item.name, this.#type, { bits: 0n, width, signed });
    for (const [index, port] of this.#item.ports.entries()) {
      const type = resolveType({ type: port.type, unpacked: port.unpacked, scope: this.#scope });
      const value = values[index] ?? (port.initial && evaluate(port.initial, this.#scope));
      if (!value || !this.#declare(port.name, type, value)) return undefined;
    }
    if (!this.#locals(this.#item.items)) return undefined;
    for (const statement of this.#item.body) {
      const outcome = this.#run(statement);
      if (outcome === 'unknown') return undefined;
      if (outcome === 'return') break;
    }
    const value = this.#result ?? this.#scope.constant(this.#item.name);
    return value && convert(value, { width, signed });
  }

  #declare(name: string, type: ResolvedType, value: Value): boolean {
    const constant = type.unpacked.length > 0 ? undefined : constantOf(value, type);
    if (constant) this.#scope.setConstant(name, constant);
    return constant !== undefined;
  }

  #locals(items: FunctionItem['items']): boolean {
    return items.every((item) => {
      if (item.kind === 'parameter' || item.kind === 'variable') {
        const type = item.type && resolveType({ type: item.type, unpacked: item.unpacked, scope: this.#scope });
        const initial = item.kind === 'parameter' ? item.value : item.initial;
        const value = initial ? evaluate(initial, this.#scope) : { bits: 0n, width: 1, signed: false };
        // A constant without a type has that of its value (IEEE 1800-2017, 6.20.2).
        if (item.kind === 'parameter' && value && item.type?.kind === 'vector' && item.type.keyword === '' && item.type.packed.length === 0) {
          this.#scope.setConstant(item.name, item.type.signed ? { ...value, signed: true } : value);
          return true;
        }
        return type !== undefined && value !== undefined && this.#declare(item.name, type, value);
      }
      return true;
    });
  }

  #run(statement: Statement): Outcome {
    if (++this.#steps > MAX_STEPS) return 'unknown';
    switch (statement.kind) {
      case 'block':
        if (!this.#locals(statement.items)) return 'unknown';
        return this.#sequence(statement.statements);
      case 'assign':
        return this.#assign(statement.target, statement.operator, statement.value) ? 'next' : 'unknown';
      case 'if': {
        const condition = evaluate(statement.condition, this.#scope);
        if (!condition) return 'unknown';
        const branch = condition.bits !== 0n ? statement.whenTrue : statement.whenFalse;
        return branch ? this.#run(branch) : 'next';
      }
      case 'case':
        return this.#case(statement.selector, statement.branches);
      case 'loop':
        return this.#loop(statement);
      case 'return':
        this.#result = statement.value && evaluate(statement.value, this.#scope, this.#type.width);
        return this.#result ? 'return' : 'unknown';
      case 'null':
        return 'next';
      default:
        return 'unknown';
    }
  }

  #sequence(statements: readonly Statement[]): Outcome {
    for (const statement of statements) {
      const outcome = this.#run(statement);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  #assign(target: Expression, operator: string, value: Expression): boolean {
    const compound = operator === '=' || operator === '<=' ? undefined : operator.slice(0, -1);
    const source: Expression = compound === undefined ? value : { kind: 'binary', operator: compound, left: target, right: value };
    if (target.kind === 'name') {
      const old = this.#scope.constant(target.name);
      const result = old && evaluate(source, this.#scope, old.width);
      // The loop variable of `for (int i = 0; …)` has no other declaration.
      if (!old) {
        const initial = evaluate(source, this.#scope, 32);
        if (!initial) return false;
        this.#scope.setConstant(target.name, convert(initial, { width: 32, signed: true }));
        return true;
      }
      if (!result) return false;
      this.#scope.setConstant(target.name, { ...convert(result, old), ...(old.packed ? { packed: old.packed } : {}) });
      return true;
    }
    if (target.kind !== 'select' || target.base.kind !== 'name') return false;
    const old = this.#scope.constant(target.base.name);
    const index = evaluateNumber(target.index, this.#scope);
    const bit = evaluate(source, this.#scope);
    if (!old || old.packed || index === undefined || !bit || index < 0 || index >= old.width) return false;
    const cleared = old.bits & ~(1n << BigInt(index));
    this.#scope.setConstant(target.base.name, { ...old, bits: cleared | ((bit.bits & 1n) << BigInt(index)) });
    return true;
  }

  #case(selector: Expression, branches: readonly CaseBranch[]): Outcome {
    const value = evaluate(selector, this.#scope);
    if (!value) return 'unknown';
    for (const branch of branches) {
      for (const label of branch.labels) {
        const candidate = evaluate(label, this.#scope, value.width);
        if (!candidate) return 'unknown';
        if (candidate.bits === value.bits) return this.#run(branch.body);
      }
    }
    const otherwise = branches.find((branch) => branch.labels.length === 0);
    return otherwise ? this.#run(otherwise.body) : 'next';
  }

  #loop(loop: Extract<Statement, { kind: 'loop' }>): Outcome {
    if (loop.keyword === 'foreach' || loop.keyword === 'forever') return 'unknown';
    const start = this.#sequence(loop.initial);
    if (start !== 'next') return start;
    let left = loop.keyword === 'repeat' ? (loop.condition && evaluateNumber(loop.condition, this.#scope)) : Number.POSITIVE_INFINITY;
    if (left === undefined) return 'unknown';
    for (let first = true; left > 0; left--, first = false) {
      const skipsTest = loop.keyword === 'repeat' || (loop.keyword === 'do' && first);
      if (!skipsTest && loop.condition) {
        const condition = evaluate(loop.condition, this.#scope);
        if (!condition) return 'unknown';
        if (condition.bits === 0n) return 'next';
      }
      const outcome = this.#run(loop.body);
      if (outcome !== 'next') return outcome;
      const stepped = this.#sequence(loop.step);
      if (stepped !== 'next') return stepped;
    }
    return 'next';
  }
}
