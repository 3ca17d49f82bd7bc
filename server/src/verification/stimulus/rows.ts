import type { Field, Layout } from './layout.ts';
import type { Random } from './random.ts';

/** Stimulus rows as the harness reads them: `rowBytes` bytes a row, most significant byte first. */
export interface Rows {
  readonly bytes: Uint8Array;
  readonly rowBytes: number;
  readonly count: number;
}

/** Reads one bit of a row; bit 0 is the least significant bit of the row. */
export function rowBit(rows: Rows, row: number, bit: number): 0 | 1 {
  const byte = rows.bytes[row * rows.rowBytes + rows.rowBytes - 1 - (bit >> 3)] ?? 0;
  return ((byte >> (bit & 7)) & 1) === 1 ? 1 : 0;
}

/** Binary text of a field, most significant bit first. */
export function fieldText(rows: Rows, row: number, field: Field): string {
  let text = '';
  for (let bit = field.width - 1; bit >= 0; bit--) text += rowBit(rows, row, field.offset + bit) === 1 ? '1' : '0';
  return text;
}

/** Copies the chosen rows, in order. */
export function selectRows(rows: Rows, indices: readonly number[]): Rows {
  const bytes = new Uint8Array(indices.length * rows.rowBytes);
  indices.forEach((from, to) => {
    bytes.set(rows.bytes.subarray(from * rows.rowBytes, (from + 1) * rows.rowBytes), to * rows.rowBytes);
  });
  return { bytes, rowBytes: rows.rowBytes, count: indices.length };
}

/** The rows up to one, which is left out. */
export function firstRows({ bytes, rowBytes }: Rows, count: number): Rows {
  return { bytes: bytes.slice(0, count * rowBytes), rowBytes, count };
}

/** The rows without some that follow each other. */
export function withoutRows(rows: Rows, from: number, count: number): Rows {
  const { rowBytes } = rows;
  const bytes = new Uint8Array((rows.count - count) * rowBytes);
  bytes.set(rows.bytes.subarray(0, from * rowBytes));
  bytes.set(rows.bytes.subarray((from + count) * rowBytes), from * rowBytes);
  return { bytes, rowBytes, count: rows.count - count };
}

/** Rows one after the other; there is at least one part. */
export function joinRows(parts: readonly Rows[]): Rows {
  const bytes = Buffer.concat(parts.map((part) => part.bytes));
  return { bytes, rowBytes: parts[0]?.rowBytes ?? 1, count: parts.reduce((sum, part) => sum + part.count, 0) };
}

/** The rows and as many copies of the last one as it takes to make so many. */
export function paddedRows(rows: Rows, count: number): Rows {
  return selectRows(rows, Array.from({ length: count }, (_, row) => Math.min(row, rows.count - 1)));
}

/** Builds rows by changing a current row and appending copies of it. */
export class RowBuilder {
  readonly current: Uint8Array;
  readonly #rowBytes: number;
  #bytes: Uint8Array;
  #count = 0;

  constructor(layout: Pick<Layout, 'rowBytes'>, expectedRows = 256) {
    this.#rowBytes = layout.rowBytes;
    this.current = new Uint8Array(layout.rowBytes);
    this.#bytes = new Uint8Array(layout.rowBytes * Math.max(1, expectedRows));
  }

  get count(): number {
    return this.#count;
  }

  bit(position: number): 0 | 1 {
    return (((this.current[this.#rowBytes - 1 - (position >> 3)] ?? 0) >> (position & 7)) & 1) === 1 ? 1 : 0;
  }

  setBit(position: number, value: 0 | 1 | boolean): void {
    const index = this.#rowBytes - 1 - (position >> 3);
    const mask = 1 << (position & 7);
    const byte = this.current[index] ?? 0;
    this.current[index] = value === true || value === 1 ? byte | mask : byte & ~mask;
  }

  /** Binary text of a field of the current row, most significant bit first. */
  text(field: Field): string {
    return fieldText({ bytes: this.current, rowBytes: this.#rowBytes, count: 1 }, 0, field);
  }

  /** Sets a field to a number; bits above the field's width are dropped, bits above 2³¹ read as 0. */
  setNumber(field: Field, value: number): void {
    for (let bit = 0; bit < field.width; bit++) this.setBit(field.offset + bit, bit < 32 && ((value >>> bit) & 1) === 1);
  }

  /** Sets a field to the low bits of a two's complement integer. */
  setBig(field: Field, value: bigint): void {
    let rest = BigInt.asUintN(field.width, value);
    for (let bit = 0; bit < field.width; bit++) {
      this.setBit(field.offset + bit, (rest & 1n) === 1n);
      rest >>= 1n;
    }
  }

  fill(field: Field, value: 0 | 1): void {
    for (let bit = 0; bit < field.width; bit++) this.setBit(field.offset + bit, value);
  }

  randomize(field: Field, random: Random): void {
    let word = 0;
    for (let bit = 0; bit < field.width; bit++) {
      if ((bit & 31) === 0) word = random.uint32();
      this.setBit(field.offset + bit, ((word >>> (bit & 31)) & 1) === 1);
    }
  }

  copyField(to: Field, from: Field): void {
    for (let bit = 0; bit < to.width; bit++) this.setBit(to.offset + bit, bit < from.width ? this.bit(from.offset + bit) : 0);
  }

  push(): void {
    const end = (this.#count + 1) * this.#rowBytes;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(this.current, this.#count * this.#rowBytes);
    this.#count++;
  }

  finish(): Rows {
    return { bytes: this.#bytes.slice(0, this.#count * this.#rowBytes), rowBytes: this.#rowBytes, count: this.#count };
  }
}
