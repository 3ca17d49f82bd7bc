import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryAccess, missedMemory } from '../../../../server/src/verification/proof/memories.ts';

test('arrays with an index that is no number are looked at, and those of several dimensions', () => {
  const sources: Readonly<Record<string, ReturnType<typeof memoryAccess>>> = {
    'reg [7:0] t [0:3]; assign y = t[a];': 'variable',
    'T t[4]; assign y = t[a[1:0]];': 'variable',
    'typedef logic [7:0] T [0:3]; T u, t; assign y = t[a];': 'variable',
    'logic t [0:1][0:1]; assign y = t[a ? 1 : 0][0];': 'several',
    'logic t [2][2]; assign y = t[1][0];': 'several',
    'reg [7:0] u, t [0:N-1]; assign y = t[2];': 'plain',
    'wire [7:0] t; assign y = t[a];': 'plain',
  };
  for (const [source, expected] of Object.entries(sources)) assert.equal(memoryAccess(source), expected, source);
});

test('an address misses a memory that is smaller than what it can say', () => {
  const module = (access: string): string => `module \\m\n  wire width 4 input 1 \\a\n  wire width 2 $w\n  wire width 2 signed \\s\n  memory width 8 size 4 \\t\n${access}\nend\n`;
  const read = (address: string): string => `  cell $memrd $memrd$t\n    parameter \\MEMID "\\\\t"\n    connect \\ADDR ${address}\n  end`;
  const write = (address: string): string => `      memwr \\t ${address} \\d 8'11111111 0'x`;
  for (const access of [read, write]) {
    for (const address of ['\\a', '\\s', "{ 1'1 $w }", '\\a [3:1]', "3'100", '5', '$unheard']) assert.equal(missedMemory(module(access(address))), 't', address);
    for (const address of ['$w', '\\a [2:1]', "{ 2'00 $w }", "{ 1'0 \\a [3] \\a [0] }", "3'011", '0']) assert.equal(missedMemory(module(access(address))), undefined, address);
  }
});
