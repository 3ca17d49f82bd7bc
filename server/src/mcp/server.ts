import { statSync } from 'node:fs';
import path from 'node:path';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { parseCommandLine, UsageError } from '../cli/args.ts';
import type { Command, CommandContext } from '../cli/context.ts';
import { jsonText } from '../cli/context.ts';
import { plain } from '../cli/layout.ts';
import { commands } from '../cli/run.ts';
import { argumentsSchema, commandLine, directoryName, type ToolArguments } from './tool.ts';

/** What the tools may use of the world; `directory` is absolute. */
export interface ToolWorld extends Pick<CommandContext, 'variables' | 'files' | 'version' | 'core' | 'startWorker'> {
  readonly directory: string;
}

const columns = 100;

const titles: Readonly<Record<string, string>> = {
  verify: 'Verify a module against a golden module',
  generate: 'Generate a module from a table or a description',
  check: 'Check Verilog sources',
  doctor: 'Show simulators and provers',
};

const instructions = [
  'Verilog and SystemVerilog, checked on this machine. No tool writes a file.',
  'verify: "equivalent" is proved; "no difference" is a bounded run and no proof; "different" comes with a counterexample; a tool error says nothing about the design.',
  'generate returns code; save it where it belongs, then check and verify it there.',
].join('\n');

/** A server whose tools are the commands of the program: the same options, the same JSON. */
export function createMcpServer(world: ToolWorld): McpServer {
  const server = new McpServer({ name: 'rtl-copilot', title: 'RTL Copilot', version: world.version }, { capabilities: { tools: {} }, instructions });
  for (const command of commands) {
    const { name, summary, notes = [] } = command.spec;
    server.registerTool(
      name,
      {
        title: titles[name] ?? name,
        description: [summary, ...notes].join('\n'),
        inputSchema: fromJsonSchema<ToolArguments>({ ...argumentsSchema(command.spec) }),
        annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
      },
      (given, context) => callTool(command, given, world, context),
    );
  }
  return server;
}

async function callTool({ spec, run }: Command, given: ToolArguments, world: ToolWorld, context: ServerContext): Promise<CallToolResult> {
  const warnings: string[] = [];
  const terminal = { columns, paint: plain, write: () => Promise.resolve(), warn: (text: string) => void warnings.push(text), progress: progressOf(context) };
  try {
    const cwd = workingDirectory(given[directoryName], world.directory);
    const { json, text, remarks = '' } = await run(parseCommandLine(spec, commandLine(spec, given)), { ...world, terminal, cwd, signal: context.mcpReq.signal });
    return { content: [{ type: 'text', text: `${warnings.join('')}${remarks}${text}` }], structuredContent: JSON.parse(jsonText(json ?? {})) as Record<string, unknown> };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

function workingDirectory(given: ToolArguments[string] | undefined, directory: string): string {
  if (typeof given !== 'string') return directory;
  if (!path.isAbsolute(given)) throw new UsageError(`${directoryName} ${given}: give an absolute path.`);
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true) throw new UsageError(`${directoryName} ${given}: there is no such directory.`);
  return given;
}

/** Tells a client that asked for it how far a call is; the protocol wants a number that grows. */
function progressOf({ mcpReq }: ServerContext): (text: string | undefined) => void {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  let last: string | undefined;
  return (message) => {
    if (progressToken === undefined || message === undefined || message === last) return;
    last = message;
    // A client that is gone needs no progress; its call ends by the signal.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: ++progress, message } }).catch(() => undefined);
  };
}
