import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moduleLenses } from '../../../server/src/features/lens.ts';
import type { ModuleState } from '../../../server/src/features/lens.ts';
import { module } from './fixtures.ts';

const golden = { file: '/golden/gold.v', module: 'gold', known: true };
const idle: ModuleState = { golden: undefined, running: false, last: undefined, users: 0 };

function check(state: Partial<ModuleState>, expected: readonly string[], name = 'dut'): void {
  const lenses = moduleLenses([module(`/rtl/dut.v:${name}()`)], () => ({ ...idle, ...state }));
  assert.deepEqual(lenses.map(({ title, action }) => `${title} -> ${action}`), expected);
}

describe('the lenses above a module', () => {
  it('offer to select a reference', () => {
    check({}, ['Select reference… -> selectReference']);
    check({ golden: { ...golden, known: false } }, ['Reference gold not found: select reference… -> selectReference']);
  });

  it('offer to verify, and show the verdict beside it', () => {
    check({ golden }, ['Verify against gold -> verify']);
    check({ golden, last: { label: '✗ Different: q', stale: false } }, ['Verify against gold -> verify', '✗ Different: q -> showVerdict']);
    check({ golden, last: { label: '✗ Different: q', stale: true } }, ['Verify against gold -> verify', 'Stale: edited since (was ✗ Different: q) -> showVerdict']);
  });

  it('tell how many modules instantiate it', () => {
    check({ users: 1 }, ['Instantiated in 1 module -> showInstances', 'Select reference… -> selectReference']);
    check({ users: 2, golden }, ['Instantiated in 2 modules -> showInstances', 'Verify against gold -> verify']);
  });

  it('show nothing old while a verification runs', () => {
    check({ golden, running: true, last: { label: '✗ Different: q', stale: false } }, ['Verifying against gold… -> verify']);
  });

  it('name the file of a golden that is called like the module', () => {
    check({ golden }, ['Verify against gold (gold.v) -> verify'], 'gold');
  });

  it('stand above each module', () => {
    const modules = [module('/a.v:a()'), { ...module('/a.v:b()'), span: { start: 77, end: 99 } }];
    const lenses = moduleLenses(modules, ({ name }) => (name === 'a' ? { ...idle, golden } : idle));
    assert.deepEqual(lenses.map(({ module: name, offset }) => [name, offset]), [['a', 10], ['b', 77]]);
  });
});
