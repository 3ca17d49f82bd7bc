import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '../../../server/src/base/logger.ts';
import { createCore, type Core } from '../../../server/src/core.ts';
import { CompletionCache } from '../../../server/src/generation/infill/cache.ts';
import { Completer, type CompletionEnv, type CompletionOutcome } from '../../../server/src/generation/infill/completer.ts';
import { filterCompletion } from '../../../server/src/generation/infill/filters.ts';
import { gapAt, type Gap } from '../../../server/src/generation/infill/gap.ts';
import { pauseLimits, TypingPace } from '../../../server/src/generation/infill/pace.ts';
import type { InfillClient } from '../../../server/src/model/infill.ts';

/** A text with `|` at the cursor. */
function at(marked: string): { readonly text: string; readonly offset: number } {
  const offset = marked.indexOf('¦');
  assert.ok(offset >= 0, 'the text has a cursor');
  return { text: marked.replace('¦', ''), offset };
}

function gap(marked: string): Gap | undefined {
  const { text, offset } = at(marked);
  return gapAt(text, offset);
}

describe('a gap', () => {
  const open: readonly [string, Gap['scope']][] = [
    ['module m;\n  assign y = ¦\nendmodule\n', 'block'],
    ['module m;\n  ¦\nendmodule\n', 'block'],
    ['module m;\n  sub u (.a(¦));\nendmodule\n', 'line'],
    ['module m; // a "note" /* of old\n  ¦\nendmodule', 'block'],
    ['module m; initial $display("a // b", ¦);', 'line'],
  ];
  for (const [text, scope] of open) it(`is there: ${JSON.stringify(text)}`, () => assert.equal(gap(text)?.scope, scope));

  const closed = ['¦', ' \n¦\n', '// count ¦', 'module m; /* the\n ¦ */', 'initial $display("a ¦");', 'assign a¦ = b;', 'assign le¦ft = b;', 'x = "abc¦'];
  for (const text of closed) it(`is not there: ${JSON.stringify(text)}`, () => assert.equal(gap(text), undefined));

  it('shows the model whole lines around the cursor, bounded', () => {
    const line = `${'x'.repeat(99)}\n`;
    const found = gapAt(`${line.repeat(200)}\n${line.repeat(200)}`, 20_000);
    assert.ok(found && found.before.length <= 6_000 && found.before.length > 5_800 && found.before.length % 100 === 0);
    assert.ok(found.after.length <= 2_000 && found.after.length > 1_800 && found.after.length % 100 === 0);
  });
});

/** What the filters leave of a model's reply at a cursor. */
function check(marked: string, reply: string, expected: string): void {
  const found = gap(marked);
  assert.ok(found);
  assert.equal(filterCompletion(reply, found), expected);
}

const body = 'module m(input clk, input a, output reg y);\n  always @(posedge clk) begin\n    ¦\n  end\nendmodule\n';
const empty = 'module m(input a, b, output y);\n  ¦\nendmodule\n';

describe('a reply is filtered', () => {
  const golden: readonly [string, string, string, string][] = [
    ['nothing to do', empty, 'assign y = a & b;', 'assign y = a & b;'],
    ['leaked tokens', empty, 'assign y = a;<|endoftext|>module x;', 'assign y = a;'],
    ['leaked tokens of another family', empty, 'assign y = a;<｜fim▁end｜>', 'assign y = a;'],
    ['a comparison is no leaked token', empty, 'assign y = a <b;', 'assign y = a <b;'],
    ['only a leaked token', empty, '<fim_suffix>\nendmodule', ''],
    ['a fence around it', empty, '```verilog\nassign y = a;\n```\nThis is an and.', 'assign y = a;'],
    ['a sentence and a fence before it', empty, 'Here is the code you need:\n```\nassign y = a;\n```', 'assign y = a;'],
    ['a fence after it', empty, 'assign y = a;\n```\nmore', 'assign y = a;'],
    ['a sentence after it', empty, 'assign y = a;\nThis assigns the input to the output.', 'assign y = a;'],
    ['a sentence only', empty, 'Sure, here is the completed module:', ''],
    ['a declaration is no sentence', 'module m(¦', 'input wire signed a, output y);', 'input wire signed a, output y);'],
    ['the line begun anew', 'module m(input a, output y);\n  assign y = ¦\nendmodule', '  assign y = a;', 'a;'],
    ['a second blank', 'module m(input a, output y);\n  assign y = ¦\nendmodule', ' ~a;', '~a;'],
    ['indentation that is there', body, '    y <= a;', 'y <= a;'],
    ['a line over and over', empty, 'assign y = a;\nassign y = a;\nassign y = a;\nassign y = a;\nassi', 'assign y = a;'],
    ['a block over and over', body, 'if (a)\n      y <= 1;\n    else\n      y <= 0;\n    if (a)\n      y <= 1;\n    else\n      y <= 0;', 'if (a)\n      y <= 1;\n    else\n      y <= 0;'],
    ['two equal statements of a testbench stay', 'module t;\n  initial begin\n    ¦\n  end\nendmodule', '#5;\n    #5;\n    $finish;', '#5;\n    #5;\n    $finish;'],
    ['the line above once more', 'module m(input a, output y, z);\n  assign y = a;\n  ¦\nendmodule', 'assign y = a;', ''],
    ['the end of the line once more', 'module m(input a, output y);\n  sub u (.a(¦));\nendmodule', 'a));', 'a'],
    ['more than its line', 'module m(input a, output y);\n  sub u (.a(¦));\nendmodule', 'a\n  sub v (.a(a', 'a'],
    ['the lines below once more', 'module m(input a, b, output y, z);\n  ¦\n  assign z = b;\nendmodule', 'assign y = a;\n  assign z = b;\nendmodule', 'assign y = a;'],
    ['an end too many', body, 'y <= a;\n  end\nendmodule\n', 'y <= a;'],
    ['an end of its own', body, 'if (a) begin\n      y <= 1;\n    end\n  end\nendmodule', 'if (a) begin\n      y <= 1;\n    end'],
    ['an end that is missing', 'module m(input clk, a, output reg y);\n  always @(posedge clk) begin\n    ¦\nendmodule', 'y <= a;\n  end\nendmodule', 'y <= a;\n  end'],
    ['a module end that is missing', 'module m(input a, output y);\n  ¦', 'assign y = a;\nendmodule\n\nmodule n;', 'assign y = a;\nendmodule\n\nmodule n;'],
    ['a case that is closed already', 'module m(input a, output reg y);\n  always @* case (a)\n    ¦\n  endcase\nendmodule', "1'b0: y = 1;\n    default: y = 0;\n  endcase\nendmodule", "1'b0: y = 1;\n    default: y = 0;"],
    ['a bracket that is closed already', 'module m(input a, output y);\n  assign y = (a & ¦);\nendmodule', '~a) | a;', '~a'],
    ['empty lines before and blanks behind', empty, '\n\n  assign y = a;  \n\n', '  assign y = a;'],
    ['the next line', 'module m(input a, output y, z);\n  assign y = a;¦\nendmodule', '\n  assign z = ~a;\n', '\n  assign z = ~a;'],
    ['nothing but closers that are there', body, 'end\nendmodule', ''],
  ];
  for (const [what, marked, reply, expected] of golden) it(what, () => check(marked, reply, expected));
});

describe('the pace', () => {
  it('follows how a person types, between its limits', () => {
    const pace = new TypingPace();
    let now = 0;
    const type = (keys: number, everyMs: number): number => {
      for (let key = 0; key < keys; key += 1) pace.press((now += everyMs));
      return pace.pauseMs;
    };
    assert.equal(type(30, 20), pauseLimits.shortest);
    const usual = type(30, 200);
    assert.ok(usual > 250 && usual < 400, String(usual));
    assert.equal(type(30, 900), pauseLimits.longest);
    assert.equal(type(1, 60_000), pauseLimits.longest, 'a long pause is no typing');
  });
});

describe('the cache', () => {
  const place = (marked: string): { file: string; text: string; offset: number } => ({ file: 'm.v', ...at(marked) });

  it('answers along what it suggested, and nowhere else', () => {
    const cache = new CompletionCache();
    cache.put(place('module m;\n  assign ¦\nendmodule'), 'y = a & b;');
    const found: readonly [string, string | undefined][] = [
      ['module m;\n  assign ¦\nendmodule', 'y = a & b;'],
      ['module m;\n  assign y = a¦\nendmodule', ' & b;'],
      ['module m;\n  assign z¦\nendmodule', undefined],
      ['module m;\n  assign y = a & b;¦\nendmodule', undefined],
      ['module n;\n  assign ¦\nendmodule', undefined],
      ['module m;\n  assign ¦\n  wire w;\nendmodule', undefined],
    ];
    for (const [marked, rest] of found) assert.equal(cache.find(place(marked)), rest, marked);
    assert.equal(cache.find({ ...place('module m;\n  assign ¦\nendmodule'), file: 'n.v' }), undefined);
  });

  it('follows into brackets that the editor closes', () => {
    const cache = new CompletionCache();
    cache.put(place('module m;\n  sub u ¦\nendmodule'), '(.a(a));');
    assert.equal(cache.find(place('module m;\n  sub u (¦)\nendmodule')), '.a(a));');
  });

  it('forgets the oldest', () => {
    const cache = new CompletionCache(2);
    for (const name of ['a', 'b', 'c']) cache.put({ file: name, text: 'x', offset: 1 }, name);
    assert.deepEqual(['a', 'b', 'c'].map((file) => cache.find({ file, text: 'x', offset: 1 })), [undefined, 'b', 'c']);
    assert.equal(cache.size, 2);
  });
});

describe('completing', () => {
  let core: Core;
  before(async () => {
    core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
  });

  /** A model that says the pieces in turn, and notes what it was asked and whether it was stopped. */
  class Model implements InfillClient {
    readonly prompts: string[] = [];
    stopped = 0;
    pieces: readonly string[];
    /** Waits for its signal after the pieces. */
    hangs = false;

    constructor(...pieces: readonly string[]) {
      this.pieces = pieces;
    }

    infill: InfillClient['infill'] = async ({ prefix }, { signal, onText } = {}) => {
      this.prompts.push(prefix);
      let text = '';
      for (const piece of this.pieces) {
        text += piece;
        onText?.(piece);
        await sleep(0);
      }
      while (this.hangs && signal?.aborted !== true) await sleep(1);
      if (signal?.aborted !== true) return { kind: 'infilled', text, cutOff: false, ms: 0 };
      this.stopped += 1;
      return { kind: 'cancelled', message: '', partial: text };
    };
  }

  const env = (model: Model): CompletionEnv => ({
    client: () => Promise.resolve({ client: model, maxTokens: 128 }),
    context: () => [],
    errorsIn: (text, deadlineMs) => {
      const parsed = core.parse({ file: '/m.v', text, context: { includeDirs: [], defines: {} }, deadlineMs });
      parsed?.delete();
      return parsed?.problems.length;
    },
  });

  const complete = (completer: Completer, model: Model, marked: string, explicit = true): Promise<CompletionOutcome> => completer.complete({ file: 'm.v', ...at(marked), explicit }, env(model));
  const suggested = (outcome: CompletionOutcome): string | undefined => (outcome.kind === 'suggestion' ? outcome.text : undefined);

  it('offers what the model says, and answers from the cache along it', async () => {
    const [completer, model] = [new Completer(), new Model('assign y ', '= a & b;')];
    assert.deepEqual(await complete(completer, model, empty), { kind: 'suggestion', text: 'assign y = a & b;', cached: false });
    assert.deepEqual(await complete(completer, model, empty.replace('¦', 'assign y¦')), { kind: 'suggestion', text: ' = a & b;', cached: true });
    assert.equal(model.prompts.length, 1);
    completer.reset();
    await complete(completer, model, empty);
    assert.equal(model.prompts.length, 2);
  });

  it('never breaks a text that parses: the longest part that does not is offered', async () => {
    assert.equal(suggested(await complete(new Completer(), new Model('assign y = a;\n  assign z = '), empty)), 'assign y = a;');
    assert.equal((await complete(new Completer(), new Model('assign y = (a;'), empty)).kind, 'nothing');
    assert.equal((await complete(new Completer(), new Model('always @* begin'), empty)).kind, 'nothing');
  });

  it('adds no mistake to a text that has one', async () => {
    assert.equal(suggested(await complete(new Completer(), new Model('a'), 'module m(input a, output y);\n  assign y = ¦\nendmodule\n')), 'a');
    assert.equal(suggested(await complete(new Completer(), new Model('a;'), 'module m(input a, output y);\n  assign y = ¦\nendmodule\n')), 'a;');
  });

  it('offers nothing when the check takes too long', async () => {
    const outcome = await new Completer().complete({ file: 'm.v', ...at(empty), explicit: true }, { ...env(new Model('assign y = a;')), errorsIn: () => undefined });
    assert.equal(outcome.kind, 'nothing');
  });

  it('stops the model once the rest would be cut off', async () => {
    const model = new Model('y <= a;\n', '  end\n', 'endmodule\n', 'module n;\n');
    model.hangs = true;
    assert.equal(suggested(await complete(new Completer(), model, body)), 'y <= a;');
    assert.equal(model.stopped, 1);
  });

  it('asks once for a burst of keys, and the newest question ends the older one', async () => {
    const [completer, model] = [new Completer(), new Model('y = a;')];
    const line = 'module m(input a, output y);\n  ¦\nendmodule\n';
    const burst = ['a¦', 'as¦', 'ass¦'].map((typed) => complete(completer, model, line.replace('¦', typed), false));
    assert.deepEqual((await Promise.all(burst)).map(({ kind }) => kind).slice(0, 2), ['superseded', 'superseded']);
    assert.deepEqual(model.prompts, ['module m(input a, output y);\n  ass']);

    model.hangs = true;
    const older = complete(completer, model, line.replace('¦', 'assign¦'));
    while (model.prompts.length < 2) await sleep(1);
    model.hangs = false;
    const newer = complete(completer, model, line.replace('¦', 'assign ¦'));
    assert.equal((await older).kind, 'superseded');
    assert.equal(suggested(await newer), 'y = a;');
    assert.equal(model.stopped, 1);
  });

  it('ends with the wish of the editor, and leaves nothing running', async () => {
    const model = new Model();
    model.hangs = true;
    const gone = new AbortController();
    const outcome = new Completer().complete({ file: 'm.v', ...at(empty), explicit: true, signal: gone.signal }, env(model));
    while (model.prompts.length < 1) await sleep(1);
    gone.abort();
    assert.equal((await outcome).kind, 'superseded');
    assert.equal(model.stopped, 1);
  });

  it('is silent without a model and where no completion belongs', async () => {
    const model = new Model('x');
    assert.equal((await new Completer().complete({ file: 'm.v', ...at(empty), explicit: true }, { ...env(model), client: () => Promise.resolve(undefined) })).kind, 'nothing');
    assert.equal((await complete(new Completer(), model, '// a comment ¦\n')).kind, 'nothing');
    assert.deepEqual(model.prompts, []);
  });
});
