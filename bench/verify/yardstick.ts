/**
 * The stimulus rules of the generator that this engine is measured against, written from its description and its published code: Yosys tells ports, clocks and
 * resets of the golden, once, and they are kept with it; one testbench holds both modules, renamed; uniform `$random` inputs; each step changes the inputs, then
 * turns the clock, then counts whether all outputs are `===`, from time zero on; 100 sequences of 1000 steps with resets drawn at random, and as many again for
 * each combination of the resets, begun with a pulse on them. It does not stop at a difference: the share of steps with an error is part of its answer.
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

/** Sequences of one phase, and steps of a sequence. */
const SEQUENCES = 100;
const STEPS = 1000;
/** Seconds after which the reward of its training counts a pair as wrong. */
const SECONDS = 30;

interface Cell {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly connections: Readonly<Record<string, readonly (number | string)[]>>;
}

interface Design {
  readonly ports: Readonly<Record<string, { readonly direction: string; readonly bits: readonly (number | string)[] }>>;
  readonly cells: Readonly<Record<string, Cell>>;
}

interface Reset {
  readonly port: string;
  readonly high: boolean;
  readonly synchronous: boolean;
}

/** What the generator keeps with a golden. */
export interface GoldenPorts {
  readonly ports: Design['ports'];
  readonly clock: { readonly port: string; readonly edge: 'posedge' | 'negedge' } | undefined;
  readonly resets: readonly Reset[];
}

/** Ports, clock and resets of a golden; a text says why it is refused. */
export async function readGolden(yosys: Yosys, { golden, goldenTop, aux }: Omit<YardstickPair, 'dut' | 'dutTop'>): Promise<GoldenPorts | string> {
  const result = await yosys.run(
    ['read_verilog -sv design.sv', `prep -flatten -top ${goldenTop}`, 'opt_dff -nodffe', 'write_json design.json'].join('\n'),
    { ...aux, 'design.sv': golden },
    { outputs: ['design.json'], timeoutMs: 30_000 },
  );
  const json = result.kind === 'exited' && result.ok ? result.outputs['design.json'] : undefined;
  if (json === undefined) return 'Yosys cannot read the golden module';
  const design = (JSON.parse(json) as { modules: Record<string, Design> }).modules[goldenTop];
  return design === undefined ? 'no module' : timingOf(design);
}

export async function yardstick(golden: GoldenPorts | string, pair: YardstickPair, dir: string): Promise<YardstickVerdict> {
  if (typeof golden === 'string') return { verdict: 'refused', reason: golden };
  const rename = (text: string, top: string, suffix: string): string => {
    const names = [...text.matchAll(/\bmodule\s+(\w+)/g)].map(([, name = '']) => name);
    return [...new Set([...names, top])].reduce((renamed, name) => renamed.replace(new RegExp(`\\b${name}\\b`, 'g'), `${name}${suffix}`), text);
  };
  for (const [name, text] of Object.entries(pair.aux)) writeFileSync(path.join(dir, name), text);
  writeFileSync(path.join(dir, 'golden.sv'), rename(pair.golden, pair.goldenTop, '_gold'));
  writeFileSync(path.join(dir, 'dut.sv'), rename(pair.dut, pair.dutTop, '_gate'));
  writeFileSync(path.join(dir, 'tb.sv'), testbench(golden, `${pair.goldenTop}_gold`, `${pair.dutTop}_gate`));
  const compiled = await run('iverilog', ['-g2012', '-o', 'tb.vvp', '-s', 'tb', 'tb.sv', 'golden.sv', 'dut.sv'], { cwd: dir, timeoutMs: 20_000, env: { TMPDIR: dir } });
  if (compiled.kind !== 'exited') return { verdict: 'timeout', reason: 'compiler' };
  if (compiled.exitCode !== 0) return { verdict: 'refused', reason: compiled.stderr.split('\n')[0] ?? '' };
  const simulated = await run('vvp', ['-n', 'tb.vvp'], { cwd: dir, timeoutMs: SECONDS * 1000 });
  if (simulated.kind !== 'exited') return { verdict: 'timeout', reason: simulated.kind };
  const errors = /^errors: (\d+)$/m.exec(simulated.stdout)?.[1];
  if (errors === undefined) return { verdict: 'timeout', reason: 'no answer' };
  return { verdict: errors === '0' ? 'same' : 'different', reason: '' };
}

function timingOf({ ports, cells }: Design): GoldenPorts | string {
  const inputOf = (bit: number | string | undefined): string | undefined =>
    Object.entries(ports).find(([, port]) => port.direction === 'input' && port.bits.length === 1 && port.bits[0] === bit)?.[0];
  const clocks = new Map<string, { readonly port: string | undefined; readonly edge: 'posedge' | 'negedge' }>();
  const resets = new Map<string, Reset>();
  const isHigh = (value: string | undefined): boolean => /1$/.test(String(value));
  for (const { type, parameters, connections } of Object.values(cells)) {
    if (/latch/i.test(type)) return 'a latch';
    const clock = connections['CLK']?.[0];
    if (clock === undefined || !/ff/i.test(type)) continue;
    const [port, edge] = [inputOf(clock), isHigh(parameters['CLK_POLARITY']) ? 'posedge' : 'negedge'] as const;
    clocks.set(`${port ?? 'internal'} ${edge}`, { port, edge });
    for (const [pin, synchronous] of [['ARST', false], ['SRST', true]] as const) {
      const reset = inputOf(connections[pin]?.[0]);
      const high = isHigh(parameters[`${pin}_POLARITY`]);
      if (reset !== undefined) resets.set(`${reset} ${String(high)} ${String(synchronous)}`, { port: reset, high, synchronous });
    }
  }
  if (clocks.size > 1) return 'more than one clock or edge';
  const [clock] = [...clocks.values()];
  if (clock !== undefined && clock.port === undefined) return 'an internal clock';
  return { ports, clock: clock?.port === undefined ? undefined : { port: clock.port, edge: clock.edge }, resets: [...resets.values()] };
}

/** Every choice of some of the reset ports, each in one of its ways. */
function resetChoices(resets: readonly Reset[]): Reset[][] {
  const names = [...new Set(resets.map(({ port }) => port))];
  const ways = names.reduce<Reset[][]>((choices, name) => choices.flatMap((choice) => [choice, ...resets.filter(({ port }) => port === name).map((reset) => [...choice, reset])]), [[]]);
  return ways.filter((choice) => choice.length > 0);
}

function testbench({ ports: all, clock, resets }: GoldenPorts, golden: string, dut: string): string {
  const ports = Object.entries(all).filter(([, port]) => port.direction !== 'inout');
  const range = (bits: readonly unknown[]): string => `[${String(bits.length - 1)}:0]`;
  const inputs = ports.filter(([, port]) => port.direction === 'input');
  const outputs = ports.filter(([, port]) => port.direction === 'output');
  const controls = new Set([clock?.port, ...resets.map(({ port }) => port)]);
  const randomize = inputs.filter(([name]) => !controls.has(name)).map(([name, port]) => `i_${name} = {${Array.from({ length: Math.ceil(port.bits.length / 32) }, () => '$random(seed)').join(', ')}};`);
  const connect = (side: string): string => ports.map(([name, port]) => `.${name}(${port.direction === 'input' ? 'i' : side}_${name})`).join(', ');
  const same = [...outputs.map(([name]) => `g_${name} === d_${name}`), "1'b1"].join(' & ');
  const turn = clock === undefined ? '' : `i_${clock.port} = ~i_${clock.port};`;
  const set = (chosen: readonly Reset[], asserted: boolean): string => chosen.map(({ port, high }) => `i_${port} = 1'b${high === asserted ? '1' : '0'};`).join(' ');
  /** A pulse of a synchronous reset spans both edges; without one it has no width. */
  const pulse = (chosen: readonly Reset[]): string => {
    const synchronous = chosen.filter((reset) => reset.synchronous);
    return synchronous.length > 0 ? `${set(synchronous, true)} #10 ${turn} #10 ${turn} ${set(chosen, false)}` : `${set(chosen, true)} ${set(chosen, false)}`;
  };
  const drawn = [...new Set(resets.map(({ port }) => port))].map((port) => `i_${port} = $random(seed);`).join(' ');
  const phase = (begin: string): string => `    repeat (${String(SEQUENCES)}) begin
      ${begin}
      #100 count;
      repeat (${String(STEPS)}) begin
        #100 ${randomize.join(' ')}
        ${clock === undefined ? '' : `#100 ${turn}`}
        #100 count;
      end
    end`;
  return `module tb;
${inputs.map(([name, port]) => `  reg ${range(port.bits)} i_${name};`).join('\n')}
${outputs.map(([name, port]) => `  wire ${range(port.bits)} g_${name}, d_${name};`).join('\n')}
  reg differ;
  integer seed, steps, errors;
  ${golden} golden(${connect('g')});
  ${dut} dut(${connect('d')});
  always @* begin #5 differ = ~(${same}); end
  task count; begin if (differ === 1'b1) errors = errors + 1; steps = steps + 1; end endtask
  initial begin
    seed = 0; steps = 0; errors = 0;
    ${clock === undefined ? '' : `i_${clock.port} = 1'b${clock.edge === 'posedge' ? '0' : '1'};`}
${[drawn, ...resetChoices(resets).map(pulse)].map(phase).join('\n')}
    $display("steps: %0d", steps);
    $display("errors: %0d", errors);
    $finish;
  end
endmodule
`;
}
