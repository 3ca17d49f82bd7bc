import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import type { DesignInput } from '../../server/src/analysis/design.ts';
import { loadDesign } from '../../server/src/analysis/load.ts';
import { diskFiles } from '../../server/src/base/files.ts';
import { Parser } from '../../server/src/syntax/parser.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import type { EngineChoice, VerifyResult } from '../../server/src/verification/verdict.ts';
import { PATIENCE } from '../../server/src/verification/time-budget.ts';
import { verify } from '../../server/src/verification/verify.ts';
import { hostileDesigns, type Hostile, type Places } from './hostile/designs.ts';

const BUFFER = 'module m(input a, output y);\nassign y = a;\nendmodule\n';
const MARK = 'canary_0b5c';
/** Short where a design never ends, which takes all of it; long where a real verdict is wanted of a busy machine. */
const limitOf = ({ verdicts }: Hostile): number => {
  if (verdicts.includes('timeout')) return verdicts.includes('equivalent') ? 12_000 : 4000;
  return verdicts.includes('equivalent') ? 60_000 : 12_000;
};
/** Beyond the time budget: reading the sources, and the end of what was stopped. */
const MARGIN_MS = 20_000;

const scratch = mkdtempSync(path.join(tmpdir(), 'hostile-test-'));
const temporary = path.join(scratch, 'tmp');
const places: Places = { secret: path.join(scratch, 'secret/canary.vh'), victim: path.join(scratch, 'victim'), climbing: '../../../secret/canary.vh' };
mkdirSync(temporary);
mkdirSync(path.dirname(places.secret));
writeFileSync(places.secret, `// ${MARK}\n`);
process.env['TMPDIR'] = temporary;
after(() => {
  rmSync(scratch, { recursive: true, force: true });
});

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });

function side(name: string, text: string, module: string, files: Hostile['files'] = {}): DesignInput {
  const dir = mkdtempSync(path.join(scratch, `${name}-`));
  const home = path.join(dir, 'project/rtl');
  mkdirSync(home, { recursive: true });
  for (const [file, content] of Object.entries({ ...files, 'design.v': text })) writeFileSync(path.join(home, file), content);
  return { file: path.join(home, 'design.v'), module };
}

function run(dut: DesignInput, golden: DesignInput, engine: EngineChoice, timeoutMs: number): Promise<VerifyResult> {
  const options = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs, engine, prove: true };
  return verify({ dut, golden, options }, { load: (input) => loadDesign(input, { parser, files: diskFiles }), toolbox }, {});
}

function textOf({ text }: Hostile): string {
  return typeof text === 'string' ? text : text(places);
}

function check(hostile: Hostile, result: VerifyResult, ms: number): void {
  const said = [result.reason, ...result.problems.map(({ message }) => message), ...result.notes].join(' ');
  assert.ok(hostile.verdicts.includes(result.verdict), `${result.verdict}: ${said}`);
  assert.match(result.reason, /^\S.*\.$/s, 'the reason is a full sentence');
  if (hostile.says !== undefined) assert.match(said, hostile.says);
  if (hostile.line !== undefined) assert.equal(result.problems[0]?.line, hostile.line - 1, said);
  assert.ok(ms < PATIENCE * limitOf(hostile) + MARGIN_MS, `it took ${String(ms)} ms`);
  assert.ok(!JSON.stringify(result).includes(MARK), 'the secret is not told');
  assert.ok(!existsSync(places.victim), 'nothing was written');
  assert.equal(readFileSync(places.secret, 'utf8'), `// ${MARK}\n`);
}

/** Processes that work in the scratch folder, on systems that tell. */
function leftProcesses(): string[] {
  if (!existsSync('/proc/self/cwd')) return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(scratch);
    } catch {
      return false;
    }
  });
}

describe('hostile and odd designs', { concurrency: 4 }, () => {
  for (const [name, hostile] of Object.entries(hostileDesigns)) {
    test(name, async () => {
      const [odd, plain] = [side('odd', textOf(hostile), hostile.module ?? 'm', hostile.files), side('plain', hostile.golden ?? BUFFER, 'm')];
      const started = performance.now();
      check(hostile, await run(odd, plain, 'auto', limitOf(hostile)), performance.now() - started);
    });
  }
});

describe('hostile designs as the golden', { concurrency: 4 }, () => {
  for (const [name, hostile] of Object.entries(hostileDesigns).filter(([, { verdicts }]) => !verdicts.includes('equivalent'))) {
    test(name, async () => {
      const [odd, plain] = [side('odd', textOf(hostile), hostile.module ?? 'm', hostile.files), side('plain', hostile.golden ?? BUFFER, 'm')];
      const started = performance.now();
      check(hostile, await run(plain, odd, 'auto', limitOf(hostile)), performance.now() - started);
    });
  }
});

test('without a simulator, what reaches outside is refused as well', async () => {
  for (const [name, hostile] of Object.entries(hostileDesigns).filter(([, { says }]) => /reaches outside|memory image|include|DPI/.test(String(says)))) {
    const result = await run(side('odd', textOf(hostile), 'm', hostile.files), side('plain', BUFFER, 'm'), 'yosys', limitOf(hostile));
    assert.equal(result.verdict, 'bad-input', `${name}: ${result.reason}`);
    check(hostile, result, 0);
  }
});

test('nothing is left behind', () => {
  assert.deepEqual(readdirSync(temporary), []);
  assert.deepEqual(leftProcesses(), []);
});
