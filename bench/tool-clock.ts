import type { Lookup, Toolbox } from '../server/src/tools/toolbox.ts';
import type { Yosys } from '../server/src/tools/yosys.ts';

/** Notes when the programs of a toolbox run. */
export class ToolClock {
  readonly #runs: { readonly start: number; end: number }[] = [];

  /** Milliseconds of a span of time (of `performance.now`) in which at least one program ran. */
  between(from: number, to: number): number {
    const inside = this.#runs.map(({ start, end }) => ({ start: Math.max(start, from), end: Math.min(end, to) })).filter(({ start, end }) => end > start);
    inside.sort((a, b) => a.start - b.start);
    let [sum, reached] = [0, from];
    for (const { start, end } of inside) {
      sum += Math.max(0, end - Math.max(start, reached));
      reached = Math.max(reached, end);
    }
    return sum;
  }

  watch(toolbox: Toolbox): Toolbox {
    return {
      ...toolbox,
      iverilog: async () => {
        const found = await toolbox.iverilog();
        if (found.kind !== 'found') return found;
        const { tool } = found;
        return { ...found, tool: { ...tool, compile: (request) => this.#time(tool.compile(request)), simulate: (request) => this.#time(tool.simulate(request)) } };
      },
      yosys: async () => this.#watchYosys(await toolbox.yosys()),
      embeddedYosys: async () => this.#watchYosys(await toolbox.embeddedYosys()),
    };
  }

  #watchYosys(found: Lookup<Yosys>): Lookup<Yosys> {
    if (found.kind !== 'found') return found;
    const { tool } = found;
    return { ...found, tool: { ...tool, run: (script, inputs, options) => this.#time(tool.run(script, inputs, options)) } };
  }

  async #time<T>(work: Promise<T>): Promise<T> {
    const run = { start: performance.now(), end: Infinity };
    this.#runs.push(run);
    try {
      return await work;
    } finally {
      run.end = performance.now();
    }
  }
}
