import type { MinedConstant } from '../analysis/module.ts';
import type { Field } from './stimulus/layout.ts';
import type { Random } from './stimulus/random.ts';
import type { RowBuilder } from './stimulus/rows.ts';
import { StrobedBus } from './stimulus/strobed.ts';

/** Bits of a constant that may be a word of a serial transfer. */
const SHORTEST_WORD = 4;

/** A pattern in time of a single-bit input, of which each bit is kept for `pace` changes. */
interface Pattern {
  readonly bits: string;
  readonly pace: number;
  next: number;
  /** Changes for which the current bit stays. */
  left: number;
}

/** Most values that a wide input takes in an episode of few values, and how likely it is to take others. */
const FEW_VALUES = 5;
const OTHERWISE = 0.02;
const SMALL_NUMBERS = 12;

/** Draws input values that are more telling than uniform ones: corners, constants of the source, copies of other inputs, bit patterns in time. */
export class ValueSource {
  readonly #fields: readonly Field[];
  readonly #builder: RowBuilder;
  readonly #random: Random;
  readonly #constants: readonly MinedConstant[];
  /** Share of ones in single-bit inputs, drawn anew for each episode. */
  readonly #bias = new Map<Field, number>();
  readonly #pattern = new Map<Field, Pattern>();
  /** The few values of wide inputs in an episode of such, as texts of bits. */
  readonly #few = new Map<Field, readonly [string, ...string[]]>();
  /** Changes for which a pattern keeps each of its bits in this episode. */
  #pace = 1;

  constructor(fields: readonly Field[], constants: readonly MinedConstant[], builder: RowBuilder, random: Random) {
    this.#fields = fields;
    this.#builder = builder;
    this.#random = random;
    this.#constants = constants;
  }

  newEpisode(pace = 1): void {
    this.#pace = pace;
    for (const field of this.#fields) {
      this.#bias.set(field, this.#random.pick([0.02, 0.1, 0.5, 0.5, 0.9, 0.98]));
      this.#pattern.delete(field);
    }
  }

  /** Keeps most of the wide inputs to a few values each until the next episode: small numbers, constants of the source, or such as are drawn otherwise, so that what is written, addressed and compared meets again. */
  keepToFew(): void {
    this.#few.clear();
    for (const field of this.#fields.filter(({ width }) => width > 1)) {
      const ticket = this.#random.below(6);
      if (ticket === 0) continue;
      const value = (): string => {
        if (ticket < 3) this.#builder.setNumber(field, this.#random.below(SMALL_NUMBERS));
        else if (ticket < 5) this.#constant(field);
        else this.draw(field);
        return this.#builder.text(field);
      };
      this.#few.set(field, [value(), ...Array.from({ length: this.#random.between(1, FEW_VALUES - 1) }, value)]);
    }
  }

  randomizeAll(): void {
    for (const field of this.#fields) {
      if (this.#few.has(field)) this.draw(field);
      else this.#builder.randomize(field, this.#random);
    }
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
    const few = this.#few.get(field);
    if (few !== undefined && !random.chance(OTHERWISE)) {
      this.#builder.setBig(field, BigInt(`0b${random.pick(few)}`));
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
        if (this.#random.chance(0.2 / this.#pace)) this.draw(field);
        continue;
      }
      let pattern = this.#pattern.get(field);
      if (pattern === undefined || (pattern.left === 0 && this.#random.chance(0.02))) {
        pattern = { bits: this.#bitPattern(), pace: this.#random.chance(0.8) ? this.#pace : 1, next: 0, left: 0 };
        this.#pattern.set(field, pattern);
      }
      if (pattern.left-- > 0) continue;
      this.#builder.setBit(field.offset, pattern.bits[pattern.next] === '1');
      pattern.next = (pattern.next + 1) % pattern.bits.length;
      pattern.left = pattern.pace - 1;
    }
  }

  /** For how many changes a bit of a pattern in time is kept in an episode; not longer than `longest`. */
  drawPace(longest: number): number {
    const random = this.#random;
    if (longest < 2 || random.chance(0.4)) return 1;
    const named = random.chance(0.4) ? random.pick([2, 4, 8, 16]) : this.drawNamedPace(2, longest);
    return named === undefined || named > longest ? 1 : named;
  }

  /**
   * As many cycles as a constant of the source says, or a few more: a design that divides its clock, filters or oversamples takes a
   * bit in that time. Undefined where no constant is within the bounds.
   */
  drawNamedPace(shortest: number, longest: number): number | undefined {
    const fitting = this.#constants.filter(({ value }) => value >= shortest && value <= longest);
    const drawn = fitting[this.#random.below(fitting.length)];
    return drawn === undefined ? undefined : Number(drawn.value) + this.#random.pick([0, 1, 1, this.#random.between(2, 8)]);
  }

  #bitPattern(): string {
    const random = this.#random;
    const ticket = random.below(4);
    if (ticket === 0) return '1'.repeat(random.between(1, 12)) + '0'.repeat(random.between(1, 12));
    const constant = ticket === 1 ? this.#constants[random.below(this.#constants.length)] : undefined;
    if (constant !== undefined && constant.value > 1n) return this.#bitsOf(constant);
    return Array.from({ length: random.between(2, 16) }, () => (random.chance(0.5) ? '1' : '0')).join('');
  }

  /** A constant bit by bit, from either end. */
  #bitsOf({ value, width }: MinedConstant): string {
    const bits = value.toString(2).padStart(Math.min(width ?? 0, 64), '0');
    return this.#random.chance(0.5) ? bits : Array.from(bits).reverse().join('');
  }

  get hasBus(): boolean {
    return this.#fields.filter(({ width }) => width === 1).length > 1;
  }

  /** Serial transfers between the single-bit inputs, in which words of the source are likely. */
  drawBus(): StrobedBus {
    const words = this.#constants.filter(({ value, width }) => value > 1n && (width ?? 0) >= SHORTEST_WORD);
    return new StrobedBus(this.#fields, this.#builder, this.#random, () => {
      const word = this.#random.chance(0.6) ? words[this.#random.below(words.length)] : undefined;
      return word === undefined ? this.#bitPattern() : this.#bitsOf(word);
    });
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
