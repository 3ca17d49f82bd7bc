import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Notes } from '../../../../server/src/verification/two-state/notes.ts';

const notes = new Notes();
const calls = (text: string): string => notes.asCalls(text).replaceAll('rtl_copilot_notes::', '');

test('marks and notes become calls in code alone', () => {
  assert.equal(calls(`begin ${notes.mark(3)} y <= 1; end`), 'begin $c("mark(3);"); y <= 1; end');
  assert.equal(calls(`begin ${notes.note(2, 'a + b', '{c, 1\'b0}')} end`), `begin $c("note(2, ", ( a + b ), ", ", ( {c, 1'b0} ), ");"); end`);
  for (const kept of [`$display("${notes.mark(1)}");`, `\\q${notes.mark(1)} <= 1;`]) assert.equal(calls(kept), kept);
});

test('no text of a design becomes text of another language', () => {
  assert.equal(calls(`begin ${notes.note(0, 'name', '"abort()"')} end`), 'begin ; end');
  assert.equal(calls(`begin ${notes.note(0, 'name', '{"abort()"}')} end`), 'begin ; end');
  assert.equal(calls(`begin ${notes.note(0, 'name', '\\a" ')} end`), 'begin ; end');
  assert.notEqual(new Notes().mark(0), new Notes().mark(0));
});

test('a range of values is no expression whose value could be noted', () => {
  assert.equal(calls(`begin ${notes.note(0, 'a', '[1:3]')} end`), 'begin ; end');
});
