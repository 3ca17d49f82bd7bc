import { encodeGguf, type Metadata, type Tensor } from './gguf.ts';

/** What the model says once its prompt ends with `after`; a list of texts is a choice that sampling makes. */
export interface Script {
  /** The last character of a prompt. */
  readonly after: string;
  readonly says: readonly (string | readonly string[])[];
}

/** A state of the automaton: one token and the tokens that may follow it, all equally likely. */
interface State {
  readonly text: string;
  next: number[];
}

const UNKNOWN = 0;
const BEGIN = 1;
const END = 2;
const BYTES = 3;
const FIRST = BYTES + 256;
const LONGEST_PIECE = 24;

/** Cuts a text into pieces of at least three characters that no earlier piece equals, since a vocabulary holds each text once. */
function pieces(text: string, taken: Set<string>): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    let length = Math.min(3, text.length - from);
    while (taken.has(text.slice(from, from + length)) && length < LONGEST_PIECE && from + length < text.length) length += 1;
    const rest = text.length - from - length;
    if (rest > 0 && rest < 3) length += rest;
    const piece = text.slice(from, from + length);
    if (taken.has(piece)) throw new Error(`The piece ${JSON.stringify(piece)} is there twice; write the script in other words.`);
    taken.add(piece);
    found.push(piece);
    from += length;
  }
  return found;
}

/** The tokens of all scripts and what follows each; `starts` leads from the byte that ends a prompt to the first tokens of its script. */
function compile(scripts: readonly Script[]): { readonly states: readonly State[]; readonly starts: ReadonlyMap<number, readonly number[]> } {
  const states: State[] = [];
  const taken = new Set<string>();
  const starts = new Map<number, number[]>();
  for (const { after, says } of scripts) {
    let open: { next: number[] }[] = [];
    const first: State = { text: '', next: [] };
    open = [first];
    for (const part of says) {
      const ends: State[] = [];
      for (const text of typeof part === 'string' ? [part] : part) {
        let before = open;
        for (const piece of pieces(text, taken)) {
          const state: State = { text: piece, next: [] };
          const id = FIRST + states.push(state) - 1;
          for (const each of before) each.next.push(id);
          before = [state];
        }
        ends.push(...(before as State[]));
      }
      open = ends;
    }
    for (const each of open) each.next.push(END);
    starts.set(after.charCodeAt(0), first.next);
  }
  return { states, starts };
}

/**
 * A model file for llama.cpp that speaks the given scripts: a transformer of one block whose attention and feed-forward weights are zero, so that what follows
 * depends on the last token alone. Embeddings are unit vectors, the output matrix holds the successors of each token. A prompt is read byte by byte. A few megabytes.
 */
export function buildModel(scripts: readonly Script[], contextLength: number): Buffer {
  const { states, starts } = compile(scripts);
  const size = FIRST + states.length;
  const width = Math.ceil(size / 32) * 32;
  const small = 32;
  const embeddings = new Float32Array(width * size);
  const output = new Float32Array(width * size);
  const follow = (token: number, next: readonly number[]): void => {
    for (const id of next) output[id * width + token] = 2;
  };
  for (let token = 0; token < size; token += 1) embeddings[token * width + token] = 1;
  const [fallback] = starts.values();
  for (let token = 0; token < FIRST; token += 1) follow(token, starts.get(token - BYTES) ?? fallback ?? [END]);
  for (const [at, { next }] of states.entries()) follow(FIRST + at, next);
  const ones = (): Float32Array => new Float32Array(width).fill(1);
  const zeros = (name: string, ...shape: readonly number[]): Tensor => ({ name, shape, values: new Float32Array(shape.reduce((product, each) => product * each, 1)) });
  const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');
  const tokens = ['<unk>', '<s>', '</s>', ...Array.from({ length: 256 }, (_, byte) => `<0x${hex(byte)}>`), ...states.map(({ text }) => text.replaceAll(' ', '\u2581'))];
  const metadata: Record<string, Metadata> = {
    'general.architecture': { type: 'text', value: 'llama' },
    'general.name': { type: 'text', value: 'scripted automaton' },
    'llama.context_length': { type: 'u32', value: contextLength },
    'llama.embedding_length': { type: 'u32', value: width },
    'llama.block_count': { type: 'u32', value: 1 },
    'llama.feed_forward_length': { type: 'u32', value: small },
    'llama.attention.head_count': { type: 'u32', value: 1 },
    'llama.attention.head_count_kv': { type: 'u32', value: 1 },
    'llama.attention.key_length': { type: 'u32', value: small },
    'llama.attention.value_length': { type: 'u32', value: small },
    'llama.attention.layer_norm_rms_epsilon': { type: 'f32', value: 1e-6 },
    'llama.rope.dimension_count': { type: 'u32', value: small },
    'llama.vocab_size': { type: 'u32', value: size },
    'tokenizer.ggml.model': { type: 'text', value: 'llama' },
    'tokenizer.ggml.tokens': { type: 'texts', value: tokens },
    'tokenizer.ggml.scores': { type: 'f32s', value: tokens.map(() => 0) },
    'tokenizer.ggml.token_type': { type: 'i32s', value: tokens.map((_, at) => (at === UNKNOWN ? 2 : at < BYTES ? 3 : at < FIRST ? 6 : 1)) },
    'tokenizer.ggml.unknown_token_id': { type: 'u32', value: UNKNOWN },
    'tokenizer.ggml.bos_token_id': { type: 'u32', value: BEGIN },
    'tokenizer.ggml.eos_token_id': { type: 'u32', value: END },
    'tokenizer.ggml.add_bos_token': { type: 'bool', value: true },
    'tokenizer.ggml.add_space_prefix': { type: 'bool', value: false },
  };
  return encodeGguf(metadata, [
    { name: 'token_embd.weight', shape: [width, size], values: embeddings },
    { name: 'output_norm.weight', shape: [width], values: ones() },
    { name: 'output.weight', shape: [width, size], values: output },
    { name: 'blk.0.attn_norm.weight', shape: [width], values: ones() },
    zeros('blk.0.attn_q.weight', width, small),
    zeros('blk.0.attn_k.weight', width, small),
    zeros('blk.0.attn_v.weight', width, small),
    zeros('blk.0.attn_output.weight', small, width),
    { name: 'blk.0.ffn_norm.weight', shape: [width], values: ones() },
    zeros('blk.0.ffn_gate.weight', width, small),
    zeros('blk.0.ffn_up.weight', width, small),
    zeros('blk.0.ffn_down.weight', small, width),
  ]);
}
