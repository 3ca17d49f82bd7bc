/** The part of the editor's bench about rules: what they find in clean sources, and what they cost. */
import { runRules } from '../server/src/analysis/rules/engine.ts';
import type { RuleFinding } from '../server/src/analysis/rules/engine.ts';
import { fileView } from '../server/src/analysis/rules/file-view.ts';
import type { FileView } from '../server/src/analysis/rules/view.ts';
import { readNames } from '../server/src/analysis/names/read.ts';
import { summarize } from '../server/src/analysis/summary.ts';
import { LineIndex } from '../server/src/base/text.ts';
import { checkSyntax } from '../server/src/syntax/checker.ts';
import type { Parser } from '../server/src/syntax/parser.ts';
import { preprocess } from '../server/src/syntax/preprocess.ts';
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

/** Prints the time of a run over a text as a share of that of a full parse of it. */
export async function timeOfRules(parser: Parser, set: string, text: string): Promise<void> {
  const source = { name: '/bench.sv', text };
  let [parse, run] = [0, 0];
  for (let count = -WARMING; count < MEASURED; count++) {
    const view = viewOf(parser, source);
    if (!view) return;
    const start = workedMs();
    parser.parse(text)?.delete();
    const middle = workedMs();
    await runRules(view);
    if (count < 0) continue;
    parse += middle - start;
    run += workedMs() - middle;
  }
  console.log(`rules  ${set}, ${text.split('\n').length} lines: full parse ${(parse / MEASURED).toFixed(0)} ms; a run of all rules ${(run / parse).toFixed(2)} of it`);
}
