import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Core } from '../../server/src/core.ts';
import type { FailureKind } from '../../server/src/model/outcome.ts';
import { abortAtRandom } from './aborts.ts';
import { CHAT, delta, DONE, event, eventStream, reply, ScriptedServer, stream, usage } from './harness.ts';
import { createTestCore, inTurn, play, said } from './module-run.ts';
import type { Step } from './scripted-server.ts';

let scripted: ScriptedServer;
let core: Core;
before(async () => {
  [scripted, core] = await Promise.all([ScriptedServer.start(), createTestCore()]);
});
after(() => scripted[Symbol.asyncDispose]());

const header = 'module m(input clk, input a, output reg y);';
const code = `${header}\n  always @(posedge clk) y <= ~a;\nendmodule`;
const golden = { file: '/nowhere/golden.v', module: 'g', text: 'module g(input clk, input a, output reg y); always @(posedge clk) y <= ~a; endmodule' };

describe('a reply that is none', () => {
  /** The server has no more to say after these: one request ends the run. */
  const fatal: readonly [FailureKind, readonly Step[]][] = [
    ['unauthorized', reply(401, { error: { message: 'no key' } })],
    ['no-such-path', reply(404, { detail: 'Not Found' })],
    ['too-many-requests', reply(429, { error: { message: 'busy' } })],
    ['server-error', reply(500, { error: { message: 'out of memory' } })],
    ['rejected', reply(422, { error: { message: 'temperature' } })],
    ['context-overflow', reply(400, { error: { message: 'the request exceeds the available context size', n_prompt_tokens: 900, n_ctx: 512 } })],
    ['not-a-model-server', reply(200, '<html>router</html>')],
    ['not-streamed', reply(200, { choices: [] })],
    ['redirected', reply(302, {}, { location: 'http://example.com/' })],
  ];
  for (const [kind, steps] of fatal) {
    it(`${kind}: ends the run with the server's reason`, async () => {
      await scripted.script({ request: CHAT, times: 1, steps });
      const { result, failed } = await play(core, scripted, { header, samples: 4 });
      assert.deepEqual([result.outcome, result.failure?.kind, result.reason, failed], ['failed', kind, result.failure?.message, ['write']]);
      assert.match(result.reason, /^[A-Z][^]*[.]$/);
    });
  }

  /** Faults of one reply: the next sample makes good. */
  const once: readonly [FailureKind, readonly Step[]][] = [
    ['incomplete', stream(delta({ content: 'half' }))],
    ['malformed', [eventStream, { do: 'write', text: 'data: {"choices": 3}\n\n' }, { do: 'end' }]],
    ['cut-off', stream(delta({ content: 'I think and think' }), delta({}, 'length'), DONE)],
    ['no-answer', stream(delta({ reasoning_content: 'Hm.' }), delta({}, 'stop'), DONE)],
    ['unexpected-finish', stream(delta({ content: code }), delta({}, 'content_filter'), DONE)],
  ];
  for (const [kind, steps] of once) {
    it(`${kind}: costs its sample, and the next one is taken`, async () => {
      await scripted.script(...inTurn(steps, said(code)));
      const { result, failed } = await play(core, scripted, { header, golden, samples: 2 });
      assert.deepEqual([result.outcome, failed, result.rejected[0]?.stage], ['verified', ['write'], 'write']);
      await scripted.script({ request: CHAT, times: 1, steps });
      const alone = await play(core, scripted, { header });
      assert.deepEqual([alone.result.outcome, alone.result.candidates], ['failed', []]);
      assert.match(alone.result.reason, /^The sample came to nothing\. The last one ended here: [A-Z][^]*[.]$/);
    });
  }

  it('a prompt of which the server dropped a part is told, and its answer is thrown away', async () => {
    await scripted.script(...inTurn([...said(code).slice(0, -2), { do: 'write', text: delta({}, 'stop') + usage(12) + DONE }, { do: 'end' }]));
    const { result } = await play(core, scripted, { header });
    assert.deepEqual([result.outcome, result.failure?.kind], ['failed', 'prompt-truncated']);
  });

  it('an error in the middle of a stream ends the run', async () => {
    await scripted.script(...inTurn(stream(delta({ content: 'half' }), event({ error: { message: 'out of memory', code: 500 } }))));
    const { result } = await play(core, scripted, { header, samples: 3 });
    assert.deepEqual([result.failure?.kind, result.rejected.length], ['server-error', 1]);
  });

  it('a model that is still loading is waited for, and that is told', async () => {
    await scripted.script({ request: CHAT, times: 2, steps: reply(503, { error: { message: 'Loading model' } }) }, ...inTurn(said(code)));
    const { result, events } = await play(core, scripted, { header, golden });
    assert.equal(result.outcome, 'verified');
    assert.equal(events.filter(({ kind }) => kind === 'waiting').length, 2);
  });

  it('a task that leaves no room for a reply is not sent', async () => {
    await scripted.script();
    const { result, asked } = await play(core, scripted, { header, contextTokens: 200 });
    assert.deepEqual([result.outcome, asked.length], ['failed', 0]);
    assert.match(result.reason, /leaves no room for a reply in the model's context of 200 tokens; shorten it/);
  });
});

const thinking: Step[] = [eventStream, { do: 'write', text: delta({ content: 'Let me see whether the output is inverted.' }) }];

describe('answer now', () => {
  it('continues from the reasoning so far', async () => {
    await scripted.script({ request: CHAT, bodyHas: 'verilog\\n"', steps: stream(delta({ content: `${code}\n\`\`\`\n</answer>` }), delta({}, 'stop'), DONE) }, { request: CHAT, steps: [...thinking, { do: 'hang' }] });
    const { result, events, asked } = await play(core, scripted, { header, golden }, { onEvent: (happened, run) => (happened.kind === 'answer' ? run.answerNow() : undefined) });
    assert.equal(result.outcome, 'verified', result.reason);
    assert.deepEqual(asked[1]?.messages.at(-1), { role: 'assistant', content: '<think>\nLet me see whether the output is inverted.\n</think>\n<answer>\n```verilog\n' });
    assert.ok(events.some(({ kind }) => kind === 'answer-was-reasoning'));
  });

  it('asks in words where a server does not continue a message', async () => {
    await scripted.script(
      { request: CHAT, bodyHas: 'Do not think any longer', steps: said(code) },
      { request: CHAT, bodyHas: '"role":"assistant"', steps: reply(400, { error: { message: 'Assistant response prefill is incompatible with enable_thinking.' } }) },
      { request: CHAT, steps: [eventStream, { do: 'write', text: delta({ reasoning_content: 'Hm.' }) }, { do: 'hang' }] },
    );
    const { result, asked } = await play(core, scripted, { header, golden }, { onEvent: (happened, run) => (happened.kind === 'reasoning' ? run.answerNow() : undefined) });
    assert.deepEqual([result.outcome, asked.length], ['verified', 3]);
  });

  it('means nothing once the answer has begun', async () => {
    await scripted.script(...inTurn(said(code)));
    const { result, asked } = await play(core, scripted, { header, golden }, { onEvent: (happened, run) => (happened.kind === 'answer' && happened.text.includes('```') ? run.answerNow() : undefined) });
    assert.deepEqual([result.outcome, asked.length], ['verified', 1]);
  });
});

describe('stopping a run', () => {
  it('keeps the candidates that came through', async () => {
    await scripted.script(...inTurn(said(code), [...thinking, { do: 'hang' }]));
    const stop = new AbortController();
    const { result } = await play(core, scripted, { header, samples: 2 }, { signal: stop.signal, onEvent: (happened) => (happened.kind === 'answer' && happened.turn.sample === 1 ? stop.abort() : undefined) });
    assert.deepEqual([result.outcome, result.candidates.length], ['cancelled', 1]);
  });

  it('a hundred times at random moments leaves no request, no process, no file and no promise', { skip: process.platform !== 'linux' && 'reads /proc' }, async () => {
    const { outcomes, ...left } = await abortAtRandom(core, scripted, 100);
    assert.deepEqual([...outcomes], [['cancelled', 100]]);
    assert.deepEqual(left, { requests: 0, processes: 0, files: [], sockets: 0 });
  });
});
