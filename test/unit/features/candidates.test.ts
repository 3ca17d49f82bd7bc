import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { referenceCandidates } from '../../../server/src/features/candidates.ts';
import { module } from './fixtures.ts';

const ports = 'in clk, in rst, out [3:0] q';

function check(dut: string, others: readonly string[], expected: readonly string[]): void {
  const candidates = referenceCandidates(module(dut), others.map(module));
  assert.deepEqual(candidates.map(({ module: { name }, match }) => `${name}: ${match}`), expected);
}

describe('golden candidates', () => {
  it('come best interface match first, and say how well they fit', () => {
    check(
      `/rtl/a.v:dut(${ports})`,
      [
        '/x.v:none(in other)',
        `/x.v:turned(in clk, out rst, out [3:0] q)`,
        `/x.v:wide(in clk, in rst, out [7:0] q)`,
        `/x.v:more(${ports}, out full)`,
        `/x.v:same(${ports})`,
        '/x.v:less(in clk, out [3:0] q)',
        '/x.v:bench()',
      ],
      [
        'same: all ports match',
        'wide: all ports match by name; ranges are written differently',
        'more: 3 of 3 ports match; extra full',
        'less: 2 of 3 ports match; lacks rst',
        'turned: 2 of 3 ports match; other direction: rst',
        'bench: no port matches',
        'none: no port matches',
      ],
    );
  });

  it('of equal fit are ordered by their likeness in name, and goldens come first', () => {
    check(
      `/rtl/alu.v:alu(${ports})`,
      [`/x.v:zzz(${ports})`, `/x.v:alu2(${ports})`, `/golden/x.v:aaa(${ports})`, `/x.v:alu_ref(${ports})`],
      ['alu2: all ports match', 'alu_ref: all ports match', 'aaa: all ports match', 'zzz: all ports match'],
    );
  });

  it('are neither the module itself nor one that contains it', () => {
    check(`/rtl/a.v:dut(${ports})`, [`/rtl/a.v:dut(${ports})`, `/golden/a.v:dut(${ports})`, `/tb.v:tb(${ports}) uses dut`], ['dut: all ports match']);
  });

  it('list only the first of many names', () => {
    check('/a.v:dut(in a, in b, in c, in d, in e)', ['/b.v:other(in e)'], ['other: 1 of 5 ports match; lacks a, b and 2 more']);
    check('/a.v:dut()', ['/b.v:other()'], ['other: no ports']);
  });
});
