/** Latches that a clock opens: proofs where a simulator has but one order, and none where an edge lets things run against each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, counterexample, proveTexts } from './proving.ts';

const ports = 'input clk e a b output p q';
const module = (text: string): string => `module m(input clk, e, a, b, output reg p, q); ${text} endmodule`;
const golden = module('always @(negedge clk) q <= a; always @* if (clk) p = a;');

test('a latch beside a flip-flop on one clock', async () => {
  await check(golden, module('reg t; wire n = ~clk; always @(posedge n) q <= t; always @* if (!n) t = a; always @* p = t;'), 'proved', { ports });
  const wrong = ['always @(posedge clk) q <= a; always @* if (clk) p = a;', 'always @(negedge clk) q <= a; always @* if (!clk) p = a;', 'always @(negedge clk) q <= a; always @(posedge clk) p <= a;', 'always @(negedge clk) begin q <= a; p <= a; end', 'always @* if (!clk) q = a; always @* if (clk) p = a;'];
  for (const text of wrong) await counterexample(golden, module(text), { ports });
});

test('a latch takes in registers, and is read by flip-flops at the edge that closes it', async () => {
  const closes = (text: string): string => module(`reg l, r; always @(posedge clk) r <= a ^ b; always @* p = l; ${text}`);
  const held = closes('always @* if (clk) l = r & e; always @(negedge clk) q <= l;');
  await check(held, closes('reg k; always @* if (clk) k = e; always @* l = k & r; always @(negedge clk) q <= r & e;'), 'proved', { ports });
  await counterexample(held, closes('always @* if (clk) l = r & e; always @(negedge clk) q <= r;'), { ports });
  await counterexample(held, closes('always @* if (!clk) l = r & e; always @(negedge clk) q <= r & e;'), { ports });
});

test('what an edge lets run against each other is never proved', async () => {
  const races: Readonly<Record<string, string>> = {
    'read at the edge that opens the latch': 'always @* if (clk) p = a; always @(posedge clk) q <= p;',
    'a latch into one that opens while it closes': 'always @* if (clk) p = a; always @* if (!clk) q = p; reg r; always @(posedge clk) r <= b;',
    'opened by a register as well': 'reg r; always @(posedge clk) r <= a; always @* if (clk & r) p = b; always @* q = r;',
    'the clock as data of a latch': 'reg r; always @(posedge clk) r <= a; always @* if (e) p = clk; always @* q = r;',
    'the clock as data of a flip-flop': 'always @(posedge clk) q <= clk & a; always @* p = a;',
  };
  for (const [name, text] of Object.entries(races)) {
    const result = await proveTexts(module(text), module(text), { ports });
    assert.match('reason' in result ? result.reason : result.kind, /uses the clock 'clk' for more than its edges/, name);
  }
});
