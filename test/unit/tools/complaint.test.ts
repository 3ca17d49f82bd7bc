import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaintOf, type Complaint } from '../../../server/src/tools/complaint.ts';

test('what a compiler means is told from its words', () => {
  const expected: Readonly<Record<string, Complaint>> = {
    'syntax error': 'syntax',
    'syntax error, unexpected end': 'syntax',
    'Invalid module item.': 'syntax',
    'Malformed statement': 'syntax',
    "Unable to bind wire/reg/memory `x' in `m'": 'missing-name',
    'Unknown module type: sub': 'missing-name',
    'q is not a valid l-value in m.': 'missing-name',
    'always process does not have any delay. A runtime infinite loop will occur.': 'never-waits',
    'Loop unrolling took too long; probably this is an infinite loop': 'mistake',
    'You can not instantiate module m within itself.': 'mistake',
  };
  for (const [message, complaint] of Object.entries(expected)) assert.equal(complaintOf(message), complaint, message);
});
