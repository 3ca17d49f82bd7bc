import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCore } from '../../../server/src/core.ts';
import type { ParseRequest } from '../../../server/src/core.ts';
import { silentLogger } from '../../../server/src/base/logger.ts';
import { Analyses } from '../../../server/src/lsp/analysis.ts';
import { PlacedText } from '../../../server/src/lsp/convert.ts';

const context = { defines: {}, includeDirs: [] };

test('a document that took too long to read rests, and is read again later', async () => {
  const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
  let clock = 0;
  let isSlow = true;
  let tries = 0;
  const analyses = new Analyses(
    {
      parse: (request: ParseRequest) => {
        tries++;
        if (!isSlow) return core.parse(request);
        clock += 2000;
        return undefined;
      },
    },
    () => clock,
  );
  const modulesOf = (text: string): string[] => analyses.ofOpen('/w/a.sv', new PlacedText(text), context).outline.modules.map(({ name }) => name);
  assert.deepEqual(modulesOf('module a; endmodule\n'), []);
  assert.deepEqual(modulesOf('module a; endmodule\n'), []);
  assert.deepEqual(modulesOf('module ab; endmodule\n'), []);
  assert.equal(tries, 1);
  isSlow = false;
  clock += 60_000;
  assert.deepEqual(modulesOf('module ab; endmodule\n'), ['ab']);
  assert.deepEqual(modulesOf('module abc; endmodule\n'), ['abc']);
  assert.equal(tries, 3);
  analyses.dropAll();
});

test('a document that is opened again is read at once', () => {
  let tries = 0;
  let clock = 0;
  const slow = {
    parse: (): undefined => {
      tries++;
      clock += 2000;
    },
  };
  const analyses = new Analyses(slow, () => clock);
  analyses.ofOpen('/w/a.sv', new PlacedText('module a; endmodule\n'), context);
  analyses.drop('/w/a.sv');
  analyses.ofOpen('/w/a.sv', new PlacedText('module a; endmodule\n'), context);
  assert.equal(tries, 2);
});
