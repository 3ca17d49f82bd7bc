/**
 * A large made-up design: many files of modules that instantiate each other, packages, headers, of every size. It is the same for the
 * same seed, and valid, so that other tools read it too.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomFrom } from '../test/unit/syntax/mistakes.ts';

export interface CorpusFile {
  /** Relative, with forward slashes. */
  readonly name: string;
  readonly text: string;
}

/** Files with about `lines` lines in all. */
export function makeCorpus(lines: number, seed: number): CorpusFile[] {
  const random = randomFrom(seed);
  const files: CorpusFile[] = [{ name: 'include/common.svh', text: '`ifndef COMMON_SVH\n`define COMMON_SVH\n`define WIDTH 16\n`define RESET_VALUE {`WIDTH{1\'b0}}\n`endif\n' }];
  const leaves: string[] = [];
  for (let count = 0; count < lines; ) {
    const name = `block_${files.length}`;
    const blocks = 4 + Math.floor(random() ** 3 * 60);
    // A third of the modules instantiates nothing, and only those are instantiated: hierarchies stay as small as the files.
    const isLeaf = files.length % 3 === 1;
    const text = moduleText(name, blocks, isLeaf ? [] : leaves.slice(-20), random);
    if (isLeaf) leaves.push(name);
    files.push({ name: `rtl/unit_${Math.floor(files.length / 25)}/${name}.sv`, text });
    count += text.split('\n').length;
  }
  return files;
}

function moduleText(name: string, blocks: number, leaves: readonly string[], random: () => number): string {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const body: string[] = [];
  for (let at = 0; at < blocks; at++) {
    const kind = random();
    const leaf = pick(leaves);
    if (kind < 0.25) body.push(`  wire [\`WIDTH-1:0] mix_${at} = (stage[${at % 8}] ^ data) + ${at}; // mixes stage ${at % 8}`, '');
    else if (kind < 0.55) body.push(...clocked(at, random));
    else if (kind < 0.75) body.push(...selector(at));
    else if (leaf !== undefined && kind < 0.9) body.push(`  ${leaf} #(.DEPTH(${1 + (at % 4)})) u_${at} (`, '      .clk(clk),', '      .rst_n(rst_n),', `      .data(stage[${at % 8}]),`, '      .valid(valid),', `      .result(from_${at}),`, '      .ready()', '  );', `  wire [\`WIDTH-1:0] from_${at};`, '');
    else body.push('  generate', `    for (g = 0; g < 4; g = g + 1) begin : lanes_${at}`, `      assign lane[g] = data[g] & stage[${at % 8}][g];`, '    end', '  endgenerate', '');
  }
  const declared = body.filter((line) => line.includes('from_') && line.trimStart().startsWith('wire'));
  const rest = body.filter((line) => !declared.includes(line));
  return [
    '`include "common.svh"',
    '',
    `// ${name}: made up for measurements.`,
    `module ${name} #(`,
    '    parameter DEPTH = 2',
    ') (',
    '    input wire clk,',
    '    input wire rst_n,',
    '    input wire [`WIDTH-1:0] data,',
    '    input wire valid,',
    '    output wire [`WIDTH-1:0] result,',
    '    output wire ready',
    ');',
    '  reg [`WIDTH-1:0] stage [0:7];',
    '  reg [3:0] count;',
    '  wire [3:0] lane;',
    '  genvar g;',
    ...declared,
    '  assign result = stage[0];',
    '  assign ready = valid & (count != 4\'d0);',
    '',
    ...rest,
    'endmodule',
    '',
  ].join('\n');
}

function clocked(at: number, random: () => number): string[] {
  const stage = at % 8;
  return [
    '  always @(posedge clk or negedge rst_n) begin',
    '    if (!rst_n) begin',
    `      stage[${stage}] <= \`RESET_VALUE;`,
    random() < 0.3 ? "      count <= 4'd0;" : '      // nothing else is reset',
    '    end else if (valid) begin',
    `      stage[${stage}] <= stage[${(stage + 1) % 8}] + data;`,
    '    end',
    '  end',
    '',
  ];
}

function selector(at: number): string[] {
  return [
    `  reg [\`WIDTH-1:0] chosen_${at};`,
    '  always @(*) begin',
    '    case (count)',
    ...Array.from({ length: 5 }, (_, value) => `      4'd${value}: chosen_${at} = stage[${value}] & {\`WIDTH{valid}};`),
    `      default: chosen_${at} = data;`,
    '    endcase',
    '  end',
    '',
  ];
}

export function writeCorpus(dir: string, files: readonly CorpusFile[]): void {
  for (const { name, text } of files) {
    const file = path.join(dir, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
