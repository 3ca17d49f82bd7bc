import type { Mismatch, VerifyResult, WitnessStep } from '../../../server/src/verification/verdict.ts';

/** A result with the given parts; the rest says that a simulation found no difference. */
export function result(parts: Partial<VerifyResult> = {}): VerifyResult {
  return {
    schema: 1,
    verdict: 'no-difference',
    reason: 'The DUT answered like the golden in every comparison.',
    dut: { module: 'count_fast', file: '/w/rtl/fast.v' },
    golden: { module: 'count', file: '/w/golden/count.v' },
    engines: [{ name: 'iverilog', version: '11.0', role: 'simulation' }],
    clocks: [{ port: 'clk', bit: undefined, edges: ['posedge'] }],
    resets: [{ port: 'rst_n', bit: undefined, active: 'low', kind: 'async' }],
    evidence: { comparisons: 12000, steps: 6000, cycles: 3000, exhaustive: false, observedOutputBits: 1, seed: 1 },
    mismatch: undefined,
    witness: [],
    interfaceIssues: [],
    problems: [],
    notes: [],
    elapsedMs: 420,
    artefacts: { testbench: undefined, vcd: undefined, caseFile: undefined },
    ...parts,
  };
}

/** Rows of a counter `q` with a clock: two half cycles a cycle, and in each both phases. The DUT misses its last increment. */
export function counterWitness(cycles: number): WitnessStep[] {
  const steps: WitnessStep[] = [];
  for (let row = 0; row < 2 * cycles; row++) {
    const clock = row % 2 === 0 ? '1' : '0';
    for (const phase of ['settled', 'clocked'] as const) {
      const done = Math.floor(row / 2) + (row % 2 === 1 || phase === 'clocked' ? 1 : 0);
      const clk = phase === 'clocked' ? clock : row === 0 ? 'x' : clock === '1' ? '0' : '1';
      const q = done.toString(2).padStart(8, '0');
      const inputs = { clk, rst_n: '1', en: row < 2 ? '0' : '1', mode: '0'.repeat(8) };
      const wrong = done === cycles && phase === 'clocked';
      steps.push({ step: row, cycle: done, phase, inputs, expected: { q, full: '0' }, actual: { q: wrong ? '000000x1' : q, full: '0' } });
      if (wrong) return steps;
    }
  }
  return steps;
}

export function counterMismatch(cycles: number): Mismatch {
  const last = counterWitness(cycles).at(-1);
  return {
    output: 'q',
    cycle: cycles,
    phase: 'clocked',
    expected: last?.expected['q'] ?? '',
    actual: last?.actual['q'] ?? '',
    inputs: last?.inputs ?? {},
    differing: ['q'],
    pattern: undefined,
    dut: { file: '/w/rtl/fast.v', span: { start: 15, end: 16 } },
    golden: { file: '/w/golden/count.v', span: { start: 0, end: 1 } },
  };
}
