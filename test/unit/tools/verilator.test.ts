import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translateArguments } from '../../../server/src/tools/verilator.ts';

test('unknown values are chosen when the program starts, and nothing of the design is searched for', () => {
  const args = translateArguments({ files: ['w.v', 'a.sv'], top: 'w', timescale: '1ns/1ps', old: false });
  assert.deepEqual(args.slice(-2), ['w.v', 'a.sv']);
  const value = (name: string): string | undefined => args[args.indexOf(name) + 1];
  assert.deepEqual([value('--x-assign'), value('--x-initial'), value('--top-module'), value('--timescale'), value('--default-language')], ['unique', 'unique', 'w', '1ns/1ps', '1800-2017']);
  assert.ok(!args.some((argument) => /^(?:-y|-I|\+incdir|-f|-v|--build|--exe|--bbox)/.test(argument)));
  assert.ok(!translateArguments({ files: [], top: 'w', timescale: undefined, old: true }).includes('--timescale'));
});
