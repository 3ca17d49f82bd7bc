import type { FileReader } from '../base/files.ts';
import type { Core } from '../core.ts';
import type { VerifyWorker } from '../verification/batch/worker.ts';
import type { CommandSpec, ParsedArgs } from './args.ts';
import type { Terminal } from './terminal.ts';

/** What a command may use of the world. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Absolute working directory. */
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly files: FileReader;
  readonly version: string;
  /** Built on first use, so that help and usage errors are immediate. */
  readonly core: () => Promise<Core>;
  /** Starts a process that verifies pairs beside this one. */
  readonly startWorker: () => VerifyWorker;
  /** Tells one of many results as soon as it is there; without it, all are told in the end. */
  readonly tell?: (result: Told) => Promise<void>;
  /** Ends a run early. */
  readonly signal?: AbortSignal;
}

/** One of many results, for a program and for a person. */
export interface Told {
  readonly json: object;
  readonly text: string;
}

/** What a command found, for a program and for a person. */
export interface Outcome {
  readonly exitCode: number;
  /** The stable object of `--json`; undefined where all results were told one by one. */
  readonly json: object | undefined;
  /** What a person reads on standard output. */
  readonly text: string;
  /** What a person reads on standard error, before the text. */
  readonly remarks?: string;
}

/** A command of the program; help and the choice between JSON and text are the same for all. */
export interface Command {
  readonly spec: CommandSpec;
  /** Throws a `UsageError` for arguments that make no sense. */
  readonly run: (parsed: ParsedArgs, context: CommandContext) => Promise<Outcome>;
}

/** Exit code for bad input, an interface mismatch, or a tool that failed. */
export const exitBadInput = 3;

/** JSON text of a result object, on several lines or on one; a field without a value is null, so that every field is always there. */
export function jsonText(value: object, form: 'indented' | 'line' = 'indented'): string {
  return `${JSON.stringify(value, (_key, field: unknown) => (field === undefined ? null : field), form === 'indented' ? 2 : undefined)}\n`;
}
