import type { SourceProblem } from './analysis/design.ts';
import type { Logger } from './base/logger.ts';
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

export interface CoreDeps {
  readonly logger: Logger;
  /** Empty text: looked up on PATH. */
  readonly toolPaths: { readonly iverilog: string; readonly yosys: string };
  /** Folder of the two WebAssembly files of the parser; undefined: found beside the bundle or in the dependencies. */
  readonly assetsDir?: string;
}

/** Everything the product can do without an editor; the language server and the command line are doors to it. */
export interface Core {
  verify(request: VerifyRequest, hooks: VerifyHooks): Promise<VerifyResult>;
  /** Syntax problems of one source text, in the order of the text; empty when it is clean. */
  check(file: string, text: string, context: SourceContext): Promise<readonly SourceProblem[]>;
  /** Looks for every tool; takes up to a few seconds the first time. */
  doctor(): Promise<DoctorReport>;
}
