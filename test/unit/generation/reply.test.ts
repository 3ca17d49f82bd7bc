import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { extractModule } from '../../../server/src/generation/reply.ts';
import { ReasoningSplitter, type Delta } from '../../../server/src/model/reasoning.ts';

const m = 'module m(input a, output y);\n  assign y = ~a;\nendmodule';
const draft = 'module m(input a, output y);\n  assign y = a;\nendmodule';
const helper = 'module inv(input a, output y);\n  assign y = ~a;\nendmodule';
const top = 'module m(input a, output y);\n  inv i(a, y);\nendmodule';
const bench = 'module tb;\n  reg a;\n  wire y;\n  m dut(a, y);\nendmodule';

const fence = (code: string, language = 'verilog'): string => `\`\`\`${language}\n${code}\n\`\`\``;
const answer = (text: string): string => `<answer>\n${text}\n</answer>`;

/** The code that is taken from an answer, without its last line end. */
function check(text: string, expected: string, wanted: string | undefined = 'm'): void {
  const found = extractModule(text, wanted);
  assert.equal(found.kind === 'module' ? found.code : `nothing: ${found.reason}`, `${expected}\n`);
}

function refused(text: string, reason: RegExp, wanted = 'm'): void {
  const found = extractModule(text, wanted);
  assert.ok(found.kind === 'nothing', found.kind === 'module' ? found.code : '');
  assert.match(found.reason, reason);
}

describe('the module of a reply', () => {
  test('the last answer, the last fence in it', () => {
    check(answer(fence(m)), m);
    check(`${answer(fence(draft))}\nWait.\n${answer(fence(m))}`, m);
    check(`${fence(draft)}\n${answer(`A draft:\n${fence(draft)}\nAt last:\n${fence(m, 'systemverilog')}`)}`, m);
    check(`<answer>\n${fence(m)}`, m);
  });

  test('without an answer tag the last fence; the wanted module before any later one', () => {
    check(`${fence(draft)}\nBetter:\n${fence(m, '')}\nGood luck.`, m);
    check(`${fence(m)}\nIts testbench:\n${fence(bench)}`, m);
    check(`${fence('module n; endmodule')}\n${fence(m)}\n${fence('some text')}`, m);
    check(answer(`Nothing here.`) + fence(m), m);
  });

  test('a fence that another language, tildes or Windows made', () => {
    check(`~~~v\n${m}\n~~~`, m);
    check(fence(m).replaceAll('\n', '\r\n'), m);
    check(`  ${fence(m)}`, m);
  });

  test('without any fence the bare module', () => {
    check(`Here it is:\n${m}\nThat is all.`, m);
    check(answer(m), m);
    refused('A module is a good thing.', /holds no module/);
  });

  test('modules that it needs come along, a testbench does not, nor what changes the rest of a file', () => {
    check(fence(`\`timescale 1ns/1ps\n${helper}\n\n${top}\n\n${bench}`), `${helper}\n\n${top}`);
    check(fence(`// A gate.\n\`define N 4\n${m}`), `// A gate.\n\`define N 4\n${m}`);
    check(fence(`${m}\n${draft.replace(' m(', ' other(')}`), m);
  });

  test('without a wanted name the module that no other uses, a testbench apart', () => {
    for (const text of [`${helper}\n\n${top}\n\n${bench}`, `${bench}\n\n${helper}\n\n${top}`]) check(fence(text), `${helper}\n\n${top}`, undefined);
  });

  test('a doubled endmodule is cut; the words may stand in comments, strings and names', () => {
    check(fence(`${m}\nendmodule`), m);
    const tricky = 'module m(input a, output y);\n  // endmodule module\n  localparam [71:0] T = "endmodule";\n  wire \\module ;\n  assign y = a;\nendmodule';
    check(fence(tricky), tricky);
  });

  test('what was cut off or still holds marks of a dialogue is refused', () => {
    refused(fence(m.replace('endmodule', '')), /not whole: The module m has no endmodule\./);
    refused(`\`\`\`verilog\n${m.slice(0, 40)}`, /not whole/);
    refused(fence(`${helper}\nendmodule\n${m}`), /endmodule without its module/);
    refused(fence(m.replace('assign', '<|im_end|>assign')), /marks of the dialogue/);
    refused(answer(fence(`<think>${m}`)), /marks of the dialogue/);
    refused('', /holds no module/);
  });

  test('a broken last block of the wanted module is not replaced by an earlier draft', () => {
    refused(`${fence(draft)}\n${fence(m.replace('endmodule', ''))}`, /not whole/);
  });
});

interface Part {
  readonly text: string;
  readonly code: string;
}

/** Replies of every shape around one module, with the code that must be taken from them. */
const replies: fc.Arbitrary<{ readonly reasoning: 'field' | 'tags' | 'closing only' | 'none'; readonly thought: string } & Part> = fc.record({
  reasoning: fc.constantFrom('field', 'tags', 'closing only', 'none'),
  thought: fc.constantFrom('Hm.', `I could write ${fence(draft)} but no.`, 'Compare a < b, <thin, and </ things.', `${draft}\nor <answer>${draft}</answer>?`),
  before: fc.constantFrom('', 'Here it is:\n', `First ${draft.split('\n')[0] ?? ''} came to mind.\n${fence(draft)}\n`),
  shape: fc.constantFrom('answer', 'fence', 'bare', 'answer and bare'),
  doubled: fc.boolean(),
  after: fc.constantFrom('', '\nIt inverts.', '\nDone <b>.'),
  name: fc.constantFrom('a', 'data_in'),
}).map(({ reasoning, thought, before, shape, doubled, after, name }) => {
  const code = m.replaceAll(/\ba\b/g, name);
  const whole = doubled ? `${code}\nendmodule` : code;
  const body = { answer: answer(fence(whole)), fence: fence(whole), bare: whole, 'answer and bare': answer(whole) }[shape];
  // A bare module after a fence would be a second thought that nobody marks as the answer.
  return { reasoning, thought, code, text: (shape === 'bare' ? '' : before) + body + after };
});

function deltas({ reasoning, thought, text }: { reasoning: string; thought: string; text: string }, cuts: readonly number[]): Delta[] {
  const pieces = (whole: string): string[] => {
    const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
    return [...places, whole.length].map((place, at) => whole.slice(at === 0 ? 0 : places[at - 1], place));
  };
  const content = { field: text, none: text, tags: `<think>${thought}</think>${text}`, 'closing only': `${thought}</think>${text}` }[reasoning] ?? '';
  return [...(reasoning === 'field' ? pieces(thought).map((piece): Delta => ({ reasoning: piece })) : []), ...pieces(content).map((piece): Delta => ({ content: piece }))];
}

test('the module does not depend on how a reply is cut into pieces', () => {
  fc.assert(
    fc.property(replies, fc.array(fc.nat(2000), { maxLength: 60 }), (reply, cuts) => {
      const splitter = new ReasoningSplitter({ expectReasoning: true });
      for (const delta of deltas(reply, cuts)) splitter.push(delta);
      const { end } = splitter.finish(false);
      check(end.answer, reply.code);
    }),
    { numRuns: 400, seed: 4 },
  );
});
