import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Parser } from '../../../server/src/syntax/parser.ts';
import type { Node, SyntaxTree } from '../../../server/src/syntax/parser.ts';

const parser = await Parser.create();

function parse(text: string, previous?: SyntaxTree): SyntaxTree {
  const tree = parser.parse(text, { previous });
  assert(tree);
  return tree;
}

function outline(node: Node): string {
  const own = `${node.type}${node.isMissing ? '!' : ''}@${node.startIndex}-${node.endIndex}`;
  return node.childCount === 0 ? own : `${own}(${node.children.map(outline).join(' ')})`;
}

test('a module parses without error, a broken one with', () => {
  using good = parse('module m(input a, output y); assign y = ~a; endmodule\n');
  assert.equal(good.hasError, false);
  using bad = parse('module m(input a, output y); assign y = ; endmodule\n');
  assert.equal(bad.hasError, true);
});

test('offsets are UTF-16 code units', () => {
  const text = '// ü 😀\nmodule m; endmodule\n';
  using tree = parse(text);
  const module = tree.rootNode.children.find((child) => child.type === 'module_declaration');
  assert.equal(module?.startIndex, text.indexOf('module'));
});

test('a deadline that has passed gives no tree, and the parser still works', () => {
  const long = `module m;\n${'  wire [3:0] a = b + c * d;\n'.repeat(20_000)}endmodule\n`;
  assert.equal(parser.parse(long, { deadlineMs: 0 }), undefined);
  using tree = parse('module n; endmodule\n');
  assert.equal(tree.hasError, false);
});

test('a deleted tree refuses to be used, and may be deleted twice', () => {
  const tree = parse('module m; endmodule\n');
  tree.delete();
  tree.delete();
  assert.throws(() => tree.rootNode, /deleted/);
});

const PIECES = ['wire a;\n', 'assign a = b;\n', 'always @(posedge clk) q <= d;\n', 'reg [3:0] x;\n', '// note\n', 'sub u(.a(a));\n', 'if (W) begin : g wire z; end\n'];

test('law: parsing again after an edit gives the tree of a parse from scratch', () => {
  const items = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 });
  fc.assert(
    fc.property(items, items, fc.nat(), fc.nat(), (body, inserted, from, removed) => {
      const start = from % (body.length + 1);
      const edited = [...body.slice(0, start), ...inserted, ...body.slice(start + (removed % 4))];
      const [before, after] = [body, edited].map((list) => `module m;\n${list.join('')}endmodule\n`);
      using first = parse(before ?? '');
      using again = parse(after ?? '', first);
      using fresh = parse(after ?? '');
      assert.equal(fresh.hasError, false);
      assert.equal(outline(again.rootNode), outline(fresh.rootNode));
    }),
    { numRuns: 60 },
  );
});

test('law: after any edit the tree covers the text and says the same about errors as a fresh parse of valid text', () => {
  const base = `module m(input a);\n${PIECES.join('')}endmodule\n`;
  fc.assert(
    fc.property(fc.nat(base.length), fc.nat(10), fc.string({ maxLength: 6 }), (start, removed, inserted) => {
      const broken = base.slice(0, start) + inserted + base.slice(start + removed);
      using first = parse(base);
      using second = parse(broken, first);
      using restored = parse(base, second);
      assert(second.rootNode.endIndex <= broken.length);
      assert.equal(outline(restored.rootNode), outline(first.rootNode));
    }),
    { numRuns: 60 },
  );
});
