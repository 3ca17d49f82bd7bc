/** A language server on a thread of its own that tells the longest piece of work between two looks at what has arrived. */
import { parentPort } from 'node:worker_threads';
import { ProposedFeatures, StreamMessageReader, StreamMessageWriter, createConnection } from 'vscode-languageserver/node';
import { silentLogger } from '../server/src/base/logger.ts';
import { createCore } from '../server/src/core.ts';
import { bindServer } from '../server/src/lsp/server.ts';
import { workedMs } from './clock.ts';

const server = createConnection(ProposedFeatures.all, new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout));
bindServer(server, { logger: silentLogger, createCore });
server.listen();

let longest = 0;
let last = workedMs();
setInterval(() => {
  const now = workedMs();
  longest = Math.max(longest, now - last);
  last = now;
}, 1);

parentPort?.on('message', () => {
  const now = workedMs();
  parentPort?.postMessage({ longest: Math.max(longest, now - last), worked: now });
  longest = 0;
  last = now;
});
