import type { Lookup, Toolbox } from '../tools/toolbox.ts';
import type { SimulationEngine } from './engine.ts';
import { icarusEngine } from './icarus.ts';
import { twoStateEngine } from './two-state/simulation.ts';

/** Finds a simulator among the tools of this machine. */
export async function findSimulator(name: SimulationEngine['name'], toolbox: Pick<Toolbox, 'iverilog' | 'verilatorSimulator'>): Promise<Lookup<SimulationEngine>> {
  if (name === 'iverilog') {
    const found = await toolbox.iverilog();
    return found.kind === 'found' ? { ...found, tool: icarusEngine(found.tool) } : found;
  }
  const found = await toolbox.verilatorSimulator();
  return found.kind === 'found' ? { ...found, tool: twoStateEngine(found.tool) } : found;
}
