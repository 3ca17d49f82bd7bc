import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readVerdict } from '../../../server/src/verification/run-testbench.ts';

function check(verdict: string, ...lines: readonly string[]): void {
  assert.equal(readVerdict(lines, 0).verdict, verdict, lines.join('\n'));
}

describe('what a testbench says', () => {
  test('it passed', () => {
    for (const line of ['PASS', 'All tests passed!', '===========Your Design Passed===========', 'Test completed with 0 errors', 'Mismatches: 0 in 200 samples', 'errors = 0', 'Error count: 0', 'no mismatches', '12 of 12 tests passed', 'PASS: 120 samples', 'Simulation successful']) check('passed', line);
    check('passed', "Hint: Output 'y' has no mismatches.", 'Hint: Total mismatched samples is 0 out of 100 samples', 'Mismatches: 0 in 100 samples');
  });

  test('it failed', () => {
    for (const line of ['FAIL', 'Test 3 failed', '===========Test completed with 3 /100 failures===========', 'Mismatches: 7 in 200 samples', 'errors = 10', 'ERROR: tb.v:12: wrong sum', 'FATAL: tb.v:3: stop', '11 of 12 tests passed', 'incorrect output', '3 passed, 1 failed']) check('failed', line);
    check('failed', 'test 1 passed', 'test 2 FAILED', 'test 3 passed');
    assert.equal(readVerdict(['PASS'], 1).verdict, 'failed');
  });

  test('nothing', () => {
    check('silent');
    check('silent', 'VCD info: dumpfile wave.vcd opened for output.', 'a=1 b=0 y=0');
  });
});
