import { withinStackInSteps } from '../../base/nesting.ts';
import { finish } from '../../base/steps.ts';
import type { Steps } from '../../base/steps.ts';
import type { SourceMap } from '../../syntax/source-map.ts';
import { NamesBuilder } from './builder.ts';
import { readImport, readParameterPortList, readPortList } from './declarations.ts';
import { readParameterValues, readPath } from './expressions.ts';
import { readItem } from './items.ts';
import { lexNamesInSteps } from './lexer.ts';
import type { FileNames, UnitKind, Use } from './model.ts';
import { noteItem, readChanged, remember } from './reuse.ts';
import type { OuterItem } from './reuse.ts';
import { readEndLabel, skipTo } from './statements.ts';
import { UNIT_ENDS } from './units.ts';

const UNITS: ReadonlyMap<string, UnitKind> = new Map([
  ['module', 'module'],
  ['macromodule', 'module'],
  ['interface', 'interface'],
  ['program', 'program'],
  ['package', 'package'],
  ['class', 'class'],
  ['checker', 'checker'],
  ['primitive', 'primitive'],
  ['config', 'config'],
]);

/**
 * Reads every scope, declaration and use of a preprocessed text by its tokens, so that no syntax tree is needed and a broken
 * construct costs only itself. Linear in the text; never throws. `map` leads back to the sources.
 */
export function readNames(file: string, text: string, map: SourceMap): FileNames {
  return finish(readNamesInSteps(file, text, map, undefined));
}

/** As `readNames`, step by step. What an edit does not concern is taken over from a model of the text before it. */
export function* readNamesInSteps(file: string, text: string, map: SourceMap, previous: FileNames | undefined): Steps<FileNames> {
  const reused = previous && (yield* readChanged(previous, text, readOuterItems));
  const read = reused ? { ...reused, areDeclared: false } : yield* readAll(text);
  const names = read.b.finish(file, map);
  remember(names, read.b, read.items, read.areDeclared);
  return names;
}

function* readAll(text: string): Steps<{ readonly b: NamesBuilder; readonly items: OuterItem[]; readonly areDeclared: boolean }> {
  const { tokens, areDeclared } = yield* lexNamesInSteps(text);
  yield;
  const b = new NamesBuilder(text, tokens);
  const items: OuterItem[] = [];
  yield* readOuterItems(b, items, undefined);
  return { b, items, areDeclared };
}

function* readOuterItems(b: NamesBuilder, items: OuterItem[], endToken: number | undefined): Steps<void> {
  while (!b.isDone() && b.at !== endToken && (endToken === undefined || b.at < endToken)) {
    yield;
    const before = b.at;
    noteItem(b, items);
    yield* withinStackInSteps(readOuterItem(b), () => leaveUnit(b));
    if (b.at === before) b.at++;
  }
}

/** Passes the rest of a design unit that is nested too deeply to be read. What was met before stays, and counts as not known in full. */
function leaveUnit(b: NamesBuilder): void {
  b.looksFar = true;
  b.unknownMacros.push({ start: b.startAt(), end: b.startAt() });
  while (!b.isDone() && !UNIT_ENDS.has(b.peek())) b.at++;
  b.at++;
  b.leaveAll();
}

function* readOuterItem(b: NamesBuilder): Steps<void> {
  const start = b.startAt();
  const from = b.at;
  while (b.peek() === 'virtual' || b.peek() === 'extern') b.at++;
  const word = b.peek();
  const isClass = word === 'interface' && b.peek(1) === 'class';
  if (isClass) b.at++;
  const unit = UNITS.get(isClass ? 'class' : word);
  // What an anonymous program holds belongs to the scope around it (IEEE 1800-2017, 24.2).
  if (word === 'program' && b.peek(1) === ';') {
    b.at += 2;
    return;
  }
  if (unit === undefined || (word === 'interface' && !isClass && !b.isName(1) && !/^(?:automatic|static)$/.test(b.peek(1)))) {
    b.at = from;
    if (UNIT_ENDS.has(b.peek())) b.at++;
    else readItem(b);
    return;
  }
  yield* readUnit(b, unit, start);
}

function* readUnit(b: NamesBuilder, kind: UnitKind, start: number): Steps<void> {
  const ender = `end${kind}`;
  b.at++;
  while (b.peek() === 'automatic' || b.peek() === 'static') b.at++;
  const owner = b.isName() ? b.declareHere(kind, { extent: { start, end: start } }) : undefined;
  b.openScope(kind, owner, start);
  const firstUse = b.uses.length;
  const { names } = readHeader(b, kind);
  if (kind === 'primitive') {
    while (!b.isDone() && b.peek() !== 'table' && b.peek() !== ender && !UNIT_ENDS.has(b.peek())) {
      const before = b.at;
      readItem(b);
      if (b.at === before) b.at++;
    }
    if (b.peek() === 'table') skipTo(b, 'endtable');
  } else if (kind === 'config') skipTo(b, ender);
  while (!b.isDone() && !UNIT_ENDS.has(b.peek())) {
    yield;
    const before = b.at;
    if (startsUnit(b, kind)) {
      // A module may hold modules; a keyword at the beginning of a line may also be the next unit behind a missing end.
      if (kind === 'module' && /(?:^|\n)$/.test(b.text.slice(Math.max(0, b.startAt() - 1), b.startAt())) && !isEndedLater(b)) break;
      yield* readOuterItem(b);
    } else readItem(b);
    if (b.at === before) b.at++;
  }
  if (UNIT_ENDS.has(b.peek())) b.at++;
  else if (kind === 'config' && b.tokens.texts[b.at - 1] !== ender) b.accept(ender);
  const scope = b.current;
  for (const [position, name] of names.entries()) {
    const port = scope.names.get(name)?.find((index) => b.declarations[index]?.kind === 'port');
    if (port !== undefined) scope.ports.splice(Math.min(position, scope.ports.length), 0, port);
  }
  if (kind === 'module') declareImplicitNets(b, firstUse);
  b.closeScope();
  readEndLabel(b, owner);
}

/** The module around the place has an end of its own, behind those of all modules that begin from here on. */
function isEndedLater(b: NamesBuilder): boolean {
  let depth = 1;
  for (let at = b.nextModuleWord(b.at); at < b.tokens.length; at = b.nextModuleWord(at + 1)) {
    depth += b.tokens.texts[at] === 'endmodule' ? -1 : 1;
    if (depth === 0) return true;
  }
  return false;
}

function startsUnit(b: NamesBuilder, outer: UnitKind): boolean {
  const word = b.peek();
  if (word === 'class' || (word === 'virtual' && b.peek(1) === 'class') || (word === 'interface' && b.peek(1) === 'class')) return true;
  if (outer === 'class') return false;
  return word === 'module' || word === 'macromodule' || word === 'program' || word === 'package' || word === 'checker' || word === 'primitive' || (word === 'interface' && b.isName(1));
}

/** Reads what stands between the name of a unit and the semicolon of its header. */
function readHeader(b: NamesBuilder, kind: UnitKind): { readonly names: readonly string[] } {
  let names: readonly string[] = [];
  while (b.peek() === 'import') readImport(b);
  if (b.peek() === '#' && b.peek(1) === '(') {
    b.at++;
    readParameterPortList(b);
    b.current.parametersClosed = true;
  }
  if (b.peek() === '(') names = readPortList(b);
  if (kind === 'class') readClassBases(b);
  b.accept(';');
  return { names };
}

function readClassBases(b: NamesBuilder): void {
  while (b.peek() === 'extends' || b.peek() === 'implements') {
    const isBase = b.accept('extends');
    if (!isBase) b.at++;
    while (b.isName()) {
      const last = readPath(b, 'type').at(-1);
      if (last !== undefined) {
        b.change(last, { access: 'type' });
        if (isBase) b.current.base ??= last;
        if (b.peek() === '#' && b.peek(1) === '(') {
          b.at++;
          readParameterValues(b, last);
        }
      }
      if (!b.accept(',')) break;
    }
  }
}

/** A name that nothing declares makes a net where it is connected or continuously assigned (IEEE 1800-2017, 6.10). */
function declareImplicitNets(b: NamesBuilder, firstUse: number): void {
  const module = b.scope;
  const candidates: Use[] = [];
  for (let index = firstUse; index < b.uses.length; index++) {
    const use = b.uses[index];
    if (use && mayMakeNet(b, use)) candidates.push(use);
  }
  for (const use of candidates) {
    if (isVisible(b, use)) continue;
    b.declare('net', use.name, use.span, { typeText: 'wire', implicit: true }, module);
  }
}

function mayMakeNet(b: NamesBuilder, use: Use): boolean {
  if (use.base.kind !== 'lexical' || use.soft || (use.partial && !use.followedBySelect)) return false;
  if (use.access === 'connection') return true;
  const process = use.process === undefined ? undefined : b.processes[use.process]?.kind;
  return (use.access === 'write' && process === 'assign') || process === 'gate';
}

/** A scope with a wildcard import may know any name. */
function isVisible(b: NamesBuilder, use: Use): boolean {
  for (let scope = b.scopes[use.scope]; scope; scope = scope.parent === undefined ? undefined : b.scopes[scope.parent]) {
    if (scope.names.has(use.name) || scope.imports.some(({ name }) => name === undefined || name === use.name)) return true;
  }
  return false;
}

