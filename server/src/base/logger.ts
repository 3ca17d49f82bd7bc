export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A sink for messages to the people who maintain or debug the tool; users read verdicts and diagnostics instead. */
export interface Logger {
  log(level: LogLevel, category: string, message: string): void;
}

export const silentLogger: Logger = { log: () => undefined };
