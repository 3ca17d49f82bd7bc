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
