import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findExecutable } from '../../../server/src/base/process.ts';
import { withTempDir } from '../../../server/src/base/tempdir.ts';
import { compileArguments, createIverilog, parseVersion, readIverilogVersion, simulateArguments } from '../../../server/src/tools/iverilog.ts';
import { parseMessages } from '../../../server/src/tools/iverilog-messages.ts';
import { readElaboratedPorts } from '../../../server/src/tools/vvp-file.ts';

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
