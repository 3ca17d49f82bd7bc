import { createHash } from 'node:crypto';
import type { DesignInput, LoadedDesign, LoadResult } from '../analysis/design.ts';
import type { Message } from '../model/client.ts';
import type { Failure, FailureKind } from '../model/outcome.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { compareBehaviours } from '../verification/behaviour.ts';
import { runTestbench } from '../verification/run-testbench.ts';
import type { VerifyRequest, VerifyResult } from '../verification/verdict.ts';
import type { VerifyHooks } from '../verification/session.ts';
import { checkReply, type Checked, type Wanted } from './check.ts';
import { headersOf } from './comment.ts';
import { makePrompt, roomFor, tokensOf, type Prompt } from './context.ts';
import type { Candidate, GenerationEvent, GenerationHooks, Level, ModuleRequest, ModuleResult, Rejected, Run, Stage, TestbenchResult, Turn, Votes } from './contract.ts';
import { codeFor, linesOf, placed } from './place.ts';
import { ANSWER_START, repairMessages, type Evidence } from './prompt.ts';
import { confidenceOf, levelOf, rank } from './rank.ts';
import { Writer } from './writer.ts';

/** What a run needs from the floors below. */
export interface PipelineEnv {
  readonly load: (input: DesignInput) => Promise<LoadResult>;
  readonly verify: (request: VerifyRequest, hooks: VerifyHooks) => Promise<VerifyResult>;
  readonly toolbox: Pick<Toolbox, 'iverilog' | 'verilatorSimulator' | 'yosys' | 'embeddedYosys'>;
}

/** Lets a model write a module, checks what it writes, lets it repair what fails, and ranks what comes through. */
export function generateModule(request: ModuleRequest, env: PipelineEnv, hooks: GenerationHooks): Run<ModuleResult> {
  const run = new ModuleRun(request, env, hooks);
  return { result: run.run(), answerNow: () => run.answerNow() };
}

/** Failures of one reply; the next one may well succeed. Every other failure ends the run. */
const OF_ONE_REPLY: ReadonlySet<FailureKind> = new Set<FailureKind>(['cut-off', 'no-answer', 'incomplete', 'stalled', 'timed-out', 'unexpected-finish', 'malformed']);

/** A code that came through to its verification. */
type Passed = Checked & { readonly kind: 'compiled' };

type Judged =
  | { readonly kind: 'candidate'; readonly candidate: Candidate }
  | { readonly kind: 'rejected'; readonly rejected: Rejected; readonly evidence: Evidence }
  | { readonly kind: 'cancelled' };

class ModuleRun {
  readonly #request: ModuleRequest;
  readonly #env: PipelineEnv;
  readonly #hooks: GenerationHooks;
  readonly #writer: Writer;
  readonly #started = performance.now();
  /** Ends the samples: the caller's wish, a proof, or a failure that no further request can mend. */
  readonly #stop = new AbortController();
  readonly #candidates: { readonly candidate: Candidate; readonly design: LoadedDesign }[] = [];
  readonly #rejected: Rejected[] = [];
  readonly #verifications = new Map<string, Promise<VerifyResult>>();
  #wanted: Wanted | undefined;
  #failure: Failure | undefined;
  /** Why nothing could be checked. */
  #noTool: string | undefined;

  constructor(request: ModuleRequest, env: PipelineEnv, hooks: GenerationHooks) {
    this.#request = request;
    this.#env = env;
    this.#hooks = hooks;
    this.#writer = new Writer(request.model, (event) => this.#tell(event));
  }

  answerNow(): void {
    this.#writer.answerNow();
  }

  async run(): Promise<ModuleResult> {
    const { signal } = this.#hooks;
    const onAbort = (): void => this.#stop.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    try {
      const refusal = await this.#readHeader();
      if (refusal !== undefined) return this.#result(refusal);
      const prompt = await makePrompt(this.#request);
      if (prompt.kind === 'too-long') return this.#result(prompt.reason);
      this.#tell({ kind: 'prompt', modules: prompt.modules.map(({ name }) => name), tokens: prompt.tokens });
      await this.#samples(prompt);
      const votes = signal?.aborted === true ? new Map<Candidate, Votes>() : await this.#vote();
      return this.#result(undefined, votes);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #tell(event: GenerationEvent): void {
    this.#hooks.onEvent?.(event);
  }

  /** Reads the interface that binds; a sentence when it cannot be read. */
  async #readHeader(): Promise<string | undefined> {
    const { task, target, context } = this.#request;
    const header = task.kind === 'write' ? task.header : headersOf(task.code)[0]?.text;
    if (header === undefined) return task.kind === 'write' ? undefined : 'There is no module in the text; select a module from module to endmodule.';
    const [found] = headersOf(header);
    if (found === undefined) return 'The module header cannot be read; it must go from module to a semicolon.';
    const loaded = await this.#env.load(placed(target, context, found.name, codeFor(target, `${header}\nendmodule\n`)));
    if (loaded.kind === 'loaded') this.#wanted = { module: loaded.design.module, header };
    // A module that is to be fixed may have a header that cannot be read; then the fix is free.
    return loaded.kind === 'loaded' || task.kind === 'fix' ? undefined : `The module header cannot be read: ${loaded.reason}`;
  }

  /** As many samples at a time as the server works on. */
  async #samples(prompt: Prompt & { readonly kind: 'prompt' }): Promise<void> {
    const { samples, model } = this.#request;
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < samples && !this.#stop.signal.aborted) await this.#sample(next++, prompt);
    };
    await Promise.all(Array.from({ length: Math.max(1, Math.min(samples, model.slots)) }, lane));
  }

  /** One sample and its repairs. A repair that repeats an error or a code leads nowhere: the model then starts afresh. */
  async #sample(sample: number, prompt: Prompt & { readonly kind: 'prompt' }): Promise<void> {
    const { repairs, model } = this.#request;
    const seen = new Set<string>();
    let messages: readonly Message[] = prompt.messages;
    for (let round = 0; round <= repairs && !this.#stop.signal.aborted; round += 1) {
      const turn: Turn = { sample, round };
      const seed = model.seed === undefined ? undefined : model.seed + sample * (repairs + 1) + round;
      this.#stage(turn, 'write');
      const written = await this.#writer.write({ messages, maxTokens: messages === prompt.messages ? prompt.maxTokens : roomFor(model, tokensOf(messages)), answerStart: ANSWER_START, turn, seed, signal: this.#stop.signal });
      if (this.#isOver()) return;
      if (written.kind === 'failed') {
        this.#failed(turn, written.failure);
        return;
      }
      this.#tell({ kind: 'stage', turn, stage: 'write', state: 'passed' });
      const judged = await this.#judge(turn, written.answer);
      if (judged.kind !== 'rejected') return;
      const { rejected, evidence } = judged;
      this.#rejected.push(rejected);
      const repeated = [rejected.reason, hashOf(rejected.code)].filter((mark) => seen.has(mark)).length > 0;
      for (const mark of [rejected.reason, hashOf(rejected.code)]) seen.add(mark);
      const repair = repeated || rejected.code === undefined ? undefined : repairMessages(prompt.messages, rejected.code, evidence);
      messages = repair === undefined || roomFor(model, tokensOf(repair)) < LEAST_ROOM ? prompt.messages : repair;
    }
  }

  #isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  #failed(turn: Turn, failure: Failure): void {
    this.#tell({ kind: 'stage', turn, stage: 'write', state: 'failed', reason: failure.message });
    this.#rejected.push({ turn, stage: 'write', reason: failure.message, code: undefined, problems: [], verification: undefined });
    if (OF_ONE_REPLY.has(failure.kind)) return;
    this.#failure ??= failure;
    this.#stop.abort();
  }

  #stage(turn: Turn, stage: Stage): void {
    this.#tell({ kind: 'stage', turn, stage, state: 'started' });
  }

  async #judge(turn: Turn, answer: string): Promise<Judged> {
    const { target, context, verify } = this.#request;
    let [stage, open]: [Stage, boolean] = ['extract', false];
    const checked = await checkReply(
      {
        answer,
        target,
        context,
        wanted: this.#wanted,
        engine: verify.engine,
        timeoutMs: verify.timeoutMs,
        signal: this.#stop.signal,
        onStage: (next) => {
          if (open) this.#tell({ kind: 'stage', turn, stage, state: 'passed' });
          [stage, open] = [next, true];
          this.#stage(turn, next);
        },
      },
      this.#env,
    );
    switch (checked.kind) {
      case 'cancelled':
        return checked;
      case 'no-tool':
        this.#noTool ??= checked.reason;
        this.#stop.abort();
        return { kind: 'cancelled' };
      case 'rejected': {
        const { code, problems, findings, reason } = checked;
        return this.#reject({ turn, stage: checked.stage, reason, code, problems, verification: undefined }, { kind: 'findings', findings });
      }
      case 'compiled':
        this.#tell({ kind: 'stage', turn, stage, state: 'passed' });
        return this.#verify(turn, checked);
    }
  }

  #reject(rejected: Rejected, evidence: Evidence): Judged {
    const { turn, stage, reason } = rejected;
    this.#tell({ kind: 'stage', turn, stage, state: 'failed', reason });
    return { kind: 'rejected', rejected, evidence };
  }

  async #verify(turn: Turn, passed: Passed): Promise<Judged> {
    if (this.#request.golden !== undefined) return this.#compare(turn, passed, this.#request.golden);
    if (this.#request.testbench !== undefined) return this.#test(turn, passed, this.#request.testbench);
    return this.#accept(turn, passed, 'compiled', {});
  }

  async #compare(turn: Turn, passed: Passed, golden: DesignInput): Promise<Judged> {
    this.#stage(turn, 'verify');
    // Models repeat themselves: the same code is verified once.
    const known = this.#verifications.get(passed.code) ?? this.#env.verify({ dut: passed.design.input, golden, options: this.#request.verify }, { signal: this.#stop.signal });
    this.#verifications.set(passed.code, known);
    const verification = await known;
    const { verdict, reason, problems } = verification;
    if (verdict === 'cancelled') return { kind: 'cancelled' };
    const ownFault = verdict === 'bad-input' && problems.some(({ side }) => side === 'dut') && !problems.some(({ side }) => side === 'golden');
    const level = ownFault ? undefined : levelOf(verification);
    if (level !== undefined) return this.#accept(turn, passed, level, { verification, notes: level === 'compiled' ? [`Not compared with the reference: ${reason}`] : [] });
    const rejected: Rejected = { turn, stage: 'verify', reason, code: passed.code, problems, verification };
    return this.#reject(rejected, verdict === 'different' ? { kind: 'counterexample', verdict: verification } : { kind: 'text', text: reason });
  }

  async #test(turn: Turn, passed: Passed, input: DesignInput): Promise<Judged> {
    const { timeoutMs } = this.#request.verify;
    const [simulator, testbench] = [await this.#env.toolbox.iverilog(), await this.#env.load(input)];
    if (simulator.kind !== 'found') return this.#accept(turn, passed, 'compiled', { notes: [`The testbench was not run. ${simulator.reason}`] });
    if (testbench.kind === 'rejected') return this.#accept(turn, passed, 'compiled', { notes: [`The testbench was not run. ${testbench.reason}`] });
    this.#stage(turn, 'verify');
    const silent = { file: passed.place.file, ...linesOf(passed.place, passed.code) };
    const { verdict, reason, output } = await runTestbench({ dut: passed.design, testbench: testbench.design, silent, iverilog: simulator.tool, timeoutMs, signal: this.#stop.signal });
    if (verdict === 'cancelled') return { kind: 'cancelled' };
    const result: TestbenchResult = { verdict, reason, output };
    if (verdict === 'passed') return this.#accept(turn, passed, 'testbench', { testbench: result });
    if (verdict === 'silent') return this.#accept(turn, passed, 'compiled', { testbench: result, notes: [reason] });
    return this.#refuse(turn, passed, reason, output);
  }

  #refuse(turn: Turn, passed: Passed, reason: string, output: readonly string[] = []): Judged {
    const rejected: Rejected = { turn, stage: 'verify', reason, code: passed.code, problems: [], verification: undefined };
    return this.#reject(rejected, { kind: 'text', text: [reason, ...output].join('\n') });
  }

  #accept(turn: Turn, passed: Passed, level: Level, more: Partial<Pick<Candidate, 'verification' | 'testbench' | 'notes'>>): Judged {
    const { module, code, design } = passed;
    const known = { level, verification: more.verification, votes: undefined };
    const notes = [...passed.notes, ...(more.notes ?? [])];
    const candidate: Candidate = { turn, module, code, ...known, confidence: confidenceOf(known, this.#wanted !== undefined), testbench: more.testbench, notes };
    if (more.verification !== undefined || more.testbench !== undefined) this.#tell({ kind: 'stage', turn, stage: 'verify', state: 'passed' });
    this.#candidates.push({ candidate, design });
    this.#tell({ kind: 'candidate', candidate });
    // Nothing that follows can be known better.
    if (level === 'proved' || level === 'testbench') this.#stop.abort();
    return { kind: 'candidate', candidate };
  }

  /** Candidates of which nothing better is known are run on the same stimulus, those of one interface together. */
  async #vote(): Promise<ReadonlyMap<Candidate, Votes>> {
    const votes = new Map<Candidate, Votes>();
    const voters = this.#candidates.filter(({ candidate }) => candidate.level === 'compiled');
    const best = this.#candidates.some(({ candidate }) => candidate.level !== 'compiled');
    const simulator = voters.length > 1 && !best && this.#request.verify.engine !== 'yosys-wasm' && this.#request.verify.engine !== 'yosys' ? await this.#env.toolbox.iverilog() : undefined;
    if (simulator?.kind !== 'found') return votes;
    this.#tell({ kind: 'voting', candidates: voters.length });
    const { seed, timeoutMs } = this.#request.verify;
    const tallies: { readonly members: typeof voters; readonly alike: readonly (readonly number[])[]; readonly vectors: number }[] = [];
    for (const members of groupBy(voters, ({ design }) => JSON.stringify(design.module.ports.map(({ name, direction, width }) => [name, direction, width])))) {
      const result = await compareBehaviours({ designs: members.map(({ design }) => design), iverilog: simulator.tool, seed, timeoutMs, signal: this.#hooks.signal });
      if (result.kind === 'cancelled') return new Map();
      if (result.kind === 'compared') tallies.push({ members, ...result });
    }
    const of = tallies.reduce((sum, { alike }) => sum + alike.filter((list) => list.length > 0).length, 0);
    const groups = tallies.flatMap(({ alike }) => groupSizes(alike)).sort((a, b) => b - a);
    for (const { members, alike, vectors } of tallies) {
      for (const [at, { candidate }] of members.entries()) {
        const agree = alike[at]?.length ?? 0;
        if (agree > 0) votes.set(candidate, { agree, of, groups, vectors });
      }
    }
    return votes;
  }

  #result(refusal: string | undefined, votes: ReadonlyMap<Candidate, Votes> = new Map()): ModuleResult {
    const candidates = rank(
      this.#candidates.map(({ candidate }) => {
        const own = votes.get(candidate);
        return own === undefined ? candidate : { ...candidate, votes: own, confidence: confidenceOf({ ...candidate, votes: own }, this.#wanted !== undefined) };
      }),
    );
    const [best] = candidates;
    const outcome = this.#hooks.signal?.aborted === true ? 'cancelled' : best === undefined ? 'failed' : best.level === 'compiled' ? 'compiled' : 'verified';
    return {
      schema: 1,
      outcome,
      reason: outcome === 'cancelled' ? stoppedWords(candidates.length) : best === undefined ? (refusal ?? this.#whyNothing()) : `The module ${best.module}: ${best.confidence}.`,
      candidates,
      rejected: this.#rejected,
      failure: this.#failure,
      model: this.#request.model.name,
      elapsedMs: Math.round(performance.now() - this.#started),
      checkMs: Math.round(performance.now() - this.#writer.lastPiece),
    };
  }

  #whyNothing(): string {
    if (this.#failure !== undefined) return this.#failure.message;
    if (this.#noTool !== undefined) return `No module was checked, so none is offered. ${this.#noTool}`;
    const samples = new Set(this.#rejected.map(({ turn }) => turn.sample)).size;
    const last = this.#rejected.at(-1);
    const tries = samples === 1 ? 'The sample' : `None of ${samples} samples`;
    return `${tries} ${samples === 1 ? 'came to nothing' : 'came to anything'}. The last one ended here: ${last?.reason ?? 'no reply was asked for.'}`;
  }
}

function stoppedWords(candidates: number): string {
  if (candidates === 0) return 'Stopped before a module came through.';
  return candidates === 1 ? 'Stopped; one module had come through.' : `Stopped; ${candidates} modules had come through.`;
}

/** The least room for a repair's reply, in tokens; with less the model starts afresh. */
const LEAST_ROOM = 256;

function hashOf(code: string | undefined): string {
  return createHash('sha256').update((code ?? '').replace(/\s+/g, ' ')).digest('hex');
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}

/** Sizes of groups of equal behaviour: the best supported first, each item in one group. */
function groupSizes(alike: readonly (readonly number[])[]): number[] {
  const left = new Set(alike.flatMap((list, at) => (list.length > 0 ? [at] : [])));
  const sizes: number[] = [];
  while (left.size > 0) {
    const groups = [...left].map((at) => (alike[at] ?? []).filter((other) => left.has(other)));
    const largest = groups.reduce((best, group) => (group.length > best.length ? group : best), []);
    if (largest.length === 0) break;
    sizes.push(largest.length);
    for (const at of largest) left.delete(at);
  }
  return sizes;
}

