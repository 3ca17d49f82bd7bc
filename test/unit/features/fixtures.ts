import type { ModuleInfo, PortInfo } from '../../../server/src/features/module-info.ts';
import type { VerifyResult } from '../../../server/src/verification/verdict.ts';

/**
 * A module from a short notation: `file:name(in a, out [7:0] y) uses x, y`. The spans are made up, in the order of the text:
 * the n-th port stands at 100 times n.
 */
export function module(notation: string): ModuleInfo {
  const match = /^(.+):([\w$]+)\((.*)\)(?: uses (.*))?$/.exec(notation);
  if (!match) throw new Error(`no module: ${notation}`);
  const [, file = '', name = '', ports = '', uses = ''] = match;
  return {
    file,
    name,
    span: { start: 10, end: 5000 },
    nameSpan: { start: 17, end: 17 + name.length },
    ports: listOf(ports).map(port),
    uses: listOf(uses),
  };
}

function port(notation: string, at: number): PortInfo {
  const words = notation.split(' ');
  const name = words.at(-1) ?? '';
  const direction = ({ in: 'input', out: 'output', inout: 'inout' } as const)[words[0] ?? ''];
  return { name, direction, range: words.slice(1, -1).join(''), span: { start: 100 * (at + 1), end: 100 * (at + 1) + name.length } };
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim()).filter((part) => part !== '');
}

/** A result without difference, with changes. */
export function result(change: Partial<VerifyResult> = {}): VerifyResult {
  return {
    schema: 1,
    verdict: 'no-difference',
    reason: 'No difference was found.',
    dut: { module: 'dut', file: '/rtl/dut.v' },
    golden: { module: 'gold', file: '/golden/gold.v' },
    engines: [],
    clocks: [{ port: 'clk', bit: undefined, edges: ['posedge'] }],
    resets: [],
    evidence: { comparisons: 12_000, steps: 6000, cycles: 6000, exhaustive: false, observedOutputBits: 1, seed: 1 },
    mismatch: undefined,
    witness: [],
    interfaceIssues: [],
    problems: [],
    notes: [],
    elapsedMs: 120,
    artefacts: { testbench: undefined, vcd: undefined, caseFile: undefined },
    ...change,
  };
}

export const mismatch = {
  output: 'q',
  cycle: 3,
  phase: 'clocked',
  expected: '00111111',
  actual: '00000000',
  inputs: { en: '1', d: '00111111' },
  differing: ['q'],
  pattern: undefined,
  dut: { file: '/rtl/dut.v', span: { start: 40, end: 41 } },
  golden: { file: '/golden/gold.v', span: { start: 50, end: 51 } },
} as const satisfies VerifyResult['mismatch'];
