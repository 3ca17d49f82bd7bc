import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { movedBy, type Change } from '../../../client/src/generation/anchor.ts';
import { ended, startOf, stateAfter, type RunState } from '../../../client/src/generation/run-state.ts';
import type { GenerationEvent } from '../../../server/src/protocol.ts';

describe('the place of a proposal', () => {
  const change = (rangeOffset: number, rangeLength: number, text: string): Change => ({ rangeOffset, rangeLength, text });
  const anchor = { start: 10, end: 20 };

  it('moves with edits before it, stays for edits behind it, and is lost to edits inside of it', () => {
    assert.deepEqual(movedBy(anchor, [change(0, 2, 'abc')]), { start: 11, end: 21 });
    assert.deepEqual(movedBy(anchor, [change(10, 0, '\n')]), { start: 11, end: 21 });
    assert.deepEqual(movedBy(anchor, [change(20, 5, '')]), anchor);
    assert.deepEqual(movedBy(anchor, [change(30, 1, ''), change(0, 1, ''), change(2, 3, '')]), { start: 6, end: 16 });
    for (const inside of [change(12, 0, 'x'), change(9, 2, ''), change(19, 3, ''), change(0, 40, '')]) assert.equal(movedBy(anchor, [inside]), undefined);
  });

  it('keeps the text that it had, whatever is edited around it', () => {
    const text = fc.string({ maxLength: 6 });
    fc.assert(
      fc.property(text, fc.string({ minLength: 1, maxLength: 6 }), text, fc.array(fc.tuple(fc.nat(20), fc.nat(4), text), { maxLength: 6 }), (before, inner, after, edits) => {
        let whole = before + inner + after;
        let place: { readonly start: number; readonly end: number } | undefined = { start: before.length, end: before.length + inner.length };
        for (const [at, length, put] of edits) {
          const offset = Math.min(at, whole.length);
          const taken = Math.min(length, whole.length - offset);
          place = place && movedBy(place, [change(offset, taken, put)]);
          whole = whole.slice(0, offset) + put + whole.slice(offset + taken);
          if (place) assert.equal(whole.slice(place.start, place.end), inner);
        }
      }),
    );
  });
});

describe('what is shown of a run', () => {
  const turn = { sample: 0, round: 0 };
  const after = (...events: readonly GenerationEvent[]): RunState => events.reduce(stateAfter, startOf('Generating', 0));

  it('keeps reasoning and answer apart, also when an answer turns out to be reasoning', () => {
    const { replies } = after({ kind: 'answer', turn, text: 'a' }, { kind: 'answer-was-reasoning', turn }, { kind: 'reasoning', turn, text: 'b' }, { kind: 'answer', turn, text: 'c' });
    assert.deepEqual(replies.map(({ reasoning, answer }) => [reasoning, answer]), [['ab', 'c']]);
  });

  it('has a reply for each sample and repair, in their order, with the reason where one ended', () => {
    const { replies } = after(
      { kind: 'stage', turn: { sample: 1, round: 0 }, stage: 'write', state: 'started' },
      { kind: 'stage', turn, stage: 'parse', state: 'failed', reason: 'It does not parse.' },
      { kind: 'stage', turn: { sample: 0, round: 1 }, stage: 'write', state: 'started' },
      { kind: 'rate', turn, tokens: 12, tokensPerSecond: 6, elapsedMs: 2000 },
    );
    assert.deepEqual(replies.map(({ sample, round, reason, tokens, stages }) => [sample, round, reason, tokens, stages]), [
      [0, 0, 'It does not parse.', 12, { parse: 'failed' }],
      [0, 1, undefined, 0, { write: 'started' }],
      [1, 0, undefined, 0, { write: 'started' }],
    ]);
  });

  it('ends with the exact words about what came through', () => {
    const running = after({ kind: 'model', name: 'm', server: 'http://127.0.0.1:1' }, { kind: 'candidate', turn, confidence: 'compiles' });
    assert.deepEqual([running.phase, running.model, running.candidates], ['running', 'm at http://127.0.0.1:1', ['compiles']]);
    const { phase, endedAt, candidates } = ended(running, 'done', 5, undefined, ['add: proved equivalent']);
    assert.deepEqual([phase, endedAt, candidates], ['done', 5, ['add: proved equivalent']]);
  });
});
