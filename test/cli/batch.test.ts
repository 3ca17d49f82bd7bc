import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { VerifyResult } from '../../server/src/verification/verdict.ts';
import { Bench, ended, endless, flop, until, type Json } from './program.ts';

const inverter = 'module inverter(input [3:0] a, output [3:0] y); assign y = ~a; endmodule\n';
const files = {
  'flop.v': flop,
  'same.v': 'module flop(input clk, input d, output q); reg s; assign q = s; always @(posedge clk) s <= d; endmodule\n',
  'late.v': 'module flop(input clk, input d, output reg q); reg s; always @(posedge clk) begin s <= d; q <= s; end endmodule\n',
  'broken.v': flop.replace('q <= d;', 'q <= d'),
  'narrow.v': flop.replace('input d', 'input [1:0] d'),
  'inverter.v': inverter,
  'xor.v': inverter.replace('~a', "a ^ 4'hf"),
  'two of them.v': `${inverter.replace('inverter', 'other')}${inverter.replace('~a', '-a')}`,
  'pairs.txt': `# The blocks of this folder.
same.v      flop.v
xor.v       inverter.v      --no-prove
"two of them.v:inverter" $FOLDER/inverter.v \\
            --seed 3
late.v      flop.v          // one cycle late
`,
};

/** What is the same whatever else happens at the same time. */
function comparable(text: string): unknown[] {
  const results = text.trimEnd().split('\n').map((line) => JSON.parse(line) as Json<VerifyResult>);
  return results.map((result) => ({ ...result, elapsedMs: 0 }));
}

describe('a batch', () => {
  test('several DUTs of one golden: a line each in their order, a summary, and the worst verdict as the exit code', async () => {
    using bench = new Bench(files);
    const duts = ['same.v', 'late.v:flop', 'narrow.v', 'gone.v', 'broken.v'].flatMap((dut) => ['--dut', dut]);
    const { code, out, err } = await bench.run(['verify', ...duts, '--golden', 'flop.v', '--jobs', '3']);
    assert.deepEqual([code, err], [1, '']);
    const [same, late, narrow, gone, broken, summary] = out.split('\n');
    assert.equal(same, '✓ same.v against flop.v: equivalent (proved)');
    assert.match(late ?? '', /^✗ late\.v:flop against flop\.v: different: Output 'q' is [01] where [01] is expected, .*\.$/);
    assert.match(narrow ?? '', /^– narrow\.v against flop\.v: interface mismatch: .*\.$/);
    assert.match(gone ?? '', /^– gone\.v against flop\.v: bad input: DUT: File .*gone\.v does not exist or cannot be read; check the path\.$/);
    assert.match(broken ?? '', /^– broken\.v against flop\.v: bad input: broken\.v:1:\d+: .*\.$/);
    assert.match(summary ?? '', /^5 pairs in \d+\.\d s: 1 equivalent, 2 bad input, 1 interface mismatch, 1 different\.$/);
  });

  test('a list of pairs, with options of their own', async () => {
    using bench = new Bench(files);
    const { code, out, err } = await bench.run(['verify', '--pairs', 'pairs.txt'], { FOLDER: '.' });
    assert.deepEqual([code, err], [1, '']);
    const lines = out.split('\n');
    assert.equal(lines[0], '✓ same.v against flop.v: equivalent (proved)');
    assert.match(lines[1] ?? '', /^✓ xor\.v against inverter\.v: no difference for any input combination$/);
    assert.match(lines[2] ?? '', /^✗ two of them\.v:inverter against \.\/inverter\.v: different: /);
    assert.match(lines[3] ?? '', /^✗ late\.v against flop\.v: different: /);
  });

  test('one name a line where the golden is given, and all well is exit code 0', async () => {
    using bench = new Bench({ ...files, 'duts.txt': 'same.v\nflop.v\n' });
    const { code, out } = await bench.run(['verify', '--golden', 'flop.v', '--pairs', 'duts.txt', '-j1', '--no-prove']);
    assert.equal(code, 0, out);
    assert.match(out, /\n2 pairs in .*: 2 no difference\.\n$/);
  });

  test('--fix puts what it found below the line of its pair', async () => {
    const right = 'module m(input [3:0] a, b, output [4:0] y, output z); assign y = a + b; assign z = y == 9 && a[0]; endmodule\n';
    using bench = new Bench({ 'golden.v': right, 'one.v': right.replace('a + b', 'a - b'), 'two.v': right.replace('a + b', 'a').replace('y == 9', 'b') });
    const { out, code } = await bench.run(['verify', '--dut', 'one.v', '--dut', 'two.v', '--golden', 'golden.v', '--fix']);
    assert.equal(code, 1);
    const lines = out.split('\n');
    assert.equal(lines[1], '  Fix: one.v:1:68: y = a - b  →  y = a + b  (then proved equivalent)');
    assert.match(lines[3] ?? '', /^ {2}None of the \d+ small changes of the DUT makes it right\.$/);
  });

  test('--json prints an object a line, the same whatever runs at the same time, and the same as alone', async () => {
    using bench = new Bench(files);
    const run = async (...args: string[]) => (await bench.run(['verify', '--json', ...args], { FOLDER: '.' })).out;
    const [one, four] = [await run('--pairs', 'pairs.txt', '--jobs', '1'), await run('--pairs', 'pairs.txt', '--jobs', '4')];
    assert.equal(one.split('\n').length, 5);
    assert.deepEqual(comparable(four), comparable(one));
    const alone = JSON.stringify(JSON.parse(await run('--dut', 'late.v', '--golden', 'flop.v')));
    assert.deepEqual(comparable(alone)[0], comparable(one)[3]);
    assert.equal(readFileSync(`${bench.dir}/pairs.txt`, 'utf8'), files['pairs.txt']);
  });

  test('a mistake in a list is told at its line', async () => {
    using bench = new Bench({ ...files, 'list.txt': '\nsame.v flop.v late.v\n' });
    const { code, out, err } = await bench.run(['verify', '--pairs', 'list.txt']);
    assert.deepEqual([code, out], [3, '']);
    assert.match(err, /^rtl-copilot: list\.txt:2: "late\.v" is one name too many; /);
  });
});

describe('a batch is interrupted', { skip: process.platform === 'win32' ? 'signals are a matter of POSIX systems' : false }, () => {
  const hanging = { ...files, 'hang.v': endless, 'hang2.v': `${endless}\n` };
  const args = ['verify', '--golden', 'flop.v', '--dut', 'same.v', '--dut', 'hang.v', '--dut', 'hang2.v', '--jobs', '2', '--engine', 'iverilog', '--timeout', '120'];
  const running = (bench: Bench, pattern: RegExp): number => bench.processes().filter((text) => pattern.test(text)).length;

  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143], ['SIGKILL', null]] as const) {
    test(`${signal} ends every process`, async () => {
      using bench = new Bench(hanging);
      const child = bench.start(args);
      const end = ended(child);
      await until(() => running(bench, /\bvvp\b/) > 0 && running(bench, /verify-worker/) === 2);
      child.kill(signal);
      assert.equal((await end).code, code);
      await until(() => bench.processes().length === 0 && readdirSync(bench.temp).length === 0);
      bench.assertClean();
    });
  }

  test('a process that is killed costs its pair, which is said', async () => {
    using bench = new Bench({ ...files, 'hang.v': endless });
    const child = bench.start(['verify', '--golden', 'flop.v', '--dut', 'hang.v', '--dut', 'same.v', '--jobs', '1', '--engine', 'iverilog', '--timeout', '120']);
    const end = ended(child);
    await until(() => running(bench, /\bvvp\b/) > 0);
    bench.kill(/verify-worker/);
    const { code, out, err } = await end;
    assert.deepEqual([code, err], [3, '']);
    assert.match(out, /^– hang\.v against flop\.v: tool error: The process that verified this pair ended unexpectedly \(SIGKILL\), as a lack of memory would explain; the other pairs went on without it\. Verify this one alone to see more\.\n✓ same\.v against flop\.v: no difference in /);
    await until(() => bench.processes().length === 0);
    bench.assertClean();
  });
});
