import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { FileChangeType } from 'vscode-languageserver';
import type { WorkspaceEdit } from 'vscode-languageserver';
import { silentLogger } from '../../server/src/base/logger.ts';
import { createCore } from '../../server/src/core.ts';
import type { Core } from '../../server/src/core.ts';
import { methods } from '../../server/src/protocol.ts';
import { Editor } from './harness.ts';

const files = {
  'sim/design.f': '+incdir+../inc\n+define+WIDTH=4\n-f nested.f\n../rtl/top.sv\n',
  'sim/nested.f': '../obj_dir/generated.sv\n-y ../lib\n',
  'inc/types.svh': '`define TYPE logic [`WIDTH-1:0]\n',
  'rtl/top.sv': '',
  'obj_dir/generated.sv': 'module generated; endmodule\n',
  'lib/cell_a.v': 'module cell_a; endmodule\n',
};
const top = '`include "types.svh"\nmodule top (input `TYPE a);\n`ifdef EXTRA\n  wire b\n`endif\nendmodule\n';
const settings = { filelists: ['sim/design.f'], rules: { unused: 'off', 'missing-default-nettype': 'off' } };

describe('a file list', () => {
  it('gives the defines, the include folders and the files that are outside of the search', async () => {
    await using editor = await Editor.start({ files, settings });
    await editor.open('rtl/top.sv', top);
    await editor.until(() => editor.statuses.at(-1)?.modules === 3, 'three modules');
    assert.deepEqual(editor.problemsOf('rtl/top.sv'), []);
    await editor.save('sim/design.f', files['sim/design.f'].replace('WIDTH=4', 'WIDTH=4+EXTRA'), FileChangeType.Changed);
    await editor.until(() => editor.problemsOf('rtl/top.sv').some((problem) => /Missing ';'/.test(problem)), 'the branch that is active now');
  });

  it('is one compilation unit: a macro of an earlier file is there in a later one, as both are edited', async () => {
    const texts = { 'first.sv': '`define NET(name) wire name;\n', 'second.sv': 'module second;\n  `NET(a)\n`ifdef EXTRA\n  wire b\n`endif\nendmodule\n' };
    await using editor = await Editor.start({ files: { ...texts, 'all.f': 'first.sv\nsecond.sv\n', 'other.sv': '' }, settings: { ...settings, filelists: ['all.f'] } });
    await editor.open('second.sv', texts['second.sv']);
    await editor.open('first.sv', texts['first.sv']);
    await editor.open('other.sv', texts['second.sv'].replaceAll('second', 'other'));
    await editor.edit('first.sv', 'wire name;\n', 'wire name;\n`define EXTRA\n');
    await editor.until(() => editor.problemsOf('second.sv').some((problem) => /Missing ';'/.test(problem)), 'the branch that is active now');
    assert.ok(!editor.problemsOf('other.sv').some((problem) => /Missing ';'/.test(problem)), 'a file outside of the list');
    await editor.edit('first.sv', '`define EXTRA', '');
    await editor.until(() => !editor.problemsOf('second.sv').some((problem) => /Missing ';'/.test(problem)), 'the branch to be left out again');
  });

  it('what another request had read anew of a file is shown, too', async () => {
    const texts = { 'first.sv': 'module first;\nendmodule\n', 'second.sv': 'module m;\n`ifdef EXTRA\n  wire b\n`endif\nendmodule\n' };
    await using editor = await Editor.start({ files: { ...texts, 'all.f': 'first.sv\nsecond.sv\n' }, settings: { ...settings, filelists: ['all.f'] } });
    for (const [name, text] of Object.entries(texts)) await editor.open(name, text);
    await editor.until(() => editor.inactive.get(editor.uri('second.sv'))?.length === 1, 'the branch that is left out');
    // Opening counts as a change, whose pause is over then.
    await setTimeout(200);
    await editor.edit('first.sv', ';\n', ';\n`define EXTRA\n');
    await editor.lenses('second.sv');
    await editor.until(() => editor.problemsOf('second.sv').some((problem) => /Missing ';'/.test(problem)), 'the branch that is active now');
  });

  it('what a file takes from others that change while it is read slowly is read once more', async () => {
    const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '', verilator: '' } });
    let isHeld = true;
    const isSlow = (file: string): boolean => file.endsWith('second.sv') || file.endsWith('third.sv');
    const slow: Pick<Core, 'parse' | 'parseInSteps'> = {
      parse: (request) => (request.deadlineMs !== undefined && isSlow(request.file) ? undefined : core.parse(request)),
      *parseInSteps(request) {
        while (isHeld && isSlow(request.file)) yield;
        return yield* core.parseInSteps(request);
      },
    };
    const extra = 'module m;\n`ifdef EXTRA\n  wire b\n`endif\nendmodule\n';
    const texts = { 'first.sv': 'module first;\nendmodule\n', 'second.sv': extra, 'defines.svh': 'module inner;\nendmodule\n', 'third.sv': '`include "defines.svh"\n' + extra };
    await using editor = await Editor.start({ files: { ...texts, 'all.f': 'first.sv\nsecond.sv\n' }, settings: { ...settings, filelists: ['all.f'] }, core: slow });
    for (const [name, text] of Object.entries(texts)) await editor.open(name, text);
    for (const name of ['first.sv', 'defines.svh']) await editor.edit(name, ';\n', ';\n`define EXTRA\nwire\n');
    await editor.until(() => ['first.sv', 'defines.svh'].every((name) => editor.problemsOf(name).length > 0), 'the edits to be looked at');
    isHeld = false;
    await editor.until(() => ['second.sv', 'third.sv'].every((name) => editor.problemsOf(name).some((problem) => /Missing ';'/.test(problem))), 'the branches that are active now');
  });

  it('headers that include each other are brought up to date together', async () => {
    const header = (name: string, other: string): string => `\`ifndef ${name}\n\`define ${name}\n\`include "${other}.svh"\nwire ${name};\n\`endif\n`;
    await using editor = await Editor.start({ files: { 'a.svh': header('a', 'b'), 'b.svh': header('b', 'a') }, settings });
    await editor.open('a.svh', header('a', 'b'));
    await editor.open('b.svh', header('b', 'a'));
    await editor.edit('a.svh', 'wire a;', 'wire [;');
    await editor.until(() => editor.problemsOf('a.svh').length > 0, 'the mistake');
  });

  it('that cannot be read is told at its place', async () => {
    await using editor = await Editor.start({ files: { ...files, 'sim/nested.f': '-f design.f\n' }, settings });
    await editor.until(() => editor.diagnosticsOf('sim/nested.f').length === 1, 'the message');
    assert.match(editor.problemsOf('sim/nested.f')[0] ?? '', /^0:0-.* 1 The file list includes itself/);
  });
});

it('what was found is kept in the folder that the editor gives', async () => {
  await using first = await Editor.start({ files, settings, storage: 'storage' });
  await first.until(() => first.statuses.at(-1)?.modules === 2, 'the modules');
  await first.until(() => first.statuses.at(-1)?.state === 'ready', 'the search to end');
  const [name] = await readdir(join(first.root, 'storage'));
  assert.match(name ?? '', /^index-\w+\.json$/);
});

it('a long search is shown, and when the user ends it, nothing is renamed as if all files were known', async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`rtl/m${at}.v`, `module m${at}; endmodule\n`]));
  let isSlow = false;
  const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '', verilator: '' } });
  const parse: Core['parse'] = (request) => {
    for (const end = performance.now() + (isSlow ? 50 : 0); performance.now() < end; );
    return core.parse(request);
  };
  await using editor = await Editor.start({ files: many, settings, core: { parse } });
  await editor.open('rtl/m0.v', many['rtl/m0.v'] ?? '');
  const rename = (): Promise<WorkspaceEdit> => editor.ask<WorkspaceEdit>('textDocument/rename', 'rtl/m0.v', 'module m$0', { newName: 'n' });
  assert.equal(Object.keys((await rename()).changes ?? {}).length, 1);
  isSlow = true;
  await editor.save('all.f', '', FileChangeType.Created);
  await editor.until(() => editor.progresses.length === 1, 'the progress');
  assert.deepEqual(editor.progresses.map(({ title, cancellable }) => [title, cancellable]), [['Looking for modules', true]]);
  await editor.cancelProgress(editor.progresses[0]?.token ?? '');
  await editor.until(() => editor.progresses[0]?.done === true && editor.statuses.at(-1)?.state === 'ready', 'the end of the search');
  await assert.rejects(rename(), /Not all files/);
  isSlow = false;
  await editor.save('all.f', '', FileChangeType.Changed);
  await editor.until(() => editor.statuses.at(-1)?.state === 'indexing', 'another search');
  await editor.until(() => editor.statuses.at(-1)?.state === 'ready', 'its end');
  assert.equal(Object.keys((await rename()).changes ?? {}).length, 1);
});

describe('Doctor', () => {
  it('tells how a file is seen: defines and where they come from, include folders, lists, index, tools', async () => {
    await using editor = await Editor.start({ files: { ...files, 'rtl/twice.sv': 'module cell_a; endmodule\n' }, settings });
    await editor.open('rtl/top.sv', top.replace('endmodule', '  cell_a u ();\nendmodule'));
    await editor.until(() => editor.statuses.at(-1)?.modules === 4, 'the modules');
    const { text } = await editor.request(methods.doctor, { uri: editor.uri('rtl/top.sv') });
    assert.match(text ?? '', /WIDTH.*sim\/design\.f/);
    assert.match(text ?? '', /inc/);
    assert.match(text ?? '', /cell_a.*lib\/cell_a\.v.*rtl\/twice\.sv|cell_a.*rtl\/twice\.sv.*lib\/cell_a\.v/);
  });
});

describe('the search for modules', () => {
  const module = (name: string): string => `module ${name}; endmodule\n`;
  const modules = (editor: Editor): number | undefined => editor.statuses.at(-1)?.modules;

  it('leaves out hidden folders and those that a setting names, and files that are too large until they are opened', async () => {
    const large = `${module('big')}// ${'x'.repeat(4_000_000)}\n`;
    await using editor = await Editor.start({ files: { 'a.v': module('a'), 'build/b.v': module('b'), 'node_modules/c.v': module('c'), '.git/d.v': module('d'), 'sub/build/e.v': module('e'), 'large.v': large } });
    assert.equal(modules(editor), 3);
    await editor.setSettings({ 'index.exclude': ['build'] });
    await editor.until(() => modules(editor) === 2, 'only a and c');
    await editor.open('large.v', large);
    await editor.until(() => modules(editor) === 3, 'the open one');
  });

  it('ends at the most files that a setting allows, and nothing is said to be missing then', async () => {
    await using editor = await Editor.start({ files: { 'a.v': module('a'), 'b.v': module('b'), 'c.v': module('c') }, settings: { 'index.maxFiles': 2 } });
    assert.equal(modules(editor), 2);
    await editor.open('top.v', 'module top;\n  c u ();\n  wire x\nendmodule\n');
    await editor.until(() => editor.problemsOf('top.v').length > 0, 'the syntax error');
    assert.ok(!editor.problemsOf('top.v').some((problem) => /no module|not found|unknown module/i.test(problem)), editor.problemsOf('top.v').join());
  });

  it('covers every folder of the workspace, each with its own file list; what is in a removed one is unknown', async () => {
    const top = '`ifdef ONE\nmodule top; leaf u (); endmodule\n`else\nmodule other; wire x endmodule\n`endif\n';
    const inFolder = (name: string): Record<string, string> => ({ [`${name}/all.f`]: `+define+${name.toUpperCase()}\ntop.v\nleaf.v\n`, [`${name}/leaf.v`]: module('leaf'), [`${name}/top.v`]: top });
    await using editor = await Editor.start({ files: { ...inFolder('one'), ...inFolder('two'), 'three/extra.v': module('extra') }, folder: ['one', 'two'], settings: { filelists: ['all.f'] } });
    assert.equal(modules(editor), 4);
    await editor.open('one/top.v', top);
    await editor.open('two/top.v', top);
    await editor.until(() => editor.problemsOf('two/top.v').some((problem) => /Missing ';'/.test(problem)), 'the branch of the second folder');
    assert.deepEqual(editor.problemsOf('one/top.v').filter((problem) => /Missing/.test(problem)), []);
    const leaf = async (name: string): Promise<string> => JSON.stringify(await editor.ask('textDocument/definition', name, undefined, { position: { line: 1, character: 12 } }));
    assert.match(await leaf('one/top.v'), /one\/leaf\.v/);
    await editor.changeFolders(['three'], ['two']);
    await editor.until(() => modules(editor) === 4, 'top and leaf of the first, other that is open, extra');
    await editor.close('two/top.v');
    await editor.until(() => modules(editor) === 3, 'the rest');
  });
});
