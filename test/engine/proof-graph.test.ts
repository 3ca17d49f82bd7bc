/** The graph that proofs are made on, against what Icarus Verilog computes. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { run } from '../../server/src/base/process.ts';
import { withTempDir } from '../../server/src/base/tempdir.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import { guardIndices } from '../../server/src/verification/proof/guard.ts';
import { makeMiter, type Miter } from '../../server/src/verification/proof/graph.ts';
import { readNetlist } from '../../server/src/verification/proof/netlist.ts';
import { Random } from '../../server/src/verification/stimulus/random.ts';

const toolbox = createToolbox({ iverilog: '', yosys: '' });
const INPUTS = { a: 8, b: 8, c: 5, d: 3, e: 1 } as const;
type Input = keyof typeof INPUTS;

async function graphOf(text: string): Promise<Miter> {
  const yosys = await toolbox.yosys();
  assert.ok(yosys.kind === 'found');
  const script = 'read_verilog -mem2reg -sv m.sv\nhierarchy -check -top m\nproc -norom\nsetundef -undriven -undef\nopt_clean\nwrite_json m.json\n';
  const result = await yosys.tool.run(script, { 'm.sv': text }, { outputs: ['m.json'], timeoutMs: 60_000 });
  assert.ok(result.kind === 'exited' && result.ok, JSON.stringify(result));
  const netlist = readNetlist(result.outputs['m.json'] ?? '', 'm');
  const miter = netlist && makeMiter({ golden: netlist, dut: netlist, ticks: undefined }, false);
  assert.ok(miter, 'the graph could not be made');
  return miter;
}

/** Output values as text of one line a vector, ports in the order of `outputs`, each printed with %b. */
async function simulate(text: string, vectors: readonly Readonly<Record<Input, bigint>>[], outputs: readonly string[]): Promise<string[][]> {
  const iverilog = await toolbox.iverilog();
  assert.ok(iverilog.kind === 'found');
  const { tool } = iverilog;
  const names = Object.keys(INPUTS) as Input[];
  const steps = vectors.map((vector) => `${names.map((name) => `${name} = ${INPUTS[name]}'d${vector[name]};`).join(' ')} #1 $display("${outputs.map(() => '%b').join(' ')}", ${outputs.join(', ')});`);
  const bench = `module bench; ${names.map((name) => `reg [${INPUTS[name] - 1}:0] ${name};`).join(' ')} ${outputs.map((name) => `wire [11:0] ${name};`).join(' ')}
    m u(${[...names, ...outputs].map((name) => `.${name}(${name})`).join(', ')}); initial begin ${steps.join('\n')} end endmodule`;
  return withTempDir(async (dir) => {
    await writeFile(path.join(dir, 'm.sv'), text);
    await writeFile(path.join(dir, 'bench.sv'), bench);
    const compiled = await tool.compile({ dir, files: ['bench.sv', 'm.sv'], top: 'bench', generation: '2012', output: 'o.vvp', timeoutMs: 60_000 });
    assert.ok(compiled.kind === 'compiled', JSON.stringify(compiled));
    const ran = await run(tool.paths.vvp, ['-n', compiled.vvpFile], { cwd: dir, timeoutMs: 60_000 });
    assert.ok(ran.kind === 'exited');
    return ran.stdout.trim().split('\n').map((line) => line.split(' '));
  });
}

const BINARY = ['+', '-', '*', '/', '%', '&', '|', '^', '~^', '<<', '>>', '<<<', '>>>', '<', '<=', '>', '>=', '==', '!=', '===', '!==', '&&', '||'];
const PAIRS = [['a', 'b'], ['sa', 'sb'], ['sa', 'd'], ['sc', 'a'], ['c', "8'sh8x"]] as const;

/** A random expression; operands are inputs, constants and unknown bits. */
function expression(random: Random, depth: number): string {
  const pick = <T>(choices: readonly T[]): T => choices[random.below(choices.length)] as T;
  if (depth === 0) return pick(['a', 'b', 'c', 'd', 'e', 'sa', 'sb', 'sc', "4'd9", "8'hf0", "(-6'sd3)", "5'b1x0x1", 'a[5:2]', 'b[d]', 'a[d +: 3]', 'c[e]', 'b[c -: 2]', 'u[c]', 'u[sc -: 3]', 'v[d]', 'v[sc +: 2]', 'n[sc]', 'n[c -: 2]', "v[{d, 1'bx}]"]);
  const operand = (): string => expression(random, depth - 1);
  const word = pick([...BINARY, '?:', '~', '-u', '!', 'r&', 'r|', 'r^', '{}', 'signed', '{{}}']);
  switch (word) {
    case '?:':
      return `(${operand()} ? ${operand()} : ${operand()})`;
    case '~':
    case '!':
      return `(${word} ${operand()})`;
    case '-u':
      return `(- ${operand()})`;
    case 'r&':
    case 'r|':
    case 'r^':
      return `(${word.slice(1)} (${operand()}))`;
    case '{}':
      return `{${operand()}, ${operand()}}`;
    case '{{}}':
      return `{2{${operand()}}}`;
    case 'signed':
      return `$signed(${operand()})`;
    default:
      return `(${operand()} ${word} ${operand()})`;
  }
}

function moduleOf(expressions: readonly string[]): string {
  const ports = [...Object.entries(INPUTS).map(([name, width]) => `input [${width - 1}:0] ${name}`), ...expressions.map((_, index) => `output [11:0] y${index}`)];
  return `module m(${ports.join(', ')});
    wire signed [7:0] sa = a, sb = b; wire signed [4:0] sc = c; wire [7:4] u = a; wire [2:6] v = b; wire [5:-2] n = a;
    ${expressions.map((text, index) => `assign y${index} = ${text};`).join('\n')}
    endmodule\n`;
}

function randomVectors(random: Random, count: number): Record<Input, bigint>[] {
  return Array.from({ length: count }, () => Object.fromEntries(Object.entries(INPUTS).map(([name, width]) => [name, BigInt(random.below(2 ** width))])) as Record<Input, bigint>);
}

function text(vector: Readonly<Record<Input, bigint>>): string {
  return Object.entries(vector).map(([name, value]) => `${name}=${value}`).join(' ');
}

/** Values of `y0`, `y1`, … as the graph has them for the golden and for the DUT, most significant bit first. What the DUT may choose is random. */
function evaluate({ aig, inputs, outputs }: Miter, vectors: readonly Readonly<Record<Input, bigint>>[], random: Random): { readonly golden: string; readonly dut: string }[][] {
  const frames = vectors.map((vector) => [
    ...inputs.map(({ port, index }) => ((vector[port as Input] >> BigInt(index)) & 1n) === 1n),
    ...Array.from({ length: 2000 }, () => random.below(2) === 1),
  ]);
  const ordered = [...outputs].sort((x, y) => Number(x.port.slice(1)) - Number(y.port.slice(1)));
  const wanted = ordered.flatMap(({ golden, dut }) => golden.flatMap(({ one, zero }, bit) => [one, zero, dut[bit] ?? 0]));
  return (aig.simulate(frames, wanted) ?? []).map((values) => {
    let next = 0;
    return ordered.map((output) => {
      const bits = output.golden.map(() => {
        const [one, zero, dut] = values.slice(next, (next += 3));
        return { golden: one === true ? '1' : zero === true ? '0' : 'x', dut: dut === true ? '1' : '0' };
      });
      bits.reverse();
      return { golden: bits.map(({ golden }) => golden).join(''), dut: bits.map(({ dut }) => dut).join('') };
    });
  });
}

for (const seed of [1, 2, 3]) {
  test(`every operator means in the graph what it means in simulation, unknown bits included, seed ${seed}`, async () => {
    const random = new Random(seed);
    const expressions = [
      ...BINARY.flatMap((word) => PAIRS.map(([left, right]) => `${left} ${word} ${right}`)),
      ...Array.from({ length: 80 }, (_, index) => expression(random, 2 + (index % 2))),
    ];
    const source = moduleOf(expressions);
    const vectors = randomVectors(random, 12);
    const [miter, simulated] = [await graphOf(source), await simulate(source, vectors, expressions.map((_, index) => `y${index}`))];
    evaluate(miter, vectors, random).forEach((values, at) => {
      values.forEach(({ golden, dut }, index) => {
        const expected = simulated[at]?.[index] ?? '';
        const where = `${expressions[index]} for ${text(vectors[at] as Record<Input, bigint>)}: ${expected} in simulation, ${golden} and ${dut} in the graph`;
        assert.ok(Array.from(expected).every((bit, place) => bit === 'x' || bit === golden[place]), where);
        // Whatever unknown bits become, what is known stays; but `===` sees that they are unknown.
        if (!/[!=]==/.test(expressions[index] ?? '')) assert.ok(Array.from(golden).every((bit, place) => bit === 'x' || bit === dut[place]), where);
      });
    });
  });
}

/** Ranges of memories; Icarus Verilog mistakes an index without sign for one below zero where all are. */
const RANGES = ['0:7', '7:0', '0:4', '5:0', '3:7', '9:4', '-2:5', '3:-4', '0:0', '5:5', '8', '5', '0:2 * 4 - 1'];
const INDICES = ['a', 'c', 'd', 'e', 'sa', 'sc', 'c[2:0]', 'd + 1', 'sc - 2', '-d', '~d', '$signed(d)', '{e, d}', 'a[5:2] * 2', 'e ? sc : sa'];
/** Beyond an inner dimension Icarus Verilog goes on in the next row, which is not what the standard says. */
const INNER = ['a[1:0]', '~c[4:3]', '-d[1:0]', 'e', '3'];

for (const seed of [1, 2]) {
  test(`an index that may lie beyond a memory means in the graph what it means in simulation, seed ${seed}`, async () => {
    const random = new Random(seed);
    const pick = (choices: readonly string[]): string => choices[random.below(choices.length)] ?? '';
    const bodies = Array.from({ length: 40 }, (_, at) => {
      const [range, write, read] = [pick(RANGES), pick(INDICES), pick([...INDICES, "{1'bx, d}", 'd[c]'])];
      const place = pick(['', '[d]', '[5:2]']);
      const grid = at % 4 === 0;
      const [declared, written, wanted] = grid ? [`[${range}][3:0]`, `[${write}][${pick(INNER)}]`, `[${read}][${pick(INNER)}]`] : [`[${range}]`, `[${write}]${place}`, `[${read}]`];
      const fill = grid ? `for (j = 0; j < 4; j = j + 1) t${at}[i][j] = a + i * 4 + j;` : `t${at}[i] = a + i * 7;`;
      return { declared, text: `reg [7:0] t${at} ${declared}; always @* begin : b${at} integer i, j; for (i = -5; i < 12; i = i + 1) ${fill} t${at}${written} = b; y${at} = t${at}${wanted}; end`, said: `${declared} ${written} ${wanted}` };
    });
    const ports = [...Object.entries(INPUTS).map(([name, width]) => `input [${width - 1}:0] ${name}`), ...bodies.map((_, at) => `output reg [11:0] y${at}`)];
    const source = `module m(${ports.join(', ')}); wire signed [7:0] sa = a; wire signed [4:0] sc = c;\n${bodies.map(({ text: body }) => body).join('\n')}\nendmodule\n`;
    const vectors = randomVectors(random, 30);
    const guarded = guardIndices(source);
    assert.ok(guarded !== undefined);
    const [miter, simulated] = [await graphOf(guarded), await simulate(source, vectors, bodies.map((_, at) => `y${at}`))];
    evaluate(miter, vectors, random).forEach((values, at) => {
      values.forEach(({ golden, dut }, index) => {
        const expected = simulated[at]?.[index] ?? '';
        const where = `${bodies[index]?.said ?? ''} for ${text(vectors[at] as Record<Input, bigint>)}: ${expected} in simulation, ${golden} and ${dut} in the graph`;
        assert.ok(Array.from(expected).every((bit, place) => bit === 'x' || bit === golden[place]), where);
        assert.ok(Array.from(golden).every((bit, place) => bit === 'x' || bit === dut[place]), where);
      });
    });
  });
}
