import path from 'node:path';
import { LineIndex } from '../base/text.ts';
import { defaultSettings } from '../config.ts';
import { headersOf } from '../generation/comment.ts';
import type { Encoding } from '../generation/emit/encoding.ts';
import type { GenerateRequest, GenerateResult, ResetChoice } from '../generation/generate.ts';
import { commonOptions, UsageError, type CommandSpec, type ParsedArgs } from './args.ts';
import { exitBadInput, type Command, type CommandContext, type Outcome } from './context.ts';
import { wrap } from './layout.ts';
import { placeText, shortPath } from './places.ts';
import { generateWithModel } from './generate-model.ts';
import { readSource, type Source } from './generate-source.ts';
import { designContext, sourceArgs, sourceOptions } from './sources.ts';
import { engineArg, integerArg, largestSeed, secondsArg } from './verify-args.ts';

export const generateSpec: CommandSpec = {
  name: 'generate',
  usage: '--from FILE:LINE | --spec TEXT | - [options]',
  summary:
    'Builds a module from a table in a comment, or lets a local model write it from prose, and verifies it. The code goes to standard output, progress and reasoning to standard error.',
  options: [
    { name: 'from', value: 'FILE:LINE', help: 'Take the comment at this line, or right above it. A module header below the comment is the interface.' },
    { name: 'spec', value: 'TEXT', help: 'Take this text; - reads it from standard input.' },
    { name: 'header', value: 'FILE', help: 'Take the module header from this file: its name, ports, order and widths are kept.' },
    { name: 'module', value: 'NAME', help: 'Name of the module, or which header of FILE is meant.' },
    { name: 'encoding', value: 'ENCODING', help: 'State codes: binary, one-hot or gray. Default: the codes in the comment, else binary.' },
    { name: 'clock', value: 'NAME', help: 'Clock of a state machine. Default: found by name, else clk.' },
    { name: 'reset', value: 'NAME[:high|low][:sync|async]', help: 'Reset of a state machine. Default: found in the comment and by name, else reset:high:sync.' },
    { name: 'golden', value: 'FILE[:MODULE]', help: 'Verify what the model writes against this reference.' },
    { name: 'testbench', value: 'FILE[:MODULE]', help: 'Or run this testbench, which must print PASS or FAIL. With neither, the samples vote by their behaviour.' },
    { name: 'samples', short: 'n', value: 'N', help: 'Modules that the model writes; the best one is printed. A proof ends it early. Default 4.' },
    { name: 'repairs', value: 'N', help: 'Repairs of a sample with what its check found. Default 3.' },
    { name: 'endpoint', value: 'URL', help: 'Model server. Default: one that runs on this machine (llama.cpp, Ollama, vLLM, LM Studio). Its key is taken from RTL_COPILOT_API_KEY.' },
    { name: 'model', value: 'NAME', help: "Model of the server. Default: CodeV-R1-7B where it is, else the server's first." },
    { name: 'max-tokens', value: 'N', help: `Most tokens of one reply, reasoning included. Default ${defaultSettings['model.maxTokens']}.` },
    { name: 'allow-host', value: 'NAME', repeatable: true, help: 'Another machine that the text may be sent to; without it, only this one.' },
    ...sourceOptions,
    { name: 'engine', value: 'ENGINE', help: 'auto, iverilog, verilator, yosys or yosys-wasm. Default auto.' },
    { name: 'seed', value: 'N', help: `Seed of the stimulus, default ${defaultSettings['verify.seed']}; when given, also of the model.` },
    { name: 'timeout', value: 'SECONDS', help: `Time budget of one verification on an idle machine. Default ${defaultSettings['verify.timeout']}.` },
    { name: 'quiet', short: 'q', terminalOnly: true, help: 'Leave reasoning and progress out.' },
    ...commonOptions,
  ],
  examples: [
    'Truth table: names over values; bars are optional, || stands before the outputs.\n  a b || y\n  0 - || 0\n  1 0 || 1\n  1 1 || x',
    'Karnaugh map: codes across and down; the corner names rows before columns.\n  ab\\cd | 00 01 11 10\n  00    |  1  0  0  1\n  01    |  0  0  d  d\n  11    |  1  1  1  0\n  10    |  1  1  0  1',
    'State machine: a state table or arrows; the text or a * names the reset state.\n  state | in=0 | in=1 | out     *A (out=0) --in=1--> B\n  *A    | A    | B    | 0\n  B     | A    | B    | 1       *A: 0->A, 1->B / out 0',
    'Waveform of combinational logic: a time table, or levels for each signal.\n  time  a  b  q                 a: __--__--\n  0ns   0  1  1                 q: --__--__',
  ],
  notes: [
    'In all of them x, d, - and * stand for a value that does not matter.',
    'A text without a table goes to the model. Nothing is written to any file, and nothing is sent to another machine unless --allow-host names it.',
  ],
  exitCodes: '0 verified; 2 it compiles, but nothing could verify it; 3 no module, with the reason or the place of each mistake.',
};

/** `rtl-copilot generate`. */
export const generateCommand: Command = { spec: generateSpec, run: runGenerate };

async function runGenerate(parsed: ParsedArgs, context: CommandContext): Promise<Outcome> {
  const { terminal, cwd, signal } = context;
  const source = await readSource(parsed, context);
  const request = await requestOf(parsed, source, context);
  const compile = designContext(await sourceArgs(parsed, context));
  const core = await context.core();
  const result = await core.generate(request, {
    ...(signal === undefined ? {} : { signal }),
    progress: ({ stage, share }) => terminal.progress(share === undefined ? stage : `${stage} ${Math.floor(share * 100)} %`),
  });
  terminal.progress(undefined);
  if (result.outcome === 'no-table') return generateWithModel(parsed, source, request, compile, context);
  const unused = ['golden', 'testbench'].filter((option) => parsed.one(option) !== undefined);
  const notes = [...result.notes, ...unused.map((option) => `The ${option} was not used: a module from a table is verified against its table.`)];
  const placed = withPlaces({ ...result, outcome: result.outcome, notes }, source);
  return {
    exitCode: { verified: 0, unverified: 2, failed: exitBadInput }[result.outcome],
    json: placed,
    text: result.code ?? '',
    remarks: generateText(placed, (file) => (file === undefined ? source.label : shortPath(file, cwd)), terminal.columns),
  };
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

/** The result of a text that holds a table. */
type TableResult = GenerateResult & { readonly outcome: Exclude<GenerateResult['outcome'], 'no-table'> };

/** The stable object of `generate --json` for a table: the result with places for offsets. */
export type PlacedResult = Omit<TableResult, 'problems'> & {
  readonly origin: 'table';
  readonly problems: readonly { readonly file: string | undefined; readonly line: number; readonly character: number; readonly code: string; readonly message: string }[];
};

function withPlaces({ schema, ...result }: TableResult, { file, whole }: Source): PlacedResult {
  const index = new LineIndex(whole);
  return { schema, origin: 'table', ...result, problems: result.problems.map(({ span, code, message }) => ({ file, ...index.position(span.start), code, message })) };
}

/** What goes to standard error: each mistake at its place, choices that were made, and the outcome. */
export function generateText(result: PlacedResult, nameOf: (file: string | undefined) => string, columns: number): string {
  const mistakes = result.problems.map(({ file, line, character, message }) => `${placeText(nameOf(file), line, character)}: error: ${message}`);
  const notes = [...result.notes, ...(result.verification?.notes ?? [])].flatMap((note) => wrap(`Note: ${note}`, columns));
  const mark = { verified: '✓', unverified: '?', failed: '✗' }[result.outcome];
  const reason = mistakes.length > 0 ? `No module is offered: the table has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}.` : result.reason;
  return `${[...mistakes, ...notes, ...wrap(`${mark} ${reason}`, columns)].join('\n')}\n`;
}
