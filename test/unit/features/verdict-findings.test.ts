import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verdictFindings } from '../../../server/src/features/verdict-findings.ts';
import type { VerdictView } from '../../../server/src/features/verdict-findings.ts';
import { mismatch, module, result } from './fixtures.ts';

const different = result({ verdict: 'different', mismatch });

function view(change: Partial<VerdictView>): VerdictView {
  return { result: different, stale: false, dut: module('/rtl/dut.v:dut(in en, out q)'), golden: module('/golden/gold.v:gold(out q)'), ...change };
}

describe('the findings of a verdict', () => {
  it('are none without a difference', () => {
    assert.deepEqual(verdictFindings(view({ result: result() })), []);
  });

  it('mark the output with what was expected, with the golden beside it', () => {
    assert.deepEqual(verdictFindings(view({})), [
      {
        file: '/rtl/dut.v',
        place: { kind: 'span', span: { start: 40, end: 41 } },
        severity: 'error',
        code: 'different',
        message: "q differs from gold at cycle 3: expected 8'h3f, got 8'h00.\nInputs: en=1, d=8'h3f.",
        related: [{ file: '/golden/gold.v', span: { start: 50, end: 51 }, message: "gold drives 8'h3f here" }],
      },
    ]);
  });

  it('name a simulator that knows only 0 and 1', () => {
    const [finding] = verdictFindings(view({ result: { ...different, engines: [{ name: 'verilator', version: '5.006', role: 'simulation', values: '01' }] } }));
    assert.equal(finding?.message, "q differs from gold at cycle 3: expected 8'h3f, got 8'h00. Verilator simulated this, with 0 and 1 only.\nInputs: en=1, d=8'h3f.");
  });

  it('stay short for many inputs, and name other outputs and the pattern', () => {
    const inputs = Object.fromEntries('a b c d e f g h i j'.split(' ').map((name) => [name, '1']));
    const pattern = { id: 'inverted', text: 'It is always the inverse.' };
    const [finding] = verdictFindings(view({ result: { ...different, clocks: [], mismatch: { ...mismatch, inputs, differing: ['q', 'r', 's'], pattern } } }));
    assert.equal(
      finding?.message,
      "q differs from gold: expected 8'h3f, got 8'h00. r, s differ too. It is always the inverse.\nInputs: a=1, b=1, c=1, d=1, e=1, f=1 and 4 more.",
    );
  });

  it('link the likeliest causes, as long as the text is the verified one', () => {
    const suspects = ['a', 'b', 'c', 'd'].map((text, line) => ({ file: '/rtl/dut.v', span: { start: line, end: line + 1 }, line, character: 0, text, score: 1 }));
    const withSuspects = { ...different, mismatch: { ...mismatch, suspects } };
    const related = (stale: boolean): string[] => verdictFindings(view({ result: withSuspects, stale }))[0]?.related.map(({ message }) => message) ?? [];
    assert.deepEqual(related(false), ["gold drives 8'h3f here", 'possible cause: a', 'possible cause: b', 'possible cause: c']);
    assert.equal(related(true).filter((message) => message.startsWith('possible cause')).length, 0);
  });

  it('find a port by its name where the place is not recorded', () => {
    const [finding] = verdictFindings(view({ result: { ...different, mismatch: { ...mismatch, dut: undefined, golden: undefined } } }));
    assert.deepEqual(finding?.place, { kind: 'span', span: { start: 200, end: 201 } });
    assert.deepEqual(finding.related[0]?.span, { start: 100, end: 101 });
  });

  it('become quiet and follow the port when they are stale, and go with it', () => {
    const [finding] = verdictFindings(view({ stale: true }));
    assert.equal(finding?.severity, 'information');
    assert.match(finding.message, /^Stale, edited since: q differs from gold/);
    assert.deepEqual(finding.place, { kind: 'span', span: { start: 200, end: 201 } });
    assert.deepEqual(verdictFindings(view({ stale: true, dut: module('/rtl/dut.v:dut(out r)') })), []);
    assert.deepEqual(verdictFindings(view({ stale: true, dut: undefined })), []);
  });

  it('mark the ports that do not fit, and the name of the module for one that is missing', () => {
    const issue = { kind: 'width', port: 'q', message: 'Port q has 4 bits, not 8.', dut: mismatch.dut, golden: mismatch.golden } as const;
    const missing = { kind: 'missing-in-dut', port: 'full', message: 'Port full is missing.', dut: undefined, golden: undefined } as const;
    const findings = verdictFindings(view({ result: result({ verdict: 'interface-mismatch', interfaceIssues: [issue, missing] }) }));
    assert.deepEqual(
      findings.map(({ code, message, place }) => [code, message, place.kind === 'span' && place.span.start]),
      [
        ['interface-width', 'Port q has 4 bits, not 8.', 40],
        ['interface-missing-in-dut', 'Port full is missing.', 17],
      ],
    );
    assert.equal(findings[0]?.related[0]?.message, 'port q of gold');
  });

  it('put problems of the sources at their place as long as the text is the same', () => {
    const problems = [
      { side: 'golden', file: '/golden/gold.v', line: 4, character: 2, message: 'syntax error' },
      { side: 'dut', file: '/rtl/dut.v', line: undefined, character: undefined, message: 'no such module' },
    ] as const;
    const failed = result({ verdict: 'bad-input', problems });
    assert.deepEqual(
      verdictFindings(view({ result: failed })).map(({ file, place, code, message }) => [file, place, code, message]),
      [
        ['/golden/gold.v', { kind: 'position', position: { line: 4, character: 2 } }, 'golden-problem', 'syntax error'],
        ['/rtl/dut.v', { kind: 'position', position: { line: 0, character: 0 } }, 'dut-problem', 'no such module'],
      ],
    );
    assert.deepEqual(verdictFindings(view({ result: failed, stale: true })), []);
    const [limit] = verdictFindings(view({ result: result({ verdict: 'tool-error', problems }) }));
    assert.deepEqual([limit?.severity, limit?.message], ['information', 'Limit of a tool: syntax error'], 'nothing against the source');
  });
});
