import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseCommandLine, UsageError } from '../../../server/src/cli/args.ts';
import { splitReference, verifyArgs, verifySpec, type VerifyArgs } from '../../../server/src/cli/verify-args.ts';

const sides = ['--dut', 'd.v', '--golden', 'g.v'];

function parse(args: string[]): VerifyArgs {
  return verifyArgs(parseCommandLine(verifySpec, [...sides, ...args]), () => false);
}

function check(args: string[], expected: Partial<VerifyArgs>) {
  const parsed = parse(args);
  for (const [key, value] of Object.entries(expected)) assert.deepEqual(parsed[key as keyof VerifyArgs], value, key);
}

function checkRejected(args: string[], message: RegExp) {
  assert.throws(() => verifyArgs(parseCommandLine(verifySpec, args), () => false), (error) => error instanceof UsageError && message.test(error.message) && error.message.endsWith('.'));
}

describe('verify arguments', () => {
  test('defaults', () => {
    check([], { dut: { file: 'd.v', module: undefined }, cycles: undefined, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: true, unknowns: 'ignore' });
  });

  test('everything once', () => {
    check(['--cycles', '500', '--seed', '0', '--timeout', '1.5', '--engine=yosys-wasm', '--no-prove', '--vcd', 'o.vcd'], {
      cycles: 500,
      seed: 0,
      timeoutMs: 1500,
      engine: 'yosys-wasm',
      prove: false,
      vcd: 'o.vcd',
    });
  });

  test('what shows a counterexample does not go with a brief verdict', () => {
    check(['--brief'], { brief: true });
    check([], { brief: false });
    for (const shown of [['--wave'], ['--save-case'], ['--vcd', 'o.vcd'], ['--testbench', 'o.v']]) {
      checkRejected([...sides, '--brief', ...shown], new RegExp(`^--brief leaves no counterexample for ${shown[0] ?? ''};`));
    }
  });

  test('parameters of both sides or of one', () => {
    check(['--param', 'W=8', '--param', 'dut.D=$clog2(9)', '--param', "golden.M=4'b1=="], {
      dutParameters: { W: '8', D: '$clog2(9)' },
      goldenParameters: { W: '8', M: "4'b1==" },
    });
  });

  test('clocks and resets', () => {
    check(['--clock', 'a', '--clock', 'b', '--reset', 'r', '--reset', 's:low', '--reset=t:high'], {
      clocks: ['a', 'b'],
      resets: [{ port: 'r', active: undefined }, { port: 's', active: 'low' }, { port: 't', active: 'high' }],
    });
  });

  test('what is wrong is said in one sentence', () => {
    checkRejected([], /--dut is missing/);
    checkRejected(['--dut', 'a.v'], /--golden is missing/);
    checkRejected(['a.v', ...sides], /"a\.v" belongs to no option/);
    checkRejected(['--dut', 'a.v:1x', '--golden', 'g.v'], /what follows the last colon is not a module name/);
    checkRejected(['--dut', 'a.v:', '--golden', 'g.v'], /what follows the last colon is not a module name/);
    checkRejected([...sides, '--cycles', '0'], /--cycles 0: the value must be a whole number of at least 1/);
    checkRejected([...sides, '--cycles', '1e3'], /whole number/);
    checkRejected([...sides, '--seed', '-1'], /from 0 to 4294967295/);
    checkRejected([...sides, '--seed', '4294967296'], /from 0 to 4294967295/);
    checkRejected([...sides, '--timeout', '0'], /number of seconds above 0/);
    checkRejected([...sides, '--timeout', 'soon'], /number of seconds/);
    checkRejected([...sides, '--engine', 'modelsim'], /auto, iverilog, verilator, yosys and yosys-wasm/);
    checkRejected([...sides, '--reset', 'r:hi'], /NAME:high or NAME:low/);
    checkRejected([...sides, '--param', 'W'], /NAME=VALUE/);
    checkRejected([...sides, '--param', 'W='], /NAME=VALUE/);
  });
});

describe('FILE[:MODULE]', () => {
  const rows: readonly (readonly [text: string, existing: readonly string[], file: string | undefined, module?: string])[] = [
    ['a.v', [], 'a.v'],
    ['a.v:top', [], 'a.v', 'top'],
    ['a.v:top', ['a.v:top'], 'a.v:top'],
    ['a:b.v', [], 'a:b.v'],
    ['a:b.v:top', [], 'a:b.v', 'top'],
    ['run:3/top.v', [], 'run:3/top.v'],
    ['C:\\rtl\\a.v', [], 'C:\\rtl\\a.v'],
    ['C:/rtl/a.v', [], 'C:/rtl/a.v'],
    ['C:\\rtl\\a.v:top', [], 'C:\\rtl\\a.v', 'top'],
    ['C:\\top', [], 'C:\\top'],
    ['a.v:\\esc+name', [], 'a.v', '\\esc+name'],
    ['a.v:$x', [], undefined],
    ['a.v:9', [], undefined],
    [':top', [], ':top'],
    ['größe mit raum.sv:zähler', [], undefined],
    ['größe mit raum.sv:top', [], 'größe mit raum.sv', 'top'],
  ];
  for (const [text, existing, file, module] of rows) {
    test(text + (existing.length > 0 ? ' (a file)' : ''), () => {
      assert.deepEqual(splitReference(text, (path) => existing.includes(path)), file === undefined ? undefined : { file, module });
    });
  }

  test('law: an existing file is itself, and a module behind it is found', () => {
    const path = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', ':', '/', '.', ' ', 'ü') });
    const module = fc.stringMatching(/^[A-Za-z_][\w$]{0,8}$/);
    fc.assert(fc.property(path, module, (file, name) => {
      const exists = (candidate: string) => candidate === file;
      assert.deepEqual(splitReference(file, exists), { file, module: undefined });
      assert.deepEqual(splitReference(`${file}:${name}`, exists), { file, module: name });
    }));
  });
});
