import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadDesign } from '../../server/src/analysis/load.ts';
import { memoryFiles } from '../../server/src/base/files.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import { Random } from '../../server/src/verification/stimulus/random.ts';
import type { VerifyOptions, VerifyResult } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { areEqual, mutate, nextState, outputsOf, randomMachine, resetState, textOf, type Inputs, type Machine, type State } from './random-modules.ts';

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });
const MACHINES = 8;

function run(golden: string, dut: string, options: Partial<VerifyOptions> = {}): Promise<VerifyResult> {
  const files = memoryFiles(new Map([['/golden/m.v', golden], ['/dut/m.v', dut]]));
  const all: VerifyOptions = { clocks: [], resets: [], cycles: 3000, seed: 1, timeoutMs: 12_000, engine: 'auto', prove: true, ...options };
  return verify({ golden: { file: '/golden/m.v' }, dut: { file: '/dut/m.v' }, options: all }, { load: (input) => loadDesign(input, { parser, files }), toolbox }, {});
}

const agrees = ({ verdict }: VerifyResult): boolean => verdict === 'equivalent' || verdict === 'no-difference';

/** Follows a witness by hand: what the machine answers at its last sample, or undefined when no reset has been seen by then. */
function answerAtEnd(machine: Machine, witness: VerifyResult['witness']): number[] | undefined {
  let state: State | undefined = machine.registers.length === 0 ? [] : undefined;
  let clock = '0';
  let answer: number[] | undefined;
  for (const { inputs: row } of witness) {
    const inputs: Inputs = { a: parseInt(row['a'] ?? '', 2), b: parseInt(row['b'] ?? '', 2) };
    const [clk, reset] = [row['clk'] ?? '0', row['rst'] === '1'];
    const rises = clock !== '1' && clk === '1';
    if (reset && (machine.asynchronous || rises)) state = resetState(machine);
    else if (rises && state !== undefined) state = nextState(machine, state, inputs);
    clock = clk;
    answer = state && outputsOf(machine, state, inputs);
  }
  return answer;
}

/** The sides really differ at the end of the witness, as the result says. */
function checkWitness(result: VerifyResult, golden: Machine, dut: Machine): void {
  const { mismatch, witness } = result;
  assert.ok(mismatch);
  const last = witness.at(-1);
  assert.deepEqual([last?.expected[mismatch.output], last?.actual[mismatch.output]], [mismatch.expected, mismatch.actual]);
  const index = Number(mismatch.output.slice(1));
  const [expected, actual] = [golden, dut].map((machine) => answerAtEnd(machine, witness)?.[index]);
  assert.ok(expected !== undefined && actual !== undefined, 'the witness resets the machine');
  assert.deepEqual([parseInt(mismatch.expected, 2), parseInt(mismatch.actual, 2)], [expected, actual]);
  assert.notEqual(expected, actual);
}

for (let number = 0; number < MACHINES; number++) {
  test(`machine ${String(number)}: itself, another dress, two mutants`, async () => {
    const random = new Random(1000 + number);
    const machine = randomMachine(random);
    const golden = textOf(machine);
    const dressed = await run(golden, textOf(machine, random));
    assert.ok(agrees(dressed), `${dressed.verdict}: ${dressed.reason}\n${golden}`);
    for (let count = 0; count < 2; count++) {
      const mutant = mutate(machine, random);
      const text = textOf(mutant, random);
      const equal = areEqual(machine, mutant);
      const result = await run(golden, text);
      assert.equal(agrees(result) ? 'equal' : result.verdict, equal ? 'equal' : 'different', `${result.reason}\n${golden}\n${text}`);
      if (!equal) checkWitness(result, machine, mutant);
      if (count > 0) continue;
      const swapped = await run(text, golden);
      assert.equal(agrees(swapped), equal, `swapped: ${swapped.verdict}: ${swapped.reason}`);
      if (!equal) checkWitness(swapped, mutant, machine);
    }
  });
}

test('inputs that open a latch, gate or choose a clock, or make a reset together do not race with what they let through', async () => {
  const latch = (enable: string, more = ''): string => `module m(input ena, input d, output reg q); ${more} always @* if (${enable}) q = d; endmodule`;
  const gated = (data: string, more = ''): string => `module m(input clk, input en, input d, output reg q); wire g = clk & en; ${more} always @(posedge g) q <= ${data}; endmodule`;
  const chosen = (data: string, more = ''): string => `module m(input clk, input clk2, input en, input d, output reg q); wire g = en ? clk : clk2; ${more} always @(posedge g) q <= ${data}; endmodule`;
  const cleared = (enable: string, more = ''): string => `module m(input clk, input en, input d, output reg q); ${more} wire r = ${enable} & d; always @(posedge clk or posedge r) if (r) q <= 0; else q <= 1; endmodule`;
  const pairs = [
    [latch('ena'), latch('o', 'wire n, o; not (n, ena); assign o = ~n;'), latch('ena & ~d')],
    [gated('d'), gated('o', 'wire n = ~d; wire o = ~n;'), gated('~d')],
    [chosen('d'), chosen('o', 'wire n = ~d; wire o = ~n;'), chosen('~d')],
    [cleared('en'), cleared('o', 'wire n = ~en; wire o = ~n;'), cleared('~en')],
  ] as const;
  for (const [golden, same, wrong] of pairs) {
    const options = { prove: false };
    assert.equal((await run(golden, same, options)).verdict, 'no-difference', same);
    assert.equal((await run(same, golden, options)).verdict, 'no-difference', same);
    const { verdict, witness } = await run(golden, wrong, options);
    assert.equal(verdict, 'different', wrong);
    const changes = witness.slice(1).map(({ inputs }, index) => Object.entries(inputs).filter(([port, value]) => !port.startsWith('clk') && witness[index]?.inputs[port] !== value).length);
    assert.ok(changes.every((count) => count <= 1), 'in the witness, too, one input changes at a time');
  }
});

test('the same seed gives the same bytes, and another seed another stimulus', async () => {
  const counter = (reset: number): Machine => ({
    wires: [],
    registers: [{ reset, next: { kind: 'binary', operator: '+', left: { kind: 'name', name: 'r0' }, right: { kind: 'name', name: 'a' } } }],
    outputs: [{ kind: 'name', name: 'r0' }, { kind: 'name', name: 'b' }],
    asynchronous: false,
  });
  const bytes = async (seed: number): Promise<string> => JSON.stringify({ ...(await run(textOf(counter(3)), textOf(counter(4)), { seed })), elapsedMs: 0 });
  const first = await bytes(5);
  assert.equal(await bytes(5), first);
  assert.notEqual(await bytes(6), first);
});

test('simulation alone agrees with the exact answer', async () => {
  const random = new Random(4242);
  for (let count = 0; count < 8; count++) {
    const machine = randomMachine(random);
    const mutant = mutate(machine, random);
    const result = await run(textOf(machine), textOf(mutant), { prove: false });
    assert.equal(result.verdict, areEqual(machine, mutant) ? 'no-difference' : 'different', `${result.reason}\n${textOf(machine)}\n${textOf(mutant)}`);
  }
});
