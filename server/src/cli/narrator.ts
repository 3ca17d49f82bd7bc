import type { GenerationEvent, ModuleRequest, Stage, Turn } from '../generation/contract.ts';
import { count } from '../verification/value-text.ts';

const stageWords: Readonly<Record<Stage, string>> = {
  write: 'write',
  extract: 'find the module in the reply',
  interface: 'interface',
  parse: 'parse',
  compile: 'compile',
  verify: 'verify',
};

/** Tells a run's progress and reasoning as plain text. Of replies that arrive at the same time the reasoning of one is told. */
export class Narrator {
  readonly #request: ModuleRequest;
  readonly #write: (text: string) => void;
  #spoken: Turn | undefined;
  #atLineStart = true;

  constructor(request: ModuleRequest, write: (text: string) => void) {
    this.#request = request;
    this.#write = write;
    const { name, server } = request.model;
    this.#line(`Model ${name === '' ? '(the one that is loaded)' : name} at ${server.endpoint.root}`);
  }

  tell(event: GenerationEvent): void {
    switch (event.kind) {
      case 'prompt':
        this.#line(`Prompt: at least ${count(event.tokens, 'token')}${event.modules.length === 0 ? '' : `, with the headers of ${event.modules.join(', ')}`}`);
        break;
      case 'waiting':
        this.#line('The server is loading its model.');
        break;
      case 'reasoning':
        this.#speak(event.turn, event.text);
        break;
      case 'stage':
        this.#stage(event);
        break;
      case 'candidate':
        this.#line(`  ${label(event.candidate.turn)}: ${event.candidate.confidence}`);
        break;
      case 'voting':
        this.#line(`Running ${count(event.candidates, 'candidate')} on the same stimulus`);
        break;
      case 'answer':
      case 'answer-was-reasoning':
      case 'rate':
        break;
    }
  }

  end(): void {
    if (!this.#atLineStart) this.#line('');
  }

  #stage(event: GenerationEvent & { readonly kind: 'stage' }): void {
    const { turn, stage, state } = event;
    if (stage === 'write' && state === 'started') this.#line(`${label(turn)} of ${this.#request.samples}${turn.round === 0 ? '' : ', with what the check found'}`);
    if (stage === 'write' && state !== 'started' && same(turn, this.#spoken)) this.#spoken = undefined;
    if (state === 'failed') this.#line(`  ${label(turn)}: ${stageWords[stage]}: ${event.reason}`);
  }

  #speak(turn: Turn, text: string): void {
    this.#spoken ??= turn;
    if (!same(turn, this.#spoken)) return;
    this.#write(text);
    this.#atLineStart = text.endsWith('\n');
  }

  #line(text: string): void {
    this.#write(`${this.#atLineStart ? '' : '\n'}${text}${text === '' ? '' : '\n'}`);
    this.#atLineStart = true;
  }
}

function same(a: Turn, b: Turn | undefined): boolean {
  return a.sample === b?.sample && a.round === b.round;
}

function label({ sample, round }: Turn): string {
  return round === 0 ? `Sample ${sample + 1}` : `Sample ${sample + 1}, repair ${round}`;
}
