import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { FileSummary } from '../../../server/src/analysis/items.ts';
import { ParsedText } from '../../../server/src/analysis/parsed-text.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';
import { preprocess } from '../../../server/src/syntax/preprocess.ts';
import { randomEdit, randomFrom } from '../syntax/mistakes.ts';

const parser = await Parser.create();

function parsedText(text: string, previous?: ParsedText): ParsedText {
  return new ParsedText(parser, { file: '/m.sv', text, source: preprocess('/m.sv', text), previous, deadlineMs: undefined });
}

function checked(text: string, previous?: ParsedText): ParsedText {
  const parsed = parsedText(text, previous);
  assert.ok(parsed.check());
  return parsed;
}

/** What is worked out on demand is in it. */
function plain(summary: FileSummary): string {
  return JSON.stringify(summary, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

describe('what a text declares', () => {
  test('is the same read as a whole, in pieces, and with the pieces of an earlier version', () => {
    const folder = join(import.meta.dirname, '../../fixtures/clean');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const random = randomFrom(5);
    for (let at = 0; at < texts.length; at += 9) {
      const original = texts.slice(at, at + 3).join('\n');
      let text = original;
      let before: ParsedText | undefined;
      for (let count = 0; count < 8; count++) {
        const after = checked(text, before);
        const scratch = plain(checked(text).summary);
        assert.equal(plain(after.summary), scratch, text);
        assert.equal(plain(parsedText(text).summary), scratch, text);
        before = after;
        text = randomEdit(text, original, random);
      }
    }
  });

  test('is known of the modules in front of an error and behind it', () => {
    const { modules } = checked('module a(input x); endmodule\nmodule b(input y);\n  assign = ;\nendmodule\nmodule c(output z); endmodule\n').summary;
    assert.deepEqual(
      modules.map(({ name, hasError, headerPorts }) => [name, hasError, headerPorts.map((port) => port.name)]),
      [['a', false, ['x']], ['b', true, ['y']], ['c', false, ['z']]],
    );
  });

  test('is placed where it stands now', () => {
    const text = 'module a;\n  wire w;\nendmodule\nmodule b;\n  wire v;\nendmodule\n';
    const before = checked(text);
    assert.equal(before.summary.modules.length, 2);
    const [item] = checked(text.replace('w;', 'much_longer;'), before).summary.modules[1]?.items ?? [];
    assert.ok(item?.kind === 'variable' && item.name === 'v');
    assert.deepEqual(item.location, { file: '/m.sv', span: { start: 57, end: 58 } });
  });
});
