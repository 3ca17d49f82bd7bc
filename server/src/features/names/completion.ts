import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { Call, DeclarationKind, FileNames, Instance, ScopeIndex } from '../../analysis/names/model.ts';
import { occurrencesWithin } from '../../analysis/names/source.ts';
import type { NamedSource } from '../../analysis/names/source.ts';
import { NameValues } from '../../analysis/names/values.ts';
import type { Span } from '../../base/text.ts';
import { written } from '../../syntax/reserved-words.ts';
import { builtinMethods } from './builtin-methods.ts';
import { closedName } from './closing-label.ts';
import { beforeBrackets, isInComment, placeKind, stripComments } from './completion-place.ts';
import { openPorts, parametersOf, portRefsOf } from './connections.ts';
import { commentOf, declarationText, headerText } from './describe.ts';
import { instanceText, snippetPlaceholders } from './instantiate.ts';
import { DIRECTIVES, KEYWORDS_AT, SYSTEM_NAMES } from './keywords.ts';
import { callAt, instanceAt, preprocessedOffset, scopeAt } from './place.ts';
import type { NameSnapshot } from './snapshot.ts';
import { unfinishedParameters } from './unfinished-instance.ts';

export interface Completion {
  readonly label: string;
  readonly kind: DeclarationKind | 'macro' | 'keyword' | 'system' | 'instance-text';
  /** What is written in the place of `Completions.span`; a snippet when `isSnippet` is true. */
  readonly insert: string;
  readonly isSnippet: boolean;
  /** One line beside the label. */
  readonly detail: string;
  /** For further questions about it. */
  readonly ref: DeclarationRef | undefined;
  /** Lower comes first. */
  readonly rank: number;
}

export interface Completions {
  /** The part of a word before the cursor. */
  readonly span: Span;
  readonly items: readonly Completion[];
}

/** Classes that extend each other in a circle end somewhere. */
const MOST_BASES = 20;

const nothing = (offset: number): Completions => ({ span: { start: offset, end: offset }, items: [] });

/** What may be written at an offset. */
export function completions(snapshot: NameSnapshot, file: string, offset: number): Completions {
  const source = snapshot.source(file);
  if (!source) return nothing(offset);
  const before = source.text.slice(0, offset);
  if (isInComment(before)) return nothing(offset);
  const word = /[\w$]*$/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? '';
  const start = offset - word.length;
  const span = { start, end: offset };
  const ahead = before.slice(0, start).trimEnd();
  const at = new At(snapshot, source, start);
  if (before[start - 1] === '`') return { span, items: at.macros() };
  if (word.startsWith('$')) return { span, items: at.systemNames() };
  if (ahead.endsWith('::')) return { span, items: at.members(ahead.length - 2) };
  if (ahead.endsWith('.')) return { span, items: at.behindDot(ahead) };
  const closed = closedName(ahead);
  if (closed !== undefined) return { span, items: closed === null ? [] : [plain(closed, 'block')] };
  return { span, items: at.names(ahead) };
}

class At {
  readonly #snapshot: NameSnapshot;
  readonly #source: NamedSource;
  /** In the file. */
  readonly #start: number;
  /** In the preprocessed text. */
  readonly #offset: number;
  readonly #scope: ScopeIndex;

  constructor(snapshot: NameSnapshot, source: NamedSource, start: number) {
    this.#snapshot = snapshot;
    this.#source = source;
    this.#start = start;
    this.#offset = preprocessedOffset(source, start);
    this.#scope = scopeAt(source.names, this.#offset);
  }

  macros(): Completion[] {
    const own = this.#source.preprocessed.macros.values();
    const known = new Map([...own].map((macro): [string, Completion] => [macro.name, { ...plain(macro.name, 'macro'), detail: macro.body.split('\n')[0] ?? '', ...(macro.parameters ? { insert: `${macro.name}(\${1:${macro.parameters.map(({ name }) => name).join(', ')}})`, isSnippet: true } : {}) }]));
    for (const symbol of this.#snapshot.symbols()) if (symbol.kind === 'macro' && !known.has(symbol.name)) known.set(symbol.name, { ...plain(symbol.name, 'macro'), rank: 2 });
    return [...known.values(), ...DIRECTIVES.map((name) => ({ ...plain(name, 'keyword'), rank: 1 }))];
  }

  systemNames(): Completion[] {
    return SYSTEM_NAMES.map((name) => plain(name, 'system'));
  }

  /** Ports or parameters of an instance that are not connected yet, or the members of what stands before the dot. */
  behindDot(ahead: string): Completion[] {
    return /[(,]$/.test(ahead.slice(0, -1).trimEnd()) ? this.#connections() : this.members(ahead.length - 1);
  }

  /** Ports or parameters of the instance around the place that are not connected yet, or arguments of a call that are not given. */
  #connections(): Completion[] {
    const { names, preprocessed } = this.#source;
    const call = callAt(names, this.#offset, preprocessed.text);
    if (call) return this.#openArguments(call);
    const at = instanceAt(names, this.#offset, preprocessed.text);
    if (!at) return this.#openParameters();
    const { instance, part } = at;
    const module = this.#snapshot.resolver.target(names, instance.moduleUse);
    if (!module) return [];
    const given = new Set((part === 'ports' ? withoutHere(instance.ports, this.#offset) : withoutHere(instance.parameters, this.#offset)).map(({ name }) => name));
    const open = part === 'ports' ? openPorts(this.#snapshot.resolver, names, { ...instance, ports: withoutHere(instance.ports, this.#offset) }) : parametersOf(module);
    return open
      .filter((ref) => !given.has(declarationOf(ref).name))
      .map((ref, rank) => {
        const name = written(declarationOf(ref).name);
        return { ...this.#completion(ref, rank), insert: `${name}(\${1:${this.#likely(instance, ref, part)}})`, isSnippet: true };
      });
  }

  #openArguments(call: Call): Completion[] {
    const callee = this.#snapshot.resolver.target(this.#source.names, call.callee);
    const given = withoutHere(call.arguments, this.#offset);
    const positional = given.filter(({ kind }) => kind === 'positional').length;
    const open = callee ? portRefsOf(callee).slice(positional).filter((ref) => !given.some(({ name }) => name === declarationOf(ref).name)) : [];
    return open.map((ref, rank) => ({ ...this.#completion(ref, rank), insert: `${written(declarationOf(ref).name)}(\${1:${defaultOf(ref)}})`, isSnippet: true }));
  }

  /** The parameters of an instance that has no name yet. */
  #openParameters(): Completion[] {
    const list = unfinishedParameters(this.#snapshot.resolver, this.#source, this.#start);
    const open = list ? parametersOf(list.module).filter((ref) => !list.given.has(declarationOf(ref).name)) : [];
    return open.map((ref, rank) => ({ ...this.#completion(ref, rank), insert: `${written(declarationOf(ref).name)}(\${1:${defaultOf(ref)}})`, isSnippet: true }));
  }

  /** Directly in the list of an instance, in which nothing is connected by position. */
  #beginsConnection(): boolean {
    const { names, preprocessed } = this.#source;
    const at = instanceAt(names, this.#offset, preprocessed.text);
    const list = at && (at.part === 'ports' ? at.instance.portList : at.instance.parameterList);
    if (!list) return false;
    const before = stripComments(preprocessed.text.slice(list.start + 1, this.#offset));
    const count = (signs: RegExp): number => before.match(signs)?.length ?? 0;
    return count(/[([{]/g) === count(/[)\]}]/g) && (before.trim() === '' || before.trimStart().startsWith('.'));
  }

  /** A net of the port's name is what it is connected to, as a rule. */
  #likely(instance: Instance, ref: DeclarationRef, part: 'ports' | 'parameters'): string {
    const { name } = declarationOf(ref);
    if (part === 'parameters') return defaultOf(ref);
    return this.#snapshot.resolver.resolveName(this.#source.names, instance.scope, name).kind === 'declared' ? written(name).replace(/[$}\\]/g, '\\$&') : '';
  }

  /** What stands in the thing whose name ends at an offset of the file. */
  members(end: number): Completion[] {
    const { names, text, file } = this.#source;
    const { resolver } = this.#snapshot;
    const at = text[end - 1] === ']' ? beforeBrackets(text, end) : end;
    const word = /[A-Za-z_][\w$]*$/.exec(text.slice(Math.max(0, at - 200), at))?.[0] ?? '';
    if (word === 'this' || word === 'super') return this.#membersOfOwnClass(word);
    const use = occurrencesWithin(names, file, { start: at, end: at }).find((each) => each.exact && each.use !== undefined && each.file === file && each.span.end === at)?.use;
    const resolution = use === undefined ? undefined : resolver.resolve(names, use);
    const unit = resolution?.kind === 'declared' ? undefined : resolver.unit(names, word);
    const targets = resolution?.kind === 'declared' ? resolution.targets : unit ? [unit] : [];
    const selects = (text.slice(at, end).match(/\[/g) ?? []).length;
    const builtin = targets.flatMap((target) => builtinMethods(resolver, target, selects)).map(({ name, of }) => ({ ...plain(name, 'function'), detail: `method of ${/^[aeiou]/.test(of) ? 'an' : 'a'} ${of}`, rank: 1 }));
    const own = targets.flatMap((target) => this.#membersOf(target, 0).filter(({ kind }) => declarationOf(target).kind !== 'interface' || kind === 'modport'));
    return [...own, ...builtin].filter(({ ref }) => ref === undefined || declarationOf(ref).kind !== 'package');
  }

  /** What the class around the cursor, or the one that it extends, has. */
  #membersOfOwnClass(word: 'this' | 'super'): Completion[] {
    const { names } = this.#source;
    const { resolver } = this.#snapshot;
    for (let index: ScopeIndex | undefined = this.#scope; index !== undefined; index = names.scopes[index]?.parent) {
      const { kind, owner, base } = names.scopes[index] ?? {};
      // The body of a method that stands outside of its class has that for its base.
      const own = kind === 'class' && owner !== undefined ? { names, index: owner } : base === undefined ? undefined : resolver.target(names, base);
      if (!own) continue;
      const [inside] = resolver.insideOf(own);
      const extended = inside?.names.scopes[inside.scope]?.base;
      const wanted = word === 'this' ? own : extended === undefined ? undefined : inside && resolver.target(inside.names, extended);
      return wanted ? this.#membersOf(wanted, 0) : [];
    }
    return [];
  }

  /** What stands directly in something, with what a modport or clocking block lists and a class inherits, each name once. */
  #membersOf(ref: DeclarationRef, depth: number): Completion[] {
    const { resolver } = this.#snapshot;
    const items = new Map<string, Completion>();
    for (const { names, scope: index } of resolver.insideOf(ref)) {
      const scope = names.scopes[index];
      const listed = scope?.kind === 'modport' || scope?.kind === 'clocking' ? names.uses.flatMap((use, at) => (use.scope === index && use.access === 'declaration' ? (resolver.target(names, at) ?? []) : [])) : [];
      const base = scope?.base === undefined || depth > MOST_BASES ? undefined : resolver.target(names, scope.base);
      const all = [...this.#inScope(names, index, 0), ...listed.map((each) => this.#completion(each, 0)), ...(base ? this.#membersOf(base, depth + 1) : [])];
      for (const item of all) if (!items.has(item.label)) items.set(item.label, item);
    }
    return [...items.values()];
  }

  #inScope(names: FileNames, index: ScopeIndex, rank: number): Completion[] {
    const scope = names.scopes[index];
    if (!scope) return [];
    return [...scope.names.values()].flatMap(([declaration]) => (declaration === undefined || names.declarations[declaration]?.name === 'new' ? [] : [this.#completion({ names, index: declaration }, rank)]));
  }

  names(ahead: string): Completion[] {
    const place = placeKind(this.#source.names, this.#scope, ahead, this.#offset);
    if (place === 'name') return [];
    const items = new Map<string, Completion>();
    const add = (list: readonly Completion[]): void => {
      for (const item of list) if (!items.has(item.label)) items.set(item.label, item);
    };
    const { names } = this.#source;
    const isInList = /[(,]$/.test(ahead);
    const parameters = isInList ? this.#openParameters() : [];
    const open = parameters.length > 0 ? parameters : isInList && this.#beginsConnection() ? this.#connections() : [];
    const connections = open.map((item) => ({ ...item, label: `.${item.label}`, insert: `.${item.insert}` }));
    if (place !== 'unit') {
      for (let scope: ScopeIndex | undefined = this.#scope, rank = 0; scope !== undefined; scope = names.scopes[scope]?.parent, rank++) {
        const kind = names.scopes[scope]?.kind;
        if (kind === 'struct' || kind === 'union') continue;
        add(this.#inScope(names, scope, rank).filter(({ kind: own }) => scope !== 0 || !isUnitKind(own)));
        for (const { package: name, name: only } of names.scopes[scope]?.imports ?? []) {
          const unit = this.#snapshot.resolver.unit(names, name);
          const inside = unit && this.#snapshot.resolver.insideOf(unit)[0];
          if (inside) add(this.#inScope(inside.names, inside.scope, rank).filter(({ label }) => only === undefined || label === only));
        }
      }
    }
    if (place === 'item') add(this.#instances());
    add(this.#packages());
    add(KEYWORDS_AT[place].map((word) => ({ ...plain(word, 'keyword'), rank: 50 })));
    const others = [...items.values()].filter(({ label }) => label !== '');
    return [...connections, ...others.map((item) => ({ ...item, rank: item.rank + connections.length }))];
  }

  /** A whole instance of each known module. */
  #instances(): Completion[] {
    const values = new NameValues(this.#snapshot);
    const units = new Set([...this.#snapshot.symbols()].filter(({ kind }) => kind === 'module' || kind === 'interface').map(({ name }) => name));
    const own = this.#ownUnit();
    return [...units].flatMap((name): Completion[] => {
      const ref = name === own ? undefined : this.#snapshot.resolver.unit(this.#source.names, name);
      if (!ref) return [];
      const insert = instanceText(ref, values, { indent: '', place: snippetPlaceholders() });
      return [{ label: name, kind: 'instance-text', insert, isSnippet: true, detail: `instance of ${declarationOf(ref).kind} ${name}`, ref, rank: 20 }];
    });
  }

  #ownUnit(): string | undefined {
    const { names } = this.#source;
    for (let scope: ScopeIndex | undefined = this.#scope; scope !== undefined; scope = names.scopes[scope]?.parent) {
      const { parent, owner } = names.scopes[scope] ?? {};
      if (parent === 0 && owner !== undefined) return names.declarations[owner]?.name;
    }
    return undefined;
  }

  #packages(): Completion[] {
    const found = [...this.#snapshot.symbols()].filter(({ kind }) => kind === 'package');
    return found.map(({ name }) => ({ ...plain(name, 'package'), insert: name, rank: 40 }));
  }

  #completion(ref: DeclarationRef, rank: number): Completion {
    const { name, kind } = declarationOf(ref);
    return { label: name, kind, insert: written(name), isSnippet: false, detail: declarationText(ref), ref, rank };
  }
}

/** The default of a parameter, for a snippet. */
function defaultOf(ref: DeclarationRef): string {
  return declarationOf(ref).valueText?.replace(/[$}\\]/g, '\\$&') ?? '';
}

function withoutHere<T extends { readonly span: Span }>(connections: readonly T[], offset: number): T[] {
  return connections.filter(({ span }) => offset < span.start || offset > span.end + 1);
}

function plain(label: string, kind: Completion['kind']): Completion {
  return { label, kind, insert: label, isSnippet: false, detail: '', ref: undefined, rank: 0 };
}

function isUnitKind(kind: Completion['kind']): boolean {
  return kind === 'module' || kind === 'interface' || kind === 'program' || kind === 'primitive' || kind === 'package' || kind === 'config' || kind === 'checker';
}

/** The long text about a completion, in Markdown. */
export function completionDocumentation(snapshot: NameSnapshot, ref: DeclarationRef): string {
  const { kind } = declarationOf(ref);
  const code = kind === 'module' || kind === 'interface' ? headerText(ref) : declarationText(ref);
  return [`\`\`\`systemverilog\n${code}\n\`\`\``, commentOf(snapshot, ref)].filter((part) => part !== '').join('\n\n');
}
