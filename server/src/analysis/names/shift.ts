import type { Steps } from '../../base/steps.ts';
import type { Span } from '../../base/text.ts';
import type { OpenDeclaration, OpenScope, OpenUse } from './builder.ts';
import type { Call, DeclarationIndex, Formal, Instance, PortConnection, Process, ScopeIndex, TypeReference, UseBase, UseIndex } from './model.ts';

/** How many entries of each list of a model there are. */
export interface Counts {
  readonly scopes: number;
  readonly declarations: number;
  readonly uses: number;
  readonly instances: number;
  readonly calls: number;
  readonly processes: number;
  readonly unknownMacros: number;
  /** Of the compilation unit. */
  readonly imports: number;
  readonly parameters: number;
}

/** The lists of a model, while it is read. */
export interface NameLists {
  readonly scopes: OpenScope[];
  readonly declarations: OpenDeclaration[];
  readonly uses: OpenUse[];
  readonly instances: Instance[];
  readonly calls: Call[];
  readonly processes: Process[];
  readonly unknownMacros: Span[];
}

export function countsOf({ scopes, declarations, uses, instances, calls, processes, unknownMacros }: NameLists): Counts {
  return {
    scopes: scopes.length,
    declarations: declarations.length,
    uses: uses.length,
    instances: instances.length,
    calls: calls.length,
    processes: processes.length,
    unknownMacros: unknownMacros.length,
    imports: scopes[0]?.imports.length ?? 0,
    parameters: scopes[0]?.parameters.length ?? 0,
  };
}

export function changed(a: Counts, b: Counts, change: (a: number, b: number) => number): Counts {
  return {
    scopes: change(a.scopes, b.scopes),
    declarations: change(a.declarations, b.declarations),
    uses: change(a.uses, b.uses),
    instances: change(a.instances, b.instances),
    calls: change(a.calls, b.calls),
    processes: change(a.processes, b.processes),
    unknownMacros: change(a.unknownMacros, b.unknownMacros),
    imports: change(a.imports, b.imports),
    parameters: change(a.parameters, b.parameters),
  };
}

/** Entries that are moved in one step. */
const STEP = 2000;

/**
 * Moves what was read of a text into the model of another one, in which it stands by `offset` further on and behind by so many
 * more entries of each list. Nothing of it refers to what was read before it, but for the compilation unit.
 */
export class Shift {
  readonly #offset: number;
  readonly #by: Counts;

  constructor(offset: number, by: Counts) {
    this.#offset = offset;
    this.#by = by;
  }

  /** Appends what stands in `from` behind the counts `first` to `to`. */
  *append(from: NameLists, first: Counts, to: NameLists): Steps<void> {
    yield* this.#each(from.scopes, first.scopes, to.scopes, (scope) => this.#scope(scope));
    yield* this.#each(from.declarations, first.declarations, to.declarations, (declaration) => this.#declaration(declaration));
    yield* this.#each(from.uses, first.uses, to.uses, (use) => this.#use(use));
    yield* this.#each(from.instances, first.instances, to.instances, (instance) => this.#instance(instance));
    yield* this.#each(from.calls, first.calls, to.calls, (call) => this.#call(call));
    yield* this.#each(from.processes, first.processes, to.processes, (process) => ({ ...process, scope: this.#scopeAt(process.scope), extent: this.#span(process.extent) }));
    yield* this.#each(from.unknownMacros, first.unknownMacros, to.unknownMacros, (span) => this.#span(span));
    const [before, after] = [from.scopes[0], to.scopes[0]];
    if (!before || !after) return;
    after.imports.push(...before.imports.slice(first.imports));
    after.parameters.push(...before.parameters.slice(first.parameters).map((index) => this.#declarationAt(index)));
  }

  *#each<T>(from: readonly T[], first: number, to: T[], move: (entry: T) => T): Steps<void> {
    for (let at = first; at < from.length; at++) {
      const entry = from[at];
      if (entry !== undefined) to.push(move(entry));
      if (at % STEP === 0) yield;
    }
  }

  #span({ start, end }: Span): Span {
    return { start: start + this.#offset, end: end + this.#offset };
  }

  #optional(span: Span | undefined): Span | undefined {
    return span && this.#span(span);
  }

  /** The compilation unit is around all. */
  #scopeAt(index: ScopeIndex): ScopeIndex {
    return index === 0 ? 0 : index + this.#by.scopes;
  }

  #declarationAt(index: DeclarationIndex): DeclarationIndex {
    return index + this.#by.declarations;
  }

  #useAt(index: UseIndex): UseIndex {
    return index + this.#by.uses;
  }

  #scope(scope: OpenScope): OpenScope {
    const isSame = this.#by.declarations === 0;
    const move = (list: readonly DeclarationIndex[]): DeclarationIndex[] => list.map((index) => this.#declarationAt(index));
    return {
      ...scope,
      parent: scope.parent === undefined ? undefined : this.#scopeAt(scope.parent),
      owner: scope.owner === undefined ? undefined : this.#declarationAt(scope.owner),
      extent: this.#span(scope.extent),
      names: isSame ? scope.names : new Map([...scope.names].map(([name, list]) => [name, move(list)])),
      ports: isSame ? scope.ports : move(scope.ports),
      parameters: isSame ? scope.parameters : move(scope.parameters),
      base: scope.base === undefined ? undefined : this.#useAt(scope.base),
    };
  }

  #declaration(declaration: OpenDeclaration): OpenDeclaration {
    return {
      ...declaration,
      span: this.#span(declaration.span),
      extent: this.#span(declaration.extent),
      scope: this.#scopeAt(declaration.scope),
      inner: declaration.inner === undefined ? undefined : this.#scopeAt(declaration.inner),
      type: declaration.type && this.#type(declaration.type),
      valueSpan: this.#optional(declaration.valueSpan),
    };
  }

  #type(type: TypeReference): TypeReference {
    return type.kind === 'named' ? { ...type, use: this.#useAt(type.use) } : { ...type, scope: this.#scopeAt(type.scope) };
  }

  #use(use: OpenUse): OpenUse {
    return {
      ...use,
      span: this.#span(use.span),
      scope: this.#scopeAt(use.scope),
      base: this.#base(use.base),
      process: use.process === undefined ? undefined : use.process + this.#by.processes,
      formal: use.formal && this.#formal(use.formal),
    };
  }

  #base(base: UseBase): UseBase {
    switch (base.kind) {
      case 'lexical':
      case 'unit':
      case 'self':
        return base;
      case 'declared':
        return { ...base, declaration: this.#declarationAt(base.declaration) };
      case 'constructor':
        return { ...base, of: this.#owner(base.of) };
      case 'pattern-key':
        return { ...base, of: base.of && this.#owner(base.of) };
      default:
        return { ...base, of: this.#useAt(base.of) };
    }
  }

  #owner<T extends { readonly use: UseIndex } | { readonly declaration: DeclarationIndex }>(of: T): T {
    return 'use' in of ? { ...of, use: this.#useAt(of.use) } : { ...of, declaration: this.#declarationAt(of.declaration) };
  }

  #formal(formal: Formal): Formal {
    return { ...formal, of: this.#useAt(formal.of) };
  }

  #connections(list: readonly PortConnection[]): readonly PortConnection[] {
    return list.map((connection) => ({
      ...connection,
      use: connection.use === undefined ? undefined : this.#useAt(connection.use),
      span: this.#span(connection.span),
      expression: this.#optional(connection.expression),
    }));
  }

  #instance(instance: Instance): Instance {
    return {
      ...instance,
      declaration: instance.declaration === undefined ? undefined : this.#declarationAt(instance.declaration),
      moduleUse: this.#useAt(instance.moduleUse),
      scope: this.#scopeAt(instance.scope),
      extent: this.#span(instance.extent),
      parameterList: this.#optional(instance.parameterList),
      parameters: this.#connections(instance.parameters),
      portList: this.#optional(instance.portList),
      ports: this.#connections(instance.ports),
    };
  }

  #call(call: Call): Call {
    return { callee: this.#useAt(call.callee), list: this.#span(call.list), arguments: this.#connections(call.arguments) };
  }
}
