import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { loadDesign } from '../../server/src/analysis/load.ts';
import { diskFiles } from '../../server/src/base/files.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import type { Iverilog } from '../../server/src/tools/iverilog.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import { compareBehaviours } from '../../server/src/verification/behaviour.ts';

let parser: Parser;
let iverilog: Iverilog;
before(async () => {
  parser = await Parser.create();
  const found = await createToolbox({ iverilog: '', yosys: '' }).iverilog();
  assert.ok(found.kind === 'found');
  iverilog = found.tool;
});

/** Which of the bodies behave alike, each by its index, all as a module with these ports. */
async function alike(ports: string, ...bodies: readonly string[]): Promise<readonly (readonly number[])[] | string> {
  const loaded = await Promise.all(bodies.map((body, at) => loadDesign({ file: `/nowhere/${at}.v`, text: `module m(${ports}); ${body} endmodule`, module: 'm' }, { parser, files: diskFiles })));
  const designs = loaded.map((result) => {
    assert.ok(result.kind === 'loaded', result.kind === 'rejected' ? result.reason : '');
    return result.design;
  });
  const result = await compareBehaviours({ designs, iverilog, seed: 1, timeoutMs: 5_000, signal: undefined });
  return result.kind === 'compared' ? result.alike : result.kind === 'not-compared' ? result.reason : result.kind;
}

describe('designs that behave alike', () => {
  test('pure logic, for every input', async () => {
    assert.deepEqual(await alike('input [3:0] a, b, output [4:0] y', 'assign y = a + b;', 'assign y = b + a;', 'assign y = a + b + (a == 9 && b == 13);'), [[0, 1], [0, 1], [2]]);
  });

  test('state with a reset, whatever its coding; a synchronous reset is not an asynchronous one', async () => {
    const ports = 'input clk, rst, output reg [2:0] q';
    assert.deepEqual(
      await alike(
        ports,
        'always @(posedge clk or posedge rst) if (rst) q <= 0; else q <= q + 1;',
        'reg [7:0] hot; always @(posedge clk or posedge rst) if (rst) hot <= 1; else hot <= {hot[6:0], hot[7]}; integer i; always @* begin q = 0; for (i = 0; i < 8; i = i + 1) if (hot[i]) q = i; end',
        'always @(posedge clk) if (rst) q <= 0; else q <= q + 1;',
      ),
      [[0, 1], [0, 1], [2]],
    );
  });

  test('state without a reset, from drawn power-on values', async () => {
    const ports = 'input clk, d, output reg q';
    assert.deepEqual(await alike(ports, 'reg r; always @(posedge clk) begin r <= d; q <= r; end', 'reg [1:0] s; always @(posedge clk) s <= {s[0], d}; always @* q = s[1];', 'always @(posedge clk) q <= d;'), [[0, 1], [0, 1], [2]]);
  });

  test('a way to write a choice that simulators treat otherwise for unknown values is no difference', async () => {
    const ports = 'input clk, d, output reg q';
    assert.deepEqual(await alike(ports, 'reg t; always @(posedge clk) t <= ~t; always @(posedge clk) if (t) q <= d; else q <= d;', 'always @(posedge clk) q <= d;'), [[0, 1], [0, 1]]);
  });

  test('one that does not run to its end is like none', async () => {
    assert.deepEqual(await alike('input a, output y', 'assign y = a;', 'assign y = a; reg r = 0; always @(a or r) r <= ~r;', 'assign y = ~(~a);'), [[0, 2], [], [0, 2]]);
  });

  test('nothing is claimed where nothing is known', async () => {
    assert.match(String(await alike('input clk, output reg q', 'always @(posedge clk) q <= ~q;', 'always @(posedge clk) q <= ~q;')), /No output ever had a known value/);
    assert.match(String(await alike('input a', '', '')), /no outputs/);
  });
});
