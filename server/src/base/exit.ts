type Cleanup = () => void;

const cleanups = new Map<number, Cleanup>();
let nextId = 0;
let installed = false;

function runCleanups(): void {
  for (const cleanup of cleanups.values()) {
    try {
      cleanup();
    } catch {
      // The process is ending: one failed cleanup must not keep the others from running.
    }
  }
}

/**
 * Runs `cleanup`, which must be synchronous, when this process exits. Registrations run in the order they were made.
 * Returns a function that takes the registration back.
 */
export function onProcessExit(cleanup: Cleanup): () => void {
  if (!installed) {
    installed = true;
    process.on('exit', runCleanups);
  }
  const id = nextId++;
  cleanups.set(id, cleanup);
  return () => {
    cleanups.delete(id);
  };
}

/**
 * Turns SIGINT, SIGTERM and SIGHUP into an orderly exit with the usual code of 128 plus the signal's number, so that the
 * cleanups run: Node does not emit `exit` when a signal ends it. Entry points call this once.
 */
export function exitOnSignals(): void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, code] of Object.entries(codes)) {
    process.once(signal, () => process.exit(code));
  }
}
