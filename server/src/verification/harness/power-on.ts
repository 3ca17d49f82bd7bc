import type { Bounds, StateVariable } from '../../tools/vvp-state.ts';
import type { PowerOn } from '../engine.ts';
import { hierarchicalName } from './naming.ts';

/** Plus arguments that ask a harness with state for a drawn power-on. */
export function powerOnArguments(powerOn: PowerOn | undefined): string[] {
  if (powerOn === undefined) return [];
  const { seed, again } = powerOn;
  return [`+power_on=${String(seed)}`, ...(again === undefined ? [] : [`+again=${String(again.rows)}`, `+states=${String(again.states)}`, ...(again.unknownFirst ? ['+unknown_first'] : [])])];
}

/** Memories above this many words keep their unknown content, which no short run would read back anyway. */
const MOST_WORDS = 4096;

export interface PowerTexts {
  readonly declarations: string;
  readonly start: string;
  /** Whether the step is the first after a power-on. */
  readonly isFirst: string;
  /** What follows a step; `inputs` makes the inputs unknown and settles. */
  readonly again: (inputs: string) => string;
}

/**
 * A task that replaces every unknown bit of the state by a random one, once the design's own initial values are there, and that brings those back when it is
 * called again.
 */
export function powerOnTexts(state: readonly StateVariable[]): PowerTexts {
  const held = state.filter(({ words }) => words === undefined || Math.abs(words.left - words.right) < MOST_WORDS);
  if (held.length === 0) return { declarations: '', start: '', isFirst: 'steps == 0', again: () => '' };
  const loop = (counter: string, { left, right }: Bounds, body: string): string =>
    `for (${counter} = ${String(Math.min(left, right))}; ${counter} <= ${String(Math.max(left, right))}; ${counter} = ${counter} + 1) ${body}`;
  const bounds = (range: Bounds | undefined): string => (range === undefined ? '' : `[${String(range.left)}:${String(range.right)}]`);
  const texts = held.map(({ path: [, ...path], bits, words }, index) => {
    const word = words === undefined ? '' : '[word]';
    const [name, kept] = [`${hierarchicalName(path)}${word}`, `kept_${String(index)}${word}`];
    const bit = bits === undefined ? '' : '[index]';
    const inWords = (body: string): string => (words === undefined ? body : loop('word', words, body));
    const inBits = (body: string): string => inWords(bits === undefined ? body : loop('index', bits, body));
    return {
      declaration: `  reg ${bounds(bits)} kept_${String(index)}${words === undefined ? '' : ` ${bounds(words)}`};`,
      keep: inWords(`${kept} = ${name};`),
      restore: inBits(`${name}${bit} = ${kept}${bit};`),
      draw: inBits(`if (${name}${bit} === 1'bx) ${name}${bit} = $random(seed);`),
    };
  });
  const all = (kind: keyof (typeof texts)[number]): string => texts.map((text) => text[kind]).join('\n      ');
  return {
    declarations: `  integer again = 0, states = 1, powers = 0, unknown_first = 0, first_seed;
${texts.map(({ declaration }) => declaration).join('\n')}
  task power;
    begin
      if (powers != 0) begin
      ${all('restore')}
      end
      seed = first_seed + powers % states - unknown_first;
      if (powers % states != 0 || !unknown_first) begin
      ${all('draw')}
      end
      powers = powers + 1;
    end
  endtask
`,
    start: `    if ($value$plusargs("power_on=%d", first_seed)) begin
      if (!$value$plusargs("again=%d", again)) again = 0;
      if (!$value$plusargs("states=%d", states)) states = 1;
      unknown_first = $test$plusargs("unknown_first");
      #1;
      ${all('keep')}
      power;
    end
`,
    isFirst: 'again == 0 ? steps == 0 : steps % again == 0',
    again: (inputs) => `      if (again != 0 && steps % again == 0) begin
        ${inputs} power;
      end
`,
  };
}
