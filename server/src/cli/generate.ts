import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { LineIndex } from '../base/text.ts';
import { defaultSettings } from '../config.ts';
import { commentAt, headersOf, withoutMarks, type CommentPlace } from '../generation/comment.ts';
import type { Encoding } from '../generation/emit/encoding.ts';
import type { GenerateRequest, GenerateResult, ResetChoice } from '../generation/generate.ts';
import { parseCommandLine, UsageError, type CommandSpec, type ParsedArgs } from './args.ts';
import { exitBadInput, jsonText, type CommandContext } from './context.ts';
import { commandHelp } from './help.ts';
import { wrap } from './layout.ts';
import { placeText, shortPath } from './places.ts';
import { engineArg, integerArg, largestSeed, secondsArg } from './verify-args.ts';

export const generateSpec: CommandSpec = {
  name: 'generate',
  usage: '--from FILE:LINE | --spec TEXT | - [options]',
  summary: 'Builds a module from a table in a comment and verifies it against the table. The code goes to standard output.',
  options: [
    { name: 'from', value: 'FILE:LINE', help: 'Take the comment at this line, or right above it. A module header below the comment is the interface.' },
    { name: 'spec', value: 'TEXT', help: 'Take this text; - reads it from standard input.' },
    { name: 'header', value: 'FILE', help: 'Take the module header from this file: its name, ports, order and widths are kept.' },
    { name: 'module', value: 'NAME', help: 'Name of the module, or which header of FILE is meant.' },
    { name: 'encoding', value: 'ENCODING', help: 'State codes: binary, one-hot or gray. Default: the codes in the comment, else binary.' },
    { name: 'clock', value: 'NAME', help: 'Clock of a state machine. Default: found by name, else clk.' },
    { name: 'reset', value: 'NAME[:high|low][:sync|async]', help: 'Reset of a state machine. Default: found in the comment and by name, else reset:high:sync.' },
    { name: 'engine', value: 'ENGINE', help: 'auto, iverilog, yosys or yosys-wasm. Default auto.' },
    { name: 'seed', value: 'N', help: `Seed of the stimulus. Default ${defaultSettings['verify.seed']}.` },
    { name: 'timeout', value: 'SECONDS', help: `Time budget of the verification. Default ${defaultSettings['verify.timeout']}.` },
    { name: 'json', help: 'Print the result as one JSON object.' },
    { name: 'help', short: 'h', help: 'Show this help.' },
  ],
  examples: [
    'Truth table: names over values; bars are optional, || stands before the outputs.\n  a b || y\n  0 - || 0\n  1 0 || 1\n  1 1 || x',
    'Karnaugh map: codes across and down; the corner names rows before columns.\n  ab\\cd | 00 01 11 10\n  00    |  1  0  0  1\n  01    |  0  0  d  d\n  11    |  1  1  1  0\n  10    |  1  1  0  1',
    'State machine: a state table or arrows; the text or a * names the reset state.\n  state | in=0 | in=1 | out     *A (out=0) --in=1--> B\n  *A    | A    | B    | 0\n  B     | A    | B    | 1       *A: 0->A, 1->B / out 0',
    'Waveform of combinational logic: a time table, or levels for each signal.\n  time  a  b  q                 a: __--__--\n  0ns   0  1  1                 q: --__--__',
  ],
  notes: [
    'In all of them x, d, - and * stand for a value that does not matter.',
    'Exit code: 0 verified; 2 built, but nothing could verify it; 3 no module, with the place of each mistake.',
  ],
};

/** `rtl-copilot generate`. */
export async function generateCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal, cwd } = context;
  const parsed = parseCommandLine(generateSpec, args);
  if (parsed.flag('help')) {
    await terminal.write(commandHelp(generateSpec, terminal.columns));
    return 0;
  }
  const source = await readSource(parsed, context);
  const request = await requestOf(parsed, source, context);
  const core = await context.core();
  const result = await core.generate(request, {
    progress: ({ stage, share }) => terminal.progress(share === undefined ? stage : `${stage} ${Math.floor(share * 100)} %`),
  });
  terminal.progress(undefined);
  const placed = withPlaces(result, source);
  if (parsed.flag('json')) await terminal.write(jsonText(placed));
  else {
    terminal.warn(generateText(placed, (file) => (file === undefined ? source.label : shortPath(file, cwd)), terminal.columns));
    if (result.code !== undefined) await terminal.write(result.code);
  }
  return { verified: 0, unverified: 2, failed: exitBadInput }[result.outcome];
}

/** A text with a comment, and where it came from. */
interface Source extends CommentPlace {
  /** Words for a place in a text that is no file. */
  readonly label: string;
  /** Absolute path; undefined for a text that is no file. */
  readonly file: string | undefined;
  /** The whole text that offsets count in. */
  readonly whole: string;
}

async function readSource(parsed: ParsedArgs, { cwd, files }: CommandContext): Promise<Source> {
  const [from, spec, dash] = [parsed.one('from'), parsed.one('spec'), parsed.positionals[0]];
  if (dash !== undefined && dash !== '-') throw new UsageError(`"${dash}" belongs to no option; name the comment with --from FILE:LINE.`);
  if ([from, spec, dash].filter((given) => given !== undefined).length !== 1) throw new UsageError('Name one text to generate from: --from FILE:LINE, --spec TEXT, or - for standard input.');
  if (from === undefined) {
    const whole = spec ?? (await readAll(process.stdin));
    const lead = /^\s*/.exec(whole)?.[0].length ?? 0;
    const marked = /^\s*\/[/*]/.test(whole) ? commentAt(whole, new LineIndex(whole).position(lead).line) : undefined;
    return { label: spec === undefined ? 'standard input' : 'spec', file: undefined, whole, ...(marked ?? { text: withoutMarks(whole), start: 0, header: undefined }) };
  }
  const [, name = '', line] = /^(.+):(\d+)$/s.exec(from) ?? [];
  if (line === undefined || Number(line) < 1) throw new UsageError(`--from ${from}: write FILE:LINE, where LINE is a line of the comment.`);
  const file = path.resolve(cwd, name);
  const whole = await files.read(file);
  if (whole === undefined) throw new UsageError(`--from ${from}: the file ${name} cannot be read.`);
  if (Number(line) > new LineIndex(whole).lineCount) throw new UsageError(`--from ${from}: the file has only ${new LineIndex(whole).lineCount} lines.`);
  const comment = commentAt(whole, Number(line) - 1);
  if (comment === undefined) throw new UsageError(`--from ${from}: there is no comment at this line or right above it.`);
  return { label: name, file, whole, ...comment };
}

async function requestOf(parsed: ParsedArgs, source: Source, context: CommandContext): Promise<GenerateRequest> {
  const reset = parsed.one('reset');
  return {
    text: source.text,
    start: source.start,
    header: (await headerOf(parsed, context)) ?? source.header,
    module: parsed.one('module'),
    encoding: encodingArg(parsed.one('encoding')),
    clock: parsed.one('clock'),
    reset: reset === undefined ? undefined : resetArg(reset),
    directory: source.file === undefined ? context.cwd : path.dirname(source.file),
    engine: engineArg(parsed),
    seed: integerArg(parsed, 'seed', 0, largestSeed) ?? defaultSettings['verify.seed'],
    timeoutMs: secondsArg(parsed, 'timeout') ?? 1000 * defaultSettings['verify.timeout'],
  };
}

async function headerOf(parsed: ParsedArgs, { cwd, files }: CommandContext): Promise<string | undefined> {
  const file = parsed.one('header');
  if (file === undefined) return undefined;
  const text = await files.read(path.resolve(cwd, file));
  if (text === undefined) throw new UsageError(`--header ${file}: the file cannot be read.`);
  const headers = headersOf(text);
  const wanted = parsed.one('module');
  const [first, second] = wanted === undefined ? headers : headers.filter(({ name }) => name === wanted);
  if (first === undefined) throw new UsageError(`--header ${file}: the file has no header of ${wanted === undefined ? 'a module' : `the module ${wanted}`}.`);
  if (second !== undefined && wanted === undefined) throw new UsageError(`--header ${file}: the file has ${headers.length} modules (${headers.map(({ name }) => name).join(', ')}); choose one with --module.`);
  return first.text;
}

function encodingArg(text: string | undefined): Encoding | undefined {
  const encodings: readonly Encoding[] = ['binary', 'one-hot', 'gray'];
  const encoding = encodings.find((candidate) => candidate === text);
  if (text !== undefined && encoding === undefined) throw new UsageError(`--encoding ${text}: the encodings are ${encodings.join(', ')}.`);
  return encoding;
}

function resetArg(text: string): ResetChoice {
  const [name = '', ...words] = text.split(':');
  const active = words.find((word) => word === 'high' || word === 'low');
  const kind = words.find((word) => word === 'sync' || word === 'async');
  if (!/^[A-Za-z_][\w$]*$/.test(name) || words.length !== [active, kind].filter((word) => word !== undefined).length) {
    throw new UsageError(`--reset ${text}: write NAME, then :high or :low, then :sync or :async, as in rst_n:low:async.`);
  }
  return { name, active, kind };
}

/** The stable object of `generate --json`: the result with places for offsets. */
export type PlacedResult = Omit<GenerateResult, 'problems'> & {
  readonly problems: readonly { readonly file: string | undefined; readonly line: number; readonly character: number; readonly code: string; readonly message: string }[];
};

function withPlaces(result: GenerateResult, { file, whole }: Source): PlacedResult {
  const index = new LineIndex(whole);
  return { ...result, problems: result.problems.map(({ span, code, message }) => ({ file, ...index.position(span.start), code, message })) };
}

/** What goes to standard error: each mistake at its place, choices that were made, and the outcome. */
export function generateText(result: PlacedResult, nameOf: (file: string | undefined) => string, columns: number): string {
  const mistakes = result.problems.map(({ file, line, character, message }) => `${placeText(nameOf(file), line, character)}: error: ${message}`);
  const notes = [...result.notes, ...(result.verification?.notes ?? [])].flatMap((note) => wrap(`Note: ${note}`, columns));
  const mark = { verified: '✓', unverified: '?', failed: '✗' }[result.outcome];
  const reason = mistakes.length > 0 ? `No module is offered: the table has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}.` : result.reason;
  return `${[...mistakes, ...notes, ...wrap(`${mark} ${reason}`, columns)].join('\n')}\n`;
}
