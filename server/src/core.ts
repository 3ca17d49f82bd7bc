import { readFileSync } from 'node:fs';
import type { DesignInput, LoadResult, SourceProblem } from './analysis/design.ts';
import type { FileSummary } from './analysis/items.ts';
import { loadDesign } from './analysis/load.ts';
import type { FileNames } from './analysis/names/model.ts';
import { readNames } from './analysis/names/read.ts';
import { summarize } from './analysis/summary.ts';
import { diskFiles } from './base/files.ts';
import type { FileReader } from './base/files.ts';
import type { Logger } from './base/logger.ts';
import { LineIndex } from './base/text.ts';
import type { Span } from './base/text.ts';
import { generate } from './generation/generate.ts';
import type { GenerateRequest, GenerateResult } from './generation/generate.ts';
import type { ExplainRequest, ExplainResult, GenerationHooks, ModuleRequest, ModuleResult, Run } from './generation/contract.ts';
import { explainModule } from './generation/explain.ts';
import { generateModule } from './generation/pipeline.ts';
import { connectModel } from './generation/connect.ts';
import type { Connection } from './generation/connect.ts';
import type { Settings } from './config.ts';
import type { LocateOptions } from './model/locate.ts';
import { syntaxDiagnostics } from './syntax/diagnostics.ts';
import { Parser } from './syntax/parser.ts';
import type { SyntaxTree } from './syntax/parser.ts';
import { preprocess } from './syntax/preprocess.ts';
import type { Preprocessed } from './syntax/preprocess.ts';
import { createToolbox } from './tools/toolbox.ts';
import type { ToolDescription, Toolbox, ToolPaths } from './tools/toolbox.ts';
import type { VerifyRequest, VerifyResult } from './verification/verdict.ts';
import { GoldenCache } from './verification/golden-cache.ts';
import { verify } from './verification/verify.ts';
import type { VerifyHooks } from './verification/verify.ts';

/** How a source text is read before it is parsed. */
export interface SourceContext {
  /** Absolute directories; the file's own directory is always searched. */
  readonly includeDirs: readonly string[];
  readonly defines: Readonly<Record<string, string>>;
}

/** A syntax problem in offsets of the file that it stands in. */
export interface SyntaxProblem {
  /** Absolute path. */
  readonly file: string;
  readonly span: Span;
  readonly code: string;
  readonly message: string;
  /** A warning is about something that may be right elsewhere, such as a header that is not found. */
  readonly severity: 'error' | 'warning';
}

/** A parsed text. It holds a syntax tree, which must be freed by `delete`. */
export interface ParsedSource {
  readonly file: string;
  readonly text: string;
  readonly summary: FileSummary;
  /** In the order of the text. */
  readonly problems: readonly SyntaxProblem[];
  /** Absolute paths of the files that it includes, directly or through others. */
  readonly includes: readonly string[];
  /** Every scope, declaration and use; made when it is first asked for, and valid after `delete`. */
  readonly names: FileNames;
  delete(): void;
}

export interface ParseRequest {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  readonly context: SourceContext;
  /** An earlier parse of the same file whose tree is reused; it stays valid. */
  readonly previous?: ParsedSource | undefined;
  /** Milliseconds after which parsing is given up. */
  readonly deadlineMs?: number;
}

/** A program or engine that was looked for. */
export type DoctorTool = ToolDescription;

export interface DoctorReport {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly tools: readonly DoctorTool[];
}

export interface CoreDeps {
  readonly logger: Logger;
  readonly toolPaths: ToolPaths;
  /** Where verifications read sources; undefined: the disk. */
  readonly files?: FileReader;
  /** Where parsing reads included files; undefined: the disk. */
  readonly readInclude?: (path: string) => string | undefined;
  /** Folder of the two WebAssembly files of the parser; undefined: found beside the bundle or in the dependencies. */
  readonly assetsDir?: string;
}

/** Everything the product can do without an editor; the language server and the command line are doors to it. */
export interface Core {
  verify(request: VerifyRequest, hooks: VerifyHooks): Promise<VerifyResult>;
  /** Builds the module that a table in a comment describes, and verifies it against the table. */
  generate(request: GenerateRequest, hooks: VerifyHooks): Promise<GenerateResult>;
  /** Finds the model server and the model that the settings mean. */
  connectModel(settings: Settings, options: LocateOptions): Promise<Connection>;
  /** Lets a model write, fix or repair a module, and checks what it writes; the contract is in `generation/contract.ts`. */
  generateModule(request: ModuleRequest, hooks: GenerationHooks): Run<ModuleResult>;
  /** Lets a model explain a module in words. */
  explainModule(request: ExplainRequest, hooks: GenerationHooks): Run<ExplainResult>;
  /** Undefined when the text took too long to parse. */
  parse(request: ParseRequest): ParsedSource | undefined;
  /** Syntax problems of one source text, in the order of the text; empty when it is clean. */
  check(file: string, text: string, context: SourceContext): Promise<readonly SourceProblem[]>;
  /** Looks for every tool, which takes up to a few seconds the first time; `tools: false` runs no program. */
  doctor(options?: { readonly tools: boolean }): Promise<DoctorReport>;
  /** Why there is no simulator, in one full sentence, and the command that installs one; undefined when there is one. */
  missingSimulator(): Promise<{ readonly reason: string; readonly install: string | undefined } | undefined>;
  /** Looks for the tools anew, at other paths. */
  setToolPaths(paths: ToolPaths): void;
}

export async function createCore(deps: CoreDeps): Promise<Core> {
  return new ProductCore(deps, await Parser.create(deps.assetsDir));
}

class ProductCore implements Core {
  readonly #parser: Parser;
  readonly #files: FileReader;
  readonly #readInclude: (path: string) => string | undefined;
  readonly #goldens = new GoldenCache();
  #toolbox: Toolbox;
  #toolPaths: ToolPaths;

  constructor({ toolPaths, files, readInclude }: CoreDeps, parser: Parser) {
    this.#parser = parser;
    this.#files = files ?? diskFiles;
    this.#readInclude = readInclude ?? readText;
    this.#toolPaths = toolPaths;
    this.#toolbox = createToolbox(toolPaths);
  }

  verify(request: VerifyRequest, hooks: VerifyHooks): Promise<VerifyResult> {
    return verify(request, { load: (input) => this.#load(input), toolbox: this.#toolbox, parser: this.#parser, cache: this.#goldens }, hooks);
  }

  generate(request: GenerateRequest, hooks: VerifyHooks): Promise<GenerateResult> {
    return generate(request, { load: (input) => this.#load(input), verify: (pair, inner) => this.verify(pair, inner) }, hooks);
  }

  connectModel(settings: Settings, options: LocateOptions): Promise<Connection> {
    return connectModel(settings, options);
  }

  generateModule(request: ModuleRequest, hooks: GenerationHooks): Run<ModuleResult> {
    return generateModule(request, { load: (input) => this.#load(input), verify: (pair, inner) => this.verify(pair, inner), toolbox: this.#toolbox }, hooks);
  }

  explainModule(request: ExplainRequest, hooks: GenerationHooks): Run<ExplainResult> {
    return explainModule(request, hooks);
  }

  parse({ file, text, context, previous, deadlineMs }: ParseRequest): ParsedSource | undefined {
    const source = preprocess(file, text, { ...context, readFile: this.#readInclude });
    const tree = this.#parser.parse(source.text, {
      previous: previous instanceof TreeSource ? previous.tree : undefined,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
    if (!tree) return undefined;
    return new TreeSource(tree, source, {
      file,
      text,
      summary: summarize(file, source.text, tree, source.map),
      problems: problemsOf(source, tree),
      includes: [...new Set(source.includes.flatMap(({ resolved }) => resolved ?? []))],
    });
  }

  check(file: string, text: string, context: SourceContext): Promise<readonly SourceProblem[]> {
    const parsed = this.parse({ file, text, context });
    if (!parsed) return Promise.resolve([{ file, line: undefined, character: undefined, message: 'The file took too long to parse; split it into smaller files.' }]);
    try {
      return Promise.resolve(parsed.problems.map((problem) => this.#place(problem, parsed)));
    } finally {
      parsed.delete();
    }
  }

  async doctor({ tools } = { tools: true }): Promise<DoctorReport> {
    return {
      version: process.env['RTL_COPILOT_VERSION'] ?? 'development',
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      tools: tools ? await this.#toolbox.describe() : [],
    };
  }

  async missingSimulator(): Promise<{ readonly reason: string; readonly install: string | undefined } | undefined> {
    const found = await this.#toolbox.iverilog();
    if (found.kind === 'found') return undefined;
    return { reason: found.reason, install: found.kind === 'missing' ? found.install : undefined };
  }

  setToolPaths(paths: ToolPaths): void {
    if (paths.iverilog === this.#toolPaths.iverilog && paths.yosys === this.#toolPaths.yosys) return;
    this.#toolPaths = paths;
    this.#toolbox = createToolbox(paths);
  }

  #load(input: DesignInput): Promise<LoadResult> {
    return loadDesign(input, { parser: this.#parser, files: this.#files });
  }

  #place({ file, span, message }: SyntaxProblem, parsed: ParsedSource): SourceProblem {
    const text = file === parsed.file ? parsed.text : (this.#readInclude(file) ?? '');
    return { file, ...new LineIndex(text).position(span.start), message };
  }
}

class TreeSource implements ParsedSource {
  readonly file: string;
  readonly text: string;
  readonly summary: FileSummary;
  readonly problems: readonly SyntaxProblem[];
  readonly includes: readonly string[];
  readonly tree: SyntaxTree;
  readonly #source: Preprocessed;
  #names: FileNames | undefined;

  constructor(tree: SyntaxTree, source: Preprocessed, { file, text, summary, problems, includes }: Omit<ParsedSource, 'delete' | 'names'>) {
    this.tree = tree;
    this.#source = source;
    this.file = file;
    this.text = text;
    this.summary = summary;
    this.problems = problems;
    this.includes = includes;
  }

  get names(): FileNames {
    this.#names ??= readNames(this.file, this.#source.text, this.#source.map);
    return this.#names;
  }

  delete(): void {
    this.tree.delete();
  }
}

function problemsOf(source: Preprocessed, tree: SyntaxTree): SyntaxProblem[] {
  const syntax = syntaxDiagnostics(tree, source.text).map(({ span, code, message }): SyntaxProblem => {
    const place = source.map.locateSpan(span);
    return { file: place.file, span: place.span, code, message, severity: 'error' };
  });
  const directives = source.problems.map(
    ({ file, span, code, message }): SyntaxProblem => ({ file, span, code, message, severity: code === 'missing-include' ? 'warning' : 'error' }),
  );
  return [...syntax, ...directives].sort((a, b) => a.span.start - b.span.start);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}
