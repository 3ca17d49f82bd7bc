/**
 * How often the likeliest lines that a difference names hold the fault, on mutants whose line is known; with `--fix`, also how often a small
 * change is found that makes the mutant right, and how often the first one lies in the line of the fault.
 *
 *   node bench/explain.ts [--data DIR] [--limit N] [--only REGEX] [--jobs N] [--fix] [--verbose]
 *
 * A line counts as named when it lies inside the piece of code that a place stands for; an arm that is missing, when the first line of its `case` is.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadDesign } from '../server/src/analysis/load.ts';
import { diskFiles } from '../server/src/base/files.ts';
import { LineIndex } from '../server/src/base/text.ts';
import { Parser } from '../server/src/syntax/parser.ts';
import { createToolbox } from '../server/src/tools/toolbox.ts';
import type { FixSearch, Mismatch, VerifyResult } from '../server/src/verification/verdict.ts';
import { verify } from '../server/src/verification/verify.ts';

interface Mutant {
  readonly id: string;
  readonly design: string;
  readonly kind: string;
  /** One-based. */
  readonly line: number;
  readonly top: string;
  readonly golden: string;
  readonly mutant: string;
  readonly inequivalent: boolean;
}

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: path.resolve(import.meta.dirname, '../../shared/data') },
    limit: { type: 'string', default: '150' },
    only: { type: 'string' },
    jobs: { type: 'string', default: String(cpus().length) },
    fix: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

function read<Row>(file: string): Row[] {
  return readFileSync(path.join(values.data, file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);
}

const aux = new Map(read<{ id: string; aux?: Record<string, string> }>('rtllm_v2.jsonl').map((row) => [row.id, row.aux ?? {}]));
const only = values.only === undefined ? undefined : new RegExp(values.only);
const all = read<Mutant>('mutants.jsonl').filter((mutant) => mutant.inequivalent && (only === undefined || only.test(mutant.id)));
const stride = Math.max(1, all.length / Number(values.limit));
const queue = Array.from({ length: Math.min(all.length, Number(values.limit)) }, (_, index) => all[Math.floor(index * stride)]).filter((mutant) => mutant !== undefined);

const parser = await Parser.create();
const toolbox = createToolbox({ iverilog: '', yosys: '' });

async function resultOf(mutant: Mutant): Promise<VerifyResult> {
  const dir = mkdtempSync(path.join(tmpdir(), 'bench-explain-'));
  const write = (side: string, text: string): string => {
    mkdirSync(path.join(dir, side));
    for (const [file, content] of Object.entries(aux.get(mutant.design) ?? {})) writeFileSync(path.join(dir, side, path.basename(file)), content);
    writeFileSync(path.join(dir, side, 'design.sv'), text);
    return path.join(dir, side, 'design.sv');
  };
  try {
    const options = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 30_000, engine: 'auto', prove: values.fix, fix: values.fix } as const;
    const request = { golden: { file: write('golden', mutant.golden), module: mutant.top }, dut: { file: write('dut', mutant.mutant), module: mutant.top }, options };
    return await verify(request, { load: (input) => loadDesign(input, { parser, files: diskFiles }), toolbox, parser }, {});
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Zero-based line on which the innermost `case` around a missing arm begins. */
function lineOfCase({ mutant, line }: Mutant, lines: LineIndex): number {
  using tree = parser.parse(mutant);
  const around = (tree?.rootNode.descendantsOfType('case_statement') ?? []).filter(({ startPosition, endPosition }) => startPosition.row < line && line - 1 <= endPosition.row);
  const innermost = around.reduce<number | undefined>((start, node) => Math.max(start ?? 0, node.startIndex), undefined);
  return innermost === undefined ? line - 1 : lines.position(innermost).line;
}

interface Outcome {
  readonly mutant: Mutant;
  readonly mismatch: Mismatch | undefined;
  readonly fix: FixSearch | undefined;
  /** Samples of the counterexample. */
  readonly samples: number;
  /** Zero-based place of the fault among the suspects; -1: not among them. */
  readonly rank: number;
}

const outcomes: Outcome[] = [];
let next = 0;
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    for (let mutant = queue[next++]; mutant !== undefined; mutant = queue[next++]) {
      const { mismatch, fix, witness } = await resultOf(mutant);
      const lines = new LineIndex(mutant.mutant);
      const fault = mutant.kind === 'drop_arm' ? lineOfCase(mutant, lines) : mutant.line - 1;
      const rank = (mismatch?.suspects ?? []).findIndex(({ span }) => lines.position(span.start).line <= fault && fault <= lines.position(span.end).line);
      outcomes.push({ mutant, mismatch, fix, samples: witness.length, rank });
    }
  }),
);

const shown = outcomes.filter(({ mismatch }) => mismatch !== undefined);
const share = (set: readonly Outcome[], most: number): string => {
  const hits = set.filter(({ rank }) => rank >= 0 && rank < most).length;
  return `${String(hits)}/${String(set.length)} (${((100 * hits) / Math.max(1, set.length)).toFixed(1)} %)`;
};
for (const kind of [...new Set(shown.map(({ mutant }) => mutant.kind))].sort()) {
  const set = shown.filter(({ mutant }) => mutant.kind === kind);
  console.log(`${kind.padEnd(12)} top 1 ${share(set, 1)}, top 3 ${share(set, 3)}, top 5 ${share(set, 5)}`);
}
if (values.verbose) {
  for (const { mutant, mismatch, rank } of shown.filter((outcome) => outcome.rank !== 0)) {
    const suspects = (mismatch?.suspects ?? []).map(({ line, text, score }) => `${String(line + 1)}:${text} ${String(score)}`).join(' | ');
    console.log(`${mutant.id} ${mutant.kind} line ${String(mutant.line)} rank ${String(rank + 1)}; ${mismatch?.pattern?.id ?? ''}; ${suspects}`);
  }
}
if (values.fix) {
  const fixed = shown.filter(({ fix }) => (fix?.fixes.length ?? 0) > 0);
  const percent = (set: readonly Outcome[]): string => `${String(set.length)}/${String(shown.length)} (${((100 * set.length) / Math.max(1, shown.length)).toFixed(1)} %)`;
  const proved = fixed.filter(({ fix }) => fix?.fixes[0]?.verdict === 'equivalent');
  const onLine = fixed.filter(({ mutant, fix }) => fix?.fixes[0]?.line === mutant.line - 1);
  console.log(`fixes: found ${percent(fixed)}, proved ${percent(proved)}, the first in the line of the fault ${percent(onLine)}`);
  if (values.verbose) for (const { mutant, fix } of shown.filter((outcome) => !fixed.includes(outcome))) console.log(`  ${mutant.id} ${mutant.kind}: none of ${String(fix?.tried)} of ${String(fix?.total)}`);
}
const longest = shown.toSorted((a, b) => b.samples - a.samples);
console.log(`counterexamples: half have up to ${String(longest[Math.floor(longest.length / 2)]?.samples)} samples, the longest ${longest.slice(0, 10).map(({ mutant, samples }) => `${String(samples)} (${mutant.id})`).join(', ')}`);
const patterns = new Map<string, number>();
for (const { mismatch } of shown) patterns.set(mismatch?.pattern?.id ?? 'none', (patterns.get(mismatch?.pattern?.id ?? 'none') ?? 0) + 1);
console.log(`patterns: ${[...patterns].sort((a, b) => b[1] - a[1]).map(([id, number]) => `${id} ${String(number)}`).join(', ')}`);
console.log(`${String(outcomes.length)} mutants, ${String(shown.length)} with a difference: top 1 ${share(shown, 1)}, top 3 ${share(shown, 3)}, top 5 ${share(shown, 5)}`);
