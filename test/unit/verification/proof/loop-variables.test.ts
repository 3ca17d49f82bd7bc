import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSharedLoopVariables } from '../../../../server/src/verification/proof/loop-variables.ts';

/** What the items of a module with the variable `i` become; `expanded`: with macros expanded, the same unless given. */
function check(items: string, expected: string, expanded?: string): void {
  const module = (body: string): string => `module m(input clk, input [7:0] d, output reg [7:0] q, r); integer i;${body} endmodule`;
  const text = module(` ${items}`);
  const files = withoutSharedLoopVariables({ 'a.v': text }, expanded === undefined ? text : module(` ${expanded}`));
  assert.equal(files['a.v'], expected === items ? text : module(expected));
}

function checkKept(items: string, expanded?: string): void {
  check(items, items, expanded);
}

const comb = 'always @* for (i = 0; i < 8; i = i + 1) r[i] = q[7-i];';
const clocked = 'always @(posedge clk) for (i = 0; i < 8; i = i + 1) q[i] <= d[i];';

test('a variable with which two processes count becomes one for each loop', () => {
  check(`${comb} ${clocked}`, ' integer i_0, i_1; always @* for (i_0 = 0; i_0 < 8; i_0 = i_0 + 1) r[i_0] = q[7-i_0]; always @(posedge clk) for (i_1 = 0; i_1 < 8; i_1 = i_1 + 1) q[i_1] <= d[i_1];');
  const nested = 'always @* begin if (clk) for (i = 0; i < 8; i = i + 1) begin r[i] = 0; end else for (i = 7; i >= 0; i = i - 1) r[i] = 1; end';
  check(`${nested} ${clocked}`, ` integer i_0, i_1, i_2; ${nested.replace(/\bi\b(?=.*else)/g, 'i_0').replace(/\bi\b/g, 'i_1')} ${clocked.replace(/\bi\b/g, 'i_2')}`);
  check('integer i_0; always @* i_0 = 1; ' + `${comb} ${clocked}`, ' integer i_0_0, i_1; integer i_0; always @* i_0 = 1; ' + `${comb.replace(/\bi\b/g, 'i_0_0')} ${clocked.replace(/\bi\b/g, 'i_1')}`);
});

test('every integer type keeps its name and its sign', () => {
  for (const type of ['int', 'int unsigned', 'integer signed', 'byte', 'shortint', 'longint unsigned']) {
    const module = (declared: string, [first, second]: readonly [string, string]): string => `module m(input clk, input [7:0] d, output reg [7:0] q, r); ${declared} ${comb.replace(/\bi\b/g, first)} ${clocked.replace(/\bi\b/g, second)} endmodule`;
    const text = module(`${type} i;`, ['i', 'i']);
    assert.equal(withoutSharedLoopVariables({ 'a.sv': text }, text)['a.sv'], module(`${type} i; ${type} i_0, i_1;`, ['i_0', 'i_1']));
  }
});

test('what is more than a variable is left as it is', () => {
  for (const declared of ['output integer i;', 'typedef int i;', 'localparam int i = 0;', 'int i = 0;', 'int i[4];']) {
    const text = `module m(clk, d, q, r, i); ${declared} ${comb} ${clocked} endmodule`.replace(/, i\)/, declared.startsWith('output') ? ', i)' : ')');
    assert.equal(withoutSharedLoopVariables({ 'a.sv': text }, text)['a.sv'], text);
  }
  const port = `module m(input clk, input [7:0] d, output reg [7:0] q, r, output integer i); ${comb} ${clocked} endmodule`;
  assert.equal(withoutSharedLoopVariables({ 'a.sv': port }, port)['a.sv'], port);
});

test('one process alone is left as it is', () => {
  checkKept(comb);
  checkKept('always @* begin for (i = 0; i < 4; i = i + 1) r[i] = 0; for (i = 4; i < 8; i = i + 1) r[i] = 1; end');
});

test('a variable that is looked at outside of its loops is left as it is', () => {
  checkKept(`${comb} ${clocked} assign x = i;`);
  checkKept(`${comb} always @(posedge clk) begin for (i = 0; i < 8; i = i + 1) q[i] <= d[i]; if (i == 8) q <= 0; end`);
  checkKept(`${comb} ${clocked} always @(i) r = 0;`);
  checkKept(`${comb} ${clocked} sub s(.i(d));`);
  checkKept(`${comb} ${clocked} function f(input x); for (i = 0; i < 8; i = i + 1) f = x; endfunction`);
  checkKept(`${comb} always @(posedge clk) for (i = i + 1; i < 8; i = i + 1) q[i] <= d[i];`);
  checkKept(`${comb} always @(posedge clk) for (j = 0; i < 8; i = i + 1) q[i] <= d[i];`);
  checkKept(`${comb} always @(posedge clk) while (i < 8) i = i + 1;`);
});

test('a loop in which others may run is left as it is', () => {
  checkKept(`${comb} initial for (i = 0; i < 8; i = i + 1) #1 q[i] = 0;`);
  checkKept(`${comb} always begin for (i = 0; i < 8; i = i + 1) begin @(posedge clk) q[i] <= d[i]; end end`);
  checkKept(`task pause; #1; endtask ${comb} initial for (i = 0; i < 8; i = i + 1) begin pause; q[i] = 0; end`);
});

test('what macros and conditionals hide is left as it is', () => {
  checkKept(`${comb} ${clocked} \`LAST`, `${comb} ${clocked} assign x = i;`);
  checkKept(`${comb} ${clocked} \`LAST(d)`);
  checkKept(`${comb}\n\`ifdef FAST\n${clocked}\n\`endif\n`);
  const sized = (text: string): string => text.replace('i < 8', 'i < `N');
  check(`${sized(comb)} ${clocked}`, ` integer i_0, i_1; ${sized(comb).replace(/\bi\b/g, 'i_0')} ${clocked.replace(/\bi\b/g, 'i_1')}`, `${comb} ${clocked}`);
});
