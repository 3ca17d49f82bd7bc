import type { MinedConstant } from '../analysis/module.ts';
import type { Field } from './stimulus/layout.ts';
import type { Random } from './stimulus/random.ts';
import type { RowBuilder } from './stimulus/rows.ts';

/** Draws input values that are more telling than uniform ones: corners, constants of the source, copies of other inputs, bit patterns in time. */
export class ValueSource {
  readonly #fields: readonly Field[];
  readonly #builder: RowBuilder;
  readonly #random: Random;
  readonly #constants: readonly MinedConstant[];
  /** Share of ones in single-bit inputs, drawn anew for each episode. */
  readonly #bias = new Map<Field, number>();
  readonly #pattern = new Map<Field, { bits: string; next: number }>();

  constructor(fields: readonly Field[], constants: readonly MinedConstant[], builder: RowBuilder, random: Random) {
    this.#fields = fields;
    this.#builder = builder;
    this.#random = random;
    this.#constants = constants;
  }

  newEpisode(): void {
    for (const field of this.#fields) {
      this.#bias.set(field, this.#random.pick([0.02, 0.1, 0.5, 0.5, 0.9, 0.98]));
      this.#pattern.delete(field);
    }
  }

  randomizeAll(): void {
    for (const field of this.#fields) this.#builder.randomize(field, this.#random);
  }

  drawAll(): void {
    for (const field of this.#fields) this.draw(field);
  }

  drawOne(): void {
    const field = this.#fields[this.#random.below(this.#fields.length)];
    if (field === undefined) return;
    if (field.width === 1) this.#builder.setBit(field.offset, this.#builder.bit(field.offset) === 0);
    else if (this.#random.chance(0.5)) this.#flipOneBit(field);
    else this.draw(field);
  }

  draw(field: Field): void {
    const random = this.#random;
    if (field.width === 1) {
      this.#builder.setBit(field.offset, random.chance(this.#bias.get(field) ?? 0.5));
      return;
    }
    const ticket = random.below(20);
    if (ticket < 7) this.#builder.randomize(field, random);
    else if (ticket < 11) this.#corner(field);
    else if (ticket < 14) this.#constant(field);
    else if (ticket < 16) this.#builder.setNumber(field, random.below(Math.min(2 ** Math.min(field.width, 30), 17)));
    else if (ticket < 18) this.#relative(field);
    else this.#flipOneBit(field);
  }

  /** Single-bit inputs follow a repeated bit pattern in time; others are drawn. */
  shiftAll(): void {
    for (const field of this.#fields) {
      if (field.width > 1) {
        if (this.#random.chance(0.2)) this.draw(field);
        continue;
      }
      let pattern = this.#pattern.get(field);
      if (pattern === undefined || this.#random.chance(0.02)) {
        pattern = { bits: this.#bitPattern(), next: 0 };
        this.#pattern.set(field, pattern);
      }
      this.#builder.setBit(field.offset, pattern.bits[pattern.next] === '1');
      pattern.next = (pattern.next + 1) % pattern.bits.length;
    }
  }

  #bitPattern(): string {
    const random = this.#random;
    const ticket = random.below(4);
    if (ticket === 0) return '1'.repeat(random.between(1, 12)) + '0'.repeat(random.between(1, 12));
    if (ticket === 1) {
      const constant = this.#constants[random.below(this.#constants.length)];
      if (constant !== undefined && constant.value > 1n) {
        const bits = constant.value.toString(2).padStart(Math.min(constant.width ?? 0, 64), '0');
        return random.chance(0.5) ? bits : Array.from(bits).reverse().join('');
      }
    }
    return Array.from({ length: random.between(2, 16) }, () => (random.chance(0.5) ? '1' : '0')).join('');
  }

  #corner(field: Field): void {
    const top = field.offset + field.width - 1;
    switch (this.#random.below(7)) {
      case 0:
        this.#builder.fill(field, 0);
        return;
      case 1:
        this.#builder.fill(field, 1);
        return;
      case 2:
        this.#builder.fill(field, 0);
        this.#builder.setBit(top, 1);
        return;
      case 3:
        this.#builder.fill(field, 1);
        this.#builder.setBit(top, 0);
        return;
      case 4: {
        const first = this.#random.below(2);
        for (let bit = 0; bit < field.width; bit++) this.#builder.setBit(field.offset + bit, ((bit + first) & 1) === 1);
        return;
      }
      case 5:
        this.#builder.fill(field, 0);
        this.#builder.setBit(field.offset + this.#random.below(field.width), 1);
        return;
      default:
        this.#builder.fill(field, 1);
        this.#builder.setBit(field.offset + this.#random.below(field.width), 0);
    }
  }

  /** A constant of the source, or one beside it; preferably one of the field's own width. */
  #constant(field: Field): void {
    const fitting = this.#constants.filter(({ value, width }) => (width === undefined || width === field.width) && value < 1n << BigInt(field.width));
    const pool = fitting.length > 0 && this.#random.chance(0.8) ? fitting : this.#constants;
    const constant = pool[this.#random.below(pool.length)];
    if (constant === undefined) {
      this.#corner(field);
      return;
    }
    this.#builder.setBig(field, constant.value + BigInt(this.#random.pick([0, 0, 0, 1, -1])));
  }

  /** A copy of another input of the same width, or a value beside the field's own. */
  #relative(field: Field): void {
    const peers = this.#fields.filter((peer) => peer !== field && peer.width === field.width);
    const peer = peers[this.#random.below(peers.length)];
    if (peer === undefined) {
      this.#flipOneBit(field);
      return;
    }
    this.#builder.copyField(field, peer);
    if (this.#random.chance(0.3)) this.#flipOneBit(field);
    else if (this.#random.chance(0.2)) {
      for (let bit = 0; bit < field.width; bit++) this.#builder.setBit(field.offset + bit, this.#builder.bit(field.offset + bit) === 0);
    }
  }

  #flipOneBit(field: Field): void {
    const position = field.offset + this.#random.below(field.width);
    this.#builder.setBit(position, this.#builder.bit(position) === 0);
  }
}
