import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actionsAt } from '../../../../server/src/features/names/actions.ts';
import { applyEdits } from '../../../../server/src/features/names/edits.ts';
import { fixture } from './fixture.ts';

/** The text of the file after the action of that title, without its last line, which holds what is instantiated. */
function check(text: string, title: string, expected: string): void {
  const { snapshot, file, files, offset } = fixture(`${text}\n${sub}`);
  const actions = actionsAt(snapshot, file, offset);
  const action = actions.find((each) => each.title === title);
  assert.ok(action, `${title} is among ${actions.map((each) => each.title).join(', ')}`);
  assert.equal(applyEdits((path) => files.get(path) ?? '', action.edits).get(file), `${expected}\n${sub}`);
}

function titles(text: string, expected: readonly string[]): void {
  const { snapshot, file, offset } = fixture(`${text}\n${sub}`);
  assert.deepEqual(actionsAt(snapshot, file, offset).map(({ title }) => title), expected);
}

const sub = 'module sub #(parameter W = 8)(input clk, input [W-1:0] d, output q); endmodule';

describe('an action', () => {
  it('connects the missing ports', () => {
    check('module top;\n  sub u$0 (\n      .clk(clk) // the clock\n  );\nendmodule', 'Connect the 2 missing ports', 'module top;\n  sub u (\n      .clk(clk), // the clock\n      .d(d),\n      .q(q)\n  );\nendmodule');
    check('module top;\n  sub u$0();\nendmodule', 'Connect the 3 missing ports', 'module top;\n  sub u(\n      .clk(clk),\n      .d(d),\n      .q(q)\n  );\nendmodule');
    check('module top; sub u$0(.clk(clk), .d(d)); endmodule', "Connect the missing port 'q'", 'module top; sub u(.clk(clk), .d(d),\n    .q(q)\n); endmodule');
  });

  it('ends escaped names by a space', () => {
    const escaped = '\nmodule esc(input \\a[0] , input \\wire , input b); endmodule';
    check(`module top(input \\a[0] );\n  esc u$0(\n    .b(1)\n  );\nendmodule${escaped}`, 'Connect the 2 missing ports', `module top(input \\a[0] );\n  esc u(\n    .b(1),\n    .\\a[0] (\\a[0] ),\n    .\\wire (\\wire )\n  );\nendmodule${escaped}`);
    check(`module top(input \\wire );\n  esc u$0(.*);\nendmodule${escaped}`, "Write the connections of '.*' out", `module top(input \\wire );\n  esc u(.\\wire (\\wire ));\nendmodule${escaped}`);
    check(`module top;\n  es$0c\nendmodule${escaped}`, "Instantiate 'esc'", `module top;\n  esc u_esc (\n      .\\a[0] (\\a[0] ),\n      .\\wire (\\wire ),\n      .b     (b)\n  );\nendmodule${escaped}`);
  });

  it('writes .* out', () => {
    check('module top(input clk, input [7:0] d);\n  sub u$0(.*, .q(x));\nendmodule', "Write the connections of '.*' out", 'module top(input clk, input [7:0] d);\n  sub u(.clk(clk), .d(d), .q(x));\nendmodule');
  });

  it('connects by name', () => {
    check('module top(input clk);\n  sub u$0(clk, {a, b}, );\nendmodule', 'Connect by name', 'module top(input clk);\n  sub u(.clk(clk), .d({a, b}), .q());\nendmodule');
  });

  it('declares a net as wide as its port', () => {
    check('module top;\n  sub #(.W(4)) u(.clk(1), .d(da$0ta), .q());\nendmodule', "Declare 'data' with 4 bits", 'module top;\n  wire [3:0] data;\n  sub #(.W(4)) u(.clk(1), .d(data), .q());\nendmodule');
    check('module top(output y);\n  assign y = x$0;\nendmodule', "Declare 'x'", 'module top(output y);\n  wire x;\n  assign y = x;\nendmodule');
    titles('module top(output y);\n  wire x; assign y = x$0;\nendmodule', []);
  });

  it('instantiates a module', () => {
    check('module top;\n  sub$0\nendmodule', "Instantiate 'sub'", 'module top;\n  sub #(\n      .W(8)\n  ) u_sub (\n      .clk(clk),\n      .d  (d),\n      .q  (q)\n  );\nendmodule');
  });
});
