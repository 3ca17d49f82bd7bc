import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DesignInput } from '../server/src/analysis/design.ts';

export interface RecordedReply {
  /** Where the code comes from. */
  readonly name: string;
  readonly code: string;
  readonly right: boolean;
}

/** Replies to one task; some of them are right. */
export interface ReplySet {
  readonly id: string;
  readonly description: string;
  readonly header: string | undefined;
  readonly golden: DesignInput | undefined;
  /** `testbench`: what is said to be right only passed a testbench, which may have missed a difference from the golden. */
  readonly labels: 'known' | 'testbench';
  readonly replies: readonly RecordedReply[];
}

export interface ReplySets {
  /** At least one right reply each, and a golden. */
  readonly golden: readonly ReplySet[];
  /** No golden; the right replies behave alike and are more than any other behaviour has. */
  readonly vote: readonly ReplySet[];
}

type Row = Readonly<Record<string, unknown>>;

function text(row: Row, field: string): string {
  const value = row[field];
  return typeof value === 'string' ? value : '';
}

/** A small generator with a fixed seed. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items.map((item) => ({ item, key: random() })).sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/**
 * Reads recorded answers of models as sets of replies. Of VerilogEval, each set holds an answer that passes the official testbench and three mutants of the golden that are known to
 * differ from it; of RTLLM, the recorded answers to one task, of which those are right that pass its testbench.
 */
export async function readSets(folder: string, seed: number): Promise<ReplySets> {
  const rows = async (file: string): Promise<Row[]> => (await readFile(path.join(folder, file), 'utf8')).split('\n').filter(Boolean).map((line) => JSON.parse(line) as Row);
  const [problems, answers, mutants, rtllm, recorded] = await Promise.all(['verilog_eval_v2', 'candidates_verilog_eval', 'mutants', 'rtllm_v2', 'candidates_rtllm'].map((name) => rows(`${name}.jsonl`)));
  const random = randoms(seed);
  const golden: ReplySet[] = [];
  const vote: ReplySet[] = [];
  for (const problem of problems ?? []) {
    const id = text(problem, 'id');
    const top = text(problem, 'dut_top');
    const rename = (code: string): string => code.replaceAll(new RegExp(String.raw`\b${text(problem, 'top')}\b`, 'g'), top).trim();
    const answer = (answers ?? []).find((row) => text(row, 'design') === id && row['official_pass'] === true);
    const wrong = shuffled((mutants ?? []).filter((row) => text(row, 'design') === id && row['inequivalent'] === true), random).map((row): RecordedReply => ({ name: text(row, 'id'), code: rename(text(row, 'mutant')), right: false }));
    if (answer === undefined || wrong.length === 0) continue;
    const right: RecordedReply = { name: text(answer, 'id'), code: text(answer, 'code').trim(), right: true };
    const common = { id, description: text(problem, 'description'), header: headerOf(rename(text(problem, 'golden'))) };
    golden.push({ ...common, labels: 'known', golden: { file: '/nowhere/golden.sv', text: text(problem, 'golden'), module: text(problem, 'top') }, replies: shuffled([right, ...wrong.slice(0, 3)], random) });
    const own: RecordedReply = { name: 'golden', code: rename(text(problem, 'golden')), right: true };
    const again = (reply: RecordedReply): RecordedReply => ({ ...reply, name: `${reply.name}, again`, code: `// Another way.\n${reply.code}` });
    vote.push({ ...common, labels: 'known', golden: undefined, replies: shuffled([right, own, again(right), ...wrong.slice(0, 2)], random) });
  }
  for (const problem of rtllm ?? []) {
    const id = text(problem, 'id');
    const replies = (recorded ?? []).filter((row) => text(row, 'design') === id).map((row): RecordedReply => ({ name: text(row, 'id'), code: text(row, 'code').trim(), right: row['official_pass'] === true }));
    if (!replies.some(({ right }) => right)) continue;
    golden.push({ id, description: text(problem, 'description'), header: undefined, labels: 'testbench', golden: { file: '/nowhere/golden.v', text: text(problem, 'golden'), module: text(problem, 'top') }, replies });
  }
  return { golden, vote };
}

/** From `module` to its semicolon. */
function headerOf(code: string): string | undefined {
  return /\bmodule\b[^;]*;/.exec(code)?.[0];
}
