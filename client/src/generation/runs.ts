import * as vscode from 'vscode';
import { clientNotifications } from '../../../server/src/protocol.ts';
import type { ServerClient } from '../client.ts';
import { ended, startOf, stateAfter, type RunState } from './run-state.ts';

/** How a run ended, for its view. */
export interface RunEnd {
  readonly phase: Exclude<RunState['phase'], 'running'>;
  readonly note?: string | undefined;
  readonly candidates?: readonly string[];
}

/** The run that is going on, at most one, and what is shown of it. A new run ends the old one. */
export class Runs implements vscode.Disposable {
  readonly #client: ServerClient;
  readonly #changed = new vscode.EventEmitter<RunState>();
  readonly #subscription: vscode.Disposable;
  #last = 0;
  #current: { readonly run: number; readonly cancel: vscode.CancellationTokenSource } | undefined;
  #state: RunState | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(client: ServerClient) {
    this.#client = client;
    this.#subscription = client.onGeneration(({ run, event }) => {
      if (this.#current?.run === run && this.#state) this.#set(stateAfter(this.#state, event));
    });
  }

  get state(): RunState | undefined {
    return this.#state;
  }

  /**
   * Runs a task, which asks the server under the run's number, and shows how it goes on. Undefined when the user stopped it and nothing came of it, or
   * when a newer run took over.
   */
  async start<T>(title: string, task: (run: number, token: vscode.CancellationToken) => Promise<T>, endOf: (answer: T) => RunEnd): Promise<T | undefined> {
    this.stop();
    const own = { run: ++this.#last, cancel: new vscode.CancellationTokenSource() };
    this.#current = own;
    this.#set(startOf(title, Date.now()));
    this.#announce(true);
    const end = ({ phase, note, candidates }: RunEnd): void => {
      if (this.#current !== own || !this.#state) return;
      this.#current = undefined;
      this.#set(ended(this.#state, phase, Date.now(), note, candidates));
      this.#announce(false);
    };
    try {
      const answer = await task(own.run, own.cancel.token);
      const isNewest = this.#current === own;
      end(endOf(answer));
      return isNewest ? answer : undefined;
    } catch (error) {
      const stopped = own.cancel.token.isCancellationRequested;
      end(stopped ? { phase: 'stopped' } : { phase: 'failed', note: error instanceof Error ? error.message : String(error) });
      if (stopped) return undefined;
      throw error;
    } finally {
      own.cancel.dispose();
    }
  }

  /** Ends the run; the server stops the model. */
  stop(): void {
    this.#current?.cancel.cancel();
  }

  /** Asks the model to stop thinking and to write its answer. */
  async answerNow(): Promise<void> {
    if (this.#current) await this.#client.notify(clientNotifications.answerNow, { run: this.#current.run });
  }

  dispose(): void {
    this.stop();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #set(state: RunState): void {
    this.#state = state;
    this.#changed.fire(state);
  }

  #announce(running: boolean): void {
    void vscode.commands.executeCommand('setContext', 'rtlCopilot.generating', running);
  }
}
