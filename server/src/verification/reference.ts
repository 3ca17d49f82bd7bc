import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { jsonStrings } from '../base/json.ts';
import type { Span } from '../base/text.ts';

/** Name of the file in the workspace folder's root that says which golden each module is verified against. */
export const referenceFileName = '.rtl-copilot.json';

/** A module by the absolute path of the file that defines it. */
export interface ModuleName {
  readonly file: string;
  readonly module: string;
}

export interface ReferenceBinding {
  readonly dut: ModuleName;
  readonly golden: ModuleName;
}

/** Why a reference file could not be understood. */
export interface ReferenceFileProblem {
  /** Offset in the file's text. */
  readonly offset: number;
  /** One full sentence. */
  readonly message: string;
}

export type ReferenceFile =
  /** `schemaUrl` is the value of the key `$schema`, by which some editors find the JSON schema. */
  | { readonly kind: 'valid'; readonly bindings: readonly ReferenceBinding[]; readonly schemaUrl?: string }
  | { readonly kind: 'broken'; readonly problem: ReferenceFileProblem };

/** Reads the text of a reference file; paths in it are relative to `root`. Undefined or blank text holds no bindings. */
export function parseReferenceFile(text: string | undefined, root: string): ReferenceFile {
  if (text === undefined || text.trim() === '') return { kind: 'valid', bindings: [] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return broken(syntaxErrorOffset(error, text), 'is not valid JSON');
  }
  if (!isRecord(json)) return broken(0, 'must hold an object');
  if (json['schema'] !== 1) {
    const newer = typeof json['schema'] === 'number' && json['schema'] > 1;
    return broken(
      keyOffset(text, 'schema'),
      newer ? 'was written by a newer version of RTL Copilot' : 'must say "schema": 1',
    );
  }
  const unknownKey = Object.keys(json).find((key) => !['$schema', 'schema', 'references'].includes(key));
  if (unknownKey !== undefined) return broken(keyOffset(text, unknownKey), `has an unknown key "${unknownKey}"`);
  const entries = json['references'];
  if (!Array.isArray(entries)) return broken(keyOffset(text, 'references'), 'must have a list "references"');
  const file = parseEntries(entries, text, root);
  const schemaUrl = json['$schema'];
  return file.kind === 'valid' && typeof schemaUrl === 'string' ? { ...file, schemaUrl } : file;
}

function parseEntries(entries: readonly unknown[], text: string, root: string): ReferenceFile {
  const offsets = entryOffsets(text);
  const seen = new Set<string>();
  const bindings: ReferenceBinding[] = [];
  for (const [index, entry] of entries.entries()) {
    const offset = offsets[index] ?? 0;
    if (!isRecord(entry) || Object.keys(entry).some((key) => key !== 'dut' && key !== 'golden')) {
      return broken(offset, `must have exactly "dut" and "golden" in entry ${index + 1} of "references"`);
    }
    const dut = parseModule(entry['dut'], root);
    const golden = parseModule(entry['golden'], root);
    if (!dut || !golden) {
      const side = dut ? 'golden' : 'dut';
      return broken(offset, `needs the texts "file" and "module" in "${side}" of entry ${index + 1} of "references"`);
    }
    const key = keyOf(dut);
    if (seen.has(key)) return broken(offset, `names two references for the module ${dut.module}`);
    seen.add(key);
    bindings.push({ dut, golden });
  }
  return { kind: 'valid', bindings };
}

function parseModule(value: unknown, root: string): ModuleName | undefined {
  if (!isRecord(value) || Object.keys(value).some((key) => key !== 'file' && key !== 'module')) return undefined;
  const { file, module } = value;
  if (typeof file !== 'string' || typeof module !== 'string' || file === '' || module === '') return undefined;
  return { file: resolve(root, file), module };
}

/**
 * Text of a reference file: one binding a line, in the order of the DUT's path and name, so that two people's changes merge.
 * Paths are relative to `root` with forward slashes on every system.
 */
export function formatReferenceFile(bindings: readonly ReferenceBinding[], root: string, schemaUrl?: string): string {
  const lines = bindings
    .map(({ dut, golden }) => ({ dut: portable(dut, root), golden: portable(golden, root) }))
    .sort((a, b) => compareText(a.dut.file, b.dut.file) || compareText(a.dut.module, b.dut.module))
    .map(({ dut, golden }) => `    { "dut": ${formatModule(dut)}, "golden": ${formatModule(golden)} }`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  const url = schemaUrl === undefined ? '' : `  "$schema": ${JSON.stringify(schemaUrl)},\n`;
  return `{\n${url}  "schema": 1,\n  "references": ${list}\n}\n`;
}

function formatModule({ file, module }: ModuleName): string {
  return `{ "file": ${JSON.stringify(file)}, "module": ${JSON.stringify(module)} }`;
}

function portable({ file, module }: ModuleName, root: string): ModuleName {
  const path = relative(root, file);
  return { file: (isAbsolute(path) ? file : path).replaceAll('\\', '/'), module };
}

/** Independent of the locale, so that the order is the same on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function sameModule(a: ModuleName, b: ModuleName): boolean {
  return a.file === b.file && a.module === b.module;
}

function keyOf({ file, module }: ModuleName): string {
  return JSON.stringify([file, module]);
}

/** Where the text of a reference file names a module, without the quotes. */
export function moduleMentions(text: string, root: string, { file, module }: ModuleName): Span[] {
  const strings = jsonStrings(text);
  return strings.flatMap(({ value, span, path, isKey }) => {
    const [list, entry, side, key] = path;
    if (isKey || list !== 'references' || (side !== 'dut' && side !== 'golden') || key !== 'module' || path.length !== 4 || value !== module) return [];
    const named = strings.find((other) => !other.isKey && other.path.length === 4 && other.path[1] === entry && other.path[2] === side && other.path[3] === 'file');
    return named && resolve(root, named.value) === file ? [span] : [];
  });
}

export function goldenOf(bindings: readonly ReferenceBinding[], dut: ModuleName): ModuleName | undefined {
  return bindings.find((binding) => sameModule(binding.dut, dut))?.golden;
}

/** The bindings with the one of `dut` replaced, added or, without a golden, removed. */
export function withReference(
  bindings: readonly ReferenceBinding[],
  dut: ModuleName,
  golden: ModuleName | undefined,
): readonly ReferenceBinding[] {
  const others = bindings.filter((binding) => !sameModule(binding.dut, dut));
  return golden ? [...others, { dut, golden }] : others;
}

/** Reads the reference file of a workspace folder; a file that does not exist holds no bindings. Rejects when it cannot be read. */
export async function readReferenceFile(root: string): Promise<ReferenceFile> {
  try {
    return parseReferenceFile(await readFile(join(root, referenceFileName), 'utf8'), root);
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return { kind: 'valid', bindings: [] };
    throw error;
  }
}

/** Outcome of a change: a broken file is left as it is. */
export type ReferenceUpdate =
  | { readonly kind: 'written'; readonly bindings: readonly ReferenceBinding[] }
  | { readonly kind: 'broken'; readonly problem: ReferenceFileProblem };

/**
 * Binds `dut` to `golden`, or removes its binding, in the file on the disk. The file is replaced in one step, so that a
 * reader never sees half of it. Rejects when the folder cannot be written.
 */
export async function updateReferenceFile(root: string, dut: ModuleName, golden: ModuleName | undefined): Promise<ReferenceUpdate> {
  const current = await readReferenceFile(root);
  if (current.kind === 'broken') return current;
  const bindings = withReference(current.bindings, dut, golden);
  const path = join(root, referenceFileName);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, formatReferenceFile(bindings, root, current.schemaUrl));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return { kind: 'written', bindings };
}

function broken(offset: number, what: string): ReferenceFile {
  return { kind: 'broken', problem: { offset, message: `${referenceFileName} ${what}; correct it by hand, it is never overwritten.` } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The engine tells the place of a JSON error in its message only. */
function syntaxErrorOffset(error: unknown, text: string): number {
  const found = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return found === undefined ? text.trimEnd().length : Math.min(Number(found), text.length);
}

function keyOffset(text: string, key: string): number {
  return Math.max(text.indexOf(JSON.stringify(key)), 0);
}

/** Where each entry of the list `references` begins in a valid JSON text. */
function entryOffsets(text: string): number[] {
  const offsets: number[] = [];
  let depth = 0;
  let inList = false;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s"[\]{},:]+/g)) {
    const opens = token === '{' || token === '[';
    if (depth === 2 && inList && token !== ']') offsets.push(index);
    if (depth === 1 && token.startsWith('"')) inList = token === '"references"';
    if (opens) depth++;
    else if (token === '}' || token === ']') depth--;
  }
  return offsets;
}
