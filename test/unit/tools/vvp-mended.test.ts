import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mended } from '../../../server/src/tools/vvp-mended.ts';

/** As version 11 writes it, without what does not matter here. */
const compiled = `
S_0x1 .scope module, "u" "m" 3 7, 3 1 0, S_0x9;
v0x20_1 .array/port v0x20, 1;
L_0x30 .functor BUFZ 4, v0x20_1, C4<0000>, C4<0000>, C4<0000>;
L_0x31 .array/port v0x20, L_0x32;
v0x20 .array "d", 1 0, 3 0;
v0x21_0 .net "y", 3 0, L_0x30;  1 drivers
L_0x33 .array/port v0x20, L_0x34;
S_0x2 .scope autofunction.vec4.s4, "f" "f" 3 3, 3 3 0, S_0x1;
    %fork t_1, S_0x3;
    .scope S_0x3;
t_1 ;
    %end;
S_0x3 .scope autobegin, "k" "k" 3 3, 3 3 0, S_0x2;
`;

test('what reads a word of an array all the time is connected when the array is known', () => {
  const [first, second] = ['v0x20_1 .array/port v0x20, 1;\n', 'L_0x31 .array/port v0x20, L_0x32;\n'];
  const array = 'v0x20 .array "d", 1 0, 3 0;\n';
  assert.equal(mended(compiled), compiled.replace(first, '').replace(second, '').replace(array, `${array}${first}${second}`));
  const plain = compiled.replace('autobegin', 'begin');
  assert.equal(mended(plain), plain);
});

test('an operator assignment keeps the flag of its own index', () => {
  const [kept, index] = ['    %flag_mov 8, 4;\n', '    %dup/vec4;\n    %ix/vec4 4;\n'];
  const text = (first: string, second: string): string => `    %load/vec4 v0x20_0;\n${first}${second}    %part/u 3;\n    %pushi/vec4 1, 0, 3;\n    %add;\n    %flag_mov 4, 8;\n    %store/vec4 v0x21_0, 4, 3;\n`;
  for (const given of [text(kept, index), text(index, kept)]) assert.equal(mended(given), text(index, kept));
});
