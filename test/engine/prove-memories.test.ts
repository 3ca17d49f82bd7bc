/** Addresses beyond a memory: Yosys drops their high bits, a simulator reads unknown values and writes nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProofResult } from '../../server/src/verification/proof/result.ts';
import { check, proveTexts } from './proving.ts';

const ports = 'input clk we wa ra d output q';
const memory = (size: string, write: string, read: string): string => `module m(input clk, we, input [3:0] wa, ra, input [1:0] d, output [1:0] q); reg [1:0] t [${size}];
  always @(posedge clk) if (we) t[${write}] <= d; assign q = t[${read}]; endmodule`;

/** The words one by one, as many as there are, by the values of an address. */
const words = (addresses: readonly number[], beyond = "2'd0"): string => `module m(input clk, we, input [3:0] wa, ra, input [1:0] d, output [1:0] q);
  ${addresses.map((at) => `reg [1:0] u${at}; always @(posedge clk) if (we && wa == 4'd${at}) u${at} <= d;`).join('\n')}
  assign q = ${addresses.map((at) => `ra == 4'd${at} ? u${at} : `).join('')} ${beyond}; endmodule`;
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

const sizes: Readonly<Record<string, readonly number[]>> = { '7:0': range(0, 7), '0:4': range(0, 4), '6:3': range(3, 6), '6': range(0, 5), '0:0': [0], '-2:5': range(0, 5) };

for (const [size, addresses] of Object.entries(sizes)) {
  test(`a memory of the words ${size} is followed for all addresses`, async () => {
    const golden = memory(size, 'wa', 'ra');
    await check(golden, words(addresses), 'proved', { ports });
    await check(golden, memory(size, 'wa', 'ra').replace('t[wa]', 't[wa + 0]'), 'proved', { ports });
    for (const wrong of [words(addresses.slice(1)), words([...addresses, 12]).replace('ra == 4\'d12', `ra == 4'd${addresses[0] ?? 0}`).replace(`ra == 4'd${addresses[0] ?? 0}`, "ra == 4'd12")]) {
      assert.notEqual((await proveTexts(golden, wrong, { ports })).kind, 'proved', wrong);
    }
  });
}

const told = (result: ProofResult): string => (result.kind === 'counterexample' ? (result.doubt ?? 'different') : 'reason' in result ? result.reason : result.kind);

test('an address that may miss its memory is never proved to be one that wraps', async () => {
  const wraps = memory('0:7', 'wa[2:0]', 'ra[2:0]');
  assert.equal(told(await proveTexts(memory('0:7', 'wa', 'ra[2:0]'), wraps, { ports })), 'different');
  // Where an unknown word is read anything may be, but not the other way round.
  await check(memory('0:7', 'wa[2:0]', 'ra'), wraps, 'proved', { ports });
  for (const [write, read] of [['wa[2:0]', 'ra[2:0] + 1'], ['$signed(wa[2:0])', 'ra[2:0]']] as const) {
    assert.equal(told(await proveTexts(wraps, memory('0:7', write, read), { ports })), 'different', `${write} ${read}`);
  }
});

test('several dimensions are missed one by one', async () => {
  const table = (write: string, read: string): string => `module m(input clk, we, input [3:0] wa, ra, input [1:0] d, output [1:0] q); reg [1:0] t [0:2][1:3]; always @(posedge clk) if (we) ${write} <= d; assign q = ${read}; endmodule`;
  const golden = table('t[wa[3:2]][wa[1:0]]', 't[ra[3:2]][ra[1:0]]');
  const flat = words([1, 2, 3, 5, 6, 7, 9, 10, 11]);
  await check(golden, flat, 'proved', { ports });
  assert.equal(told(await proveTexts(golden, words([1, 2, 3, 4, 5, 6, 7, 9, 10]), { ports })), 'different');
  // A plain number may lie beyond its own dimension as well.
  assert.notEqual((await proveTexts(table('t[0][4]', 't[1][1]'), words([5]), { ports })).kind, 'proved');
});

test('what is not understood of a memory is left unproved', async () => {
  const wraps = memory('0:7', 'wa[2:0]', 'ra[2:0]');
  const typed = wraps.replace('reg [1:0] t [0:7];', 'typedef logic [1:0] T [0:7]; T t;').replace('wa[2:0]', 'wa');
  assert.match(told(await proveTexts(typed, wraps, { ports })), /may address 't' beyond its words/);
  const loaded = memory('0:5', 'wa', 'ra').replace('assign', 'initial $readmemh("t.hex", t); assign');
  assert.notEqual((await proveTexts(loaded, words(range(0, 5)), { ports, files: { '/w/t.hex': '1 2 3 0 1 2' } })).kind, 'proved');
});

test('an index that leaves its dimension is never followed into the next one', async () => {
  const record = (assign: string): string => `typedef struct packed { logic [1:0] a; logic [3:1] x; logic b; } T; module m(input clk, we, input [3:0] wa, ra, input [1:0] d, output logic [5:0] q); T t; always @* begin t = {wa, d}; ${assign} q = t; end endmodule`;
  const result = await proveTexts(record('t.x[ra[2:0]] = we;'), record('if (ra[2:0] == 0) t.b = we; else if (ra[2:0] < 4) t.x[ra[1:0]] = we; else if (ra[2:0] < 6) t.a[ra[0]] = we;'), { ports });
  assert.match(told(result), /may index 'x' beyond one of its dimensions/);
  await check(record('if (ra[1:0] == 2) t.x[2] = we;'), record('for (int i = 1; i < 4; i++) if (i == 2 && ra[1:0] == 2) t.x[i] = we;'), 'proved', { ports });
});

test('a part select downwards writes what lies within', async () => {
  const part = (assign: string): string => `module m(input clk, we, input [3:0] wa, ra, input [1:0] d, output reg [5:0] q); always @* begin q = {wa, d}; ${assign} end endmodule`;
  const golden = part("case (ra) 4'd0: q[0] = 1; 4'd1: q[1:0] = 3; 4'd2: q[2:0] = 7; 4'd3: q[3:1] = 7; 4'd4: q[4:2] = 7; 4'd5: q[5:3] = 7; 4'd6: q[5:4] = 3; 4'd7: q[5] = 1; endcase");
  await check(golden, part('q[ra -: 3] = 7;'), 'proved', { ports });
  await check(part('q[ra -: 3] = 7;'), golden, 'proved', { ports });
  assert.equal(told(await proveTexts(part('q[ra -: 3] = 7;'), part('if (ra >= 2) q[ra -: 3] = 7;'), { ports })), 'different');
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
