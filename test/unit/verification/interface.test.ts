import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchInterfaces } from '../../../server/src/verification/interface.ts';
import { design } from './designs.ts';

function check(golden: string, dut: string, expected: 'matched' | { kind: string; port: string; message: RegExp }[]): void {
  const result = matchInterfaces(design(`module gold(${golden});\nendmodule`).module, design(`module mine(${dut});\nendmodule`).module);
  if (expected === 'matched') {
    assert.equal(result.kind, 'matched');
    return;
  }
  assert.ok(result.kind === 'mismatch');
  assert.deepEqual(
    result.issues.map(({ kind, port }) => ({ kind, port })),
    expected.map(({ kind, port }) => ({ kind, port })),
  );
  expected.forEach(({ message }, index) => assert.match(result.issues[index]?.message ?? '', message));
}

test('order does not matter', () => {
  check('input a, input [3:0] b, output y', 'output y, input [3:0] b, input a', 'matched');
});

test('each difference is named with both sides', () => {
  check('input a, output [7:0] y', 'input [1:0] a, output [3:0] y', [
    { kind: 'width', port: 'a', message: /'a' has 2 bits in 'mine' and 1 bit in 'gold'/ },
    { kind: 'width', port: 'y', message: /4 bits in 'mine' and 8 bits in 'gold'/ },
  ]);
  check('input a, output y', 'output a, output y', [{ kind: 'direction', port: 'a', message: /'a' is an output in 'mine' and an input in 'gold'/ }]);
  check('input a, output y', 'input a, output y, output z', [{ kind: 'extra-in-dut', port: 'z', message: /'gold' does not have/ }]);
});

test('another spelling is proposed, not assumed', () => {
  check('input clk, output y', 'input Clk, output y', [
    { kind: 'missing-in-dut', port: 'clk', message: /\(its port 'Clk' may be meant\)/ },
    { kind: 'extra-in-dut', port: 'Clk', message: /./ },
  ]);
  check('input rst_n, output y', 'input resetn, output y', [
    { kind: 'missing-in-dut', port: 'rst_n', message: /'resetn' may be meant/ },
    { kind: 'extra-in-dut', port: 'resetn', message: /./ },
  ]);
  check('input rst_n, output y', 'input rst, output y', [
    { kind: 'missing-in-dut', port: 'rst_n', message: /'mine' has no input port 'rst_n'\.$/ },
    { kind: 'extra-in-dut', port: 'rst', message: /./ },
  ]);
});

test('sides whose modules have the same name are told apart', () => {
  const named = (ports: string) => design(`module same(${ports});\nendmodule`).module;
  const result = matchInterfaces(named('input a, input b, output y'), named('input [1:0] a, output y, output z'));
  assert.ok(result.kind === 'mismatch');
  assert.deepEqual(result.issues.map(({ message }) => message), [
    "'a' has 2 bits in the DUT and 1 bit in the reference.",
    "The DUT has no input port 'b'.",
    "The DUT has the output port 'z', which the reference does not have.",
  ]);
});
