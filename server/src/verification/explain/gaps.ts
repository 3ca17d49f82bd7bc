import type { CodeMap, Element, Gap } from '../coverage/code-map.ts';

const BASES: Readonly<Record<string, number>> = { b: 2, d: 10, h: 16, o: 8 };
const SIZED = /^(\d+)\s*'s?([bdho])\s*([\da-f_]+)$/i;

/** What a reader of code knows of a constant: its name and its value as the source has it. */
export interface NamedConstant {
  readonly name: string;
  readonly value: string;
}

/** What is known of a choice around the first difference. */
export interface GapMoment {
  /** Where it took no arm: as the difference begins, within the row before, or longer before. */
  readonly when: 'now' | 'just before' | 'before';
  /** What it chose by; undefined where that is not known. */
  readonly value: bigint | undefined;
}

const WHEN: Readonly<Record<GapMoment['when'], string>> = { now: 'where the output begins to be wrong', 'just before': 'just before the output is wrong', before: 'at some time before the output is wrong' };

/** Says what may be missing of a choice: an arm for a value, or an `else`. */
export function gapText({ lacks, chooser, labels }: Gap, { when, value }: GapMoment, constants: readonly NamedConstant[]): string {
  if (lacks === 'else') return `false ${WHEN[when]}, so that nothing is assigned here`;
  const how = lacks === 'default' ? ': the default is taken' : ', and no default';
  if (/^[\d']/.test(chooser)) return `no arm applies ${WHEN[when]}${how}`;
  const shown = value === undefined ? undefined : valueLike(value, labels, constants);
  return `no arm for ${shown === undefined ? `the value that '${chooser}' has` : `${shown}, the value of '${chooser}'`} ${WHEN[when]}${how}`;
}

/** A value written as the labels beside it are: by the one constant that has it, or in their base. */
function valueLike(value: bigint, labels: readonly string[], constants: readonly NamedConstant[]): string | undefined {
  const sized = labels.map((label) => SIZED.exec(label.trim())).find((match) => match !== null);
  if (sized !== undefined) {
    const [, width = '', base = 'd'] = sized;
    const digits = value.toString(BASES[base.toLowerCase()]);
    const isBinary = base.toLowerCase() === 'b';
    return value >> BigInt(width) === 0n ? `${width}'${base}${isBinary ? digits.padStart(Number(width), '0') : digits}` : undefined;
  }
  // A value with its highest bits set is as likely a negative one.
  if (value >> 32n !== 0n) return undefined;
  const named = constants.filter((constant) => !labels.includes(constant.name) && numberIn(constant.value) === value);
  return named.length === 1 && named[0] !== undefined ? `${named[0].name} (${String(value)})` : String(value);
}

function numberIn(text: string): bigint | undefined {
  const sized = SIZED.exec(text.trim());
  const digits = (sized?.[3] ?? text.trim()).replaceAll('_', '');
  const base = (sized?.[2] ?? 'd').toLowerCase();
  const prefix = base === 'd' ? '' : `0${base === 'h' ? 'x' : base}`;
  return /^[\da-f]+$/i.test(digits) && (base === 'h' || /^\d+$/.test(digits)) ? BigInt(prefix + digits) : undefined;
}

/** The constants that a design declares with a plain number. */
export function constantsOf({ elements }: Pick<CodeMap, 'elements'>, textOf: (element: Element) => string): NamedConstant[] {
  return elements.filter(({ kind, runs }) => kind === 'declaration' && runs === 'settled').flatMap((element) => {
    const [name = '', value] = textOf(element).split('=').map((part) => part.trim());
    return value === undefined ? [] : [{ name, value }];
  });
}

/** What was seen of the run of some code. */
export interface Seen {
  readonly steps: number;
  readonly took: (step: number, branch: number) => boolean;
  /** The left value of a comparison, where it was made in a step. */
  readonly left: (step: number, comparison: number) => bigint | undefined;
}

/** Where a choice took no arm, and what it chose by: step by step, each kept until it chooses anew. */
export class GapTrace {
  readonly #values: (bigint | undefined)[] = [];
  readonly #taken: boolean[] = [];
  /** In that step it took no arm and some other time one, as in a loop, so that the value may be that of either. */
  readonly #isMixed: boolean[] = [];

  constructor({ branches: [branch = -1], gap }: Element, beside: readonly number[], { steps, took, left }: Seen) {
    let value: bigint | undefined;
    let [isTaken, isMixed] = [false, false];
    for (let step = 0; step < steps; step++) {
      if (gap?.comparison !== undefined) value = left(step, gap.comparison) ?? value;
      if (took(step, branch)) [isTaken, isMixed] = [true, gap?.arms.some((arm) => took(step, arm)) === true];
      else if (beside.some((other) => took(step, other))) isTaken = false;
      this.#values.push(value);
      this.#taken.push(isTaken);
      this.#isMixed.push(isMixed);
    }
  }

  /** What it took no arm for in a step; undefined where it took one, or where that is not known. */
  missing(step: number): bigint | undefined {
    return this.#taken[step] === true && this.#isMixed[step] !== true ? this.#values[step] : undefined;
  }

  /** The last time up to a step that it took no arm; undefined where it never did, or took one as well. */
  momentAt(step: number, samplesPerRow: number): GapMoment | undefined {
    const at = this.#taken.lastIndexOf(true, step);
    return at < 0 || this.#isMixed[at] === true ? undefined : { when: at === step ? 'now' : step - at <= samplesPerRow ? 'just before' : 'before', value: this.#values[at] };
  }
}
