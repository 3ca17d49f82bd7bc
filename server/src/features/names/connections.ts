import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { Declaration, FileNames, Instance } from '../../analysis/names/model.ts';
import type { NameResolver } from '../../analysis/names/resolve.ts';

/** The module or interface of an instance; undefined when it is not known. */
export function moduleOf(resolver: NameResolver, names: FileNames, instance: Instance): DeclarationRef | undefined {
  return resolver.target(names, instance.moduleUse);
}

/** The ports of a unit or subroutine in the order of its header. */
export function portsOf(ref: DeclarationRef): Declaration[] {
  return portRefsOf(ref).map(declarationOf);
}

export function portRefsOf({ names, index }: DeclarationRef): DeclarationRef[] {
  const inner = names.declarations[index]?.inner;
  const scope = inner === undefined ? undefined : names.scopes[inner];
  return (scope?.ports ?? []).map((port) => ({ names, index: port }));
}

/** The parameters that an instance may set, in order. */
export function parametersOf({ names, index }: DeclarationRef): DeclarationRef[] {
  const inner = names.declarations[index]?.inner;
  const scope = inner === undefined ? undefined : names.scopes[inner];
  return (scope?.parameters ?? []).map((parameter) => ({ names, index: parameter }));
}

/** Ports that are not connected by name or position, and, without `.*`, not at all. */
export function openPorts(resolver: NameResolver, names: FileNames, instance: Instance): DeclarationRef[] {
  const module = moduleOf(resolver, names, instance);
  if (!module) return [];
  const named = new Set(instance.ports.map(({ name }) => name));
  // A list that nothing is written in yet has one empty position.
  const isEmpty = instance.ports.length === 1 && instance.ports[0]?.span.start === instance.ports[0]?.span.end;
  const positional = isEmpty ? 0 : instance.ports.filter(({ kind }) => kind === 'positional').length;
  return portRefsOf(module).filter((port, position) => !named.has(declarationOf(port).name) && position >= positional);
}

/** Names of the ports that the `.*` of an instance connects. */
export function wildcardNames(resolver: NameResolver, names: FileNames, instance: Instance): string[] {
  if (!instance.ports.some(({ kind }) => kind === 'wildcard')) return [];
  const ports = openPorts(resolver, names, instance).map((port) => declarationOf(port).name);
  return ports.filter((name) => resolver.resolveName(names, instance.scope, name).kind === 'declared');
}
