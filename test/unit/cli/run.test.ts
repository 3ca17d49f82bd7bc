import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { SourceProblem } from '../../../server/src/analysis/design.ts';
import { diskFiles } from '../../../server/src/base/files.ts';
import { plain } from '../../../server/src/cli/layout.ts';
import { runCommandLine } from '../../../server/src/cli/run.ts';
import type { Core, DoctorReport } from '../../../server/src/core.ts';
import type { VerifyRequest, VerifyResult } from '../../../server/src/verification/verdict.ts';
import { result } from './result.ts';

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly request: VerifyRequest | undefined;
  /** What the workers were given, in the order of the results. */
  readonly batch: readonly VerifyRequest[];
}

let cwd = '';
before(() => {
  cwd = mkdtempSync(path.join(os.tmpdir(), 'cli run '));
  mkdirSync(path.join(cwd, 'inc'));
  mkdirSync(path.join(cwd, 'lib/.git'), { recursive: true });
  mkdirSync(path.join(cwd, 'empty'));
  for (const name of ['d.v', 'g.v', 'lib/cell.v', 'lib/pad.SVH', 'lib/.git/x.v', 'lib/notes.txt']) writeFileSync(path.join(cwd, name), name);
  writeFileSync(path.join(cwd, 'all.f'), '-sv\nd.v +incdir+inc +define+A=1+B=2\n-y lib\n');
  writeFileSync(path.join(cwd, 'lost.f'), 'gone.v');
  writeFileSync(path.join(cwd, 'loop.f'), '-f loop.f');
});
after(() => rmSync(cwd, { recursive: true }));

const report: DoctorReport = {
  version: '9.9',
  node: 'v24.0.0',
  platform: 'linux x64',
  tools: [
    { name: 'iverilog', found: false, path: undefined, version: undefined, remark: 'Simulates; to get it, brew install it.', install: 'brew install it' },
    { name: 'yosys', found: true, path: '/usr/bin/yosys', version: '0.23', remark: 'Proves.', install: undefined },
  ],
};

/** Runs a command line against a core that answers as told. */
async function run(args: string[], answers: { verify?: VerifyResult; batch?: (request: VerifyRequest) => VerifyResult; check?: (file: string) => SourceProblem[] } = {}): Promise<Outcome> {
  let [out, err] = ['', ''];
  let request: VerifyRequest | undefined;
  const batch: VerifyRequest[] = [];
  const core: Pick<Core, 'verify' | 'check' | 'doctor'> = {
    verify: (given) => {
      request = given;
      return Promise.resolve(answers.verify ?? result());
    },
    check: ({ sources }) => Promise.resolve(sources.flatMap(({ file }) => answers.check?.(file) ?? []).map((found) => ({ ...found, severity: 'error', rule: undefined }))),
    doctor: () => Promise.resolve(report),
  };
  const code = await runCommandLine(args, {
    terminal: { columns: 80, paint: plain, write: (text) => Promise.resolve(void (out += text)), warn: (text) => void (err += text), progress: () => undefined },
    cwd,
    variables: {},
    files: diskFiles,
    version: '9.9',
    core: () => Promise.resolve(core as Core),
    startWorker: () => ({
      verify: (task) => {
        batch.push(task.request);
        return Promise.resolve({ kind: 'verified', result: answers.batch?.(task.request) ?? result() });
      },
      close: () => Promise.resolve(),
    }),
  });
  return { code, out, err, request, batch };
}

async function checkRejected(args: string[], message: RegExp) {
  const { code, out, err } = await run(args);
  assert.equal(code, 3);
  assert.equal(out, '');
  assert.match(err, message);
  assert.match(err, /\nSee rtl-copilot .*--help\.\n$/);
}

const sides = ['--dut', 'd.v', '--golden', 'g.v'];

describe('the program', () => {
  test('help, version, and what is no command', async () => {
    assert.equal((await run(['--version'])).out, '9.9\n');
    const help = await run(['--help']);
    assert.deepEqual([help.code, help.err], [0, '']);
    for (const name of ['verify', 'check', 'doctor']) assert.match(help.out, new RegExp(`^  ${name} `, 'm'));
    assert.equal((await run([])).code, 3);
    await checkRejected(['verfy'], /no command "verfy"; did you mean verify\?/);
  });

  test('help wins over what is missing', async () => {
    for (const args of [['verify', '--help'], ['verify', '-h', '--dut', 'a.v'], ['generate', '-h'], ['check', '--help']]) {
      const { code, out } = await run(args);
      assert.deepEqual([code, out.split('\n')[0]?.startsWith(`Usage: rtl-copilot ${args[0]}`)], [0, true]);
    }
  });

  test('the help of every command names every option and stays inside the terminal', async () => {
    for (const name of ['verify', 'check', 'doctor']) {
      const { code, out } = await run([name, '--help']);
      assert.equal(code, 0);
      assert.match(out, new RegExp(`^Usage: rtl-copilot ${name}`));
      assert.match(out, /--json/);
      assert.ok(out.split('\n').every((line) => line.length <= 80 || line.startsWith('Usage')), out);
    }
  });
});

describe('verify', () => {
  test('the request: absolute paths, both sides alike', async () => {
    const { request } = await run(['verify', '--dut', 'd.v:m', '--golden', 'g.v', '-I', 'inc', '-DX', '--param', 'golden.W=4', '--vcd', 'o.vcd']);
    assert.deepEqual(request?.dut, { file: path.join(cwd, 'd.v'), module: 'm', libraryFiles: [], includeDirs: [path.join(cwd, 'inc')], defines: { X: '1' }, parameters: {} });
    assert.deepEqual(request.golden.parameters, { W: '4' });
    assert.equal(request.options.vcdFile, path.join(cwd, 'o.vcd'));
    assert.equal(request.options.testbenchFile, undefined);
  });

  test('a file list gives sources, libraries, folders and macros; -D wins over it', async () => {
    const { request, err } = await run(['verify', ...sides, '-f', 'all.f', '-D', 'B=3']);
    assert.deepEqual(request?.dut.libraryFiles, ['d.v', 'lib/cell.v'].map((name) => path.join(cwd, name)));
    assert.deepEqual(request.golden.units, [{ sources: [path.join(cwd, 'd.v')], libraries: [path.join(cwd, 'lib/cell.v')] }]);
    assert.deepEqual(request.dut.includeDirs, [path.join(cwd, 'inc')]);
    assert.deepEqual(request.dut.defines, { A: '1', B: '3' });
    assert.equal(err, 'all.f:1: note: -sv has no meaning here and is ignored.\n');
  });

  test('the exit code follows the verdict', async () => {
    const codes = { equivalent: 0, 'no-difference': 0, different: 1, inconclusive: 2, timeout: 2, 'interface-mismatch': 3, 'tool-error': 3, 'bad-input': 3 } as const;
    for (const [verdict, code] of Object.entries(codes)) {
      assert.equal((await run(['verify', ...sides], { verify: result({ verdict: verdict as keyof typeof codes }) })).code, code, verdict);
    }
  });

  test('--json prints the result and nothing else, with null for what is not there', async () => {
    const { out, err } = await run(['verify', ...sides, '--json']);
    assert.equal(err, '');
    const parsed = JSON.parse(out) as Record<string, unknown>;
    assert.deepEqual(Object.keys(parsed), Object.keys(result()));
    assert.equal(parsed['mismatch'], null);
    assert.deepEqual(parsed['artefacts'], { testbench: null, vcd: null, caseFile: null });
  });

  test('what cannot work is refused before anything runs', async () => {
    await checkRejected(['verify', ...sides, '-I', 'nowhere'], /-I nowhere: there is no such folder/);
    await checkRejected(['verify', ...sides, '-D', '1A'], /-D 1A: write NAME or NAME=VALUE/);
    await checkRejected(['verify', ...sides, '-f', 'nowhere.f'], /nowhere\.f cannot be read/);
    await checkRejected(['verify', ...sides, '-f', 'lost.f'], /names gone\.v, which does not exist; .* -F/);
    await checkRejected(['verify', ...sides, '-f', 'loop.f'], /loop\.f:1:1: The file list includes itself/);
    await checkRejected(['verify', ...sides, '--vcd', 'no/o.vcd'], /the folder .*no does not exist/);
    await checkRejected(['verify', ...sides, '--testbench', 'd.v'], /would overwrite a source/);
    await checkRejected(['verify', ...sides, '--testbench', 'inc'], /inc is not a file/);
    await checkRejected(['verify', '--dut', 'd.v'], /--golden is missing/);
  });
});

describe('verify with several pairs', () => {
  const file = (name: string): string => path.join(cwd, name);

  /** Of each pair the DUT, the golden, the parameters of the golden and the seed. */
  async function checkPairs(args: string[], ...expected: (readonly [string, string, object, number])[]) {
    const { batch, err } = await run(['verify', ...args]);
    assert.equal(err, '');
    assert.deepEqual(
      batch.map(({ dut, golden, options }) => [dut.file + (dut.module ?? ''), golden.file, golden.parameters, options.seed]),
      expected.map(([dut, golden, ...rest]) => [file(dut), file(golden), ...rest]),
    );
  }

  const list = (text: string): string => {
    writeFileSync(file('pairs.txt'), text);
    return 'pairs.txt';
  };

  test('each DUT gets the golden and the options', () =>
    checkPairs(['--golden', 'g.v', '--dut', 'd.v', '--dut', 'e.v', '--seed', '7', '--param', 'W=2', '-j1'], ['d.v', 'g.v', { W: '2' }, 7], ['e.v', 'g.v', { W: '2' }, 7]));

  test('a line has its own options beside those of all, and instead of those that count once', () =>
    checkPairs(
      ['--pairs', list('d.v g.v --seed 3 --param V=1\n"e.v" h.v --param "V=2"\n'), '--seed', '7', '--param', 'W=2', '-j1'],
      ['d.v', 'g.v', { W: '2', V: '1' }, 3],
      ['e.v', 'h.v', { W: '2', V: '2' }, 7],
    ));

  test('a line without a golden takes the one of the command line, others stand before the list', () =>
    checkPairs(['--dut', 'a.v', '--pairs', list('d.v\ne.v h.v\n'), '--golden', 'g.v', '-j1'], ['a.v', 'g.v', {}, 1], ['d.v', 'g.v', {}, 1], ['e.v', 'h.v', {}, 1]));

  test('a list of one pair is a list', async () => {
    const { out, request } = await run(['verify', '--pairs', list('d.v:m g.v')]);
    assert.match(out, /^✓ d\.v:m against g\.v: no difference in 12,000 comparisons\n1 pair in \d+\.\d s: 1 no difference\.\n$/);
    assert.equal(request, undefined);
  });

  test('the worst verdict gives the exit code, and a line tells why', async () => {
    const answers = { 'd.v': result({ verdict: 'timeout', reason: 'No time.' }), 'g.v': result({ verdict: 'bad-input', reason: 'Bad.', problems: [{ side: 'dut', file: file('g.v'), line: 2, character: 4, message: 'Odd.' }] }) };
    const { code, out } = await run(['verify', '--golden', 'g.v', '--dut', 'd.v', '--dut', 'g.v'], { batch: ({ dut }) => answers[path.basename(dut.file) as 'd.v'] });
    assert.equal(code, 3);
    assert.match(out, /^– d\.v against g\.v: timeout: No time\.\n– g\.v against g\.v: bad input: g\.v:3:5: Bad\. Odd\.\n2 pairs in .*: 1 timeout, 1 bad input\.\n$/);
  });

  test('--json: an object a line and nothing else', async () => {
    const { out } = await run(['verify', '--golden', 'g.v', '--dut', 'd.v', '--dut', 'e.v', '--json']);
    const lines = out.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(lines.map((line) => [Object.keys(line).length, line['mismatch']]), Array(2).fill([Object.keys(result()).length, null]));
  });

  test('what cannot work is refused before anything runs', async () => {
    await checkRejected(['verify', '--pairs', 'nowhere.txt'], /The list of pairs nowhere\.txt cannot be read/);
    await checkRejected(['verify', '--pairs', list('# none\n')], /pairs\.txt names no pair/);
    await checkRejected(['verify', '--pairs', list('\nd.v\n')], /pairs\.txt:2: The golden of d\.v is missing/);
    await checkRejected(['verify', '--pairs', list('--seed 3\n'), '--golden', 'g.v'], /pairs\.txt:1: The line has options and no DUT/);
    await checkRejected(['verify', '--pairs', list('d.v g.v --dut=e.v\n')], /pairs\.txt:1: --dut=e\.v is no option of one pair/);
    await checkRejected(['verify', '--pairs', list('d.v g.v --sed 3\n')], /pairs\.txt:1: The command verify has no option --sed; did you mean --seed/);
    await checkRejected(['verify', '--pairs', list('d.v g.v --save-case\n')], /--save-case shows one counterexample/);
    await checkRejected(['verify', '--golden', 'g.v', '--dut', 'd.v', '--dut', 'e.v', '--vcd', 'o.vcd'], /--vcd shows one counterexample/);
    await checkRejected(['verify', '--golden', 'g.v', '--dut', 'd.v', '--dut', 'e.v', '--jobs', '0'], /--jobs 0: the value must be a whole number from 1/);
    await checkRejected(['verify', '--dut', 'd.v', '--dut', 'e.v'], /--golden is missing/);
  });
});

describe('check', () => {
  const problem = (file: string): SourceProblem[] => (file.endsWith('d.v') ? [{ file, line: 2, character: 4, message: 'A semicolon is missing.' }] : []);

  test('clean files', async () => {
    assert.deepEqual(await run(['check', 'd.v', 'g.v']), { code: 0, out: '✓ No errors in 2 files.\n', err: '', request: undefined, batch: [] });
  });

  test('errors', async () => {
    const { code, out } = await run(['check', 'd.v', 'g.v'], { check: problem });
    assert.equal(code, 1);
    assert.equal(out, 'd.v:3:5: error: A semicolon is missing.\n✗ 1 error in 1 of 2 files.\n');
  });

  test('directories: sources in any letter case, hidden folders left out, each file once', async () => {
    const { out } = await run(['check', 'lib', 'lib/cell.v', '--json']);
    assert.equal((JSON.parse(out) as { files: number }).files, 2);
  });

  test('json', async () => {
    const { out } = await run(['check', 'd.v', '--json'], { check: problem });
    assert.deepEqual(JSON.parse(out), {
      schema: 1,
      files: 1,
      errors: 1,
      warnings: 0,
      diagnostics: [{ file: path.join(cwd, 'd.v'), line: 2, character: 4, message: 'A semicolon is missing.', severity: 'error', rule: null }],
      unreadable: [],
    });
  });

  test('a file that is missing does not hide the others', async () => {
    const { code, out, err } = await run(['check', 'gone.v', 'd.v'], { check: problem });
    assert.equal(code, 3);
    assert.equal(err, 'rtl-copilot: gone.v cannot be read; check its path.\n');
    assert.match(out, /^d\.v:3:5/);
  });

  test('nothing to check', async () => {
    await checkRejected(['check'], /at least one file/);
    await checkRejected(['check', 'empty'], /"?empty"? holds no \.v/);
  });
});

describe('doctor', () => {
  test('text', async () => {
    const { code, out } = await run(['doctor']);
    assert.equal(code, 0);
    assert.match(out, /^RTL Copilot 9\.9\nNode 24\.0\.0 on linux x64\n/);
    assert.match(out, /^– iverilog +not found\n +Simulates; to get it, brew install it\.$/m);
    assert.match(out, /^✓ yosys +0\.23 {2}\/usr\/bin\/yosys$/m);
  });

  test('json', async () => {
    const parsed = JSON.parse((await run(['doctor', '--json'])).out) as DoctorReport;
    assert.deepEqual(parsed.tools.map((tool) => tool.found), [false, true]);
  });

  test('it takes nothing', () => checkRejected(['doctor', 'now'], /takes no "now"/));
});
