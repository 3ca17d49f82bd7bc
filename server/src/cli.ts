import { diskFiles } from './base/files.ts';
import { exitOnSignals } from './base/exit.ts';
import { silentLogger } from './base/logger.ts';
import { keepFirstCode } from './base/wasm-code.ts';
import { exitBadInput } from './cli/context.ts';
import { runCommandLine } from './cli/run.ts';
import { terminalOf } from './cli/terminal.ts';
import { createCore } from './core.ts';
import { startVerifyWorker } from './verification/batch/worker.ts';

exitOnSignals();
keepFirstCode();
const terminal = terminalOf(process.stdout, process.stderr);
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    terminal,
    cwd: process.cwd(),
    variables: process.env,
    files: diskFiles,
    version: process.env['RTL_COPILOT_VERSION'] ?? 'development',
    core: () => createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } }),
    startWorker: startVerifyWorker,
  });
} catch (error) {
  terminal.warn(`rtl-copilot: internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = exitBadInput;
}
