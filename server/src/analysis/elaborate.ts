import type { Expression } from './ast.ts';
import { evaluate, resolveType } from './constant.ts';
import { declareItems, makeOverride, settableParameters } from './declare.ts';
import type { Override } from './declare.ts';
import type { FileSummary, InstanceItem, Item, ModuleSummary } from './items.ts';
import type { Library } from './library.ts';
import type { Parameter, Port } from './module.ts';
import { convert, toNumber } from './operators.ts';
import { portsOf } from './ports.ts';
import type { InstanceInterface } from './ports.ts';
import { Scope } from './scope.ts';

/** An item in the scope where its names are looked up, with generate constructs resolved. */
export interface ScopedItem {
  readonly item: Exclude<Item, { kind: `generate-${string}` }>;
  readonly scope: Scope;
}

export interface Child {
  readonly instance: InstanceItem;
  /** The scope that the connections belong to. */
  readonly scope: Scope;
  /** Undefined when the module is not known or nested too deeply. */
  readonly module: Elaboration | undefined;
}

/** A module with parameter values; instances with equal values share one. */
export interface Elaboration {
  readonly summary: ModuleSummary;
  readonly file: FileSummary;
  readonly scope: Scope;
  readonly parameters: readonly Parameter[];
  /** Ports that carry bits, in the order of the header. */
  readonly ports: readonly Port[];
  /** Interface and reference ports. */
  readonly otherPorts: readonly string[];
  readonly items: readonly ScopedItem[];
  readonly children: readonly Child[];
  readonly unresolved: readonly string[];
  /** False when a generate condition or loop could not be evaluated, so that items may be missing or too many. */
  readonly complete: boolean;
}

const MAX_DEPTH = 64;
const MAX_LOOP = 4096;
const MAX_ITEMS = 200_000;

/** Builds the hierarchy below modules of a library, IEEE 1800-2017, 3.12 and clause 23. */
export class Elaborator {
  readonly #library: Library;
  readonly #done = new Map<string, Elaboration>();
  readonly #packages = new Map<string, Scope>();
  readonly #units = new Map<string, Scope>();
  readonly #interfaces = new Map<ModuleSummary, Map<string, InstanceInterface>>();
  #itemCount = 0;
  #depth = 0;

  constructor(library: Library) {
    this.#library = library;
  }

  /** Undefined when there is no such module. */
  elaborate(name: string, overrides: ReadonlyMap<string, Override> = new Map(), from?: string): Elaboration | undefined {
    const entry = this.#library.module(name, from);
    if (!entry) return undefined;
    const key = `${entry.file.file}\n${name}\n${keyOfAll(overrides)}`;
    const known = this.#done.get(key);
    if (known) return known;
    if (this.#depth >= MAX_DEPTH) return undefined;
    this.#depth++;
    const elaboration = this.#build(entry.module, entry.file, overrides);
    this.#depth--;
    this.#done.set(key, elaboration);
    return elaboration;
  }

  /** The names of a module with default parameters, without anything below it. */
  moduleScope(summary: ModuleSummary, file: FileSummary, overrides: ReadonlyMap<string, Override> = new Map()): Scope {
    const scope = new Scope(this.unitScope(file));
    declareItems(summary.items, scope, overrides);
    return scope;
  }

  /** The names of a package; undefined when there is no such package. */
  packageScope(name: string): Scope | undefined {
    return this.#package(name);
  }

  /** The names of a block or subroutine inside another scope. */
  blockScope(items: readonly Item[], parent: Scope): Scope {
    const scope = new Scope(parent);
    declareItems(items, scope);
    return scope;
  }

  /** The ports of what an instance names, with the instance's parameters; nothing below is looked at. Undefined when it is not known. */
  interfaceOf(instance: InstanceItem, scope: Scope, from: string): InstanceInterface | undefined {
    const entry = this.#library.module(instance.module, from);
    if (!entry) return undefined;
    const overrides = this.#overridesOf(instance, scope, from);
    const known = this.#interfaces.get(entry.module) ?? new Map<string, InstanceInterface>();
    this.#interfaces.set(entry.module, known);
    // Types of equal width may differ in their members.
    const key = [...overrides.values()].some(({ type }) => type) ? undefined : keyOfAll(overrides);
    const before = key === undefined ? undefined : known.get(key);
    if (before) return before;
    const inner = this.moduleScope(entry.module, entry.file, overrides);
    const { ports, otherPorts } = portsOf(entry.module, inner, this.#library);
    const made = { ...entry, ports, otherPorts, portNamed: new Map(ports.toReversed().map((port) => [port.name, port])) };
    if (key !== undefined) known.set(key, made);
    return made;
  }

  /** A scope with the names that stand outside of design units in a file. */
  unitScope(file: FileSummary): Scope {
    let scope = this.#units.get(file.file);
    if (!scope) {
      scope = new Scope(undefined, (name) => this.#package(name));
      this.#units.set(file.file, scope);
      declareItems(file.items, scope);
      // Compilers put all files into one unit, so names of other files are visible behind the own ones.
      for (const other of this.#library.files) {
        if (other.file !== file.file && other.items.length > 0) scope.importAll(() => this.unitScope(other));
      }
    }
    return scope;
  }

  #package(name: string): Scope | undefined {
    const known = this.#packages.get(name);
    if (known) return known;
    const entry = this.#library.package(name);
    if (!entry) return undefined;
    const scope = new Scope(this.unitScope(entry.file));
    this.#packages.set(name, scope);
    declareItems(entry.package.items, scope);
    return scope;
  }

  #build(summary: ModuleSummary, file: FileSummary, overrides: ReadonlyMap<string, Override>): Elaboration {
    const scope = this.moduleScope(summary, file, overrides);
    const draft = { items: [] as ScopedItem[], children: [] as Child[], unresolved: new Set<string>(), complete: true };
    this.#expand(summary.items, scope, draft);
    const defparams = draft.items.flatMap(({ item, scope: holder }) => (item.kind === 'defparam' ? [{ item, holder }] : []));
    for (const { item, scope: holder } of draft.items) {
      if (item.kind !== 'instance') continue;
      const given = this.#overridesOf(item, holder, file.file);
      for (const { item: defparam, holder: at } of defparams) {
        const [instance, parameter] = defparam.path;
        if (defparam.path.length === 2 && instance === item.name && parameter !== undefined) given.set(parameter, { value: evaluate(defparam.value, at) });
      }
      const module = this.elaborate(item.module, given, file.file);
      if (!module && !this.#library.module(item.module) && !this.#library.hasPrimitive(item.module)) draft.unresolved.add(item.module);
      if (module) for (const name of module.unresolved) draft.unresolved.add(name);
      draft.children.push({ instance: item, scope: holder, module });
    }
    const { ports, otherPorts } = portsOf(summary, scope, this.#library);
    return {
      summary,
      file,
      scope,
      parameters: parametersOf(summary, scope),
      ports,
      otherPorts,
      items: draft.items,
      children: draft.children,
      unresolved: [...draft.unresolved],
      complete: draft.complete && draft.children.every((child) => child.module?.complete ?? true),
    };
  }

  #overridesOf(instance: InstanceItem, scope: Scope, from: string): Map<string, Override> {
    const given = new Map<string, Override>();
    const target = this.#library.module(instance.module, from);
    if (!target) return given;
    const settable = settableParameters(target.module);
    for (const [index, override] of instance.overrides.entries()) {
      const parameter = override.name === undefined ? settable[index] : settable.find((candidate) => candidate.name === override.name);
      if (!parameter || !override.value) continue;
      given.set(parameter.name, makeOverride(parameter, override.value, scope));
    }
    return given;
  }

  #expand(items: readonly Item[], scope: Scope, draft: { items: ScopedItem[]; complete: boolean }): void {
    for (const item of items) {
      if (++this.#itemCount > MAX_ITEMS) {
        draft.complete = false;
        return;
      }
      switch (item.kind) {
        case 'generate-block':
          this.#expandBlock(item.items, scope, draft);
          break;
        case 'generate-if': {
          const condition = evaluate(item.condition, scope);
          if (!condition) draft.complete = false;
          if (condition?.bits !== 0n) this.#expandBlock(item.whenTrue, scope, draft);
          if (!condition || condition.bits === 0n) this.#expandBlock(item.whenFalse, scope, draft);
          break;
        }
        case 'generate-case':
          this.#expandCase(item, scope, draft);
          break;
        case 'generate-for':
          this.#expandFor(item, scope, draft);
          break;
        default:
          draft.items.push({ item, scope });
      }
    }
  }

  #expandBlock(items: readonly Item[], parent: Scope, draft: { items: ScopedItem[]; complete: boolean }): void {
    this.#expand(items, this.blockScope(items, parent), draft);
  }

  #expandCase(item: Extract<Item, { kind: 'generate-case' }>, scope: Scope, draft: { items: ScopedItem[]; complete: boolean }): void {
    const selector = evaluate(item.selector, scope);
    if (!selector) {
      draft.complete = false;
      for (const branch of item.branches) this.#expandBlock(branch.items, scope, draft);
      return;
    }
    const matches = (label: Expression): boolean => {
      const value = evaluate(label, scope);
      return value !== undefined && toNumber(value) === toNumber(selector);
    };
    const branch = item.branches.find((candidate) => candidate.labels.some(matches)) ?? item.branches.find((candidate) => candidate.labels.length === 0);
    if (branch) this.#expandBlock(branch.items, scope, draft);
  }

  #expandFor(item: Extract<Item, { kind: 'generate-for' }>, parent: Scope, draft: { items: ScopedItem[]; complete: boolean }): void {
    let index = evaluate(item.initial, parent);
    for (let count = 0; index && count < MAX_LOOP; count++) {
      const scope = new Scope(parent);
      const value = convert(index, { width: 32, signed: true });
      scope.setConstant(item.variable, value);
      const condition = evaluate(item.condition, scope);
      if (condition?.bits === 0n) return;
      if (!condition) break;
      declareItems(item.items, scope);
      this.#expand(item.items, scope, draft);
      index = evaluate(item.next, scope);
    }
    draft.complete = false;
  }
}

function keyOfAll(overrides: ReadonlyMap<string, Override>): string {
  return [...overrides].sort(([a], [b]) => (a < b ? -1 : 1)).map(([parameter, override]) => keyOf(parameter, override)).join('\n');
}

function keyOf(parameter: string, override: Override): string {
  if (override.value) return `${parameter}=${override.value.width}'${override.value.signed ? 's' : ''}${override.value.bits}`;
  if (!override.type) return `${parameter}?`;
  const type = resolveType({ ...override.type, unpacked: [] });
  return `${parameter}:${type.width ?? '?'}${type.signed ? 's' : ''}`;
}

function parametersOf(summary: ModuleSummary, scope: Scope): Parameter[] {
  const settable = new Set(settableParameters(summary));
  return summary.items.flatMap((item) => {
    if (item.kind !== 'parameter') return [];
    const value = item.type ? scope.constant(item.name) : undefined;
    return [
      {
        name: item.name,
        local: !settable.has(item),
        defaultText: item.valueText,
        value: value && toNumber(value).toString(),
        location: item.location,
      },
    ];
  });
}
