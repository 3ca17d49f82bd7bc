import type { Port } from '../../analysis/module.ts';
import type { StateVariable } from '../../tools/vvp-state.ts';
import { connectPort } from '../array-ports.ts';
import type { Timescale } from '../source-scan.ts';
import { idleClocks, type Layout } from '../stimulus/layout.ts';
import { escapedIdentifier, instantiation, unusedName, type Instantiated } from './naming.ts';
import { paceOf, timescaleLine } from './pace.ts';
import { powerOnTexts } from './power-on.ts';
import { watchTexts, type Watch } from './watch.ts';

/** File names inside a run directory; the harness opens them relative to its working directory. */
export const STIMULUS_FILE = 'stimulus.bin';
export const TRACE_FILE = 'trace.bin';

export interface ProbeOptions extends Instantiated {
  /** Stated by the design, or undefined: then the language's default of 1 s holds. */
  readonly timescale: Timescale | undefined;
  /** Source text of the design: the harness chooses a module name that does not occur in it. */
  readonly sources: readonly string[];
}

export interface HarnessOptions extends ProbeOptions {
  readonly layout: Layout;
  /** The ports of this side as it declares them. */
  readonly ports: readonly Pick<Port, 'name' | 'unpacked'>[];
  /** Variables whose unknown bits get random values before the first row when a run asks for it; their paths start at the harness. */
  readonly state?: readonly StateVariable[];
  readonly watch?: Watch | undefined;
}

export interface Harness {
  readonly name: string;
  readonly text: string;
  /** System tasks and functions that every such text calls, by which a reader of what was compiled can tell whether it sees calls. */
  readonly calls?: readonly string[];
  /** The port that each net of the text is connected to, by which a message about the net can be told. */
  readonly nets?: ReadonlyMap<string, string>;
}

/**
 * The harness around one side, in Verilog-2001 so that every language generation accepts it. It reads rows, and for each: applies
 * the data fields, settles, samples, moves the clock fields, settles, samples (see `Layout`). Before the first sample the clocks settle at their idle
 * levels: a clock that is unknown gates and muxes nothing as in hardware.
 */
export function makeHarness(options: HarnessOptions): Harness {
  const { layout } = options;
  const name = unusedName('rtl_copilot_harness', options.sources);
  const rowBits = layout.rowBytes * 8;
  const fieldName = (index: number): string => `in_${String(index)}`;
  const fieldNames = layout.fields.map((_, index) => fieldName(index));
  const declarations: string[] = [];
  const connections: string[] = [];
  const unpacked = new Map(options.ports.map((port) => [port.name, port.unpacked]));
  const connect = (net: string, port: string, width: number, isInput: boolean): void => {
    const connection = connectPort(net, { isInput, width, unpacked: unpacked.get(port) ?? [] });
    declarations.push(...connection.declarations);
    connections.push(`.${escapedIdentifier(port)}(${connection.net})`);
  };
  layout.fields.forEach((field, index) => {
    const net = fieldNames[index] ?? '';
    declarations.push(`  reg ${range(field.width)}${net};`);
    if (field.role === 'data' || field.role === 'clock') connect(net, field.port, field.width, true);
  });
  layout.observed.forEach((port, index) => {
    const net = `out_${String(index)}`;
    declarations.push(`  wire ${range(port.width)}${net};`);
    connect(net, port.port, port.width, false);
    if (port.inout) {
      const value = layout.fields.findIndex((field) => field.port === port.port && field.role === 'inout');
      declarations.push(`  assign ${net} = in_${String(value + 1)} ? in_${String(value)} : {${String(port.width)}{1'bz}};`);
    }
  });
  const group = (clocks: boolean): string => {
    const members = fieldNames.filter((_, index) => (layout.fields[index]?.role === 'clock') === clocks);
    return `{${members.reverse().join(', ')}}`;
  };
  const sampled = `{${layout.observed.map((_, index) => `out_${String(index)}`).reverse().join(', ')}}`;
  const pace = paceOf(layout, options.timescale);
  const power = powerOnTexts(options.state ?? []);
  const watching = watchTexts(options.watch);
  const step: string[] = [];
  if (layout.dataBits > 0) step.push(`${group(false)} = row[${String(layout.dataBits - 1)}:0];`);
  const sample = `#${String(pace.settle)} $fwrite(trace, "%z", sampled);${watching.sample}`;
  if (layout.clockBits > 0) step.push(`if (${power.isFirst}) #${String(pace.settle)} ${group(true)} = ${String(layout.clockBits)}'b${idleClocks(layout)};`);
  step.push(sample);
  if (layout.clockBits > 0) {
    step.push(`${group(true)} = row[${String(layout.dataBits + layout.clockBits - 1)}:${String(layout.dataBits)}];`);
    step.push(sample);
  }
  const text = `${pace.timescale}module ${name};
  reg [${String(rowBits - 1)}:0] row;
${declarations.join('\n')}
  wire [${String(Math.max(1, layout.observedBits) - 1)}:0] sampled = ${sampled};
  integer stimulus, trace, count, steps, seed, word, index;
${power.declarations}${watching.declarations}  ${instantiation(options)} (${connections.join(', ')});
  initial begin
    stimulus = $fopen("${STIMULUS_FILE}", "rb");
    trace = $fopen("${TRACE_FILE}", "wb");
    steps = 0;
${watching.start}${pace.start}${power.start}    count = $fread(row, stimulus);
    while (count == ${String(layout.rowBytes)}) begin
      ${step.join('\n      ')}
      steps = steps + 1;
      if (steps % 64 == 0) $fflush(trace);
${power.again(`{${fieldNames.join(', ')}} = {${String(Math.max(1, layout.dataBits + layout.clockBits))}{1'bx}}; #${String(pace.settle)}`)}      count = $fread(row, stimulus);
    end
    $fclose(trace);
${watching.end}    $finish(0);
  end
endmodule
\`resetall
`;
  const nets = new Map([...layout.fields.map(({ port }, index) => [fieldName(index), port] as const), ...layout.observed.map(({ port }, index) => [`out_${String(index)}`, port] as const)]);
  return { name, text, nets, calls: ['$fopen', '$fread', '$fwrite', '$fclose', '$finish'] };
}

/** A root module that only instantiates the design, so that a compiler reports the ports it elaborates. */
export function makeProbe(options: ProbeOptions): Harness {
  const name = unusedName('rtl_copilot_probe', options.sources);
  return { name, text: `${timescaleLine(options.timescale)}module ${name};\n  ${instantiation(options)} ();\nendmodule\n\`resetall\n` };
}

function range(width: number): string {
  return width === 1 ? '' : `[${String(width - 1)}:0] `;
}
