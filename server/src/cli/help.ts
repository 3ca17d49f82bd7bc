import type { CommandSpec, OptionSpec } from './args.ts';
import { labelled, wrap } from './layout.ts';

const labelColumns = 30;

/** The help of one command. */
export function commandHelp(spec: CommandSpec, columns: number): string {
  return [
    `Usage: rtl-copilot ${spec.name} ${spec.usage}`.trimEnd(),
    '',
    ...wrap(spec.summary, columns),
    '',
    'Options:',
    ...spec.options.flatMap((option) => optionLines(option, columns)),
    ...(spec.examples ?? []).flatMap((example) => ['', example]),
    ...[...(spec.notes ?? []), ...(spec.exitCodes === undefined ? [] : [`Exit code: ${spec.exitCodes}`])].flatMap((note) => ['', ...wrap(note, columns)]),
    '',
  ].join('\n');
}

function optionLines(option: OptionSpec, columns: number): string[] {
  const long = option.name.length === 1 ? `-${option.name}` : `--${option.name}`;
  const names = option.short === undefined ? long : `-${option.short}, ${long}`;
  const label = `  ${option.value === undefined ? names : `${names} ${option.value}`}`;
  if (label.length < labelColumns) return labelled(label, option.help, labelColumns, columns);
  return [label, ...labelled('', option.help, labelColumns, columns)];
}

/** The help of the program. */
export function programHelp(specs: readonly CommandSpec[], columns: number): string {
  return [
    'Usage: rtl-copilot COMMAND [options]',
    '',
    ...wrap('Checks Verilog and SystemVerilog: a module against a golden reference, and sources for syntax errors.', columns),
    '',
    'Commands:',
    ...specs.flatMap((spec) => labelled(`  ${spec.name}`, spec.summary, 12, columns)),
    '',
    ...wrap('rtl-copilot COMMAND --help explains a command; rtl-copilot --version prints the version.', columns),
    '',
  ].join('\n');
}
