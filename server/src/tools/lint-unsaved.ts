import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withTempDir } from '../base/tempdir.ts';
import { youngKeywordsAsNames } from '../syntax/grammar-gaps.ts';
import type { LintMessage } from './lint-message.ts';
import { runLint } from './lint.ts';
import type { LintTool, LintToolName } from './lint.ts';
import type { Lookup, Toolbox } from './toolbox.ts';

const timeoutMs = 20_000;
const memoryBytes = 3 * 1024 ** 3;

export interface LintQuestion {
  /** Absolute path of the file that the text is meant for; it need not exist. */
  readonly file: string;
  readonly text: string;
  /** Absolute paths of the files that define what it uses. */
  readonly libraryFiles: readonly string[];
  readonly context: { readonly includeDirs: readonly string[]; readonly defines: Readonly<Record<string, string>> };
  /** What a tool has to read before a file for it to be seen as in its file list; empty for nothing. */
  readonly directivesBefore?: (file: string) => string;
  readonly tool: 'auto' | LintToolName;
  /** The text of a file that is open and not saved; undefined for others. */
  readonly unsaved: (file: string) => string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type LintAnswer =
  /** `given` is the name under which the messages speak of the file. */
  | { readonly kind: 'messages'; readonly tool: LintToolName; readonly version: string; readonly given: string; readonly messages: readonly LintMessage[] }
  | { readonly kind: 'cancelled' }
  /** `reason` is one full sentence. */
  | { readonly kind: 'not-run'; readonly reason: string };

/**
 * Has a tool look over a text in the surroundings of its file. What is not saved is written to a temporary folder, never
 * beside the user's files; the folder of the file is searched for what it includes, as if it stood there.
 */
export async function lint(question: LintQuestion, toolbox: Pick<Toolbox, 'iverilog' | 'verilator'>): Promise<LintAnswer> {
  const tool = await chooseTool(question.tool, toolbox);
  if (typeof tool === 'string') return { kind: 'not-run', reason: tool };
  return withTempDir(async (dir) => {
    const files: string[] = [];
    const write = async (name: string, text: string): Promise<string> => {
      const copy = path.join(dir, String(files.length), name);
      await mkdir(path.dirname(copy));
      await writeFile(copy, text);
      return copy;
    };
    for (const file of [...question.libraryFiles, question.file]) {
      const text = file === question.file ? question.text : question.unsaved(file);
      const directives = question.directivesBefore?.(file) ?? '';
      if (directives !== '') files.push(await write('macros.vh', directives));
      files.push(text === undefined ? file : await write(path.basename(file), text));
    }
    const given = files.at(-1) ?? question.file;
    const folders = [question.file, ...question.libraryFiles].map((file) => path.dirname(file));
    const outcome = await runLint(tool, {
      dir,
      files,
      includeDirs: [...new Set([...folders, ...question.context.includeDirs])],
      defines: question.context.defines,
      old: path.extname(question.file) === '.v' && youngKeywordsAsNames(question.text).size > 0,
      timeoutMs,
      memoryBytes,
      signal: question.signal,
    });
    return outcome.kind === 'messages' ? { ...outcome, tool: tool.name, version: tool.version, given } : outcome;
  });
}

/** The tool, or why there is none, as one full sentence. */
async function chooseTool(choice: LintQuestion['tool'], toolbox: Pick<Toolbox, 'iverilog' | 'verilator'>): Promise<LintTool | string> {
  const verilator = choice === 'iverilog' ? undefined : await toolbox.verilator();
  if (verilator?.kind === 'found') return verilator.tool;
  const iverilog = choice === 'verilator' ? undefined : await toolbox.iverilog();
  if (iverilog?.kind === 'found') return { name: 'iverilog', path: iverilog.path, version: iverilog.tool.version };
  return [verilator, iverilog].flatMap((lookup) => reasonOf(lookup)).join(' ');
}

function reasonOf(lookup: Lookup<unknown> | undefined): string[] {
  return lookup === undefined || lookup.kind === 'found' ? [] : [lookup.reason];
}
