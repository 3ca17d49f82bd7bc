import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { closest, parseCommandLine, UsageError, type CommandSpec } from '../../../server/src/cli/args.ts';

const spec: CommandSpec = {
  name: 'try',
  usage: '',
  summary: '',
  options: [
    { name: 'dut', value: 'FILE', help: '' },
    { name: 'define', short: 'D', value: 'NAME', repeatable: true, help: '' },
    { name: 'F', value: 'LIST', repeatable: true, help: '' },
    { name: 'json', help: '' },
  ],
};

function check(args: string[], expected: { dut?: string; define?: string[]; F?: string[]; json?: boolean; positionals?: string[] }) {
  const parsed = parseCommandLine(spec, args);
  assert.deepEqual(
    { dut: parsed.one('dut'), define: parsed.all('define'), F: parsed.all('F'), json: parsed.flag('json'), positionals: parsed.positionals },
    { dut: undefined, define: [], F: [], json: false, positionals: [], ...expected },
  );
}

function checkRejected(args: string[], message: RegExp) {
  assert.throws(() => parseCommandLine(spec, args), (error) => error instanceof UsageError && message.test(error.message));
}

describe('command line', () => {
  test('values apart and behind an equals sign', () => {
    check(['--dut', 'a.v', '--json'], { dut: 'a.v', json: true });
    check(['--dut=a=b.v'], { dut: 'a=b.v' });
  });

  test('short options apart and joined', () => {
    check(['-D', 'A', '-DB=1', '--define', 'C', '-F', 'x.f', '-Fy.f'], { define: ['A', 'B=1', 'C'], F: ['x.f', 'y.f'] });
  });

  test('positionals, also after --', () => {
    check(['a', '--json', 'b', '--', '--dut', '-D'], { json: true, positionals: ['a', 'b', '--dut', '-D'] });
  });

  test('an unknown option is named, with the nearest one', () => {
    checkRejected(['--dt', 'x'], /no option --dt; did you mean --dut\?/);
    checkRejected(['-dut', 'x'], /no option -dut; did you mean --dut\?/);
    checkRejected(['--elephant'], /no option --elephant\.$/);
    checkRejected(['--jsn=1'], /no option --jsn; did you mean --json\?/);
  });

  test('a missing value', () => {
    checkRejected(['--dut'], /--dut needs a value: --dut FILE/);
    checkRejected(['--dut='], /--dut needs a value/);
    checkRejected(['--dut', '--json'], /--dut needs a value, but --json follows it/);
    checkRejected(['-D'], /-D needs a value/);
  });

  test('a value that looks like an option can be joined, a negative number can stand apart', () => {
    check(['--dut=--json'], { dut: '--json' });
    check(['--dut', '-1'], { dut: '-1' });
  });

  test('a flag takes no value, a single option comes once, a repeated flag is harmless', () => {
    checkRejected(['--json=1'], /--json takes no value/);
    checkRejected(['--dut', 'a', '--dut', 'b'], /--dut is given twice/);
    check(['--json', '--json'], { json: true });
  });
});

test('the closest word, or none', () => {
  assert.equal(closest('verfy', ['verify', 'check']), 'verify');
  assert.equal(closest('chek', ['verify', 'check']), 'check');
  assert.equal(closest('x', ['verify', 'check']), undefined);
  assert.equal(closest('banana', ['verify', 'check']), undefined);
});
