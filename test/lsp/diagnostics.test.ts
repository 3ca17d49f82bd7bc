import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Editor } from './harness.ts';

const inverter = `module inverter (input wire a, output wire y);
  assign y = ~a;
endmodule
`;

describe('syntax diagnostics', () => {
  it('appear and vanish while typing, tagged with the version they are about', async () => {
    await using editor = await Editor.start({ files: {} });
    await editor.open('inverter.v', inverter);
    await editor.edit('inverter.v', '~a;', '~a');
    await editor.until(() => editor.diagnosticsOf('inverter.v').length === 1, 'the missing semicolon');
    const published = editor.diagnostics.get(editor.uri('inverter.v'));
    assert.equal(published?.version, 2);
    assert.equal(published.diagnostics[0]?.source, 'RTL Copilot');
    assert.equal(published.diagnostics[0].severity, 1);
    assert.equal(published.diagnostics[0].range.start.line, 1);

    await editor.edit('inverter.v', '~a', '~a;');
    await editor.until(() => editor.diagnosticsOf('inverter.v').length === 0, 'it to vanish');
    assert.equal(editor.diagnostics.get(editor.uri('inverter.v'))?.version, 3);
  });

  it('tell a macro that is used wrongly once, and not the hole that it leaves', async () => {
    await using editor = await Editor.start({ files: {} });
    await editor.open('m.v', '`define A `B\n`define B `A + `A\n`define C(x) x\nmodule m;\n  wire y = `A;\n  wire z = `C;\nendmodule\n');
    await editor.until(() => editor.diagnosticsOf('m.v').length > 0, 'the diagnostics');
    assert.deepEqual(editor.diagnosticsOf('m.v').map(({ range }) => range.start.line), [4, 5]);
  });

  it('are right after any sequence of edits, as if the text were parsed anew', async () => {
    await using editor = await Editor.start({ files: {} });
    await editor.open('a.v', inverter);
    await editor.open('b.v', '');
    await editor.edit('a.v', 'assign y = ~a;', 'always @* begin\n    if (a) y = 0\n  end');
    await editor.edit('a.v', 'if (a)', 'if (a &&& 1)\n\n');
    await editor.edit('a.v', 'wire y', 'reg y');
    await editor.edit('a.v', ' &&& 1)\n', ')');
    await editor.until(() => editor.diagnostics.get(editor.uri('a.v'))?.version === 5, 'the last version');
    const incremental = editor.problemsOf('a.v');
    assert.equal(incremental.length, 1);
    await editor.edit('b.v', '', inverter.replace('assign y = ~a;', 'always @* begin\n    if (a)\n y = 0\n  end').replace('wire y', 'reg y'));
    await editor.until(() => editor.diagnosticsOf('b.v').length > 0, 'the fresh document');
    assert.deepEqual(editor.problemsOf('b.v'), incremental);
  });

  it('of a burst of key presses are published once, for the last of them', async () => {
    await using editor = await Editor.start({ files: {}, settings: { 'diagnostics.delay': 100 } });
    await editor.open('inverter.v', inverter);
    let before = '~a;';
    for (const after of ['~', '~a', '~a ', '~a &', '~a &&']) {
      await editor.edit('inverter.v', before, after);
      before = after;
    }
    await editor.until(() => editor.diagnosticsOf('inverter.v').length > 0, 'the diagnostics');
    assert.deepEqual(
      editor.publications.map(({ version }) => version),
      [6],
    );
  });

  it('leave out what is just being typed, whatever else is asked meanwhile', async () => {
    await using editor = await Editor.start({ files: {}, settings: { 'diagnostics.delay': 400 } });
    await editor.open('inverter.v', inverter);
    await editor.edit('inverter.v', '~a;', '~a & ');
    assert.equal((await editor.lenses('inverter.v')).length, 1);
    // Longer than the pause in typing, and shorter than until what looks unfinished is taken for a mistake.
    await setTimeout(800);
    await editor.edit('inverter.v', '~a & ', '~a & a;');
    await editor.edit('inverter.v', 'endmodule', 'endmodul');
    await editor.until(() => editor.publications.length > 0, 'the mistake');
    assert.deepEqual(editor.publications.map(({ version }) => version), [4]);
  });

  it('are withdrawn when the document closes and when they are switched off', async () => {
    await using editor = await Editor.start({ files: {} });
    await editor.open('bad.v', 'module m(; endmodule\n');
    await editor.until(() => editor.diagnosticsOf('bad.v').length > 0, 'the diagnostics');
    await editor.setSettings({ 'diagnostics.enable': false });
    await editor.until(() => editor.diagnosticsOf('bad.v').length === 0, 'them to be switched off');
    await editor.setSettings({ 'diagnostics.enable': true });
    await editor.until(() => editor.diagnosticsOf('bad.v').length > 0, 'them to be switched on');
    await editor.close('bad.v');
    await editor.until(() => editor.diagnosticsOf('bad.v').length === 0, 'them to be withdrawn');
  });

  it('know the macros and headers of the project, and follow an edit of a header that is open', async () => {
    const files = { 'include/width.vh': '`define WIDTH 8\n`define DECLARE output [`WIDTH-1:0] y\n' };
    const user = '`include "width.vh"\nmodule m (`DECLARE);\n  assign y = `VALUE;\nendmodule\n';
    await using editor = await Editor.start({ files, settings: { includeDirs: ['include'], defines: { VALUE: '3' } } });
    await editor.open('m.v', user);
    await editor.open('include/width.vh', files['include/width.vh']);
    await editor.edit('include/width.vh', 'output', 'output output');
    await editor.until(() => editor.diagnosticsOf('m.v').length > 0 || editor.diagnosticsOf('include/width.vh').length > 0, 'the error through the header');
    await editor.edit('include/width.vh', 'output output', 'output');
    await editor.until(() => editor.diagnosticsOf('m.v').length === 0 && editor.diagnosticsOf('include/width.vh').length === 0, 'it to vanish');
  });

  it('of a wrong setting: the default is used and the user is told once', async () => {
    await using editor = await Editor.start({ files: {}, settings: { 'verify.seed': -1 } });
    await editor.setSettings({ 'verify.prove': false });
    await editor.open('inverter.v', inverter);
    assert.deepEqual(await editor.lenses('inverter.v'), ['0: Select reference…']);
    assert.deepEqual(editor.messages, ['The setting rtlCopilot.verify.seed must be a whole number from 0 to 4294967295; its default is used instead.']);
  });

  it('come with what conditionals leave out, until they no longer do', async () => {
    await using editor = await Editor.start({ files: {} });
    await editor.open('m.v', '`ifdef A\n  old\n`else\nmodule m; endmodule\n`endif\n');
    const lines = (): number[] | undefined => editor.inactive.get(editor.uri('m.v'))?.map(({ start }) => start.line);
    await editor.until(() => lines()?.join() === '0', 'the branch');
    await editor.edit('m.v', '`ifdef A', '`ifndef A');
    await editor.until(() => lines()?.join() === '2', 'the other branch');
    await editor.edit('m.v', '`else\nmodule m; endmodule\n', '');
    await editor.until(() => lines()?.length === 0, 'nothing to dim');
  });
});
