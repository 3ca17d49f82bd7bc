import path from 'node:path';
import type { DesignInput, SourceProblem } from '../analysis/design.ts';
import { defaultSettings, parseSettings } from '../config.ts';
import type { FileReader } from '../base/files.ts';
import { headersOf } from '../generation/comment.ts';
import type { Candidate, CompileContext, KnownModule, ModuleRequest, ModuleResult, Rejected } from '../generation/contract.ts';
import type { GenerateRequest } from '../generation/generate.ts';
import { UsageError, type ParsedArgs } from './args.ts';
import { exitBadInput, type CommandContext, type Outcome } from './context.ts';
import type { Source } from './generate-source.ts';
import { Narrator } from './narrator.ts';
import { wrap } from './layout.ts';
import { isFile } from './sources.ts';
import { integerArg, splitReference } from './verify-args.ts';

/** The part of `rtl-copilot generate` that lets a model write the module. */
export async function generateWithModel(parsed: ParsedArgs, source: Source, table: GenerateRequest, compile: CompileContext, context: CommandContext): Promise<Outcome> {
  const { terminal, signal } = context;
  const settings = settingsOf(parsed);
  const core = await context.core();
  const connection = await core.connectModel(settings, { apiKey: context.variables['RTL_COPILOT_API_KEY'] });
  if (connection.kind === 'none') {
    // The command that starts a server is to be copied in one piece, so the lines are not wrapped.
    const remarks = `✗ The text holds no table, so a model has to write the module. ${connection.message}\n`;
    return { exitCode: exitBadInput, json: unasked(connection.message), text: '', remarks };
  }
  const seed = parsed.one('seed') === undefined ? undefined : table.seed;
  const request = requestOf(parsed, source, table, context, compile, { ...connection.model, seed });
  const narrator = parsed.flag('quiet') ? undefined : new Narrator(request, (text) => terminal.warn(text));
  const result = await core.generateModule(request, { ...(signal === undefined ? {} : { signal }), onEvent: (event) => narrator?.tell(event) }).result;
  narrator?.end();
  return {
    exitCode: { verified: 0, compiled: 2, cancelled: 2, failed: exitBadInput }[result.outcome],
    json: modelJson(result),
    text: (result.outcome === 'failed' ? undefined : standingAlone(result.candidates[0])) ?? '',
    remarks: outcomeText(result, terminal.columns),
  };
}

function settingsOf(parsed: ParsedArgs): typeof defaultSettings {
  const { settings, problems } = parseSettings({
    'model.endpoint': parsed.one('endpoint') ?? '',
    'model.name': parsed.one('model') ?? '',
    'model.allowedHosts': parsed.all('allow-host'),
    'model.maxTokens': integerArg(parsed, 'max-tokens', 1, 1_000_000) ?? defaultSettings['model.maxTokens'],
  });
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(problem.message);
  return settings;
}

function requestOf(parsed: ParsedArgs, source: Source, table: GenerateRequest, { cwd, files }: CommandContext, compile: CompileContext, model: ModuleRequest['model']): ModuleRequest {
  const module = parsed.one('module');
  const name = module === undefined ? '' : `\n\nName the module ${module}.`;
  const file = source.file ?? path.join(cwd, 'generated.v');
  return {
    task: { kind: 'write', description: source.text.trim() + (table.header === undefined ? name : ''), header: table.header },
    target: { file, text: source.file === undefined ? '' : source.whole, span: source.file === undefined ? { start: 0, end: 0 } : source.place },
    context: compile,
    lookup: knownModules(path.dirname(file), compile.libraryFiles ?? [], files),
    golden: designArg(parsed, 'golden', compile, cwd),
    testbench: designArg(parsed, 'testbench', compile, cwd),
    model,
    samples: integerArg(parsed, 'samples', 1, 64) ?? 4,
    repairs: integerArg(parsed, 'repairs', 0, 16) ?? 3,
    verify: { clocks: [], resets: [], cycles: undefined, seed: table.seed, timeoutMs: table.timeoutMs, engine: table.engine, prove: true },
  };
}

function designArg(parsed: ParsedArgs, option: 'golden' | 'testbench', compile: CompileContext, cwd: string): DesignInput | undefined {
  const text = parsed.one(option);
  if (text === undefined) return undefined;
  const reference = splitReference(text, (file) => isFile(path.resolve(cwd, file)));
  if (reference === undefined || !isFile(path.resolve(cwd, reference.file))) throw new UsageError(`--${option} ${text}: the file cannot be read.`);
  return { ...compile, file: path.resolve(cwd, reference.file), ...(reference.module === undefined ? {} : { module: reference.module }) };
}

/** Files in which modules are looked for at most. */
const MOST_FILES = 500;

/** Finds modules in the sources of file lists and of a folder, which are read when the first name is asked for; the list's come first. */
function knownModules(folder: string, listed: readonly string[], files: FileReader): ModuleRequest['lookup'] {
  let known: Promise<ReadonlyMap<string, KnownModule>> | undefined;
  const read = async (): Promise<ReadonlyMap<string, KnownModule>> => {
    const siblings = (await files.list(folder)).filter((name) => /\.s?v$/i.test(name)).map((name) => path.join(folder, name));
    const paths = [...new Set([...listed, ...siblings])].slice(0, MOST_FILES);
    const texts = await Promise.all(paths.map(async (file) => ({ file, text: (await files.read(file)) ?? '' })));
    return new Map(texts.reverse().flatMap(({ file, text }) => headersOf(text).map(({ name, text: header }) => [name, { name, header, file }])));
  };
  return async (name) => (await (known ??= read())).get(name);
}

interface ModelJson {
  readonly schema: 1;
  readonly origin: 'model';
  readonly outcome: ModuleResult['outcome'];
  readonly reason: string;
  readonly module: string | undefined;
  readonly code: string | undefined;
  readonly confidence: string | undefined;
  readonly candidates: readonly Candidate[];
  readonly rejected: readonly (Omit<Rejected, 'problems'> & { readonly problems: readonly SourceProblem[] })[];
  readonly failure: { readonly kind: string; readonly message: string } | undefined;
  readonly model: string | undefined;
  readonly elapsedMs: number | undefined;
  readonly checkMs: number | undefined;
}

/** The stable object of `generate --json` for a module that a model wrote. */
function modelJson({ schema, outcome, reason, candidates, rejected, failure, model, elapsedMs, checkMs }: ModuleResult): ModelJson {
  const best = outcome === 'failed' ? undefined : candidates[0];
  return {
    schema,
    origin: 'model',
    outcome,
    reason,
    module: best?.module,
    code: standingAlone(best),
    confidence: best?.confidence,
    candidates,
    rejected,
    failure: failure === undefined ? undefined : { kind: failure.kind, message: failure.message },
    model,
    elapsedMs,
    checkMs,
  };
}

/** The code as a text of its own; a candidate's code has the line ends that suit its place in the file. */
function standingAlone(candidate: Candidate | undefined): string | undefined {
  return candidate === undefined ? undefined : `${candidate.code.trim()}\n`;
}

/** The same when no server could be asked. */
function unasked(message: string): ModelJson {
  return {
    schema: 1,
    origin: 'model',
    outcome: 'failed',
    reason: message,
    module: undefined,
    code: undefined,
    confidence: undefined,
    candidates: [],
    rejected: [],
    failure: { kind: 'no-server', message },
    model: undefined,
    elapsedMs: undefined,
    checkMs: undefined,
  };
}

function outcomeText({ outcome, reason, candidates }: ModuleResult, columns: number): string {
  const [best, ...others] = candidates;
  const notes = [...(best?.notes ?? []), ...(best?.verification?.notes ?? [])].flatMap((note) => wrap(`Note: ${note}`, columns));
  const mark = { verified: '✓', compiled: '?', cancelled: '?', failed: '✗' }[outcome];
  const more = others.length === 0 ? [] : wrap(`${others.length === 1 ? 'One other candidate' : `${others.length} other candidates`}: ${others.map(({ confidence }) => confidence).join('; ')}.`, columns);
  return `${[...notes, ...more, ...wrap(`${mark} ${reason}`, columns)].join('\n')}\n`;
}
