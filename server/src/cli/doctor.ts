import type { DoctorReport, DoctorTool } from '../core.ts';
import { parseCommandLine, UsageError, type CommandSpec } from './args.ts';
import { jsonText, type CommandContext } from './context.ts';
import { commandHelp } from './help.ts';
import { labelled, padRight, plain, type Paint } from './layout.ts';

export const doctorSpec: CommandSpec = {
  name: 'doctor',
  usage: '[--json]',
  summary: 'Shows the simulators and provers that were found, their versions and paths.',
  options: [
    { name: 'json', help: 'Print the report as one JSON object.' },
    { name: 'help', short: 'h', help: 'Show this help.' },
  ],
};

/** `rtl-copilot doctor`: always exit code 0, since a missing tool is a finding and no failure. */
export async function doctorCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context;
  const parsed = parseCommandLine(doctorSpec, args);
  if (parsed.flag('help')) {
    await terminal.write(commandHelp(doctorSpec, terminal.columns));
    return 0;
  }
  const [stray] = parsed.positionals;
  if (stray !== undefined) throw new UsageError(`The command doctor takes no "${stray}".`);
  const core = await context.core();
  const report = await core.doctor();
  await terminal.write(parsed.flag('json') ? jsonText({ schema: 1, ...report }) : doctorText(report, terminal.columns, terminal.paint));
  return 0;
}

const labelColumns = 14;

export function doctorText(report: DoctorReport, columns: number, paint: Paint = plain): string {
  return [
    `RTL Copilot ${report.version}`,
    `Node ${report.node.replace(/^v/, '')} on ${report.platform}`,
    '',
    ...report.tools.flatMap((tool) => toolLines(tool, columns, paint)),
    '',
  ].join('\n');
}

function toolLines(tool: DoctorTool, columns: number, paint: Paint): string[] {
  const mark = tool.found ? paint('green', '✓') : paint('yellow', '–');
  const found = tool.found ? [tool.version ?? 'version unknown', ...(tool.path === undefined ? [] : [tool.path])].join('  ') : 'not found';
  return [`${padRight(`${mark} ${tool.name}`, labelColumns)}${found}`, ...labelled('', tool.remark, labelColumns, columns).map((line) => paint('dim', line))];
}
