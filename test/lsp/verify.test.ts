import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Core } from '../../server/src/core.ts';
import { commands, methods } from '../../server/src/protocol.ts';
import type { VerifyRequest, VerifyResult } from '../../server/src/verification/verdict.ts';
import type { CodeAction } from 'vscode-languageserver-protocol';
import { Editor } from './harness.ts';

const counter = (name: string, step = 1): string => `module ${name} (
  input wire clk,
  input wire rst,
  output reg [3:0] q
);
  always @(posedge clk)
    if (rst) q <= 0;
    else q <= q + ${step};
endmodule
`;

const files = {
  'rtl/counter.v': counter('counter'),
  'golden/counter.v': counter('golden'),
  '.rtl-copilot.json': JSON.stringify({
    schema: 1,
    references: [{ dut: { file: 'rtl/counter.v', module: 'counter' }, golden: { file: 'golden/counter.v', module: 'golden' } }],
  }),
};

function resultOf(request: VerifyRequest, change: Partial<VerifyResult>): VerifyResult {
  const side = ({ file, module }: VerifyRequest['dut']) => ({ file, module });
  return {
    schema: 1,
    verdict: 'no-difference',
    reason: 'No difference was found.',
    dut: side(request.dut),
    golden: side(request.golden),
    engines: [{ name: 'iverilog', version: '12.0', role: 'simulation' }],
    clocks: [{ port: 'clk', bit: undefined, edges: ['posedge'] }],
    resets: [],
    evidence: { comparisons: 12_000, steps: 6000, cycles: 6000, exhaustive: false, observedOutputBits: 1, seed: 1 },
    mismatch: undefined,
    witness: [],
    interfaceIssues: [],
    problems: [],
    notes: [],
    elapsedMs: 12,
    artefacts: { testbench: undefined, vcd: undefined, caseFile: undefined },
    ...change,
  };
}

const simulatorThere: Pick<Core, 'missingSimulator'> = { missingSimulator: () => Promise.resolve(undefined) };

/** A core whose verifications answer with this verdict. */
function answering(change: Partial<VerifyResult>): Partial<Core> {
  return { ...simulatorThere, verify: (request) => Promise.resolve(resultOf(request, change)) };
}

describe('verification in the editor, with the real tools', () => {
  it('finds a broken module different at its port, and a mended but unsaved one good', async () => {
    await using editor = await Editor.start({ files, settings: { 'verify.prove': false } });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    await editor.edit('rtl/counter.v', 'q + 1', 'q + 2');
    const dut = editor.target('rtl/counter.v', 'counter');
    const bad = await editor.request(methods.verify, dut);
    assert.equal(bad.kind, 'verdict');
    assert.equal(bad.verdict, 'different');
    const lenses = await editor.lenses('rtl/counter.v');
    assert.equal(lenses[0], '0: Verify against golden');
    assert.match(lenses[1] ?? '', /^0: ✗ Different: q/);
    const [text = ''] = editor.problemsOf('rtl/counter.v');
    assert.match(text, /^3:19-3:20 1 q differs from golden.*: expected 4'b\d{4}, got 4'b\d{4}\.\s.*rst=/s);
    const [related] = editor.diagnosticsOf('rtl/counter.v')[0]?.relatedInformation ?? [];
    assert.equal(related?.location.uri, editor.uri('golden/counter.v'));
    assert.deepEqual(related.location.range, { start: { line: 3, character: 19 }, end: { line: 3, character: 20 } });
    const report = await editor.request(methods.verdictReport, dut);
    assert.match(report.text ?? '', /## Counterexample\n\n(?:The last .*\n\n)?\| cycle \| sample \|/);

    const actionsAt = (line: number, character: number): Promise<CodeAction[]> =>
      editor.ask('textDocument/codeAction', 'rtl/counter.v', undefined, { range: { start: { line, character }, end: { line, character } }, context: { diagnostics: editor.diagnosticsOf('rtl/counter.v') } });
    const [search] = await actionsAt(3, 19);
    assert.equal(search?.title, 'Look for a small change that makes counter right');
    assert.deepEqual([search.command?.command, search.command?.arguments], [commands.findFix, [dut]]);
    assert.ok((await actionsAt(7, 15)).every(({ title }) => !title.includes('small change')));

    const found = await editor.request(methods.findFix, dut);
    assert.equal(found.kind, 'found');
    assert.equal(found.fix.message, 'counter is right with one change in rtl/counter.v:8: q <= q + 2  →  q <= q + 1  (then no difference is found).');
    assert.deepEqual([found.fix.uri, found.fix.newText, found.fix.range.start.line], [editor.uri('rtl/counter.v'), '1', 7]);
    for (const [line, character] of [[3, 19], [7, 0]] as const) {
      const [change] = await actionsAt(line, character);
      assert.equal(change?.title, "Change to 'q <= q + 1' (then no difference is found)");
      assert.deepEqual(change.edit?.documentChanges, [{ textDocument: { uri: editor.uri('rtl/counter.v'), version: found.fix.version }, edits: [{ range: found.fix.range, newText: '1' }] }]);
    }
    const told = editor.diagnosticsOf('rtl/counter.v')[0]?.relatedInformation?.at(-1);
    assert.match(told?.message ?? '', /^with this change it is right: q <= q \+ 2 /);

    await editor.edit('rtl/counter.v', 'q + 2', 'q + 1');
    assert.ok((await actionsAt(7, 0)).every(({ title }) => !title.startsWith('Change to')), 'an edited text is offered a change of the old one');
    const nothing = await editor.request(methods.findFix, dut);
    assert.equal(nothing.kind === 'none' && nothing.message.startsWith('There is nothing to change: No difference '), true, JSON.stringify(nothing));
    const good = await editor.request(methods.verify, dut);
    assert.equal(good.kind, 'verdict');
    // Where no simulator is installed, the embedded engine decides by a proof.
    const expected = good.verdict === 'equivalent' ? /^0: ✓ Equivalent \(proved\)$/ : /^0: ✓ No difference in [\d,]+ comparisons$/;
    assert.ok(['no-difference', 'equivalent'].includes(good.verdict), good.reason);
    assert.match((await editor.lenses('rtl/counter.v'))[1] ?? '', expected);
    assert.deepEqual(editor.problemsOf('rtl/counter.v'), []);
  });

  it('decides with the embedded engine alone', async () => {
    await using editor = await Editor.start({ files, settings: { 'verify.engine': 'yosys-wasm', 'verify.timeout': 60 } });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    const dut = editor.target('rtl/counter.v', 'counter');
    await editor.request(methods.verify, dut);
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Verify against golden', '0: ✓ Equivalent (proved)']);
    await editor.edit('rtl/counter.v', 'q + 1', 'q + 2');
    const bad = await editor.request(methods.verify, dut);
    assert.equal(bad.kind === 'verdict' && bad.verdict, 'different');
    assert.match(editor.problemsOf('rtl/counter.v').join(), /^3:19-3:20 1 q differs from golden/);
    assert.match((await editor.request(methods.verdictReport, dut)).text ?? '', /yosys-wasm/);
  });
});

describe('verdicts in the editor', () => {
  it('become stale by an edit of either side or of a header, and fresh when it is taken back', async () => {
    const withHeader = { ...files, 'golden/step.vh': '`define STEP 1\n', 'golden/counter.v': `\`include "step.vh"\n${counter('golden').replace('+ 1', '+ `STEP')}` };
    await using editor = await Editor.start({ files: withHeader, core: answering({}) });
    const verdict = '0: ✓ No difference in 12,000 comparisons';
    const stale = '0: Stale: edited since (was ✓ No difference in 12,000 comparisons)';
    const second = async (): Promise<string | undefined> => (await editor.lenses('rtl/counter.v'))[1];
    await editor.open('rtl/counter.v', withHeader['rtl/counter.v']);
    await editor.request(methods.verify, editor.target('rtl/counter.v', 'counter'));
    assert.equal(await second(), verdict);
    await editor.edit('rtl/counter.v', 'q + 1', 'q + 2');
    assert.equal(await second(), stale);
    await editor.edit('rtl/counter.v', 'q + 2', 'q + 1');
    assert.equal(await second(), verdict);
    await editor.open('golden/counter.v', withHeader['golden/counter.v']);
    await editor.edit('golden/counter.v', 'q <= 0', 'q <= 1');
    assert.equal(await second(), stale);
    await editor.close('golden/counter.v');
    assert.equal(await second(), verdict);
    await editor.save('golden/step.vh', '`define STEP 2\n', 2);
    await editor.until(() => editor.statuses.at(-1)?.last?.stale === true, 'the status to say stale');
    assert.equal(await second(), stale);
    await editor.setSettings({ defines: { X: '1' } });
    assert.equal(await second(), stale);
  });

  it('that are stale keep their evidence as quiet information at the port as it stands now', async () => {
    await using editor = await Editor.start({ files, settings: { 'verify.prove': false, defines: {} } });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    await editor.edit('rtl/counter.v', 'q + 1', 'q + 2');
    await editor.request(methods.verify, editor.target('rtl/counter.v', 'counter'));
    await editor.edit('rtl/counter.v', 'input wire rst', '// a new line\n  input wire rst');
    await editor.until(() => editor.diagnosticsOf('rtl/counter.v')[0]?.severity === 3, 'the quiet information');
    assert.match(editor.problemsOf('rtl/counter.v').join(), /^4:19-4:20 3 Stale, edited since: q differs from golden/);
    await editor.edit('rtl/counter.v', 'reg [3:0] q', 'reg [3:0] r');
    await editor.until(() => editor.diagnosticsOf('rtl/counter.v').length === 0, 'it to go with its port');
  });

  it('that could not be reached show the problems of the sources at their place', async () => {
    const problem = { side: 'golden', line: 5, character: 2, message: 'syntax error' } as const;
    const core: Partial<Core> = {
      ...simulatorThere,
      verify: (request) => Promise.resolve(resultOf(request, { verdict: 'bad-input', problems: [{ ...problem, file: request.golden.file }] })),
    };
    await using editor = await Editor.start({ files, core });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    await editor.request(methods.verify, editor.target('rtl/counter.v', 'counter'));
    assert.deepEqual(editor.problemsOf('golden/counter.v'), ['5:2-5:8 1 syntax error']);
    assert.equal((await editor.lenses('rtl/counter.v'))[1], '0: No verdict: problem in the sources');
    await editor.request(methods.clearReference, editor.target('rtl/counter.v', 'counter'));
    assert.deepEqual(editor.problemsOf('golden/counter.v'), []);
  });

  it('of another golden are not shown', async () => {
    await using editor = await Editor.start({ files: { ...files, 'golden/other.v': counter('other') }, core: answering({ verdict: 'equivalent' }) });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    const dut = editor.target('rtl/counter.v', 'counter');
    await editor.request(methods.verify, dut);
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Verify against golden', '0: ✓ Equivalent (proved)']);
    await editor.request(methods.selectReference, { dut, golden: editor.target('golden/other.v', 'other') });
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Verify against other']);
  });
});

describe('what a verification is asked for', () => {
  it('is the unsaved text of both sides, with the libraries nearest to each and the settings', async () => {
    const requests: VerifyRequest[] = [];
    const core: Partial<Core> = {
      ...simulatorThere,
      verify: (request) => {
        requests.push(request);
        return Promise.resolve(resultOf(request, {}));
      },
    };
    const user = (name: string): string => `module ${name}(input a, output y); sub s(.a(a), .y(y)); endmodule\n`;
    const sub = 'module sub(input a, output y); assign y = a; endmodule\n';
    const reference = { dut: { file: 'rtl/top.v', module: 'top' }, golden: { file: 'golden/top.v', module: 'top' } };
    await using editor = await Editor.start({
      files: {
        'rtl/top.v': user('top'),
        'rtl/lib/sub.v': sub,
        'golden/top.v': user('top'),
        'golden/sub.v': sub,
        '.rtl-copilot.json': JSON.stringify({ schema: 1, references: [reference] }),
      },
      settings: { 'verify.cycles': 77, 'verify.seed': 5, 'verify.timeout': 9, 'verify.engine': 'yosys', 'verify.unknowns': 'strict', includeDirs: ['inc'], defines: { A: '1' } },
      core,
    });
    await editor.open('rtl/top.v', `// unsaved\n${user('top')}`);
    await editor.open('golden/top.v', `// unsaved golden\n${user('top')}`);
    await editor.request(methods.verify, editor.target('rtl/top.v', 'top'));
    assert.deepEqual(requests, [
      {
        dut: {
          file: editor.path('rtl/top.v'),
          module: 'top',
          text: `// unsaved\n${user('top')}`,
          libraryFiles: [editor.path('rtl/lib/sub.v')],
          includeDirs: [editor.path('inc')],
          defines: { A: '1' },
        },
        golden: {
          file: editor.path('golden/top.v'),
          module: 'top',
          text: `// unsaved golden\n${user('top')}`,
          libraryFiles: [editor.path('golden/sub.v')],
          includeDirs: [editor.path('inc')],
          defines: { A: '1' },
        },
        options: { clocks: [], resets: [], cycles: 77, seed: 5, timeoutMs: 9000, engine: 'yosys', prove: true, unknowns: 'strict' },
      },
    ]);
  });
});

describe('a running verification', () => {
  /** A core whose verifications run until they are aborted, or are let go. */
  function waiting() {
    const runs: { signal: AbortSignal; finish: () => void }[] = [];
    const core: Partial<Core> = {
      ...simulatorThere,
      verify: (request, { signal, progress }) =>
        new Promise((resolve) => {
          assert.ok(signal);
          progress?.({ stage: 'Simulating', share: 0.25 });
          signal.addEventListener('abort', () => resolve(resultOf(request, { verdict: 'cancelled' })));
          runs.push({ signal, finish: () => resolve(resultOf(request, {})) });
        }),
    };
    return { runs, core };
  }

  it('is shown, can be cancelled, and then leaves no verdict', async () => {
    const { runs, core } = waiting();
    await using editor = await Editor.start({ files, core });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    const answer = editor.request(methods.verify, editor.target('rtl/counter.v', 'counter'));
    await editor.until(() => editor.progresses.length === 1, 'the progress');
    const [progress] = editor.progresses;
    assert.ok(progress);
    assert.equal(progress.title, 'Verifying counter against golden');
    assert.ok(progress.cancellable);
    assert.equal(editor.statuses.at(-1)?.state, 'verifying');
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Verifying against golden…']);
    await editor.cancelProgress(progress.token);
    assert.deepEqual(await answer, { kind: 'verdict', verdict: 'cancelled', label: 'Cancelled: no verdict', reason: 'No difference was found.' });
    assert.ok(runs[0]?.signal.aborted);
    await editor.until(() => progress.done && editor.statuses.at(-1)?.state === 'ready', 'the end of it');
    assert.deepEqual(await editor.lenses('rtl/counter.v'), ['0: Verify against golden']);
  });

  it('gives way to a newer one of the same module', async () => {
    const { runs, core } = waiting();
    await using editor = await Editor.start({ files, core });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    const dut = editor.target('rtl/counter.v', 'counter');
    const first = editor.request(methods.verify, dut);
    await editor.until(() => runs.length === 1, 'the first run');
    const second = editor.request(methods.verify, dut);
    assert.deepEqual(await first, { kind: 'superseded' });
    assert.ok(runs[0]?.signal.aborted);
    await editor.until(() => runs.length === 2, 'the second run');
    runs[1]?.finish();
    assert.equal((await second).kind, 'verdict');
    assert.equal((await editor.lenses('rtl/counter.v')).length, 2);
  });

  it('is not started in a workspace that is not trusted', async () => {
    const { runs, core } = waiting();
    await using editor = await Editor.start({ files, core, trusted: false });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    const answer = await editor.request(methods.verify, editor.target('rtl/counter.v', 'counter'));
    assert.equal(answer.kind, 'refused');
    assert.match(answer.message, /Trust this workspace/);
    assert.equal(runs.length, 0);
    const { text } = await editor.request(methods.doctor, {});
    assert.match(text ?? '', /not trusted/);
    assert.doesNotMatch(text ?? '', /## Tools/);
  });
});

describe('a missing simulator', () => {
  const missing: Partial<Core> = {
    ...answering({ engines: [{ name: 'yosys-wasm', version: '0.55', role: 'proof' }], verdict: 'equivalent' }),
    missingSimulator: () => Promise.resolve({ reason: 'Icarus Verilog was not found on PATH.', install: 'sudo apt-get install iverilog' }),
  };

  it('is told once, with the command that installs it', async () => {
    await using editor = await Editor.start({ files, core: missing });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    const dut = editor.target('rtl/counter.v', 'counter');
    await editor.request(methods.verify, dut);
    await editor.request(methods.verify, dut);
    assert.equal(editor.missingSimulator.length, 1);
    assert.equal(editor.missingSimulator[0]?.installCommand, 'sudo apt-get install iverilog');
    assert.match(editor.missingSimulator[0].message, /^Icarus Verilog was not found on PATH\. Until then another engine decides/);
  });

  it('is no matter for one who chose another engine', async () => {
    await using editor = await Editor.start({ files, core: missing, settings: { 'verify.engine': 'yosys-wasm' } });
    await editor.open('rtl/counter.v', files['rtl/counter.v']);
    await editor.request(methods.verify, editor.target('rtl/counter.v', 'counter'));
    assert.deepEqual(editor.missingSimulator, []);
  });
});
