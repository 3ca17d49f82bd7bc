import { InlineCompletionTriggerKind } from 'vscode-languageserver';
import type { CancellationToken, InlineCompletionItem, InlineCompletionParams } from 'vscode-languageserver';
import { headersOf } from '../generation/comment.ts';
import { Completer, type CompletionEnv } from '../generation/infill/completer.ts';
import { createInfillClient, type InfillRequest } from '../model/infill.ts';
import { abortOf } from './cancel.ts';
import type { ServerContext } from './context.ts';
import { pathOf, type PlacedText } from './convert.ts';
import type { Models } from './models.ts';

/** Headers of the modules that are instantiated here go along, up to this many. */
const MOST_HEADERS = 5;

/** Suggestions at the cursor while a person types. */
export class InlineCompletions {
  readonly #context: ServerContext;
  readonly #models: Models;
  readonly #completer = new Completer();

  constructor(context: ServerContext, models: Models) {
    this.#context = context;
    this.#models = models;
  }

  /** Another model would answer otherwise. */
  reset(): void {
    this.#completer.reset();
  }

  async complete({ textDocument, position, context }: InlineCompletionParams, token: CancellationToken): Promise<InlineCompletionItem[]> {
    const file = pathOf(textDocument.uri);
    if (!this.#models.completes || this.#models.writing || !this.#context.sources.document(file)) return [];
    const text = this.#context.sources.textOf(file);
    const cursor = text.offset(position);
    // What the editor's own list would insert is taken as typed.
    const chosen = context.selectedCompletionInfo;
    const start = chosen === undefined ? cursor : text.offset(chosen.range.start);
    const end = chosen === undefined ? cursor : text.offset(chosen.range.end);
    const typed = chosen?.text ?? '';
    const outcome = await this.#completer.complete(
      {
        file,
        text: text.text.slice(0, start) + typed + text.text.slice(end),
        offset: start + typed.length,
        explicit: context.triggerKind === InlineCompletionTriggerKind.Invoked,
        signal: abortOf(token),
      },
      this.#env(file, text),
    );
    if (outcome.kind === 'failed') this.#models.failed('infill', outcome.failure);
    return outcome.kind === 'suggestion' ? [{ insertText: typed + outcome.text, range: text.range({ start, end }) }] : [];
  }

  #env(file: string, text: PlacedText): CompletionEnv {
    const { analyses, settings } = this.#context;
    return {
      client: async () => {
        const located = await this.#models.locate('infill');
        if (located.kind !== 'found') return undefined;
        const { 'infill.template': template, 'infill.maxTokens': maxTokens } = settings.of(undefined);
        return { client: createInfillClient(located.server, { model: located.model, template }), maxTokens };
      },
      context: () => this.#headers(file, text),
      errorsIn: (edited, deadlineMs) => analyses.findingsIn(file, edited, this.#context.sourceContext(file), deadlineMs)?.filter(({ severity }) => severity === 'error').length,
    };
  }

  #headers(file: string, text: PlacedText): InfillRequest['files'] {
    const { analyses, index, sources } = this.#context;
    const { modules } = analyses.ofOpen(file, text, this.#context.sourceContext(file)).outline;
    const used = [...new Set(modules.flatMap(({ uses }) => uses))].slice(0, MOST_HEADERS);
    return used.flatMap((name) => {
      const definition = index.definitions(name).find((candidate) => candidate.file !== file);
      const header = definition && headersOf(sources.textOf(definition.file).text).find((candidate) => candidate.name === name)?.text;
      return definition && header !== undefined ? [{ name: this.#context.folders.display(definition.file), text: `${header}\n` }] : [];
    });
  }
}
