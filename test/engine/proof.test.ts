import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { EngineChoice, VerifyResult } from '../../server/src/verification/verdict.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { design, loader } from '../unit/verification/designs.ts';
import { families, type Family } from './families.ts';

const toolbox = createToolbox({ iverilog: '', yosys: '' });

function run(family: Family, dut: string, engine: EngineChoice): Promise<VerifyResult> {
  const load = loader({ '/golden.v': design(family.golden, { ...family, file: '/golden.v' }), '/dut.v': design(dut, { ...family, file: '/dut.v' }) });
  const options = { clocks: [], resets: [], cycles: 2000, seed: 1, timeoutMs: 60_000, engine, prove: true };
  return verify({ golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options }, { load, toolbox }, {});
}

for (const [name, family] of Object.entries(families)) {
  test(`${name}: simulation and proof agree`, async () => {
    const same = await run(family, family.same, 'auto');
    assert.ok(same.verdict === 'equivalent' || same.verdict === 'no-difference', same.reason);
    if (family.provable) assert.equal(same.verdict, 'equivalent', `${same.reason} ${same.notes.join(' ')}`);
    assert.equal(same.engines[0]?.name, 'iverilog');
  });

  test(`${name}: without a simulator the embedded prover never says more than it knows`, async () => {
    const same = await run(family, family.same, 'yosys-wasm');
    assert.notEqual(same.verdict, 'different', same.reason);
    if (family.provable) assert.equal(same.verdict, 'equivalent', `${same.reason} ${same.notes.join(' ')}`);
    assert.deepEqual(same.engines.map((engine) => engine.name), ['yosys-wasm']);
    for (const [fault, dut] of Object.entries(family.faults)) {
      const result = await run(family, dut, 'yosys-wasm');
      assert.ok(result.verdict !== 'equivalent' && result.verdict !== 'no-difference', `${fault}: ${result.verdict}: ${result.reason}`);
      if (family.provable) {
        assert.equal(result.verdict, 'different', `${fault}: ${result.reason}`);
        const last = result.witness.at(-1);
        assert.ok(result.mismatch && last);
        assert.equal(last.actual[result.mismatch.output], result.mismatch.actual);
      }
    }
  });
}

test('a difference that shows only behind a reset is found behind what the prover sees in unknown registers', async () => {
  const golden = `module m(input clk, input rst, input we, input [15:0] a, input [7:0] d, output reg [7:0] q);
reg [3:0] n;
always @(posedge clk) if (rst) begin n <= 0; q <= 0; end else begin
  n <= n + 1;
  if (n == 9) q <= {q[6:0], ~q[7]};
  if (we && a == 16'ha5c3) q <= d;
end
endmodule`;
  // A write at the moment of a shift is lost; where 'n' is still unknown, the prover takes that for a difference too.
  const dut = golden.replace('if (we &&', 'if (n != 9 && we &&');
  const ways = [
    { edges: '', clear: 'rst', active: 'high', kind: 'sync' },
    { edges: '', clear: '!rst', active: 'low', kind: 'sync' },
    { edges: ' or posedge rst', clear: 'rst', active: 'high', kind: 'async' },
    { edges: ' or negedge rst', clear: '!rst', active: 'low', kind: 'async' },
  ] as const;
  for (const { edges, clear, active, kind } of ways) {
    const way = (text: string): string => text.replace('posedge clk', `posedge clk${edges}`).replace('(rst)', `(${clear})`);
    const result = await run({ golden: way(golden), same: way(golden), faults: {}, provable: true, resets: [{ port: 'rst', bit: undefined, active, kind }] }, way(dut), 'auto');
    assert.equal(result.verdict, 'different', `${result.reason} ${result.notes.join(' ')}`);
    assert.equal(result.mismatch?.output, 'q');
  }
});
