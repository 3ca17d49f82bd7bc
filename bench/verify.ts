/**
 * Verdicts of the verification engine on benchmark designs: goldens against themselves, mutants, independent rewrites.
 *
 *   node bench/verify.ts [goldens|mutants|rewrites] [--data DIR] [--only REGEX] [--first] [--limit N] [--no-prove] [--jobs N] [--seed N]
 *
 * `--first` takes the first inequivalent mutant of each design. Rows that end unexpectedly are listed with the tool's reason.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadDesign } from '../server/src/analysis/load.ts';
import { diskFiles } from '../server/src/base/files.ts';
import { Parser } from '../server/src/syntax/parser.ts';
import { createToolbox } from '../server/src/tools/toolbox.ts';
import type { VerdictKind, VerifyResult } from '../server/src/verification/verdict.ts';
import { verify } from '../server/src/verification/verify.ts';

interface Pair {
  readonly id: string;
  readonly kind: string;
  readonly golden: { readonly text: string; readonly top: string; readonly aux: Readonly<Record<string, string>> };
  readonly dut: { readonly text: string; readonly top: string };
  readonly expected: 'same' | 'different' | 'either';
}

interface Row {
  readonly [field: string]: unknown;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: path.resolve(import.meta.dirname, '../../shared/data') },
    only: { type: 'string' },
    first: { type: 'boolean', default: false },
    limit: { type: 'string' },
    'no-prove': { type: 'boolean', default: false },
    engine: { type: 'string', default: 'auto' },
    jobs: { type: 'string', default: String(cpus().length) },
    seed: { type: 'string', default: '1' },
    timeout: { type: 'string', default: '30' },
    verbose: { type: 'boolean', default: false },
  },
});

function rows(file: string): Row[] {
  return readFileSync(path.join(values.data, file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);
}

function text(row: Row, field: string): string {
  const value = row[field];
  return typeof value === 'string' ? value : '';
}

function goldens(): Map<string, Pair['golden']> {
  return new Map(
    [...rows('verilog_eval_v2.jsonl'), ...rows('rtllm_v2.jsonl')].map((row) => [
      text(row, 'id'),
      { text: text(row, 'golden'), top: text(row, 'top'), aux: (row['aux'] ?? {}) as Record<string, string> },
    ]),
  );
}

function pairs(set: string): Pair[] {
  const references = goldens();
  const aux = (design: string): Pair['golden']['aux'] => [...references].find(([id]) => id === design || id.endsWith(design))?.[1].aux ?? {};
  switch (set) {
    case 'goldens':
      return [...references].map(([id, golden]) => ({ id, kind: 'golden', golden, dut: golden, expected: 'same' }));
    case 'mutants': {
      const seen = new Set<string>();
      return rows('mutants.jsonl')
        .filter((row) => {
          if (!values.first) return true;
          const design = `${text(row, 'set')}/${text(row, 'design')}`;
          if (row['inequivalent'] !== true || seen.has(design)) return false;
          seen.add(design);
          return true;
        })
        .map((row) => ({
          id: text(row, 'id'),
          kind: text(row, 'kind'),
          golden: { text: text(row, 'golden'), top: text(row, 'top'), aux: aux(text(row, 'design')) },
          dut: { text: text(row, 'mutant'), top: text(row, 'top') },
          expected: row['inequivalent'] === true ? 'different' : row['equivalent'] === true ? 'same' : 'either',
        }));
    }
    case 'rewrites':
      return rows('candidates_verilog_eval.jsonl').flatMap((row): Pair[] => {
        const golden = references.get(text(row, 'design'));
        if (golden === undefined || row['official_pass'] !== true) return [];
        return [{ id: text(row, 'id'), kind: 'rewrite', golden, dut: { text: text(row, 'code'), top: text(row, 'top') }, expected: 'same' }];
      });
    default:
      throw new Error(`There is no set '${set}'; the sets are goldens, mutants and rewrites.`);
  }
}

function writeSide(dir: string, name: string, side: { text: string }, aux: Pair['golden']['aux']): string {
  mkdirSync(path.join(dir, name), { recursive: true });
  for (const [file, content] of Object.entries(aux)) writeFileSync(path.join(dir, name, path.basename(file)), content);
  const file = path.join(dir, name, 'design.sv');
  writeFileSync(file, side.text);
  return file;
}

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });

async function verifyPair(pair: Pair): Promise<VerifyResult> {
  const dir = mkdtempSync(path.join(tmpdir(), 'bench-verify-'));
  try {
    return await verify(
      {
        golden: { file: writeSide(dir, 'golden', pair.golden, pair.golden.aux), module: pair.golden.top },
        dut: { file: writeSide(dir, 'dut', pair.dut, pair.golden.aux), module: pair.dut.top },
        options: {
          clocks: [],
          resets: [],
          cycles: undefined,
          seed: Number(values.seed),
          timeoutMs: Number(values.timeout) * 1000,
          engine: values.engine as 'auto',
          prove: !values['no-prove'],
        },
      },
      { load: (input) => loadDesign(input, { parser, files: diskFiles }), toolbox },
      {},
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function isExpected(pair: Pair, verdict: VerdictKind): boolean {
  if (pair.expected === 'same') return verdict === 'equivalent' || verdict === 'no-difference';
  if (pair.expected === 'different') return verdict === 'different';
  return verdict === 'equivalent' || verdict === 'no-difference' || verdict === 'different';
}

const only = values.only === undefined ? undefined : new RegExp(values.only);
const todo = pairs(positionals[0] ?? 'goldens').filter((pair) => only === undefined || only.test(pair.id));
const queue = values.limit === undefined ? todo : todo.slice(0, Number(values.limit));
const results: { pair: Pair; result: VerifyResult }[] = [];
const started = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    for (let pair = queue[next++]; pair !== undefined; pair = queue[next++]) {
      const result = await verifyPair(pair);
      results.push({ pair, result });
      if (values.verbose) console.log(`${pair.id}\t${pair.kind}\t${pair.expected}\t${result.verdict}\t${String(result.elapsedMs)} ms\t${result.reason}`);
    }
  }),
);

const table = new Map<string, number>();
for (const { pair, result } of results) {
  const key = `expected ${pair.expected}: ${result.verdict}`;
  table.set(key, (table.get(key) ?? 0) + 1);
}
for (const { pair, result } of results) {
  if (!isExpected(pair, result.verdict)) console.log(`${pair.id} (${pair.kind}): ${result.verdict}: ${result.reason}`);
}
for (const [key, count] of [...table].sort()) console.log(`${String(count).padStart(5)}  ${key}`);
const times = results.map(({ result }) => result.elapsedMs).sort((a, b) => a - b);
const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
console.log(`${String(results.length)} verdicts in ${((performance.now() - started) / 1000).toFixed(1)} s; each ${String(at(0.5))} ms median, ${String(at(0.9))} ms p90, ${String(at(1))} ms most`);
