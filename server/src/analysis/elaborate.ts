import type { DataType, Expression } from './ast.ts';
import { evaluate, evaluateNumber, resolveType, totalWidth } from './constant.ts';
import { constantFunction } from './constant-function.ts';
import type { Connection, FileSummary, InstanceItem, Item, ModuleSummary, ParameterItem, PortItem } from './items.ts';
import type { Library, ModuleEntry } from './library.ts';
import type { Parameter, Port } from './module.ts';
import { convert, fromNumber, toNumber } from './operators.ts';
import { constantOf, enumNames } from './resolve-type.ts';
import { Scope } from './scope.ts';
import type { Value } from './scope.ts';

/** What replaces the default of a parameter: a value, or for a type parameter a type with the scope of its names. */
export interface Override {
  readonly value?: Value | undefined;
  readonly type?: { readonly type: DataType; readonly scope: Scope } | undefined;
}

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

/** What an instance sees of the module that it names. */
export interface InstanceInterface extends ModuleEntry {
  readonly ports: readonly Port[];
  /** Interface and reference ports. */
  readonly otherPorts: readonly string[];
  readonly portNamed: ReadonlyMap<string, Port>;
}

/** The port that a connection of an instance means; undefined where the module has none such, or a port before it may be an interface. */
export function connectedPort({ ports, otherPorts, portNamed }: InstanceInterface, { port }: Pick<Connection, 'port'>, index: number): Port | undefined {
  if (port !== undefined) return portNamed.get(port);
  return otherPorts.length > 0 ? undefined : ports[index];
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
    this.#declare(summary.items, scope, overrides);
    return scope;
  }

  /** The names of a package; undefined when there is no such package. */
  packageScope(name: string): Scope | undefined {
    return this.#package(name);
  }

  /** The names of a block or subroutine inside another scope. */
  blockScope(items: readonly Item[], parent: Scope): Scope {
    const scope = new Scope(parent);
    this.#declare(items, scope, new Map());
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
      this.#declare(file.items, scope, new Map());
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
    this.#declare(entry.package.items, scope, new Map());
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

  /** Enters the names that items declare into their scope; generate blocks have scopes of their own. */
  #declare(items: readonly Item[], scope: Scope, overrides: ReadonlyMap<string, Override>): void {
    for (const item of items) {
      switch (item.kind) {
        case 'parameter':
          declareParameter(item, scope, overrides.get(item.name));
          break;
        case 'typedef':
          scope.defineType(item.name, { type: item.type, unpacked: item.unpacked, scope });
          declareEnum(item.type, scope);
          break;
        case 'variable':
        case 'port':
          declareVariable(item, scope);
          break;
        case 'function':
          scope.defineFunction(item.name, constantFunction(item, scope));
          break;
        case 'import': {
          const source = (): Scope | undefined => scope.package(item.package);
          if (item.name === undefined) scope.importAll(source);
          else scope.importName(item.name, source);
          break;
        }
        default:
      }
    }
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
      this.#declare(item.items, scope, new Map());
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

/** Parameters that an instance may set: those of the header, or of the body where there is no header list. */
export function settableParameters(module: ModuleSummary): ParameterItem[] {
  const all = module.items.filter((item) => item.kind === 'parameter');
  const header = all.filter((parameter) => parameter.header);
  return (header.length > 0 ? header : all).filter((parameter) => !parameter.local);
}

/** Evaluates what an instance, or a user, gives for a parameter. */
export function makeOverride(parameter: ParameterItem, expression: Expression, scope: Scope): Override {
  if (parameter.type) return { value: evaluate(expression, scope) };
  if (expression.kind === 'type') return { type: { type: expression.type, scope } };
  if (expression.kind === 'name') return { type: { type: { kind: 'named', scope: expression.scope, name: expression.name, packed: [] }, scope } };
  return {};
}

/** Gives a scope a parameter, to be evaluated when it is asked for. */
export function declareParameter(item: ParameterItem, scope: Scope, override: Override | undefined): void {
  if (!item.type) {
    const type = override?.type ?? (item.typeDefault && { type: item.typeDefault, scope });
    if (type) scope.defineType(item.name, { type: type.type, unpacked: [], scope: type.scope });
    return;
  }
  const declared = item.type;
  scope.defineConstant(item.name, () => {
    if (item.unpacked.length > 0) return undefined;
    const untyped = declared.kind === 'vector' && declared.keyword === '' && declared.packed.length === 0;
    const type = untyped ? undefined : resolveType({ type: declared, unpacked: [], scope });
    const given = override ? override.value : item.value && evaluate(item.value, scope, type?.width ?? 0);
    if (!given) return undefined;
    if (untyped) return declared.signed ? { ...given, signed: true } : given;
    // A string parameter keeps the width of its value.
    if (declared.kind === 'string') return given;
    return type && constantOf(given, type);
  });
}

export function declareVariable(item: PortItem | Extract<Item, { kind: 'variable' }>, scope: Scope): void {
  const { type } = item;
  const known = scope.holderOf(item.name) === scope ? scope.variable(item.name) : undefined;
  // The port declaration and the variable declaration of one name complete each other in a non-ANSI module.
  const empty = type.kind === 'vector' && type.packed.length === 0 && item.unpacked.length === 0;
  if (known && empty) {
    if (type.signed && known.type.kind === 'vector') scope.defineVariable(item.name, { type: { ...known.type, signed: true }, unpacked: known.unpacked, scope });
    return;
  }
  const signed = known?.type.kind === 'vector' && known.type.signed;
  scope.defineVariable(item.name, { type: signed && type.kind === 'vector' ? { ...type, signed: true } : type, unpacked: item.unpacked, scope });
  declareEnum(type, scope);
}

/** Members of an enumeration are constants of the scope that declares it, IEEE 1800-2017, 6.19. */
export function declareEnum(type: DataType, scope: Scope): void {
  if (type.kind !== 'enum') return;
  let previous: string | undefined;
  for (const { name, value } of enumNames(type.members, scope, evaluateNumber)) {
    const before = previous;
    scope.defineConstant(name, () => {
      const base = type.base ? resolveType({ type: type.base, unpacked: [], scope }) : { width: 32, signed: true };
      if (base.width === undefined) return undefined;
      const size = { width: base.width, signed: base.signed };
      if (value) {
        const given = evaluate(value, scope);
        return given && convert(given, size);
      }
      if (before === undefined) return fromNumber(0n, size);
      const last = scope.constant(before);
      return last && fromNumber(toNumber(last) + 1n, size);
    });
    previous = name;
  }
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

function portsOf(summary: ModuleSummary, scope: Scope, library: Library): { ports: Port[]; otherPorts: string[] } {
  const declared = new Map(summary.items.flatMap((item) => (item.kind === 'port' ? [[item.name, item] as const] : [])));
  const ports: Port[] = [];
  const otherPorts: string[] = [];
  for (const header of summary.headerPorts) {
    const inside = header.internal ? portNames(header.internal) : [];
    const item = declared.get(inside[0] ?? header.name);
    if (!item || header.internal === undefined) {
      otherPorts.push(header.name);
      continue;
    }
    const isInterface = item.type.kind === 'named' && item.type.scope === undefined && !scope.type(item.type.name) && library.module(item.type.name)?.module.kind === 'interface';
    if (item.direction === 'ref' || item.direction === 'interface' || isInterface) {
      otherPorts.push(header.name);
      continue;
    }
    const binding = scope.variable(item.name);
    const type = binding && resolveType(binding);
    const whole = header.internal.kind === 'name';
    const width = whole ? type && totalWidth(type) : partWidth(header.internal, scope);
    ports.push({
      name: header.name,
      direction: item.direction,
      width,
      packed: whole ? (type?.packed ?? []) : width === undefined || width === 1 ? [] : [{ left: width - 1, right: 0 }],
      unpacked: whole ? (type?.unpacked ?? []) : [],
      signed: whole && (type?.signed ?? false),
      location: header.location,
    });
  }
  return { ports, otherPorts };
}

function portNames(expression: Expression): string[] {
  switch (expression.kind) {
    case 'name':
      return [expression.name];
    case 'select':
    case 'range':
      return portNames(expression.base);
    case 'concatenation':
      return expression.parts.flatMap(portNames);
    default:
      return [];
  }
}

function partWidth(expression: Expression, scope: Scope): number | undefined {
  if (expression.kind === 'range') {
    const left = evaluateNumber(expression.left, scope);
    const right = evaluateNumber(expression.right, scope);
    return left === undefined || right === undefined ? undefined : Math.abs(left - right) + 1;
  }
  if (expression.kind === 'select') return 1;
  if (expression.kind !== 'concatenation') {
    const binding = expression.kind === 'name' ? scope.variable(expression.name) : undefined;
    return binding && totalWidth(resolveType(binding));
  }
  const widths = expression.parts.map((part) => partWidth(part, scope));
  return widths.reduce((sum, width) => (sum === undefined || width === undefined ? undefined : sum + width), 0);
}
