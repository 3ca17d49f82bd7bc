/** What it takes to make a witness plain whose sides have to be powered on from several states. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadDesign } from '../../server/src/analysis/load.ts';
import { memoryFiles } from '../../server/src/base/files.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import { verify } from '../../server/src/verification/verify.ts';

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });
const simulator = await toolbox.iverilog();

/** A delay line with state of every kind, none of which a reset reaches. */
const line = (last: string): string => `module line (input clk, input [3:0] d, input en, output reg [3:0] q, output w);
  typedef enum logic [1:0] {IDLE, RUN, STOP} state_t;
  state_t state;
  reg [3:0] taps [0:3];
  reg phase = 1'b0;
  assign w = state == RUN ? taps[0][0] : 1'b0;
  always @(posedge clk) begin
    phase <= ~phase;
    case (state) IDLE: state <= RUN; RUN: state <= STOP; default: state <= IDLE; endcase
    if (en) begin taps[0] <= d; taps[1] <= taps[0]; taps[2] <= taps[1]; taps[3] <= taps[2]; end
    q <= ${last};
  end
endmodule
`;

/** A receiver whose state of parity one of its starts may leave as it was. */
const receiver = (start: string): string => `module receiver (input clk, input rst, input rxd, input par_en, input par_odd, output reg [7:0] data, output reg valid, output reg perr, output reg ferr);
  reg [1:0] sync; reg [2:0] st, bitn; reg [3:0] cnt; reg par, bad; reg [7:0] sh;
  wire rx = sync[1];
  always @(posedge clk)
    if (rst) begin sync <= 3; st <= 0; cnt <= 0; bitn <= 0; par <= 0; sh <= 0; data <= 0; valid <= 0; perr <= 0; ferr <= 0; bad <= 0; end
    else begin
      sync <= {sync[0], rxd};
      valid <= 0;
      case (st)
        0: if (!rx) begin st <= 1; cnt <= 3; end
        1: if (cnt == 0) begin if (!rx) begin st <= 2; cnt <= 7; bitn <= 0; par <= par_odd; ${start} end else st <= 0; end else cnt <= cnt - 1;
        2: if (cnt == 0) begin sh <= {rx, sh[7:1]}; par <= par ^ rx; cnt <= 7; bitn <= bitn + 1; if (bitn == 7) st <= par_en ? 3 : 4; end else cnt <= cnt - 1;
        3: if (cnt == 0) begin bad <= par != rx; st <= 4; cnt <= 7; end else cnt <= cnt - 1;
        4: if (cnt == 0) begin st <= 0; data <= sh; valid <= rx; ferr <= !rx; perr <= bad; end else cnt <= cnt - 1;
        default: st <= 0;
      endcase
    end
endmodule
`;

test('a witness is not made plain down to what a rare power-on state does before any reset', { skip: simulator.kind === 'found' ? false : 'Icarus Verilog is not installed.' }, async () => {
  const files = memoryFiles(new Map([['/w/golden.v', receiver('bad <= 0;')], ['/w/dut.v', receiver('')]]));
  const options = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 60_000, engine: 'auto', prove: true } as const;
  const result = await verify(
    { golden: { file: '/w/golden.v', module: 'receiver' }, dut: { file: '/w/dut.v', module: 'receiver' }, options },
    { load: (input) => loadDesign(input, { parser, files }), parser, toolbox },
    {},
  );
  assert.equal(result.verdict, 'different', result.reason);
  assert.equal(result.mismatch?.output, 'perr');
});

test('a witness from drawn power-on states takes a moderate number of simulations', { skip: simulator.kind === 'found' ? false : 'Icarus Verilog is not installed.' }, async () => {
  assert.ok(simulator.kind === 'found');
  let runs = 0;
  const tool = { ...simulator.tool, simulate: (request: Parameters<typeof simulator.tool.simulate>[0]) => (runs++, simulator.tool.simulate(request)) };
  const files = memoryFiles(new Map([['/w/golden.sv', line("phase ? taps[3] : 4'd0")], ['/w/dut.sv', line("phase ? taps[2] : 4'd0")]]));
  const options = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 60_000, engine: 'iverilog', prove: false } as const;
  const result = await verify(
    { golden: { file: '/w/golden.sv', module: 'line' }, dut: { file: '/w/dut.sv', module: 'line' }, options },
    { load: (input) => loadDesign(input, { parser, files }), parser, toolbox: { ...toolbox, iverilog: () => Promise.resolve({ ...simulator, tool }) } },
    {},
  );
  assert.equal(result.verdict, 'different', result.reason);
  assert.ok(result.witness.length <= 24, `${String(result.witness.length)} steps`);
  assert.ok(runs <= 26, `${String(runs)} simulations`);
});
