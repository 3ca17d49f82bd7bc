import type { Clock, Reset } from '../../server/src/analysis/module.ts';

export interface Family {
  readonly golden: string;
  /** An equal rewrite. */
  readonly same: string;
  readonly faults: Readonly<Record<string, string>>;
  /** The prover can follow this way of keeping time, so that it has to decide. */
  readonly provable: boolean;
  readonly clocks?: Clock[];
  readonly resets?: Reset[];
}

const posedge = (port: string): Clock => ({ port, bit: undefined, edges: ['posedge'] });
const reset = (port: string, active: 'high' | 'low', kind: 'async' | 'sync'): Reset => ({ port, bit: undefined, active, kind });

/** A golden, an equal rewrite of it and faulty versions, for each way of keeping time. */
export const families: Readonly<Record<string, Family>> = {
  combinational: {
    provable: true,
    golden: 'module m(input [3:0] a, input [3:0] b, output [4:0] y);\nassign y = a + b;\nendmodule',
    same: 'module m(input [3:0] a, input [3:0] b, output reg [4:0] y);\nalways @* y = {1\'b0, b} + {1\'b0, a};\nendmodule',
    faults: { carry: 'module m(input [3:0] a, input [3:0] b, output [4:0] y);\nassign y = {1\'b0, a[3:0] + b[3:0]};\nendmodule' },
  },
  'synchronous reset, active high': {
    provable: true,
    golden: 'module m(input clk, input rst, input en, output reg [3:0] q);\nalways @(posedge clk) if (rst) q <= 4\'d5; else if (en) q <= q + 4\'d1;\nendmodule',
    same: 'module m(input clk, input rst, input en, output [3:0] q);\nreg [3:0] s; wire [3:0] n = rst ? 4\'d5 : s + {3\'b0, en};\nalways @(posedge clk) s <= n;\nassign q = s;\nendmodule',
    faults: {
      'wrong edge': 'module m(input clk, input rst, input en, output reg [3:0] q);\nalways @(negedge clk) if (rst) q <= 4\'d5; else if (en) q <= q + 4\'d1;\nendmodule',
      'reset value': 'module m(input clk, input rst, input en, output reg [3:0] q);\nalways @(posedge clk) if (rst) q <= 4\'d4; else if (en) q <= q + 4\'d1;\nendmodule',
      asynchronous: 'module m(input clk, input rst, input en, output reg [3:0] q);\nalways @(posedge clk or posedge rst) if (rst) q <= 4\'d5; else if (en) q <= q + 4\'d1;\nendmodule',
      'no wrap': 'module m(input clk, input rst, input en, output reg [3:0] q);\nalways @(posedge clk) if (rst) q <= 4\'d5; else if (en && q != 4\'d15) q <= q + 4\'d1;\nendmodule',
    },
    resets: [reset('rst', 'high', 'sync')],
  },
  'asynchronous reset, active low': {
    provable: true,
    golden: 'module m(input clk, input rst_n, input d, output reg q);\nalways @(posedge clk or negedge rst_n) if (!rst_n) q <= 1\'b0; else q <= d;\nendmodule',
    same: 'module m(input clk, input rst_n, input d, output q);\nreg n;\nalways @(negedge rst_n, posedge clk) if (rst_n == 1\'b0) n <= 1\'b1; else n <= ~d;\nassign q = ~n;\nendmodule',
    faults: {
      synchronous: 'module m(input clk, input rst_n, input d, output reg q);\nalways @(posedge clk) if (!rst_n) q <= 1\'b0; else q <= d;\nendmodule',
      polarity: 'module m(input clk, input rst_n, input d, output reg q);\nalways @(posedge clk or posedge rst_n) if (rst_n) q <= 1\'b0; else q <= d;\nendmodule',
    },
    resets: [reset('rst_n', 'low', 'async')],
  },
  'two clocks': {
    provable: true,
    golden: 'module m(input a, input b, input d, output reg x, output reg y);\nalways @(posedge a) x <= d;\nalways @(posedge b) y <= x;\nendmodule',
    same: 'module m(input a, input b, input d, output x, output y);\nreg p, q;\nalways @(posedge b) q <= p;\nalways @(posedge a) p <= d;\nassign x = p, y = q;\nendmodule',
    faults: { 'swapped clock': 'module m(input a, input b, input d, output reg x, output reg y);\nalways @(posedge a) x <= d;\nalways @(posedge a) y <= x;\nendmodule' },
    clocks: [posedge('a'), posedge('b')],
  },
  'both edges': {
    provable: false,
    golden: 'module m(input clk, input d, output q);\nreg p, n;\nalways @(posedge clk) p <= d;\nalways @(negedge clk) n <= d;\nassign q = clk ? p : n;\nendmodule',
    same: 'module m(input clk, input d, output q);\nreg p, n;\nalways @(posedge clk) p <= d ^ n;\nalways @(negedge clk) n <= d ^ p;\nassign q = p ^ n;\nendmodule',
    faults: { 'one edge': 'module m(input clk, input d, output reg q);\nalways @(posedge clk) q <= d;\nendmodule' },
    clocks: [{ port: 'clk', bit: undefined, edges: ['posedge', 'negedge'] }],
  },
  'a clock read as a level': {
    provable: true,
    golden: 'module m(input clk, input d, output y);\nreg q = 1;\nalways @(posedge clk) q <= d;\nassign y = q;\nendmodule',
    same: 'module m(input clk, input d, output y);\nreg q = 1;\nalways @(posedge clk) q <= d;\nassign y = (clk & q) | (~clk & q);\nendmodule',
    faults: { 'low level alone': 'module m(input clk, input d, output y);\nreg q = 1;\nalways @(posedge clk) q <= d;\nassign y = ~clk & q;\nendmodule' },
  },
  'a clock gated through a latch': {
    provable: false,
    golden: 'module m(input clk, input en, input d, output y);\nreg q = 0;\nalways @(posedge clk) if (en) q <= d;\nassign y = q;\nendmodule',
    same: 'module m(input clk, input en, input d, output y);\nreg q = 0, l;\nalways @* if (!clk) l = en;\nwire gated = clk & l;\nalways @(posedge gated) q <= d;\nassign y = q;\nendmodule',
    faults: { 'no latch': 'module m(input clk, input en, input d, output y);\nreg q = 0;\nwire gated = clk & en;\nalways @(posedge gated) q <= d;\nassign y = q;\nendmodule' },
  },
  latch: {
    provable: false,
    golden: 'module m(input en, input [3:0] d, output reg [3:0] q);\nalways @(en or d) if (en) q <= d;\nendmodule',
    same: 'module m(input en, input [3:0] d, output [3:0] q);\nassign q = en ? d : q;\nendmodule',
    faults: { phase: 'module m(input en, input [3:0] d, output reg [3:0] q);\nalways @(en or d) if (!en) q <= d;\nendmodule' },
  },
  'three-state output': {
    provable: false,
    golden: 'module m(input en, input d, output y);\nassign y = en ? d : 1\'bz;\nendmodule',
    same: 'module m(input en, input d, output y);\nbufif1 (y, d, en);\nendmodule',
    faults: { 'always driven': 'module m(input en, input d, output y);\nassign y = en & d;\nendmodule' },
  },
  inout: {
    provable: false,
    golden: 'module m(input oe, input [1:0] d, inout [1:0] pad, output [1:0] in);\nassign pad = oe ? d : 2\'bzz;\nassign in = pad;\nendmodule',
    same: 'module m(input oe, input [1:0] d, inout [1:0] pad, output [1:0] in);\nbufif1 (pad[0], d[0], oe);\nbufif1 (pad[1], d[1], oe);\nassign in = pad;\nendmodule',
    faults: {
      'enable inverted': 'module m(input oe, input [1:0] d, inout [1:0] pad, output [1:0] in);\nassign pad = oe ? 2\'bzz : d;\nassign in = pad;\nendmodule',
      'ignores the pad': 'module m(input oe, input [1:0] d, inout [1:0] pad, output [1:0] in);\nassign pad = oe ? d : 2\'bzz;\nassign in = d;\nendmodule',
    },
  },
};
