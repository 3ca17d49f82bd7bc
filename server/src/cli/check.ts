import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesOfUnits } from '../analysis/filelist.ts';
import type { CompilationUnit, GradedProblem } from '../analysis/design.ts';
import type { Level } from '../analysis/rules/rule.ts';
import { levels as allLevels } from '../analysis/rules/rule.ts';
import { rules } from '../analysis/rules/table.ts';
import { levelsFrom } from '../features/rule-findings.ts';
import type { SourceContext } from '../core.ts';
import { count } from '../verification/value-text.ts';
import { commonOptions, UsageError, type CommandSpec, type ParsedArgs } from './args.ts';
import { exitBadInput, type Command, type CommandContext, type Outcome } from './context.ts';
import { plain, type Paint } from './layout.ts';
import { placeText, shortPath } from './places.ts';
import { sourceArgs, sourceOptions } from './sources.ts';

export const checkSpec: CommandSpec = {
  name: 'check',
  usage: 'FILE|DIR... [options]',
  summary: 'Reports syntax errors of Verilog and SystemVerilog files and what the rules find in them; of a directory, every .v .vh .sv .svh file below it.',
  operands: 'Files and directories to check.',
  options: [
    ...sourceOptions,
    { name: 'rules', value: 'RULE=LEVEL,...', repeatable: true, help: 'Set the level of rules: error, warning, information, hint or off; all=off applies none. docs/rules.md lists them.' },
    { name: 'hints', terminalOnly: true, help: 'Print hints and information too.' },
    { name: 'fail-on', value: 'LEVEL', terminalOnly: true, help: 'Lowest level that makes the exit code 1: error (default), warning, information or hint.' },
    ...commonOptions,
  ],
  notes: [
    'The files are checked as one project: what none of several defines is reported as missing.',
    'The sources of file lists are one compilation unit: macros that one defines are there in those behind it, and in the library files of -v and -y.',
  ],
  exitCodes: '0 nothing at the level of --fail-on or above; 1 something at it; 3 a file that cannot be read.',
};

/** The stable object of `check --json`. */
export interface CheckResult {
  readonly schema: 1;
  /** Number of files that were checked. */
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  /** Places are zero-based; `file` is absolute. */
  readonly diagnostics: readonly GradedProblem[];
  /** Absolute paths that could not be read. */
  readonly unreadable: readonly string[];
}

const extensions = new Set(['.v', '.vh', '.sv', '.svh']);

/** `rtl-copilot check`. */
export const checkCommand: Command = { spec: checkSpec, run: runCheck };

async function runCheck(parsed: ParsedArgs, context: CommandContext): Promise<Outcome> {
  const { terminal, cwd } = context;
  const { unit = { sources: [], libraries: [] }, ...source } = await sourceArgs(parsed, context);
  const files = sourceFiles(parsed.positionals, filesOfUnits([unit]), cwd);
  const failing = failLevel(parsed);
  const result = await checkFiles(files, { source, unit, levels: ruleLevels(parsed) }, context);
  const failed = result.diagnostics.some(({ severity }) => allLevels.indexOf(severity) <= allLevels.indexOf(failing));
  return {
    exitCode: result.unreadable.length > 0 ? exitBadInput : failed ? 1 : 0,
    json: result,
    text: checkText(result, (file) => shortPath(file, cwd), { hints: parsed.flag('hints'), paint: terminal.paint }),
    remarks: result.unreadable.map((file) => `rtl-copilot: ${shortPath(file, cwd)} cannot be read; check its path.\n`).join(''),
  };
}

interface CheckOptions {
  readonly source: SourceContext;
  readonly unit: CompilationUnit;
  readonly levels: Readonly<Record<string, Level>> | undefined;
}

async function checkFiles(files: readonly string[], { source, unit, levels }: CheckOptions, context: CommandContext): Promise<CheckResult> {
  const core = await context.core();
  const unreadable: string[] = [];
  const sources: { file: string; text: string }[] = [];
  for (const file of files) {
    const text = await context.files.read(file);
    if (text === undefined) unreadable.push(file);
    else sources.push({ file, text });
  }
  let at = 0;
  const progress = (file: string): void => context.terminal.progress(`Checking ${++at} of ${sources.length}: ${shortPath(file, context.cwd)}`);
  const diagnostics = await core.check({ sources, context: source, unit, levels, progress });
  const number = (level: Level): number => diagnostics.filter(({ severity }) => severity === level).length;
  return { schema: 1, files: sources.length, errors: number('error'), warnings: number('warning'), diagnostics, unreadable };
}

/** One line for each diagnostic and a summary. */
export function checkText(result: CheckResult, pathOf: (file: string) => string, { hints = false, paint = plain }: { readonly hints?: boolean; readonly paint?: Paint } = {}): string {
  const colours = { error: 'red', warning: 'yellow', information: 'cyan', hint: 'dim' } as const;
  const shown = result.diagnostics.filter(({ severity }) => hints || severity === 'error' || severity === 'warning');
  const lines = shown.map(({ file, line, character, severity, message, rule }) => {
    const place = placeText(pathOf(file), line, character);
    return `${paint('bold', place)}: ${paint(colours[severity], `${severity}:`)} ${message}${rule === undefined ? '' : paint('dim', ` [${rule}]`)}`;
  });
  const { errors, warnings } = result;
  const concerned = new Set(shown.map(({ file }) => file)).size;
  const told = [errors > 0 || warnings === 0 ? count(errors, 'error') : undefined, warnings > 0 ? count(warnings, 'warning') : undefined].filter((text) => text !== undefined).join(' and ');
  const summary =
    errors + warnings === 0 ? `${paint('green', '✓')} No errors in ${count(result.files, 'file')}.` : `${errors > 0 ? paint('red', '✗') : paint('yellow', '!')} ${told} in ${concerned} of ${count(result.files, 'file')}.`;
  return `${[...lines, summary].join('\n')}\n`;
}

/** Levels as `--rules` sets them; undefined when no rule is wanted. */
function ruleLevels(parsed: ParsedArgs): Readonly<Record<string, Level>> | undefined {
  const entries = parsed.all('rules').flatMap((text) => text.split(',')).map((entry) => {
    const [name = '', value = ''] = entry.split('=').map((part) => part.trim());
    const level = allLevels.find((candidate) => candidate === value);
    if (level === undefined) throw new UsageError(`--rules ${entry}: write RULE=LEVEL, where LEVEL is one of ${allLevels.join(', ')}.`);
    return [name, level] as const;
  });
  const all = entries.findLast(([name]) => name === 'all')?.[1];
  const named = Object.fromEntries(entries.filter(([name]) => name !== 'all'));
  const [unknown] = levelsFrom(named).unknown;
  if (unknown !== undefined) throw new UsageError(`--rules ${unknown}: there is no such rule; docs/rules.md lists them.`);
  if (all === undefined) return named;
  return all === 'off' && Object.keys(named).length === 0 ? undefined : { ...Object.fromEntries(rules.map(({ id }) => [id, all])), ...named };
}

function failLevel(parsed: ParsedArgs): Level {
  const text = parsed.one('fail-on') ?? 'error';
  const level = allLevels.find((candidate) => candidate === text && candidate !== 'off');
  if (level === undefined) throw new UsageError(`--fail-on ${text}: write one of ${allLevels.slice(0, -1).join(', ')}.`);
  return level;
}

/** The named files, the sources below the named directories and those of file lists, absolute, each once, in order. */
function sourceFiles(named: readonly string[], listed: readonly string[], cwd: string): string[] {
  if (named.length === 0 && listed.length === 0) throw new UsageError('Name at least one file or directory to check.');
  const files = named.flatMap((name) => {
    const resolved = path.resolve(cwd, name);
    if (statSync(resolved, { throwIfNoEntry: false })?.isDirectory() !== true) return [resolved];
    const found = sourcesBelow(resolved);
    if (found.length === 0) throw new UsageError(`The directory ${name} holds no .v .vh .sv or .svh file.`);
    return found;
  });
  return [...new Set([...listed, ...files])];
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
