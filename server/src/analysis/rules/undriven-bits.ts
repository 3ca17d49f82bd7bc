import type { Expression } from '../ast.ts';
import { resolveType } from '../constant.ts';
import type { Scope } from '../scope.ts';
import type { Rule } from './rule.ts';
import { drivenBits, signalsOf, typeOf } from './signals.ts';
import { groupBy } from './group.ts';
import type { Bits, Signal } from './signals.ts';
import { isOpaque } from './usage.ts';
import type { ModuleView } from './view.ts';

export const undrivenBits: Rule = {
  id: 'undriven-bits',
  followsValues: true,
  level: 'warning',
  category: 'drivers',
  reason: 'Bits of a vector that are read but never driven are z or x, while the others have a value.',
  verilator: ['UNDRIVEN'],
  flagged: `wire [3:0] n;
assign n[2:0] = {a, b, c};
assign y = n;`,
  silent: `wire [3:0] n;
assign n[3] = d;
assign n[2:0] = {a, b, c};
assign y = n;`,
  check(module, report) {
    if (module.summary?.kind !== 'module' || isOpaque(module)) return;
    for (const signal of signalsOf(module).all) {
      const missing = missingBits(signal);
      if (!missing || missing.length === 0 || !signal.span) continue;
      const read = signal.port ? missing : missing.filter((bits) => isReadIn(signal, bits, module));
      if (read.length === 0) continue;
      const names = read.map(({ low, high }) => declared(signal, low, high));
      const [first] = names;
      const what = names.length > 1 ? `${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''}` : (first ?? '');
      report(signal.span, signal.port ? `Of output ${signal.name}, ${what} is never driven; assign it.` : `Of ${signal.name}, ${what} is read but never driven; assign it, or declare fewer bits.`);
    }
  },
};

/** The bits that nothing drives, in stretches; undefined where something may, or all do. */
function missingBits(signal: Signal): readonly Bits[] | undefined {
  const type = typeOf(signal);
  const { drivers, port, variable, mayBeDrivenElsewhere } = signal;
  if (mayBeDrivenElsewhere || drivers.length === 0 || (port && port.direction !== 'output') || (variable?.initial ?? port?.initial) || type?.width === undefined || type.unpacked.length > 0) return undefined;
  // What has two states only begins at zero.
  const { type: written } = variable ?? port ?? {};
  if (written?.kind === 'atom' || (written?.kind === 'vector' && written.keyword === 'bit')) return undefined;
  if (/^(?:supply|tri[01]|trireg)/.test(variable?.net ?? port?.net ?? '')) return undefined;
  const driven: Bits[] = [];
  for (const { target, scope, view } of drivers) {
    const bits = drivenBits(target, signal, scope);
    if (typeof bits === 'string' || view.inLoop || !view.isCertain) return undefined;
    driven.push(bits);
  }
  const missing: Bits[] = [];
  let next = 0;
  for (const { low, high } of [...driven.toSorted((a, b) => a.low - b.low), { low: type.width, high: type.width }]) {
    if (low > next) missing.push({ low: next, high: low - 1 });
    next = Math.max(next, high + 1);
  }
  return missing;
}

/** Some read takes in one of the bits for certain: the vector as a whole, or a part that is known. */
function isReadIn(signal: Signal, bits: Bits, module: ModuleView): boolean {
  const { partial, whole } = module.once(collectReads);
  const meets = ({ expression, scope }: Part): boolean => {
    const read = drivenBits(expression, signal, scope);
    return typeof read === 'object' && read.low <= bits.high && bits.low <= read.high;
  };
  const parts = partial.get(signal.name)?.filter(({ scope }) => scope.holderOf(signal.name) === signal.holder) ?? [];
  return parts.some(meets) || signal.reads.some(({ expression }) => whole.has(expression));
}

interface Part {
  readonly expression: Expression;
  readonly scope: Scope;
}

/** The selects of each name, and the names that stand without one. */
function collectReads(module: ModuleView): { readonly partial: ReadonlyMap<string, readonly Part[]>; readonly whole: ReadonlySet<Expression> } {
  const parts: (Part & { readonly name: string })[] = [];
  const selected = new Set<Expression>();
  const targets = new Set<Expression>(signalsOf(module).all.flatMap(({ drivers }) => drivers.map(({ target }) => target)));
  for (const { expression, scope } of [...module.expressions('select'), ...module.expressions('range')]) {
    const { base } = expression;
    selected.add(base);
    if (base.kind === 'name' && !targets.has(expression)) parts.push({ name: base.name, expression, scope });
  }
  for (const { expression } of module.expressions('member')) selected.add(expression.base);
  const whole = new Set<Expression>(module.expressions('name').map(({ expression }) => expression).filter((expression) => !selected.has(expression)));
  return { partial: groupBy(parts, ({ name }) => name), whole };
}

/** Bits as they are selected, in the bounds of the declaration. */
function declared(signal: Signal, low: number, high: number): string {
  const binding = signal.holder.variable(signal.name);
  const [range] = binding ? resolveType(binding).packed : [];
  const at = (bit: number): number => (!range ? bit : range.left >= range.right ? range.right + bit : range.right - bit);
  return low === high ? `${signal.name}[${at(low)}]` : `${signal.name}[${at(high)}:${at(low)}]`;
}
