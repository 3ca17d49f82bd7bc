import type { Expression } from './ast.ts';
import { evaluateNumber, resolveType, totalWidth } from './constant.ts';
import type { Connection, ModuleSummary } from './items.ts';
import type { Library, ModuleEntry } from './library.ts';
import type { Port } from './module.ts';
import type { Scope } from './scope.ts';

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

/** The ports of a module in the order of its header: those that carry bits, and the names of interface and reference ports. */
export function portsOf(summary: ModuleSummary, scope: Scope, library: Library): { ports: Port[]; otherPorts: string[] } {
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
