import type { WriteStream } from 'node:tty';
import { coloured, plain, type Paint } from './layout.ts';

/** Standard output took no more text, so what was found out is not told in whole. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Where a command writes. */
export interface Terminal {
  /** Columns of standard output. */
  readonly columns: number;
  readonly paint: Paint;
  /** Standard output; resolves when the text has left this process, and rejects with an `OutputError` when it cannot be written. */
  write(text: string): Promise<void>;
  /** Standard error. */
  warn(text: string): void;
  /** A line on standard error that the next one replaces; undefined clears it. Only where a person watches. */
  progress(text: string | undefined): void;
}

type Stream = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;

/** A reader that went away. */
const CLOSED: ReadonlySet<string> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

const widest = 120;
const assumed = 80;

/**
 * The terminal behind two streams. Colour only where `stdout` is a terminal that has it; `hasColors` honours NO_COLOR. A reader
 * that goes away (`| head`) is no failure: what is written after that is dropped.
 */
export function terminalOf(stdout: Stream, stderr: Stream): Terminal {
  // Who writes is told; about standard error there is nobody to tell.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  const watched = stderr.isTTY === true;
  let progressShown = false;
  const clear = (): void => {
    if (progressShown) stderr.write('\r\u001B[K');
    progressShown = false;
  };
  return {
    columns: Math.min(stdout.columns ?? assumed, widest),
    paint: stdout.isTTY === true && stdout.hasColors?.() === true ? coloured : plain,
    write: (text) => {
      clear();
      return new Promise((resolve, reject) => {
        stdout.write(text, (error?: NodeJS.ErrnoException | null) => {
          if (error === null || error === undefined || CLOSED.has(error.code ?? '')) resolve();
          else reject(new OutputError(`What was found could not be written to standard output: ${error.message}.`));
        });
      });
    },
    warn: (text) => {
      clear();
      stderr.write(text);
    },
    progress: (text) => {
      if (!watched) return;
      clear();
      if (text === undefined) return;
      stderr.write(text.slice(0, (stderr.columns ?? assumed) - 1));
      progressShown = true;
    },
  };
}
