import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConstantNets } from '../../../server/src/tools/vvp-constants.ts';

/** As version 11 writes it, without what does not matter here. */
const compiled = `
S_0x1 .scope module, "top" "top" 3 2;
 .timescale 0 0;
L_0x10 .functor BUFT 1, C4<01011010>, C4<0>, C4<0>, C4<0>;
L_0x11 .functor BUFZ 8, L_0x12, C4<00000000>, C4<00000000>, C4<00000000>;
L_0x12 .functor BUFZ 8, L_0x10, C4<00000000>, C4<00000000>, C4<00000000>;
v0x20_0 .net "k", 7 0, L_0x10;  1 drivers
v0x21_0 .net/s "y", 7 0, L_0x11;  1 drivers
v0x22_0 .net "part", 1 0, L_0x15;  1 drivers
v0x23_0 .var "q", 3 0;
o0x30 .functor BUFZ 4, C4<zzzz>; HiZ drive
v0x24_0 .net "a", 3 0, o0x30;  0 drivers
L_0x15 .concat8 [ 1 1 0 0], L_0x10, L_0x16;
L_0x16 .part o0x30, 0, 1;
L_0x17 .functor AND 1, L_0x10, L_0x16, C4<1>, C4<1>;
v0x25_0 .net "anded", 0 0, L_0x17;  1 drivers
S_0x2 .scope module, "u" "sub" 3 3, 3 1 0, S_0x1;
L_0x18 .functor BUFT 1, C4<00010010>, C4<0>, C4<0>, C4<0>;
v0x26_0 .net "i", 7 0, L_0x18;  1 drivers
`;

test('nets that only a constant drives, also through copies and into instances', () => {
  assert.deepEqual([...readConstantNets(compiled)].sort(), ['top.k', 'top.u.i', 'top.y']);
});
