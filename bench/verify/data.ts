import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { corpus, topOf } from './corpus.ts';
import { mutantsOf } from './mutate.ts';

export interface Golden {
  readonly id: string;
  readonly text: string;
  readonly top: string;
  /** Other files of the design: name to text. */
  readonly aux: Readonly<Record<string, string>>;
}

export interface Pair {
  readonly id: string;
  readonly kind: string;
  readonly golden: Golden;
  readonly dut: { readonly text: string; readonly top: string };
  /** `either`: nobody knows whether the two are equal. */
  readonly expected: 'same' | 'different' | 'either';
}

export interface Data {
  /** What is measured on, for the report. */
  readonly name: string;
  readonly goldens: readonly Golden[];
  readonly mutants: readonly Pair[];
  /** Independent modules that are known to be right. */
  readonly rewrites: readonly Pair[];
}

/** The designs of a folder of JSON lines, or the project's own corpus where there is no such folder. */
export function readData(folder: string): Data {
  return existsSync(path.join(folder, 'verilog_eval_v2.jsonl')) ? sharedData(folder) : ownData();
}

function ownData(): Data {
  const goldens = Object.entries(corpus).map(([id, text]): Golden => ({ id, text, top: topOf(text), aux: {} }));
  const mutants = goldens.flatMap((golden) =>
    mutantsOf(golden.text).map(({ kind, text }, index): Pair => ({ id: `${golden.id}#${String(index)}`, kind, golden, dut: { text, top: golden.top }, expected: 'either' })),
  );
  return { name: `the project's own corpus (${String(goldens.length)} modules)`, goldens, mutants, rewrites: [] };
}

interface Row {
  readonly [field: string]: unknown;
}

function sharedData(folder: string): Data {
  const rows = (file: string): Row[] => readFileSync(path.join(folder, file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);
  const text = (row: Row, field: string): string => {
    const value = row[field];
    return typeof value === 'string' ? value : '';
  };
  const goldens = [...rows('verilog_eval_v2.jsonl'), ...rows('rtllm_v2.jsonl')].map(
    (row): Golden => ({ id: text(row, 'id'), text: text(row, 'golden'), top: text(row, 'top'), aux: (row['aux'] ?? {}) as Record<string, string> }),
  );
  const auxOf = (design: string): Golden['aux'] => goldens.find(({ id }) => id === design || id.endsWith(design))?.aux ?? {};
  const mutants = rows('mutants.jsonl').map((row): Pair => {
    const id = text(row, 'id');
    return {
      id,
      kind: text(row, 'kind'),
      golden: { id, text: text(row, 'golden'), top: text(row, 'top'), aux: auxOf(text(row, 'design')) },
      dut: { text: text(row, 'mutant'), top: text(row, 'top') },
      expected: row['inequivalent'] === true ? 'different' : row['equivalent'] === true ? 'same' : 'either',
    };
  });
  const rewrites = rows('candidates_verilog_eval.jsonl').flatMap((row): Pair[] => {
    const golden = goldens.find(({ id }) => id === text(row, 'design'));
    if (golden === undefined || row['official_pass'] !== true) return [];
    return [{ id: text(row, 'id'), kind: 'rewrite', golden, dut: { text: text(row, 'code'), top: text(row, 'top') }, expected: 'same' }];
  });
  return { name: folder, goldens, mutants, rewrites };
}
