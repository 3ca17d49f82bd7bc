import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runRules } from '../../../../server/src/analysis/rules/engine.ts';
import { RuleMemory } from '../../../../server/src/analysis/rules/memory.ts';
import { rules } from '../../../../server/src/analysis/rules/table.ts';
import { randomEdit, randomFrom } from '../../syntax/mistakes.ts';
import { viewOf } from './harness.ts';

/** Counts the units that were not looked at again. */
class Counted extends RuleMemory {
  recalled = 0;

  override recall(...asked: Parameters<RuleMemory['recall']>): ReturnType<RuleMemory['recall']> {
    const recollection = super.recall(...asked);
    this.recalled = recollection.told.filter((told) => told !== undefined).length;
    return recollection;
  }
}

/** Every rule. */
const levels = Object.fromEntries(rules.map(({ id, level }) => [id, level === 'off' ? ('hint' as const) : level]));

async function agree(text: string, memory: RuleMemory): Promise<void> {
  assert.deepEqual(await runRules(viewOf(text), { levels, memory }), await runRules(viewOf(text), { levels }), text);
}

const leaf = 'module leaf #(parameter W = 4) (input [W-1:0] d, output [W-1:0] q);\n  wire [W-1:0] kept;\n  assign q = ~d;\nendmodule\n';
const other = 'module other(input a, output y);\n  wire left_over;\n  assign y = a;\nendmodule\n';
const top = 'module top(input [3:0] x, output [3:0] z);\n  leaf u (.d(x), .q(z));\nendmodule\n';
const whole = leaf + other + top;

describe('what was told of the units of a file', () => {
  /** Units that keep what was told of them after an edit. */
  const edits: readonly (readonly [what: string, from: string, to: string, kept: number])[] = [
    ['stays after an edit inside of a module', 'assign q = ~d;', 'assign q = d + 1;', 2],
    ['stays after an edit that moves what is behind it', 'assign q = ~d;', '// more\n  assign q = ~d;', 2],
    ['stays where nothing changes', '', '', 3],
    ['is worked out anew when a port changes', 'output [W-1:0] q', 'output [W:0] q', 0],
    ['is worked out anew when a parameter changes', 'W = 4', 'W = 5', 0],
    ['is worked out anew when something is declared', 'wire [W-1:0] kept;', 'wire [W-1:0] kept, more;', 0],
    ['is worked out anew when another module uses a name of it', '.q(z));', '.q(z));\n  wire w = u.kept;', 0],
    ['is worked out anew when it lets go of what it drives', 'assign q = ~d;', "assign q = d ? d : 4'bz;", 0],
    ['is worked out anew when a module is added', 'module other', 'module more; endmodule\nmodule other', 0],
    ['is worked out anew when a directive changes what names are', 'assign q = ~d;', '\n`default_nettype none\n  assign q = ~d;', 0],
  ];
  for (const [what, from, to, kept] of edits) {
    test(what, async () => {
      const memory = new Counted();
      await agree(whole, memory);
      while (memory.learn());
      await agree(whole.replace(from, to), memory);
      assert.equal(memory.recalled, kept);
    });
  }

  test('is no longer told of a unit that has an error', async () => {
    const memory = new Counted();
    await agree(whole, memory);
    while (memory.learn());
    await agree(whole.replace('wire left_over;', 'wire left_over wire;'), memory);
  });

  test('is the same for other levels only when they are', async () => {
    const memory = new Counted();
    await agree(whole, memory);
    assert.deepEqual(await runRules(viewOf(whole), { memory }), await runRules(viewOf(whole)));
  });

  test('is forgotten when something else has changed', async () => {
    const memory = new Counted();
    await agree(whole, memory);
    memory.forget();
    await agree(whole, memory);
    assert.equal(memory.recalled, 0);
  });
});

test('after random edits the findings are those of a run from scratch', async () => {
  const folder = join(import.meta.dirname, '../../../fixtures/clean');
  const fixtures = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const lines = ['  assign unheard = of;', '  wire added;', '  // a comment', '  always @(posedge clk) q <= d;', '', '  leaf u9 (.d(0));', '`default_nettype none', '  parameter P = 3;'];
  const random = randomFrom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let kept = 0;
  for (let file = 0; file < 8; file++) {
    const original = [pick(fixtures), whole, pick(fixtures)].join('\n');
    const memory = new Counted();
    let text = original;
    for (let count = 0; count < 12; count++) {
      if (random() < 0.3) text = randomEdit(text, original, random);
      else {
        const at = text.indexOf('\n', Math.floor(random() * text.length)) + 1;
        text = `${text.slice(0, at)}${pick(lines)}\n${text.slice(at)}`;
      }
      if (random() < 0.2) text = original;
      await agree(text, memory);
      while (memory.learn());
      kept += memory.recalled;
    }
  }
  assert.ok(kept > 50, `only ${kept} units were recalled`);
});
