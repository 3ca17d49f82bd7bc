import path from 'node:path';
import { jsonStrings } from '../base/json.ts';
import type { Span } from '../base/text.ts';
import type { Layout } from './stimulus/layout.ts';
import { fieldText, RowBuilder, rowBit, type Rows } from './stimulus/rows.ts';
import type { Mismatch, RegressionCase } from './verdict.ts';
import type { Exchange } from './witness.ts';

/** The case file beside the source of a golden. */
export function caseFileOf(goldenFile: string): string {
  return path.join(path.dirname(goldenFile), `${path.basename(goldenFile, path.extname(goldenFile))}.cases.json`);
}

export type CaseFile =
  /** Cases by the name of the golden module. */
  | { readonly kind: 'valid'; readonly modules: ReadonlyMap<string, readonly RegressionCase[]> }
  /** `reason` is one full sentence. */
  | { readonly kind: 'broken'; readonly reason: string };

/** Reads the text of a case file; a file that is not there holds no cases. */
export function parseCaseFile(text: string | undefined, file: string): CaseFile {
  if (text === undefined) return { kind: 'valid', modules: new Map() };
  const broken = (what: string): CaseFile => ({ kind: 'broken', reason: `The case file ${file} ${what}; correct it or delete it, it is never overwritten while it is wrong.` });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return broken('is not valid JSON');
  }
  if (!isRecord(json) || json['schema'] !== 1 || !isRecord(json['modules'])) return broken('does not say "schema": 1 and hold "modules"');
  const modules = new Map<string, readonly RegressionCase[]>();
  for (const [module, list] of Object.entries(json['modules'])) {
    const cases = Array.isArray(list) ? list.map(readCase) : [undefined];
    const known = cases.filter((entry) => entry !== undefined);
    if (known.length < cases.length) return broken(`has a case of '${module}' without "name", "compareFrom" and "rows"`);
    modules.set(module, known);
  }
  return { kind: 'valid', modules };
}

/** Where the text of a case file names a golden module or, if one is given, a port of it, without the quotes. */
export function caseMentions(text: string, module: string, port?: string): Span[] {
  return jsonStrings(text).flatMap(({ value, span, path: [list, owner, , key, ...rest], isKey }) => {
    if (!isKey || list !== 'modules') return [];
    const isNamed = port === undefined ? owner === undefined && value === module : owner === module && key === 'rows' && rest.length === 1 && value === port;
    return isNamed ? [span] : [];
  });
}

function readCase(value: unknown): RegressionCase | undefined {
  if (!isRecord(value)) return undefined;
  const { name, compareFrom, rows } = value;
  if (typeof name !== 'string' || typeof compareFrom !== 'number' || !Array.isArray(rows)) return undefined;
  const read = rows.flatMap((row: unknown): Record<string, string>[] => {
    if (!isRecord(row)) return [];
    const entries = Object.entries(row).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && /^[01z]+$/.test(entry[1]));
    return entries.length === Object.keys(row).length ? [Object.fromEntries(entries)] : [];
  });
  return read.length === rows.length && read.length > 0 ? { name, compareFrom, rows: read } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a case file, one row of a stimulus a line, so that changes of two people merge. */
export function formatCaseFile(modules: ReadonlyMap<string, readonly RegressionCase[]>): string {
  const list = (items: readonly string[], indent: string): string => (items.length === 0 ? '[]' : `[\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}]`);
  const entries = [...modules].map(([module, cases]) => {
    const texts = cases.map(({ name, compareFrom, rows }) => `{ "name": ${JSON.stringify(name)}, "compareFrom": ${String(compareFrom)}, "rows": ${list(rows.map((row) => JSON.stringify(row)), '      ')} }`);
    return `    ${JSON.stringify(module)}: ${list(texts, '    ')}`;
  });
  return `{\n  "schema": 1,\n  "modules": {\n${entries.join(',\n')}\n  }\n}\n`;
}

/** The cases with one more behind those of its module, unless the same stimulus is there already. */
export function withCase(modules: ReadonlyMap<string, readonly RegressionCase[]>, module: string, added: RegressionCase): ReadonlyMap<string, readonly RegressionCase[]> {
  const known = modules.get(module) ?? [];
  const same = known.some(({ rows }) => JSON.stringify(rows) === JSON.stringify(added.rows));
  return same ? modules : new Map([...modules, [module, [...known, added]]]);
}

export function caseOf({ layout, rows, compareFrom }: Exchange, { output, expected, actual }: Pick<Mismatch, 'output' | 'expected' | 'actual'>): RegressionCase {
  const values = Array.from({ length: rows.count }, (_, row) => {
    const inputs: Record<string, string> = {};
    for (const field of layout.fields) {
      if (field.role !== 'inout-enable') inputs[field.port] = fieldText(rows, row, field);
      else if (rowBit(rows, row, field.offset) === 0) inputs[field.port] = 'z'.repeat(inputs[field.port]?.length ?? 1);
    }
    return inputs;
  });
  return { name: `${output} was ${actual} where ${expected} is expected`, compareFrom, rows: values };
}

/** The rows of a case for a layout; undefined when the ports are not those that it was saved with. */
export function rowsOfCase({ rows }: RegressionCase, layout: Layout): Rows | undefined {
  const ports = new Map(layout.fields.filter(({ role }) => role !== 'inout-enable').map(({ port, width }) => [port, width]));
  const builder = new RowBuilder(layout, rows.length);
  for (const row of rows) {
    const entries = Object.entries(row);
    if (entries.length !== ports.size || entries.some(([port, value]) => ports.get(port) !== value.length)) return undefined;
    for (const field of layout.fields) {
      const value = row[field.port] ?? '';
      if (field.role === 'inout-enable') builder.setBit(field.offset, !value.includes('z'));
      else builder.setBig(field, BigInt(`0b${value.replaceAll('z', '0')}`));
    }
    builder.push();
  }
  return builder.finish();
}
