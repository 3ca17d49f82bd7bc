import { dirname, join, resolve } from 'node:path';
import type { CompilationUnit, SourceProblem } from './design.ts';
import { replaceVariables, tokenize, type Token } from './filelist-tokens.ts';

/** The part of a file reader that a file list needs. */
export interface FilelistReader {
  read(path: string): Promise<string | undefined>;
}

export interface FilelistEnv {
  readonly files: FilelistReader;
  /** Absolute directory that paths of an `-f` list are relative to. */
  readonly cwd: string;
  /** Values for `$NAME`, `${NAME}` and `$(NAME)` in paths. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** An option that a simulator may know and that has no meaning here. */
export interface IgnoredOption {
  readonly option: string;
  readonly file: string;
  /** Zero-based. */
  readonly line: number;
}

/** What a file list and everything it names say, in order; every path is absolute. */
export interface Filelist {
  readonly sources: readonly string[];
  /** Files given with `-v`: searched for modules that are instantiated. */
  readonly libraryFiles: readonly string[];
  /** Directories given with `-y`: searched for a file named like the instantiated module. */
  readonly libraryDirs: readonly string[];
  /** From `+libext+`, each with its dot. */
  readonly libraryExtensions: readonly string[];
  readonly includeDirs: readonly string[];
  readonly defines: Readonly<Record<string, string>>;
  readonly ignored: readonly IgnoredOption[];
}

export type FilelistResult =
  | { readonly kind: 'read'; readonly list: Filelist }
  | { readonly kind: 'rejected'; readonly problem: SourceProblem };

interface Collected {
  readonly sources: string[];
  readonly libraryFiles: string[];
  readonly libraryDirs: string[];
  readonly libraryExtensions: string[];
  readonly includeDirs: string[];
  readonly defines: Record<string, string>;
  readonly ignored: IgnoredOption[];
}

class FilelistError extends Error {
  readonly problem: SourceProblem;

  constructor(problem: SourceProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Options of common tools whose value is the next token, so that the value is not taken for a source file. */
const ignoredWithValue = new Set(['-top', '--top', '--top-module', '-l', '-o', '-work', '-L', '-timescale', '--timescale', '-Mdir', '--Mdir', '-s']);

/**
 * Reads a file list as simulators do. Paths in a list read with `-f` are relative to `cwd`; paths in a list read with `-F`
 * are relative to that list's own directory. A list that includes itself, a list that is missing and a variable that is not
 * set are problems; unknown options are collected in `ignored`.
 */
export async function readFilelist(file: string, relativeTo: 'cwd' | 'list', env: FilelistEnv): Promise<FilelistResult> {
  const into: Collected = { sources: [], libraryFiles: [], libraryDirs: [], libraryExtensions: [], includeDirs: [], defines: {}, ignored: [] };
  try {
    await readInto(into, { file: resolve(env.cwd, file), relativeTo, named: undefined, open: [] }, env);
    return { kind: 'read', list: into };
  } catch (error) {
    if (error instanceof FilelistError) return { kind: 'rejected', problem: error.problem };
    throw error;
  }
}

/** The sources of a list with its library files; of library directories, the files with a library extension. */
export async function unitOfList(list: Filelist, reader: { list(directory: string): Promise<string[]> }): Promise<CompilationUnit> {
  const extensions = list.libraryExtensions.length > 0 ? list.libraryExtensions : ['.v', '.sv'];
  const inDirs = list.libraryDirs.map(async (dir) => {
    const names = await reader.list(dir);
    return names.filter((name) => extensions.some((extension) => name.endsWith(extension))).map((name) => join(dir, name));
  });
  const libraries = [...list.libraryFiles, ...(await Promise.all(inDirs)).flat()];
  return { sources: [...new Set(list.sources)], libraries: [...new Set(libraries)].filter((file) => !list.sources.includes(file)) };
}

/** Several lists of one command are one unit. */
export function joinedUnit(units: readonly CompilationUnit[]): CompilationUnit {
  const sources = new Set(units.flatMap((unit) => unit.sources));
  return { sources: [...sources], libraries: [...new Set(units.flatMap(({ libraries }) => libraries))].filter((file) => !sources.has(file)) };
}

/** Every file of some units, each once. */
export function filesOfUnits(units: readonly CompilationUnit[]): string[] {
  return [...new Set(units.flatMap(({ sources, libraries }) => [...sources, ...libraries]))];
}

interface Request {
  readonly file: string;
  readonly relativeTo: 'cwd' | 'list';
  /** Where the list was named; undefined for the outermost one. */
  readonly named: { readonly file: string; readonly token: Token } | undefined;
  /** Lists that are being read, outermost first. */
  readonly open: readonly string[];
}

async function readInto(into: Collected, request: Request, env: FilelistEnv): Promise<void> {
  const { file, open, named } = request;
  const place = named === undefined ? { file, line: undefined, character: undefined } : { file: named.file, ...placeOf(named.token) };
  if (open.includes(file)) {
    throw new FilelistError({ ...place, message: `The file list includes itself: ${[...open.slice(open.indexOf(file)), file].join(' -> ')}; remove one of these -f lines.` });
  }
  const text = await env.files.read(file);
  if (text === undefined) throw new FilelistError({ ...place, message: `The file list ${file} cannot be read; check its path.` });
  const base = request.relativeTo === 'cwd' ? env.cwd : dirname(file);
  const tokens = tokenize(text);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    const item = classify(token.text);
    const reading: Reading = { file, base, env };
    if (item.kind === 'valued') {
      const value = item.value === '' ? tokens[++at] : { ...token, text: item.value };
      if (value === undefined) throw problemAt(file, token, `The option ${token.text} needs a value after it.`);
      if (item.option === '-f' || item.option === '-F') {
        const nested = resolve(base, expand(value, reading));
        await readInto(into, { file: nested, relativeTo: item.option === '-f' ? 'cwd' : 'list', named: { file, token }, open: [...open, file] }, env);
      } else takeValued(into, item.option, value, token, reading);
    } else takeSimple(into, item, token, reading);
  }
}

interface Reading {
  readonly file: string;
  readonly base: string;
  readonly env: FilelistEnv;
}

type Item =
  | { readonly kind: 'source' }
  | { readonly kind: 'plus'; readonly name: string; readonly values: readonly string[] }
  /** An empty value means that the next token is the value. */
  | { readonly kind: 'valued'; readonly option: string; readonly value: string }
  | { readonly kind: 'ignored' };

function classify(text: string): Item {
  const plus = /^\+(\w+)\+(.*)$/s.exec(text);
  if (plus !== null) return { kind: 'plus', name: plus[1] ?? '', values: splitPlus(plus[2] ?? '') };
  if (text.startsWith('+')) return { kind: 'ignored' };
  if (!text.startsWith('-')) return { kind: 'source' };
  if (ignoredWithValue.has(text)) return { kind: 'valued', option: text, value: '' };
  const joined = /^-([ID])(.*)$/s.exec(text);
  if (joined !== null) return { kind: 'valued', option: `-${joined[1] ?? ''}`, value: joined[2] ?? '' };
  return /^-[fFvy]$/.test(text) ? { kind: 'valued', option: text, value: '' } : { kind: 'ignored' };
}

/** Splits at `+` outside quotes, so that a define's value may hold one when quoted. */
function splitPlus(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|[^+"])+/gs) ?? [];
  return parts.filter((part) => part !== '');
}

function takeValued(into: Collected, option: string, value: Token, token: Token, reading: Reading): void {
  const path = (): string => resolve(reading.base, expand(value, reading));
  switch (option) {
    case '-I':
      into.includeDirs.push(path());
      return;
    case '-D':
      takeDefine(into, value, reading);
      return;
    case '-v':
      into.libraryFiles.push(path());
      return;
    case '-y':
      into.libraryDirs.push(path());
      return;
    default:
      into.ignored.push({ option: `${token.text} ${value.text}`, file: reading.file, line: token.line });
  }
}

function takeSimple(into: Collected, item: Exclude<Item, { kind: 'valued' }>, token: Token, reading: Reading): void {
  if (item.kind === 'source') {
    into.sources.push(resolve(reading.base, expand(token, reading)));
    return;
  }
  const name = item.kind === 'plus' ? item.name : undefined;
  const values = item.kind === 'plus' ? item.values : [];
  switch (name) {
    case 'incdir':
      for (const value of values) into.includeDirs.push(resolve(reading.base, expand({ ...token, text: value }, reading)));
      return;
    case 'define':
      for (const value of values) takeDefine(into, { ...token, text: value }, reading);
      return;
    case 'libext':
      for (const value of values) into.libraryExtensions.push(value.startsWith('.') ? value : `.${value}`);
      return;
    default:
      into.ignored.push({ option: token.text, file: reading.file, line: token.line });
  }
}

function takeDefine(into: Collected, token: Token, reading: Reading): void {
  // A macro's text may hold `$clog2` and the like, so an unknown name is no mistake here.
  const define = parseDefine(replaceVariables(token.text, (name, written) => reading.env.variables[name] ?? written));
  if (define === undefined) throw problemAt(reading.file, token, `"${token.text}" is not a macro definition; write NAME or NAME=VALUE.`);
  into.defines[define.name] = define.value;
}

/** Splits `NAME` or `NAME=VALUE`; a macro without a value is `1`, as in the simulators. Undefined when NAME is no identifier. */
export function parseDefine(text: string): { readonly name: string; readonly value: string } | undefined {
  const match = /^([A-Za-z_][\w$]*)(?:=(.*))?$/s.exec(text);
  return match === null ? undefined : { name: match[1] ?? '', value: match[2] ?? '1' };
}

/** Replaces environment variables in a token that names a path. */
function expand(token: Token, reading: Reading): string {
  return replaceVariables(token.text, (name, written) => {
    const value = reading.env.variables[name];
    if (value !== undefined) return value;
    throw problemAt(reading.file, token, `The environment variable ${name} is not set, but "${token.text}" uses it as ${written}; set it and try again.`);
  });
}

function placeOf(token: Token): { readonly line: number; readonly character: number } {
  return { line: token.line, character: token.character };
}

function problemAt(file: string, token: Token, message: string): FilelistError {
  return new FilelistError({ file, ...placeOf(token), message });
}
