import { declarationOf } from './declaration-ref.ts';
import type { DeclarationRef } from './declaration-ref.ts';
import type { DeclarationIndex, FileNames, Formal, Import, Scope, ScopeIndex, Use, UseAccess, UseIndex } from './model.ts';
import { enclosing, generateBlocks, generateNumber, isArray, isStruct, isUnit, parameterNamed, portNamed } from './scopes.ts';
import type { Place } from './scopes.ts';

/** What other files declare. */
export interface NameLookup {
  /** Design units of a name, best first for a use in file `from`. */
  units(name: string, from: string): readonly DeclarationRef[];
  /** Declarations of a name outside of all design units of other files, best first. */
  outer(name: string, from: string): readonly DeclarationRef[];
  /** What files import outside of all design units, each once: seen from other files where a tool takes all of them as one unit. */
  imported(): readonly Import[];
}

export const noOtherFiles: NameLookup = { units: () => [], outer: () => [], imported: () => [] };

export type Resolution =
  /** Several are generate blocks of one name in different branches, or a mistake. */
  | { readonly kind: 'declared'; readonly targets: readonly DeclarationRef[] }
  /**
   * `undeclared`: no visible scope declares the name, and all of them are known. `unknown-unit`: no file defines the design unit.
   * `no-member`: what it is looked up in is known and lacks it. `uncertain`: something on the way is not known or not followed.
   */
  | { readonly kind: 'unresolved'; readonly reason: 'undeclared' | 'unknown-unit' | 'no-member' | 'uncertain' };

const BUILT_IN: ReadonlySet<string> = new Set(['std', 'process', 'mailbox', 'semaphore']);
const MAX_DEPTH = 40;
/** Packages that import each other, perhaps in a circle. */
const MAX_IMPORTS = 8;

const undeclared: Resolution = { kind: 'unresolved', reason: 'undeclared' };
const uncertain: Resolution = { kind: 'unresolved', reason: 'uncertain' };
const unknownUnit: Resolution = { kind: 'unresolved', reason: 'unknown-unit' };
const noMember: Resolution = { kind: 'unresolved', reason: 'no-member' };

/** Finds what names mean, by IEEE 1800-2017, 23.7 to 23.9, 26.3. Keeps its answers; make a new one when a file changes. */
export class NameResolver {
  readonly #lookup: NameLookup;
  readonly #known = new Map<FileNames, (Resolution | undefined)[]>();
  readonly #declared = new Map<readonly DeclarationIndex[], Resolution>();
  #depth = 0;

  constructor(lookup: NameLookup) {
    this.#lookup = lookup;
  }

  resolve(names: FileNames, index: UseIndex): Resolution {
    let list = this.#known.get(names);
    if (!list) {
      list = [];
      this.#known.set(names, list);
    }
    const known = list[index];
    if (known) return known;
    const use = names.uses[index];
    if (!use || this.#depth > MAX_DEPTH) return uncertain;
    this.#depth++;
    // A use that leads to itself stays uncertain.
    list[index] = uncertain;
    const own = this.#resolve(names, use);
    // An unnamed generate block has no declaration.
    const found = own === undeclared && this.#blocksNamed(names, use).length > 0 ? uncertain : own;
    this.#depth--;
    list[index] = found;
    return found;
  }

  /** The single declaration that a use means, or the first of several. */
  target(names: FileNames, index: UseIndex): DeclarationRef | undefined {
    const found = this.resolve(names, index);
    return found.kind === 'declared' ? found.targets[0] : undefined;
  }

  /** The port, argument or parameter that a connection belongs to; undefined when what it belongs to is not known or has none such. */
  formal(names: FileNames, formal: Formal): DeclarationRef | undefined {
    const owner = this.target(names, formal.of);
    const place = owner && this.insideOf(owner)[0];
    const scope = place && place.names.scopes[place.scope];
    if (!scope) return undefined;
    const index = formal.name === undefined ? scope.ports[formal.position ?? -1] : portNamed(place.names, scope, formal.name);
    return index === undefined ? undefined : { names: place.names, index };
  }

  /** What a use does to the value: `connection` and `argument` are decided by the formal's direction, when that is known. */
  accessOf(names: FileNames, index: UseIndex): UseAccess {
    const use = names.uses[index];
    if (!use) return 'read';
    if ((use.access !== 'connection' && use.access !== 'argument') || !use.formal) return use.access;
    const formal = this.formal(names, use.formal);
    const direction = formal && declarationOf(formal).direction;
    if (direction === 'input') return 'read';
    if (direction === 'output') return 'write';
    if (direction === 'inout' || direction === 'ref') return 'update';
    return use.access;
  }

  /** The design unit of a name, as a use in the file would mean it. */
  unit(names: FileNames, name: string): DeclarationRef | undefined {
    const found = this.#unit(names, 0, name);
    return found.kind === 'declared' ? found.targets[0] : undefined;
  }

  /** What a name means at a place, without a use there. */
  resolveName(names: FileNames, scope: ScopeIndex, name: string): Resolution {
    return this.#lexical(names, scope, name, true);
  }

  /** The scopes in which a declaration's members are looked up: of its inside, or of its type. */
  insideOf(ref: DeclarationRef): readonly Place[] {
    const place = this.#inside(ref, 0);
    return place ? [place] : [];
  }

  /** The method of a base class in whose place a method stands. */
  overridden({ names, index }: DeclarationRef): readonly DeclarationRef[] {
    const declaration = names.declarations[index];
    const scope = names.scopes[declaration?.scope ?? -1];
    if (scope?.kind !== 'class' || scope.base === undefined || (declaration?.kind !== 'function' && declaration?.kind !== 'task') || declaration.name === 'new') return [];
    const inherited = this.#member(names, scope.base, declaration.name);
    return inherited.kind === 'declared' ? inherited.targets : [];
  }

  /** The declarations of a name directly inside a scope, with what a class inherits. */
  membersNamed(place: Place, name: string): readonly DeclarationRef[] {
    return this.#memberIn(place, name, 0).targets;
  }

  #resolve(names: FileNames, use: Use): Resolution {
    switch (use.base.kind) {
      case 'lexical':
        return this.#lexical(names, use.scope, use.name, use.base.orUnit);
      case 'unit':
        return this.#unit(names, use.scope, use.name);
      case 'declared':
        return { kind: 'declared', targets: [{ names, index: use.base.declaration }] };
      case 'member':
        return this.#member(names, use.base.of, use.name);
      case 'port':
        return this.#formalNamed(names, use.base.of, (inside, scope) => portNamed(inside, scope, use.name));
      case 'parameter':
        return this.#formalNamed(names, use.base.of, (inside, scope) => parameterNamed(inside, scope, use.name));
      case 'self':
        return this.#ownMember(names, use.scope, use.name, use.base.word);
      case 'inside':
        return this.#lookedUpIn(names, use.base.of, use.name);
      case 'constructor':
        return this.#constructorOf(names, use.base.of);
      case 'pattern-key':
        return this.#patternKey(names, use);
    }
  }

  #lexical(names: FileNames, start: ScopeIndex, name: string, orUnit: boolean): Resolution {
    let doubt = names.unknownMacros.length > 0;
    for (let index: ScopeIndex | undefined = start; index !== undefined; ) {
      const scope: Scope | undefined = names.scopes[index];
      if (!scope) break;
      if (scope.kind !== 'struct' && scope.kind !== 'union') {
        const found = this.#inScope(names, scope, name, orUnit);
        if (found === 'unknown') doubt = true;
        else if (found) return found;
      }
      index = scope.parent;
    }
    const outer = this.#lookup.outer(name, names.file);
    if (outer.length > 0) return { kind: 'declared', targets: outer.slice(0, 1) };
    for (const entry of this.#lookup.imported()) {
      if (entry.name !== undefined && entry.name !== name) continue;
      const found = this.#packageItem(names, entry.package, name);
      if (found.kind === 'declared') return found;
    }
    if (orUnit) {
      const unit = this.#lookup.units(name, names.file);
      if (unit.length > 0) return { kind: 'declared', targets: unit.slice(0, 1) };
      return uncertain;
    }
    return doubt || BUILT_IN.has(name) ? uncertain : undeclared;
  }

  /** `unknown` when the scope could know the name from somewhere that is not known itself. */
  #inScope(names: FileNames, scope: Scope, name: string, orUnit: boolean): Resolution | 'unknown' | undefined {
    const declared = scope.names.get(name);
    if (declared && (orUnit || !declared.some((index) => isUnit(names, index)))) return this.#declaredBy(names, declared);
    const own = declared?.filter((index) => !isUnit(names, index)) ?? [];
    if (own.length > 0) return { kind: 'declared', targets: own.map((index) => ({ names, index })) };
    let unknown = false;
    for (const entry of scope.imports) {
      if (entry.name !== undefined && entry.name !== name) continue;
      const found = this.#packageItem(names, entry.package, name);
      if (found.kind === 'declared') return found;
      if (found.reason !== 'no-member') unknown = true;
    }
    if (scope.base !== undefined) {
      const found = this.#member(names, scope.base, name);
      if (found.kind === 'declared') return found;
      if (found.reason !== 'no-member') unknown = true;
    }
    return unknown ? 'unknown' : undefined;
  }

  /** One answer for all uses of a name. */
  #declaredBy(names: FileNames, declared: readonly DeclarationIndex[]): Resolution {
    let answer = this.#declared.get(declared);
    if (!answer) {
      answer = { kind: 'declared', targets: declared.map((index) => ({ names, index })) };
      this.#declared.set(declared, answer);
    }
    return answer;
  }

  #packageItem(names: FileNames, packageName: string, name: string, depth = 0): Resolution {
    const unit = this.#unit(names, 0, packageName);
    if (unit.kind !== 'declared') return unit;
    const [ref] = unit.targets;
    const place = ref && this.#inside(ref, 0);
    if (!place) return uncertain;
    const found = this.#memberIn(place, name, depth);
    if (found.targets.length > 0) return { kind: 'declared', targets: found.targets };
    return found.doubt ? uncertain : noMember;
  }

  /** A nested unit first, then one of the file, then one of another file. */
  #unit(names: FileNames, start: ScopeIndex, name: string): Resolution {
    for (let index: ScopeIndex | undefined = start; index !== undefined; index = names.scopes[index]?.parent) {
      const own = (names.scopes[index]?.names.get(name) ?? []).filter((candidate) => isUnit(names, candidate) || names.declarations[candidate]?.kind === 'class');
      if (own.length > 0) return { kind: 'declared', targets: own.map((declaration) => ({ names, index: declaration })) };
    }
    const [other] = this.#lookup.units(name, names.file);
    return other ? { kind: 'declared', targets: [other] } : unknownUnit;
  }

  #member(names: FileNames, of: UseIndex, name: string): Resolution {
    const places = this.#insideOfUse(names, of);
    if (places.length === 0) return uncertain;
    const found = places.map((place) => this.#memberIn(place, name, 0));
    const targets = found.flatMap((each) => each.targets);
    if (targets.length > 0) return { kind: 'declared', targets };
    return found.some(({ doubt }) => doubt) ? uncertain : noMember;
  }

  #ownMember(names: FileNames, start: ScopeIndex, name: string, word: 'this' | 'super'): Resolution {
    for (let index: ScopeIndex | undefined = start; index !== undefined; index = names.scopes[index]?.parent) {
      const scope = names.scopes[index];
      if (scope?.kind === 'class') return word === 'super' ? this.#inherited(names, scope, name) : found(this.#memberIn({ names, scope: index }, name, 0));
      // The body of a method outside of its class.
      if (scope?.base === undefined) continue;
      const [place] = this.#insideOfUse(names, scope.base);
      const owner = place?.names.scopes[place.scope];
      if (!place || !owner) return uncertain;
      return word === 'super' ? this.#inherited(place.names, owner, name) : found(this.#memberIn(place, name, 0));
    }
    return uncertain;
  }

  #inherited(names: FileNames, { base }: Scope, name: string): Resolution {
    return base === undefined ? uncertain : this.#member(names, base, name);
  }

  /** What a name means at the end of what a use names. */
  #lookedUpIn(names: FileNames, of: UseIndex, name: string): Resolution {
    const places = this.#insideOfUse(names, of);
    const resolutions = places.map((place) => this.#lexical(place.names, place.scope, name, true));
    const targets = resolutions.flatMap((each) => (each.kind === 'declared' ? each.targets : []));
    return targets.length > 0 ? { kind: 'declared', targets } : uncertain;
  }

  #insideOfUse(names: FileNames, of: UseIndex): Place[] {
    const base = this.resolve(names, of);
    // A dot behind an array as a whole leads to a method of arrays.
    const isElement = names.uses[of]?.followedBySelect === true;
    if (base.kind === 'declared') return base.targets.flatMap((target) => (isArray(target) && !isElement ? [] : (this.#inside(target, 0) ?? [])));
    const use = names.uses[of];
    return use ? this.#blocksNamed(names, use) : [];
  }

  /** Unnamed generate blocks that a use may mean. */
  #blocksNamed(names: FileNames, use: Use): Place[] {
    const number = generateNumber(use.name);
    if (number === undefined) return [];
    return generateBlocks(use.base.kind === 'member' ? this.#insideOfUse(names, use.base.of) : enclosing(names, use.scope), number);
  }

  #memberIn(place: Place, name: string, depth: number): { readonly targets: readonly DeclarationRef[]; readonly doubt: boolean } {
    const scope = place.names.scopes[place.scope];
    if (!scope || depth > MAX_DEPTH) return { targets: [], doubt: true };
    const own = scope.names.get(name);
    if (own) return { targets: own.map((index) => ({ names: place.names, index })), doubt: false };
    if ((scope.kind === 'modport' || scope.kind === 'clocking') && scope.parent !== undefined) return this.#memberIn({ names: place.names, scope: scope.parent }, name, depth + 1);
    let doubt = place.names.unknownMacros.length > 0;
    if (scope.base !== undefined) {
      const base = this.#insideOfUse(place.names, scope.base)[0];
      if (base) return this.#memberIn(base, name, depth + 1);
      doubt = true;
    }
    // A package may hand on what it imports; a module's import is not seen from outside, but may be in a path.
    for (const entry of scope.kind === 'package' ? scope.imports : []) {
      if (entry.name !== undefined && entry.name !== name) continue;
      const found = depth < MAX_IMPORTS ? this.#packageItem(place.names, entry.package, name, depth + 1) : uncertain;
      if (found.kind === 'declared') return { targets: found.targets, doubt: false };
      if (found.reason !== 'no-member') doubt = true;
    }
    return { targets: [], doubt };
  }

  #inside({ names, index }: DeclarationRef, depth: number): Place | undefined {
    const declaration = names.declarations[index];
    if (!declaration || depth > MAX_DEPTH) return undefined;
    if (declaration.inner !== undefined) return { names, scope: declaration.inner };
    if (declaration.kind === 'type-parameter' || !declaration.type) return undefined;
    if (declaration.type.kind === 'inline') return { names, scope: declaration.type.scope };
    const target = this.target(names, declaration.type.use);
    return target && this.#inside(target, depth + 1);
  }

  #formalNamed(names: FileNames, of: UseIndex, find: (names: FileNames, scope: Scope) => DeclarationIndex | undefined): Resolution {
    const owner = this.resolve(names, of);
    if (owner.kind !== 'declared') return owner.reason === 'unknown-unit' ? uncertain : owner;
    const targets: DeclarationRef[] = [];
    for (const target of owner.targets) {
      const place = this.#inside(target, 0);
      const scope = place?.names.scopes[place.scope];
      const index = place && scope && find(place.names, scope);
      if (place && index !== undefined) targets.push({ names: place.names, index });
      else if (!scope || place.names.unknownMacros.length > 0 || scope.kind === 'class') return uncertain;
    }
    return targets.length > 0 ? { kind: 'declared', targets } : noMember;
  }

  #constructorOf(names: FileNames, of: { readonly use: UseIndex } | { readonly declaration: DeclarationIndex }): Resolution {
    const places = 'use' in of ? this.#insideOfUse(names, of.use) : this.insideOf({ names, index: of.declaration });
    const targets = places.flatMap((place) => (place.names.scopes[place.scope]?.kind === 'class' ? this.#memberIn(place, 'new', 0).targets : []));
    return targets.length > 0 ? { kind: 'declared', targets } : uncertain;
  }

  #patternKey(names: FileNames, use: Use): Resolution {
    if (use.base.kind !== 'pattern-key') return uncertain;
    const { of } = use.base;
    const places = of === undefined ? [] : 'use' in of ? this.#insideOfUse(names, of.use) : this.insideOf({ names, index: of.declaration });
    const members = places.flatMap((place) => (isStruct(place) ? this.#memberIn(place, use.name, 0).targets : []));
    if (members.length > 0) return { kind: 'declared', targets: members };
    const lexical = this.#lexical(names, use.scope, use.name, true);
    // Without a known struct a key is an index or a type, if such a name is there, and perhaps a member otherwise.
    return lexical.kind === 'declared' && of !== undefined ? lexical : uncertain;
  }
}

function found({ targets, doubt }: { readonly targets: readonly DeclarationRef[]; readonly doubt: boolean }): Resolution {
  return targets.length > 0 ? { kind: 'declared', targets } : doubt ? uncertain : noMember;
}
