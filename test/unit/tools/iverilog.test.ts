import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findExecutable } from '../../../server/src/base/process.ts';
import { withTempDir } from '../../../server/src/base/tempdir.ts';
import { breakdown, compileArguments, createIverilog, parseVersion, readIverilogVersion, simulateArguments } from '../../../server/src/tools/iverilog.ts';
import { parseMessages } from '../../../server/src/tools/iverilog-messages.ts';
import { readElaboratedPorts } from '../../../server/src/tools/vvp-file.ts';
import { readSystemCalls } from '../../../server/src/tools/vvp-calls.ts';
import { readStateVariables } from '../../../server/src/tools/vvp-state.ts';

/** Each message as `severity file:line message`, with related places behind it. */
function check(output: string, expected: readonly string[], files: readonly string[] = []): void {
  const shown = parseMessages(output, files).map((m) =>
    [
      `${m.severity} ${m.file === undefined ? '-' : `${m.file}:${m.line}`} ${m.message}`,
      ...m.related.map((r) => `(${r.file}:${r.line} ${r.message})`),
    ].join(' '),
  );
  assert.deepEqual(shown, expected);
}

test('errors, warnings and what is not supported', () => {
  check(
    `a.v:4: syntax error
a.v:4: error: syntax error in continuous assignment
s.sv:4: sorry: overriding the default variable lifetime is not yet supported.
l.v:1: warning: Constant bit select [100] is before vector a[-2:0].
l.v:1:        : Replacing select with a constant 1'bx.
l.v:7: error: Could not find variable \`\`x'' in \`\`t2''
2 error(s) during elaboration.
`,
    [
      'error a.v:4 syntax error in continuous assignment',
      'sorry s.sv:4 overriding the default variable lifetime is not yet supported.',
      "warning l.v:1 Constant bit select [100] is before vector a[-2:0]. Replacing select with a constant 1'bx.",
      "error l.v:7 Could not find variable ``x'' in ``t2''",
    ],
  );
});

test('a bare syntax error stays, and so do messages without a place', () => {
  check(
    `t.v:2: syntax error
I give up.
x.v: No such file or directory
error: Unable to find the root module "nope" in the Verilog source.
     : Perhaps \`\`-s nope'' is incorrect?
1 error(s) during elaboration.`,
    [
      'error t.v:2 syntax error',
      'error - x.v: No such file or directory',
      `error - Unable to find the root module "nope" in the Verilog source. Perhaps \`\`-s nope'' is incorrect?`,
    ],
  );
});

test('a second place becomes a related place', () => {
  check(
    `/p/a b/é/dup.v:2: error: 'd' has already been declared in this scope.
/p/a b/é/dup.v:1:      : It was declared here as a module.
/p/a b/é/dup.v:2: Module d was already declared here: /p/a b/é/dup.v:1
`,
    [
      `error /p/a b/é/dup.v:2 'd' has already been declared in this scope. (/p/a b/é/dup.v:1 It was declared here as a module.)`,
      'error /p/a b/é/dup.v:2 Module d was already declared here (/p/a b/é/dup.v:1 Module d was already declared here)',
    ],
  );
});

test('paths with colons and drive letters', () => {
  check('C:\\my work\\a.v:12: error: Unknown module type: nomod\r\n2 error(s) during elaboration.\r\n', [
    'error C:\\my work\\a.v:12 Unknown module type: nomod',
  ]);
  check('/odd:3: dir/a.v:7: error: no 1:2 here', ['error /odd:3: dir/a.v:7 no 1:2 here'], ['/odd:3: dir/a.v']);
  check('C:\\w\\a.v:2: Module d was already declared here: D:\\w\\b.v:1', [
    'error C:\\w\\a.v:2 Module d was already declared here (D:\\w\\b.v:1 Module d was already declared here)',
  ]);
});

test('missing modules are said once', () => {
  check(
    `miss.v:1: error: Unknown module type: nomod
2 error(s) during elaboration.
*** These modules were missing:
        nomod referenced 1 times.
***`,
    ['error miss.v:1 Unknown module type: nomod'],
  );
});

test('arguments', () => {
  assert.deepEqual(
    compileArguments({
      dir: '/w',
      files: ['/a b/x.v', '-odd.v'],
      top: 'tb',
      includeDirs: ['/inc dir'],
      defines: { N: '3', FLAG: '' },
      generation: '2012',
      output: 'o.vvp',
      timeoutMs: 1,
    }),
    ['-g2012', '-o', 'o.vvp', '-s', 'tb', '-I', '/inc dir', '-DN=3', '-DFLAG=', '/a b/x.v', './-odd.v'],
  );
  assert.deepEqual(compileArguments({ dir: '/w', files: ['a.v'], top: 'tb', generation: '2005', output: 'o.vvp', timeoutMs: 1 }).slice(0, 2), ['-g2005', '-gno-xtypes']);
  assert.deepEqual(simulateArguments({ vvpFile: 'o.vvp', args: ['+n=1'], cwd: '/w', timeoutMs: 1 }), ['-n', 'o.vvp', '-none', '+n=1']);
});

test('a failed assertion of the tool is no fault of the source', () => {
  check('harness.v:7: assert: elaborate.cc:1474: failed assertion a->pin_count() == b->pin_count()', [
    'sorry harness.v:7 internal error: elaborate.cc:1474: failed assertion a->pin_count() == b->pin_count()',
  ]);
});

test('what the code generator does not support is no fault of the source', () => {
  check('a.v:3: vvp.tgt sorry: procedural continuous assignments to part selects are not supported.\na.v:4: tgt-vvp sorry: class properties of type real', [
    'sorry a.v:3 procedural continuous assignments to part selects are not supported.',
    'sorry a.v:4 class properties of type real',
  ]);
});

test('a compiler that breaks down is told from one that refuses, whatever the shell says of it', () => {
  const said: readonly (readonly [string, string | undefined])[] = [
    ['Aborted\n', 'Aborted'],
    ['Aborted (core dumped)\n', 'Aborted'],
    ['sh: 1: Segmentation fault\n', 'Segmentation fault'],
    ['sh: line 1: 4711 Aborted                 (core dumped) /usr/lib64/ivl/ivl -C"/tmp/x"\n', 'Aborted'],
    ['sh: line 1:  4710 Done                    /usr/lib64/ivl/ivlpp -L\n      4711 Segmentation fault      | /usr/lib64/ivl/ivl\n', 'Segmentation fault'],
    ['sh: line 1: 77 Abort trap: 6           /opt/homebrew/lib/ivl/ivl\n', 'Abort trap'],
    ["ivl: elab_sig.cc:99: void f(): Assertion `wid > 0' failed.\n", 'a failed assertion'],
    ['a.v:3: assert: elab_net.cc:12: failed assertion prev\n', 'a failed assertion'],
    ['terminate called after throwing an instance of std::bad_alloc\n', 'out of memory'],
    ['a.v:3: syntax error\nI give up.\n', undefined],
    ['a.v:3: error: Unknown module type: Aborted\n', undefined],
    ['a.v:3: error: The task was Aborted\n', undefined],
  ];
  assert.deepEqual(said.map(([text]) => breakdown(text)), said.map(([, expected]) => expected));
});

test('compiled files of later releases', () => {
  // Ports may have no name or no direction, or name the buffer behind them; scopes may be automatic and have places; words may count up.
  const vvp = `#! /usr/local/bin/vvp
:ivl_version "13.0 (devel)" "(s20221226-119-g8cb2e1a05)";
:ivl_delay_selection "TYPICAL";
S_0x1 .scope package, "$unit" "$unit" 2 1;
S_0x2 .scope module, "tb" "tb" 3 5;
S_0x3 .scope module, "dut" "p" 3 5, 4 1 0, S_0x2;
 .timescale 0 0;
    .port_info 0 /INPUT 4 "a" L_0x99;
    .port_info 1 /NODIR 0 "";
    .port_info 2 /OUTPUT 9 "y";
v0x4_0 .var "q", 3 0;
v0x5 .array "m", 0 3, 7 0;
v0x6_0 .var/2u "two", 3 0;
v0x7_0 .var "$odd", 0 0;
S_0x8 .scope autofunction.vec4.s32, "f" "f" 4 9, 4 9 0, S_0x3;
v0x9_0 .var/s "x", 31 0;
S_0xa .scope begin, "$ivl_for_loop0" "$ivl_for_loop0" 4 12, 4 12 0, S_0x3;
v0xb_0 .var/2s "i", 31 0;
    .scope S_0x2, 3 5;
    %vpi_call 3 6 "$fwrite", v0x4_0 {0 0 0};
    .scope S_0x3;
    %vpi_call/w 4 13 "$display", "$system" {0 0 0};
    %vpi_call/i 4 14 "$finish" {0 0 0};
    %vpi_func/s 4 15 "$sformatf", "%d", S<0,vec4,u4> {1 0 0};
    %vpi_func 4 16 "$fopen" 32, "f" {0 0 0};
    %pushi/str "$system";
    %vpi_call/new "$system", "x";
:file_names 5;
    "N/A";
    "<interactive>";
    "-";
    "harness.v";
    "d.sv";
`;
  assert.deepEqual(readElaboratedPorts(vvp, 'tb.dut'), [
    { name: 'a', direction: 'input', width: 4 },
    { name: 'y', direction: 'output', width: 9 },
  ]);
  assert.deepEqual(readStateVariables(vvp, 'tb.dut').map(({ path: names }) => names.join('.')), ['tb.dut.q', 'tb.dut.m', 'tb.dut.$odd']);
  const { calls, complete } = readSystemCalls(vvp, 'tb');
  assert.equal(complete, false);
  assert.deepEqual(calls.map(({ name, text }) => `${name} ${text ?? '-'}`), ['$display $system', '$finish -', '$sformatf %d', '$fopen f']);
  assert.deepEqual([calls[0]?.file, calls[0]?.line], ['d.sv', 13]);
});

test('versions of several releases', () => {
  assert.equal(parseVersion('Icarus Verilog version 11.0 (stable) ()\n\nCopyright'), '11.0');
  assert.equal(parseVersion('Icarus Verilog version 13.0 (devel) (s20221226-568-g62727e8b2)'), '13.0');
  assert.equal(parseVersion('bash: iverilog: not found'), undefined);
});

test('ports of an instance are read from the compiled file', () => {
  const vvp = `#! /usr/bin/vvp
S_0x1 .scope package, "$unit" "$unit" 2 1;
 .timescale 0 0;
S_0x2 .scope module, "tb" "tb" 3 5;
S_0x3 .scope module, "dut" "p" 3 5, 3 1 0, S_0x2;
 .timescale 0 0;
    .port_info 0 /INPUT 4 "a";
    .port_info 1 /OUTPUT 9 "y";
    .port_info 2 /INOUT 1 "a.b";
P_0x33 .param/l "W" 0 3 1, +C4<00000000000000000000000000000100>;
S_0x4 .scope module, "dut" "other" 3 5, 3 1 0, S_0x3;
    .port_info 0 /INPUT 1 "inner";
S_0x5 .scope begin, "dut" "dut" 3 9, 3 9 0, S_0x2;
S_0x6 .scope module, "u.1" "esc.mod" 3 5, 3 4 0, S_0x2;
    .port_info 0 /INPUT 1 "odd \\" name";
`;
  assert.deepEqual(readElaboratedPorts(vvp, 'tb.dut'), [
    { name: 'a', direction: 'input', width: 4 },
    { name: 'y', direction: 'output', width: 9 },
    { name: 'a.b', direction: 'inout', width: 1 },
  ]);
  assert.deepEqual(readElaboratedPorts(vvp, 'tb.u.1'), [{ name: 'odd " name', direction: 'input', width: 1 }]);
  assert.deepEqual(readElaboratedPorts(vvp, 'tb'), []);
  assert.equal(readElaboratedPorts(vvp, 'tb.dut2'), undefined);
});

const iverilogPath = findExecutable('iverilog');
const vvpPath = findExecutable('vvp');
const real = iverilogPath === undefined || vvpPath === undefined ? undefined : { iverilog: iverilogPath, vvp: vvpPath };

test('real compiler: odd names, defines, include directory, elaborated widths, simulation, nothing left', { skip: real === undefined }, async () => {
  assert.ok(real);
  await withTempDir(async (dir) => {
    const version = await readIverilogVersion(real, dir);
    assert.match(version ?? '', /^\d+\./);
    const tool = createIverilog(real, version ?? '');
    const odd = path.join(dir, 'sub $dir `é`');
    mkdirSync(odd);
    writeFileSync(path.join(odd, 'w.vh'), '`define W 5\n');
    const source = path.join(odd, 'a b.v');
    writeFileSync(
      source,
      `\`include "w.vh"
module tb; wire [\`W*2:0] y; p dut(y); initial begin #1 $display("%s %b", \`TEXT, y); $stop; end endmodule
module p(output [\`W*2:0] y); assign y = 11'd3; endmodule\n`,
    );
    const work = path.join(dir, 'work');
    mkdirSync(work);
    const request = { dir: work, files: [source], top: 'tb', generation: '2012', output: 'o.vvp', timeoutMs: 20_000 } as const;
    const failed = await tool.compile(request);
    assert.ok(failed.kind === 'failed');
    assert.ok(failed.messages.some((m) => m.file === source && /w\.vh/.test(m.message)), JSON.stringify(failed));
    const compiled = await tool.compile({ ...request, includeDirs: [odd], defines: { TEXT: '"a $b"' } });
    assert.ok(compiled.kind === 'compiled', JSON.stringify(compiled));
    assert.deepEqual(readElaboratedPorts(readFileSync(compiled.vvpFile, 'utf8'), 'tb.dut'), [{ name: 'y', direction: 'output', width: 11 }]);
    const simulated = await tool.simulate({ vvpFile: compiled.vvpFile, cwd: work, timeoutMs: 20_000 });
    assert.ok(simulated.kind === 'exited' && simulated.exitCode === 0, JSON.stringify(simulated));
    assert.match(simulated.stdout, /^a \$b 00000000011\n/);
    assert.deepEqual(readdirSync(work), ['o.vvp']);
  });
});

test('real simulator: an endless simulation times out', { skip: real === undefined }, async () => {
  assert.ok(real);
  const tool = createIverilog(real, '');
  await withTempDir(async (dir) => {
    writeFileSync(path.join(dir, 'a.v'), 'module t; reg r = 0; always #1 r = ~r; endmodule\n');
    const compiled = await tool.compile({ dir, files: ['a.v'], top: 't', generation: '2005', output: 'o.vvp', timeoutMs: 20_000 });
    assert.ok(compiled.kind === 'compiled');
    const result = await tool.simulate({ vvpFile: compiled.vvpFile, cwd: dir, timeoutMs: 300 });
    assert.equal(result.kind, 'timed-out');
  });
});
