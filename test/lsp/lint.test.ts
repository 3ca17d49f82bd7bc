import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { findExecutable } from '../../server/src/base/process.ts';
import { Editor } from './harness.ts';

const top = `\`include "width.svh"
module top (input wire [7:0] a, output wire [7:0] y, output wire z);
  inner u (.a(a[\`WIDTH-1:0]), .y(y));
  assign z = a[9];
endmodule
`;
const files = { 'rtl/inner.sv': 'module inner (input wire [3:0] a, output wire [7:0] y);\n  assign y = {a, a};\nendmodule\n', 'rtl/width.svh': '`define WIDTH 4\n', 'rtl/top.sv': '' };

/** Ours would say it first, and then the tool's word is left out. */
const rules = { 'index-out-of-range': 'off' };

for (const tool of ['iverilog', 'verilator'] as const) {
  describe(`${tool} behind the editor`, { skip: findExecutable(tool) === undefined }, () => {
    it('reads what is not saved, with its headers and modules, and leaves nothing behind', async () => {
      await using editor = await Editor.start({ files, settings: { rules, 'lint.tool': tool } });
      await editor.open('rtl/top.sv', top);
      await editor.until(() => editor.diagnosticsOf('rtl/top.sv').length > 0, 'a message about the select');
      const [found] = editor.diagnosticsOf('rtl/top.sv');
      assert.equal(editor.diagnosticsOf('rtl/top.sv').length, 1, JSON.stringify(editor.problemsOf('rtl/top.sv')));
      assert.equal(found?.range.start.line, 3);
      assert.equal(found.range.end.line, 3);
      await editor.edit('rtl/top.sv', 'a[9]', 'a[7]');
      await editor.until(() => editor.diagnosticsOf('rtl/top.sv').length === 0, 'the message to vanish');
      assert.deepEqual((await readdir(editor.path('rtl'))).sort(), ['inner.sv', 'top.sv', 'width.svh']);
      assert.match(editor.statuses.at(-1)?.lint ?? '', /looked over this file\.$/);
    });

    it('knows the macros of earlier files of a list', async () => {
      const listed = { 'all.f': 'first.sv\nlast.sv\n', 'first.sv': '`define WIRE(name) \\\n  wire [3:0] name;\n', 'last.sv': '' };
      await using editor = await Editor.start({ files: listed, settings: { rules, filelists: ['all.f'], 'lint.tool': tool } });
      await editor.open('last.sv', 'module last (output wire y);\n  `WIRE(a)\n  assign a = 0;\n  assign y = a[9];\nendmodule\n');
      await editor.until(() => editor.diagnosticsOf('last.sv').length > 0, 'a message about the select');
      assert.deepEqual(editor.diagnosticsOf('last.sv').map(({ range }) => range.start.line), [3], JSON.stringify(editor.problemsOf('last.sv')));
    });
  });
}

describe('a tool behind the editor', () => {
  it('that is not there is told in the status and nowhere else', async () => {
    await using editor = await Editor.start({ files, settings: { rules, 'lint.tool': 'verilator', 'verilator.path': '/nowhere/verilator' } });
    await editor.open('rtl/top.sv', top);
    await editor.until(() => /was not looked over: There is no program at "\/nowhere\/verilator"/.test(editor.statuses.at(-1)?.lint ?? ''), 'the status');
    assert.deepEqual([editor.messages, editor.diagnosticsOf('rtl/top.sv')], [[], []]);
  });

  it('is not run in a workspace that is not trusted', async () => {
    await using editor = await Editor.start({ files, settings: { rules, 'lint.tool': 'auto' }, trusted: false });
    await editor.open('rtl/top.sv', top);
    await editor.until(() => /not trusted/.test(editor.statuses.at(-1)?.lint ?? ''), 'the status');
  });
});
