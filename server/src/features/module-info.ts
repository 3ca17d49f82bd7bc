import type { DataType, Dimension } from '../analysis/ast.ts';
import type { FileSummary, Item, ModuleSummary, PackageSummary, PortItem } from '../analysis/items.ts';
import type { Direction } from '../analysis/module.ts';
import { portItems, unplacedItems } from '../analysis/piecewise-summary.ts';
import { finish } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import type { Span } from '../base/text.ts';

/** What editor features need to know of a port, as its declaration says it; nothing is evaluated. */
export interface PortInfo {
  readonly name: string;
  readonly direction: Direction | undefined;
  /** Equal for two ports exactly when their sizes are written alike; has no meaning otherwise. */
  readonly range: string;
  /** Place of the name in the declaration. */
  readonly span: Span;
}

/** What editor features need to know of a module. */
export interface ModuleInfo {
  /** Absolute path. */
  readonly file: string;
  readonly name: string;
  /** From `module` to `endmodule`. */
  readonly span: Span;
  readonly nameSpan: Span;
  readonly ports: readonly PortInfo[];
  /** Names of the modules it instantiates and the packages it uses, each once. */
  readonly uses: readonly string[];
}

/** The module around an offset, or else the only module of the file. */
export function moduleAt(modules: readonly ModuleInfo[], offset: number): ModuleInfo | undefined {
  const around = modules.find(({ span }) => span.start <= offset && offset <= span.end);
  return around ?? (modules.length === 1 ? modules[0] : undefined);
}

interface UnitInfo {
  readonly name: string;
  readonly uses: readonly string[];
}

/** What a file defines, as far as the workspace is searched for it. */
export interface SourceOutline {
  readonly modules: readonly ModuleInfo[];
  readonly packages: readonly UnitInfo[];
  /** Interfaces, programs and primitives. */
  readonly others: readonly UnitInfo[];
}

/** All design units of a file. */
export function unitsOf({ modules, packages, others }: SourceOutline): readonly UnitInfo[] {
  return [...modules, ...packages, ...others];
}

export function outlineOf(summary: FileSummary): SourceOutline {
  return finish(outlineOfInSteps(summary));
}

/** As `outlineOf`, step by step. */
export function* outlineOfInSteps(summary: FileSummary): Steps<SourceOutline> {
  const shared = usesOf(summary.items);
  const modules: ModuleInfo[] = [];
  for (const module of summary.modules) {
    yield;
    if (module.kind === 'module') modules.push(moduleInfo(summary.file, module, shared));
  }
  return {
    modules,
    packages: summary.packages.map((unit: PackageSummary) => ({ name: unit.name, uses: unique([...usesIn(unit), ...shared], unit.name) })),
    others: [
      ...summary.modules.filter(({ kind }) => kind !== 'module').map((unit) => ({ name: unit.name, uses: unique([...usesIn(unit), ...shared], unit.name) })),
      ...summary.primitives.map((name) => ({ name, uses: [] })),
    ],
  };
}

function moduleInfo(file: string, module: ModuleSummary, shared: readonly string[]): ModuleInfo {
  const declared = new Map(portItems(module).map((port) => [port.name, port]));
  return {
    file,
    name: module.name,
    span: module.location.span,
    nameSpan: module.nameLocation.span,
    ports: module.headerPorts.map(({ name, location }) => portInfo(name, location.span, declared.get(name))),
    uses: unique([...usesIn(module), ...shared], module.name),
  };
}

/** A non-ANSI port is declared in the body; that is its place. */
function portInfo(name: string, span: Span, port: PortItem | undefined): PortInfo {
  if (!port) return { name, direction: undefined, range: '', span };
  const direction = port.direction === 'ref' || port.direction === 'interface' ? undefined : port.direction;
  return { name, direction, range: rangeKey(port.type, port.unpacked), span: port.location.span };
}

function rangeKey(type: DataType, unpacked: readonly Dimension[]): string {
  const packed = type.kind === 'vector' ? type.packed : type;
  return JSON.stringify([packed, unpacked], (key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : key === 'span' ? undefined : value));
}

const knownUses = new WeakMap<readonly Item[], readonly string[]>();

/** `usesOf` the items of a unit; what has not changed is looked through once. */
function usesIn(unit: ModuleSummary | PackageSummary): readonly string[] {
  return unplacedItems(unit).flatMap((items) => {
    const uses = knownUses.get(items) ?? usesOf(items);
    knownUses.set(items, uses);
    return uses;
  });
}

/** Names of the modules that are instantiated, of the interfaces of ports, and of the packages that are imported or named, anywhere below. */
function usesOf(below: unknown): string[] {
  const uses: string[] = [];
  const add = (name: unknown): void => {
    if (typeof name === 'string') uses.push(name);
  };
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const each of part) visit(each);
    else if (isRecord(part)) {
      if (part['kind'] === 'instance') add(part['module']);
      if (part['kind'] === 'import') add(part['package']);
      if (part['kind'] === 'port') add(interfaceName(part['type']));
      add(part['scope']);
      for (const each of Object.values(part)) if (typeof each === 'object') visit(each);
    }
  };
  visit(below);
  return uses;
}

/** A port whose type stands alone may be an interface. */
function interfaceName(type: unknown): unknown {
  return isRecord(type) && type['kind'] === 'named' && type['scope'] === undefined ? type['name'] : undefined;
}

function unique(names: readonly string[], without: string): string[] {
  return [...new Set(names)].filter((name) => name !== without);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
