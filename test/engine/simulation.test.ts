import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Clock, Reset } from '../../server/src/analysis/module.ts';
import type { CompileRequest, CompileResult } from '../../server/src/tools/iverilog.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { VerdictKind, VerifyOptions, VerifyResult } from '../../server/src/verification/verdict.ts';
import { GoldenCache } from '../../server/src/verification/golden-cache.ts';
import type { VerifyEnv } from '../../server/src/verification/session.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { design, loader } from '../unit/verification/designs.ts';
import { families } from './families.ts';

const toolbox = createToolbox({ iverilog: '', yosys: '' });
// A folder for this file alone, so that what is left behind is its own.
const scratch = mkdtempSync(path.join(tmpdir(), 'engine-test-'));
process.env['TMPDIR'] = scratch;
after(() => {
  rmSync(scratch, { recursive: true, force: true });
});
const plainOptions: VerifyOptions = { clocks: [], resets: [], cycles: 4000, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: false };

interface Case {
  readonly golden: string;
  readonly dut: string;
  readonly clocks?: Clock[];
  readonly resets?: Reset[];
  readonly options?: Partial<VerifyOptions>;
}

function run({ golden, dut, clocks, resets, options }: Case, signal?: AbortSignal): Promise<VerifyResult> {
  const parts = { ...(clocks === undefined ? {} : { clocks }), ...(resets === undefined ? {} : { resets }) };
  const load = loader({ '/golden.v': design(golden, { ...parts, file: '/golden.v' }), '/dut.v': design(dut, { ...parts, file: '/dut.v' }) });
  const request = { golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options: { ...plainOptions, ...options } };
  return verify(request, { load, toolbox }, signal === undefined ? {} : { signal });
}

async function check(given: Case, verdict: VerdictKind): Promise<VerifyResult> {
  const result = await run(given);
  assert.equal(result.verdict, verdict, `${result.reason} ${result.problems.map((problem) => problem.message).join(' ')}`);
  assert.deepEqual(readdirSync(scratch), [], 'no temporary directory is left');
  return result;
}

for (const [name, family] of Object.entries(families)) {
  const parts = { ...(family.clocks === undefined ? {} : { clocks: family.clocks }), ...(family.resets === undefined ? {} : { resets: family.resets }) };
  test(`${name}: an equal rewrite shows no difference`, async () => {
    const result = await check({ golden: family.golden, dut: family.same, ...parts }, 'no-difference');
    assert.ok((result.evidence?.comparisons ?? 0) > 0);
    assert.equal(result.evidence?.observedOutputBits, 1);
  });
  test(`${name}: faults are found either way round`, async () => {
    for (const [fault, dut] of Object.entries(family.faults)) {
      const result = await check({ golden: family.golden, dut, ...parts }, 'different');
      assert.ok(result.mismatch, fault);
      assert.ok(result.witness.length > 0);
      const last = result.witness.at(-1);
      assert.deepEqual([last?.expected[result.mismatch.output], last?.actual[result.mismatch.output]], [result.mismatch.expected, result.mismatch.actual]);
      const swapped = await run({ golden: dut, dut: family.golden, ...parts });
      assert.equal(swapped.verdict, 'different', `${fault}, swapped`);
    }
  });
}

test('a witness is short and its inputs are plain', async () => {
  const family = families['synchronous reset, active high'];
  assert.ok(family?.resets);
  const result = await check({ golden: family.golden, dut: family.faults['reset value'] ?? '', resets: family.resets }, 'different');
  assert.ok(result.witness.length <= 12, `${String(result.witness.length)} samples`);
});

test('before its first edge a clock is idle, never unknown', async () => {
  const text = (edge: string, operator: string): string => `module m(input clk, input d, output q);\nreg s = 1;\nalways @(${edge} clk) s <= d;\nassign q = ${operator}s;\nendmodule`;
  for (const [edge, idle] of [['posedge', '0'], ['negedge', '1']] as const) {
    const clocks: Clock[] = [{ port: 'clk', bit: undefined, edges: [edge] }];
    const { witness, mismatch } = await check({ golden: text(edge, ''), dut: text(edge, '~'), clocks }, 'different');
    assert.deepEqual(witness.map(({ inputs }) => inputs['clk']), [idle]);
    assert.deepEqual([mismatch?.expected, mismatch?.actual], ['1', '0'], edge);
  }
});

test('both sides may define the same submodule differently, and macros do not mix', async () => {
  const golden = '`define W 4\nmodule m(input [3:0] a, output [3:0] y);\nsub s(a, y);\nendmodule\nmodule sub(input [`W-1:0] a, output [`W-1:0] y);\nassign y = ~a;\nendmodule';
  const dut = '`define W 2\nmodule m(input [3:0] a, output [3:0] y);\nsub lo(a[1:0], y[1:0]), hi(a[3:2], y[3:2]);\nendmodule\nmodule sub(input [`W-1:0] a, output [`W-1:0] y);\nassign y = ~a;\nendmodule';
  await check({ golden, dut }, 'no-difference');
});

test('old sources may use later keywords as names, and ports may be named like keywords', async () => {
  const golden = 'module m(input bit, input \\reg , output do);\nassign do = bit & \\reg ;\nendmodule';
  const load = (text: string) => {
    const made = design('module m(input bit, input x, output do);\nendmodule', { clocks: [] });
    const ports = made.module.ports.map((port) => (port.name === 'x' ? { ...port, name: 'reg' } : port));
    return { ...made, module: { ...made.module, ports }, sources: [{ file: '/golden.v', text }] };
  };
  const request = { golden: { file: '/g.v' }, dut: { file: '/d.v' }, options: plainOptions };
  const result = await verify(request, { load: loader({ '/g.v': load(golden), '/d.v': load(golden.replace('&', '|')) }), toolbox }, {});
  assert.equal(result.verdict, 'different', result.reason);
});

for (const name of ['logic', 'bit', 'cell', 'instance', 'uwire', 'global']) {
  test(`old sources may have a net called '${name}'`, async () => {
    const golden = `module m(input a, output y);\nwire ${name};\nassign ${name} = a;\nassign y = ~${name};\nendmodule`;
    await check({ golden, dut: golden.replace('~', '') }, 'different');
  });
}

test('a word of an array is read although an automatic function has a block', async () => {
  const golden = 'module m(input clk, input [3:0] a, output [3:0] y);\nreg [3:0] d [0:1];\nalways @(posedge clk) begin d[0] <= ~a; d[1] <= d[0]; end\nassign y = d[1];\nendmodule\n';
  const body = 'for (int i = 0; i < 4; i++) inv[i] = !x[i];';
  const dut = golden.replace('reg [3:0] d', `function automatic [3:0] inv(input [3:0] x); ${body} endfunction\nreg [3:0] d`).replace('~a', 'inv(a)');
  for (const [one, other] of [[golden, dut], [dut, golden]] as const) await check({ golden: one, dut: other }, 'no-difference');
  const wrong = await check({ golden: dut, dut: golden.replace('~a', '{a[3], ~a[2:0]}') }, 'different');
  assert.match(wrong.mismatch?.actual ?? '', /^[01]+$/);
});

test('an operator assignment to a bit or part that a variable selects is not lost behind a comparison', async () => {
  const golden = (plus: string): string => `module m(input [1:0] k, input c, input [11:0] a, output reg [11:0] y);\nalways @* begin y = a; if (c == 1) ${plus} end\nendmodule\n`;
  const plain = golden('y[3 * k +: 3] = a[3 * k +: 3] + 3\'d1;');
  for (const dut of [golden('y[3 * k +: 3] += 3\'d1;'), golden('y[3 * k +: 3]++;')]) {
    await check({ golden: plain, dut }, 'no-difference');
    await check({ golden: dut, dut: plain.replace('3\'d1', '3\'d0') }, 'different');
  }
  await check({ golden: golden('y[k] = !a[k];'), dut: golden('y[k] ^= 1\'b1;') }, 'no-difference');
});

test('ports that the analysis saw wrong are corrected by the compiler', async () => {
  const golden = 'module m(input [3:0] a, output [3:0] y);\nassign y = a;\nendmodule';
  const made = design(golden);
  const blurred = { ...made, module: { ...made.module, ports: made.module.ports.map((port) => ({ ...port, width: port.name === 'a' ? undefined : 2 })) } };
  const request = { golden: { file: '/g.v' }, dut: { file: '/d.v' }, options: plainOptions };
  const same = await verify(request, { load: loader({ '/g.v': blurred, '/d.v': made }), toolbox }, {});
  assert.equal(same.verdict, 'no-difference', same.reason);
  assert.equal(same.evidence?.comparisons, 32);
});

test('a design that never settles ends with a timeout that names the side', async () => {
  const golden = 'module m(input a, output y);\nassign y = a;\nendmodule';
  const dut = 'module m(input a, output reg y);\ninitial y = 0;\nreg t;\nalways @(a) begin t = 0; while (a === 1\'b1) t = ~t; y = a; end\nendmodule';
  const result = await check({ golden, dut, options: { timeoutMs: 3000 } }, 'timeout');
  assert.match(result.reason, /^The DUT did not finish/);
  const swapped = await check({ golden: dut, dut: golden, options: { timeoutMs: 3000 } }, 'timeout');
  assert.match(swapped.reason, /^The reference did not finish/);
});

test('a design that prints without end, or ends the simulation, is inconclusive', async () => {
  const golden = 'module m(input a, output y);\nassign y = a;\nendmodule';
  const printing = 'module m(input a, output y);\nassign y = a;\ninitial while (1) $display("again and again and again and again and again and again");\nendmodule';
  assert.match((await check({ golden, dut: printing, options: { timeoutMs: 20_000 } }, 'inconclusive')).reason, /printed text without end/);
  const finishing = 'module m(input a, output y);\nassign y = a;\nalways @(posedge a) $finish;\nendmodule';
  assert.match((await check({ golden, dut: finishing }, 'inconclusive')).reason, /ended the simulation itself/);
});

test('what does not compile is the user\'s problem with its place, in the user\'s own file', async () => {
  const golden = 'module m(input a, output y);\nassign y = a;\nendmodule';
  const result = await check({ golden, dut: 'module m(input a, output y);\nassign y = a\nendmodule' }, 'bad-input');
  assert.match(result.reason, /^The DUT does not compile: /);
  const [problem] = result.problems;
  assert.deepEqual([problem?.side, problem?.file, problem?.line], ['dut', '/dut.v', 2]);
});

test('an interface mismatch, a module without outputs, and a wrong clock name are said as such', async () => {
  const golden = 'module m(input a, output y);\nassign y = a;\nendmodule';
  const narrow = await check({ golden, dut: 'module m(input a, output [1:0] y);\nassign y = {a, a};\nendmodule' }, 'interface-mismatch');
  assert.deepEqual(narrow.interfaceIssues.map((issue) => issue.kind), ['width']);
  await check({ golden: 'module m(input a);\nendmodule', dut: 'module m(input a);\nendmodule' }, 'inconclusive');
  assert.match((await check({ golden, dut: golden, options: { clocks: ['clock'] } }, 'bad-input')).reason, /'clock' is named as a clock or reset but is no input of 'm'; its inputs are a\./);
});

test('constructs that reach outside the simulation are refused before anything runs', async () => {
  const golden = 'module m(input a, output y);\nassign y = a;\nendmodule';
  const result = await check({ golden, dut: 'module m(input a, output y);\nassign y = a;\ninitial $system("touch /tmp/never");\nendmodule' }, 'bad-input');
  assert.match(result.reason, /'\$system' reaches outside/);
  assert.equal(result.problems[0]?.line, 2);
});

test('cancelling ends the verification at once', async () => {
  const golden = 'module m(input a, output y);\nassign y = a;\nendmodule';
  const endless = 'module m(input a, output y);\nassign y = a;\ninitial begin : b reg t; t = 0; while (1) t = ~t; end\nendmodule';
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 600);
  const started = performance.now();
  const result = await run({ golden, dut: endless }, controller.signal);
  assert.equal(result.verdict, 'cancelled');
  assert.ok(performance.now() - started < 25_000);
});

test('the same seed gives the same result, and the golden against itself is clean for any seed', async () => {
  const family = families['asynchronous reset, active low'];
  assert.ok(family?.resets);
  const run1 = await check({ golden: family.golden, dut: family.faults['synchronous'] ?? '', resets: family.resets }, 'different');
  const run2 = await check({ golden: family.golden, dut: family.faults['synchronous'] ?? '', resets: family.resets }, 'different');
  assert.deepEqual(run1.mismatch, run2.mismatch);
  assert.deepEqual(run1.evidence, run2.evidence);
  for (const seed of [2, 3, 4]) await check({ golden: family.golden, dut: family.golden, resets: family.resets, options: { seed } }, 'no-difference');
});

test('a design without inputs is watched over time, in the middle of its time units', async () => {
  const clock = (half: number): string => `module m(output reg c);\ninitial c = 0;\nalways #${String(half)} c = ~c;\nendmodule`;
  await check({ golden: clock(5), dut: clock(5).replace('always #5 c = ~c;', 'always begin #5 c = 1; #5 c = 0; end') }, 'no-difference');
  await check({ golden: clock(5), dut: clock(4) }, 'different');
  const scaled = (scale: string, half: number): string => `\`timescale ${scale}\n${clock(half)}`;
  await check({ golden: scaled('1ns/1ns', 50), dut: scaled('10ns/1ps', 5) }, 'no-difference');
  await check({ golden: scaled('1ns/1ns', 5), dut: scaled('10ns/1ps', 5) }, 'different');
});

test('a testbench repeats the verdict without this tool', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'testbench-'));
  const family = families['synchronous reset, active high'];
  assert.ok(family?.resets);
  for (const [text, verdict, word] of [[family.golden, 'no-difference', 'PASS'], [family.faults['no wrap'] ?? '', 'different', 'FAIL']] as const) {
    const testbenchFile = path.join(directory, 'testbench.v');
    const result = await run({ golden: family.golden, dut: text, resets: family.resets, options: { testbenchFile } });
    assert.equal(result.verdict, verdict);
    assert.equal(result.artefacts.testbench, testbenchFile);
    writeFileSync(path.join(directory, 'dut.v'), text);
    const simulator = await toolbox.iverilog();
    assert.ok(simulator.kind === 'found');
    const compiled = await simulator.tool.compile({ dir: directory, files: ['testbench.v', 'dut.v'], top: 'rtl_copilot_testbench', generation: '2005', output: 'out.vvp', timeoutMs: 20_000 });
    assert.equal(compiled.kind, 'compiled');
    const simulated = await simulator.tool.simulate({ vvpFile: 'out.vvp', cwd: directory, timeoutMs: 20_000 });
    assert.ok(simulated.kind === 'exited');
    assert.match(simulated.stdout, new RegExp(`^${word}: `, 'm'));
  }
  rmSync(directory, { recursive: true });
});

test('output bits that the golden never drives to a value are named as such', async () => {
  const golden = 'module m(input a, output [3:0] y);\nassign y[1:0] = {a, ~a};\nendmodule';
  const result = await check({ golden, dut: golden.replace('y[1:0] = {a, ~a}', 'y = {2\'b0, a, ~a}') }, 'no-difference');
  assert.match(result.notes.join(' '), /50 % of the output bits were never known/);
});

test('a golden that did not change is not run again, and the verdict is the same', async () => {
  const family = families['synchronous reset, active high'];
  assert.ok(family?.resets);
  const { golden, same, faults, resets } = family;
  const found = await toolbox.iverilog();
  assert.ok(found.kind === 'found');
  const started: string[] = [];
  const counting = { ...found.tool, simulate: (request: Parameters<typeof found.tool.simulate>[0]) => (started.push(request.cwd), found.tool.simulate(request)) };
  const env = (dut: string): VerifyEnv => ({
    load: loader({ '/golden.v': design(golden, { resets, file: '/golden.v' }), '/dut.v': design(dut, { resets, file: '/dut.v' }) }),
    toolbox: { ...toolbox, iverilog: () => Promise.resolve({ ...found, tool: counting }) },
    cache,
  });
  const cache = new GoldenCache();
  const request = { golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options: plainOptions };
  const first = await verify(request, env(same), {});
  const runsOf = (side: string): number => started.filter((cwd) => path.basename(path.dirname(cwd)).startsWith(side)).length;
  assert.deepEqual([runsOf('golden'), runsOf('dut')], [2, 2]);
  const again = await verify(request, env(same), {});
  assert.deepEqual([runsOf('golden'), runsOf('dut')], [2, 4]);
  assert.deepEqual({ ...again, elapsedMs: 0 }, { ...first, elapsedMs: 0 });
  const broken = await verify(request, env(faults['no wrap'] ?? ''), {});
  assert.deepEqual({ ...broken, elapsedMs: 0 }, { ...(await verify(request, { ...env(faults['no wrap'] ?? ''), cache: new GoldenCache() }, {})), elapsedMs: 0 });
  assert.equal(broken.verdict, 'different');
});

test('a known golden is not compiled again where its power-on state is drawn', async () => {
  const found = await toolbox.iverilog();
  assert.ok(found.kind === 'found');
  const compiled: string[] = [];
  const counting = { ...found.tool, compile: (request: CompileRequest) => (compiled.push(request.dir), found.tool.compile(request)) };
  const cache = new GoldenCache();
  const shift = 'module m(input clk, input en, output reg q, output reg r);\nalways @(posedge clk) begin q <= en; r <= q; end\nendmodule';
  const verdictOn = async (dut: string): Promise<VerdictKind> => {
    const clocking = { clocks: [{ port: 'clk', bit: undefined, edges: ['posedge'] }] } satisfies { clocks: Clock[] };
    const load = loader({ '/golden.v': design(shift, { ...clocking, file: '/golden.v' }), '/dut.v': design(dut, { ...clocking, file: '/dut.v' }) });
    const request = { golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options: { ...plainOptions, brief: true } };
    return (await verify(request, { load, toolbox: { ...toolbox, iverilog: () => Promise.resolve({ ...found, tool: counting }) }, cache }, {})).verdict;
  };
  const ofGolden = (): number => compiled.filter((dir) => dir.split(path.sep).some((part) => part.startsWith('golden'))).length;
  assert.equal(await verdictOn(shift.replace('r <= q', 'r <= ~q')), 'different');
  const [before, all] = [ofGolden(), compiled.length];
  assert.equal(before, 2);
  assert.equal(await verdictOn(shift.replace('r <= q', 'r <= en')), 'different');
  assert.deepEqual([ofGolden(), compiled.length], [before, all + 2]);
});

test('a counter that wraps after many thousand cycles is held long enough', async () => {
  const counter = (wrap: number): string =>
    `module m(input clk, input rst, input en, output reg tick);\nreg [15:0] n;\nalways @(posedge clk) if (rst) begin n <= 0; tick <= 0; end else if (en) begin tick <= n == 16'd${String(wrap)}; n <= n == 16'd${String(wrap)} ? 16'd0 : n + 16'd1; end\nendmodule`;
  const slow = counter(40_000).replace('output reg tick', 'output reg tick, output slow').replace('reg [15:0] n;', 'reg [15:0] n;\nassign slow = n[3];');
  const resets: Reset[] = [{ port: 'rst', bit: undefined, active: 'high', kind: 'sync' }];
  const result = await check({ golden: slow, dut: slow.replaceAll('40000', '40001'), resets, options: { cycles: undefined, timeoutMs: 60_000 } }, 'different');
  assert.ok((result.mismatch?.cycle ?? 0) > 40_000);
});

test('what no simulator takes is no equivalent, whatever a prover makes of it', async () => {
  const golden = 'module m(input clk, input d, output reg q);\nalways @(posedge clk) q <= d;\nendmodule';
  const result = await check({ golden, dut: golden.replace('output reg', 'output'), options: { prove: true } }, 'bad-input');
  assert.match(result.reason, /'q' is no variable.*declare it as reg or logic/);
});

test('a compiled simulation in a form that nobody can look through is not run, and that is no fault of the design', async () => {
  const found = await toolbox.iverilog();
  assert.ok(found.kind === 'found');
  const later = {
    ...found,
    tool: {
      ...found.tool,
      version: '99.0',
      compile: async (request: CompileRequest): Promise<CompileResult> => {
        const result = await found.tool.compile(request);
        if (result.kind === 'compiled') writeFileSync(result.vvpFile, readFileSync(result.vvpFile, 'latin1').replaceAll('%vpi_call', '%task_call').replaceAll(', "$', ', "'), 'latin1');
        return result;
      },
    },
  };
  const text = 'module m(input a, output y); assign y = a; endmodule';
  const load = loader({ '/golden.v': design(text, { file: '/golden.v' }), '/dut.v': design(text, { file: '/dut.v' }) });
  const request = { golden: { file: '/golden.v' }, dut: { file: '/dut.v' }, options: { ...plainOptions, engine: 'iverilog' as const } };
  const result = await verify(request, { load, toolbox: { ...toolbox, iverilog: () => Promise.resolve(later) } }, {});
  assert.equal(result.verdict, 'tool-error', result.reason);
  assert.match(result.reason, /Icarus Verilog 99\.0 writes compiled simulations in a form that RTL Copilot cannot look through, so it does not run them/);
});
