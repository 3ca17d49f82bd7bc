import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadedDesign } from '../../../server/src/analysis/design.ts';
import { readSystemCalls } from '../../../server/src/tools/vvp-calls.ts';
import { forbiddenConstructs, screenCalls, screenDesign } from '../../../server/src/verification/screen.ts';
import { loaded, loadFrom } from '../analysis/design.ts';

test('constructs that reach outside are found at their place, not in comments or strings', () => {
  const check = (text: string, expected: string[]): void => {
    assert.deepEqual(forbiddenConstructs(text).map(({ offset }) => text.slice(offset).split('(')[0]?.trim()), expected);
  };
  check('initial $system("rm x");', ['$system']);
  check('initial begin f = $fopen("x"); $fwrite(f, "y"); end', ['$fopen', '$fwrite']);
  check('// $system\ninitial $display("$fopen(");', []);
  check('initial begin $dumpfile("w.vcd"); $display("x"); $finish; end', []);
  check('initial $readmemh("rom.hex", rom);', []);
  check('initial $readmemh("/etc/passwd", rom);', ['$readmemh']);
  check('initial $readmemb("../secret", rom);', ['$readmemb']);
  check('initial $readmemh(NAME, rom);', ['$readmemh']);
  check('wire [$clog2(8):0] a = $signed(b);', []);
  check('import "DPI-C" function int f();', ['import "DPI-C" function int f']);
});

/** Places as `line: name`. */
async function uses(design: LoadedDesign | string, strict = false): Promise<string[]> {
  const loadedDesign = typeof design === 'string' ? await loaded(design) : design;
  return screenDesign(loadedDesign, { strict }).map(({ line, message }) => `${String((line ?? -1) + 1)}: ${/'([^']*)'/.exec(message)?.[1] ?? 'image'}`);
}

test('macros and conditionals are seen through', async () => {
  assert.deepEqual(await uses('`define S $system\nmodule m(input a);\n`define T(x) `S(x)\ninitial `T("x");\nendmodule'), ['4: $system']);
  assert.deepEqual(await uses('`define O(x) $fo``x\nmodule m(input a);\ninitial `O(pen)("x");\nendmodule'), ['3: $fopen']);
  assert.deepEqual(await uses('module m(input a);\n`ifdef SIM\ninitial $fopen("x");\n`endif\nendmodule'), []);
  assert.deepEqual(await uses('`define P "/x"\nmodule m(input a);\ninitial $readmemh(`P, r);\nendmodule'), ['3: image']);
  assert.deepEqual(await uses('module m #(parameter P = "x")(input a);\ninitial $readmemh(P, r);\nendmodule'), []);
  assert.deepEqual(await uses('module m #(parameter P = "x")(input a);\ninitial $readmemh(P, r);\nendmodule', true), ['2: image']);
});

test('included files are part of the design, and those outside of the project are not read', async () => {
  const top = (name: string): string => `\`include "${name}"\nmodule m(input a); endmodule`;
  const design = await loaded({ 'top.sv': top('h.vh'), 'h.vh': '\n// x\nmodule x; initial $system("y"); endmodule' }, { module: 'm' });
  assert.deepEqual(await uses(design), ['3: $system']);
  const refused = async (name: string, files: Record<string, string>, input = {}): Promise<boolean> => {
    const result = await loadFrom({ 'top.sv': top(name), ...files }, { module: 'm', ...input });
    return result.kind === 'rejected' && /lies outside the project/.test(result.reason);
  };
  assert.equal(await refused('/etc/passwd', { '/etc/passwd': 'x' }), true);
  const deep = { '/p/q/r/top.sv': top('../../h.vh'), '/p/h.vh': '' };
  assert.equal(await refused('', deep, { file: '/p/q/r/top.sv' }), true);
  assert.equal(await refused('', { ...deep, '/p/.git/HEAD': '' }, { file: '/p/q/r/top.sv' }), false);
  assert.equal(await refused('', deep, { file: '/p/q/r/top.sv', includeDirs: ['/p'] }), false);
  assert.equal(await refused('../h.vh', { '/h.vh': '' }), false);
  assert.equal(await refused('../h.txt', { '/h.txt': '' }), true);
});

const compiled = `:ivl_version "11.0 (stable)";
S_1 .scope package, "$unit" "$unit" 2 1;
S_2 .scope module, "root_1" "root_1" 3 1;
L_1 .sfunc 3 9 "$fopen", "v32";
S_3 .scope module, "side" "m" 4 3, 4 4 0, S_2;
P_1 .param/str "INIT" 0 4 3, "data/par.hex";
P_2 .param/str "BAD" 0 4 3, "\\057etc\\057passwd";
L_2 .sfunc/e 4 7 "$realtime", E_1, "r";
    .scope S_2;
T_0 ;
    %vpi_func 3 11 "$fopen" 32, "stimulus.bin", "rb" {0 0 0};
    .scope S_3;
T_1 ;
    %vpi_call/w 4 8 "$readmemh", "img.hex", v1 {0 0 0};
    %vpi_call/w 4 9 "$readmemh", P_1, v1 {0 0 0};
    %vpi_call/w 4 10 "$readmemh", P_2, v1 {0 0 0};
    %vpi_call/w 4 11 "$readmemh", v2_0, v1 {0 0 0};
    %vpi_func 4 12 "$random" 32 {0 0 0};
    %vpi_call/w 4 13 "$dumpvars" {0 0 0};
    %vpi_call/w 5 2 "$no_such", "x" {0 0 0};
:file_names 6;
    "N/A";
    "<interactive>";
    "-";
    "harness.v";
    "source-0.v";
    "/inc/h.vh";
`;

test('what a compiled simulation calls is read with its places, the harness left out', () => {
  const { calls, own, complete } = readSystemCalls(compiled, 'root_1');
  assert.equal(complete, true);
  assert.deepEqual([...own], ['$fopen']);
  assert.deepEqual(calls.map(({ name, text, file, line }) => [name, text, file, line]), [
    ['$realtime', undefined, 'source-0.v', 7],
    ['$readmemh', 'img.hex', 'source-0.v', 8],
    ['$readmemh', 'data/par.hex', 'source-0.v', 9],
    ['$readmemh', '/etc/passwd', 'source-0.v', 10],
    ['$readmemh', undefined, 'source-0.v', 11],
    ['$random', undefined, 'source-0.v', 12],
    ['$dumpvars', undefined, 'source-0.v', 13],
    ['$no_such', 'x', '/inc/h.vh', 2],
  ]);
  const { problems, images, dumps } = screenCalls(calls, '/d/m.v', (name) => (name === 'source-0.v' ? '/d/m.v' : undefined));
  assert.deepEqual(problems.map(({ line }) => line), [9, 10, undefined]);
  assert.deepEqual(images, [{ from: '/d/img.hex', to: 'img.hex' }, { from: '/d/data/par.hex', to: 'data/par.hex' }]);
  assert.equal(dumps, true);
  assert.equal(screenCalls(calls.slice(0, 3), '/d/m.v', () => '/d/m.v').problems.length, 0);
});
