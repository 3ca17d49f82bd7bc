import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parseSettings } from '../../server/src/config.ts';
import { silentLogger } from '../../server/src/base/logger.ts';
import { createCore, type Core } from '../../server/src/core.ts';
import type { GenerationEvent, ModelChoice, ModuleRequest, ModuleResult, Run } from '../../server/src/generation/contract.ts';
import { buildModel, type Script } from './automaton.ts';
import { ensureLlama, noLlama } from './library.ts';
import type { Figures } from './server.ts';

const header = 'module m(input a, input b, output y);';

/** After a user's message the model thinks and answers right or wrong, as it is sampled; a message that is to be continued it continues. */
const scripts: readonly Script[] = [
  { after: ':', says: [`<think>The output is one where both inputs are.</think>\n<answer>\n\`\`\`verilog\n${header}\n  assign y = `, ['a & b', 'b | a'], ';\nendmodule\n```\n</answer>'] },
  { after: '\n', says: ['module m (input a,\n input b, output y); assign\n  y = b && a; endmodule // at once\n``` </answer> '] },
];
const golden = { file: '/nowhere/golden.v', module: 'g', text: 'module g(input a, b, output y); assign y = a & b; endmodule' };
const REASONING = 'The output is one where both inputs are.';

/** A real llama.cpp behind HTTP in a process of its own. */
class LlamaServer {
  readonly #child: ChildProcess;
  readonly address: string;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.address = `http://127.0.0.1:${port}`;
  }

  static async start(file: string, options: { readonly slots: number; readonly contextSize: number; readonly paceMs: number }): Promise<LlamaServer> {
    const args = [await ensureLlama(), file, options.slots, options.contextSize, options.paceMs].map(String);
    const child = fork(path.join(import.meta.dirname, 'server.ts'), args, { execArgv: [], stdio: 'inherit' });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new LlamaServer(child, port);
  }

  async figures(): Promise<Figures> {
    const answered = once(this.#child, 'message');
    this.#child.send('figures');
    return ((await answered) as [Figures])[0];
  }

  /** Waits until no slot is busy. */
  async idle(): Promise<Figures> {
    for (let tries = 0; ; tries += 1) {
      const figures = await this.figures();
      if (figures.busy === 0) return figures;
      assert.ok(tries < 200, `${figures.busy} slots stay busy`);
      await setTimeout(10);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }
}

describe('a real llama.cpp', { skip: noLlama }, () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'llama-test-'));
  const file = path.join(folder, 'automaton.gguf');
  let core: Core;
  let server: LlamaServer;
  before(async () => {
    writeFileSync(file, buildModel(scripts, 2048));
    [core, server] = await Promise.all([createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } }), LlamaServer.start(file, { slots: 4, contextSize: 2048, paceMs: 5 })]);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  async function connected(settings: Readonly<Record<string, unknown>> = {}): Promise<ModelChoice> {
    const connection = await core.connectModel(parseSettings({ 'model.endpoint': server.address, ...settings }).settings, {});
    assert.ok(connection.kind === 'connected');
    return { ...connection.model, seed: 1 };
  }

  interface Story {
    readonly result: ModuleResult;
    readonly events: readonly GenerationEvent[];
  }

  async function generate(wish: Partial<ModuleRequest>, hooks: { readonly signal?: AbortSignal; readonly onEvent?: (event: GenerationEvent, run: Run<ModuleResult>) => void } = {}): Promise<Story> {
    const model = await connected();
    const events: GenerationEvent[] = [];
    const run: Run<ModuleResult> = core.generateModule(
      {
        task: { kind: 'write', description: 'An and gate.', header },
        target: { file: '/nowhere/m.v', text: '', span: { start: 0, end: 0 } },
        context: {},
        lookup: () => Promise.resolve(undefined),
        golden: undefined,
        testbench: undefined,
        samples: 1,
        repairs: 0,
        verify: { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 60_000, engine: 'auto', prove: false },
        model,
        ...wish,
      },
      {
        signal: hooks.signal,
        onEvent: (event) => {
          events.push(event);
          hooks.onEvent?.(event, run);
        },
      },
    );
    return { result: await run.result, events };
  }

  const told = (events: readonly GenerationEvent[], kind: 'reasoning' | 'answer'): string => events.flatMap((event) => (event.kind === kind ? [event.text] : [])).join('');

  it('is asked until what it samples is proved', async () => {
    const { result, events } = await generate({ golden, samples: 12, model: { ...(await connected()), slots: 1 } });
    assert.equal(result.outcome, 'verified', result.reason);
    assert.match(result.candidates[0]?.code ?? '', /^ {2}assign y = a & b;$/m);
    assert.ok(told(events, 'reasoning').startsWith(REASONING));
    assert.ok(result.rejected.every(({ stage }) => stage === 'verify'));
  });

  it('says how much it can take, and works on several samples at the same time; the vote counts them', async () => {
    const model = await connected();
    assert.deepEqual([model.name, model.contextTokens, model.slots], ['automaton', 2048, 4]);
    const { result, events } = await generate({ samples: 5 });
    assert.equal((await server.idle()).most, 4);
    assert.equal(result.candidates.length, 5, JSON.stringify(result.rejected));
    const [best] = result.candidates;
    const alike = result.candidates.filter(({ code }) => code === best?.code).length;
    assert.equal(best?.confidence, `compiles, interface matches, ${alike} of 5 agree`);
    assert.ok(alike >= 3);
    const reasoning = Array.from({ length: 5 }, (_, sample) => told(events.filter((event) => 'turn' in event && event.turn.sample === sample), 'reasoning'));
    assert.deepEqual(reasoning, Array<string>(5).fill(REASONING), 'replies do not mix');
  });

  it('stops its work when the run is stopped', async () => {
    const before = await server.idle();
    const stop = new AbortController();
    const { result } = await generate({ samples: 2 }, { signal: stop.signal, onEvent: (event) => (event.kind === 'reasoning' ? stop.abort() : undefined) });
    assert.equal(result.outcome, 'cancelled');
    const { made } = await server.idle();
    await setTimeout(100);
    assert.equal((await server.figures()).made, made, 'it goes on after the stop');
    assert.ok(made - before.made < 20, `${made - before.made} tokens were made`);
  });

  it('says in its own numbers that a prompt is too long', async () => {
    const { result } = await generate({ task: { kind: 'write', description: 'An and gate. '.repeat(200), header } });
    assert.equal(result.failure?.kind, 'context-overflow');
    assert.match(result.reason, /^The prompt of \d+ tokens does not fit into the model's context of 2048 tokens; .* larger `-c`\.$/);
  });

  it('that runs into the limit of tokens gave no answer', async () => {
    const { result } = await generate({ model: await connected({ 'model.maxTokens': 8 }) });
    assert.match(result.reason, /The model spent all its tokens on thinking and gave no answer/);
  });

  it('answers at once when it is bidden to', async () => {
    const { result, events } = await generate({ golden }, { onEvent: (event, run) => (event.kind === 'reasoning' ? run.answerNow() : undefined) });
    assert.equal(result.outcome, 'verified', result.reason);
    assert.match(result.candidates[0]?.code ?? '', /y = b && a;/);
    assert.ok(told(events, 'reasoning').length < REASONING.length);
  });
});
