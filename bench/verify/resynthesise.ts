import type { Yosys } from '../../server/src/tools/yosys.ts';

export type Netlist = { readonly kind: 'netlist'; readonly text: string } | { readonly kind: 'unreadable'; readonly reason: string };

/** The module as a netlist of gates and flip-flops, as Yosys synthesises it; latches and three-state drivers included. */
export async function resynthesise(yosys: Yosys, text: string, top: string, aux: Readonly<Record<string, string>>): Promise<Netlist> {
  const inputs = { ...aux, 'design.sv': text };
  const script = ['read_verilog -sv design.sv', ...Object.keys(aux).filter((name) => /\.s?v$/.test(name) && !text.includes(`"${name}"`)).map((name) => `read_verilog -sv ${name}`), `hierarchy -check -top ${top}`, 'proc', 'flatten', 'tribuf', `synth -flatten -top ${top}`, 'opt_clean -purge', 'write_verilog -noattr netlist.v'].join('\n');
  const result = await yosys.run(script, inputs, { outputs: ['netlist.v'], timeoutMs: 60_000 });
  if (result.kind !== 'exited') return { kind: 'unreadable', reason: result.kind };
  const netlist = result.outputs['netlist.v'];
  if (result.ok && netlist !== undefined) return { kind: 'netlist', text: netlist };
  return { kind: 'unreadable', reason: /ERROR: (.*)/.exec(result.log)?.[1] ?? 'no reason' };
}
