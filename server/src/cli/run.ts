import { TempDirError } from '../base/tempdir.ts';
import { closest, parseCommandLine, UsageError } from './args.ts';
import { checkCommand } from './check.ts';
import { exitBadInput, jsonText, type Command, type CommandContext, type Told } from './context.ts';
import { doctorCommand } from './doctor.ts';
import { generateCommand } from './generate.ts';
import { commandHelp, programHelp } from './help.ts';
import { OutputError } from './terminal.ts';
import { verifyCommand } from './verify.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [verifyCommand, generateCommand, checkCommand, doctorCommand];

/** Runs one command line (without the program's name) and gives its exit code. */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context;
  const [first, ...rest] = args;
  const help = programHelp(commands.map((command) => command.spec), terminal.columns);
  if (first === undefined) {
    terminal.warn(help);
    return exitBadInput;
  }
  const command = commands.find(({ spec }) => spec.name === first);
  try {
    if (first === '--version' || first === '-V') {
      await terminal.write(`${context.version}\n`);
      return 0;
    }
    if (first === '--help' || first === '-h') {
      await terminal.write(help);
      return 0;
    }
    if (command === undefined) throw unknownCommand(first);
    return await runCommand(command, rest, context);
  } catch (error) {
    if (error instanceof TempDirError || error instanceof OutputError) {
      terminal.warn(`rtl-copilot: ${error.message}\n`);
      return exitBadInput;
    }
    if (!(error instanceof UsageError)) throw error;
    terminal.warn(`rtl-copilot: ${error.message}\nSee rtl-copilot ${command === undefined ? '' : `${first} `}--help.\n`);
    return exitBadInput;
  }
}

async function runCommand({ spec, run }: Command, args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context;
  const parsed = parseCommandLine(spec, args);
  if (parsed.flag('help')) {
    await terminal.write(commandHelp(spec, terminal.columns));
    return 0;
  }
  const isJson = parsed.flag('json');
  const tell = ({ json, text }: Told): Promise<void> => terminal.write(isJson ? jsonText(json, 'line') : text);
  const { exitCode, json, text, remarks = '' } = await run(parsed, { ...context, tell });
  terminal.progress(undefined);
  if (isJson) {
    if (json !== undefined) await terminal.write(jsonText(json));
  } else {
    if (remarks !== '') terminal.warn(remarks);
    if (text !== '') await terminal.write(text);
  }
  return exitCode;
}

function unknownCommand(name: string): UsageError {
  const nearest = closest(name, commands.map(({ spec }) => spec.name));
  return new UsageError(`There is no command "${name}"${nearest === undefined ? '.' : `; did you mean ${nearest}?`}`);
}
