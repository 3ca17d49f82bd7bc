import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCounts, withoutOwnLines } from '../../../server/src/tools/vvp-counts.ts';

const head = `Compiling VVP ...
 ... VVP file version 11.0 (stable)
Compile cleanup...
 ...        5 functors (net_fun pool=524288 bytes)
                  0 logic
 ... 0.002936 seconds, 15720.0/7548.0/5260.0 KBytes size/rss/shared
Running ...
 ...execute EndOfCompile callbacks
 ...propagate initialization events
 ...execute StartOfSim callbacks
`;
const tail = ` ...execute Postsim callbacks
 ... 0.031815 seconds, 15720.0/7664.0/5376.0 KBytes size/rss/shared
Event counts:
        2002 time steps (pool=113)
        3005 thread schedule events
        1004 assign events
             ...assign(vec4) pool=9362
             ...assign(vec8) pool=204
           7 other events (pool=4096)
`;

test('what a design prints is kept apart from what vvp tells of itself', () => {
  const printed = 'hi\n ...execute Postsim callbacks\nno end';
  assert.deepEqual(readCounts(`${head} ...run scheduler\n${printed}${tail}`), { printed, events: 6018 });
  assert.deepEqual(readCounts(`${head} ...run scheduler\n`), { printed: '', events: undefined });
  assert.deepEqual(readCounts(`${head} ...run scheduler\nhi\n`), { printed: 'hi\n', events: undefined }, 'it was ended');
  assert.deepEqual(readCounts(`${head}a.vvp: no such function\n`), { printed: 'a.vvp: no such function\n', events: undefined });
  assert.equal(withoutOwnLines(' ... Linking\n ... Compiletf functions\nout of memory\n'), 'out of memory\n');
});
