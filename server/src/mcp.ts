import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { exitOnSignals } from './base/exit.ts';
import { diskFiles } from './base/files.ts';
import { silentLogger } from './base/logger.ts';
import { keepFirstCode } from './base/wasm-code.ts';
import { createCore, type Core } from './core.ts';
import { createMcpServer } from './mcp/server.ts';
import { startVerifyWorker } from './verification/batch/worker.ts';

exitOnSignals();
keepFirstCode();
let core: Promise<Core> | undefined;
const world = {
  directory: process.cwd(),
  variables: process.env,
  files: diskFiles,
  version: process.env['RTL_COPILOT_VERSION'] ?? 'development',
  core: () => (core ??= createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } })),
  startWorker: startVerifyWorker,
};
serveStdio(() => createMcpServer(world), { onerror: (error) => process.stderr.write(`rtl-copilot-mcp: ${error.message}\n`) });
// What still runs for a client that has gone ends with this process.
process.stdin.once('end', () => process.exit(0));
