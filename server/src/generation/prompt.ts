import type { Message } from '../model/client.ts';
import { literal, someOf } from '../verification/value-text.ts';
import type { VerifyResult, WitnessStep } from '../verification/verdict.ts';
import type { FixFinding, KnownModule, Task } from './contract.ts';

/**
 * The shape that reasoning models for Verilog were trained on: think inside `<think>`, then the code in a fence inside `<answer>`. Other models
 * follow it as an instruction.
 */
export const SYSTEM_PROMPT = `You are an expert in digital design who writes synthesizable Verilog.
First think about the task step by step between <think> and </think>. Then give the result between <answer> and </answer>: one fenced code block of Verilog, with nothing before or after it.

<think>
your reasoning
</think>
<answer>
\`\`\`verilog
the complete module, from module to endmodule
\`\`\`
</answer>

Keep to these rules:
- Where a module header is given, use it as it is: the same module name, parameters, ports, directions, widths and order.
- Write every module that you instantiate, except those that are listed as existing.
- No testbench, no system tasks such as $display, no delays.`;

/** What a first request says, apart from the modules of the project. */
export function taskText(task: Task): string {
  switch (task.kind) {
    case 'write':
      return [outdented(task.description), ...(task.header === undefined ? [] : ['', 'The module header is:', fence(task.header)])].join('\n');
    case 'fix':
      return [
        'This module has problems. Correct them and change nothing else.',
        '',
        fence(task.code),
        '',
        findingsText(task.code, task.findings),
        '',
        'Keep the module header as it is, and give the complete corrected module.',
      ].join('\n');
    case 'repair':
      return ['This module does not behave as its reference does.', '', fence(task.code), '', counterexampleText(task.verdict, task.code), '', REPAIR_WISH].join('\n');
  }
}

/** The text of a comment without the blanks that its lines have in common and those around it. */
function outdented(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const depth = Math.min(...lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(depth)).join('\n').trim();
}

const REPAIR_WISH = 'Find the cause, keep the module header as it is, and give the complete corrected module.';

/** The messages of a first request. */
export function firstMessages(task: Task, modules: readonly KnownModule[]): readonly Message[] {
  const existing = modules.length === 0 ? [] : ['', 'These modules exist already and may be instantiated:', fence(modules.map(({ header }) => header).join('\n\n'))];
  return [
    { role: 'system', content: SYSTEM_PROMPT },
    { role: 'user', content: [taskText(task), ...existing].join('\n') },
  ];
}

/** What is wrong with a reply's code, for its repair. */
export type Evidence =
  | { readonly kind: 'findings'; readonly findings: readonly FixFinding[] }
  | { readonly kind: 'counterexample'; readonly verdict: VerifyResult }
  /** What a testbench printed, or another sentence. */
  | { readonly kind: 'text'; readonly text: string };

/** The messages of a repair: the first request, the code alone as the model's answer, and what is wrong with it. No reasoning is sent back. */
export function repairMessages(first: readonly Message[], code: string, evidence: Evidence): readonly Message[] {
  return [
    ...first,
    { role: 'assistant', content: `<answer>\n${fence(code)}\n</answer>` },
    { role: 'user', content: [evidenceText(code, evidence), '', REPAIR_WISH].join('\n') },
  ];
}

/** The continuation of a reply whose thinking is to end now: its reasoning so far, then the beginning of the answer. */
export function answerNowMessages(messages: readonly Message[], reasoning: string, answerStart: string): readonly Message[] {
  return [...messages, { role: 'assistant', content: `<think>\n${reasoning.trim()}\n</think>\n${answerStart}` }];
}

/** What the model is made to begin an answer with that holds a module. */
export const ANSWER_START = '<answer>\n```verilog\n';

/** The same wish in words, for servers that do not continue a message. */
export function hurryMessages(messages: readonly Message[], reasoning: string): readonly Message[] {
  const last = messages.at(-1);
  const text = `${last?.content ?? ''}\n\nThis was already considered:\n${tail(reasoning.trim(), HURRY_CHARACTERS)}\n\nDo not think any longer. Give the answer now.`;
  return [...messages.slice(0, -1), { role: last?.role ?? 'user', content: text }];
}

const HURRY_CHARACTERS = 6_000;

function tail(text: string, length: number): string {
  return text.length <= length ? text : `…${text.slice(-length)}`;
}

export function explainMessages(code: string, modules: readonly KnownModule[]): readonly Message[] {
  const existing = modules.length === 0 ? [] : ['', 'It uses these modules:', fence(modules.map(({ header }) => header).join('\n\n'))];
  return [
    { role: 'system', content: EXPLAIN_PROMPT },
    { role: 'user', content: ['Explain this module.', '', fence(code), ...existing].join('\n') },
  ];
}

const EXPLAIN_PROMPT = `You are an expert in digital design. Explain Verilog to an engineer in plain words: first the purpose in one or two sentences, then the inputs and outputs, clock and reset, then how it works block by block, at last what looks wrong or risky, if anything does.
Say only what the code shows. Use Markdown, at most 400 words, and do not repeat the code.`;

/** Backticks inside of the text never end the fence. */
function fence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}verilog\n${code.replace(/\s+$/, '')}\n${mark}`;
}

function evidenceText(code: string, evidence: Evidence): string {
  switch (evidence.kind) {
    case 'findings':
      return findingsText(code, evidence.findings);
    case 'counterexample':
      return counterexampleText(evidence.verdict, code);
    case 'text':
      return evidence.text;
  }
}

/** Diagnostics that a prompt shows at most. */
const MOST_FINDINGS = 3;

function findingsText(code: string, findings: readonly FixFinding[]): string {
  const lines = code.split('\n');
  const shown = findings.slice(0, MOST_FINDINGS).flatMap(({ message, line }) => {
    const source = line === undefined ? undefined : lines[line]?.trim();
    if (line === undefined || source === undefined) return [`- ${message}`];
    return [`- Line ${line + 1}: ${message}`, `  ${source}`];
  });
  return [findings.length === 1 ? 'There is this problem:' : 'There are these problems:', ...shown].join('\n');
}

/** Rows of a counterexample that a prompt shows at most, the last of them the difference. */
const MOST_STEPS = 12;

/** The shortest counterexample as a table, and the lines of the code that assign the output that differs. */
export function counterexampleText(verdict: VerifyResult, code: string): string {
  const { mismatch, witness } = verdict;
  if (mismatch === undefined) return verdict.reason;
  const pattern = mismatch.pattern === undefined ? [] : [mismatch.pattern.text];
  const lines = assignmentsOf(code, mismatch.output);
  return [
    `Its outputs differ from the right ones: ${verdict.reason}`,
    ...pattern,
    '',
    stepTable(witness.slice(-MOST_STEPS), mismatch.differing, witness.length > MOST_STEPS),
    ...(lines.length === 0 ? [] : ['', `Lines that assign ${mismatch.output}:`, ...lines]),
  ].join('\n');
}

function stepTable(steps: readonly WitnessStep[], differing: readonly string[], cut: boolean): string {
  const inputs = Object.keys(steps.at(-1)?.inputs ?? {});
  const rows = steps.map(({ cycle, phase, inputs: values, expected, actual }) =>
    [
      `cycle ${cycle}${phase === 'clocked' ? ', after the edge' : ''}:`,
      inputs.map((name) => `${name}=${literal(values[name] ?? 'x')}`).join(' '),
      '->',
      differing.map((name) => `${name}=${literal(actual[name] ?? 'x')} (right: ${literal(expected[name] ?? 'x')})`).join(' '),
    ].join(' '),
  );
  return [cut ? 'The last steps before the difference:' : 'The steps from power-on to the difference:', ...rows].join('\n');
}

const MOST_LINES = 8;

function assignmentsOf(code: string, output: string): string[] {
  const name = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const assigns = new RegExp(String.raw`(?<![\w$])${name}\s*(?:\[[^\]]*\]\s*)*(?:<=|=)(?!=)`);
  const found = code.split('\n').flatMap((line, at) => (assigns.test(line) ? [`  ${at + 1}: ${line.trim()}`] : []));
  return found.length <= MOST_LINES ? found : [someOf(found, MOST_LINES)];
}
