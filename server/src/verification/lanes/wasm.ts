/** The little of the binary format of WebAssembly (Core Specification 2.0, chapter 5) that it takes to compute with vectors of 128 bits. */

/** What a host with WebAssembly offers, as far as it is used. */
interface Host {
  readonly compile: (bytes: Uint8Array) => Promise<object>;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

const host = (globalThis as { readonly WebAssembly?: Host }).WebAssembly;

export const VECTOR_BYTES = 16;
const PAGE_BYTES = 65_536;

const [I32, V128, EMPTY] = [0x7f, 0x7b, 0x40];

/** Instructions of one function, in the order in which they are written. Addresses are in bytes and stand in the instructions themselves. */
export class Code {
  readonly bytes: number[] = [];

  load(address: number): this {
    return this.#word(0x41, 0).#vector(0x00).#memory(address);
  }

  /** Stores what `value` leaves. */
  store(address: number, value: () => void): this {
    this.#word(0x41, 0);
    value();
    return this.#vector(0x0b).#memory(address);
  }

  not(): this {
    return this.#vector(0x4d);
  }

  and(): this {
    return this.#vector(0x4e);
  }

  /** The first without the second. */
  andNot(): this {
    return this.#vector(0x4f);
  }

  or(): this {
    return this.#vector(0x50);
  }

  call(index: number): this {
    return this.#word(0x10, index);
  }

  copy(to: number, from: number, bytes: number): this {
    return this.#word(0x41, to).#word(0x41, from).#word(0x41, bytes).#raw(0xfc, 0x0a, 0x00, 0x00);
  }

  /** To the address that parameter 0 holds. */
  copyToParameter(from: number, bytes: number): this {
    return this.#word(0x20, 0).#word(0x41, from).#word(0x41, bytes).#raw(0xfc, 0x0a, 0x00, 0x00);
  }

  /**
   * Leaves 1 where some lane of the vector at `address` is 1, plus 2 where an entry of a table is: each is the address of a vector and, 16 bytes behind, what is exclusive-ored
   * to it. `end` holds the address behind the last. Uses local 1, a number, and local 2, a vector.
   */
  anyOf(address: number, table: number, end: number): this {
    this.load(address).#vector(0x53);
    this.#word(0x41, table).#word(0x21, 1);
    this.#raw(0xfd, 0x0c, ...new Array<number>(VECTOR_BYTES).fill(0)).#word(0x21, 2);
    this.#raw(0x02, EMPTY, 0x03, EMPTY);
    this.#word(0x20, 1).#word(0x41, 0).#raw(0x28, 2).#unsigned(end).#raw(0x4f).#word(0x0d, 1);
    this.#word(0x20, 2).#word(0x20, 1).#raw(0x28, 2, 0).#vector(0x00).#memory(0);
    this.#word(0x20, 1).#vector(0x00).#memory(VECTOR_BYTES).#vector(0x51).or().#word(0x21, 2);
    this.#word(0x20, 1).#word(0x41, 2 * VECTOR_BYTES).#raw(0x6a).#word(0x21, 1).#word(0x0c, 0).#raw(0x0b, 0x0b);
    return this.#word(0x20, 2).#vector(0x53).#word(0x41, 1).#raw(0x74, 0x72);
  }

  #vector(opcode: number): this {
    return this.#raw(0xfd).#unsigned(opcode);
  }

  #memory(offset: number): this {
    return this.#raw(4).#unsigned(offset);
  }

  /** An instruction with a number, of which constants are signed. */
  #word(opcode: number, value: number): this {
    this.#raw(opcode);
    return opcode === 0x41 ? this.#signed(value) : this.#unsigned(value);
  }

  #unsigned(value: number): this {
    pushUnsigned(this.bytes, value);
    return this;
  }

  #signed(value: number): this {
    let rest = value;
    while (rest > 63) {
      this.bytes.push((rest & 127) | 128);
      rest >>>= 7;
    }
    return this.#raw(rest);
  }

  #raw(...bytes: readonly number[]): this {
    this.bytes.push(...bytes);
    return this;
  }
}

export interface Program {
  /** Each without parameters and result. */
  readonly parts: readonly Code[];
  /** May call the parts by their index; takes a number in local 0 and leaves one. */
  readonly main: Code;
  readonly memoryBytes: number;
}

export interface Loaded {
  readonly memory: Int32Array;
  readonly main: (parameter: number) => number;
}

/** Undefined where the host has no WebAssembly, or none with vectors. */
export async function loadProgram({ parts, main, memoryBytes }: Program): Promise<Loaded | undefined> {
  const bodies = [...parts.map((part) => body(part, [])), body(main, [[1, I32], [1, V128]])];
  const bytes = [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [[0x60, 0, 0], [0x60, 1, I32, 1, I32]]),
    ...section(3, [...parts.map(() => [0]), [1]]),
    ...section(5, [[0x00, ...unsigned(Math.ceil(memoryBytes / PAGE_BYTES))]]),
    ...section(7, [[...name('memory'), 2, 0], [...name('main'), 0, ...unsigned(parts.length)]]),
  ];
  const code = Buffer.concat([Buffer.from(unsigned(bodies.length)), ...bodies]);
  const whole = Buffer.concat([Buffer.from([...bytes, 10, ...unsigned(code.length)]), code]);
  try {
    const module = await host?.compile(whole);
    if (host === undefined || module === undefined) return undefined;
    const { memory, main: run } = new host.Instance(module).exports as { readonly memory: { readonly buffer: ArrayBuffer }; readonly main: Loaded['main'] };
    return { memory: new Int32Array(memory.buffer), main: run };
  } catch {
    return undefined;
  }
}

function body({ bytes }: Code, locals: readonly (readonly number[])[]): Uint8Array {
  const head = [...unsigned(locals.length), ...locals.flat()];
  return Buffer.concat([Buffer.from([...unsigned(head.length + bytes.length + 1), ...head]), Buffer.from(bytes), Buffer.from([0x0b])]);
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const content = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  pushUnsigned(bytes, value);
  return bytes;
}

/** Seven bits a byte, least significant first; the top bit says that more follow. */
function pushUnsigned(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
}
