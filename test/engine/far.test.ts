import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import { verify } from '../../server/src/verification/verify.ts';
import type { VerifyResult } from '../../server/src/verification/verdict.ts';
import { design, loader } from '../unit/verification/designs.ts';

const toolbox = createToolbox({ iverilog: '', yosys: '' });
const parser = await Parser.create();
after(() => {
  parser.delete();
});

/** Verifies the golden against itself with one place replaced. */
function verified(golden: string, place: string, fault: string): Promise<VerifyResult> {
  const dut = golden.replace(place, fault);
  assert.notEqual(dut, golden);
  const resets = [{ port: 'rst', bit: undefined, active: 'high', kind: 'sync' } as const];
  const load = loader({ '/golden.v': design(golden, { file: '/golden.v', resets }), '/dut.v': design(dut, { file: '/dut.v', resets }) });
  const options = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 15_000, engine: 'auto', prove: true } as const;
  return verify({ golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options }, { load, toolbox, parser }, {});
}

const watchdog = `module m(input clk, input rst, input kick, input arm, output reg late, output reg early);
  reg [12:0] quiet;
  always @(posedge clk)
    if (rst) begin quiet <= 0; late <= 0; early <= 0; end
    else begin
      late <= kick && quiet >= 5200;
      early <= kick && arm && quiet < 40;
      if (kick) quiet <= 0;
      else if (quiet != 13'h1fff) quiet <= quiet + 1;
    end
endmodule`;

test('what differs in one exact count of quiet cycles, the same each time', async () => {
  const results = [await verified(watchdog, 'quiet >= 5200', 'quiet > 5200'), await verified(watchdog, 'quiet >= 5200', 'quiet > 5200')];
  for (const { verdict, reason, notes } of results) {
    assert.equal(verdict, 'different', reason);
    // A first look has found it, before the long part of a proof.
    assert.deepEqual(notes.filter((note) => note.startsWith('Not proved')), []);
  }
  const [first, second] = results.map((result) => JSON.stringify({ ...result, elapsedMs: 0 }));
  assert.equal(first, second);
});

test('a sum of products that meets its bound exactly, where a shared loop variable forbids a proof', async () => {
  const filter = `module m(input clk, input rst, input en, input signed [7:0] x, input we, input [1:0] at, input signed [7:0] c, output reg signed [15:0] y);
    reg signed [7:0] z [0:3]; reg signed [7:0] k [0:3]; reg signed [17:0] sum;
    integer i;
    always @* begin sum = 0; for (i = 0; i < 4; i = i + 1) sum = sum + z[i] * k[i]; end
    always @(posedge clk)
      if (rst) begin for (i = 0; i < 4; i = i + 1) begin z[i] <= 0; k[i] <= 0; end y <= 0; end
      else begin
        if (we) k[at] <= c;
        if (en) begin for (i = 3; i > 0; i = i - 1) z[i] <= z[i - 1]; z[0] <= x; end
        y <= sum > 18'sd30417 ? 16'sd30417 : sum[15:0];
        if (sum == 18'sd30000) y <= 16'sd1;
      end
  endmodule`;
  const { verdict, reason } = await verified(filter, "y <= 16'sd1", "y <= 16'sd2");
  assert.equal(verdict, 'different', reason);
});

test('one exact count of the edges of a gated clock', async () => {
  const gated = `module m(input clk, input rst, input en, input kick, output reg late);
    reg open; reg [12:0] quiet;
    always @* if (!clk) open = en | rst;
    wire gated = clk & open;
    always @(posedge gated)
      if (rst) begin quiet <= 0; late <= 0; end
      else begin
        late <= kick && quiet >= 5200;
        if (kick) quiet <= 0;
        else if (quiet != 13'h1fff) quiet <= quiet + 1;
      end
  endmodule`;
  const { verdict, reason } = await verified(gated, 'quiet >= 5200', 'quiet > 5200');
  assert.equal(verdict, 'different', reason);
});

test('a count that only a certain order of two inputs brings far', async () => {
  const decoder = `module m(input clk, input rst, input a, input b, output reg full, output reg [3:0] low);
    reg [14:0] count; reg pa, pb;
    wire step = (a ^ pa) ^ (b ^ pb);
    wire up = a ^ pb;
    always @(posedge clk)
      if (rst) begin count <= 0; pa <= 0; pb <= 0; full <= 0; low <= 0; end
      else begin
        pa <= a; pb <= b; low <= count[3:0];
        full <= count == 15'd20000;
        if (step && up && count != 15'd20000) count <= count + 1;
        else if (step && !up && count != 0) count <= count - 1;
      end
  endmodule`;
  const { verdict, reason } = await verified(decoder, "up && count != 15'd20000", 'up');
  assert.equal(verdict, 'different', reason);
});

test('what a load of zero leaves behind, where it shows only after one way round', async () => {
  const generator = `module m(input clk, input rst, input load, input step, input [13:0] seed, output reg req);
    reg [13:0] s;
    always @(posedge clk)
      if (rst) begin s <= 1; req <= 0; end
      else begin
        req <= step && !load && s == 14'h2000;
        if (load) s <= seed;
        else if (step) s <= s == 0 ? 1 : {s[12:0], s[13] ^ s[12] ^ s[11] ^ s[1]};
      end
  endmodule`;
  const { verdict, reason } = await verified(generator, 's == 0 ? 1 : ', '');
  assert.equal(verdict, 'different', reason);
});
