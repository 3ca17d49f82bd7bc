import { ProposedFeatures, createConnection } from 'vscode-languageserver/node';
import { exitOnSignals } from './base/exit.ts';
import type { LogLevel, Logger } from './base/logger.ts';
import { createCore } from './core.ts';
import { bindServer } from './lsp/server.ts';

exitOnSignals();
const connection = createConnection(ProposedFeatures.all);

const sinks: Readonly<Record<LogLevel, (text: string) => void>> = {
  debug: (text) => connection.console.debug(text),
  info: (text) => connection.console.info(text),
  warn: (text) => connection.console.warn(text),
  error: (text) => connection.console.error(text),
};
const logger: Logger = { log: (level, category, message) => sinks[level](`${category}: ${message}`) };

bindServer(connection, { createCore, logger });
connection.listen();
