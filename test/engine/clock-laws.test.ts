/** What the prover understands of random designs that make their own clocks is what a simulator does with them, whatever the order of its processes. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { memoryFiles } from '../../server/src/base/files.ts';
import { createToolbox } from '../../server/src/tools/toolbox.ts';
import { makeHarness, STIMULUS_FILE, TRACE_FILE } from '../../server/src/verification/harness/harness.ts';
import { cleanNetlists } from '../../server/src/verification/proof/ask.ts';
import { clockTree } from '../../server/src/verification/proof/clock-tree.ts';
import { elaborate } from '../../server/src/verification/proof/elaborate.ts';
import { Model } from '../../server/src/verification/proof/model.ts';
import { netlistDoubt, ownClock } from '../../server/src/verification/proof/netlist.ts';
import { collectSide } from '../../server/src/verification/proof/script.ts';
import { orderedAssignments } from '../../server/src/verification/proof/source.ts';
import { layOut } from '../../server/src/verification/stimulus/layout.ts';
import { Random } from '../../server/src/verification/stimulus/random.ts';
import { RowBuilder, type Rows } from '../../server/src/verification/stimulus/rows.ts';
import { TimeBudget } from '../../server/src/verification/time-budget.ts';
import { parseTrace, type Trace } from '../../server/src/verification/trace.ts';
import { sizedPorts } from '../unit/verification/designs.ts';
import { yosys } from './proving.ts';
import { CLOCK_INPUTS, INPUTS, OUTPUTS, randomClockedDesign, textOfClocked } from './random-clocks.ts';

const DESIGNS = 12;
const ROWS = 300;

const directory = mkdtempSync(path.join(tmpdir(), 'clock-laws-'));
after(() => {
  rmSync(directory, { recursive: true });
});
const ports = sizedPorts([...INPUTS.map((name) => `input ${name}`), ...OUTPUTS.map((name) => `output ${name}`)].join(', '));
const layout = layOut(ports, { clocks: CLOCK_INPUTS.map((port) => ({ port, bit: undefined, edges: ['posedge'] })) });
const toolbox = createToolbox({ iverilog: '', yosys: '' });

/** The model of a design; undefined where it makes no clock itself or is not followed. */
async function modelOf(text: string): Promise<Model | undefined> {
  const files = memoryFiles(new Map());
  const side = { top: 'm', sources: [{ file: '/m.v', text }], includeDirs: [], defines: {}, parameters: {} };
  const [golden, dut] = [await collectSide('golden', side, files), await collectSide('dut', side, files)];
  const elaborated = await elaborate({ yosys, sides: { golden, dut }, parameters: { golden: {}, dut: {} }, budget: new TimeBudget(20_000, undefined) });
  assert.ok(elaborated.kind === 'elaborated', text);
  const netlist = cleanNetlists(elaborated.files).golden;
  if (netlist === undefined || netlistDoubt(netlist) !== undefined || ownClock(netlist) === undefined) return undefined;
  const tree = clockTree(netlist, orderedAssignments(golden.expanded));
  return typeof tree === 'string' ? undefined : Model.of(netlist, new Set(CLOCK_INPUTS.map((port) => `${port}[0]`)), undefined, tree);
}

/** Rows in which inputs change together or, when calm, one at a time. */
function rowsFor(random: Random, calm: boolean): Rows {
  const builder = new RowBuilder(layout, ROWS);
  const [data, clocks] = [layout.fields.filter(({ role }) => role === 'data'), layout.fields.filter(({ role }) => role === 'clock')];
  const flip = (offset: number): void => {
    builder.setBit(offset, builder.bit(offset) === 0);
  };
  for (let row = 0; row < ROWS; row++) {
    if (calm) {
      const moved = data[random.below(data.length)];
      if (moved !== undefined && random.chance(0.5)) flip(moved.offset);
      const clock = clocks[random.below(clocks.length)];
      if (clock !== undefined && random.chance(0.9)) flip(clock.offset);
    } else {
      for (const field of layout.fields) if (random.chance(0.3)) builder.randomize(field, random);
    }
    builder.push();
  }
  return builder.finish();
}

async function simulate(text: string, rows: Rows): Promise<Trace | undefined> {
  const found = await toolbox.iverilog();
  assert.ok(found.kind === 'found');
  const harness = makeHarness({ module: 'm', parameters: {}, timescale: undefined, sources: [text], layout, ports });
  writeFileSync(path.join(directory, 'm.v'), text);
  writeFileSync(path.join(directory, 'harness.v'), harness.text);
  writeFileSync(path.join(directory, STIMULUS_FILE), rows.bytes);
  const compiled = await found.tool.compile({ dir: directory, files: ['m.v', 'harness.v'], top: harness.name, generation: '2012', output: 'out.vvp', timeoutMs: 20_000 });
  assert.equal(compiled.kind, 'compiled', text);
  const run = await found.tool.simulate({ vvpFile: 'out.vvp', cwd: directory, timeoutMs: 20_000 });
  // A gate that its own register opens may oscillate.
  return run.kind === 'exited' ? parseTrace(readFileSync(path.join(directory, TRACE_FILE)), layout) : undefined;
}

test('the model of a design that makes its own clocks does what a simulator does', async () => {
  let followed = 0;
  for (let seed = 0; followed < DESIGNS; seed++) {
    assert.ok(seed < 20 * DESIGNS, 'most random designs are followed');
    const random = new Random(seed);
    const design = randomClockedDesign(random);
    const text = textOfClocked(design);
    const model = await modelOf(text);
    if (model === undefined) continue;
    followed++;
    for (const [source, calm] of [[text, false], [text, true], [textOfClocked(design, random), false], [textOfClocked(design, random), true]] as const) {
      const rows = rowsFor(random, calm);
      const trace = await simulate(source, rows);
      if (trace !== undefined) assert.equal(model.disagreement({ layout, rows, trace }), undefined, `seed ${String(seed)}\n${source}`);
    }
  }
});
