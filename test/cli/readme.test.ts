import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Bench } from './program.ts';

const root = path.join(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

/** What differs between machines: the time, and the version of a tool. */
function comparable(text: string): string {
  return text.replace(/^Time .*$/m, 'Time').replace(/ in \d+\.\d s: /, ' in 1.0 s: ').replace(/^(Simulation|Proof) {2,}(\S+) .*$/gm, '$1 $2').trimEnd();
}

describe('the README', () => {
  const sessions = [...readme.matchAll(/```console\n\$ rtl-copilot ([^\n]+)\n(.*?)```/gs)];

  test('shows a session', () => assert.ok(sessions.length > 0));

  for (const [, command = '', shown = ''] of sessions) {
    test(`shows what rtl-copilot ${command} prints`, async () => {
      using bench = new Bench({});
      const { out } = await bench.run(command.split(' '), {}, path.join(root, 'examples/arbiter'));
      assert.equal(comparable(shown), comparable(out), 'Run the command in examples/arbiter and put its output into README.md.');
    });
  }

  test('names only options that exist', async () => {
    using bench = new Bench({});
    const help = (await bench.run(['verify', '--help'])).out + (await bench.run(['check', '--help'])).out + (await bench.run(['generate', '--help'])).out;
    const named = new Set([...readme.matchAll(/(?<![\w-])--[a-z]+(?:-[a-z]+)*/g)].map(([option]) => option));
    for (const foreign of ['--help', '--install-extension', '--jinja', '--port', '--data']) named.delete(foreign);
    assert.deepEqual([...named].filter((option) => !help.includes(option)), []);
  });
});
