import type { Span } from '../../base/text.ts';
import { nearest } from '../../base/similar.ts';
import { connectedPort } from '../ports.ts';
import type { Declaration, DeclarationKind, Use, UseIndex } from '../names/model.ts';
import type { ItemView, ModuleView } from './view.ts';
import type { Fix, Rule } from './rule.ts';
import { neededBits, plainWidth } from './expressions.ts';
import { groupBy } from './group.ts';
import { isInside, isOpaque, namesOf, undeclaredIn, usagesIn } from './usage.ts';

/** More undeclared names in one module come from something else than slips, such as a header that is missing. */
const MAX_MEANT = 100;

const NETS: ReadonlySet<DeclarationKind> = new Set(['net', 'variable', 'port', 'argument', 'parameter', 'genvar', 'enum-member']);

/** Finds what undeclared names may have been meant to be: one of those that are declared in the module, with or without nets that a use alone makes. */
function guesses(module: ModuleView, withImplicit: boolean): (name: string) => string | undefined {
  let candidates: readonly string[] | undefined;
  let asked = 0;
  return (name) => {
    candidates ??= [...new Set(usagesIn(module).flatMap(({ declaration }) => ((withImplicit || !declaration.implicit) && (NETS.has(declaration.kind) || (withImplicit && (declaration.kind === 'function' || declaration.kind === 'task'))) ? [declaration.name] : [])))];
    return ++asked > MAX_MEANT ? undefined : nearest(name, candidates);
  };
}

/** More nets that are not declared in one module are meant so, as in a netlist: only those that connect nothing are told by themselves. */
const MAX_TOLD = 20;

function forbidsImplicit(module: ModuleView, offset: number): boolean {
  const place = module.file.map.locate(offset);
  return module.once(defaultNettypes).findLast(({ index }) => index < place.span.start)?.[1] === 'none';
}

function defaultNettypes({ file }: ModuleView): readonly RegExpExecArray[] {
  return [...file.text.matchAll(/^[ \t]*`default_nettype[ \t]+(\w+)/gm)];
}

export const undeclaredName: Rule = {
  id: 'undeclared-name',
  level: 'error',
  category: 'names',
  reason: 'A name that nothing declares does not compile.',
  flagged: `always @(posedge clk) q <= undefined_name;`,
  silent: `wire d;
always @(posedge clk) q <= d;`,
  check(module, report) {
    if (isOpaque(module)) return;
    const seen = new Set<string>();
    const guess = guesses(module, true);
    const tell = (name: string, span: Span): void => {
      if (seen.has(name)) return;
      seen.add(name);
      const meant = guess(name);
      const change: Fix[] = meant === undefined ? [] : [{ title: `Change to '${meant}'`, changes: [{ span, text: meant }] }];
      report(span, meant === undefined ? `${name} is not declared; declare it or correct the name.` : `${name} is not declared; did you mean ${meant}?`, { fixes: [...change, ...declare(name, span, module)] });
    };
    for (const use of undeclaredIn(module)) {
      if (isPlain(use) && !makesNet(use, module) && !isMadeElsewhere(use.name, module)) tell(use.name, use.span);
    }
    for (const { declaration } of usagesIn(module)) {
      if (isImplicitNet(declaration) && forbidsImplicit(module, declaration.span.start)) tell(declaration.name, declaration.span);
    }
  },
};

function isImplicitNet({ implicit, kind }: Declaration): boolean {
  return implicit && kind === 'net';
}

/** The range of an enumeration's member declares it: `WAIT[3]` makes WAIT0 to WAIT2. */
function isMadeElsewhere(name: string, module: ModuleView): boolean {
  const [, stem] = /^(.*?)\d+$/.exec(name) ?? [];
  return stem !== undefined && module.once(membersWithRange).has(stem);
}

function membersWithRange({ file: { parsed, names } }: ModuleView): ReadonlySet<string> {
  return new Set(names.declarations.flatMap(({ kind, name, span }) => (kind === 'enum-member' && /^\s*\[/.test(parsed.slice(span.end, span.end + 8)) ? [name] : [])));
}

/** Where a name means a value or subroutine of its own. */
function isPlain({ base, access, name }: Use): boolean {
  if (base.kind !== 'lexical' || name.startsWith('$') || name.startsWith('`')) return false;
  return access !== 'path' && access !== 'label' && access !== 'declaration' && access !== 'import' && access !== 'formal' && access !== 'instantiate';
}

/** An undeclared name is a net where it is connected or continuously assigned, IEEE 1800-2017, 6.10. */
function makesNet(use: Use, module: ModuleView): boolean {
  const process = use.process === undefined ? undefined : module.file.names.processes[use.process]?.kind;
  return isPlain(use) && (use.access === 'connection' || (use.access === 'write' && process === 'assign')) && !forbidsImplicit(module, use.span.start);
}

export const implicitNet: Rule = {
  id: 'implicit-net',
  level: 'warning',
  category: 'names',
  reason: 'A name that is connected but not declared makes a net of one bit, which often is a misspelt name.',
  verilator: ['IMPLICIT'],
  flagged: `module sub(input a, output y); assign y = a; endmodule
module top(input a, output y); sub u (.a(a), .y(yy)); endmodule`,
  silent: `module sub(input a, output y); assign y = a; endmodule
module top(input a, output y); sub u (.a(a), .y(y)); endmodule`,
  check(module, report) {
    if (isOpaque(module)) return;
    const usages = usagesIn(module);
    const made = usages.filter(({ declaration }) => isImplicitNet(declaration) && !forbidsImplicit(module, declaration.span.start));
    const unseen = undeclaredIn(module).filter((use) => makesNet(use, module));
    if (made.length === 0 && unseen.length === 0) return;
    const guess = guesses(module, false);
    const nets = [...groupBy([...made.map(({ declaration }) => declaration), ...unseen], (net) => net.name)];
    const [first, ...others] = nets;
    const shared = new Set(nets.length > MAX_TOLD ? made.flatMap(({ declaration, uses }) => (uses.some(({ span }) => span.start !== declaration.span.start) ? [declaration.name] : [])) : []);
    if (first !== undefined && shared.size > 0) report(first[1][0].span, `${first[0]} and ${String(others.length)} other names of this module are not declared, so that they become wires of 1 bit; declare them.`);
    for (const [name, [{ span }]] of nets) {
      if (shared.has(name)) continue;
      const meant = guess(name);
      const change: Fix[] = meant === undefined ? [] : [{ title: `Change to '${meant}'`, changes: [{ span, text: meant }] }];
      report(span, `${name} is not declared, so that it becomes a wire of 1 bit; ${meant === undefined ? 'declare it.' : `declare it, or did you mean ${meant}?`}`, { fixes: [...declare(name, span, module), ...change] });
    }
  },
};

/** Characters of a line before an item; in front of one that stands further right nothing is declared. */
const MAX_LINE = 2000;

/** A declaration of the right width in front of the item that uses the name. */
function declare(name: string, use: Span, module: ModuleView): Fix[] {
  const { summary } = module;
  const view = module.items.findLast(({ item }) => item.span && item.span.start <= use.start && use.end <= item.span.end);
  if (!summary || !view?.item.span || use.start < summary.headerEnd) return [];
  const from = Math.max(summary.headerEnd, view.item.span.start - MAX_LINE);
  const before = module.textOf({ start: from, end: view.item.span.start });
  const line = from + before.lastIndexOf('\n') + 1;
  const indent = /^[ \t]*/.exec(module.textOf({ start: line, end: view.item.span.start }))?.[0] ?? '';
  if (line <= from) return [];
  const width = wantedWidth(name, view, module);
  const inProcess = view.item.kind === 'always' || view.item.kind === 'initial';
  const keyword = module.file.file.endsWith('.sv') ? 'logic' : inProcess && isTarget(name, view, module) ? 'reg' : 'wire';
  const range = width === undefined || width === 1 ? '' : `[${width - 1}:0] `;
  const text = `${indent}${keyword} ${range}${name};\n`;
  return [{ title: `Declare '${keyword} ${range}${name}'`, changes: [{ span: { start: line, end: line }, text }] }];
}

function isTarget(name: string, view: ItemView, module: ModuleView): boolean {
  return module.procedures.some((procedure) => procedure.view === view && procedure.statements.some(({ statement }) => statement.kind === 'assign' && statement.target.kind === 'name' && statement.target.name === name));
}

/** The width that the use asks for: of the port, of the value, or of the target. */
function wantedWidth(name: string, view: ItemView, module: ModuleView): number | undefined {
  const { item, scope } = view;
  const isName = (expression: { readonly kind: string; readonly name?: string } | undefined): boolean => expression?.kind === 'name' && expression.name === name;
  if (item.kind === 'instance') {
    const known = module.interfaces(item, scope);
    const index = item.connections.findIndex(({ expression }) => isName(expression));
    const connection = item.connections[index];
    return known && connection && connectedPort(known, connection, index)?.width;
  }
  if (item.kind === 'assign') return isName(item.target) ? neededBits(item.value, scope) : isName(item.value) ? plainWidth(item.target, scope) : undefined;
  for (const procedure of module.procedures) {
    if (procedure.view !== view) continue;
    for (const { statement, scope: inner } of procedure.statements) {
      if (statement.kind !== 'assign') continue;
      if (isName(statement.target)) return neededBits(statement.value, inner);
      if (isName(statement.value)) return plainWidth(statement.target, inner);
    }
  }
  return undefined;
}

/** What the use means is a structure, a class, a package or an interface: all its members are declared. */
function hasMembersOnly(use: UseIndex, module: ModuleView): boolean {
  const { names, resolver } = module.file;
  const target = resolver.target(names, use);
  const inside = target && resolver.insideOf(target)[0];
  const kind = inside && inside.names.scopes[inside.scope]?.kind;
  return kind === 'struct' || kind === 'union' || kind === 'package' || kind === 'interface' || kind === 'class';
}

export const unknownMember: Rule = {
  id: 'unknown-member',
  level: 'error',
  category: 'names',
  reason: 'A member that a structure, interface or package does not have does not compile.',
  flagged: `typedef struct packed { logic a; } pair_t;
pair_t p;
assign y = p.b;`,
  silent: `typedef struct packed { logic a; } pair_t;
pair_t p;
assign y = p.a;`,
  check(module, report) {
    if (isOpaque(module)) return;
    for (const use of namesOf(module.file).withoutMember) {
      const base = use.base.kind === 'member' ? module.file.names.uses[use.base.of] : undefined;
      if (!base || use.base.kind !== 'member' || !isInside(use.span.start, module) || !hasMembersOnly(use.base.of, module)) continue;
      // Methods that come with the language, and constraints of classes with theirs.
      if (use.base.operator === '.' && /^\s*[(.]/.test(module.textOf({ start: use.span.end, end: use.span.end + 20 }))) continue;
      report(use.span, `${base.name} has no member ${use.name}; correct the name.`);
    }
  },
};
