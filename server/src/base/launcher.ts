import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/** A program to start, found already; nothing in it is read by a shell. */
export interface Launch {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Changes to the environment of this process; undefined removes a variable. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly memoryBytes: number | undefined;
  /** CPU time that its process, and any that it starts, may take. */
  readonly cpuSeconds: number | undefined;
}

export interface Sinks {
  readonly stdout: (chunk: Buffer) => void;
  readonly stderr: (chunk: Buffer) => void;
}

/** How a program ended: by itself or by a signal. */
export type Ending = { readonly exitCode: number } | { readonly signal: string };

export interface Running {
  /** The program's process. */
  readonly pid: number;
  /** Settles when the program has ended and all that it printed went to the sinks. */
  readonly ended: Promise<Ending>;
}

/** The shell as `spawn` gives it: its outputs, the pipe for requests and the one for its answers. */
export interface ShellProcess {
  readonly kill: () => void;
  readonly unref: () => void;
  readonly onEnd: (listener: () => void) => void;
  readonly stdout: Pipe<Readable>;
  readonly stderr: Pipe<Readable>;
  readonly requests: Pipe<Writable>;
  readonly answers: Pipe<Readable>;
}

type Pipe<T> = T & { readonly ref: () => unknown; readonly unref: () => unknown };

/**
 * What the shell runs: it keeps one copy of itself ready, tells its process id, and that copy becomes the program that a request describes line by line. No text of a request is ever read as a command. The end of what a program printed is marked by a word that the program cannot know.
 */
export const LAUNCHER_SCRIPT = `
IFS= read -r word <&3
while :; do
  (
    IFS= read -r memory <&3 || exit
    IFS= read -r seconds <&3 || exit
    IFS= read -r directory <&3 || exit
    IFS= read -r count <&3 || exit
    set --
    while [ "$count" -gt 0 ]; do
      IFS= read -r line <&3 || exit
      set -- "$@" "$line"
      count=$((count - 1))
    done
    while IFS= read -r line <&3 && [ -n "$line" ]; do
      case $line in
        *=*) export "$line" ;;
        *) unset "$line" ;;
      esac
    done
    [ -z "$memory" ] || ulimit -v "$memory" 2>/dev/null
    [ -z "$seconds" ] || ulimit -S -t "$seconds" 2>/dev/null
    cd "$directory" || exit
    exec "$@" 3<&- 4>&-
  ) &
  echo "$!" >&4 || exit
  wait "$!"
  status=$?
  printf %s "$word"
  printf %s "$word" >&2
  echo "$status" >&4 || exit
done
`;

/** Shells that wait for work at most. */
const MOST_IDLE = 8;
/** Names that can neither be one of the script's own variables nor change how the shell works. */
const VARIABLE = /^(?!IFS$|PATH$|ENV$|PWD$|OLDPWD$|PS\d$|OPT)[A-Z_][A-Z\d_]*$/;

/**
 * Starts programs from small shells that stay, instead of from this process. To start a program, Linux copies the memory map of the process that starts it, and
 * Node stands still until the program runs: for a process of this size that takes longer than many a program needs for its work.
 */
export class Launcher {
  readonly #start: () => ShellProcess | undefined;
  readonly #idle: Shell[] = [];

  /** `start` starts a shell on the script; undefined where there is none. */
  constructor(start: () => ShellProcess | undefined) {
    this.#start = start;
  }

  /** Undefined where the program has to be started in another way. */
  async launch(launch: Launch, sinks: Sinks): Promise<Running | undefined> {
    const request = requestText(launch);
    if (request === undefined) return undefined;
    const shell = this.#idle.pop() ?? this.#open();
    const pid = await shell?.ready();
    if (shell === undefined || pid === undefined) return undefined;
    const ended = shell.run(request, sinks).then((ending) => {
      // Where a signal came before all of the request was read, the next program would get the rest of it.
      if (this.#idle.length < MOST_IDLE && shell.usable && 'exitCode' in ending) this.#idle.push(shell);
      else shell.close();
      return ending;
    });
    return { pid, ended };
  }

  /** Ends every shell that waits. */
  close(): void {
    for (const shell of this.#idle.splice(0)) shell.close();
  }

  #open(): Shell | undefined {
    const process = this.#start();
    return process === undefined ? undefined : new Shell(process);
  }
}

/** Undefined for what lines cannot hold. */
function requestText({ file, args, cwd, env, memoryBytes, cpuSeconds }: Launch): string | undefined {
  const variables = Object.entries(env);
  if (!variables.every(([name]) => VARIABLE.test(name))) return undefined;
  const lines = [
    memoryBytes === undefined ? '' : String(Math.ceil(memoryBytes / 1024)),
    cpuSeconds === undefined ? '' : String(cpuSeconds),
    cwd,
    String(args.length + 1),
    file,
    ...args,
    ...variables.map(([name, value]) => (value === undefined ? name : `${name}=${value}`)),
    '',
  ];
  return lines.some((line) => /[\n\0]/.test(line)) ? undefined : `${lines.join('\n')}\n`;
}

class Shell {
  readonly #process: ShellProcess;
  /** It begins with a character that programs hardly ever print. */
  readonly #word = `\u0001${randomUUID()}`;
  /** Lines of answers that were not taken yet. */
  #answers = '';
  #wake: () => void = () => undefined;
  #isOver = false;

  constructor(process: ShellProcess) {
    this.#process = process;
    const over = (): void => {
      this.#isOver = true;
      this.#wake();
    };
    process.onEnd(over);
    for (const pipe of [process.stdout, process.stderr, process.requests, process.answers]) pipe.on('error', over);
    process.answers.on('data', (chunk: Buffer) => {
      this.#answers += chunk.toString('latin1');
      this.#wake();
    });
    process.requests.write(`${this.#word}\n`);
    process.unref();
  }

  get usable(): boolean {
    return !this.#isOver;
  }

  /** The process id of the copy that will be the next program; undefined when the shell ended. */
  async ready(): Promise<number | undefined> {
    this.#hold(true);
    const pid = Number(await this.#line());
    return pid > 0 ? pid : undefined;
  }

  async run(request: string, sinks: Sinks): Promise<Ending> {
    const { stdout, stderr, requests } = this.#process;
    const outputs = [new MarkedOutput(stdout, this.#word, sinks.stdout), new MarkedOutput(stderr, this.#word, sinks.stderr)];
    requests.write(request);
    const status = await this.#line();
    if (status !== undefined) await Promise.all(outputs.map((output) => output.complete));
    for (const output of outputs) output.release();
    this.#hold(false);
    return status === undefined ? { signal: 'SIGKILL' } : endingOf(Number(status));
  }

  close(): void {
    this.#isOver = true;
    this.#process.kill();
  }

  async #line(): Promise<string | undefined> {
    for (let end = this.#answers.indexOf('\n'); ; end = this.#answers.indexOf('\n')) {
      if (end >= 0) {
        const line = this.#answers.slice(0, end);
        this.#answers = this.#answers.slice(end + 1);
        return line;
      }
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Only a shell that works keeps this process alive. */
  #hold(isHeld: boolean): void {
    const { stdout, stderr, requests, answers } = this.#process;
    for (const pipe of [stdout, stderr, requests, answers]) {
      if (isHeld) pipe.ref();
      else pipe.unref();
    }
  }
}

/** What a shell reports as an exit code above 128 was a signal. */
function endingOf(status: number): Ending {
  const signal = Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
  return signal === undefined ? { exitCode: status } : { signal };
}

/** Passes on what comes out of a pipe up to the word that marks its end. */
class MarkedOutput {
  readonly complete: Promise<void>;
  readonly #pipe: Readable;
  readonly #sink: (chunk: Buffer) => void;
  readonly #word: Buffer;
  #held = Buffer.alloc(0);
  #finish: () => void = () => undefined;

  constructor(pipe: Readable, word: string, sink: (chunk: Buffer) => void) {
    this.#pipe = pipe;
    this.#word = Buffer.from(word);
    this.#sink = sink;
    this.complete = new Promise((resolve) => {
      this.#finish = resolve;
    });
    pipe.on('data', this.#take).once('end', this.#finish).resume();
  }

  /** How many of the last bytes may be the beginning of the word. */
  #begun(bytes: Buffer): number {
    for (let count = Math.min(bytes.length, this.#word.length - 1); count > 0; count--) {
      if (bytes.subarray(bytes.length - count).equals(this.#word.subarray(0, count))) return count;
    }
    return 0;
  }

  release(): void {
    this.#pipe.off('data', this.#take).off('end', this.#finish);
    this.#pipe.pause();
  }

  readonly #take = (chunk: Buffer): void => {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = all.indexOf(this.#word);
    const passed = end >= 0 ? end : all.length - this.#begun(all);
    if (passed > 0) this.#sink(all.subarray(0, passed));
    this.#held = end >= 0 ? Buffer.alloc(0) : Buffer.from(all.subarray(passed));
    if (end >= 0) this.#finish();
  };
}
