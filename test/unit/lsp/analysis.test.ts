import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { createCore } from '../../../server/src/core.ts';
import type { ParseRequest } from '../../../server/src/core.ts';
import { silentLogger } from '../../../server/src/base/logger.ts';
import { Analyses, longText } from '../../../server/src/lsp/analysis.ts';
import { PlacedText } from '../../../server/src/lsp/convert.ts';
import { Preprocessings } from '../../../server/src/lsp/preprocessings.ts';
import { Sources } from '../../../server/src/lsp/sources.ts';

const context = { defines: {}, includeDirs: [] };
const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });

/** Counts how often a text is read at once, and finds that too slow where it is told to. */
function analysesOf(isSlow: boolean): { readonly analyses: Analyses; readonly tries: () => number; readonly modulesOf: (text: PlacedText) => string[] } {
  let tries = 0;
  const parse = (request: ParseRequest): ReturnType<typeof core.parse> => {
    tries++;
    return isSlow ? undefined : core.parse(request);
  };
  const analyses = new Analyses({ parse, parseInSteps: core.parseInSteps.bind(core) }, new Preprocessings(new Sources()));
  return { analyses, tries: () => tries, modulesOf: (text) => analyses.ofOpen('/w/a.sv', text, context).outline.modules.map(({ name }) => name) };
}

test('a document that takes too long to be read at once is read in slices, and its next versions too', async () => {
  const { analyses, tries, modulesOf } = analysesOf(true);
  const first = new PlacedText('module a; endmodule\n');
  assert.deepEqual(modulesOf(first), []);
  assert.deepEqual(modulesOf(first), []);
  assert.equal(tries(), 1);
  await analyses.read('/w/a.sv', first, context, turn);
  assert.deepEqual(modulesOf(first), ['a']);
  const second = new PlacedText('module ab; endmodule\n');
  assert.deepEqual(modulesOf(second), ['a']);
  assert.ok(!analyses.isCurrent('/w/a.sv', second, context));
  await analyses.read('/w/a.sv', second, context, turn);
  assert.deepEqual(modulesOf(second), ['ab']);
  assert.equal(tries(), 1);
  analyses.drop('/w/a.sv');
  assert.deepEqual(modulesOf(second), []);
  assert.equal(tries(), 2);
});

test('a long document is read in slices from the beginning', async () => {
  const { analyses, tries, modulesOf } = analysesOf(false);
  const text = new PlacedText(`module a; endmodule\n// ${'x'.repeat(longText)}\nmodule b; endmodule\n`);
  assert.deepEqual(modulesOf(text), []);
  await analyses.read('/w/a.sv', text, context, turn);
  await analyses.readOutline('/w/a.sv', turn);
  assert.deepEqual(modulesOf(text), ['a', 'b']);
  assert.equal(tries(), 0);
});

test('a document that is closed while it is read is not kept', async () => {
  const { analyses } = analysesOf(true);
  const text = new PlacedText('module a; endmodule\n'.repeat(2000));
  const reading = analyses.read('/w/a.sv', text, context, turn);
  await turn();
  analyses.drop('/w/a.sv');
  await reading.catch(() => undefined);
  assert.deepEqual(analyses.kept, []);
});
