import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item, Statement } from '../../../server/src/analysis/items.ts';
import { summarize } from '../../../server/src/analysis/summary.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';
import { preprocess } from '../../../server/src/syntax/preprocess.ts';

const parser = await Parser.create();

function itemsOf(text: string): readonly Item[] {
  const source = preprocess('/m.sv', text, { readFile: () => undefined });
  using tree = parser.parse(source.text);
  assert(tree);
  return summarize('/m.sv', source.text, tree, source.map).modules[0]?.items ?? [];
}

/** A statement with braces around each branch; assignments as their target. */
function shape(statement: Statement | undefined): string {
  switch (statement?.kind) {
    case 'if': {
      const otherwise = statement.whenFalse ? ` else {${shape(statement.whenFalse)}}` : '';
      return `if ${statement.condition.kind === 'name' ? statement.condition.name : '?'} {${shape(statement.whenTrue)}}${otherwise}`;
    }
    case 'assign':
      return statement.target.kind === 'name' ? statement.target.name : '?';
    case 'block':
      return statement.statements.map(shape).join('; ');
    case 'loop':
      return `loop {${shape(statement.body)}}`;
    case 'event':
      return shape(statement.body);
    default:
      return statement?.kind ?? '';
  }
}

function check(body: string, expected: string): void {
  const always = itemsOf(`module m; always @* ${body} endmodule`).find((item) => item.kind === 'always');
  assert.equal(shape(always?.kind === 'always' ? always.body : undefined), expected);
}

test('an else belongs to the last if without one', () => {
  check('if (a) if (b) x = 1; else y = 1;', 'if a {if b {x} else {y}}');
  check('if (a) begin if (b) x = 1; end else y = 1;', 'if a {if b {x}} else {y}');
  check('if (a) x = 1; else if (b) y = 1; else z = 1;', 'if a {x} else {if b {y} else {z}}');
  check('if (a) if (b) x = 1; else y = 1; else z = 1;', 'if a {if b {x} else {y}} else {z}');
  check('if (a) if (b) if (c) x = 1; else y = 1; else if (d) z = 1; else w = 1;', 'if a {if b {if c {x} else {y}} else {if d {z} else {w}}}');
  check('if (a) for (i = 0; i < 2; i = i + 1) if (b) x = 1; else y = 1;', 'if a {loop {if b {x} else {y}}}');
  check('if (a) x = 1; else if (b) if (c) y = 1; else z = 1;', 'if a {x} else {if b {if c {y} else {z}}}');
});

test('an else of a generate block belongs to the last if without one', () => {
  const names = (items: readonly Item[]): string =>
    items
      .map((item) => {
        if (item.kind === 'generate-if') return `if {${names(item.whenTrue)}}${item.whenFalse.length > 0 ? ` else {${names(item.whenFalse)}}` : ''}`;
        if (item.kind === 'generate-block') return names(item.items);
        return item.kind === 'variable' ? item.name : '';
      })
      .filter(Boolean)
      .join(' ');
  assert.equal(names(itemsOf('module m; if (A) if (B) wire x; else wire y; endmodule')), 'if {if {x} else {y}}');
  assert.equal(names(itemsOf('module m; if (A) begin if (B) wire x; end else wire y; endmodule')), 'if {if {x}} else {y}');
});
