import { LatestWins } from '../base/latest.ts';
import { libraryFiles } from '../features/closure.ts';
import { lintFindings } from '../features/lint-findings.ts';
import type { ServerContext } from './context.ts';

/** Quiet time after the last change before a program is run, in milliseconds. */
const idleMs = 900;

/** How the last look over a file went, as one full sentence. */
export interface LintState {
  readonly ran: boolean;
  readonly text: string;
}

/** Has a tool look over open files behind the user's back; the newest run of each file wins, and owns its own findings. */
export class Linter {
  readonly #context: ServerContext;
  readonly #changed: () => void;
  readonly #runs = new LatestWins<string>();
  readonly #states = new Map<string, LintState>();

  /** `changed` is called when a state is another one. */
  constructor(context: ServerContext, changed: () => void) {
    this.#context = context;
    this.#changed = changed;
  }

  /** How the last run for a file ended. */
  stateOf(file: string): LintState | undefined {
    return this.#states.get(file);
  }

  /** The state that was set last, of any file. */
  get newest(): LintState | undefined {
    return [...this.#states.values()].at(-1);
  }

  /** The file, or what it depends on, is another one. */
  schedule(file: string): void {
    const { trusted, settings, folders, diagnostics } = this.#context;
    const tool = settings.of(folders.rootOf(file))['lint.tool'];
    if (tool === 'off' || !trusted || /\.s?vh$/.test(file)) {
      this.#runs.cancel(file);
      diagnostics.clear(owner(file));
      if (!trusted) this.#set(file, { ran: false, text: 'No program looks over this file, since the workspace is not trusted.' });
      else this.#states.delete(file);
      return;
    }
    this.#runs.run(file, (signal) => this.#lint(file, tool, signal), idleMs).catch((error: unknown) => this.#context.logger.log('error', 'lint', String(error)));
  }

  close(file: string): void {
    this.#runs.cancel(file);
    this.#states.delete(file);
    this.#context.diagnostics.clear(owner(file));
  }

  stop(): void {
    this.#runs.cancelAll();
  }

  async #lint(file: string, choice: 'auto' | 'iverilog' | 'verilator', signal: AbortSignal): Promise<void> {
    const { sources, analyses, index, diagnostics, core } = this.#context;
    const document = sources.document(file);
    if (!document?.uri.startsWith('file:')) return;
    const source = this.#context.sourceContext(file);
    const text = sources.textOf(file);
    const analysis = analyses.ofOpen(file, text, source);
    // A tool would only echo our own syntax errors, and what it says of the rest is old news.
    if (analysis.findings.some(({ severity }) => severity === 'error')) {
      diagnostics.clear(owner(file));
      return;
    }
    const libraries = new Set(analysis.outline.modules.flatMap((module) => libraryFiles(module, (name) => index.definitions(name))));
    libraries.delete(file);
    const outcome = await core.lint({
      file,
      text: text.text,
      libraryFiles: [...libraries],
      context: source,
      directivesBefore: (path) => this.#context.directivesBefore(path),
      tool: choice,
      unsaved: (path) => sources.unsaved(path),
      signal,
    });
    if (signal.aborted || outcome.kind === 'cancelled') return;
    if (outcome.kind === 'not-run') {
      diagnostics.clear(owner(file));
      this.#set(file, { ran: false, text: `This file was not looked over: ${outcome.reason}` });
      return;
    }
    const said = diagnostics.except(owner(file), file).map(({ range, message }) => ({ line: range.start.line, message: typeof message === 'string' ? message : message.value }));
    const findings = lintFindings(outcome.tool, outcome.messages, { file, text: text.text, given: outcome.given }, said);
    this.#context.publish(owner(file), findings);
    const shown = outcome.tool === 'verilator' ? 'Verilator' : 'Icarus Verilog';
    this.#set(file, { ran: true, text: `${shown} ${outcome.version} looked over this file.` });
  }

  #set(file: string, state: LintState): void {
    const before = this.#states.get(file);
    this.#states.delete(file);
    this.#states.set(file, state);
    if (before?.text !== state.text) this.#changed();
  }
}

function owner(file: string): string {
  return `lint:${file}`;
}
