import type { Field } from './layout.ts';
import type { Random } from './random.ts';
import type { RowBuilder } from './rows.ts';

/**
 * Single-bit inputs as on a serial bus: one of them is the strobe and moves at an even pace, the others follow bit patterns and move only
 * behind one of its edges. Once in a while one of the others moves in between, as a start condition or a select does; then the
 * patterns begin anew. Which input is the strobe, at which edge and how fast is drawn.
 */
export class StrobedBus {
  readonly #fields: readonly Field[];
  readonly #builder: RowBuilder;
  readonly #random: Random;
  readonly #bits: () => string;
  readonly #strobe: Field | undefined;
  /** Changes between two edges of the strobe. */
  readonly #half: number;
  /** Level of the strobe behind which the others move. */
  readonly #level: 0 | 1;
  /** How likely one of the others moves in between. */
  readonly #rate: number;
  /** Inputs that move only in between. */
  readonly #selects: ReadonlySet<Field>;
  readonly #patterns = new Map<Field, string>();
  #at = 0;
  #phase = 0;

  /** `bits` draws a pattern. */
  constructor(fields: readonly Field[], builder: RowBuilder, random: Random, bits: () => string) {
    this.#fields = fields.filter(({ width }) => width === 1);
    this.#builder = builder;
    this.#random = random;
    this.#bits = bits;
    this.#strobe = this.#fields[random.below(this.#fields.length)];
    this.#half = random.pick([1, 2, 2, 3, 4, 6]);
    this.#level = random.chance(0.7) ? 0 : 1;
    this.#rate = random.pick([0.01, 0.03, 0.1]);
    const others = this.#fields.filter((field) => field !== this.#strobe);
    this.#selects = new Set(others.length < 2 ? [] : others.filter(() => random.chance(0.5)));
    this.#begin();
  }

  change(): void {
    const { strobe, builder } = { strobe: this.#strobe, builder: this.#builder };
    if (strobe === undefined) return;
    this.#phase++;
    if (this.#phase % this.#half === 0) builder.setBit(strobe.offset, builder.bit(strobe.offset) === 0);
    const isBehind = builder.bit(strobe.offset) === this.#level;
    // Behind the edge, at once or half way.
    if (isBehind && this.#phase % this.#half === this.#half >> 1) this.#next();
    else if (!isBehind && this.#half > 1 && this.#phase % this.#half === this.#half >> 1 && this.#random.chance(this.#rate)) this.#between();
  }

  #begin(): void {
    this.#at = 0;
    for (const field of this.#fields) if (field !== this.#strobe) this.#patterns.set(field, this.#bits() + this.#bits());
  }

  #next(): void {
    for (const [field, bits] of this.#patterns) if (!this.#selects.has(field)) this.#builder.setBit(field.offset, bits[this.#at % bits.length] === '1');
    this.#at++;
  }

  #between(): void {
    const others = this.#fields.filter((field) => field !== this.#strobe && (this.#selects.size === 0 || this.#selects.has(field)));
    const field = others[this.#random.below(others.length)];
    if (field === undefined) return;
    this.#builder.setBit(field.offset, this.#builder.bit(field.offset) === 0);
    this.#begin();
  }
}
