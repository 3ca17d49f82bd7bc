import path from 'node:path';
import { exitOnSignals } from '../server/src/base/exit.ts';
import { diskFiles } from '../server/src/base/files.ts';
import { silentLogger } from '../server/src/base/logger.ts';
import type { CommandContext } from '../server/src/cli/context.ts';
import { labelled } from '../server/src/cli/layout.ts';
import { runCommandLine } from '../server/src/cli/run.ts';
import { terminalOf } from '../server/src/cli/terminal.ts';
import { createCore, type Core } from '../server/src/core.ts';
import { startVerifyWorker } from '../server/src/verification/batch/worker.ts';

/** One command of the demonstration and the exit code that proves its story. */
interface Scene {
  readonly story: string;
  /** Folder of `examples` in which the command runs. */
  readonly folder: string;
  readonly command: readonly string[];
  readonly expectedExitCode: number;
}

const shared = ['--golden', 'golden/rr_arbiter.v', '-f', 'arbiter.f', '--timeout', '120'];

const scenes: readonly Scene[] = [
  {
    story:
      'golden/rr_arbiter.v is a round-robin arbiter that is easy to trust: a loop that searches from the last winner on. rtl/rr_arbiter.v is the fast one: no loop, a mask, and a submodule from another file. Do they behave alike?',
    folder: 'arbiter',
    command: ['verify', '--dut', 'rtl/rr_arbiter.v', ...shared],
    expectedExitCode: 0,
  },
  {
    story: 'rtl/rr_arbiter_greedy.v forgot one term: its mask of those above the last winner holds the winner too. While requests come and go nobody notices; a requester that keeps asking keeps winning.',
    folder: 'arbiter',
    command: ['verify', '--dut', 'rtl/rr_arbiter_greedy.v', ...shared, '--wave'],
    expectedExitCode: 1,
  },
  {
    story: 'tables.v holds a state table in a comment above an empty module. Tables become modules without a model: the logic is minimised, the states are coded, and the result is verified against the table before it is printed.',
    folder: 'tables',
    command: ['generate', '--from', 'tables.v:4', '--encoding', 'gray', '--timeout', '120'],
    expectedExitCode: 0,
  },
];

/** Runs the scenes in their folders; resolves to false when one ended unlike its story. */
async function demo(): Promise<boolean> {
  const terminal = terminalOf(process.stdout, process.stderr);
  const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
  const context: Omit<CommandContext, 'cwd'> = { terminal, variables: process.env, files: diskFiles, version: 'demo', core: () => Promise.resolve(core), startWorker: startVerifyWorker };
  const rule = terminal.paint('dim', '─'.repeat(Math.min(terminal.columns, 80)));
  const say = async (text: string): Promise<void> => {
    await terminal.write(`${labelled('', text, 0, Math.min(terminal.columns, 80)).join('\n')}\n\n`);
  };

  await say(await engineStory(core));
  let asTold = true;
  for (const { story, folder, command, expectedExitCode } of scenes) {
    await terminal.write(`${rule}\n`);
    await say(story);
    await terminal.write(`${terminal.paint('cyan', commandText(command))}\n\n`);
    const exitCode = await runCommandLine(command, { ...context, cwd: path.join(import.meta.dirname, folder) });
    asTold &&= exitCode === expectedExitCode;
    await terminal.write(`\n${terminal.paint('dim', `exit code ${exitCode}`)}\n`);
  }
  await terminal.write(`${rule}\n`);
  await say(
    asTold
      ? 'Try your own modules: npx rtl-copilot verify --help. The files of this demonstration are in examples.'
      : 'The demonstration did not end as it should; npx rtl-copilot doctor shows what was found on this machine.',
  );
  return asTold;
}

/** Which engine will speak, and what would change with a simulator. */
async function engineStory(core: Core): Promise<string> {
  const missing = await core.missingSimulator();
  if (missing === undefined) return 'Icarus Verilog is installed: it simulates both modules with the same stimulus. Where Yosys can, it then proves them equal.';
  const hint = missing.install === undefined ? '' : ` (${missing.install} would install one)`;
  return `There is no simulator on this machine${hint}. The embedded engine decides by proof or counterexample.`;
}

function commandText(command: readonly string[]): string {
  const text = `$ rtl-copilot ${command.join(' ')}`;
  const breakAt = text.indexOf(' --golden');
  if (breakAt < 0) return text;
  return `${text.slice(0, breakAt)} \\\n     ${text.slice(breakAt)}`;
}

exitOnSignals();
process.exitCode = (await demo()) ? 0 : 1;
