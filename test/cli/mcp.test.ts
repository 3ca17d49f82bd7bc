import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { describe, test } from 'node:test';
import { Bench, ended, endless, flop, until } from './program.ts';

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

/** A client as any other: one JSON object a line on the server's standard streams. */
class Client {
  readonly notifications: Message[] = [];
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #lastId = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#receive(JSON.parse(line) as Message);
    });
  }

  static async connect(bench: Bench): Promise<{ readonly client: Client; readonly child: ChildProcess }> {
    const child = bench.startMcp();
    const client = new Client(child);
    await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
    client.send({ method: 'notifications/initialized' });
    return { client, child };
  }

  get lastId(): number {
    return this.#lastId;
  }

  send(message: Message): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  request(method: string, params: Message['params'] & object): Promise<Message> {
    const id = ++this.#lastId;
    this.send({ id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async call(name: string, given: object): Promise<ToolResult> {
    const { result } = await this.request('tools/call', { name, arguments: given, _meta: { progressToken: 'p' } });
    return result as ToolResult;
  }

  #receive(message: Message): void {
    if (message.id === undefined) this.notifications.push(message);
    else this.#waiting.get(message.id)?.(message);
  }
}

const files = {
  'golden.v': flop,
  'dut.v': flop.replace('q <= d', 'q <= ~d'),
  'sub/one.v': 'module one(input a, output y);\n  assign y = a\nendmodule\n',
  'hang.v': endless,
};

describe('tools for agents', () => {
  test('every command is a tool that reads only', async () => {
    using bench = new Bench(files);
    const { client, child } = await Client.connect(bench);
    const { result } = await client.request('tools/list', {});
    const { tools } = result as { tools: { name: string; description: string; annotations: { readOnlyHint: boolean } }[] };
    assert.deepEqual(tools.map(({ name }) => name), ['verify', 'generate', 'check', 'doctor']);
    assert.ok(tools.every(({ description, annotations }) => annotations.readOnlyHint && !/exit code/i.test(description)));
    child.stdin?.end();
    assert.deepEqual(await ended(child).then(({ code, err }) => [code, err]), [0, '']);
    bench.assertClean();
  });

  test('a verdict comes as words and as the object of --json, with progress on the way', async () => {
    using bench = new Bench(files);
    const { client, child } = await Client.connect(bench);
    const different = await client.call('verify', { dut: 'dut.v', golden: 'golden.v' });
    assert.match(different.content[0]?.text ?? '', /^✗ Different: q at cycle 1\n/);
    assert.equal(different.structuredContent?.['verdict'], 'different');
    assert.equal(different.structuredContent['schema'], 1);
    assert.ok(client.notifications.filter(({ method }) => method === 'notifications/progress').length > 1);
    child.stdin?.end();
    await ended(child);
    bench.assertClean();
  });

  test('several DUTs are verified side by side, and come as one object', async () => {
    using bench = new Bench(files);
    const { client, child } = await Client.connect(bench);
    const { content, structuredContent } = await client.call('verify', { dut: ['golden.v', 'dut.v'], golden: 'golden.v', jobs: 2, brief: true });
    assert.match(content[0]?.text ?? '', /^✓ golden\.v against golden\.v: equivalent \(proved\)\n✗ dut\.v against golden\.v: different: .*\n2 pairs in /);
    assert.deepEqual((structuredContent?.['results'] as { verdict: string }[]).map(({ verdict }) => verdict), ['equivalent', 'different']);
    child.stdin?.end();
    await ended(child);
    await until(() => bench.processes().length === 0);
    bench.assertClean();
  });

  test('paths start at the directory, and what cannot be understood is told', async () => {
    using bench = new Bench(files);
    const { client, child } = await Client.connect(bench);
    const found = await client.call('check', { paths: ['one.v'], directory: `${bench.dir}/sub` });
    assert.match(found.content[0]?.text ?? '', /^one\.v:2:14: error: Missing ';'/);
    assert.equal(found.structuredContent?.['errors'], 1);
    const refused = async (name: string, given: object, message: RegExp) => {
      const { content, isError } = await client.call(name, given);
      assert.equal(isError, true);
      assert.match(content[0]?.text ?? '', message);
    };
    await refused('check', { paths: ['one.v'], directory: 'sub' }, /directory sub: give an absolute path\./);
    await refused('check', { file: ['one.v'] }, /The tool check has no argument "file"/);
    await refused('verify', { dut: 'dut.v', golden: 'golden.v', seed: 1.5 }, /--seed 1\.5: the value must be a whole number/);
    child.stdin?.end();
    await ended(child);
    bench.assertClean();
  });

  test('a call that is cancelled ends its programs, and the server goes on', { skip: process.platform !== 'linux' }, async () => {
    using bench = new Bench(files);
    const { client, child } = await Client.connect(bench);
    void client.call('verify', { dut: 'hang.v', golden: 'golden.v', engine: 'iverilog', timeout: 100 });
    const requestId = client.lastId;
    await until(() => bench.processes().some((text) => /\bvvp\b/.test(text)));
    client.send({ method: 'notifications/cancelled', params: { requestId } });
    await until(() => !bench.processes().some((text) => /\bvvp\b/.test(text)));
    assert.equal((await client.call('doctor', {})).structuredContent?.['schema'], 1);
    child.stdin?.end();
    await ended(child);
    bench.assertClean();
  });

  test('a client that goes away leaves nothing running', { skip: process.platform !== 'linux' }, async () => {
    using bench = new Bench(files);
    const { client, child } = await Client.connect(bench);
    void client.call('verify', { dut: 'hang.v', golden: 'golden.v', engine: 'iverilog', timeout: 100 });
    await until(() => bench.processes().some((text) => /\bvvp\b/.test(text)));
    child.stdin?.end();
    assert.equal((await ended(child)).code, 0);
    await until(() => bench.processes().length === 0);
    bench.assertClean();
  });
});
