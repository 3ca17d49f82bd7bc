import type { WitnessStep } from '../verification/verdict.ts';

/** The witness without samples at which no value but those of `ignored` inputs changed; the last sample always stays. */
export function withoutIdleSamples(witness: readonly WitnessStep[], ignored: ReadonlySet<string> = new Set()): WitnessStep[] {
  const kept: WitnessStep[] = [];
  for (const [at, step] of witness.entries()) {
    const before = kept.at(-1);
    if (before === undefined || at === witness.length - 1 || !sameValues(before, step, ignored)) kept.push(step);
  }
  return kept;
}

function sameValues(a: WitnessStep, b: WitnessStep, ignored: ReadonlySet<string>): boolean {
  return (['inputs', 'expected', 'actual'] as const).every((side) =>
    Object.entries(a[side]).every(([name, bits]) => (side === 'inputs' && ignored.has(name)) || b[side][name] === bits),
  );
}
