import type { Connection, WorkDoneProgressServerReporter } from 'vscode-languageserver';

/** Milliseconds that a task may take before it is worth a notice: one that the user began. */
const quietMs = 500;

export interface TaskProgress {
  /** Aborts when the user cancels. */
  readonly cancelled: AbortSignal;
  report(stage: string, share: number | undefined): void;
}

/**
 * Runs a task with a progress that the user can cancel. Nothing is shown for a task that ends at once, or when the client
 * has no progress.
 */
export async function withProgress<T>(
  connection: Connection,
  supported: boolean,
  title: string,
  task: (progress: TaskProgress) => Promise<T>,
  noticeAfterMs = quietMs,
): Promise<T> {
  const cancel = new AbortController();
  let last: { stage: string; share: number | undefined } | undefined;
  let reporter: WorkDoneProgressServerReporter | undefined;
  let ended = false;
  const show = async (): Promise<void> => {
    const created = await connection.window.createWorkDoneProgress();
    created.token.onCancellationRequested(() => cancel.abort());
    created.begin(title, last?.share === undefined ? undefined : percent(last.share), last?.stage, true);
    reporter = created;
    if (ended) created.done();
  };
  const timer = supported ? setTimeout(() => void show().catch(() => undefined), noticeAfterMs) : undefined;
  try {
    return await task({
      cancelled: cancel.signal,
      report: (stage, share) => {
        last = { stage, share };
        if (share === undefined) reporter?.report(stage);
        else reporter?.report(percent(share), stage);
      },
    });
  } finally {
    ended = true;
    clearTimeout(timer);
    reporter?.done();
  }
}

function percent(share: number): number {
  return Math.round(Math.min(Math.max(share, 0), 1) * 100);
}
