import { marker, type SideName, type Stage } from './script.ts';

/** One step of a model as the prover printed it. Values are binary text, most significant bit first. */
export interface ModelStep {
  readonly inputs: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, string>>;
  readonly actual: Readonly<Record<string, string>>;
}

export interface ProofLog {
  /** The script came as far as asking for a proof. */
  readonly asked: boolean;
  readonly proved: boolean;
  /** Empty unless a counterexample from the initial state was found. */
  readonly steps: readonly ModelStep[];
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
function readModel(text: string): ModelStep[] {
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

function lastStage(text: string, nonce: string): string | undefined {
  return [...text.matchAll(new RegExp(`^stage-${nonce} (golden|dut)`, 'gm'))].at(-1)?.[1];
}

/** The side at which an elaboration stopped that did not succeed. */
export function failedSide(log: string, nonce: string): SideName {
  return lastStage(log, nonce) === 'dut' ? 'dut' : 'golden';
}

/** Names that an elaboration took for nets of one bit because it did not find what they stand for. */
export function implicitNames(log: string, nonce: string): Record<SideName, readonly string[]> {
  const text = log.replaceAll('\r\n', '\n');
  const within = (side: SideName, next: SideName | undefined): string[] =>
    [...(section(text, marker(nonce, side), next && marker(nonce, next)) ?? '').matchAll(/Warning: Identifier `\\?(.*)' is implicitly declared/g)].map(([, name]) => name ?? '');
  return { golden: within('golden', 'dut'), dut: within('dut', undefined) };
}

/** What an induction that succeeds ends the script with; releases differ in what else they print then. */
const success = 'ERROR: Called with -falsify and proof did succeed!';

/** Reads the log of a proof script that was made with the same nonce and so many outputs; the log may be cut off. */
export function readProofLog(log: string, nonce: string, outputs: number): ProofLog {
  const text = log.replaceAll('\r\n', '\n');
  const part = (from: Stage, to: Stage): string => section(text, marker(nonce, from), marker(nonce, to)) ?? '';
  const registers = part('registers', 'prove');
  const plain = [part('prove', 'search'), part('search', 'end')];
  const known: boolean[] = [];
  for (let i = 0; i < outputs; i++) {
    const answer = part(`known ${i}`, i + 1 < outputs ? `known ${i + 1}` : 'registers');
    if (!answer.includes('SAT solving finished - ')) break;
    known.push(answer.includes('SAT solving finished - model found:'));
  }
  const bounds = plain.flatMap((p) => [...p.matchAll(/^Base case for induction length (\d+) proven\.$/gm)].map((match) => Number(match[1])));
  return {
    asked: registers !== '',
    proved: registers.includes(success) || plain[0]?.includes(success) === true,
    steps: plain.map(readCounterexample).find((steps) => steps.length > 0) ?? [],
    bound: Math.max(0, ...bounds),
    known,
  };
}

function readCounterexample(text: string): ModelStep[] {
  const found = /^SAT temporal induction proof finished - model found for base case: FAIL!$/m.exec(text);
  return found === null ? [] : readModel(text.slice(found.index));
}
