import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftDimension } from '../../../../server/src/verification/proof/packed.ts';

test('an index that varies inside of a packed array or a structure may leave its dimension', () => {
  const sources: Readonly<Record<string, string | undefined>> = {
    'logic [1:0][4:0] p; assign y = p[e][d];': 'p',
    'logic [1:0][4:0] q, p; always_comb p[0][d +: 2] = 0;': 'p',
    'typedef logic [4:0] row; row [1:0] p; assign y = p[0][d];': 'p',
    'typedef logic [1:0][4:0] grid; grid p; assign y = p[0][d];': 'p',
    'typedef struct packed { logic a; logic [2:0] x; } s; s t; assign y = t.x[d];': 'x',
    'logic [1:0][4:0] p; assign y = p[e];': undefined,
    'logic [1:0][4:0] p; localparam N = 3; assign y = p[e][N] ^ p[e][2] ^ p[0][4:1];': undefined,
    'logic [1:0][4:0] p; always_comb for (int i = 0; i < 5; i++) p[e][i] = d[i];': undefined,
    'logic [1:0][4:0] p; genvar i; for (i = 0; i < 5; i++) assign p[0][i] = d[i];': undefined,
    'typedef struct packed { logic a; logic [2:0] x; } s; s t; assign y = t.x[2] ^ x[d];': undefined,
    'reg [7:0] m [0:3]; assign y = m[a][d];': undefined,
    'wire [7:0] v; assign y = {v[a], v[b]};': undefined,
  };
  for (const [source, expected] of Object.entries(sources)) assert.equal(leftDimension(source), expected, source);
});
