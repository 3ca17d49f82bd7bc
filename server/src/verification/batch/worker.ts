import path from 'node:path';
import { startPeer, type Peer } from '../../base/process.ts';
import type { ParameterSet } from '../sweep.ts';
import type { VerifyRequest, VerifyResult } from '../verdict.ts';

export interface VerifyTask {
  readonly request: VerifyRequest;
  /** Parameters that both sides get, one verification each; none: as the request has it. */
  readonly sets: readonly ParameterSet[];
}

export type WorkerAnswer =
  | { readonly kind: 'verified'; readonly result: VerifyResult }
  /** The program made a mistake. */
  | { readonly kind: 'failed'; readonly message: string };

/** The process ended before it answered; `how` is the end of a sentence about it. */
export type WorkerEnd = { readonly kind: 'ended'; readonly how: string };

/** Verifies pairs in another process, one at a time. */
export interface VerifyWorker {
  /** After an `ended` it can do no more. */
  verify(task: VerifyTask): Promise<WorkerAnswer | WorkerEnd>;
  /** Settles when the process is gone, with all that it started. */
  close(): Promise<void>;
}

/** Beside this file, as in the packaged product. */
const PROGRAM = path.join(import.meta.dirname, `verify-worker${path.extname(import.meta.filename)}`);

export function startVerifyWorker(program = PROGRAM): VerifyWorker {
  const peer = startPeer(program);
  let take: (answer: WorkerAnswer) => void = () => undefined;
  peer.onMessage((message) => take(message as WorkerAnswer));
  return {
    verify: (task) => {
      const answer = new Promise<WorkerAnswer>((resolve) => (take = resolve));
      peer.send(task);
      return Promise.race([answer, peer.ended.then((ending): WorkerEnd => ({ kind: 'ended', how: endText(ending) }))]);
    },
    close: async () => {
      peer.disconnect();
      await peer.ended;
    },
  };
}

function endText(ending: Awaited<Peer['ended']>): string {
  if ('failure' in ending) return `could not be started: ${ending.failure}`;
  if (/heap out of memory|Allocation failed/.test(ending.said)) return 'ended because it ran out of memory';
  const how = 'signal' in ending ? ending.signal : `exit code ${String(ending.exitCode)}`;
  return `ended unexpectedly (${how})${how === 'SIGKILL' ? ', as a lack of memory would explain' : ''}`;
}
