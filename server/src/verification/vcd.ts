import { clockLines } from './stimulus/clock-schedule.ts';
import { SETTLE } from './harness/pace.ts';
import type { WitnessStep } from './verdict.ts';
import type { Recording } from './witness.ts';

/** A recording as a Value Change Dump (IEEE 1364 clause 18): scopes `inputs`, `golden` and `dut`, 1 ns a time unit. */
export function toVcd({ steps, layout, clocks }: Recording): string {
  return stepsToVcd(steps, clockLines(layout, clocks).length === 0 ? new Set() : new Set(clocks.map((clock) => clock.port)));
}

/** One sample every settle time; the value of a sample holds from the moment its inputs were applied. */
export function stepsToVcd(steps: readonly WitnessStep[], clocks: ReadonlySet<string>): string {
  const [first] = steps;
  const scopes = ['inputs', 'expected', 'actual'] as const;
  const scopeNames = { inputs: 'inputs', expected: 'golden', actual: 'dut' } as const;
  const lines = ['$version RTL Copilot $end', '$timescale 1ns $end'];
  const ids = new Map<string, string>();
  for (const scope of scopes) {
    lines.push(`$scope module ${scopeNames[scope]} $end`);
    const names = Object.keys(first?.[scope] ?? {}).sort((a, b) => Number(clocks.has(b)) - Number(clocks.has(a)));
    for (const name of names) {
      const width = first?.[scope][name]?.length ?? 1;
      const id = identifierCode(ids.size);
      ids.set(`${scope} ${name}`, id);
      lines.push(`$var wire ${String(width)} ${id} ${name}${width === 1 ? '' : ` [${String(width - 1)}:0]`} $end`);
    }
    lines.push('$upscope $end');
  }
  lines.push('$enddefinitions $end');
  const last = new Map<string, string>();
  steps.forEach((step, index) => {
    lines.push(`#${String(index * SETTLE)}`);
    for (const scope of scopes) {
      for (const [name, value] of Object.entries(step[scope])) {
        const id = ids.get(`${scope} ${name}`);
        if (id === undefined || last.get(id) === value) continue;
        last.set(id, value);
        lines.push(value.length === 1 ? `${value}${id}` : `b${value} ${id}`);
      }
    }
  });
  lines.push(`#${String(steps.length * SETTLE)}`);
  return `${lines.join('\n')}\n`;
}

/** Identifier codes are printable ASCII from `!` to `~`. */
function identifierCode(index: number): string {
  const digit = String.fromCharCode(33 + (index % 94));
  return index < 94 ? digit : digit + identifierCode(Math.floor(index / 94) - 1);
}
