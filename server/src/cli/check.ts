import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseDefine } from '../analysis/filelist.ts';
import type { SourceProblem } from '../analysis/design.ts';
import type { SourceContext } from '../core.ts';
import { count } from '../verification/value-text.ts';
import { parseCommandLine, UsageError, type CommandSpec, type ParsedArgs } from './args.ts';
import { exitBadInput, jsonText, type CommandContext } from './context.ts';
import { commandHelp } from './help.ts';
import { plain, type Paint } from './layout.ts';
import { placeText, shortPath } from './places.ts';

export const checkSpec: CommandSpec = {
  name: 'check',
  usage: 'FILE|DIR... [options]',
  summary: 'Reports syntax errors of Verilog and SystemVerilog files; of a directory, every .v .vh .sv .svh file below it.',
  options: [
    { name: 'include', short: 'I', value: 'DIR', repeatable: true, help: 'Search DIR for included files.' },
    { name: 'define', short: 'D', value: 'NAME[=VALUE]', repeatable: true, help: 'Define a macro; without VALUE it is 1.' },
    { name: 'json', help: 'Print the result as one JSON object.' },
    { name: 'help', short: 'h', help: 'Show this help.' },
  ],
  notes: ['Exit code: 0 no errors; 1 errors found; 3 a file that cannot be read.'],
};

/** The stable object of `check --json`. */
export interface CheckResult {
  readonly schema: 1;
  /** Number of files that were checked. */
  readonly files: number;
  readonly errors: number;
  /** Places are zero-based; `file` is absolute. */
  readonly diagnostics: readonly (SourceProblem & { readonly severity: 'error' })[];
  /** Absolute paths that could not be read. */
  readonly unreadable: readonly string[];
}

const extensions = new Set(['.v', '.vh', '.sv', '.svh']);

/** `rtl-copilot check`. */
export async function checkCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal, cwd } = context;
  const parsed = parseCommandLine(checkSpec, args);
  if (parsed.flag('help')) {
    await terminal.write(commandHelp(checkSpec, terminal.columns));
    return 0;
  }
  const files = sourceFiles(parsed.positionals, cwd);
  const result = await checkFiles(files, sourceContext(parsed, cwd), context);
  for (const file of result.unreadable) terminal.warn(`rtl-copilot: ${shortPath(file, cwd)} cannot be read; check its path.\n`);
  await terminal.write(parsed.flag('json') ? jsonText(result) : checkText(result, (file) => shortPath(file, cwd), terminal.paint));
  if (result.unreadable.length > 0) return exitBadInput;
  return result.errors > 0 ? 1 : 0;
}

async function checkFiles(files: readonly string[], source: SourceContext, context: CommandContext): Promise<CheckResult> {
  const core = await context.core();
  const diagnostics: CheckResult['diagnostics'][number][] = [];
  const unreadable: string[] = [];
  for (const [at, file] of files.entries()) {
    context.terminal.progress(`Checking ${at + 1} of ${files.length}: ${shortPath(file, context.cwd)}`);
    const text = await context.files.read(file);
    if (text === undefined) unreadable.push(file);
    else diagnostics.push(...(await core.check(file, text, source)).map((problem) => ({ ...problem, severity: 'error' as const })));
  }
  context.terminal.progress(undefined);
  return { schema: 1, files: files.length - unreadable.length, errors: diagnostics.length, diagnostics, unreadable };
}

/** One line for each diagnostic and a summary. */
export function checkText(result: CheckResult, pathOf: (file: string) => string, paint: Paint = plain): string {
  const lines = result.diagnostics.map((diagnostic) => {
    const place = placeText(pathOf(diagnostic.file), diagnostic.line, diagnostic.character);
    return `${paint('bold', place)}: ${paint('red', `${diagnostic.severity}:`)} ${diagnostic.message}`;
  });
  const withErrors = new Set(result.diagnostics.map((diagnostic) => diagnostic.file)).size;
  const summary =
    result.errors === 0 ? `${paint('green', '✓')} No errors in ${count(result.files, 'file')}.` : `${paint('red', '✗')} ${count(result.errors, 'error')} in ${withErrors} of ${count(result.files, 'file')}.`;
  return `${[...lines, summary].join('\n')}\n`;
}

function sourceContext(parsed: ParsedArgs, cwd: string): SourceContext {
  const defines = parsed.all('define').map((text) => {
    const define = parseDefine(text);
    if (define === undefined) throw new UsageError(`-D ${text}: write NAME or NAME=VALUE, where NAME is a macro's name.`);
    return [define.name, define.value] as const;
  });
  return { includeDirs: parsed.all('include').map((dir) => path.resolve(cwd, dir)), defines: Object.fromEntries(defines) };
}

/** The named files and the sources below the named directories, absolute, each once, in order. */
function sourceFiles(named: readonly string[], cwd: string): string[] {
  if (named.length === 0) throw new UsageError('Name at least one file or directory to check.');
  const files = named.flatMap((name) => {
    const resolved = path.resolve(cwd, name);
    if (statSync(resolved, { throwIfNoEntry: false })?.isDirectory() !== true) return [resolved];
    const found = sourcesBelow(resolved);
    if (found.length === 0) throw new UsageError(`The directory ${name} holds no .v .vh .sv or .svh file.`);
    return found;
  });
  return [...new Set(files)];
}

/** Directories whose name starts with a dot and `node_modules` are left out; links to directories are not followed. */
function sourcesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const inner = path.join(directory, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : sourcesBelow(inner);
    return extensions.has(path.extname(entry.name).toLowerCase()) ? [inner] : [];
  });
}
