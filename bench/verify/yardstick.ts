/**
 * The stimulus rules of the generator that this engine is measured against, written from their description: Yosys tells ports, the clock and the resets; one
 * testbench holds both modules; uniform `$random` inputs, one half cycle a step, about 100,000 samples in each reset phase; outputs are compared with `===`
 * from time zero.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../server/src/base/process.ts';
import type { Yosys } from '../../server/src/tools/yosys.ts';

export interface YardstickPair {
  readonly golden: string;
  readonly dut: string;
  readonly goldenTop: string;
  readonly dutTop: string;
  readonly aux: Readonly<Record<string, string>>;
}

export interface YardstickVerdict {
  readonly verdict: 'same' | 'different' | 'refused' | 'timeout';
  readonly reason: string;
}

const SAMPLES = 100_000;

interface Cell {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly connections: Readonly<Record<string, readonly (number | string)[]>>;
}

interface Design {
  readonly ports: Readonly<Record<string, { readonly direction: string; readonly bits: readonly (number | string)[] }>>;
  readonly cells: Readonly<Record<string, Cell>>;
}

interface Timing {
  readonly clock: string | undefined;
  readonly resets: readonly { readonly port: string; readonly high: boolean; readonly asynchronous: boolean }[];
}

export async function yardstick(yosys: Yosys, pair: YardstickPair, dir: string): Promise<YardstickVerdict> {
  const result = await yosys.run(
    ['read_verilog -sv design.sv', `prep -flatten -top ${pair.goldenTop}`, 'opt_dff -nodffe', 'write_json design.json'].join('\n'),
    { ...pair.aux, 'design.sv': pair.golden },
    { outputs: ['design.json'], timeoutMs: 30_000 },
  );
  const json = result.kind === 'exited' && result.ok ? result.outputs['design.json'] : undefined;
  if (json === undefined) return { verdict: 'refused', reason: 'Yosys cannot read the golden module' };
  const modules = (JSON.parse(json) as { modules: Record<string, Design> }).modules;
  const design = modules[pair.goldenTop];
  if (design === undefined) return { verdict: 'refused', reason: 'no module' };
  const timing = timingOf(design);
  if (typeof timing === 'string') return { verdict: 'refused', reason: timing };
  const rename = (text: string, top: string, suffix: string): string => {
    const names = [...text.matchAll(/\bmodule\s+(\w+)/g)].map(([, name = '']) => name);
    return [...new Set([...names, top])].reduce((renamed, name) => renamed.replace(new RegExp(`\\b${name}\\b`, 'g'), `${name}${suffix}`), text);
  };
  for (const [name, text] of Object.entries(pair.aux)) writeFileSync(path.join(dir, name), text);
  writeFileSync(path.join(dir, 'golden.sv'), rename(pair.golden, pair.goldenTop, '_gold'));
  writeFileSync(path.join(dir, 'dut.sv'), rename(pair.dut, pair.dutTop, '_gate'));
  writeFileSync(path.join(dir, 'tb.sv'), testbench(design, timing, `${pair.goldenTop}_gold`, `${pair.dutTop}_gate`));
  const compiled = await run('iverilog', ['-g2012', '-o', 'tb.vvp', '-s', 'tb', 'tb.sv', 'golden.sv', 'dut.sv'], { cwd: dir, timeoutMs: 20_000, env: { TMPDIR: dir } });
  if (compiled.kind !== 'exited') return { verdict: 'timeout', reason: 'compiler' };
  if (compiled.exitCode !== 0) return { verdict: 'refused', reason: compiled.stderr.split('\n')[0] ?? '' };
  const simulated = await run('vvp', ['-n', 'tb.vvp'], { cwd: dir, timeoutMs: 30_000 });
  if (simulated.kind !== 'exited') return { verdict: 'timeout', reason: simulated.kind };
  if (/^SAME$/m.test(simulated.stdout)) return { verdict: 'same', reason: '' };
  return /^DIFFERENT/m.test(simulated.stdout) ? { verdict: 'different', reason: '' } : { verdict: 'timeout', reason: 'no answer' };
}

function timingOf(design: Design): Timing | string {
  const inputOf = (bit: number | string | undefined): string | undefined =>
    Object.entries(design.ports).find(([, port]) => port.direction === 'input' && port.bits.length === 1 && port.bits[0] === bit)?.[0];
  const clocks = new Set<string>();
  const resets = new Map<string, Timing['resets'][number]>();
  for (const { type, parameters, connections } of Object.values(design.cells)) {
    if (/latch/i.test(type)) return 'a latch';
    const clock = connections['CLK']?.[0];
    if (clock === undefined || !/ff/i.test(type)) continue;
    clocks.add(`${inputOf(clock) ?? 'internal'} ${String(parameters['CLK_POLARITY'])}`);
    for (const [pin, asynchronous] of [['ARST', true], ['SRST', false]] as const) {
      const port = inputOf(connections[pin]?.[0]);
      if (port !== undefined) resets.set(port, { port, asynchronous, high: /1$/.test(String(parameters[`${pin}_POLARITY`])) });
    }
  }
  if (clocks.size > 1) return 'more than one clock or edge';
  const [clock] = [...clocks].map((text) => text.split(' ')[0]);
  if (clock === 'internal') return 'an internal clock';
  return { clock, resets: [...resets.values()] };
}

function testbench(design: Design, { clock, resets }: Timing, golden: string, dut: string): string {
  const ports = Object.entries(design.ports).filter(([, port]) => port.direction !== 'inout');
  const range = (bits: readonly unknown[]): string => `[${String(bits.length - 1)}:0]`;
  const inputs = ports.filter(([, port]) => port.direction === 'input');
  const outputs = ports.filter(([, port]) => port.direction === 'output');
  const controls = new Set([clock, ...resets.map(({ port }) => port)]);
  const randomize = inputs.filter(([name]) => !controls.has(name)).map(([name, port]) => `i_${name} = {${Array.from({ length: Math.ceil(port.bits.length / 32) }, () => '$random').join(', ')}};`);
  const connect = (side: string): string => ports.map(([name, port]) => `.${name}(${port.direction === 'input' ? 'i' : side}_${name})`).join(', ');
  const compare = outputs.map(([name]) => `if (g_${name} !== d_${name}) begin $display("DIFFERENT ${name}"); $finish; end`);
  const drive = (asserted: boolean): string => resets.map(({ port, high }) => `i_${port} = 1'b${high === asserted ? '1' : '0'};`).join(' ');
  const phases = resets.length === 0 ? [''] : [`${drive(true)} #0 ${drive(false)}`, resets.map(({ port }) => `i_${port} = $random;`).join(' ')];
  return `module tb;
${inputs.map(([name, port]) => `  reg ${range(port.bits)} i_${name};`).join('\n')}
${outputs.map(([name, port]) => `  wire ${range(port.bits)} g_${name}, d_${name};`).join('\n')}
  integer step;
  ${golden} golden(${connect('g')});
  ${dut} dut(${connect('d')});
  initial begin
    ${clock === undefined ? '' : `i_${clock} = 0;`}
${phases
  .map(
    (phase, index) => `    ${index === 0 ? phase : ''}
    for (step = 0; step < ${String(SAMPLES)}; step = step + 1) begin
      ${randomize.join(' ')} ${index === 0 ? '' : `if (step % 64 == 0) begin ${phase} end`}
      ${clock === undefined ? '' : `i_${clock} = ~i_${clock};`}
      #1 ${compare.join(' ')}
    end`,
  )
  .join('\n')}
    $display("SAME");
    $finish;
  end
endmodule
`;
}
