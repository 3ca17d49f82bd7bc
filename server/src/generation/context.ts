import type { Message } from '../model/client.ts';
import { leastTokens } from '../model/tokens.ts';
import { tokenize } from '../syntax/tokens.ts';
import type { KnownModule, ModelChoice, ModuleRequest, Task } from './contract.ts';
import { firstMessages } from './prompt.ts';

/** A prompt that fits, or a sentence that says why none does. */
export type Prompt =
  | { readonly kind: 'prompt'; readonly messages: readonly Message[]; readonly modules: readonly KnownModule[]; readonly tokens: number; readonly maxTokens: number }
  | { readonly kind: 'too-long'; readonly reason: string };

/** Modules that a prompt shows at most; a longer prompt than the models were trained on does harm. */
const MOST_MODULES = 8;
/** Tokens that the headers may take together. */
const MODULE_TOKENS = 600;
/** Names that are looked up at most. */
const MOST_NAMES = 400;
/** The least room for a reply that is worth a request. */
const LEAST_REPLY = 256;
/** A tokenizer may need this many times the least count. */
const TOKEN_MARGIN = 1.4;

/** Gathers the modules that the task names and makes the first request, with as much room for the reply as the server leaves. */
export async function makePrompt({ task, lookup, model }: Pick<ModuleRequest, 'task' | 'lookup' | 'model'>): Promise<Prompt> {
  const own = task.kind === 'write' ? task.header : task.code;
  const modules = await namedModules([task.kind === 'write' ? task.description : '', own ?? ''].join('\n'), lookup, own);
  return fitted(task, modules, model);
}

function fitted(task: Task, modules: readonly KnownModule[], model: ModelChoice): Prompt {
  for (let count = modules.length; ; count -= 1) {
    const kept = modules.slice(0, count);
    const messages = firstMessages(task, kept);
    const tokens = tokensOf(messages);
    const maxTokens = roomFor(model, tokens);
    if (maxTokens >= Math.min(LEAST_REPLY, model.maxTokens)) return { kind: 'prompt', messages, modules: kept, tokens, maxTokens };
    if (count === 0) {
      const context = model.contextTokens ?? 0;
      return { kind: 'too-long', reason: `The task takes about ${tokens} tokens, which leaves no room for a reply in the model's context of ${context} tokens; shorten it or start the server with a larger context.` };
    }
  }
}

/** Tokens of messages at the very least. */
export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + leastTokens(content) + 4, 0);
}

/** Most tokens of a reply to a prompt of this least size; may be negative. */
export function roomFor({ contextTokens, maxTokens }: Pick<ModelChoice, 'contextTokens' | 'maxTokens'>, promptTokens: number): number {
  return contextTokens === undefined ? maxTokens : Math.min(maxTokens, contextTokens - Math.ceil(promptTokens * TOKEN_MARGIN));
}

/** The project's modules that a text names, in its order; those that `own` defines are not among them. */
export async function namedModules(text: string, lookup: ModuleRequest['lookup'], own: string | undefined): Promise<KnownModule[]> {
  const tokens = tokenize(text);
  const defined = new Set(tokenize(own ?? '').flatMap(({ text: word }, at, all) => (word === 'module' ? [all[at + 1]?.text] : [])));
  const names = [...new Set(tokens.flatMap(({ kind, text: word }) => (kind === 'identifier' && !defined.has(word) ? [word] : [])))].slice(0, MOST_NAMES);
  const found: KnownModule[] = [];
  let room = MODULE_TOKENS;
  for (const name of names) {
    if (found.length === MOST_MODULES) break;
    const module = await lookup(name);
    const size = module === undefined ? 0 : leastTokens(module.header);
    if (module === undefined || size > room) continue;
    room -= size;
    found.push(module);
  }
  return found;
}
