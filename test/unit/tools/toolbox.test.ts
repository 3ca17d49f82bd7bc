import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Confinement } from '../../../server/src/base/confinement.ts';
import { withTempDir } from '../../../server/src/base/tempdir.ts';
import { installAdvice, installCommand, type SystemFacts } from '../../../server/src/tools/install-hint.ts';
import { createToolbox } from '../../../server/src/tools/toolbox.ts';

const debian = { platform: 'linux', osRelease: 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n' } as const;

test('the install command fits the system', () => {
  const linux = (osRelease: string) => installCommand('iverilog', { platform: 'linux', osRelease });
  assert.equal(linux('NAME=x\nID=debian\n'), 'sudo apt-get install iverilog');
  assert.equal(linux('ID=linuxmint\nID_LIKE="ubuntu debian"\n'), 'sudo apt-get install iverilog');
  assert.equal(linux('ID="rocky"\nID_LIKE="rhel centos fedora"\n'), 'sudo dnf install iverilog');
  assert.equal(linux('ID=manjaro\nID_LIKE=arch\n'), 'sudo pacman -S iverilog');
  assert.equal(linux('ID="opensuse-tumbleweed"\n'), 'sudo zypper install iverilog');
  assert.equal(linux('ID=nixos\n'), 'nix-shell -p verilog');
  assert.equal(linux('ID=plan9\n'), undefined);
  assert.match(installAdvice('iverilog', { platform: 'linux', osRelease: '' }), /oss-cad-suite/);
  assert.equal(installCommand('iverilog', { platform: 'darwin', osRelease: '' }), 'brew install icarus-verilog');
  assert.equal(installCommand('iverilog', { platform: 'win32', osRelease: '' }), 'winget install --id Icarus.Verilog --exact');
  const compiler = (osRelease: string) => installCommand('c++', { platform: 'linux', osRelease });
  assert.deepEqual(['debian', 'fedora', 'arch', 'alpine'].map((id) => compiler(`ID=${id}\n`)), ['sudo apt-get install g++', 'sudo dnf install gcc-c++', 'sudo pacman -S gcc', 'sudo apk add g++']);
  assert.equal(installCommand('c++', { platform: 'darwin', osRelease: '' }), 'xcode-select --install');
  assert.match(installAdvice('c++', { platform: 'win32', osRelease: '' }), /GCC or Clang/);
  assert.match(installAdvice('yosys', { platform: 'win32', osRelease: '' }), /oss-cad-suite/);
});

/** Puts a shell script in the place of a program. */
function fake(dir: string, name: string, body: string): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, name), `#!/bin/sh\n${body}\n`);
  chmodSync(path.join(dir, name), 0o755);
}

const unix = { skip: process.platform === 'win32' };

test('nothing installed: each tool says how to get it, and the embedded engine is there', unix, async () => {
  const toolbox = createToolbox({ iverilog: '', yosys: '' }, { variables: { PATH: '/nowhere' }, system: debian });
  const [iverilog, yosys, wasm] = await toolbox.describe();
  assert.deepEqual(iverilog, {
    name: 'iverilog',
    found: false,
    path: undefined,
    version: undefined,
    remark: 'Icarus Verilog was not found on PATH; to get it, run "sudo apt-get install iverilog".',
    install: 'sudo apt-get install iverilog',
  });
  assert.equal(yosys?.install, 'sudo apt-get install yosys');
  assert.equal(wasm?.found, true);
  assert.match(wasm.version ?? '', /^0\.\d+/);
});

test('what keeps simulations from the rest of the machine, where a system has such a thing', async () => {
  const row = async (confinement: Confinement, system: SystemFacts = debian) => {
    const toolbox = createToolbox({ iverilog: '', yosys: '' }, { variables: { PATH: '/nowhere' }, system, findConfinement: () => Promise.resolve(confinement) });
    return (await toolbox.describe()).find(({ name }) => name === 'bubblewrap');
  };
  assert.deepEqual(await row({ kind: 'confined', path: '/usr/bin/bwrap', version: '0.8.0' }), {
    name: 'bubblewrap',
    found: true,
    path: '/usr/bin/bwrap',
    version: '0.8.0',
    remark: 'Simulations run in it: each can write to its own temporary folder alone and reaches no network.',
    install: undefined,
  });
  const missing = await row({ kind: 'missing' });
  assert.deepEqual([missing?.found, missing?.install], [false, 'sudo apt-get install bubblewrap']);
  assert.equal(missing?.remark, 'Without it, simulations are kept from the rest of the machine only by the check of what they call; to get it, run "sudo apt-get install bubblewrap".');
  const unusable = await row({ kind: 'unusable', path: '/usr/bin/bwrap', said: 'bwrap: No permissions to create a new namespace' });
  assert.equal(unusable?.remark, '/usr/bin/bwrap does not work here (bwrap: No permissions to create a new namespace), so simulations are kept from the rest of the machine only by the check of what they call.');
  assert.equal(await row({ kind: 'missing' }, { platform: 'darwin', osRelease: '' }), undefined);
});

test('a tool that is installed later is found, and then kept', unix, async () => {
  await withTempDir(async (dir) => {
    const bin = path.join(dir, 'a bin');
    const toolbox = createToolbox({ iverilog: '', yosys: '' }, { variables: { PATH: bin }, system: debian });
    assert.equal((await toolbox.iverilog()).kind, 'missing');
    fake(bin, 'iverilog', 'echo "Icarus Verilog version 12.0 (stable) ()"');
    assert.equal((await toolbox.iverilog()).kind, 'broken');
    fake(bin, 'vvp', 'exit 0');
    const found = await toolbox.iverilog();
    assert.ok(found.kind === 'found');
    assert.deepEqual([found.path, found.tool.version, found.tool.paths.vvp], [path.join(bin, 'iverilog'), '12.0', path.join(bin, 'vvp')]);
    assert.equal(await toolbox.iverilog().then((again) => again.kind === 'found' && again.tool), found.tool);
  });
});

test('a wrong explicit path is an error that says so, even when PATH has the tool', unix, async () => {
  await withTempDir(async (dir) => {
    fake(dir, 'yosys', 'echo "Yosys 0.40 (git)"');
    const variables = { PATH: dir };
    const wrong = await createToolbox({ iverilog: '/no/iverilog', yosys: '/no/yosys' }, { variables, system: debian }).describe();
    assert.deepEqual(
      wrong.slice(0, 2).map((t) => [t.found, t.path, t.remark]),
      [
        [false, '/no/iverilog', 'There is no program at "/no/iverilog"; correct the path of iverilog (setting rtlCopilot.iverilog.path), or clear it to search PATH.'],
        [false, '/no/yosys', 'There is no program at "/no/yosys"; correct the path of yosys (setting rtlCopilot.yosys.path), or clear it to search PATH.'],
      ],
    );
    const right = await createToolbox({ iverilog: '', yosys: path.join(dir, 'yosys') }, { variables: { PATH: '' }, system: debian }).yosys();
    assert.ok(right.kind === 'found');
    assert.equal(right.tool.version, '0.40');
  });
});

test('a program that is something else is broken, not found', unix, async () => {
  await withTempDir(async (dir) => {
    fake(dir, 'yosys', 'echo hello');
    const lookup = await createToolbox({ iverilog: '', yosys: '' }, { variables: { PATH: dir }, system: debian }).yosys();
    assert.ok(lookup.kind === 'broken');
    assert.match(lookup.reason, /does not answer as Yosys/);
  });
});

test('Verilator simulates with a C++ compiler and its own sources, and says what is missing', unix, async () => {
  await withTempDir(async (dir) => {
    const root = path.join(dir, 'root');
    const answer = (version: string): void => fake(dir, 'verilator', `case "$1" in --version) echo "Verilator ${version} 2023-01-22 rev";; *) echo "${root}";; esac`);
    const look = () => createToolbox({ iverilog: '', yosys: '' }, { variables: { PATH: dir }, system: debian }).verilatorSimulator();
    const reason = async (): Promise<string> => {
      const found = await look();
      return found.kind === 'found' ? 'found' : found.reason;
    };
    assert.match(await reason(), /^Verilator was not found on PATH; to get it, run "sudo apt-get install verilator"\.$/);
    answer('4.038');
    assert.match(await reason(), /^Verilator 4\.038 is too old to simulate; version 5 or later can\.$/);
    answer('5.006');
    assert.match(await reason(), /^Verilator needs a C\+\+ compiler to simulate, and none was found on PATH; to get one, run "sudo apt-get install g\+\+"\.$/);
    fake(dir, 'clang++', 'exit 0');
    assert.match(await reason(), /which a simulation needs, are not in .*root.include; reinstall Verilator\.$/);
    mkdirSync(path.join(root, 'include'), { recursive: true });
    writeFileSync(path.join(root, 'include', 'verilated.cpp'), '');
    const found = await look();
    assert.ok(found.kind === 'found');
    assert.deepEqual([found.tool.version, found.tool.paths.compiler, found.tool.paths.include], ['5.006', path.join(dir, 'clang++'), path.join(root, 'include')]);
    const toolbox = createToolbox({ iverilog: '', yosys: '' }, { variables: { PATH: dir }, system: debian });
    assert.equal((await toolbox.describe()).find(({ name }) => name === 'verilator')?.remark, 'It looks for mistakes while you edit, and simulates what Icarus Verilog cannot read.');
  });
});
