import { marker, type SideName } from './formal-script.ts';

/** One step of the prover's model. Values are binary text, most significant bit first. */
export interface ProofStep {
  readonly inputs: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, string>>;
  readonly actual: Readonly<Record<string, string>>;
}

export interface ProofLog {
  /** The last stage that began. */
  readonly stage: SideName | 'miter' | 'prove' | 'known' | undefined;
  readonly proved: boolean;
  /** Empty unless a counterexample from the initial state was found. */
  readonly steps: readonly ProofStep[];
  /** No difference within this many steps from the initial state. */
  readonly bound: number;
  /** Per output, whether the golden's value can become known; shorter when the run ended before. */
  readonly known: readonly boolean[];
}

function section(log: string, from: string, to: string | undefined): string | undefined {
  const start = log.indexOf(`\n${from}\n`);
  if (start < 0) return undefined;
  const end = to === undefined ? -1 : log.indexOf(`\n${to}\n`, start + 1);
  return end < 0 ? log.slice(start) : log.slice(start, end);
}

/** Reads the table of a model: `time \signal decimal hexadecimal binary`. */
function readModel(text: string): ProofStep[] {
  const steps: { inputs: Record<string, string>; expected: Record<string, string>; actual: Record<string, string> }[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s+(\d+) \\(in|gold|gate)_(\S+)\s+\S+\s+\S+\s+([01x]+)\s*$/.exec(line);
    if (match === null) continue;
    const [, time, group, port = '', value = ''] = match;
    const index = Number(time) - 1;
    while (steps.length <= index) steps.push({ inputs: {}, expected: {}, actual: {} });
    const step = steps[index];
    if (step !== undefined) step[group === 'in' ? 'inputs' : group === 'gold' ? 'expected' : 'actual'][port] = value;
  }
  return steps;
}

/** Reads the log of a proof script that was made with the same nonce and so many outputs. */
export function readProofLog(log: string, nonce: string, outputs: number): ProofLog {
  const text = log.replaceAll('\r\n', '\n');
  const stage = [...text.matchAll(new RegExp(`^stage-${nonce} (golden|dut|miter|prove|known)`, 'gm'))].at(-1)?.[1] as ProofLog['stage'];
  const prove = section(text, marker(nonce, 'prove'), marker(nonce, 'known 0')) ?? '';
  const found = /^SAT temporal induction proof finished - model found for base case: FAIL!$/m.exec(prove);
  const bounds = [...prove.matchAll(/^Base case for induction length (\d+) proven\.$/gm)].map((match) => Number(match[1]));
  const known: boolean[] = [];
  for (let i = 0; i < outputs; i++) {
    const answer = section(text, marker(nonce, `known ${i}`), marker(nonce, `known ${i + 1}`));
    if (answer === undefined || !answer.includes('SAT solving finished - ')) break;
    known.push(answer.includes('SAT solving finished - model found:'));
  }
  return {
    stage,
    proved: /^Induction step proven: SUCCESS!$/m.test(prove),
    steps: found === null ? [] : readModel(prove.slice(found.index)),
    bound: Math.max(0, ...bounds),
    known,
  };
}
