import type { Span } from '../base/text.ts';
import type { Direction } from '../analysis/module.ts';

/** What editor features need to know of a port, as its declaration says it; nothing is evaluated. */
export interface PortInfo {
  readonly name: string;
  readonly direction: Direction | undefined;
  /** Packed and unpacked ranges as written, without blanks, as in `[WIDTH-1:0]`; empty for a scalar. */
  readonly range: string;
  /** Place of the name in the declaration. */
  readonly span: Span;
}

/** What editor features need to know of a module. */
export interface ModuleInfo {
  /** Absolute path. */
  readonly file: string;
  readonly name: string;
  /** From `module` to `endmodule`. */
  readonly span: Span;
  readonly nameSpan: Span;
  readonly ports: readonly PortInfo[];
  /** Names of the modules it instantiates and the packages it uses, each once. */
  readonly uses: readonly string[];
}

/** The module around an offset, or else the only module of the file. */
export function moduleAt(modules: readonly ModuleInfo[], offset: number): ModuleInfo | undefined {
  const around = modules.find(({ span }) => span.start <= offset && offset <= span.end);
  return around ?? (modules.length === 1 ? modules[0] : undefined);
}
