import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseMessages } from '../../../server/src/tools/iverilog-messages.ts';
import { complaintOf } from '../../../server/src/tools/complaint.ts';
import { parseVersion } from '../../../server/src/tools/iverilog.ts';
import { readSystemCalls } from '../../../server/src/tools/vvp-calls.ts';
import { readConstantNets } from '../../../server/src/tools/vvp-constants.ts';
import { withoutUnusedModules } from '../../../server/src/tools/vvp-modules.ts';
import { readElaboratedPorts } from '../../../server/src/tools/vvp-file.ts';
import { readStateVariables } from '../../../server/src/tools/vvp-state.ts';
import { plainWords } from '../../../server/src/verification/compiler-words.ts';

/** What each version made of `harness.v` and `design.sv` beside it: `iverilog -g2012 -s root`. */
function compiledBy(version: string): string {
  return readFileSync(path.join(import.meta.dirname, '../../fixtures/icarus', `${version}.vvp`), 'latin1');
}

for (const version of ['11', '12', '13']) {
  test(`a simulation that Icarus Verilog ${version} compiled is read`, () => {
    const text = compiledBy(version);
    assert.match(text, new RegExp(`^:ivl_version "${version}\\.`, 'm'));
    assert.deepEqual(readElaboratedPorts(text, 'root.side')?.map(({ name, direction, width }) => `${direction} ${name} ${String(width)}`), ['input clk 1', 'input d[0] 1', 'output q 4', 'output w 1', 'output k 8']);
    const range = (bounds: { left: number; right: number } | undefined): string => (bounds === undefined ? '' : `[${String(bounds.left)}:${String(bounds.right)}]`);
    assert.deepEqual(
      readStateVariables(text, 'root.side').map((variable) => `${variable.path.join('/')}${range(variable.bits)}${range(variable.words)}`),
      ['root/side/count[4:1]', 'root/side/i[31:0]', 'root/side/mem[7:0][3:0]', 'root/side/q[3:0]', 'root/side/start/inner', 'root/side/wide/st[1:0]'],
    );
    assert.deepEqual([...readConstantNets(text)], ['root.side.k']);
    const { calls, own, complete } = readSystemCalls(text, 'root');
    assert.equal(complete, true);
    assert.deepEqual([...own].sort(), ['$fclose', '$finish', '$fopen', '$fwrite']);
    assert.deepEqual(
      calls.map(({ name, text: argument, file, line }) => [name, argument, file, line]),
      [
        ['$time', undefined, 'design.sv', 17],
        ['$random', undefined, 'design.sv', 16],
        ['$display', '%d', 'design.sv', 15],
        ['$readmemh', 'data/init.hex', 'design.sv', 21],
        ['$readmemh', 'img\\1.hex', 'design.sv', 22],
        ['$readmemh', 'ab.hex', 'design.sv', 23],
        ['$system', 'x', 'design.sv', 27],
      ],
    );
  });
}

test('modules of the simulator are loaded only where something may call them', () => {
  for (const version of ['11', '12', '13']) {
    const text = compiledBy(version);
    const modules = (names: readonly string[]): string[] => [...withoutUnusedModules(text, names).matchAll(/^:vpi_module "(.*)";$/gm)].map(([, name = '']) => name);
    assert.deepEqual(modules(['$fopen', '$fwrite', '$finish', '$random', '$display']), ['system.vpi']);
    for (const name of ['$clog2', '$onehot', '$abs', '$ivlh_rising_edge', '$of_a_later_release']) assert.equal(modules(['$finish', name]).length, 6, name);
    const own = text.replace(':vpi_module "system.vpi";', ':vpi_module "C:\\ivl\\system.vpi";\n:vpi_module "other.vpi";');
    assert.deepEqual([...withoutUnusedModules(own, []).matchAll(/vpi_module "(.*)"/g)].map(([, name]) => name), ['C:\\ivl\\system.vpi', 'other.vpi']);
  }
});

test('a form of a call that no known version writes is not taken for the absence of calls', () => {
  const base = compiledBy('13');
  const complete = (line: string): boolean => readSystemCalls(base.replace('    %end;', `${line}\n    %end;`), 'root').complete;
  assert.equal(complete('    %pushi/str "$system";'), true);
  assert.equal(complete('v0x1_0 .var "$system", 0 0;'), true);
  for (const line of ['    %call/sys "$system", "x";', '    %vpi_call/w "$system" {0 0 0};', 'L_0x1 .systemcall 3 4 "$system";', 'L_0x1 .sfunc/new "$system";']) {
    assert.equal(complete(line), false, line);
  }
  assert.equal(readSystemCalls(base.slice(0, base.lastIndexOf('"design.sv"')), 'root').complete, false, 'it is cut off');
  assert.equal(readSystemCalls(base.replaceAll('%vpi_', '%dpi_').replaceAll('"$', '"'), 'root').own.size, 0, 'then the calls of the harness are missing as well');
});

/** Each message as `severity file:line message`. */
function messages(output: string): string[] {
  return parseMessages(output, ['a.sv']).map(({ severity, file, line, message }) => `${severity} ${file ?? '-'}:${String(line)} ${message}`);
}

test('versions as the releases print them', () => {
  assert.equal(parseVersion('Icarus Verilog version 11.0 (stable) ()\n'), '11.0');
  assert.equal(parseVersion('Icarus Verilog version 12.0 (stable) ()\n'), '12.0');
  assert.equal(parseVersion('Icarus Verilog version 13.0 (stable) (v13_0)\n'), '13.0');
});

test('a net that a block assigns, in the words of each version', () => {
  const told = "'y' is no variable, and only variables can be assigned in a procedural block; declare it as reg or logic.";
  const said = {
    11: "a.sv:1: error: y['sd0] is not a valid l-value in m.\na.sv:1:      : y['sd0] is declared here as wire.\nElaboration failed\n",
    12: 'a.sv:1: error: y is not a valid l-value in m.\na.sv:1:      : y is declared here as wire.\n1 error(s) during elaboration.\n',
    13: "a.sv:1: error: 'y['sd0]' is not a valid l-value for a procedural assignment.\na.sv:1:      : 'y['sd0]' is declared here as a wire.\nElaboration failed\n",
  };
  for (const text of Object.values(said)) {
    const [first, ...others] = parseMessages(text, ['a.sv']);
    assert.equal(others.length, 0);
    assert.equal(complaintOf(first?.message ?? ''), 'missing-name');
    assert.equal(plainWords(first?.message ?? ''), told);
  }
});

test('a parameter that is not there or has no value, in the words of version 12 and later', () => {
  assert.deepEqual(messages('a.sv:2: error: parameter `V` not found in `m.u`.\n2 error(s) during elaboration.\n'), ['error a.sv:2 parameter `V` not found in `m.u`.']);
  assert.equal(complaintOf('parameter `V` not found in `m.u`.'), 'missing-name');
  assert.equal(plainWords('parameter `V` not found in `m.u`.'), "'m.u' has no parameter 'V'; correct the name.");
  assert.equal(complaintOf('Missing value for parameter `P`.'), 'mistake');
});

test('elaboration tasks of the source, as version 13 prints them', () => {
  const output = `INFO: a.sv:1: fine
      During elaboration  Scope: genblk1
ERROR: a.sv:2:
       During elaboration  Scope: genblk2
WARNING: a.sv:3: w: x:3: b
         During elaboration  Scope: genblk3
FATAL: a.sv:4: bad W
       During elaboration  Scope: genblk4
2 error(s) during elaboration.
`;
  assert.deepEqual(messages(output), ['error a.sv:2 $error', 'warning a.sv:3 $warning: w: x:3: b', 'error a.sv:4 $fatal: bad W']);
});

test('an include that is not there, in the words of version 13', () => {
  assert.deepEqual(messages('a.sv:2: Include file nofile.vh not found\nPreprocessor failed with 1 errors.\n'), ['error a.sv:2 Include file nofile.vh not found']);
});

test('a generate loop that version 13 does not follow to its end is a limit of the tool', () => {
  // Of an array of several dimensions it takes a variable only as the last index.
  assert.deepEqual(messages('a.sv:4: error: Array index expressions must be constant here.\n1 error(s) during elaboration.\n'), ['sorry a.sv:4 Array index expressions must be constant here.']);
  assert.deepEqual(messages('a.sv:1: error: Probable infinite loop detected in generate "loop". It has run for 500001 iterations.\n1 error(s) during elaboration.\n'), [
    'sorry a.sv:1 Probable infinite loop detected in generate "loop". It has run for 500001 iterations.',
  ]);
});
