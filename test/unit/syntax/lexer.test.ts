import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lex } from '../../../server/src/syntax/lexer.ts';
import { tokenize } from '../../../server/src/syntax/tokens.ts';

/** Tokens as `kind text`, with what stands between them left out. */
function told(text: string): string[] {
  const { kinds, starts, ends } = lex(text);
  return kinds.map((kind, index) => `${kind} ${text.slice(starts[index], ends[index])}`);
}

const cases: Readonly<Record<string, readonly [text: string, tokens: readonly string[]]>> = {
  'words, reserved and not': ['assign \\a+b y$1 = $bits(`W$x);', ['keyword assign', 'identifier \\a+b', 'identifier y$1', 'operator =', 'system $bits', 'operator (', 'macro `W$x', 'operator )', 'operator ;']],
  'numbers of every base': ["8'hFF 4 'sb1 'd 9 '0 1.5e-3 10ns 1step 12'bxz_?", ["number 8'hFF", "number 4 'sb1", "number 'd 9", "number '0", 'number 1.5e-3', 'number 10ns', 'number 1step', "number 12'bxz_?"]],
  'a digit that its base does not have': ["4'b12 + 1", ["number 4'b12", 'operator +', 'number 1']],
  'a question mark behind a number': ["1'b1?a:b", ["number 1'b1", 'operator ?', 'identifier a', 'operator :', 'identifier b']],
  'a question mark in a number': ["4'b1??0:", ["number 4'b1??0", 'operator :']],
  'a cast and a pattern': ["8'(a) '{0, 1}", ['number 8', "operator '(", 'identifier a', 'operator )', "operator '{", 'number 0', 'operator ,', 'number 1', 'operator }']],
  'a string without an end, which its line ends': ['"open\nwire w;', ['string "open', 'keyword wire', 'identifier w', 'operator ;']],
  'a string over lines': ['"""a\n"b"""+"c\\\nd"', ['string """a\n"b"""', 'operator +', 'string "c\\\nd"']],
  'comments and attributes': ['a /* ; */ (* keep, x = "1" *) b // c\n/* open', ['identifier a', 'identifier b']],
  'an event of everything, and an attribute without an end': ['@(*) (* a', ['operator @', 'operator (', 'operator *', 'operator )', 'operator (', 'operator *', 'identifier a']],
  'a comment behind a colon': ['a :/ b ://\nc', ['identifier a', 'operator :/', 'identifier b', 'operator :', 'identifier c']],
  'the longest operators': ['a<<<=b|->c<->d->>e', ['identifier a', 'operator <<<=', 'identifier b', 'operator |->', 'identifier c', 'operator <->', 'identifier d', 'operator ->>', 'identifier e']],
  'signs that no text should hold': ['a \\ 😀 \u00a0\u2028b', ['identifier a', 'operator \\', 'operator 😀', 'identifier b']],
};

for (const [name, [text, tokens]] of Object.entries(cases)) {
  test(`tokens: ${name}`, () => {
    assert.deepEqual(told(text), tokens);
    assert.deepEqual(tokenize(text, 5).map(({ span }) => text.slice(span.start - 5, span.end - 5)), tokens.map((token) => token.slice(token.indexOf(' ') + 1)));
  });
}

test('tokens: an escaped identifier loses its backslash', () => {
  assert.deepEqual(tokenize('\\if ;').map(({ kind, text }) => `${kind} ${text}`), ['identifier if', 'operator ;']);
});
