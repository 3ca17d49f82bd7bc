import type { VerdictKind } from '../../../server/src/verification/verdict.ts';

export interface Hostile {
  /** Text of the DUT; its module `m` has the ports of `golden`. */
  readonly text: string | ((places: Places) => string);
  /** Text of the golden; undefined: a buffer of one bit. */
  readonly golden?: string;
  /** Name of the DUT's module; `m` unless given. */
  readonly module?: string;
  /** Other files beside the DUT: name to text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly verdicts: readonly VerdictKind[];
  /** What the reason, a problem or a note has to name. */
  readonly says?: RegExp;
  /** One-based line of the first problem. */
  readonly line?: number;
}

/** Where a hostile design may reach for something. */
export interface Places {
  /** Absolute path of a file that must stay unread and unchanged; it holds Verilog text that would compile. */
  readonly secret: string;
  /** Absolute path of a file that must never come to be. */
  readonly victim: string;
  /** `secret`, seen from the folder of the design. */
  readonly climbing: string;
}

const header = 'module m(input a, output y);\n';
const buffer = `${header}assign y = a;\n`;
const end = 'endmodule\n';

/** A buffer that does something else beside, on its third line. */
const beside = (statement: string): string => `${buffer}${statement}\n${end}`;
const same: readonly VerdictKind[] = ['equivalent', 'no-difference'];
const reaching = (statement: string | ((places: Places) => string), task: string): Hostile => ({
  text: (places) => beside(typeof statement === 'string' ? statement : statement(places)),
  verdicts: ['bad-input'],
  says: new RegExp(`'\\${task}' reaches outside`),
  line: 3,
});

const wide = (bits: number): string => `module m(input [${String(bits - 1)}:0] a, output [${String(bits - 1)}:0] y);\nassign y = ~a;\n${end}`;
const many = Array.from({ length: 500 }, (_, index) => index);

/** Designs that reach outside, never end, take everything, or look odd and are not. */
export const hostileDesigns: Readonly<Record<string, Hostile>> = {
  // Reaching outside.
  'writes a file': reaching(({ victim }) => `integer f; initial begin f = $fopen("${victim}", "w"); end`, '$fopen'),
  'writes to a descriptor that it guesses': reaching('initial $fwrite(32\'h80000003, "x");', '$fwrite'),
  'runs a command': reaching(({ victim }) => `initial $system("touch ${victim}");`, '$system'),
  'runs a command through a macro': {
    text: ({ victim }) => `\`define S $system\n\`define T(x) \`S(x)\n${beside(`initial \`T("touch ${victim}");`)}`,
    verdicts: ['bad-input'],
    says: /'\$system' reaches outside/,
    line: 5,
  },
  'pastes the name of a task': {
    text: ({ victim }) => `\`define J(x, y) $\`\`x\`\`y\n\`define O(x) $fo\`\`x\n${beside(`integer f; initial f = \`O(pen)("${victim}", "w");`)}`,
    verdicts: ['bad-input'],
    line: 5,
  },
  'writes a memory image': reaching(({ victim }) => `reg [7:0] r [0:1]; initial $writememh("${victim}", r);`, '$writememh'),
  'names the dump file': { text: ({ victim }) => beside(`initial begin $dumpfile("${victim}"); $dumpvars; end`), verdicts: same },
  'reads a memory image by an absolute path': {
    text: ({ secret }) => beside(`reg [7:0] r [0:1]; initial $readmemh("${secret}", r);`),
    verdicts: ['bad-input'],
    says: /memory image/i,
    line: 3,
  },
  'reads a memory image by a climbing path in a macro': {
    text: ({ climbing }) => `\`define P "${climbing}"\n${beside('reg [7:0] r [0:1]; initial $readmemb(`P, r);')}`,
    verdicts: ['bad-input'],
    says: /memory image/i,
    line: 4,
  },
  'reads a memory image by a computed path': {
    text: ({ secret }) => beside(`reg [7:0] r [0:1]; reg [800:1] p; initial begin p = "${secret}"; $readmemh(p, r); end`),
    verdicts: ['bad-input'],
    says: /memory image/i,
    line: 3,
  },
  'annotates delays from a file': reaching(({ secret }) => `initial $sdf_annotate("${secret}");`, '$sdf_annotate'),
  'reads the command line': { text: beside('integer v; initial if ($value$plusargs("x=%d", v)) v = 0;'), verdicts: same },
  'includes a file by an absolute path': {
    text: ({ secret }) => `\`include "${secret}"\n${beside('')}`,
    verdicts: ['bad-input'],
    says: /include/,
    line: 1,
  },
  'includes a file by a climbing path': { text: ({ climbing }) => `\`include "${climbing}"\n${beside('')}`, verdicts: ['bad-input'], says: /include/, line: 1 },
  'includes a file through macros': {
    text: ({ secret }) => `\`define A "${secret}"\n\`define B \`A\n\`include \`B\n${beside('')}`,
    verdicts: ['bad-input'],
    says: /include/,
    line: 3,
  },
  'includes a file only in the simulator': {
    text: ({ secret }) => `\`ifdef __ICARUS__\n\`include "${secret}"\n\`endif\n${beside('')}`,
    verdicts: ['bad-input'],
    says: /include/,
    line: 2,
  },
  'includes a device': { text: `\`include "/dev/zero"\n${beside('')}`, verdicts: ['bad-input'], says: /include/, line: 1 },
  'includes a header that runs a command': {
    text: `\`include "helper.vh"\n${beside('')}`,
    files: { 'helper.vh': 'module helper; initial $system("true"); endmodule\n' },
    verdicts: ['bad-input'],
    says: /'\$system' reaches outside/,
    line: 1,
  },
  'imports a foreign function': {
    text: beside('import "DPI-C" function int system(string s);\ninitial if (system("true") != 0) $finish;'),
    verdicts: ['bad-input'],
    says: /DPI/,
    line: 3,
  },

  // Never ending, or taking everything.
  'loops in time zero': { text: beside('reg t; initial begin t = 0; while (1) t = ~t; end'), verdicts: ['timeout'], says: /^The (?:DUT|reference) did not finish/ },
  'loops forever without a delay': { text: beside('reg t; always t = ~t;'), verdicts: ['bad-input'], says: /infinite loop/, line: 3 },
  'oscillates without delay': {
    text: `${header}wire n; assign n = a ? ~n === 1'b1 : 1'b0;\nassign y = a | n;\n${end}`,
    verdicts: ['timeout'],
    says: /^The (?:DUT|reference) did not finish/,
  },
  'oscillates between two blocks': {
    text: `${header}reg p, q; initial begin p = 0; q = 0; end\nalways @(q or a) p = ~q;\nalways @(p) q = p;\nassign y = a;\n${end}`,
    verdicts: ['timeout'],
    says: /^The (?:DUT|reference) did not finish/,
  },
  'prints without end': { text: beside('initial while (1) $display("again and again and again");'), verdicts: ['inconclusive', 'timeout'], says: /printed text without end|did not finish/ },
  'prints in every step': { text: beside('always @(a) $display("%m a is now %b at %0t", a, $time);'), verdicts: same },
  'monitors and strobes': { text: beside('initial $monitor("%b", a); always @(a) $strobe("%b", y);'), verdicts: same },
  'wants a memory of two gigabytes': { text: `${header}reg [7:0] r [0:2147483646]; always @(a) r[5] = a; assign y = a;\n${end}`, verdicts: ['tool-error'], says: /3 GiB of memory/ },
  'wants a vector of a hundred million bits': {
    text: `${header}reg [99999999:0] r; always @(a) r = {r, a}; assign y = a;\n${end}`,
    verdicts: ['tool-error', 'bad-input', 'equivalent', 'no-difference', 'timeout', 'inconclusive'],
  },
  'replicates a billion times': { text: `${header}wire [7:0] r = {1000000000{a}}; assign y = a;\n${end}`, verdicts: ['tool-error', 'bad-input', 'equivalent', 'no-difference', 'timeout', 'inconclusive'] },
  'generates without end': {
    text: `${buffer}genvar i; generate for (i = 0; i < 2000000000; i = i + 1) begin : g wire w; assign w = a; end endgenerate\n${end}`,
    verdicts: ['timeout', 'tool-error'],
    says: /could not be compiled|does not support/,
  },
  'generates a loop that never moves': {
    text: `${buffer}genvar i; generate for (i = 0; i < 4; i = i) begin : g wire w; assign w = a; end endgenerate\n${end}`,
    verdicts: ['timeout', 'tool-error', 'bad-input'],
  },
  'instantiates two of itself': { text: `${buffer}m one(a, ), two(a, );\n${end}`, verdicts: ['bad-input'], says: /within itself/, line: 3 },
  'doubles itself thirty times': {
    text: `${buffer}b #(30) x(a);\n${end}module b #(parameter N = 0)(input a); generate if (N > 0) begin : g b #(N - 1) l(a), r(a); end endgenerate endmodule\n`,
    verdicts: ['timeout', 'tool-error', 'bad-input'],
  },
  'forks without end': { text: beside('initial forever fork ; ; ; join_none'), verdicts: ['timeout'], says: /did not finish/ },
  'recurses in a function': {
    text: `${header}function automatic f(input b); f = f(b); endfunction\nassign y = f(a);\n${end}`,
    verdicts: ['tool-error', 'timeout', 'inconclusive', 'bad-input'],
  },
  'recurses in a constant function': {
    text: `${header}function automatic integer f(input integer b); f = f(b + 1); endfunction\nlocalparam P = f(1); wire [P:0] w; assign y = a;\n${end}`,
    verdicts: ['tool-error', 'timeout', 'inconclusive', 'bad-input'],
  },
  'loops in a constant function': {
    text: `${header}function integer f(input integer b); begin f = 0; while (b == b) f = f + 1; end endfunction\nlocalparam P = f(1); wire [P:0] w; assign y = a;\n${end}`,
    verdicts: ['tool-error', 'timeout', 'inconclusive', 'bad-input'],
  },
  'expands macros exponentially': {
    text: `\`define A0 1 +\n${Array.from({ length: 34 }, (_, index) => `\`define A${String(index + 1)} \`A${String(index)} \`A${String(index)}\n`).join('')}${beside('wire [3:0] w = `A34 0;')}`,
    verdicts: ['bad-input'],
    says: /check for macros that multiply/,
    line: 38,
  },
  'defines a macro by itself': { text: `\`define X \`X\n${beside('wire w = `X;')}`, verdicts: ['bad-input'], says: /expands to itself/, line: 4 },
  'includes itself': { text: `\`include "design.v"\n${beside('')}`, verdicts: ['bad-input'], says: /include/ },
  'shifts by a huge amount': { text: `${header}assign y = (a << 64'hffff_ffff_ffff) | a;\n${end}`, verdicts: [...same] },
  'raises to a huge power': { text: `${header}localparam [4095:0] P = 3 ** 20000000; assign y = a ^ (P[0] & 1'b0);\n${end}`, verdicts: [...same, 'timeout', 'tool-error', 'bad-input', 'inconclusive'] },

  // Ending early.
  'finishes at once': { text: beside('initial $finish;'), verdicts: ['inconclusive'], says: /\$finish/ },
  'finishes after a while': { text: beside('integer n; initial n = 0; always @(a) begin n = n + 1; if (n == 3) $finish; end'), verdicts: ['inconclusive'], says: /\$finish/ },
  'stops at once': { text: beside('initial $stop;'), verdicts: ['inconclusive'], says: /\$stop/ },
  'fails with $fatal': { text: beside('initial $fatal(1, "no");'), verdicts: ['inconclusive'], says: /\$fatal/ },
  'raises $error': { text: beside('initial $error("something");'), verdicts: same },

  // Reaching into the harness.
  'is named like the harness': {
    text: `module rtl_copilot_harness(input a, output y);\nassign y = a;\n${end}${buffer}rtl_copilot_harness h(a, );\n${end}`,
    verdicts: same,
  },
  'instantiates a module named like the instance in the harness': { text: `module side(input a, output y);\nassign y = a;\n${end}${header}side side(a, y);\n${end}`, verdicts: same },
  'assigns a variable of the harness': {
    text: `\`define H(x) rtl_copilot_\`\`x\n${beside("initial `H(harness).row = 0;")}`,
    verdicts: ['bad-input'],
    says: /Could not find variable/,
    line: 4,
  },
  'forces its own inputs': { text: `${header}assign y = a; initial force a = 1'b0;\n${end}`, verdicts: ['different', 'equivalent', 'no-difference', 'bad-input', 'tool-error'] },
  'binds itself elsewhere': { text: `${beside('')}module spy; endmodule\nbind m spy s();\n`, verdicts: ['bad-input', 'tool-error', 'equivalent', 'no-difference'] },
  'sets a parameter from below': { text: `${buffer}leaf #(3) l();\ndefparam l.P = 4;\n${end}module leaf #(parameter P = 1)(); endmodule\n`, verdicts: same },

  // Odd, and right.
  'escaped names': {
    golden: `module m(input \\a+b , output \\y.z );\nassign \\y.z = \\a+b ;\n${end}`,
    text: `module m(input \\a+b , output \\y.z );\nwire \\w[0] = \\a+b ;\nassign \\y.z = \\w[0] ;\n${end}`,
    verdicts: same,
  },
  'an escaped module name': {
    golden: buffer + end,
    text: `module \\m+1 (input a, output y);\nassign y = a;\n${end}`,
    module: 'm+1',
    verdicts: same,
  },
  'ports named like keywords': {
    golden: `module m(input logic, input bit, output do);\nassign do = logic & bit;\n${end}`,
    text: `module m(input logic, input bit, output do);\nassign do = ~(~logic | ~bit);\n${end}`,
    verdicts: same,
  },
  'ports named like the harness\'s own': {
    golden: `module m(input row, input trace, input stimulus, output sampled, output in_0);\nassign sampled = row ^ trace, in_0 = stimulus;\n${end}`,
    text: `module m(input row, input trace, input stimulus, output sampled, output in_0);\nassign sampled = trace ^ row, in_0 = ~(~stimulus);\n${end}`,
    verdicts: same,
  },
  'four thousand bits a port': { golden: wide(4096), text: wide(4096).replace('~a', '{4096{1\'b1}} ^ a'), verdicts: same },
  'five hundred ports': {
    golden: `module m(${many.map((index) => `input i${String(index)}, output o${String(index)}`).join(', ')});\n${many.map((index) => `assign o${String(index)} = ~i${String(index)};`).join('\n')}\n${end}`,
    text: `module m(${many.map((index) => `input i${String(index)}, output o${String(index)}`).join(', ')});\n${many.map((index) => `not (o${String(index)}, i${String(index)});`).join('\n')}\n${end}`,
    verdicts: same,
  },
  'letters of other alphabets': { text: `// Größe, 大きさ, размер 🙂\n${buffer}/* ∑ */ initial $display("Ω = %b 🙂", a);\n${end}`, verdicts: same },
  'carriage returns': { text: (buffer + end).replaceAll('\n', '\r\n'), verdicts: same },
  'old carriage returns alone': { text: (buffer + end).replaceAll('\n', '\r'), verdicts: [...same, 'bad-input'] },
  'no final newline': { text: (buffer + end).trimEnd(), verdicts: same },
  'a comment as the last, without newline': { text: `${buffer}${end}// done`, verdicts: same },
  'a directive as the last, without newline': { text: `${buffer}${end}\`define LAST`, verdicts: same },
  'a byte order mark': { text: `\uFEFF${buffer}${end}`, verdicts: same },
  'zero bytes': { text: `${buffer}\0\0\n${end}`, verdicts: ['bad-input'], says: /\\x00/, line: 3 },
  'zero bytes in a comment': { text: `${buffer}// \0\0\n${end}`, verdicts: [...same, 'bad-input'] },
  'an empty file': { text: '', verdicts: ['bad-input'], says: /is empty/ },
  'nothing but a comment': { text: '// nothing\n', verdicts: ['bad-input'], says: /defines no module/ },
  'text that is no Verilog': { text: '# A title\n\nSome prose, with (parentheses) and `ticks`.\n', verdicts: ['bad-input'] },
  'five megabytes in one line': { text: `${buffer.replaceAll('\n', ' ')} /* ${'x'.repeat(5_000_000)} */ endmodule`, verdicts: [...same, 'timeout'] },
  'five megabytes of code in one line': { text: `${buffer.replaceAll('\n', ' ')} ${Array.from({ length: 200_000 }, (_, index) => `wire w${String(index)} = a; `).join('')} endmodule`, verdicts: [...same, 'bad-input', 'timeout', 'inconclusive', 'tool-error'] },
  'an expression nested three thousand deep': { text: `${header}assign y = ${'('.repeat(3000)}a${')'.repeat(3000)};\n${end}`, verdicts: [...same, 'bad-input', 'tool-error'] },
  'an expression of twenty thousand operators': { text: `${header}assign y = a${' & a'.repeat(20_000)};\n${end}`, verdicts: [...same, 'bad-input', 'tool-error', 'timeout'] },
  'statements nested two thousand deep': { text: `module m(input a, output reg y);\nalways @* ${'begin '.repeat(2000)}y = a; ${'end '.repeat(2000)}\n${end}`, verdicts: [...same, 'bad-input', 'tool-error'] },
  'modules nested three hundred deep': {
    text: `${header}l0 x(a, y);\n${end}${Array.from({ length: 300 }, (_, index) => `module l${String(index)}(input a, output y); ${index === 299 ? 'assign y = a;' : `l${String(index + 1)} x(a, y);`} endmodule\n`).join('')}`,
    verdicts: same,
  },
  'random numbers with a fixed seed': {
    golden: 'module m(input a, output reg [7:0] y);\ninteger s; initial s = 7;\nalways @(a) y = $random(s);\nendmodule\n',
    text: 'module m(input a, output reg [7:0] y);\ninteger s; initial s = 7;\nalways @(a) y = $random(s);\nendmodule\n',
    verdicts: [...same],
  },
  'another time scale': { golden: `\`timescale 1ns/1ps\n${buffer}${end}`, text: `\`timescale 10us/1us\n${header}assign #1 y = a;\n${end}`, verdicts: same },
  'time scales within one file': { text: `\`timescale 1ns/1ps\n${buffer}leaf l(a);\n${end}\`timescale 1fs/1fs\nmodule leaf(input a); endmodule\n`, verdicts: same },
};
