import type { CancellationToken } from 'vscode-languageserver';

/** A signal that aborts when the client cancels its request. */
export function abortOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
