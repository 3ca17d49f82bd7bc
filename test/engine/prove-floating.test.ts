/** Outputs that may be high impedance (z): where the golden does not drive, the DUT must not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, counterexample, proveTexts } from './proving.ts';

const ports = 'input clk e d output y';
const module = (text: string): string => `module m(input clk, e, input [1:0] d, output [1:0] y); ${text} endmodule`;
const golden = module("assign y = e ? d : 2'bz;");

test('a bus that is driven under the same condition is the same', async () => {
  await check(golden, module("reg [1:0] t; assign y = t; always @* begin t = 2'bzz; if (e) t = d; end"), 'proved', { ports });
  await check(golden, module("wire n = !e; assign y = {n ? 1'bz : d[1], n ? 1'bz : d[0]};"), 'proved', { ports });
  await check(module("assign y = e ? d : 2'bxz;"), module("assign y = e ? d : 2'b1z;"), 'proved', { ports });
  for (const wrong of ["assign y = e ? d : 2'b00;", 'assign y = d;', "assign y = !e ? d : 2'bz;", "assign y = e ? d : 2'b0z;", "assign y = e ? {d[0], d[1]} : 2'bz;", "assign y = 2'bz;", "assign y = e && d != 0 ? d : 2'bz;", "assign y = e || d == 0 ? d : 2'bz;"]) {
    const { steps } = await counterexample(golden, module(wrong), { ports, request: { shows: () => Promise.resolve(true) } });
    assert.notDeepEqual(steps.at(-1)?.expected, steps.at(-1)?.actual, wrong);
  }
  // A bit that never is driven says nothing.
  await check(module("assign y = {e ? d[1] : 1'bz, 1'bz};"), module("assign y = {e ? d[1] : 1'bz, d[0]};"), 'proved', { ports });
  // What only the DUT leaves undriven is a difference too.
  assert.notEqual((await proveTexts(module('assign y = e ? d : 2\'b00;'), golden, { ports })).kind, 'proved');
});

test('behind a register, and what logic makes of an undriven value', async () => {
  const held = (text: string): string => module(`reg [1:0] r; always @(posedge clk) r <= d; ${text}`);
  await check(held("assign y = e ? r : 2'bz;"), held("reg o; always @* o = e; assign y = {2{~o}} ? 2'bz : r;"), 'proved', { ports });
  await counterexample(held("assign y = e ? r : 2'bz;"), held("assign y = r[0] ? r : 2'bz;"), { ports, request: { shows: () => Promise.resolve(true) } });
  // Logic takes it for unknown, so the golden says nothing there.
  await check(module("wire [1:0] t = e ? d : 2'bz; assign y = t ^ 2'b01;"), module("assign y = e ? d ^ 2'b01 : 2'b10;"), 'proved', { ports });
  for (const [text, reason] of [["reg [1:0] r; always @(posedge clk) r <= e ? d : 2'bz; assign y = r;", /register that may hold/], ["wire t = e ? d[0] : 1'bz; assign y = t === 1'bz;", /comparison with a high-impedance/]] as const) {
    const result = await proveTexts(module(text), module(text), { ports });
    assert.match('reason' in result ? result.reason : result.kind, reason);
  }
});

test('what a latch may take that is written as unknown or undriven is lost in the netlist', async () => {
  for (const value of ["2'bz", "2'bx"]) {
    const latch = module(`reg [1:0] r; assign y = r; always @* if (d[1]) r = e ? d : ${value};`);
    const result = await proveTexts(module('reg [1:0] r; assign y = r; always @* if (d[1]) r = d;'), latch, { ports });
    assert.match('reason' in result ? result.reason : result.kind, /^In the DUT: a latch may take a value that is written with x or z, which the prover loses\.$/);
  }
});

test('an output that the golden does not drive says nothing, one that only the DUT does not drive is not followed', async () => {
  const half = module('assign y[0] = d[0] & e;');
  await check(half, half, 'proved', { ports });
  await check(half, module('assign y = d & {2{e}};'), 'proved', { ports });
  await counterexample(half, module('assign y = {d[1], d[0] | e};'), { ports });
  const result = await proveTexts(module('assign y = d & {2{e}};'), half, { ports });
  assert.match(result.kind === 'counterexample' ? (result.doubt ?? '') : result.kind, /of which a part is not driven/);
});
