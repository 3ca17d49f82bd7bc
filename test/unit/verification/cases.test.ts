import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caseFileOf, caseOf, formatCaseFile, parseCaseFile, rowsOfCase, withCase } from '../../../server/src/verification/cases.ts';
import { layOut } from '../../../server/src/verification/stimulus/layout.ts';
import type { Trace } from '../../../server/src/verification/trace.ts';
import { RowBuilder } from '../../../server/src/verification/stimulus/rows.ts';
import { sizedPorts } from './designs.ts';
import type { RegressionCase } from '../../../server/src/verification/verdict.ts';

const clock = { port: 'clk', bit: undefined, edges: ['posedge' as const] };
const layout = layOut(sizedPorts('input clk, input [7:0] d, inout [1:0] pad, output q'), { clocks: [clock] });
const noTrace: Trace = { words: new Uint32Array(0), wordsPerSample: 2, samples: 0 };

function someCase(): RegressionCase {
  const builder = new RowBuilder(layout);
  for (let row = 0; row < 4; row++) {
    for (let bit = 0; bit < layout.dataBits + layout.clockBits; bit++) builder.setBit(bit, ((row * 7 + bit * 5) & 3) === 1);
    builder.push();
  }
  const exchange = { layout, clocks: [clock], rows: builder.finish(), compareFrom: 1, golden: noTrace, dut: noTrace, criterion: { unknowns: 'ignore' as const, threeState: new Uint32Array(1) } };
  return caseOf(exchange, { output: 'q', expected: '1', actual: '0' });
}

test('a case leads back to the rows that it was made of, but for the value of an inout that is not driven', () => {
  const made = someCase();
  const rows = rowsOfCase(made, layout);
  assert.ok(rows);
  const exchange = { layout, clocks: [clock], rows, compareFrom: 1, golden: noTrace, dut: noTrace, criterion: { unknowns: 'ignore' as const, threeState: new Uint32Array(1) } };
  assert.deepEqual(caseOf(exchange, { output: 'q', expected: '1', actual: '0' }), made);
  assert.match(JSON.stringify(made.rows), /zz/);
  assert.equal(rowsOfCase(made, layOut(sizedPorts('input clk, input [6:0] d, inout [1:0] pad, output q'), { clocks: [clock] })), undefined);
  assert.equal(rowsOfCase(made, layOut(sizedPorts('input clk, input [7:0] d, output q'), { clocks: [clock] })), undefined);
});

test('a case file keeps what it held, and nothing twice', () => {
  const file = caseFileOf('/p/golden/fifo.sv');
  assert.equal(file, '/p/golden/fifo.cases.json');
  const made = someCase();
  const one = withCase(new Map(), 'm', made);
  assert.equal(withCase(one, 'm', made), one);
  const two = withCase(withCase(one, 'm', { ...made, rows: made.rows.slice(1) }), 'other', made);
  const read = parseCaseFile(formatCaseFile(two), file);
  assert.ok(read.kind === 'valid');
  assert.deepEqual(read.modules, two);
});

test('what is no case file is said to be none', () => {
  const broken = (text: string): string => {
    const result = parseCaseFile(text, '/f');
    return result.kind === 'broken' ? result.reason : '';
  };
  assert.match(broken('{'), /is not valid JSON; correct it or delete it/);
  assert.match(broken('{"schema":2,"modules":{}}'), /"schema": 1/);
  assert.match(broken('{"schema":1,"modules":{"m":[{"name":"x","compareFrom":0,"rows":[{"a":"2"}]}]}}'), /a case of 'm'/);
  assert.match(broken('{"schema":1,"modules":{"m":1}}'), /a case of 'm'/);
  assert.deepEqual(parseCaseFile(undefined, '/f'), { kind: 'valid', modules: new Map() });
});
