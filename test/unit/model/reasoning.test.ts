import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldSplit, ReasoningSplitter, type Delta, type SplitEnd, type SplitText } from '../../../server/src/model/reasoning.ts';

const empty: SplitText = { reasoning: '', answer: '' };

/** Splits a reply that comes in these pieces, and checks that the events tell the same story as the result. */
function split(deltas: readonly Delta[], cutOff = false, expectReasoning = false): SplitEnd {
  const splitter = new ReasoningSplitter({ expectReasoning });
  let told = empty;
  for (const delta of deltas) {
    told = splitter.push(delta).reduce(foldSplit, told);
    assert.deepEqual(told, splitter.text);
  }
  const { events, end } = splitter.finish(cutOff);
  assert.deepEqual(events.reduce(foldSplit, told), { reasoning: end.reasoning, answer: end.answer });
  return end;
}

function check(content: string, reasoning: string, answer: string): void {
  const end = split([{ content }]);
  assert.deepEqual({ reasoning: end.reasoning, answer: end.answer }, { reasoning, answer });
}

describe('reasoning and answer are told apart', () => {
  it('where there is no reasoning', () => check('module m; endmodule', '', 'module m; endmodule'));
  it('between tags', () => check('<think>hm</think>ok', 'hm', 'ok'));
  it('with text before the opening tag', () => check('\n<think>hm</think>ok', 'hm', '\nok'));
  it('where only the closing tag appears', () => check('hm\nhm</think>ok', 'hm\nhm', 'ok'));
  it('in several blocks', () => check('<think>a</think>b<think>c</think>d', 'ac', 'bd'));
  it('where reasoning names its own opening tag', () => check('<think>a <think> b</think>ok', 'a <think> b', 'ok'));
  it('with a second closing tag, which stays in the answer', () => check('<think>a</think>b</think>c', 'a', 'b</think>c'));
  it('with what only looks like a tag', () => check('if (a <b) x <thin </thin> </ think> <', '', 'if (a <b) x <thin </thin> </ think> <'));
  it('where reasoning is never closed', () => check('<think>hm', 'hm', ''));

  it('where reasoning has a field of its own', () => {
    const end = split([{ reasoning: 'h' }, { reasoning: 'm' }, { content: 'o' }, { reasoning: '', content: 'k' }]);
    assert.deepEqual(end, { reasoning: 'hm', answer: 'ok', reasoningOnly: false });
  });

  it('where a field is followed by a closing tag that was left over', () => {
    assert.deepEqual(split([{ reasoning: 'hm' }, { content: '\n</think>ok' }]), { reasoning: 'hm\n', answer: 'ok', reasoningOnly: false });
  });
});

describe('a piece is told as soon as it is decided', () => {
  it('and an end that may become a tag is held back', () => {
    const splitter = new ReasoningSplitter();
    assert.deepEqual(splitter.push({ content: 'a <' }), [{ kind: 'answer', text: 'a ' }]);
    assert.deepEqual(splitter.push({ content: '= b</thi' }), [{ kind: 'answer', text: '<= b' }]);
    assert.deepEqual(splitter.push({ content: 'nk>x' }), [{ kind: 'answer-was-reasoning' }, { kind: 'answer', text: 'x' }]);
    assert.deepEqual(splitter.finish(false).end, { reasoning: 'a <= b', answer: 'x', reasoningOnly: false });
  });
});

describe('a reply that was cut off', () => {
  it('inside reasoning is reasoning only', () => assert.deepEqual(split([{ content: '<think>hm</thi' }], true), { reasoning: 'hm</thi', answer: '', reasoningOnly: true }));
  it('after a field of reasoning is reasoning only', () => assert.equal(split([{ reasoning: 'hm' }], true).reasoningOnly, true));
  it('in its answer is no reasoning', () => assert.deepEqual(split([{ content: 'hm</think>ok' }], true, true), { reasoning: 'hm', answer: 'ok', reasoningOnly: false }));
  it('before any tag is an answer of an ordinary model', () => assert.deepEqual(split([{ content: 'hm' }], true), { reasoning: '', answer: 'hm', reasoningOnly: false }));
  it('before any tag is reasoning of a model that thinks first', () => assert.deepEqual(split([{ content: 'hm' }], true, true), { reasoning: 'hm', answer: '', reasoningOnly: true }));
  it('after a field of reasoning is in its answer', () => assert.deepEqual(split([{ reasoning: 'hm' }, { content: 'ok' }], true, true), { reasoning: 'hm', answer: 'ok', reasoningOnly: false }));
});

describe('the result does not depend on how the text was cut', () => {
  const parts = fc.constantFrom('<think>', '</think>', '<', '</', 'thi', 'nk>', '>', 'ab', ' ', '\n', '<think', '</think', 'ü', '𝄞');
  const texts = fc.array(parts, { maxLength: 12 }).map((list) => list.join(''));

  /** The same run of deltas with each text cut at random places. */
  function cut(delta: Delta, random: readonly number[]): Delta[] {
    const [name, text] = delta.reasoning === undefined ? (['content', delta.content ?? ''] as const) : (['reasoning', delta.reasoning] as const);
    const places = [...new Set(random.map((share) => Math.floor(share * text.length)))].sort((a, b) => a - b);
    return [0, ...places].map((start, index) => ({ [name]: text.slice(start, places[index] ?? text.length) }));
  }

  const deltas = fc.array(fc.oneof(texts.map((content): Delta => ({ content })), texts.map((reasoning): Delta => ({ reasoning }))), { maxLength: 4 });
  const shares = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 8 });

  it('into any pieces', () => {
    fc.assert(
      fc.property(deltas, shares, fc.boolean(), fc.boolean(), (whole, random, cutOff, expectReasoning) => {
        const pieces = whole.flatMap((delta) => cut(delta, random));
        assert.deepEqual(split(pieces, cutOff, expectReasoning), split(whole, cutOff, expectReasoning));
      }),
      { numRuns: 500 },
    );
  });

  it('into single characters', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (content, cutOff) => {
        assert.deepEqual(split(content.split('').map((character) => ({ content: character })), cutOff), split([{ content }], cutOff));
      }),
    );
  });

  it('and nothing but tags is lost', () => {
    fc.assert(
      fc.property(texts, (content) => {
        const { reasoning, answer } = split([{ content }]);
        const lost = content.length - reasoning.length - answer.length;
        const tags = content.match(/<\/?think>/g) ?? [];
        assert.ok(lost >= 0 && lost <= tags.join('').length);
      }),
    );
  });
});
