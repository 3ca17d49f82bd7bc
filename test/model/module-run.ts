import assert from 'node:assert/strict';
import path from 'node:path';
import { silentLogger } from '../../server/src/base/logger.ts';
import { createCore, type Core } from '../../server/src/core.ts';
import type { GenerationEvent, ModuleRequest, ModuleResult, Run, Stage, Task } from '../../server/src/generation/contract.ts';
import type { VerifyOptions } from '../../server/src/verification/verdict.ts';
import { CHAT, delta, DONE, eventStream, type ScriptedServer } from './harness.ts';
import type { Rule, Step } from './scripted-server.ts';

export const createTestCore = (): Promise<Core> => createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });

export const verifyOptions: VerifyOptions = { clocks: [], resets: [], cycles: undefined, seed: 1, timeoutMs: 60_000, engine: 'auto', prove: true };

/** What a model says: reasoning, then code in a fence inside `<answer>`. */
export function said(code: string, reasoning = 'Let me think.'): Step[] {
  const text = `<think>${reasoning}</think>\n<answer>\n\`\`\`verilog\n${code}\n\`\`\`\n</answer>`;
  const pieces = text.match(/[^]{1,12}/g) ?? [];
  return [eventStream, ...pieces.map((content): Step => ({ do: 'write', text: delta({ content }) })), { do: 'write', text: delta({}, 'stop') + DONE }, { do: 'end' }];
}

/** One reply after the other, for whatever chat request comes. */
export function inTurn(...replies: readonly (readonly Step[])[]): Rule[] {
  return replies.map((steps) => ({ request: CHAT, times: 1, steps }));
}

const file = path.join(import.meta.dirname, 'nowhere', 'm.v');

export type Wish = Partial<Omit<ModuleRequest, 'model' | 'task'>> & { readonly task?: Task; readonly header?: string; readonly slots?: number; readonly contextTokens?: number };

export function moduleRequest(server: ScriptedServer, { header, slots = 1, contextTokens, ...wish }: Wish): ModuleRequest {
  return {
    task: { kind: 'write', description: 'An and gate.', header },
    target: { file, text: '', span: { start: 0, end: 0 } },
    context: {},
    lookup: () => Promise.resolve(undefined),
    golden: undefined,
    testbench: undefined,
    samples: 1,
    repairs: 3,
    verify: verifyOptions,
    ...wish,
    model: { server: server.server(), name: 'm', contextTokens, slots, maxTokens: 2000, temperature: 0.6, topP: 0.95, seed: 7 },
  };
}

export interface Story {
  readonly result: ModuleResult;
  readonly events: readonly GenerationEvent[];
  /** Stages that failed, in order. */
  readonly failed: readonly Stage[];
  /** Bodies of the chat requests. */
  readonly asked: readonly { readonly messages: readonly { readonly role: string; readonly content: string }[]; readonly max_tokens: number; readonly seed?: number }[];
}

/** Runs a request to its end and checks that the events are whole and nothing is left on the server. */
export async function play(core: Core, server: ScriptedServer, wish: Wish, hooks: { readonly onStart?: (run: Run<ModuleResult>) => void; readonly onEvent?: (event: GenerationEvent, run: Run<ModuleResult>) => void; readonly signal?: AbortSignal } = {}): Promise<Story> {
  const events: GenerationEvent[] = [];
  const run: Run<ModuleResult> = core.generateModule(moduleRequest(server, wish), {
    signal: hooks.signal,
    onEvent: (event) => {
      events.push(event);
      hooks.onEvent?.(event, run);
    },
  });
  hooks.onStart?.(run);
  const result = await run.result;
  const report = await server.settled();
  const failed = events.flatMap((event) => (event.kind === 'stage' && event.state === 'failed' ? [event.stage] : []));
  assert.equal(result.rejected.length, failed.length, 'each rejection is told as a failed stage');
  const asked = report.requests.filter(({ request }) => request === CHAT).map(({ body }) => JSON.parse(body) as Story['asked'][number]);
  return { result, events, failed, asked };
}
