/**
 * A thin HTTP front of a real llama.cpp: the OpenAI-compatible chat protocol with event streams over a model file, on a free port of the loopback. Started as
 * a process of its own with the library's entry, the model file, the number of slots and the context of each as arguments; tells its port over the channel to its parent and answers every
 * message with its figures.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadLibrary, type LlamaModel, type LlamaSequence } from './library.ts';

export interface Figures {
  /** Requests that occupy a slot now, and the most that did so at a time. */
  readonly busy: number;
  readonly most: number;
  /** Tokens that the model made for all requests so far. */
  readonly made: number;
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly max_tokens: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly seed?: number;
}

const [entry = '', modelPath = '', slots = '1', contextSize = '512', paceMs = '0'] = process.argv.slice(2);
const llama = await (await loadLibrary(entry)).getLlama({ gpu: false, build: 'never', logLevel: 'error' });
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ sequences: Number(slots), contextSize: Number(contextSize), threads: 1 });
const free = Array.from({ length: Number(slots) }, () => context.getSequence());
const waiting: ((sequence: LlamaSequence) => void)[] = [];
const figures = { busy: 0, most: 0, made: 0 };

function take(): Promise<LlamaSequence> {
  const sequence = free.pop();
  return sequence === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(sequence);
}

function giveBack(sequence: LlamaSequence): void {
  const next = waiting.shift();
  if (next === undefined) free.push(sequence);
  else next(sequence);
}

/** The messages as the model reads them; a last message of the assistant is continued. */
function promptOf({ messages }: ChatRequest): string {
  const lines = messages.map(({ role, content }) => `${role}: ${content}`);
  return messages.at(-1)?.role === 'assistant' ? lines.join('\n') : `${lines.join('\n')}\nassistant:`;
}

function json(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function chat(request: ChatRequest, response: http.ServerResponse): Promise<void> {
  const prompt = model.tokenize(promptOf(request));
  const room = context.contextSize - prompt.length;
  if (room < 1) {
    const message = `request (${prompt.length} tokens) exceeds the available context size (${context.contextSize} tokens), try increasing it`;
    json(response, 400, { error: { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: prompt.length, n_ctx: context.contextSize } });
    return;
  }
  const sequence = await take();
  figures.busy += 1;
  figures.most = Math.max(figures.most, figures.busy);
  try {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const made = await speak(model, sequence, prompt, { ...request, max_tokens: Math.min(request.max_tokens, room) }, response);
    const usage = { prompt_tokens: prompt.length, completion_tokens: made };
    response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
  } finally {
    await sequence.clearHistory();
    figures.busy -= 1;
    giveBack(sequence);
  }
}

/** Streams tokens until the model ends, the limit is reached or the client goes away, and gives their number. */
async function speak(from: LlamaModel, sequence: LlamaSequence, prompt: readonly number[], request: ChatRequest, response: http.ServerResponse): Promise<number> {
  const send = (delta: object, finish: string | null): void => void response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  const options = { temperature: request.temperature ?? 0, topP: request.top_p ?? 1, ...(request.seed === undefined ? {} : { seed: request.seed }) };
  let made = 0;
  for await (const token of sequence.evaluate(prompt, options)) {
    if (response.destroyed) return made;
    figures.made += 1;
    made += 1;
    send({ content: from.detokenize([token], true) }, null);
    if (made >= request.max_tokens) break;
    await new Promise((resolve) => setTimeout(resolve, Number(paceMs)));
  }
  // The end token ends the loop and is not among its tokens.
  send({}, made >= request.max_tokens ? 'length' : 'stop');
  return made;
}

const server = http.createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    if (request.url === '/v1/models') json(response, 200, { data: [{ id: 'automaton', owned_by: 'llamacpp' }] });
    else if (request.url === '/props') json(response, 200, { default_generation_settings: { n_ctx: context.contextSize }, total_slots: Number(slots) });
    else if (request.url === '/v1/chat/completions') void chat(JSON.parse(body) as ChatRequest, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    else json(response, 404, { error: { code: 404, message: 'File Not Found' } });
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => process.send?.({ ...figures }));
process.on('disconnect', () => process.exit());
