import type { DataType, Dimension } from './ast.ts';
import type { Range } from './module.ts';

/** A known constant: `bits` is the two's complement pattern, 0 ≤ bits < 2^width. */
export interface Value {
  readonly bits: bigint;
  readonly width: number;
  readonly signed: boolean;
  /** The packed dimensions of a declared constant, where they are other than one that ends with 0 on the right. */
  readonly packed?: readonly Range[];
}

/** A data type with evaluated bounds. */
export interface ResolvedType {
  /** Bits of one packed element, or undefined when a bound is not known or the type has no bits. */
  readonly width: number | undefined;
  readonly signed: boolean;
  readonly packed: readonly Range[];
  readonly unpacked: readonly Range[];
  /** Fields of a packed structure: bit offset from the right, and type. */
  readonly members: ReadonlyMap<string, { readonly offset: number; readonly type: ResolvedType }> | undefined;
}

/** A type as declared, with the scope that its names belong to. */
export interface TypeBinding {
  readonly type: DataType;
  readonly unpacked: readonly Dimension[];
  readonly scope: Scope;
}

/** A function that can be called with constants. */
export interface ConstantFunction {
  readonly returns: () => ResolvedType;
  /** Argument values in order; undefined when the result is not constant or takes too long. */
  readonly call: (values: readonly Value[]) => Value | undefined;
}

type Lazy<T> = { state: 'waiting'; make: () => T | undefined } | { state: 'busy' } | { state: 'done'; value: T | undefined };

/** Whether a scope itself declares a name as something. */
type Holds = (scope: Scope, name: string) => boolean;
let holdsValue: Holds;
let holdsType: Holds;
let holdsVariable: Holds;
let holdsFunction: Holds;

/** Names of a module, package, generate block or function. Constants are evaluated when first asked for; a circle gives undefined. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly #constants = new Map<string, Lazy<Value>>();
  readonly #types = new Map<string, TypeBinding>();
  readonly #variables = new Map<string, TypeBinding>();
  readonly #functions = new Map<string, ConstantFunction>();
  readonly #wildcards: (() => Scope | undefined)[] = [];
  readonly #packages: (name: string) => Scope | undefined;

  constructor(parent: Scope | undefined, packages?: (name: string) => Scope | undefined) {
    this.parent = parent;
    this.#packages = packages ?? ((name) => parent?.package(name));
  }

  package(name: string): Scope | undefined {
    return this.#packages(name);
  }

  defineConstant(name: string, make: () => Value | undefined): void {
    this.#constants.set(name, { state: 'waiting', make });
  }

  /** Gives a name a new value, as the steps of a constant function do. */
  setConstant(name: string, value: Value | undefined): void {
    this.#constants.set(name, { state: 'done', value });
  }

  defineType(name: string, binding: TypeBinding): void {
    this.#types.set(name, binding);
  }

  defineVariable(name: string, binding: TypeBinding): void {
    this.#variables.set(name, binding);
  }

  defineFunction(name: string, definition: ConstantFunction): void {
    this.#functions.set(name, definition);
  }

  importAll(source: () => Scope | undefined): void {
    this.#wildcards.push(source);
  }

  importName(name: string, source: () => Scope | undefined): void {
    this.#constants.set(name, { state: 'waiting', make: () => source()?.constant(name) });
    const scope = source();
    const type = scope?.type(name);
    if (type) this.#types.set(name, type);
    const definition = scope?.function(name);
    if (definition) this.#functions.set(name, definition);
  }

  constant(name: string): Value | undefined {
    const holder = this.#find(holdsValue, name);
    return holder ? holder.#ownConstant(name) : undefined;
  }

  /** The scope itself declares a constant of this name. */
  declaresConstant(name: string): boolean {
    return this.#constants.has(name);
  }

  type(name: string): TypeBinding | undefined {
    const holder = this.#find(holdsType, name);
    return holder ? holder.#types.get(name) : undefined;
  }

  variable(name: string): TypeBinding | undefined {
    const holder = this.#find(holdsVariable, name);
    return holder ? holder.#variables.get(name) : undefined;
  }

  /** The nearest scope that declares a variable, net or port of this name. */
  holderOf(name: string): Scope | undefined {
    return this.#find(holdsVariable, name);
  }

  function(name: string): ConstantFunction | undefined {
    const holder = this.#find(holdsFunction, name);
    return holder ? holder.#functions.get(name) : undefined;
  }

  #ownConstant(name: string): Value | undefined {
    const entry = this.#constants.get(name);
    if (!entry || entry.state === 'busy') return undefined;
    if (entry.state === 'done') return entry.value;
    this.#constants.set(name, { state: 'busy' });
    const value = entry.make();
    this.#constants.set(name, { state: 'done', value });
    return value;
  }

  #find(holds: Holds, name: string): Scope | undefined {
    if (holds(this, name)) return this;
    for (const wildcard of this.#wildcards) {
      const source = wildcard();
      if (source && holds(source, name)) return source;
    }
    return this.parent ? this.parent.#find(holds, name) : undefined;
  }

  static {
    holdsValue = (scope, name) => scope.#constants.has(name) || scope.#variables.has(name);
    holdsType = (scope, name) => scope.#types.has(name);
    holdsVariable = (scope, name) => scope.#variables.has(name);
    holdsFunction = (scope, name) => scope.#functions.has(name);
  }
}
