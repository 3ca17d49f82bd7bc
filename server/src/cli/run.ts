import { closest, UsageError, type CommandSpec } from './args.ts';
import { checkCommand, checkSpec } from './check.ts';
import { exitBadInput, type CommandContext } from './context.ts';
import { doctorCommand, doctorSpec } from './doctor.ts';
import { generateCommand, generateSpec } from './generate.ts';
import { programHelp } from './help.ts';
import { verifyCommand } from './verify.ts';
import { verifySpec } from './verify-args.ts';

interface Command {
  readonly spec: CommandSpec;
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number>;
}

const commands: readonly Command[] = [
  { spec: verifySpec, run: verifyCommand },
  { spec: generateSpec, run: generateCommand },
  { spec: checkSpec, run: checkCommand },
  { spec: doctorSpec, run: doctorCommand },
];

/** Runs one command line (without the program's name) and gives its exit code. */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context;
  const [first, ...rest] = args;
  const help = programHelp(commands.map((command) => command.spec), terminal.columns);
  if (first === undefined) {
    terminal.warn(help);
    return exitBadInput;
  }
  if (first === '--version' || first === '-V') {
    await terminal.write(`${context.version}\n`);
    return 0;
  }
  if (first === '--help' || first === '-h') {
    await terminal.write(help);
    return 0;
  }
  const command = commands.find(({ spec }) => spec.name === first);
  try {
    if (command === undefined) throw unknownCommand(first);
    return await command.run(rest, context);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.warn(`rtl-copilot: ${error.message}\nSee rtl-copilot ${command === undefined ? '' : `${first} `}--help.\n`);
    return exitBadInput;
  }
}

function unknownCommand(name: string): UsageError {
  const nearest = closest(name, commands.map(({ spec }) => spec.name));
  return new UsageError(`There is no command "${name}"${nearest === undefined ? '.' : `; did you mean ${nearest}?`}`);
}
