import { namedModules, roomFor, tokensOf } from './context.ts';
import type { ExplainRequest, ExplainResult, GenerationHooks, Run } from './contract.ts';
import { explainMessages } from './prompt.ts';
import { Writer } from './writer.ts';

/** Lets a model explain a module; its events are those of sample 0. */
export function explainModule(request: ExplainRequest, hooks: GenerationHooks): Run<ExplainResult> {
  const writer = new Writer(request.model, (event) => hooks.onEvent?.(event));
  return { result: explain(request, hooks, writer), answerNow: () => writer.answerNow() };
}

async function explain({ code, lookup, model }: ExplainRequest, hooks: GenerationHooks, writer: Writer): Promise<ExplainResult> {
  const started = performance.now();
  const modules = await namedModules(code, lookup, code);
  const messages = explainMessages(code, modules);
  const tokens = tokensOf(messages);
  hooks.onEvent?.({ kind: 'prompt', modules: modules.map(({ name }) => name), tokens });
  const turn = { sample: 0, round: 0 };
  const written = await writer.write({ messages, maxTokens: Math.max(1, roomFor(model, tokens)), answerStart: '', turn, seed: model.seed, signal: hooks.signal ?? new AbortController().signal });
  if (written.kind === 'failed') return { kind: 'failed', failure: written.failure };
  const text = written.answer.replace(/<\/?answer>/g, '').trim();
  return { kind: 'explained', text, elapsedMs: Math.round(performance.now() - started) };
}
