import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { count, literal, someOf } from '../../../server/src/verification/value-text.ts';
import { staleLabel, verdictLabel } from '../../../server/src/features/verdict-text.ts';
import type { VerdictKind, VerifyResult } from '../../../server/src/verification/verdict.ts';
import { mismatch, result } from './fixtures.ts';

function check(change: Partial<VerifyResult>, expected: string): void {
  assert.equal(verdictLabel(result(change)), expected);
}

describe('the label of a verdict', () => {
  it('tells a proof from a bounded run', () => {
    check({ verdict: 'equivalent' }, '✓ Equivalent (proved)');
    check({}, '✓ No difference in 12,000 comparisons');
    check({ evidence: { comparisons: 1, steps: 1, cycles: 0, exhaustive: false, observedOutputBits: 1, seed: 1 } }, '✓ No difference in 1 comparison');
    check({ evidence: { comparisons: 256, steps: 256, cycles: 0, exhaustive: true, observedOutputBits: 1, seed: 1 } }, '✓ No difference for any input combination');
  });

  it('names the output, and the cycle where there are cycles', () => {
    check({ verdict: 'different', mismatch }, '✗ Different: q at cycle 3');
    check({ verdict: 'different', mismatch: { ...mismatch, cycle: 36_000 } }, '✗ Different: q at cycle 36,000');
    check({ verdict: 'different', mismatch, clocks: [] }, '✗ Different: q');
    check({ verdict: 'different' }, '✗ Different');
  });

  it('names a simulator that knows only 0 and 1', () => {
    const engines = [{ name: 'verilator', version: '5.006', role: 'simulation', values: '01' }] as const;
    check({ engines }, '✓ No difference in 12,000 comparisons (Verilator, 0 and 1 only)');
    check({ engines, verdict: 'different', mismatch }, '✗ Different: q at cycle 3 (Verilator, 0 and 1 only)');
    check({ engines, verdict: 'equivalent' }, '✓ Equivalent (proved)');
    check({ engines: [{ name: 'iverilog', version: '11.0', role: 'simulation', values: '01xz' }] }, '✓ No difference in 12,000 comparisons');
  });

  it('says how far a run came that ended too early', () => {
    check({ verdict: 'timeout' }, 'Timeout: no difference in 12,000 comparisons so far');
    check({ verdict: 'timeout', evidence: undefined }, 'Timeout: nothing compared yet');
  });

  it('counts what does not fit in the interface', () => {
    const issue = { kind: 'width', port: 'q', message: 'q has 4 bits, not 8.', dut: undefined, golden: undefined } as const;
    check({ verdict: 'interface-mismatch', interfaceIssues: [issue] }, 'Interface mismatch: 1 port problem');
    check({ verdict: 'interface-mismatch', interfaceIssues: [issue, issue] }, 'Interface mismatch: 2 port problems');
  });

  it('is different for each kind, a tick only for two, and "equivalent" only for a proof', () => {
    const kinds: readonly VerdictKind[] = ['equivalent', 'no-difference', 'different', 'inconclusive', 'interface-mismatch', 'timeout', 'tool-error', 'bad-input', 'cancelled'];
    const labels = kinds.map((verdict) => verdictLabel(result({ verdict })));
    assert.equal(new Set(labels).size, kinds.length);
    assert.deepEqual(labels.filter((label) => label.includes('✓')), labels.slice(0, 2));
    assert.deepEqual(labels.filter((label) => /equivalent|proved/i.test(label)), labels.slice(0, 1));
  });

  it('keeps what it was when it is stale', () => {
    assert.equal(staleLabel('✗ Different: q'), 'Stale: edited since (was ✗ Different: q)');
  });
});

describe('values', () => {
  it('are short literals', () => {
    assert.equal(literal('1'), '1');
    assert.equal(literal('x'), 'x');
    assert.equal(literal('01x0'), "4'b01x0");
    assert.equal(literal('00111111'), "8'h3f");
    assert.equal(literal('100000'), "6'h20");
    assert.equal(literal('xxxxxx'), "6'hxx");
    assert.equal(literal('zzzz1111'), "8'hzf");
    assert.equal(literal('0000x111'), "8'b0000x111");
    assert.equal(literal('1'.repeat(128)), "128'hfffffff…fffffff");
  });

  it('keep their digits up to a width that a person still reads', () => {
    assert.equal(literal('1010'.repeat(16)), "64'haaaaaaaaaaaaaaaa");
    assert.equal(literal('x1'.repeat(20)), "40'bx1x1x1x…1x1x1x1");
  });

  it('are counted and listed', () => {
    assert.equal(count(1, 'port'), '1 port');
    assert.equal(count(1234, 'port'), '1,234 ports');
    assert.equal(someOf(['a', 'b'], 2), 'a, b');
    assert.equal(someOf(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more');
  });
});
