import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findExecutable, run } from '../../server/src/base/process.ts';
import { withTempDir } from '../../server/src/base/tempdir.ts';
import { CompilerCore } from '../../server/src/tools/ivl.ts';

const OPTIONS = ['-g2012'];
const driver = findExecutable('iverilog') ?? '';
const learnt = CompilerCore.learn(driver, OPTIONS);

/** Labels are addresses, and the core knows its source by another name. */
function withoutChance(vvp: string): string {
  const numbers = new Map<string, number>();
  return vvp
    .replace(/0x[\da-f]{6,}/g, (address) => {
      numbers.set(address, numbers.get(address) ?? numbers.size);
      return `#${String(numbers.get(address))}`;
    })
    .replace(/"(?:-|joined\.sv)"/, '');
}

interface Both {
  /** Undefined where the core leaves it to the driver, or where the driver refuses it. */
  readonly core: string | undefined;
  readonly driver: string | undefined;
}

async function compiled(sources: readonly string[], top: string): Promise<Both> {
  const core = await learnt;
  assert.ok(core !== undefined);
  return withTempDir(async (dir) => {
    const files = sources.map((_, index) => `source-${String(index)}.sv`);
    files.forEach((file, index) => writeFileSync(path.join(dir, file), sources[index] ?? ''));
    const request = { dir, files, top, output: 'core.vvp' };
    const alone = await core.compile(request, { timeoutMs: 20_000 });
    const driven = await run(driver, [...OPTIONS, '-s', top, '-o', 'driver.vvp', ...files], { cwd: dir, env: { LC_ALL: 'C' }, timeoutMs: 20_000 });
    const text = (file: string): string => withoutChance(readFileSync(path.join(dir, file), 'latin1'));
    if (alone?.kind === 'exited' && driven.kind === 'exited') assert.equal(alone.stderr, driven.stderr);
    return { core: alone === undefined ? undefined : text('core.vvp'), driver: driven.kind === 'exited' && driven.exitCode === 0 ? text('driver.vvp') : undefined };
  });
}

async function checkSame(sources: readonly string[], top: string): Promise<void> {
  const { core, driver: driven } = await compiled(sources, top);
  assert.ok(core !== undefined, sources.join('\n'));
  assert.equal(core, driven);
}

test('the core alone compiles as its driver does', async () => {
  await checkSame(['module top; leaf u(); endmodule\n', 'module leaf; initial $display("%m"); endmodule\n'], 'top');
  await checkSame(['`timescale 1ns/1ps\nmodule top; initial #1.5 $display("%0t", $realtime); endmodule\n`resetall\n', 'module other; endmodule'], 'top');
  await checkSame(['`default_nettype none\nmodule top(input wire a, output wire b); assign b = a; endmodule\n'], 'top');
});

test('what a text is written like makes no difference', async () => {
  await checkSame(['module top(input a, output b);\r\n  // a remark\r\n  assign b = ~a;\r\nendmodule'], 'top');
  await checkSame(['/* begun\n   and ended */ module top; // no end of the line after this one'.concat('\n endmodule // end'), 'module other; endmodule // end'], 'top');
  await checkSame(['module top; initial $display("caf\u00e9 \\" // no remark /* nor this"); endmodule\n'], 'top');
  await checkSame(['\n\n\nmodule top;\n  initial $fatal(0, "told with its line");\nendmodule\n'], 'top');
  await checkSame(['module \\odd+name ; endmodule\nmodule top;\f\t\\odd+name u (); endmodule\n'], 'top');
});

test('the sources of the tests compile alike', async () => {
  const folders = ['../../examples', '../fixtures/clean'].map((folder) => path.resolve(import.meta.dirname, folder));
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => (/\.s?v$/.test(name) ? [path.join(folder, name)] : [])));
  let same = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const top = /\bmodule\s+(\w+)/.exec(text)?.[1] ?? '';
    const { core, driver: driven } = await compiled([text], top);
    if (core === undefined) continue;
    assert.equal(core, driven, file);
    same++;
  }
  assert.ok(same > 10, String(same));
});

test('what needs the preprocessor, and what does not compile, is left to the driver', async () => {
  assert.equal((await compiled(['`define W 4\nmodule top; wire [`W-1:0] a; endmodule\n'], 'top')).core, undefined);
  assert.equal((await compiled(['`ifdef __ICARUS__\nmodule top; endmodule\n`endif\n'], 'top')).core, undefined);
  assert.equal((await compiled(['module top; // see `other`\nendmodule\n'], 'top')).core, undefined);
  assert.deepEqual(await compiled(['module top; wrong endmodule\n'], 'top'), { core: undefined, driver: undefined });
});

test('nothing is learnt of what is no driver', async () => {
  assert.equal(await CompilerCore.learn(findExecutable('true') ?? '', OPTIONS), undefined);
  assert.equal(await CompilerCore.learn('/nowhere/iverilog', OPTIONS), undefined);
});
