import { grouped } from '../base/text.ts';
import { fixText, noFixText, verdictLabel } from '../features/verdict-text.ts';
import { WORST_FIRST } from '../verification/sweep.ts';
import { count } from '../verification/value-text.ts';
import { exitCodeOf, type VerdictKind, type VerifyResult } from '../verification/verdict.ts';
import type { Paint } from './layout.ts';
import { placeText, shortPath } from './places.ts';
import type { ModuleReference, VerifyArgs } from './verify-args.ts';

/** One of many results as one line: a mark, the pair as the user named it, and what was found; a fix that was looked for has a line of its own. */
export function batchLine(result: VerifyResult, { dut, golden }: Pick<VerifyArgs, 'dut' | 'golden'>, cwd: string, paint: Paint): string {
  const code = exitCodeOf(result.verdict);
  const mark = code === 0 ? paint('green', '✓') : code === 1 ? paint('red', '✗') : paint(code === 2 ? 'yellow' : 'red', '–');
  return `${mark} ${nameOf(dut)} against ${nameOf(golden)}: ${findingText(result, cwd).replace(/\s*\n\s*/g, ' ')}\n${fixLine(result, cwd)}`;
}

function fixLine({ fix }: VerifyResult, cwd: string): string {
  const [best] = fix?.fixes ?? [];
  if (fix === undefined) return '';
  return best === undefined ? `  ${noFixText(fix, 'the DUT')}\n` : `  Fix: ${placeText(shortPath(best.file, cwd), best.line, best.character)}: ${fixText(best)}\n`;
}

function nameOf({ file, module }: ModuleReference): string {
  return module === undefined ? file : `${file}:${module}`;
}

function findingText(result: VerifyResult, cwd: string): string {
  const { verdict, reason, problems } = result;
  if (exitCodeOf(verdict) === 0) return verdictLabel(result).replace(/^✓ (.)/, (_, first: string) => first.toLowerCase());
  const [problem] = problems;
  if (problem === undefined) return `${words(verdict)}: ${reason}`;
  const { file, line, character, message } = problem;
  return `${words(verdict)}: ${placeText(shortPath(file, cwd), line, character)}: ${reason}${reason.includes(message) ? '' : ` ${message}`}`;
}

function words(verdict: VerdictKind): string {
  return verdict.replaceAll('-', ' ');
}

/** How many pairs there were, how long they took, and how many ended with which verdict, the best first. */
export function batchSummary(verdicts: readonly VerdictKind[], elapsedMs: number): string {
  const counted = WORST_FIRST.toReversed().flatMap((verdict) => {
    const number = verdicts.filter((other) => other === verdict).length;
    return number === 0 ? [] : [`${grouped(number)} ${words(verdict)}`];
  });
  return `${count(verdicts.length, 'pair')} in ${(elapsedMs / 1000).toFixed(1)} s: ${counted.join(', ')}.\n`;
}
