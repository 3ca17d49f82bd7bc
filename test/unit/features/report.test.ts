import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { doctorText, verdictReport } from '../../../server/src/features/report.ts';
import type { VerifyResult } from '../../../server/src/verification/verdict.ts';
import { mismatch, result } from './fixtures.ts';

function check(change: Partial<VerifyResult>, expected: string, stale = false): void {
  assert.equal(verdictReport(result(change), stale, (file) => file.slice(1)), expected);
}

describe('the report of a verdict', () => {
  it('says what was compared, how far, by which tool', () => {
    check(
      { engines: [{ name: 'iverilog', version: '12.0', role: 'simulation' }], resets: [{ port: 'rst', bit: undefined, active: 'low', kind: 'async' }], notes: ['The seed was fixed.'] },
      `# ✓ No difference in 12,000 comparisons

No difference was found.

- Module under test: \`dut\` in rtl/dut.v
- Golden: \`gold\` in golden/gold.v
- Simulation: iverilog 12.0
- Clock: \`clk\` (posedge)
- Reset: \`rst\` (asynchronous, active low)
- Compared: 12,000 samples of all outputs, 6,000 stimulus rows, 6,000 clock edges, seed 1
- Output bits seen with a known value: 100 %
- Time: 0.12 s

## Notes

- The seed was fixed.
`,
    );
  });

  it('says what was reached in the golden, and where the stimulus did not get', () => {
    const coverage = {
      branches: { reached: 1, total: 2 },
      toggles: undefined,
      unreached: [{ what: 'if (a)', file: '/golden/gold.v', line: 3, character: 0 }],
      untoggled: ['n[7]'],
    };
    const given = result();
    const text = verdictReport({ ...given, evidence: given.evidence && { ...given.evidence, coverage } }, false, (file) => file.slice(1));
    assert.match(text, /^- Reached: 1 of 2 branches of the golden$/m);
    assert.match(text, /^## Not reached in the golden\n\n- golden\/gold\.v:4:1: `if \(a\)`\n- Bits that did not go both ways: `n\[7\]`$/m);
  });

  it('names the pattern of a difference and its likeliest causes', () => {
    const suspects = [{ file: '/rtl/dut.v', span: { start: 0, end: 1 }, line: 6, character: 2, text: 'q <= d', score: 1 }];
    const pattern = { id: 'inverted', text: 'It is always the inverse.' };
    const text = verdictReport(result({ verdict: 'different', mismatch: { ...mismatch, pattern, suspects } }), false, (file) => file.slice(1));
    assert.match(text, /^- Pattern: It is always the inverse\.$/m);
    assert.match(text, /^## Likeliest causes in the module under test\n\n- rtl\/dut\.v:7:3: `q <= d`$/m);
  });

  it('shows the counterexample as a table', () => {
    const step = (cycle: number, actual: string) =>
      ({ step: cycle, cycle, phase: 'clocked', inputs: { en: '1' }, expected: { q: '11', r: '0' }, actual: { q: actual, r: '0' } }) as const;
    check(
      { verdict: 'different', reason: 'It differs.', mismatch, evidence: undefined, clocks: [], witness: [step(0, '11'), step(1, '01')] },
      `# Stale: edited since (was ✗ Different: q)

It differs.

- Module under test: \`dut\` in rtl/dut.v
- Golden: \`gold\` in golden/gold.v
- Time: 0.12 s

## Counterexample

| cycle | sample | en | q expected | q got |
| --- | --- | --- | --- | --- |
| 0 | after the clock | 1 | 2'b11 | 2'b11 |
| 1 | after the clock | 1 | 2'b11 | **2'b01** |
`,
      true,
    );
  });

  it('shows the end of a long counterexample', () => {
    const witness = Array.from({ length: 30 }, (_, step) => ({ step, cycle: step, phase: 'clocked' as const, inputs: {}, expected: { q: '1' }, actual: { q: '1' } }));
    const text = verdictReport(result({ verdict: 'different', mismatch, witness }), false, (file) => file);
    assert.match(text, /The last 24 of 30 rows:/);
    assert.match(text, /\| 29 \| after the clock/);
    assert.doesNotMatch(text, /\| 5 \| after the clock/);
  });

  it('lists problems with their places', () => {
    const problems = [
      { side: 'dut', file: '/a.v', line: 2, character: 4, message: 'syntax error' },
      { side: 'dut', file: '/a.v', line: undefined, character: undefined, message: 'unknown module' },
    ] as const;
    const text = verdictReport(result({ verdict: 'bad-input', problems }), false, (file) => file.slice(1));
    assert.match(text, /## Problems in the sources\n\n- a\.v:3:5: syntax error\n- a\.v: unknown module\n/);
  });
});

describe('the doctor', () => {
  it('lists tools and workspace', () => {
    const text = doctorText(
      {
        version: '0.1.0',
        node: 'v24.0.0',
        platform: 'linux x64',
        tools: [
          { name: 'iverilog', found: true, path: '/usr/bin/iverilog', version: '12.0', remark: 'It simulates.', install: undefined },
          { name: 'yosys', found: false, path: undefined, version: undefined, remark: 'Run "apt install yosys".', install: 'apt install yosys' },
        ],
      },
      { file: { name: 'rtl/a.v', lines: ['Defines: none.'] }, workspace: ['3 modules in 2 files.'], models: ['Suggestions while typing: off'] },
    );
    assert.match(text, /- ✓ iverilog: 12\.0 at \/usr\/bin\/iverilog\. It simulates\.\n- ✗ yosys: not found\. Run "apt install yosys"\.\n/);
    assert.match(text, /## rtl\/a\.v\n\n- Defines: none\.\n/);
    assert.match(text, /## Models\n\n- Suggestions while typing: off\n/);
    assert.match(text, /## Workspace\n\n- 3 modules in 2 files\.\n/);
  });
});
