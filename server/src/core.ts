import type { SourceProblem } from './analysis/design.ts';
import type { FileSummary } from './analysis/items.ts';
import type { FileReader } from './base/files.ts';
import type { Logger } from './base/logger.ts';
import type { Span } from './base/text.ts';
import type { VerifyRequest, VerifyResult } from './verification/verdict.ts';

export interface VerifyHooks {
  readonly signal?: AbortSignal;
  /** `share` is the finished part, 0 to 1, where it is known. */
  readonly progress?: (progress: { readonly stage: string; readonly share?: number }) => void;
}

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
  delete(): void;
}

/** A program or engine that was looked for. */
export interface DoctorTool {
  readonly name: string;
  readonly found: boolean;
  readonly path: string | undefined;
  readonly version: string | undefined;
  /** What it is used for, or what to do to get it; one full sentence. */
  readonly remark: string;
}

export interface DoctorReport {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly tools: readonly DoctorTool[];
}

/** Paths of programs that the user chose; empty text: looked up on PATH. */
export interface ToolSettings {
  readonly iverilog: string;
  readonly yosys: string;
}

export interface CoreDeps {
  readonly logger: Logger;
  readonly tools: ToolSettings;
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
  /**
   * Parses one source text. `previous` is an earlier parse of the same file whose tree is reused; it stays valid. Undefined
   * when the text took too long to parse.
   */
  parse(file: string, text: string, context: SourceContext, previous?: ParsedSource): ParsedSource | undefined;
  /** Syntax problems of one source text, in the order of the text; empty when it is clean. */
  check(file: string, text: string, context: SourceContext): Promise<readonly SourceProblem[]>;
  /** Looks for every tool; takes up to a few seconds the first time. */
  doctor(): Promise<DoctorReport>;
  /** Looks for the tools anew, at other paths. */
  setTools(tools: ToolSettings): void;
}
