/** The part of the editor's bench about rules: what they find in clean sources, and what they cost. */
import { runRules } from '../server/src/analysis/rules/engine.ts';
import type { RuleFinding } from '../server/src/analysis/rules/engine.ts';
import { RuleMemory } from '../server/src/analysis/rules/memory.ts';
import { fileView } from '../server/src/analysis/rules/file-view.ts';
import type { FileView } from '../server/src/analysis/rules/view.ts';
import { readNames } from '../server/src/analysis/names/read.ts';
import { summarize } from '../server/src/analysis/summary.ts';
import { LineIndex } from '../server/src/base/text.ts';
import { checkSyntax } from '../server/src/syntax/checker.ts';
import type { Parser } from '../server/src/syntax/parser.ts';
import { preprocess } from '../server/src/syntax/preprocess.ts';
import { randomFrom } from '../test/unit/syntax/mistakes.ts';
import { workedMs } from './clock.ts';

export interface Source {
  readonly name: string;
  readonly text: string;
}

function viewOf(parser: Parser, { name, text }: Source, readFile?: (path: string) => string | undefined): FileView | undefined {
  const source = preprocess(name, text, { readFile });
  using tree = parser.parse(source.text);
  if (!tree) return undefined;
  const errors = (checkSyntax(parser, source.text)?.diagnostics ?? []).map(({ span }) => source.map.locateSpan(span).span);
  return fileView({ file: name, text, source, summary: summarize(name, source.text, tree, source.map), names: readNames(name, source.text, source.map), errors, others: [] });
}

/** Prints what the rules find in each set, hints as numbers only. */
export async function cleanOfRules(parser: Parser, sets: Readonly<Record<string, readonly Source[]>>, readFile: (path: string) => string | undefined): Promise<void> {
  for (const [set, sources] of Object.entries(sets)) {
    const counts = new Map<string, number>();
    const shown: string[] = [];
    for (const source of sources) {
      const view = viewOf(parser, source, readFile);
      const found: readonly RuleFinding[] = (view && (await runRules(view))) ?? [];
      const lines = new LineIndex(source.text);
      for (const { rule, level, span, message } of found) {
        counts.set(`${rule} (${level})`, (counts.get(`${rule} (${level})`) ?? 0) + 1);
        if (level === 'error' || level === 'warning') shown.push(`         ${source.name}:${lines.position(span.start).line + 1}: ${rule}: ${message}`);
      }
    }
    console.log(`rules  ${set}: ${shown.length} errors and warnings in ${sources.length} files; ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'nothing at all'}`);
    for (const line of shown.slice(0, 60)) console.log(line);
  }
}

/** Runs before those that count, so that it is measured what an editor has that stays open. */
const WARMING = 8;
const MEASURED = 12;

/** What is typed somewhere between two runs; most of it leaves an error behind. */
const TYPED = ['a', ' ', '\n', ';', '(', '  wire t;\n', '// x\n', '1'];

/** Prints the time of a run over a text as a share of that of a full parse of it: from scratch, and behind a key press anywhere in it. */
export async function timeOfRules(parser: Parser, set: string, text: string): Promise<void> {
  const random = randomFrom(1);
  const memory = new RuleMemory();
  let [parse, run] = [0, 0];
  const behind: number[] = [];
  for (let count = -WARMING; count < MEASURED; count++) {
    const at = Math.floor(random() * text.length);
    const pressed = text.slice(0, at) + (TYPED[(count + WARMING) % TYPED.length] ?? '') + text.slice(at);
    const views = [text, text, pressed].map((each) => viewOf(parser, { name: '/bench.sv', text: each }));
    const [scratch, before, after] = views;
    if (!scratch || !before || !after) return;
    const times = [
      await timed(() => parser.parse(text)?.delete()),
      await timed(() => runRules(scratch)),
      await timed(async () => {
        await runRules(before, { memory });
        while (memory.learn());
      }),
      await timed(() => runRules(after, { memory })),
    ];
    if (count < 0) continue;
    parse += times[0] ?? 0;
    run += times[1] ?? 0;
    behind.push(times[3] ?? 0);
  }
  const sorted = behind.toSorted((a, b) => a - b);
  const share = (ms: number | undefined): string => (((ms ?? 0) * MEASURED) / parse).toFixed(2);
  console.log(
    `rules  ${set}, ${text.split('\n').length} lines: full parse ${(parse / MEASURED).toFixed(0)} ms; a run of all rules ${(run / parse).toFixed(2)} of it, behind a key press ${share(sorted[Math.floor(MEASURED / 2)])} at p50, ${share(sorted.at(-1))} at most`,
  );
}

async function timed(work: () => unknown): Promise<number> {
  const start = workedMs();
  await work();
  return workedMs() - start;
}
