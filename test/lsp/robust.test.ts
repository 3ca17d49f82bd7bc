import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { FileChangeType, ResponseError } from 'vscode-languageserver/node';
import type { Position } from 'vscode-languageserver';
import { methods } from '../../server/src/protocol.ts';
import { randomFrom } from '../unit/syntax/mistakes.ts';
import { Editor } from './harness.ts';

const header = '`ifndef H\n`define H\n`define W 8\n`define REG(n) logic [`W-1:0] n, n``_q;\n`include "h.svh"\n`endif\n';
const texts: Readonly<Record<string, string>> = {
  'inc/h.svh': header,
  'rtl/p.sv': 'package p;\n  typedef struct packed { logic [3:0] a; struct packed { logic lo; } in; } s_t;\n  typedef enum { A, B } e_t;\n  function automatic int f(input int x, y = 1);\n    for (int i = 0; i < x; i++) f = f + i;\n  endfunction\nendpackage\n',
  'rtl/sub.sv': '`include "h.svh"\n// Größe 😀 of it\nmodule sub import p::*; #(parameter W = `W) (input logic clk, input s_t d, output logic [W-1:0] q, bus.m b\n`ifdef X\n, output x\n`endif\n);\n  `REG(r)\n  always_ff @(posedge clk) begin : blk\n    r <= f(d.a, .y(2)); /* 😀 */ q <= r;\n  end\n  for (genvar g = 0; g < 2; g++) begin : l\n    wire r = d.in.lo;\n  end\nendmodule : sub\ninterface bus(input clk); logic v; modport m(input v); clocking c @(posedge clk); input v; endclocking endinterface\n',
  'rtl/top.v': '`include "h.svh"\r\nmodule top(clk, q);\r\n\tinput clk;\toutput [7:0] q;\r\n\tbus b(clk);\r\n\tsub #(.W(8)) u (.clk, .d(0), .q, .b(b.m));\r\n\tsub v (.*);\r\n\tassign \\a[0] = l.r & v.l[0].r;\r\nendmodule\r\nbind sub chk c(.a(r));\r\nmodule chk(input a); endmodule\r\nclass k extends k; function new(); this.x = super.y; endfunction endclass\r\n',
  'rtl/empty.v': '',
};

/** Texts that are no Verilog: binary, half characters, one long line, deep nesting, marks of all kinds. */
const odd = ['', '\u0000\u0001\uFFFD\uFFFE', '\uD800', 'a\uDC00b', '\uFEFFmodule m; endmodule', 'x'.repeat(30_000), '('.repeat(3000), 'begin '.repeat(2000), '`', '"', '/*', '\\', '`include "', '`define A `A\n`A', '\r', '\u2028', '::', '.*', '${1:x}', "'{", '`ifdef A\n'.repeat(200), 'module a;'.repeat(200)];
const pieces = [...odd.filter((text) => text.length < 100), 'module n(input a); endmodule\n', '.', ';', 'end', ' begin : b ', 'sub u2(.', '`REG(', 'import p::*;', 'W', ')', ' = d.in.', '\n', '\t', 'endmodule'];

/** Every request that asks about a place or a document, with what else it wants. */
const requests: readonly (readonly [method: string, more: (at: Position) => object])[] = [
  ...['definition', 'typeDefinition', 'documentHighlight', 'hover', 'signatureHelp', 'prepareRename', 'prepareCallHierarchy'].map((name) => [`textDocument/${name}`, (position: Position) => ({ position })] as const),
  ...['documentSymbol', 'foldingRange', 'documentLink', 'codeLens', 'semanticTokens/full'].map((name) => [`textDocument/${name}`, () => ({})] as const),
  ['textDocument/completion', (position) => ({ position, context: { triggerKind: 1 } })],
  ['textDocument/references', (position) => ({ position, context: { includeDeclaration: true } })],
  ['textDocument/rename', (position) => ({ position, newName: 'renamed' })],
  ['textDocument/selectionRange', (position) => ({ positions: [position] })],
  ['textDocument/inlayHint', (end) => ({ range: { start: { line: 0, character: 0 }, end } })],
  ['textDocument/semanticTokens/range', (end) => ({ range: { start: { line: 0, character: 0 }, end } })],
  ['textDocument/codeAction', (start) => ({ range: { start, end: start }, context: { diagnostics: [] } })],
  ['workspace/symbol', () => ({ query: 'su' })],
  [methods.doctor, () => ({})],
];

/** Ends of requests that are no mistakes: cancelled, refused with a reason, or about what changed meanwhile. */
const proper = new Set([-32800, -32801, -32803]);

async function session(seed: number, steps: number): Promise<void> {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  await using editor = await Editor.start({ files: texts, settings: { includeDirs: ['inc'] } });
  const names = [...Object.keys(texts), 'rtl/gone.sv'];
  const open = new Set<string>();
  const waiting: Promise<unknown>[] = [];
  const ask = (name: string): void => {
    const [method, more] = pick(requests);
    const position = { line: Math.floor(random() * 20), character: Math.floor(random() * 70) };
    const cancel = random() < 0.3 ? new AbortController() : undefined;
    const answer = editor.raw(method, { textDocument: { uri: editor.uri(name) }, uri: editor.uri(name), ...more(position) }, cancel?.signal);
    waiting.push(
      answer.catch((error: unknown) => {
        const isProper = error instanceof ResponseError && proper.has(error.code);
        assert.ok(isProper, `${method} in ${name} at ${JSON.stringify(position)}, seed ${seed}: ${String(error)}`);
      }),
    );
    if (cancel) setTimeout(() => cancel.abort(), Math.floor(random() * 3));
  };
  for (let step = 0; step < steps; step++) {
    const name = pick(names);
    const kind = random();
    if (!open.has(name) && kind < 0.5) {
      await editor.open(name, random() < 0.7 ? (texts[name] ?? '') : pick(odd));
      open.add(name);
    } else if (open.has(name) && kind < 0.3) await editor.replace(name, random(), random() < 0.9 ? random() * 0.05 : random(), pick(pieces));
    else if (open.has(name) && kind < 0.35) {
      await editor.close(name);
      open.delete(name);
    } else if (kind < 0.4) await editor.save(name, random() < 0.3 ? undefined : random() < 0.5 ? pick(odd) : (texts[name] ?? ''), pick([FileChangeType.Created, FileChangeType.Changed, FileChangeType.Deleted]));
    else if (kind < 0.41) await rm(editor.path('rtl'), { recursive: true, force: true });
    for (let count = Math.floor(random() * 4); count > 0; count--) ask(name);
    if (waiting.length > 40) await Promise.all(waiting.splice(0));
  }
  await Promise.all(waiting);
  for (const name of open) await editor.close(name);
  await editor.open('rtl/last.v', 'module last(input a, output y);\n  assign y = a;\nendmodule\n');
  const symbols = await editor.ask<{ name: string }[]>('textDocument/documentSymbol', 'rtl/last.v');
  assert.deepEqual(symbols.map((symbol) => symbol.name), ['last']);
  assert.deepEqual(editor.failures, []);
}

describe('the server', () => {
  for (const seed of [16, 18]) it(`answers whatever is asked while anything changes (${seed})`, () => session(seed, 120));
});
