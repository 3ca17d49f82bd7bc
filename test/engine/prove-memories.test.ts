/** Addresses beyond a memory: Yosys drops their high bits, a simulator reads unknown values and writes nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, proveTexts } from './proving.ts';

const ports = 'input clk we wa ra d output q';
const memory = (size: string, write: string, read: string): string => `module m(input clk, we, input [3:0] wa, ra, input [1:0] d, output [1:0] q); reg [1:0] t [${size}];
  always @(posedge clk) if (we) t[${write}] <= d; assign q = t[${read}]; endmodule`;

test('an address that may miss its memory is never proved to be one that wraps', async () => {
  const wraps = memory('0:7', 'wa[2:0]', 'ra[2:0]');
  for (const misses of [memory('0:7', 'wa', 'ra[2:0]'), memory('0:7', 'wa[2:0]', 'ra'), memory('0:7', 'wa[2:0]', 'ra[2:0] + 1'), memory('0:7', "wa[2:0]", '$signed(ra[2:0])')]) {
    const result = await proveTexts(misses, wraps, { ports });
    const said = result.kind === 'counterexample' ? (result.doubt ?? '') : 'reason' in result ? result.reason : result.kind;
    assert.match(said, /may address ('t'|an array) beyond its words/, misses);
  }
});

test('memories that no address misses are followed', async () => {
  await check(memory('0:15', 'wa', 'ra'), memory('15:0', 'wa + 4\'d0', "{ra[3:2], ra[1:0]}"), 'proved', { ports });
  await check(memory('0:7', 'wa[3:1]', 'ra[2:0]'), memory('0:7', 'wa >> 1', "{1'b0, ra[2:0]}").replace('t[wa >> 1]', 't[wa[3:1]]'), 'proved', { ports });
});

test('an asynchronous load takes its data when it begins and at edges of the clock', async () => {
  const load = (text: string): string => `module m(input clk, rst, d, e, output q); ${text} endmodule`;
  const loadPorts = 'input clk rst d e output q';
  const golden = load('reg t; assign q = t; always @(posedge clk or posedge rst) if (rst) t <= e; else t <= d;');
  await check(golden, load('reg u; wire n = ~u; assign q = ~n; always @(posedge rst or posedge clk) if (rst == 1) u <= e; else u <= d & d;'), 'proved', { ports: loadPorts });
  for (const wrong of ['reg t; assign q = t; always @(posedge clk or posedge rst) if (rst) t <= d; else t <= d;', 'reg t; assign q = rst ? e : t; always @(posedge clk) t <= rst ? e : d;', 'reg t; assign q = t; always @(posedge clk) if (rst) t <= e; else t <= d;', 'reg t; assign q = t; always @(posedge clk or negedge rst) if (!rst) t <= e; else t <= d;']) {
    const result = await proveTexts(golden, load(wrong), { ports: loadPorts });
    assert.notEqual(result.kind, 'proved', wrong);
  }
});
