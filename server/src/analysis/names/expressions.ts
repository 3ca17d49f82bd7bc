import type { NamesBuilder } from './builder.ts';
import type { DeclarationIndex, PortConnection, UseAccess, UseBase, UseIndex } from './model.ts';

/** Words at which an expression ends, whatever is still open: they begin or end items and statements. */
const HARD_STOPS: ReadonlySet<string> = new Set([
  'module', 'macromodule', 'endmodule', 'interface', 'endinterface', 'program', 'endprogram', 'package', 'endpackage', 'class', 'endclass', 'primitive', 'endprimitive',
  'begin', 'end', 'fork', 'join', 'join_any', 'join_none', 'endcase', 'function', 'endfunction', 'task', 'endtask', 'generate', 'endgenerate', 'assign', 'initial',
  'always_comb', 'always_ff', 'always_latch', 'always', 'wire', 'reg', 'localparam', 'parameter', 'endproperty', 'endsequence', 'endclocking', 'endgroup', 'endspecify', 'endchecker', 'typedef',
]);

const ASSIGNMENTS: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '<<<=', '>>>=']);

/** Methods of arrays that are keywords (IEEE 1800-2017, 7.12). */
const KEYWORD_METHODS: ReadonlySet<string> = new Set(['and', 'or', 'xor', 'unique']);

/** Behind these a dot begins the name of a pattern, as in `tagged Some .value` (IEEE 1800-2017, 12.6). */
const BEFORE_PATTERN: ReadonlySet<string> = new Set(['matches', ',', '{', "'{", '(']);

/** System tasks that write into their arguments. */
const WRITING_TASKS = /^\$(?:readmem[bh]|f?scanf|sscanf|fgets|fread|ferror|value\$plusargs|cast|fgetc|random|urandom|dist_\w+|sformat|swrite[bho]?)$/;

/** System functions that look at the type of their argument only (IEEE 1800-2017, 20.6 and 20.7). */
const TYPE_QUERIES = /^\$(?:bits|typename|left|right|low|high|increment|size|dimensions|unpacked_dimensions)$/;

/** Whose type an assignment pattern has. */
export type PatternType = { readonly use: UseIndex } | { readonly declaration: DeclarationIndex } | undefined;

export function isHardStop(word: string): boolean {
  return HARD_STOPS.has(word);
}

export function isAssignment(word: string): boolean {
  return ASSIGNMENTS.has(word);
}

/** Reads an expression up to a separator, a closing bracket or the colon of something else. May read nothing. */
export function readExpression(b: NamesBuilder, access: UseAccess = 'read', pattern?: PatternType): void {
  let questions = 0;
  while (!b.isDone()) {
    switch (b.tokens.kinds[b.at]) {
      case 'identifier':
        readPathOrAssignment(b, access);
        break;
      case 'system':
        readSystemCall(b);
        break;
      case 'macro':
        readUnknownMacro(b);
        break;
      case 'keyword':
        if (isHardStop(b.peek())) return;
        readKeyword(b, access, pattern);
        break;
      case 'operator': {
        const word = b.peek();
        if (word === ',' || word === ';' || word === ')' || word === ']' || word === '}') return;
        if (word === ':' && questions-- === 0) return;
        if (word === '?') questions++;
        if (word === '.' && b.isName(1) && isBeforePattern(b)) readPatternName(b);
        else if (word === '(' || word === '[' || word === '{' || word === "'(") readGroup(b, access);
        else if (word === "'{") readPattern(b, pattern);
        else b.at++;
        break;
      }
      default:
        b.at++;
    }
  }
}

function isBeforePattern(b: NamesBuilder): boolean {
  return BEFORE_PATTERN.has(b.tokens.texts[b.at - 1] ?? '') || b.tokens.texts[b.at - 2] === 'tagged';
}

/** The name of a pattern is declared by it; the same name may stand in several patterns of one statement. */
function readPatternName(b: NamesBuilder): void {
  b.at++;
  if (b.current.names.has(b.tokens.texts[b.at] ?? '')) b.at++;
  else b.declareHere('variable');
}

function readKeyword(b: NamesBuilder, access: UseAccess, type: PatternType): void {
  const word = b.peek();
  if (word === 'new' && type && b.peek(1) !== '[') {
    readConstructor(b, type);
    return;
  }
  b.at++;
  // What `local::` names stands outside of the object that is randomized (IEEE 1800-2017, 18.7.1).
  if (word === 'local' && b.peek() === '::' && b.isName(1)) {
    const scope = b.scope;
    while (b.current.kind === 'block' && b.current.base !== undefined) b.scope = b.current.parent ?? 0;
    b.at++;
    readPath(b, access);
    b.scope = scope;
    return;
  }
  // What follows is a member of the union that is assigned or tested.
  if (word === 'tagged' && b.isName()) b.at++;
  else if (word === 'virtual' && (b.accept('interface') || b.isName()) && b.isName()) {
    b.useHere({ kind: 'lexical', orUnit: true }, 'type');
    if (b.peek() === '.' && b.isName(1)) b.at += 2;
  } else if ((word === 'this' || word === 'super') && b.peek() === '.' && (b.isName(1) || b.peek(1) === 'new')) {
    b.at++;
    readPathOrAssignment(b, access, word);
  } else if (word === 'with' && (b.peek() === '(' || b.peek() === '{' || b.peek() === '[')) b.softly(() => readGroup(b, 'read'));
}

/** Reads `new` and its arguments; `of` says whose constructor it is. */
function readConstructor(b: NamesBuilder, of: NonNullable<PatternType>): void {
  const use = b.useHere({ kind: 'constructor', of }, 'call');
  if (b.peek() === '(') readCall(b, use);
}

function readPathOrAssignment(b: NamesBuilder, access: UseAccess, self?: 'this' | 'super'): void {
  const path = readPath(b, access, self);
  const word = b.peek();
  if (isAssignment(word)) setAccess(b, path, word === '=' ? 'write' : 'update');
  else if (word === '++' || word === '--') setAccess(b, path, 'update');
}

export function setAccess(b: NamesBuilder, path: readonly UseIndex[], access: UseAccess): void {
  for (const use of path) b.change(use, { access });
}

/** What a use as the whole of an argument keeps, but not what stands inside its brackets. */
function withoutFormal(b: NamesBuilder, read: () => void): void {
  const formal = b.formal;
  b.formal = undefined;
  read();
  b.formal = formal;
}

/** Reads `( … )`, `[ … ]` or `{ … }` with whatever separates its parts. */
export function readGroup(b: NamesBuilder, access: UseAccess): void {
  b.at++;
  while (!b.isDone() && !isHardStop(b.peek())) {
    const word = b.peek();
    if (word === ')' || word === ']' || word === '}') {
      b.at++;
      return;
    }
    const before = b.at;
    readExpression(b, access);
    if (b.at === before && !isCloser(b.peek())) b.at++;
  }
}

function isCloser(word: string): boolean {
  return word === ')' || word === ']' || word === '}' || isHardStop(word);
}

/**
 * Reads a name with all that leads on from it: members, scopes, selects, calls, casts. Returns the uses of its parts; those
 * in brackets are reads of their own.
 */
export function readPath(b: NamesBuilder, access: UseAccess, self?: 'this' | 'super'): UseIndex[] {
  const next = b.peek(1);
  const path = [b.useHere(self ? { kind: 'self', word: self } : { kind: 'lexical', orUnit: next === '.' || next === '::' || (next === '#' && b.peek(2) === '(') }, access)];
  while (!b.isDone()) {
    const last = path[path.length - 1] ?? 0;
    const word = b.peek();
    if ((word === '.' || word === '::') && (b.isName(1) || b.peek(1) === 'new')) {
      b.at++;
      b.change(last, { partial: true, ...(word === '::' ? { access: 'type' } : {}) });
      path.push(b.useHere(b.peek() === 'new' ? { kind: 'constructor', of: { use: last } } : { kind: 'member', of: last, operator: word }, access));
    } else if (word === '#' && b.peek(1) === '(' && ['::', '.'].includes(b.tokens.texts[b.behindGroup(b.at + 1)] ?? '')) {
      b.at++;
      readParameterValues(b, last);
    } else if (word === '[') {
      b.change(last, { partial: true, followedBySelect: true });
      withoutFormal(b, () => readGroup(b, 'read'));
    } else if (word === '.' && KEYWORD_METHODS.has(b.peek(1))) {
      b.at += 2;
      b.change(last, { partial: true });
      if (b.peek() === '(') b.softly(() => readGroup(b, 'read'));
    } else if (word === '(') {
      b.change(last, { access: 'call', formal: undefined });
      if (b.tokens.texts[b.behindGroup(b.at)] === 'with') readWith(b, path);
      // In `randomize(name)` the argument names a member of the object.
      else if (b.uses[last]?.name === 'randomize') b.softly(() => readCall(b, last));
      else readCall(b, last);
    } else if (word === "'(") {
      b.change(last, { access: 'type', formal: undefined });
      withoutFormal(b, () => readGroup(b, 'read'));
    } else if (word === "'{") {
      b.change(last, { access: 'type', formal: undefined });
      withoutFormal(b, () => readPattern(b, { use: last }));
    } else if (word === 'with' && (b.peek(1) === '(' || b.peek(1) === '{')) readWith(b, path);
    else break;
  }
  return path;
}

/**
 * Reads the rest of a method call with a `with`. What stands in it is looked up in the object that is randomized first (IEEE
 * 1800-2017, 18.7), or sees an element of the array under the name of the argument, else `item` (7.12).
 */
function readWith(b: NamesBuilder, path: readonly UseIndex[]): void {
  const [object, method] = path.length > 1 ? path.slice(-2) : [undefined, path[0]];
  const isRandomize = b.uses[method ?? -1]?.name === 'randomize';
  const [from, to] = [b.uses[path[0] ?? -1]?.span.start ?? 0, b.uses[object ?? -1]?.span.end ?? 0];
  const element = object === undefined ? {} : { type: { kind: 'named', use: object } as const, typeText: `type(${b.text.slice(from, to)}[0])` };
  const isNamed = !isRandomize && b.peek() === '(' && b.isName(1) && b.peek(2) === ')';
  if (b.peek() === '(' && !isNamed) b.softly(() => readCall(b, method ?? 0));
  b.openScope('block', undefined, b.startAt());
  if (isRandomize) b.current.base = object !== undefined && b.uses[object]?.name !== 'std' ? object : undefined;
  else if (isNamed) {
    b.at++;
    b.declareHere('variable', element);
    b.accept(')');
  } else b.declare('variable', 'item', { start: b.startAt(), end: b.startAt() }, { ...element, implicit: true }, b.scope);
  b.accept('with');
  while (b.peek() === '(' || b.peek() === '{') b.softly(() => readGroup(b, 'read'));
  b.closeScope();
}

/** Reads the parentheses of a call. */
function readCall(b: NamesBuilder, callee: UseIndex): void {
  const start = b.startAt();
  const list = readConnections(b, callee, 'argument');
  b.calls.push({ callee, list: b.spanFrom(start), arguments: list });
}

/** Reads `#( … )` from its parenthesis: values of parameters, or a delay. */
export function readParameterValues(b: NamesBuilder, of: UseIndex): PortConnection[] {
  return readConnections(b, of, 'parameter');
}

/** Reads a parenthesised list of ports, arguments or parameter values that belong to what `of` names. */
export function readConnections(b: NamesBuilder, of: UseIndex, kind: 'connection' | 'argument' | 'parameter'): PortConnection[] {
  const outer = b.formal;
  const found: PortConnection[] = [];
  const access: UseAccess = kind === 'parameter' ? 'read' : kind;
  const base: UseBase = kind === 'parameter' ? { kind: 'parameter', of } : { kind: 'port', of };
  b.at++;
  if (b.accept(')')) return found;
  for (let position = 0; !b.isDone(); position++) {
    const start = b.startAt();
    b.formal = undefined;
    if (b.accept('.*')) found.push({ kind: 'wildcard', name: undefined, use: undefined, span: b.spanFrom(start), expression: undefined });
    else if (b.peek() === '.') found.push(readNamed(b, of, base, access));
    else {
      const empty = b.peek() === ',' || b.peek() === ')';
      b.formal = { of, name: undefined, position };
      if (!empty) readWhole(b, access);
      const span = empty ? { start, end: start } : b.spanFrom(start);
      found.push({ kind: 'positional', name: undefined, use: undefined, span, expression: empty ? undefined : span });
    }
    b.formal = undefined;
    // A dot begins the next connection where a comma is missing.
    while (!b.isDone() && b.peek() !== ',' && b.peek() !== '.' && !isCloser(b.peek()) && b.peek() !== ';') {
      const before = b.at;
      readExpression(b);
      if (b.at === before) b.at++;
    }
    if (!b.accept(',') && b.peek() !== '.') break;
  }
  b.accept(')');
  b.formal = outer;
  return found;
}

/** Reads `.name(expression)`, `.name()` or `.name`. */
function readNamed(b: NamesBuilder, of: UseIndex, base: UseBase, access: UseAccess): PortConnection {
  const start = b.startAt();
  b.at++;
  if (!b.isName()) return { kind: 'named', name: undefined, use: undefined, span: b.spanFrom(start), expression: undefined };
  const token = b.at;
  const use = b.useHere(base, 'formal');
  const name = b.tokens.texts[token] ?? '';
  b.formal = { of, name, position: undefined };
  if (b.peek() !== '(') {
    const net = b.use(token, { kind: 'lexical', orUnit: false }, access);
    b.change(net, { shorthand: true });
    const expression = { start: b.startAt(token), end: b.lastEnd };
    return { kind: 'shorthand', name, use, span: b.spanFrom(start), expression };
  }
  b.at++;
  const from = b.startAt();
  const empty = b.peek() === ')';
  if (!empty) readWhole(b, access);
  const expression = empty ? undefined : b.spanFrom(from);
  while (!b.isDone() && !isCloser(b.peek()) && b.peek() !== ';') {
    const before = b.at;
    readExpression(b);
    if (b.at === before) b.at++;
  }
  b.accept(')');
  return { kind: 'named', name, use, span: b.spanFrom(start), expression };
}

/** Reads an operand that may be written as a whole: a path or a concatenation of such. Anything else is read. */
function readWhole(b: NamesBuilder, access: UseAccess): void {
  const first = b.uses.length;
  const from = b.at;
  if (b.isName()) readPath(b, access);
  else if (b.peek() === '{' && access !== 'read') readConcatenation(b, access);
  if (b.at > from && (b.peek() === ',' || b.peek() === ')' || b.peek() === '}')) return;
  for (let use = first; use < b.uses.length; use++) if (b.uses[use]?.access === access) b.change(use, { access: 'read', formal: undefined });
  b.formal = undefined;
  readExpression(b);
}

function readConcatenation(b: NamesBuilder, access: UseAccess): void {
  b.at++;
  while (!b.isDone() && !isCloser(b.peek())) {
    const before = b.at;
    readWhole(b, access);
    if (!b.accept(',') && b.at === before) b.at++;
  }
  b.accept('}');
}

/** Reads the target of an assignment: a path, or a concatenation or pattern of targets. Returns the uses that are assigned. */
export function readTarget(b: NamesBuilder, access: UseAccess): UseIndex[] {
  if (b.isName()) return readPath(b, access);
  const word = b.peek();
  if ((word === 'this' || word === 'super') && b.peek(1) === '.' && (b.isName(2) || b.peek(2) === 'new')) {
    b.at += 2;
    return readPath(b, access, word);
  }
  if (word !== '{' && word !== "'{") return [];
  b.at++;
  const found: UseIndex[] = [];
  while (!b.isDone() && !isCloser(b.peek()) && b.peek() !== ';') {
    const before = b.at;
    found.push(...readTarget(b, access));
    if (!b.accept(',') && b.at === before) b.at++;
  }
  b.accept('}');
  return found;
}

/** Reads an assignment pattern `'{ … }`; `type` says whose members its keys are. */
export function readPattern(b: NamesBuilder, type: PatternType): void {
  b.at++;
  while (!b.isDone() && !isHardStop(b.peek())) {
    if (b.accept('}')) return;
    const before = b.at;
    let inner: PatternType;
    if (b.isName() && b.peek(1) === ':') {
      inner = { use: b.useHere({ kind: 'pattern-key', of: type }, 'formal') };
      b.at++;
    }
    readExpression(b, 'read', inner);
    if (b.at === before) b.at++;
  }
}

export function readSystemCall(b: NamesBuilder): void {
  const name = b.tokens.texts[b.at] ?? '';
  b.at++;
  if (name === '$unit' && b.accept('::')) return;
  if (name === '$root' && b.accept('.')) {
    const first = b.isName() ? readPath(b, 'read')[0] : undefined;
    if (first !== undefined) b.change(first, { base: { kind: 'unit' } });
    return;
  }
  if (b.peek() !== '(') return;
  const first = b.uses.length;
  readGroup(b, 'read');
  const writes = WRITING_TASKS.test(name);
  const asksType = TYPE_QUERIES.test(name);
  for (let use = first; use < b.uses.length; use++) {
    const known = b.uses[use];
    if (known?.base.kind === 'lexical') b.change(use, { base: { kind: 'lexical', orUnit: true } });
    if (writes && known?.access === 'read') b.change(use, { access: 'update' });
    if (asksType && known?.access === 'read') b.change(use, { access: 'type' });
  }
}

/** A macro that is not defined may stand for anything; what is in its parentheses is read with caution. */
export function readUnknownMacro(b: NamesBuilder): void {
  b.unknownMacros.push({ start: b.startAt(), end: b.tokens.ends[b.at] ?? b.startAt() });
  b.at++;
  if (b.peek() === '(') b.softly(() => readGroup(b, 'read'));
}
