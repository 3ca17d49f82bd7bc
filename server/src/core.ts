import type { CompilationUnit, DesignInput, DesignSource, GradedProblem, LoadResult } from './analysis/design.ts';
import { loadDesign } from './analysis/load.ts';
import { diskFiles, readTextSync } from './base/files.ts';
import type { FileReader } from './base/files.ts';
import type { Logger } from './base/logger.ts';
import type { Steps } from './base/steps.ts';
import { isBinary, LineIndex } from './base/text.ts';
import { generate } from './generation/generate.ts';
import type { GenerateRequest, GenerateResult } from './generation/generate.ts';
import type { ExplainRequest, ExplainResult, GenerationHooks, ModuleRequest, ModuleResult, Run } from './generation/contract.ts';
import { explainModule } from './generation/explain.ts';
import { generateModule } from './generation/pipeline.ts';
import { connectModel } from './generation/connect.ts';
import type { Connection } from './generation/connect.ts';
import type { Settings } from './config.ts';
import type { LocateOptions } from './model/locate.ts';
import { Parser } from './syntax/parser.ts';
import { macrosBehind } from './syntax/compilation-unit.ts';
import type { Macros } from './syntax/compilation-unit.ts';
import { preprocess, preprocessInSteps } from './syntax/preprocess.ts';
import type { Preprocessed, PreprocessOptions } from './syntax/preprocessed.ts';
import { lintFiles } from './analysis/rules/project.ts';
import type { Level } from './analysis/rules/rule.ts';
import { ParsedText } from './analysis/parsed-text.ts';
import type { ParsedSource, SyntaxProblem } from './analysis/parsed-text.ts';

export type { ParsedSource, SyntaxProblem } from './analysis/parsed-text.ts';
import { lint } from './tools/lint-unsaved.ts';
import type { LintAnswer, LintQuestion } from './tools/lint-unsaved.ts';
import { createToolbox } from './tools/toolbox.ts';
import type { ToolDescription, Toolbox, ToolPaths } from './tools/toolbox.ts';
import type { VerifyRequest, VerifyResult } from './verification/verdict.ts';
import { GoldenCache } from './verification/golden-cache.ts';
import { verify } from './verification/verify.ts';
import type { VerifyHooks } from './verification/session.ts';

/** How a source text is read before it is parsed. */
export interface SourceContext {
  /** Absolute directories; the file's own directory is always searched. */
  readonly includeDirs: readonly string[];
  readonly defines: Readonly<Record<string, string>>;
  /** Macros behind the file before this one in its compilation unit, those of `defines` among them; undefined for the first. */
  readonly macros?: Macros | undefined;
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
  /** What is wanted now, within the deadline; the other one is worked out when it is asked for. */
  readonly first?: 'problems' | 'summary';
  /** What the preprocessor makes of the text in its context, where that is known. */
  readonly source?: Preprocessed | undefined;
}

/** Sources that belong together. */
export interface CheckRequest {
  readonly sources: readonly DesignSource[];
  readonly context: SourceContext;
  /** Which of the sources are one compilation unit; its libraries stand behind its sources. */
  readonly unit?: CompilationUnit;
  /** Rule to level, where it differs from the rule's own; undefined: no rules. */
  readonly levels: Readonly<Record<string, Level>> | undefined;
  /** Called as each source is begun. */
  readonly progress?: (file: string) => void;
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
  /** As `parse`, for problems, step by step and without a deadline: what takes too long by itself is left out. */
  parseInSteps(request: ParseRequest): Steps<ParsedSource | undefined>;
  /** Syntax problems of source texts and what the rules find in them, file by file in the order of the text. */
  check(request: CheckRequest): Promise<readonly GradedProblem[]>;
  /** Has a tool look over a text that is not saved yet, in the surroundings of its file. */
  lint(request: LintQuestion): Promise<LintAnswer>;
  /** Looks for every tool, which takes up to a few seconds the first time; `tools: false` runs no program. */
  doctor(options?: { readonly tools: boolean }): Promise<DoctorReport>;
  /** Why there is no simulator, in one full sentence, and the command that installs one; undefined when there is one. */
  missingSimulator(): Promise<{ readonly reason: string; readonly install: string | undefined } | undefined>;
  /** Looks for the tools anew, at other paths. */
  setToolPaths(paths: ToolPaths): void;
}

/** A part of a text that takes longer to parse is left without a look for mistakes where there is no other deadline. */
const UNIT_DEADLINE_MS = 2000;

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
    this.#readInclude = readInclude ?? readTextSync;
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

  parse(request: ParseRequest): ParsedSource | undefined {
    const parsed = this.#parsedText(request, request.source ?? preprocess(request.file, request.text, this.#preprocessing(request)));
    if (request.first === 'summary' ? parsed.parse() : parsed.check()) return parsed;
    parsed.delete();
    return undefined;
  }

  *parseInSteps(request: ParseRequest): Steps<ParsedSource | undefined> {
    const parsed = this.#parsedText(request, request.source ?? (yield* preprocessInSteps(request.file, request.text, this.#preprocessing(request))));
    return (yield* parsed.checkInSteps(UNIT_DEADLINE_MS)) ? parsed : undefined;
  }

  #parsedText({ file, text, previous, deadlineMs }: ParseRequest, source: Preprocessed): ParsedText {
    return new ParsedText(this.#parser, { file, text, source, previous: previous instanceof ParsedText ? previous : undefined, deadlineMs });
  }

  #preprocessing({ context }: ParseRequest): PreprocessOptions {
    return { ...context, readFile: this.#readInclude };
  }

  async check({ sources, context, unit, levels, progress }: CheckRequest): Promise<readonly GradedProblem[]> {
    const problems: GradedProblem[] = [];
    const parsed: ParsedSource[] = [];
    let macros: Macros | undefined;
    const [inOrder, libraries] = [new Set(unit?.sources), new Set(unit?.libraries)];
    for (const { file, text } of sources) {
      progress?.(file);
      if (isBinary(text)) {
        problems.push(ofWholeFile(file, 'This is no UTF-8 text; save it as UTF-8, or name a file of Verilog source.'));
        continue;
      }
      const inUnit = inOrder.has(file);
      const source = this.parse({ file, text, context: inUnit || libraries.has(file) ? { ...context, macros } : context });
      if (inUnit) macros = source?.preprocessed.macros ?? macrosBehind(file, text, { ...context, macros, readFile: this.#readInclude });
      if (!source) {
        problems.push(ofWholeFile(file, 'The file took too long to parse; split it into smaller files.'));
        continue;
      }
      problems.push(...source.problems.map((problem) => this.#place(problem, source)));
      // What the rules need is worked out before the tree is freed.
      if (levels && source.summary.file === file) parsed.push(source);
      source.delete();
    }
    if (!levels) return problems;
    for await (const { source, findings } of lintFiles(parsed, { levels })) {
      const lines = new LineIndex(source.text);
      problems.push(...findings.map(({ rule, level, span, message }): GradedProblem => ({ file: source.file, ...lines.position(span.start), message, severity: level, rule })));
    }
    const order = new Map(sources.map(({ file }, index) => [file, index]));
    return problems.sort((a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || (a.line ?? 0) - (b.line ?? 0) || (a.character ?? 0) - (b.character ?? 0));
  }

  lint(request: LintQuestion): Promise<LintAnswer> {
    return lint(request, this.#toolbox);
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
    const now = this.#toolPaths;
    if (paths.iverilog === now.iverilog && paths.yosys === now.yosys && paths.verilator === now.verilator) return;
    this.#toolPaths = paths;
    this.#toolbox = createToolbox(paths);
  }

  #load(input: DesignInput): Promise<LoadResult> {
    return loadDesign(input, { parser: this.#parser, files: this.#files });
  }

  #place({ file, span, message }: SyntaxProblem, parsed: ParsedSource): GradedProblem {
    const text = file === parsed.file ? parsed.text : (this.#readInclude(file) ?? '');
    return { file, ...new LineIndex(text).position(span.start), message, severity: 'error', rule: undefined };
  }
}

function ofWholeFile(file: string, message: string): GradedProblem {
  return { file, line: undefined, character: undefined, message, severity: 'error', rule: undefined };
}
