import type { ModuleInterface } from '../interface.ts';
import { minimize, DONT_CARE, type Care, type Cover } from '../minimize.ts';
import { bitText, intersect, sameBit, type BitRef, type LogicTable } from '../tables/table.ts';
import { bundleText, constantText, headerText, literalCount, moduleText, sumText } from './text.ts';

/** Rows above which a case statement no longer reads better than equations. */
const MOST_CASE_ROWS = 64;

/** A module for a logic table: minimised equations, or a case statement where that is shorter to read. */
export function emitLogic(table: LogicTable, module: ModuleInterface): string {
  const covers = table.outputs.map((_, at) => coverOf(table, at));
  return prefersCase(table, covers) ? emitCase(table, module) : emitEquations(table, covers, module);
}

/** The minimised cover of one output bit. */
export function coverOf({ inputs, rows }: LogicTable, output: number): Cover {
  const values = new Uint8Array(2 ** inputs.length).fill(DONT_CARE);
  for (const row of rows) {
    const letter = row.outputs[output];
    if (letter === '0' || letter === '1') fill(values, row.inputs, letter === '1' ? 1 : 0);
  }
  return minimize(values as ArrayLike<number> as ArrayLike<Care>, inputs.length);
}

/** Sets the value of every combination that a cube covers. */
function fill(values: Uint8Array, cube: string, value: Care): void {
  const width = cube.length;
  const fixed = Number.parseInt(`0${cube.replaceAll('-', '0')}`, 2);
  const free = Array.from(cube).reduce((mask, letter, at) => (letter === '-' ? mask + 2 ** (width - 1 - at) : mask), 0);
  for (let subset = free; ; subset = (subset - 1) & free) {
    values[fixed | subset] = value;
    if (subset === 0) return;
  }
}

function prefersCase({ rows, outputs }: LogicTable, covers: readonly Cover[]): boolean {
  const literals = covers.reduce((sum, { cubes }) => sum + literalCount(cubes), 0);
  const disjoint = rows.length <= MOST_CASE_ROWS && rows.every((row, at) => rows.slice(0, at).every((other) => !intersect(row.inputs, other.inputs)));
  return disjoint && literals > rows.length * (outputs.length >= 4 ? 3 : 8);
}

function emitEquations({ inputs, outputs }: LogicTable, covers: readonly Cover[], module: ModuleInterface): string {
  const variable = (bit: BitRef): boolean => module.ports.some(({ name, variable: declared }) => name === bit.port && declared);
  const ordered = inPortOrder(outputs, module);
  const equation = (bit: BitRef, indent: string): string => `${bitText(bit)} = ${sumText(covers[outputs.findIndex((other) => sameBit(other, bit))]?.cubes ?? [], inputs, `${indent}    `)};`;
  const assigned = ordered.filter((bit) => !variable(bit)).map((bit) => `    assign ${equation(bit, '    ')}`);
  const driven = ordered.filter(variable).map((bit) => `        ${equation(bit, '        ')}`);
  const process = driven.length === 0 ? [] : ['    always @(*) begin', ...driven, '    end'];
  const constant = inputs.length === 0 || covers.every(({ cubes }) => cubes.every((cube) => !/[01]/.test(cube)));
  // A process without inputs would never run.
  const body = constant && driven.length > 0 ? [...assigned, '    initial begin', ...driven, '    end'] : [...assigned, ...process];
  return moduleText(headerText(module, new Set()), body);
}

function inPortOrder(bits: readonly BitRef[], { ports }: ModuleInterface): BitRef[] {
  const order = (bit: BitRef): number => ports.findIndex(({ name }) => name === bit.port);
  return [...bits].sort((a, b) => order(a) - order(b) || (b.index ?? 0) - (a.index ?? 0));
}

function emitCase(table: LogicTable, module: ModuleInterface): string {
  const { inputs, outputs, rows } = table;
  const inner = drivenNames(outputs, module);
  const keyword = rows.some(({ inputs: cube }) => cube.includes('-')) ? 'casez' : 'case';
  const target = bundleText(outputs.map((bit) => ({ ...bit, port: inner.names.get(bit.port) ?? bit.port })), module.ports.map((port) => ({ ...port, name: inner.names.get(port.name) ?? port.name })));
  const label = (cube: string): string => `${cube.length}'b${cube.replaceAll('-', '?')}`;
  return moduleText(headerText(module, new Set(outputs.map(({ port }) => port))), [
    ...inner.declarations,
    '    always @(*) begin',
    `        ${keyword} (${bundleText(inputs, module.ports)})`,
    ...rows.map((row) => `            ${label(row.inputs)}: ${target} = ${constantText(row.outputs)};`),
    `            default: ${target} = ${constantText('0'.repeat(outputs.length))};`,
    '        endcase',
    '    end',
  ]);
}

/** Names that a process may drive: the ports themselves, or variables behind ports that a given header declares as nets. */
export function drivenNames(outputs: readonly BitRef[], module: ModuleInterface): { readonly names: ReadonlyMap<string, string>; readonly declarations: readonly string[] } {
  const names = new Map<string, string>();
  const declarations: string[] = [];
  const taken = new Set(module.ports.map(({ name }) => name));
  for (const port of module.ports) {
    if (module.header === undefined || port.variable || !outputs.some((bit) => bit.port === port.name)) continue;
    let inner = `${port.name}_value`;
    while (taken.has(inner)) inner += '_';
    taken.add(inner);
    names.set(port.name, inner);
    const range = port.range === undefined ? '' : `[${port.range.left}:${port.range.right}] `;
    declarations.push(`    reg ${range}${inner};`, `    assign ${port.name} = ${inner};`);
  }
  return { names, declarations: declarations.length === 0 ? [] : [...declarations, ''] };
}
