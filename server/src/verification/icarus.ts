import { readScratch } from '../base/scratch-files.ts';
import type { Iverilog } from '../tools/iverilog.ts';
import { readConstantNets } from '../tools/vvp-constants.ts';
import type { StateVariable } from '../tools/vvp-state.ts';
import { NO_LAYOUT, type BuiltSide, type NotCompiled, type SideTask, type SimulationEngine, type Watching } from './engine.ts';
import type { Harness } from './harness/harness.ts';
import { INSTANCE } from './harness/naming.ts';
import { CHANGES_FILE, COMPARED_FILE, MARKS_FILE, markText, noteText } from './harness/watch.ts';
import { compileDesign, harnessFor, Simulation } from './simulate.ts';
import type { Layout } from './stimulus/layout.ts';

/** Icarus Verilog as the simulator of a verification. */
export function icarusEngine(iverilog: Iverilog): SimulationEngine {
  return {
    name: 'iverilog',
    title: 'Icarus Verilog',
    version: iverilog.version,
    fourState: true,
    dumps: true,
    async compile(task, layout, budget) {
      const options = { ...task, iverilog };
      const result = await compileDesign(options, harnessFor(options, layout), budget);
      if (result.kind !== 'compiled') return result;
      const built: BuiltSide | NotCompiled = layout === undefined ? NO_LAYOUT : { kind: 'built', simulated: new Simulation({ ...options, ...result, layout }) };
      return { kind: 'runnable', ports: result.ports, build: () => Promise.resolve(built) };
    },
    watching: (task, layout) => icarusWatching(iverilog, task, layout),
  };
}

/** The statements are assignments to variables of the harness, so they have no influence on the design. */
function icarusWatching(iverilog: Iverilog, task: SideTask, layout: Layout): Watching {
  const own = { ...task, iverilog };
  const { name } = harnessFor(own, layout);
  return {
    mark: (branch) => markText(name, branch),
    note: (index, left, right) => noteText(name, index, left, right),
    async compile(copy, watch, budget) {
      const options = { ...own, ...copy };
      const harness = (state: readonly StateVariable[]): Harness => harnessFor(own, layout, state, watch);
      const compiled = await compileDesign(options, harness([]), budget);
      // A design that dumps by itself would write where it likes.
      if (compiled.kind !== 'compiled' || compiled.dumps) return undefined;
      const top = `${name}.${INSTANCE}.`;
      const constants = new Set([...readConstantNets((await readScratch(compiled.vvpFile)).toString('latin1'))].flatMap((net) => (net.startsWith(top) ? [net.slice(top.length)] : [])));
      const simulation = new Simulation({ ...options, ...compiled, layout, harness });
      let drawn: Promise<Simulation | undefined> | undefined;
      return {
        constants,
        async record(rows, { powerOn }, limit) {
          const side = powerOn === undefined ? simulation : await (drawn ??= simulation.withDrawnState(limit));
          if (side === undefined) return undefined;
          const { run, files } = await side.record(rows, limit, [MARKS_FILE, CHANGES_FILE, COMPARED_FILE], powerOn);
          const [marks, changes, compared] = files;
          return run.kind !== 'finished' || marks === undefined || compared === undefined ? undefined : { trace: run.trace, marks, changes, compared };
        },
      };
    },
  };
}
