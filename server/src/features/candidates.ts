import { dirname } from 'node:path';
import { sameModule } from '../verification/reference.ts';
import type { ModuleInfo, PortInfo } from './module-info.ts';

/** A module offered as the golden of another. */
export interface Candidate {
  readonly module: ModuleInfo;
  /** How well the ports fit; a short phrase. */
  readonly match: string;
}

interface Fit {
  /** Ports of the same name and direction. */
  readonly matched: number;
  /** Those of them whose ranges are written alike. */
  readonly alike: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  readonly turned: readonly string[];
}

/**
 * All other modules, best interface match first. Ports are compared as they are written, since nothing is elaborated here:
 * a range that is written differently may still have the same width.
 */
export function referenceCandidates(dut: ModuleInfo, modules: readonly ModuleInfo[]): Candidate[] {
  const self = { file: dut.file, module: dut.name };
  return modules
    .filter((module) => !sameModule({ file: module.file, module: module.name }, self) && !module.uses.includes(dut.name))
    .map((module) => ({ module, fit: fitOf(dut.ports, module.ports) }))
    .sort((a, b) => rank(dut, b) - rank(dut, a) || compareText(a.module.name, b.module.name) || compareText(a.module.file, b.module.file))
    .map(({ module, fit }) => ({ module, match: describeFit(fit, dut.ports.length) }));
}

function fitOf(wanted: readonly PortInfo[], offered: readonly PortInfo[]): Fit {
  const byName = new Map(offered.map((port) => [port.name, port]));
  const names = new Set(wanted.map(({ name }) => name));
  const pairs = wanted.flatMap((port) => {
    const other = byName.get(port.name);
    return other ? [{ port, other }] : [];
  });
  const matched = pairs.filter(({ port, other }) => port.direction === other.direction);
  return {
    matched: matched.length,
    alike: matched.filter(({ port, other }) => port.range === other.range).length,
    missing: wanted.filter(({ name }) => !byName.has(name)).map(({ name }) => name),
    extra: offered.filter(({ name }) => !names.has(name)).map(({ name }) => name),
    turned: pairs.filter(({ port, other }) => port.direction !== other.direction).map(({ port }) => port.name),
  };
}

/** The share of fitting ports decides; names and places only order what fits equally well. */
function rank(dut: ModuleInfo, { module, fit }: { module: ModuleInfo; fit: Fit }): number {
  const all = fit.matched + fit.missing.length + fit.extra.length + fit.turned.length;
  const share = all === 0 ? 0 : (fit.matched + fit.alike) / (2 * all);
  const golden = /golden|ref(?:erence)?|gold|model|spec/i.test(module.name) || /(?:^|[\\/])(?:golden|ref|reference|model)s?(?:[\\/]|$)/i.test(dirname(module.file));
  return 1000 * share + 20 * nameLikeness(dut.name, module.name) + (golden ? 5 : 0);
}

/** Length of the common beginning as a share of the longer name, 0 to 1. */
function nameLikeness(a: string, b: string): number {
  let same = 0;
  while (same < Math.min(a.length, b.length) && a.charAt(same).toLowerCase() === b.charAt(same).toLowerCase()) same++;
  return same / Math.max(a.length, b.length, 1);
}

function describeFit(fit: Fit, wanted: number): string {
  const complete = fit.missing.length === 0 && fit.extra.length === 0 && fit.turned.length === 0;
  if (complete && wanted === 0) return 'no ports';
  if (complete && fit.alike === fit.matched) return 'all ports match';
  if (complete) return 'all ports match by name; ranges are written differently';
  if (fit.matched === 0) return 'no port matches';
  const parts = [
    `${fit.matched} of ${wanted} ports match`,
    ...(fit.turned.length > 0 ? [`other direction: ${shortList(fit.turned)}`] : []),
    ...(fit.missing.length > 0 ? [`lacks ${shortList(fit.missing)}`] : []),
    ...(fit.extra.length > 0 ? [`extra ${shortList(fit.extra)}`] : []),
  ];
  return parts.join('; ');
}

function shortList(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
