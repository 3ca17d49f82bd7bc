/** The GGUF file format, version 3: metadata and tensors in little endian, each tensor at a multiple of 32 bytes. Only what a tiny model needs. */

export type Metadata =
  | { readonly type: 'u32'; readonly value: number }
  | { readonly type: 'f32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'texts'; readonly value: readonly string[] }
  | { readonly type: 'f32s' | 'i32s'; readonly value: readonly number[] };

export interface Tensor {
  readonly name: string;
  /** Innermost first. */
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

const TYPE = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, list: 9 } as const;
const ALIGNMENT = 32;

class Writer {
  readonly #parts: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  bytes(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  u32(value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    this.bytes(bytes);
  }

  u64(value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    this.bytes(bytes);
  }

  text(value: string): void {
    const bytes = Buffer.from(value);
    this.u64(bytes.length);
    this.bytes(bytes);
  }

  numbers(values: readonly number[], kind: 'f32s' | 'i32s'): void {
    const typed = kind === 'f32s' ? Float32Array.from(values) : Int32Array.from(values);
    this.bytes(Buffer.from(typed.buffer));
  }

  pad(): void {
    this.bytes(Buffer.alloc((ALIGNMENT - (this.#length % ALIGNMENT)) % ALIGNMENT));
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function writeMetadata(writer: Writer, key: string, { type, value }: Metadata): void {
  writer.text(key);
  switch (type) {
    case 'u32':
      writer.u32(TYPE.u32);
      writer.u32(value);
      break;
    case 'f32':
      writer.u32(TYPE.f32);
      writer.numbers([value], 'f32s');
      break;
    case 'bool':
      writer.u32(TYPE.bool);
      writer.bytes(Buffer.of(value ? 1 : 0));
      break;
    case 'text':
      writer.u32(TYPE.text);
      writer.text(value);
      break;
    case 'texts':
      writer.u32(TYPE.list);
      writer.u32(TYPE.text);
      writer.u64(value.length);
      for (const text of value) writer.text(text);
      break;
    case 'f32s':
    case 'i32s':
      writer.u32(TYPE.list);
      writer.u32(type === 'f32s' ? TYPE.f32 : TYPE.i32);
      writer.u64(value.length);
      writer.numbers(value, type);
      break;
  }
}

export function encodeGguf(metadata: Readonly<Record<string, Metadata>>, tensors: readonly Tensor[]): Buffer {
  const writer = new Writer();
  writer.bytes(Buffer.from('GGUF'));
  writer.u32(3);
  writer.u64(tensors.length);
  writer.u64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) writeMetadata(writer, key, value);
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    if (shape.reduce((product, size) => product * size, 1) !== values.length) throw new Error(`The shape of ${name} does not fit its values.`);
    writer.text(name);
    writer.u32(shape.length);
    for (const size of shape) writer.u64(size);
    writer.u32(0);
    writer.u64(offset);
    offset += Math.ceil((values.length * 4) / ALIGNMENT) * ALIGNMENT;
  }
  for (const { values } of tensors) {
    writer.pad();
    writer.bytes(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
  }
  writer.pad();
  return writer.finish();
}
