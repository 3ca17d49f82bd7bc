import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { describe, test } from 'node:test';
import { memoryFiles } from '../../../server/src/base/files.ts';
import { coloured } from '../../../server/src/cli/layout.ts';
import { placesOf } from '../../../server/src/cli/places.ts';
import { verdictText } from '../../../server/src/cli/verdict-text.ts';
import type { VerifyResult } from '../../../server/src/verification/verdict.ts';
import { counterMismatch, counterWitness, result } from './result.ts';

const files = memoryFiles(new Map([['/w/rtl/fast.v', 'module fast(\n  q);'], ['/w/golden/count.v', 'module count(q);']]));

async function textOf(given: VerifyResult, options: { columns?: number; wave?: boolean; colour?: boolean } = {}): Promise<string> {
  return verdictText(given, {
    places: await placesOf(given, '/w', files),
    columns: options.columns ?? 80,
    ...(options.wave === undefined ? {} : { wave: options.wave }),
    ...(options.colour === true ? { paint: coloured } : {}),
  });
}

/** Compares the whole text; the first line break of `expected` is for the eye. */
async function check(given: VerifyResult, expected: string, options: { wave?: boolean } = {}) {
  assert.equal(await textOf(given, options), expected.slice(1));
}

const different = result({ verdict: 'different', reason: 'Output q differs.', mismatch: counterMismatch(3), witness: counterWitness(3) });

describe('verdict text', () => {
  test('no difference', () =>
    check(result(), `
✓ No difference in 12,000 comparisons

The DUT answered like the golden in every comparison.

DUT         count_fast  rtl/fast.v
Golden      count  golden/count.v

Compared    12,000 samples, 6,000 stimulus rows, 3,000 clock cycles, seed 1
Simulation  iverilog 11.0
Clocks      clk (posedge)
Resets      rst_n (asynchronous, active low)
Time        0.42 s
`));

  test('what was reached in the golden, and what was not', async () => {
    const unreached = Array.from({ length: 10 }, (_, line) => ({ what: `if (n == ${String(line)})`, file: '/w/golden/count.v', line, character: 4 }));
    const coverage = { branches: { reached: 5, total: 15 }, toggles: { reached: 118, total: 120 }, unreached, untoggled: ['n[7]', 'u.n[6]'] };
    const given = result();
    const text = await textOf({ ...given, evidence: given.evidence && { ...given.evidence, coverage } });
    assert.match(text, /^Reached {5}5 of 15 branches and 118 of 120 toggles of the golden\nNot reached golden\/count\.v:1:5: if \(n == 0\)\n {12}golden\/count\.v:2:5/m);
    assert.match(text, /:8:5: if \(n == 7\)\n {12}and 2 more\nNot toggled n\[7\], u\.n\[6\]\n/);
  });

  test('the likeliest lines behind a difference', async () => {
    const suspects = [12, 3].map((line) => ({ file: '/w/rtl/fast.v', span: { start: 0, end: 1 }, line, character: 8, text: 'q <= n', score: 0.5 }));
    const text = await textOf({ ...different, mismatch: { ...counterMismatch(3), suspects } });
    assert.match(text, /^Suspects {4}rtl\/fast\.v:13:9: q <= n\n {12}rtl\/fast\.v:4:9: q <= n\nDUT port/m);
    const note = 'false where the output begins to be wrong, so that nothing is assigned here';
    const noted = await textOf({ ...different, mismatch: { ...counterMismatch(3), suspects: suspects.slice(0, 1).map((suspect) => ({ ...suspect, note })) } });
    assert.match(noted, /: q <= n\n {14}false where .*\n {14}assigned here\n/);
  });

  test('a proof, without a clock', () =>
    check(
      result({ verdict: 'equivalent', reason: 'Proved.', clocks: [], resets: [], engines: [{ name: 'yosys-wasm', version: '0.55', role: 'proof' }], evidence: undefined, notes: ['One.', 'Two.'] }),
      `
✓ Equivalent (proved)

Proved.

DUT         count_fast  rtl/fast.v
Golden      count  golden/count.v

Proof       yosys-wasm 0.55 (embedded)
Note        One.
Note        Two.
Time        0.42 s
`,
    ));

  test('a mismatch: the last samples, the other inputs, the places, the files made', () =>
    check({ ...different, artefacts: { testbench: '/w/tb.v', vcd: '/elsewhere/o.vcd', caseFile: undefined } }, `
✗ Different: q at cycle 3

Output q differs.

DUT         count_fast  rtl/fast.v
Golden      count  golden/count.v

  cycle  phase        en  expected q  got
      0  before edge  0   8'h00       8'h00
      1  after edge   0   8'h01       8'h01
      1  before edge  1   8'h01       8'h01
      2  after edge   1   8'h02       8'h02
>     3  after edge   1   8'h03       8'b000000x1

With        rst_n=1, mode=8'h00
DUT port    rtl/fast.v:2:3
Golden port golden/count.v:1:1

Compared    12,000 samples, 6,000 stimulus rows, 3,000 clock cycles, seed 1
Simulation  iverilog 11.0
Clocks      clk (posedge)
Resets      rst_n (asynchronous, active low)
Testbench   tb.v
Waveform    /elsewhere/o.vcd
Time        0.42 s
`));

  test('a mismatch without witness rows still gives the values', async () => {
    const text = await textOf({ ...different, witness: [] });
    assert.match(text, /^Output {6}q: expected 8'h03, got 8'b000000x1$/m);
    assert.match(text, /^With {8}clk=1, rst_n=1, en=1, mode=8'h00$/m);
  });

  test('an interface mismatch names each port at its place', async () => {
    const dut = different.mismatch?.dut;
    const text = await textOf(result({
      verdict: 'interface-mismatch',
      reason: 'The ports differ.',
      evidence: undefined,
      interfaceIssues: [
        { kind: 'width', port: 'q', message: 'Port q is 8 bits wide here.', dut, golden: different.mismatch?.golden },
        { kind: 'missing-in-dut', port: 'en', message: 'Port en is missing.', dut: undefined, golden: undefined },
      ],
    }));
    assert.match(text, /^rtl\/fast\.v:2:3: Port q is 8 bits wide here\. \(golden: golden\/count\.v:1:1\)\nPort en is missing\.$/m);
    assert.match(text, /^Interface mismatch: 2 port problems\n/);
  });

  test('problems look like compiler messages, one-based, outside files absolute', async () => {
    const text = await textOf(result({
      verdict: 'bad-input',
      problems: [
        { side: 'dut', file: '/w/rtl/fast.v', line: 3, character: 0, message: 'A semicolon is missing.' },
        { side: 'golden', file: '/lib/x.v', line: undefined, character: undefined, message: 'The file is empty.' },
      ],
    }));
    assert.match(text, /^rtl\/fast\.v:4:1: error: A semicolon is missing\.\n\/lib\/x\.v: error: The file is empty\.$/m);
  });

  test('where a tool came to its limit, nothing is said against the source', async () => {
    const text = await textOf(result({ verdict: 'tool-error', problems: [{ side: 'golden', file: '/w/rtl/fast.v', line: 3, character: undefined, message: 'syntax error, unexpected TOK_ID' }] }));
    assert.match(text, /^rtl\/fast\.v:4: limit of a tool: syntax error, unexpected TOK_ID$/m);
    assert.doesNotMatch(text, /error:/);
  });

  test('a file that cannot be read gives a place without a line', async () => {
    const gone = { file: '/w/gone.v', span: { start: 4, end: 5 } };
    assert.match(await textOf({ ...different, mismatch: { ...counterMismatch(3), dut: gone } }), /^DUT port {4}gone\.v$/m);
  });

  test('the waveform on request', async () => {
    assert.match(await textOf(different, { wave: true }), /^clk {2,}░+.*╱▔/m);
    assert.doesNotMatch(await textOf(different), /▔/);
  });

  test('colour adds only colour', async () => {
    const text = await textOf(different, { colour: true, wave: true });
    assert.notEqual(text, stripVTControlCharacters(text));
    assert.equal(stripVTControlCharacters(text), await textOf(different, { wave: true }));
  });

  test('every verdict has its own first line, and only two of them a tick', async () => {
    const verdicts = ['equivalent', 'no-difference', 'different', 'inconclusive', 'interface-mismatch', 'timeout', 'tool-error', 'bad-input', 'cancelled'] as const;
    const lines = await Promise.all(verdicts.map(async (verdict) => (await textOf(result({ verdict, evidence: undefined }))).split('\n')[0] ?? ''));
    assert.equal(new Set(lines).size, verdicts.length);
    assert.deepEqual(verdicts.filter((_, at) => lines[at]?.startsWith('✓')), ['equivalent', 'no-difference']);
  });
});
