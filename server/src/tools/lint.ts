import { run } from '../base/process.ts';
import { toolEnvironment } from './environment.ts';
import { parseMessages } from './iverilog-messages.ts';
import type { LintMessage } from './lint-message.ts';
import { parseVerilatorMessages } from './verilator-messages.ts';

export type LintToolName = 'iverilog' | 'verilator';

export interface LintTool {
  readonly name: LintToolName;
  /** Absolute path of the program. */
  readonly path: string;
  readonly version: string;
}

export interface LintRequest {
  /** Absolute working directory; the tool's own temporary files stay inside it. */
  readonly dir: string;
  /** Absolute paths in compilation order. */
  readonly files: readonly string[];
  readonly includeDirs: readonly string[];
  readonly defines: Readonly<Record<string, string>>;
  /** The sources are Verilog-2005, in which words of SystemVerilog are names. */
  readonly old: boolean;
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export type LintOutcome =
  | { readonly kind: 'messages'; readonly messages: readonly LintMessage[]; readonly ms: number }
  | { readonly kind: 'cancelled' }
  /** `reason` is one full sentence. */
  | { readonly kind: 'not-run'; readonly reason: string };

/** The arguments of a run that only looks for mistakes. */
export function lintArguments({ name, version }: Pick<LintTool, 'name' | 'version'>, request: LintRequest): string[] {
  const defines = Object.entries(request.defines).map(([macro, value]) => `-D${macro}=${value}`);
  if (name === 'iverilog') {
    return [`-g${request.old ? '2005' : '2012'}`, '-t', 'null', '-Wimplicit', '-Wportbind', '-Wselect-range', ...request.includeDirs.flatMap((dir) => ['-I', dir]), ...defines, ...request.files];
  }
  const timing = Number(version.split('.')[0]) >= 5 ? ['--timing'] : [];
  const silent = ['fatal', 'DECLFILENAME', 'MODDUP', 'MULTITOP', 'TIMESCALEMOD', 'STMTDLY', 'EOFNEWLINE'].map((rule) => `-Wno-${rule}`);
  const language = ['--default-language', request.old ? '1364-2005' : '1800-2017'];
  return ['--lint-only', ...timing, ...silent, ...language, ...request.includeDirs.map((dir) => `-I${dir}`), ...defines, ...request.files];
}

export async function runLint(tool: LintTool, request: LintRequest): Promise<LintOutcome> {
  const result = await run(tool.path, lintArguments(tool, request), {
    cwd: request.dir,
    env: toolEnvironment(request.dir),
    timeoutMs: request.timeoutMs,
    memoryBytes: request.memoryBytes,
    signal: request.signal,
    maxOutputBytes: 4 * 1024 * 1024,
  });
  const shown = tool.name === 'iverilog' ? 'Icarus Verilog' : 'Verilator';
  switch (result.kind) {
    case 'exited': {
      const output = `${result.stderr}\n${result.stdout}`;
      const messages = tool.name === 'iverilog' ? fromIverilog(output, request.files) : parseVerilatorMessages(output, request.files);
      return { kind: 'messages', messages, ms: result.ms };
    }
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'timed-out':
      return { kind: 'not-run', reason: `${shown} did not end within ${Math.round(request.timeoutMs / 1000)} seconds and was stopped.` };
    case 'not-found':
      return { kind: 'not-run', reason: `There is no program at "${tool.path}" any more.` };
    case 'output-limit':
      return { kind: 'not-run', reason: `${shown} printed without end and was stopped.` };
    case 'crashed':
      return { kind: 'not-run', reason: `${shown} was ended by ${result.signal}.` };
  }
}

const UNKNOWN_MODULE = /^Unknown module type:|^Unable to find the root module|missing modules?/;

function fromIverilog(output: string, files: readonly string[]): LintMessage[] {
  return parseMessages(output, files).flatMap(({ file, line, severity, message, related }): LintMessage[] => {
    if (file === undefined || line === undefined) return [];
    const about = severity === 'sorry' ? 'unsupported' : /syntax error|malformed/i.test(message) ? 'syntax' : UNKNOWN_MODULE.test(message) ? 'unknown-module' : 'other';
    return [{ file, line, column: undefined, length: undefined, severity: severity === 'warning' ? 'warning' : 'error', code: '', message, about, related }];
  });
}
