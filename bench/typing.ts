/** The part of the editor's bench about large documents: how long the server is deaf while somebody types in one. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CancellationToken, CancellationTokenSource, StreamMessageReader, StreamMessageWriter, createProtocolConnection } from 'vscode-languageserver/node';
import type { ProtocolConnection } from 'vscode-languageserver/node';
import { LineIndex } from '../server/src/base/text.ts';
import type { Position } from '../server/src/base/text.ts';
import { workedMs } from './clock.ts';
import { makeCorpus } from './corpus.ts';
import type { Parser } from '../server/src/syntax/parser.ts';

const URI = 'untitled:typing.sv';
const TYPED = '  assign ready = valid & data[0];\n';
/** Lines that an editor shows. */
const SHOWN = 60;

interface Block {
  /** Milliseconds of work of the server's thread. */
  readonly longest: number;
  readonly worked: number;
}

type Asked = Readonly<Record<string, (position: Position) => { readonly method: string; readonly params: object }>>;

const textDocument = { uri: URI };
const rangeAround = ({ line }: Position): object => ({ start: { line: Math.max(0, line - SHOWN / 2), character: 0 }, end: { line: line + SHOWN / 2, character: 0 } });

/** What an editor asks about a document after a key press and while the pointer rests on it. */
const ASKED: Asked = {
  completion: (position) => ({ method: 'textDocument/completion', params: { textDocument, position } }),
  hover: (position) => ({ method: 'textDocument/hover', params: { textDocument, position: { ...position, character: 4 } } }),
  highlights: (position) => ({ method: 'textDocument/documentHighlight', params: { textDocument, position: { ...position, character: 4 } } }),
  'signature help': (position) => ({ method: 'textDocument/signatureHelp', params: { textDocument, position } }),
  symbols: () => ({ method: 'textDocument/documentSymbol', params: { textDocument } }),
  tokens: () => ({ method: 'textDocument/semanticTokens/full', params: { textDocument } }),
  'tokens of a range': (position) => ({ method: 'textDocument/semanticTokens/range', params: { textDocument, range: rangeAround(position) } }),
  folding: () => ({ method: 'textDocument/foldingRange', params: { textDocument } }),
  lenses: () => ({ method: 'textDocument/codeLens', params: { textDocument } }),
  hints: (position) => ({ method: 'textDocument/inlayHint', params: { textDocument, range: rangeAround(position) } }),
  links: () => ({ method: 'textDocument/documentLink', params: { textDocument } }),
  actions: (position) => ({ method: 'textDocument/codeAction', params: { textDocument, range: { start: position, end: position }, context: { diagnostics: [] } } }),
};

/** Texts of about so many characters: of many modules, and of one. */
export function largeTexts(characters: number, lines: number, seed: number): { readonly many: string; readonly one: string } {
  const corpus = makeCorpus(Math.ceil(characters / 25), seed).slice(1);
  let many = '`define WIDTH 16\n`define RESET_VALUE {`WIDTH{1\'b0}}\n';
  for (const { text } of corpus) if (many.length < characters) many += text.replace('`include "common.svh"\n', '');
  return { many, one: netlist(lines) };
}

/** A netlist as synthesis writes it: wires, then cells that connect them. */
function netlist(lines: number): string {
  const text = ['module netlist (input wire clk, input wire [31:0] a, output wire [31:0] y);'];
  const count = Math.floor(lines / 6);
  for (let at = 0; at < count; at++) text.push(`  wire n${at};`);
  for (let at = 0; at < count; at++) text.push(`  NAND2X1 u${at} (`, `    .A(n${(at * 7) % count}),`, `    .B(a[${at % 32}]),`, `    .Y(n${at})`, '  );');
  return [...text, '  assign y = a;', 'endmodule', 'module NAND2X1(input wire A, input wire B, output wire Y);', '  assign Y = ~(A & B);', 'endmodule', ''].join('\n');
}

/** Prints the longest time without a look at what has arrived: while the text is opened, while a line is typed, and of each request by itself. */
export async function timeOfTyping(parser: Parser, set: string, text: string): Promise<void> {
  const start = workedMs();
  parser.parse(text, { deadlineMs: 60_000 })?.delete();
  const parse = workedMs() - start;
  const session = await TypingSession.open();
  try {
    await session.show(text);
    const opened = await session.blocks();
    const typed = await session.type(Object.keys(ASKED));
    console.log(`typing  ${set}, ${text.length} characters, ${text.split('\n').length} lines; full parse ${parse.toFixed(0)} ms: longest block opened ${share(opened, parse)}, typed ${share(typed, parse)}; an answer to completion after ${typed.answers.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    for (const name of Object.keys(ASKED)) {
      const alone = await session.press(name);
      console.log(`typing    a key, then ${name}: ${share(alone, parse)}`);
    }
  } finally {
    await session.close();
  }
}

function share({ longest, worked }: Block, parse: number): string {
  return `${longest.toFixed(0)} ms (${(longest / parse).toFixed(3)} of a parse; ${(worked / parse).toFixed(1)} in all)`;
}

class TypingSession {
  readonly #worker: Worker;
  readonly #client: ProtocolConnection;
  #version = 1;
  #at: Position = { line: 0, character: 0 };
  #worked = 0;

  private constructor(worker: Worker, client: ProtocolConnection) {
    this.#worker = worker;
    this.#client = client;
  }

  static async open(): Promise<TypingSession> {
    const worker = new Worker(new URL('typing-server.ts', import.meta.url), { stdin: true, stdout: true });
    if (!worker.stdin) throw new Error('the server has no way in');
    const client = createProtocolConnection(new StreamMessageReader(worker.stdout), new StreamMessageWriter(worker.stdin));
    client.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) => items.map(() => ({ 'lint.tool': 'off' })));
    client.onRequest('client/registerCapability', () => null);
    client.onRequest('window/workDoneProgress/create', () => null);
    client.listen();
    await client.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      workspaceFolders: null,
      initializationOptions: { trusted: false },
      capabilities: { workspace: { configuration: true }, textDocument: { semanticTokens: { requests: { range: true, full: { delta: true } }, tokenTypes: [], tokenModifiers: [], formats: ['relative'] } } },
    });
    await client.sendNotification('initialized', {});
    return new TypingSession(worker, client);
  }

  /** Opens the text, and waits until all is known of it. */
  async show(text: string): Promise<void> {
    const lines = new LineIndex(text);
    this.#at = lines.position(text.indexOf('\n', Math.floor(text.length * 0.45)) + 1);
    await this.blocks();
    await this.#client.sendNotification('textDocument/didOpen', { textDocument: { uri: URI, languageId: 'systemverilog', version: this.#version, text } });
    await this.#ask(Object.keys(ASKED));
    await wait(1500);
    await this.#ask(Object.keys(ASKED));
  }

  /** Types a line, with the requests that an editor sends with each key; those of the last key are waited for. */
  async type(names: readonly string[]): Promise<Block & { readonly answers: readonly number[] }> {
    await this.blocks();
    const answers: number[] = [];
    let cancel: CancellationTokenSource | undefined;
    let last: Promise<unknown> = Promise.resolve();
    for (const character of TYPED) {
      cancel?.cancel();
      cancel = new CancellationTokenSource();
      await this.#key(character);
      const started = performance.now();
      last = this.#ask(names, cancel, (name) => {
        if (name === 'completion') answers.push(performance.now() - started);
      });
      last.catch(() => undefined);
      await wait(250);
    }
    await last;
    await wait(1500);
    const block = await this.blocks();
    return { ...block, answers: answers.toSorted((a, b) => a - b) };
  }

  /** A key and one request. */
  async press(name: string): Promise<Block> {
    await this.#key(' ');
    await wait(1200);
    await this.#ask(Object.keys(ASKED));
    await this.#key(' ');
    await this.blocks();
    await this.#ask([name]);
    return this.blocks();
  }

  async #key(character: string): Promise<void> {
    const range = { start: this.#at, end: this.#at };
    await this.#client.sendNotification('textDocument/didChange', { textDocument: { uri: URI, version: ++this.#version }, contentChanges: [{ range, text: character }] });
    this.#at = character === '\n' ? { line: this.#at.line + 1, character: 0 } : { ...this.#at, character: this.#at.character + 1 };
  }

  async #ask(names: readonly string[], cancel?: CancellationTokenSource, answered: (name: string) => void = () => undefined): Promise<void> {
    const asked = names.map(async (name) => {
      const request = ASKED[name]?.(this.#at);
      if (!request) return;
      const ok = await this.#client.sendRequest(request.method, request.params, cancel?.token ?? CancellationToken.None).then(() => true, () => false);
      if (ok) answered(name);
    });
    await Promise.all(asked);
  }

  /** Since the last call. */
  async blocks(): Promise<Block> {
    const told = once(this.#worker, 'message') as Promise<[Block]>;
    this.#worker.postMessage('blocks');
    const [{ longest, worked }] = await told;
    const since = worked - this.#worked;
    this.#worked = worked;
    return { longest, worked: since };
  }

  async close(): Promise<void> {
    this.#client.dispose();
    await this.#worker.terminate();
  }
}
