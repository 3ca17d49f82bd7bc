import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util';
import { editDistance } from '../base/similar.ts';

/** One option of a command, written once: the parser, the help and the tools for agents read the same list. */
export interface OptionSpec {
  /** Without the dashes; a single letter is a short option. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value in the help; an option without it is a flag. */
  readonly value?: string;
  readonly repeatable?: boolean;
  /** The command makes no sense without it. */
  readonly required?: boolean;
  /** Only on a command line: it is about what is printed and how, or has a file written. */
  readonly terminalOnly?: boolean;
  readonly help: string;
}

/** A value that is a number; any other is text. */
export function isNumeric({ value }: OptionSpec): boolean {
  return value === 'N' || value === 'SECONDS';
}

/** Options of every command. */
export const commonOptions: readonly OptionSpec[] = [
  { name: 'json', terminalOnly: true, help: 'Print the result as one JSON object.' },
  { name: 'help', short: 'h', terminalOnly: true, help: 'Show this help.' },
];

export interface CommandSpec {
  readonly name: string;
  /** What follows the command's name in the usage line. */
  readonly usage: string;
  /** One sentence. */
  readonly summary: string;
  /** What the arguments without an option are; undefined: there are none. */
  readonly operands?: string;
  readonly options: readonly OptionSpec[];
  /** Paragraphs after the options. */
  readonly notes?: readonly string[];
  /** What each exit code means. */
  readonly exitCodes?: string;
  /** Blocks between the options and the notes whose lines are kept as they are: a heading over indented lines. */
  readonly examples?: readonly string[];
}

/** A command line that cannot be understood. The message is one sentence for the user. */
export class UsageError extends Error {}

export class ParsedArgs {
  readonly positionals: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>, positionals: readonly string[]) {
    this.#values = values;
    this.positionals = positionals;
  }

  flag(name: string): boolean {
    return this.#values.has(name);
  }

  one(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The same with the options of other arguments behind these: of an option that can be repeated both count, of any other those. Positionals stay. */
  with(own: ParsedArgs, spec: CommandSpec): ParsedArgs {
    const values = new Map(this.#values);
    for (const [name, given] of own.#values) {
      const isRepeatable = spec.options.find((option) => option.name === name)?.repeatable === true;
      values.set(name, isRepeatable ? [...this.all(name), ...given] : given);
    }
    return new ParsedArgs(values, this.positionals);
  }

  /** The same without some options, and with the given values of others. */
  replaced(without: readonly string[], values: Readonly<Record<string, string>> = {}): ParsedArgs {
    const kept = [...this.#values].filter(([name]) => !without.includes(name));
    return new ParsedArgs(new Map([...kept, ...Object.entries(values).map(([name, value]): [string, string[]] => [name, [value]])]), this.positionals);
  }
}

/** Splits the arguments after a command's name. Throws a `UsageError`. */
export function parseCommandLine(spec: CommandSpec, args: readonly string[]): ParsedArgs {
  const { tokens } = parseArgs({ args: [...args], options: describe(spec.options), strict: false, allowPositionals: true, tokens: true });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = spec.options.find((candidate) => candidate.name === token.name);
    if (option === undefined) throw unknownOption(spec, args[token.index] ?? token.rawName);
    const value = valueOf(option, token.rawName, token.value, token.inlineValue === true);
    const earlier = values.get(option.name);
    if (earlier === undefined) values.set(option.name, [value]);
    else if (option.repeatable === true) earlier.push(value);
    else if (option.value !== undefined) throw new UsageError(`The option ${token.rawName} is given twice; keep one of them.`);
  }
  return new ParsedArgs(values, positionals);
}

function describe(options: readonly OptionSpec[]): Record<string, ParseArgsOptionDescriptor> {
  const entries = options.map((option): [string, ParseArgsOptionDescriptor] => {
    const short = option.short ?? (option.name.length === 1 ? option.name : undefined);
    return [option.name, { type: option.value === undefined ? 'boolean' : 'string', multiple: true, ...(short === undefined ? {} : { short }) }];
  });
  return Object.fromEntries(entries);
}

function valueOf(option: OptionSpec, written: string, value: string | undefined, inline: boolean): string {
  if (option.value === undefined) {
    if (inline) throw new UsageError(`The option ${written} takes no value.`);
    return '';
  }
  if (value === undefined || value === '') throw new UsageError(`The option ${written} needs a value: ${written} ${option.value}.`);
  if (!inline && /^-[^\d.]/.test(value)) {
    throw new UsageError(`The option ${written} needs a value, but ${value} follows it; write ${written} ${option.value}.`);
  }
  return value;
}

function unknownOption(spec: CommandSpec, written: string): UsageError {
  const bare = written.replace(/=.*$/s, '');
  const names = spec.options.map((option) => (option.name.length === 1 ? `-${option.name}` : `--${option.name}`));
  const nearest = closest(bare.replace(/^-+/, '--'), names);
  return new UsageError(`The command ${spec.name} has no option ${bare}${nearest === undefined ? '' : `; did you mean ${nearest}?`}${nearest === undefined ? '.' : ''}`);
}

/** The candidate with the fewest edits, or undefined when none is near. */
export function closest(text: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.ceil(text.length / 3) + 1);
  for (const candidate of candidates) {
    const distance = candidate.startsWith(text) && text.length > 3 ? 0 : editDistance(text, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
