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
  /** Its evaluated bounds, once all of them are known; `resolveType` keeps them here. */
  resolved?: ResolvedType;
}

/** A function that can be called with constants. */
export interface ConstantFunction {
  readonly returns: () => ResolvedType;
  /** Argument values in order; undefined when the result is not constant or takes too long. */
  readonly call: (values: readonly Value[]) => Value | undefined;
}

type Lazy<T> = { state: 'waiting'; make: () => T | undefined } | { state: 'busy' } | { state: 'done'; value: T | undefined };

const BUSY = { state: 'busy' } as const;

/** What one name is in a scope: a type, a function and a value may share it. */
interface Entry {
  readonly holder: Scope;
  constant: Lazy<Value> | undefined;
  type: TypeBinding | undefined;
  variable: TypeBinding | undefined;
  function: ConstantFunction | undefined;
}

/** Names of a module, package, generate block or function. Constants are evaluated when first asked for; a circle gives undefined. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly #names = new Map<string, Entry>();
  readonly #wildcards: (() => Scope | undefined)[] = [];
  readonly #packages: ((name: string) => Scope | undefined) | undefined;

  constructor(parent: Scope | undefined, packages?: (name: string) => Scope | undefined) {
    this.parent = parent;
    this.#packages = packages;
  }

  package(name: string): Scope | undefined {
    return this.#packages ? this.#packages(name) : this.parent?.package(name);
  }

  defineConstant(name: string, make: () => Value | undefined): void {
    this.#entry(name).constant = { state: 'waiting', make };
  }

  /** Gives a name a new value, as the steps of a constant function do. */
  setConstant(name: string, value: Value | undefined): void {
    this.#entry(name).constant = { state: 'done', value };
  }

  defineType(name: string, binding: TypeBinding): void {
    this.#entry(name).type = binding;
  }

  defineVariable(name: string, binding: TypeBinding): void {
    this.#entry(name).variable = binding;
  }

  defineFunction(name: string, definition: ConstantFunction): void {
    this.#entry(name).function = definition;
  }

  importAll(source: () => Scope | undefined): void {
    this.#wildcards.push(source);
  }

  importName(name: string, source: () => Scope | undefined): void {
    const entry = this.#entry(name);
    entry.constant = { state: 'waiting', make: () => source()?.constant(name) };
    const scope = source();
    entry.type = scope?.type(name) ?? entry.type;
    entry.function = scope?.function(name) ?? entry.function;
  }

  constant(name: string): Value | undefined {
    const entry = this.#find(name, isValue);
    const constant = entry?.constant;
    if (!constant || constant.state === 'busy') return undefined;
    if (constant.state === 'done') return constant.value;
    entry.constant = BUSY;
    const value = constant.make();
    entry.constant = { state: 'done', value };
    return value;
  }

  /** The scope itself declares a constant of this name. */
  declaresConstant(name: string): boolean {
    return this.#names.get(name)?.constant !== undefined;
  }

  type(name: string): TypeBinding | undefined {
    return this.#find(name, isType)?.type;
  }

  variable(name: string): TypeBinding | undefined {
    return this.#find(name, isVariable)?.variable;
  }

  /** The nearest scope that declares a variable, net or port of this name. */
  holderOf(name: string): Scope | undefined {
    return this.#find(name, isVariable)?.holder;
  }

  function(name: string): ConstantFunction | undefined {
    return this.#find(name, isFunction)?.function;
  }

  #entry(name: string): Entry {
    let entry = this.#names.get(name);
    if (!entry) {
      entry = { holder: this, constant: undefined, type: undefined, variable: undefined, function: undefined };
      this.#names.set(name, entry);
    }
    return entry;
  }

  /** The entry of a name that fits, in the scope itself, what it imports as a whole, or the nearest scope around it. */
  #find(name: string, fits: (entry: Entry) => boolean): Entry | undefined {
    const own = this.#names.get(name);
    if (own && fits(own)) return own;
    for (const wildcard of this.#wildcards) {
      const source = wildcard();
      const imported = source && source.#names.get(name);
      if (imported && fits(imported)) return imported;
    }
    return this.parent && this.parent.#find(name, fits);
  }
}

const isType = ({ type }: Entry): boolean => type !== undefined;
const isVariable = ({ variable }: Entry): boolean => variable !== undefined;
const isFunction = (entry: Entry): boolean => entry.function !== undefined;
/** A variable hides the constants of the scopes around it. */
const isValue = ({ constant, variable }: Entry): boolean => constant !== undefined || variable !== undefined;
