import type { DesignInput, LoadedDesign, LoadResult } from '../../../server/src/analysis/design.ts';
import type { Clock, Clocking, Port, Reset } from '../../../server/src/analysis/module.ts';
import type { SizedPort } from '../../../server/src/verification/stimulus/layout.ts';

/** A design made by hand, for tests that must not depend on the analysis. `ports` is `input clk, output [7:0] q` and the like. */
export function design(text: string, options: { clocks?: Clock[]; resets?: Reset[]; file?: string } = {}): LoadedDesign {
  const file = options.file ?? '/virtual/design.v';
  const name = /module\s+(\w+)/.exec(text)?.[1] ?? '';
  const location = { file, span: { start: 0, end: 0 } };
  const header = /\(([^;]*)\)\s*;/.exec(text)?.[1] ?? '';
  const ports = header.split(',').flatMap((item): Port[] => {
    const match = /(input|output|inout)\s+(?:reg|wire|logic)?\s*(?:\[(\d+):0\])?\s*(\w+)/.exec(item);
    if (match === null) return [];
    const direction = match[1] === 'input' ? 'input' : match[1] === 'output' ? 'output' : 'inout';
    return [{ name: match[3] ?? '', direction, width: Number(match[2] ?? 0) + 1, packed: [], unpacked: [], signed: false, location }];
  });
  const clocks = options.clocks ?? (ports.some((port) => port.name === 'clk') ? [{ port: 'clk', bit: undefined, edges: ['posedge' as const] }] : []);
  const clocking: Clocking = { clocks, resets: options.resets ?? [], sequential: clocks.length > 0, latches: false, gated: false, complete: true };
  return {
    input: { file },
    module: { name, location, parameters: [], ports, clocking, constants: [], files: [file], unresolved: [] },
    sources: [{ file, text }],
    includes: [],
    outside: [],
    doubts: [],
  };
}

/** A loader that answers with hand-made designs by file name. */
export function loader(designs: Readonly<Record<string, LoadedDesign>>): (input: DesignInput) => Promise<LoadResult> {
  return (input) => {
    const found = designs[input.file];
    return Promise.resolve(
      found === undefined ? { kind: 'rejected', reason: `There is no file '${input.file}'.`, problems: [] } : { kind: 'loaded', design: { ...found, input } },
    );
  };
}

/** Ports of known width from the text of a port list. */
export function sizedPorts(header: string): SizedPort[] {
  return design(`module m(${header});\nendmodule`).module.ports.map((port) => ({ ...port, width: port.width ?? 1 }));
}
