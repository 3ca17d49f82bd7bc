import type { LoadResult } from '../analysis/design.ts';
import type { Port } from '../analysis/module.ts';
import { tokenize } from '../syntax/tokens.ts';
import { bitText, type BitRef, type KnownPort, type Table } from './tables/table.ts';

/** A port of the module to generate. */
export interface ModulePort extends KnownPort {
  /** The header declares it as a variable (`reg`), so that a process drives it and no continuous assignment. */
  readonly variable: boolean;
}

/** The interface of the module to generate. */
export interface ModuleInterface {
  readonly name: string;
  readonly ports: readonly ModulePort[];
  /** The header as the user wrote it; it is then used letter by letter. */
  readonly header: string | undefined;
}

export type InterfaceResult = { readonly kind: 'interface'; readonly value: ModuleInterface } | { readonly kind: 'refused'; readonly reason: string };

/** Reads a module header that was given as text, `loaded` being the module of that header with an empty body. */
export function interfaceOfHeader(header: string, loaded: LoadResult): InterfaceResult {
  if (loaded.kind === 'rejected') return { kind: 'refused', reason: `The module header cannot be read: ${loaded.reason}` };
  const { module } = loaded.design;
  const variables = variablesOf(header);
  const ports: ModulePort[] = [];
  for (const port of module.ports) {
    const range = rangeOf(port);
    if (range === 'unsupported' || port.direction === 'inout') return { kind: 'refused', reason: `The port '${port.name}' of the header is no input or output with at most one range, which a table can describe.` };
    ports.push({ name: port.name, direction: port.direction, range, variable: variables.has(port.name) });
  }
  if (ports.length === 0) return { kind: 'refused', reason: 'The module header has no ports; declare them with their directions in the header.' };
  return { kind: 'interface', value: { name: module.name, ports, header } };
}

function rangeOf({ packed, unpacked, width }: Port): KnownPort['range'] | 'unsupported' {
  const [range] = packed;
  if (packed.length > 1 || unpacked.length > 0 || width === undefined) return 'unsupported';
  return range ?? (width === 1 ? undefined : { left: width - 1, right: 0 });
}

/** Outputs that a header declares as variables. */
export function variablesOf(header: string): Set<string> {
  const variables = new Set<string>();
  let declared = false;
  for (const [at, { kind, text }] of tokenize(header).entries()) {
    if (['input', 'output', 'inout'].includes(text) && at > 0) declared = false;
    else if (['reg', 'logic', 'bit'].includes(text)) declared = true;
    else if (kind === 'identifier' && declared) variables.add(text);
  }
  return variables;
}

/** An interface made from the table's own names: inputs before outputs, each vector with the range that its bits need. */
export function interfaceOfTable(name: string, table: Table, listed: readonly KnownPort[], control: readonly string[]): ModuleInterface {
  const known = new Map(listed.map((port) => [port.name, port]));
  const inputs = portsOf(table.inputs, 'input', known);
  // The labels of a map stand on two sides, which gives its variables no order of their own.
  if (table.kind === 'logic' && table.form === 'Karnaugh map') inputs.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  const used = [...inputs, ...portsOf(table.outputs, 'output', known)];
  const clocked = control.map((port): KnownPort => ({ name: port, direction: 'input', range: undefined }));
  const all = [...clocked, ...used];
  // Ports that a list in the comment names keep the list's order.
  const order = (port: KnownPort): number => (known.size === 0 ? 0 : [...known.keys()].indexOf(port.name));
  const sorted = all.every((port) => known.has(port.name)) ? all.sort((a, b) => order(a) - order(b)) : all;
  return { name, ports: sorted.map((port) => ({ ...port, variable: false })), header: undefined };
}

function portsOf(bits: readonly BitRef[], direction: KnownPort['direction'], known: ReadonlyMap<string, KnownPort>): KnownPort[] {
  return [...new Set(bits.map(({ port }) => port))].map((name) => {
    const listed = known.get(name);
    if (listed !== undefined) return { name, direction, range: listed.range };
    const indices = bits.filter(({ port }) => port === name).map(({ index }) => index);
    const numbers = indices.flatMap((index) => index ?? []);
    if (numbers.length === 0) return { name, direction, range: undefined };
    return { name, direction, range: { left: Math.max(...numbers), right: Math.min(...numbers) } };
  });
}

/** The table with its input columns in the order of the module's ports, so that equations name them in that order. */
export function inPortOrder<T extends Table>(table: T, { ports }: ModuleInterface): T {
  const place = (bit: BitRef): number => ports.findIndex(({ name }) => name === bit.port);
  const order = [...table.inputs.keys()].sort((a, b) => {
    const [left, right] = [table.inputs[a], table.inputs[b]];
    return left === undefined || right === undefined ? 0 : place(left) - place(right) || (right.index ?? 0) - (left.index ?? 0) || a - b;
  });
  const permute = <R extends { readonly inputs: string }>(row: R): R => ({ ...row, inputs: order.map((at) => row.inputs[at] ?? '-').join('') });
  const inputs = order.flatMap((at) => table.inputs[at] ?? []);
  return table.kind === 'logic' ? { ...table, inputs, rows: table.rows.map(permute) } : { ...table, inputs, transitions: table.transitions.map(permute) };
}

/** Output bits of the interface that the table does not describe. */
export function missingOutputs({ ports }: ModuleInterface, described: readonly BitRef[]): string[] {
  const own = new Set(described.map(bitText));
  return ports.filter(({ direction }) => direction === 'output').flatMap((port) => {
    const bits = port.range === undefined ? [port.name] : rangeIndices(port.range).map((index) => `${port.name}[${index}]`);
    const missing = bits.filter((bit) => !own.has(bit));
    return missing.length === bits.length ? [port.name] : missing;
  });
}

function rangeIndices({ left, right }: { readonly left: number; readonly right: number }): number[] {
  return Array.from({ length: Math.abs(left - right) + 1 }, (_, at) => Math.min(left, right) + at);
}
