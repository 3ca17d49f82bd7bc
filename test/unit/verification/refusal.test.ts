import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SourceProblem } from '../../../server/src/analysis/design.ts';
import { complaintOf } from '../../../server/src/tools/complaint.ts';
import { NO_LAYOUT, type NotCompiled, type RunnableSide } from '../../../server/src/verification/engine.ts';
import { endingFinding, refusalFinding, whyNot, type FailedTry } from '../../../server/src/verification/refusal.ts';

const runnable: RunnableSide = { kind: 'runnable', ports: undefined, build: () => Promise.resolve(NO_LAYOUT) };
const at = (message: string): SourceProblem => ({ file: '/d.sv', line: 3, character: undefined, message });
const refused = (message: string, unsupported = false): NotCompiled => ({ kind: 'refused', problems: [{ ...at(message), about: unsupported ? 'unsupported' : complaintOf(message) }] });
const failed = (cause: 'timed-out' | 'cancelled' | 'crashed' | 'tool', message: string): NotCompiled => ({ kind: 'failed', cause, message });
const icarus = (dut: NotCompiled): FailedTry => ({ engine: { name: 'iverilog', title: 'Icarus Verilog', version: '11.0' }, results: { golden: undefined, dut } });
const verilator = (dut: NotCompiled): FailedTry => ({ engine: { name: 'verilator', title: 'Verilator', version: '5.006' }, results: { golden: runnable, dut } });

function check(tries: readonly [FailedTry, ...FailedTry[]], expected: string, doubts: readonly SourceProblem[] = []): void {
  const { verdict, reason } = refusalFinding(tries, { golden: { doubts: [] }, dut: { doubts } });
  assert.equal(`${verdict}: ${reason}`, expected);
}

test('it is a mistake of the source where this analysis, or a second compiler, sees one too', () => {
  check([icarus(refused('syntax error'))], "bad-input: The DUT does not compile: Add ';'.", [at("Add ';'")]);
  check([icarus(refused('syntax error')), verilator(refused('syntax error, unexpected end'))], 'bad-input: The DUT does not compile: syntax error.');
  check([icarus(refused('syntax error')), verilator(refused("Can't find definition of 'x'"))], "bad-input: The DUT does not compile: Can't find definition of 'x'.");
  check([icarus(refused('You can not instantiate module m within itself.')), verilator(refused('Unsupported: recursive module', true))], 'bad-input: The DUT does not compile: You can not instantiate module m within itself.');
  check([icarus(refused('Unknown module type: sub'))], 'bad-input: The DUT does not compile: Unknown module type: sub.');
});

test('what may be the limit of the tools is never told as a mistake', () => {
  check([icarus(refused('syntax error'))], 'tool-error: Icarus Verilog could not read the DUT, in which this analysis sees no mistake: syntax error.');
  check([icarus(refused('Invalid module item.'))], 'tool-error: Icarus Verilog could not read the DUT, in which this analysis sees no mistake: Invalid module item.');
  check([icarus(refused('This cast operation is not yet supported.', true))], 'tool-error: Icarus Verilog does not support a construct of the DUT: This cast operation is not yet supported.');
  check(
    [icarus(refused('syntax error')), verilator(refused('Unsupported: clocking block', true))],
    'tool-error: Verilator does not support a construct of the DUT: Unsupported: clocking block. Icarus Verilog could not compile the DUT: syntax error.',
  );
  check(
    [icarus(failed('crashed', 'Icarus Verilog broke down on it (Aborted).')), verilator(failed('tool', 'It knows only 0 and 1.'))],
    'tool-error: The DUT could not be compiled: Icarus Verilog broke down on it (Aborted). Verilator did not compile the DUT: It knows only 0 and 1.',
  );
  check([icarus(failed('timed-out', 'Icarus Verilog did not finish in time'))], 'timeout: The DUT could not be compiled: Icarus Verilog did not finish in time.');
});

test('cancelling and what is forbidden end everything, the rest lets others try', () => {
  assert.equal(endingFinding(icarus(failed('cancelled', 'Cancelled.')))?.verdict, 'cancelled');
  assert.equal(endingFinding(icarus({ kind: 'forbidden', problems: [at('No.')] }))?.reason, 'No.');
  assert.equal(endingFinding(icarus(failed('crashed', 'x'))), undefined);
  assert.equal(whyNot(icarus(refused('syntax error'))), 'Icarus Verilog could not compile the DUT: syntax error.');
});

test('a block that never waits ends the verification at the first compiler', () => {
  const said = 'always process does not have any delay. A runtime infinite loop will occur.';
  assert.deepEqual(endingFinding(icarus(refused(said))), { verdict: 'bad-input', reason: `The DUT does not compile: ${said}`, problems: [{ ...at(said), side: 'dut' }] });
  assert.equal(endingFinding(verilator(refused('Loop unrolling took too long; probably this is an infinite loop'))), undefined);
});
