import type { Span } from '../../base/text.ts';
import type { Tokens } from '../../syntax/lexer.ts';
import type { SourceMap } from '../../syntax/source-map.ts';
import type {
  Call,
  Declaration,
  DeclarationIndex,
  DeclarationKind,
  FileNames,
  Formal,
  Import,
  Instance,
  Process,
  Scope,
  ScopeIndex,
  ScopeKind,
  Use,
  UseAccess,
  UseBase,
  UseIndex,
} from './model.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A scope whose end has not been met yet. */
export interface OpenScope extends Mutable<Omit<Scope, 'names' | 'imports' | 'ports' | 'parameters'>> {
  readonly names: Map<string, DeclarationIndex[]>;
  readonly imports: Import[];
  readonly ports: DeclarationIndex[];
  readonly parameters: DeclarationIndex[];
  /** A parameter list in the header makes the parameters of the body local. */
  parametersClosed: boolean;
  /** Generate constructs met so far directly in it. */
  generates: number;
}

export type OpenDeclaration = Mutable<Declaration>;
export type OpenUse = Mutable<Use>;

/** What a declaration says besides its kind and name. */
export type DeclarationDetails = Partial<Pick<Declaration, 'type' | 'direction' | 'typeText' | 'dimensionsText' | 'valueText' | 'valueSpan' | 'local' | 'hidden' | 'implicit' | 'extent'>>;

/** Walks over the tokens of a text and collects its scopes, declarations and uses. */
export class NamesBuilder {
  readonly text: string;
  readonly tokens: Tokens;
  at = 0;
  readonly scopes: OpenScope[] = [];
  readonly declarations: OpenDeclaration[] = [];
  readonly uses: OpenUse[] = [];
  readonly instances: Instance[] = [];
  readonly calls: Call[] = [];
  readonly processes: Mutable<Process>[] = [];
  readonly unknownMacros: Span[] = [];
  scope: ScopeIndex = 0;
  process: number | undefined;
  /** Depth of constructs that are not followed in detail. */
  soft = 0;
  formal: Formal | undefined;

  /** Something was decided by what stands far behind it. */
  looksFar = false;
  /** The last answer of `nextModuleWord` and what it was asked. */
  #moduleWord = { from: 0, at: -1 };

  constructor(text: string, tokens: Tokens) {
    this.text = text;
    this.tokens = tokens;
    this.openScope('compilation-unit', undefined, 0);
  }

  finish(file: string, map: SourceMap): FileNames {
    const { scopes, declarations, uses, instances, calls, processes, unknownMacros, text } = this;
    const root = scopes[0];
    if (root) root.extent = { start: 0, end: text.length };
    return { file, map, scopes, declarations, uses, instances, calls, processes, unknownMacros };
  }

  // Tokens.

  isDone(): boolean {
    return this.at >= this.tokens.length;
  }

  /** The word or operator at a distance; empty for the end and for strings and escaped names, which equal no keyword. */
  peek(ahead = 0): string {
    const index = this.at + ahead;
    const kind = this.tokens.kinds[index];
    return kind === undefined || kind === 'string' || kind === 'identifier' ? '' : (this.tokens.texts[index] ?? '');
  }

  isName(ahead = 0): boolean {
    return this.tokens.kinds[this.at + ahead] === 'identifier';
  }

  accept(word: string): boolean {
    if (this.peek() !== word) return false;
    this.at++;
    return true;
  }

  acceptOneOf(words: ReadonlySet<string>): string | undefined {
    const word = this.peek();
    if (word === '' || !words.has(word)) return undefined;
    this.at++;
    return word;
  }

  /** Offset of the token at a distance, or the end of the text. */
  startAt(index = this.at): number {
    return this.tokens.starts[index] ?? this.text.length;
  }

  /** Offset behind the token before the current one. */
  get lastEnd(): number {
    return this.at > 0 ? (this.tokens.ends[this.at - 1] ?? this.text.length) : 0;
  }

  spanFrom(start: number): Span {
    return { start, end: Math.max(start, this.lastEnd) };
  }

  textFrom(start: number): string {
    return this.text.slice(start, Math.max(start, this.lastEnd));
  }

  /** The index behind the parenthesis that closes the one at `index`; stops at the end of a statement that lacks it. */
  behindGroup(index: number): number {
    let depth = 0;
    for (let at = index; at < this.tokens.length; at++) {
      if (this.tokens.kinds[at] !== 'operator' && this.tokens.kinds[at] !== 'keyword') continue;
      const text = this.tokens.texts[at] ?? '';
      if (text === '(' || text === '[' || text === '{' || text === "'{" || text === "'(") depth++;
      else if ((text === ')' || text === ']' || text === '}') && --depth <= 0) return at + 1;
      else if (text === 'endmodule' || text === 'module') return at;
    }
    return this.tokens.length;
  }

  // Scopes.

  openScope(kind: ScopeKind, owner: DeclarationIndex | undefined, start: number): ScopeIndex {
    const index = this.scopes.length;
    this.scopes.push({
      kind,
      parent: index === 0 ? undefined : this.scope,
      owner,
      extent: { start, end: start },
      names: new Map(),
      imports: [],
      ports: [],
      parameters: [],
      base: undefined,
      generateNumber: undefined,
      parametersClosed: false,
      generates: 0,
    });
    const declaration = owner === undefined ? undefined : this.declarations[owner];
    if (declaration) declaration.inner = index;
    this.scope = index;
    return index;
  }

  closeScope(): void {
    const scope = this.current;
    scope.extent = { start: scope.extent.start, end: Math.max(this.lastEnd, scope.extent.start) };
    const declaration = scope.owner === undefined ? undefined : this.declarations[scope.owner];
    if (declaration) declaration.extent = { start: Math.min(declaration.extent.start, scope.extent.start), end: scope.extent.end };
    this.scope = scope.parent ?? 0;
  }

  /** Closes every scope but that of the compilation unit, whatever was being read. */
  leaveAll(): void {
    while (this.scope !== 0) this.closeScope();
    this.process = undefined;
    this.formal = undefined;
    this.soft = 0;
  }

  get current(): OpenScope {
    const scope = this.scopes[this.scope];
    if (!scope) throw new Error('a scope is always open');
    return scope;
  }

  /** Runs with a process around what is read. */
  inProcess(kind: Process['kind'], start: number, read: () => void): void {
    const outer = this.process;
    this.process = this.processes.length;
    const process: Mutable<Process> = { kind, scope: this.scope, extent: { start, end: start } };
    this.processes.push(process);
    read();
    process.extent = this.spanFrom(start);
    this.process = outer;
  }

  softly(read: () => void): void {
    this.soft++;
    read();
    this.soft--;
  }

  /** The index, from one on, of the next word that begins or ends a module; the number of tokens where there is none. */
  nextModuleWord(from: number): number {
    this.looksFar = true;
    const known = this.#moduleWord;
    if (known.from <= from && from <= known.at) return known.at;
    let at = from;
    while (at < this.tokens.length && !/^(?:macro|end)?module$/.test(this.tokens.texts[at] ?? '')) at++;
    this.#moduleWord = { from, at };
    return at;
  }

  // Declarations and uses.

  /** Declares the name at the current token and steps over it. */
  declareHere(kind: DeclarationKind, details: DeclarationDetails = {}, scope: ScopeIndex = this.scope): DeclarationIndex {
    const span = { start: this.startAt(), end: this.tokens.ends[this.at] ?? this.text.length };
    const name = this.tokens.texts[this.at] ?? '';
    this.at++;
    return this.declare(kind, name, span, details, scope);
  }

  declare(kind: DeclarationKind, name: string, span: Span, details: DeclarationDetails, scope: ScopeIndex): DeclarationIndex {
    const index = this.declarations.length;
    this.declarations.push({
      kind,
      name,
      span,
      extent: details.extent ?? span,
      scope,
      inner: undefined,
      type: details.type,
      direction: details.direction,
      typeText: details.typeText ?? '',
      dimensionsText: details.dimensionsText ?? '',
      valueText: details.valueText,
      valueSpan: details.valueSpan,
      local: details.local ?? false,
      hidden: details.hidden ?? false,
      implicit: details.implicit ?? false,
    });
    if (details.hidden !== true) {
      const names = this.scopes[scope]?.names;
      const known = names?.get(name);
      if (known) known.push(index);
      else names?.set(name, [index]);
    }
    return index;
  }

  declarationOf(index: DeclarationIndex): OpenDeclaration {
    const declaration = this.declarations[index];
    if (!declaration) throw new Error('a declaration keeps its index');
    return declaration;
  }

  /** Uses the name at the current token and steps over it. */
  useHere(base: UseBase, access: UseAccess): UseIndex {
    const index = this.use(this.at, base, access);
    this.at++;
    return index;
  }

  use(token: number, base: UseBase, access: UseAccess): UseIndex {
    const index = this.uses.length;
    this.uses.push({
      name: this.tokens.texts[token] ?? '',
      span: { start: this.startAt(token), end: this.tokens.ends[token] ?? this.text.length },
      scope: this.scope,
      base,
      access,
      partial: false,
      followedBySelect: false,
      soft: this.soft > 0,
      shorthand: false,
      process: this.process,
      formal: this.formal,
    });
    return index;
  }

  change(use: UseIndex, change: Partial<Mutable<Use>>): void {
    const known = this.uses[use];
    if (known) Object.assign(known, change);
  }
}
