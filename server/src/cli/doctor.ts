import type { DoctorReport, DoctorTool } from '../core.ts';
import { commonOptions, UsageError, type CommandSpec, type ParsedArgs } from './args.ts';
import type { Command, CommandContext, Outcome } from './context.ts';
import { labelled, padRight, plain, type Paint } from './layout.ts';

export const doctorSpec: CommandSpec = {
  name: 'doctor',
  usage: '[--json]',
  summary: 'Shows the simulators and provers that were found, their versions and paths.',
  options: [
    ...commonOptions,
  ],
};

/** `rtl-copilot doctor`: always exit code 0, since a missing tool is a finding and no failure. */
export const doctorCommand: Command = { spec: doctorSpec, run: runDoctor };

async function runDoctor(parsed: ParsedArgs, context: CommandContext): Promise<Outcome> {
  const [stray] = parsed.positionals;
  if (stray !== undefined) throw new UsageError(`The command doctor takes no "${stray}".`);
  const { terminal } = context;
  const report = await (await context.core()).doctor();
  return { exitCode: 0, json: { schema: 1, ...report }, text: doctorText(report, terminal.columns, terminal.paint) };
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
