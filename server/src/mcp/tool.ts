import { closest, isNumeric, UsageError, type CommandSpec, type OptionSpec } from '../cli/args.ts';

/** JSON Schema of one property. */
interface Property {
  /** What can be repeated may be one text or several. */
  readonly type: 'string' | 'number' | 'boolean' | 'array' | readonly ['array', 'string'];
  readonly description: string;
  readonly items?: { readonly type: 'string' };
  readonly minimum?: number;
}

/** JSON Schema of a tool's arguments. */
export interface ArgumentsSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

/** Arguments that fit the schema of their tool. */
export type ToolArguments = Readonly<Record<string, string | number | boolean | readonly string[]>>;

const operandsName = 'paths';

/** Name of the argument that every tool has beside those of its command. */
export const directoryName = 'directory';

/** The arguments that a command takes as a tool: its options and operands, and the directory that paths are relative to. */
export function argumentsSchema(spec: CommandSpec): ArgumentsSchema {
  const options = toolOptions(spec);
  const operands = spec.operands === undefined ? {} : { [operandsName]: texts(spec.operands) };
  const directory = { [directoryName]: { type: 'string', description: 'Absolute path of the working directory; relative paths start there. Default: where the server was started.' } as const };
  return {
    type: 'object',
    properties: { ...operands, ...Object.fromEntries(options.map((option) => [argumentName(option), property(option)])), ...directory },
    required: options.filter(({ required }) => required === true).map(argumentName),
  };
}

/** The command line that says the same; `directory` has no place in it. Throws a `UsageError` for an argument that the tool does not have. */
export function commandLine(spec: CommandSpec, given: ToolArguments): string[] {
  const known = Object.keys(argumentsSchema(spec).properties);
  for (const name of Object.keys(given)) if (!known.includes(name)) throw unknownArgument(spec, name, known);
  const options = toolOptions(spec).flatMap((option) => optionArguments(option, given[argumentName(option)]));
  const operands = given[operandsName];
  return Array.isArray(operands) ? [...options, '--', ...(operands as readonly string[])] : options;
}

function unknownArgument(spec: CommandSpec, name: string, known: readonly string[]): UsageError {
  const nearest = closest(name, known);
  const help = nearest === undefined ? `it takes ${known.join(', ')}.` : `did you mean ${nearest}?`;
  return new UsageError(`The tool ${spec.name} has no argument "${name}"; ${help}`);
}

function toolOptions(spec: CommandSpec): readonly OptionSpec[] {
  return spec.options.filter(({ terminalOnly }) => terminalOnly !== true);
}

function argumentName({ name }: OptionSpec): string {
  return name.replaceAll('-', '_');
}

function property(option: OptionSpec): Property {
  const { value, repeatable, help } = option;
  if (value === undefined) return { type: 'boolean', description: help };
  const description = `${value}. ${help}`;
  if (repeatable === true) return { ...texts(description), type: ['array', 'string'] };
  return isNumeric(option) ? { type: 'number', minimum: 0, description } : { type: 'string', description };
}

function texts(description: string): Property {
  return { type: 'array', items: { type: 'string' }, description };
}

function optionArguments({ name, value }: OptionSpec, given: ToolArguments[string] | undefined): string[] {
  if (given === undefined || given === false) return [];
  if (value === undefined) return [`--${name}`];
  const written = typeof given === 'object' ? given : [String(given)];
  return written.flatMap((text) => (name.length === 1 ? [`-${name}`, text] : [`--${name}=${text}`]));
}
