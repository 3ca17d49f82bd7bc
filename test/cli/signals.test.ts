import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Bench, ended, endless, flop, noPrograms, sides, until } from './program.ts';

/** Two multipliers that no prover decides in a few seconds. */
const multiply = (text: string) => `module mul(input [23:0] a, b, output [47:0] y); assign y = ${text}; endmodule\n`;

describe('interrupted', { skip: process.platform === 'win32' ? 'signals are a matter of POSIX systems' : false }, () => {
  const interrupt = (name: string, code: number, signal: NodeJS.Signals, files: Record<string, string>, program: RegExp, args: readonly string[], env = {}) => {
    test(name, async () => {
      using bench = new Bench(files);
      const child = bench.start(['verify', ...sides, '--timeout', '120', ...args], env);
      const end = ended(child);
      await until(() => bench.processes().some((text) => program.test(text)));
      assert.ok(readdirSync(bench.temp).length > 0, 'the run has a temporary folder to leave behind');
      child.kill(signal);
      const outcome = await end;
      assert.equal(outcome.code, code, outcome.err);
      await until(() => bench.processes().length === 0);
      bench.assertClean();
    });
  };

  const hanging = { 'dut.v': endless, 'golden.v': flop };
  interrupt('Ctrl-C during a simulation', 130, 'SIGINT', hanging, /\bvvp\b/, ['--engine', 'iverilog']);
  interrupt('SIGTERM during a simulation', 143, 'SIGTERM', hanging, /\bvvp\b/, ['--engine', 'iverilog']);
  interrupt('Ctrl-C during a proof in the embedded engine', 130, 'SIGINT', { 'dut.v': multiply('b * a'), 'golden.v': multiply('a * b') }, /yosys-worker/, [], noPrograms);
});

test('a reader that goes away early is no failure', async () => {
  const source = `module m(input a, output y);\n${'  assign y = ;\n'.repeat(1500)}endmodule\n`;
  using bench = new Bench({ 'many.v': source });
  const child = bench.start(['check', 'many.v']);
  child.stdout?.once('data', () => child.stdout?.destroy());
  const outcome = await ended(child);
  assert.equal(outcome.err, '');
  assert.equal(outcome.code, 1);
  bench.assertClean();
});
