import { createHash } from 'node:crypto';
import type { Port } from '../analysis/module.ts';
import type { Bounds, StateVariable } from '../tools/vvp-state.ts';
import { connectPort } from './array-ports.ts';
import type { PowerOn } from './engine.ts';
import { idleClocks, type Layout } from './stimulus/layout.ts';
import { timescaleDirective, type Timescale } from './source-scan.ts';

/** File names inside a run directory; the harness opens them relative to its working directory. */
export const STIMULUS_FILE = 'stimulus.bin';
export const TRACE_FILE = 'trace.bin';
export const MARKS_FILE = 'marks.bin';
export const CHANGES_FILE = 'changes.vcd';
export const COMPARED_FILE = 'compared.bin';

export interface ProbeOptions {
  readonly module: string;
  /** Parameter overrides as expression text. */
  readonly parameters: Readonly<Record<string, string>>;
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

/** What a run notes beside its trace. */
export interface Watch {
  /** Branches that the design marks, see `markText`. */
  readonly branches: number;
  /** Write the marks at every sample and clear them; else once, at the end. */
  readonly eachSample: boolean;
  /** Variables and nets whose changes are dumped: paths from the instance on, or all of them. */
  readonly changes: 'all' | readonly (readonly string[])[];
  /** Comparisons whose values the design notes, see `noteText`; written at every sample and cleared. */
  readonly compared: number;
}

/** Bits that a sample has for each comparison: both values, and whether there were any. */
export const COMPARED_BITS = 160;

/** The statement by which a design notes the values of a comparison. */
export function noteText(harness: string, index: number, left: string, right: string): string {
  const name = (part: string): string => `${harness}.${part}_${String(index)}`;
  return `${name('left')} = ${left}; ${name('right')} = ${right}; ${name('noted')} = 32'd1;`;
}

/** Words of 32 marks that are needed; a design without branches still has one. */
export function markWords(branches: number): number {
  return Math.max(1, Math.ceil(branches / 32));
}

/** The statement by which a design marks a branch in a harness that watches. */
export function markText(harness: string, branch: number): string {
  return `${harness}.taken_${String(branch >> 5)}[${String(branch & 31)}] = 1'b1;`;
}

/** Plus arguments that ask a harness with state for a drawn power-on. */
export function powerOnArguments(powerOn: PowerOn | undefined): string[] {
  if (powerOn === undefined) return [];
  const { seed, again } = powerOn;
  return [`+power_on=${String(seed)}`, ...(again === undefined ? [] : [`+again=${String(again.rows)}`, `+states=${String(again.states)}`, ...(again.unknownFirst ? ['+unknown_first'] : [])])];
}

export interface Harness {
  readonly name: string;
  readonly text: string;
  /** System tasks and functions that every such text calls, by which a reader of what was compiled can tell whether it sees calls. */
  readonly calls?: readonly string[];
  /** The port that each net of the text is connected to, by which a message about the net can be told. */
  readonly nets?: ReadonlyMap<string, string>;
}

/** Delay, in time units, from an input change to the sample that sees its effect; longer than delays in design code usually are. */
export const SETTLE = 100;

/** Instance name of the design inside the harness. */
export const INSTANCE = 'side';

/** An identifier in a form that is legal whatever its characters (IEEE 1800 5.6.1). */
export function escapedIdentifier(name: string): string {
  return `\\${name} `;
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
  const power = powerOn(options.state ?? []);
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

/** A dump that grows beyond this is cut off by the simulator. */
export const MOST_CHANGES_BYTES = 48 * 2 ** 20;

function watchTexts(watch: Watch | undefined): { readonly declarations: string; readonly start: string; readonly sample: string; readonly end: string } {
  if (watch === undefined) return { declarations: '', start: '', sample: '', end: '' };
  const words = Array.from({ length: markWords(watch.branches) }, (_, index) => `taken_${String(index)}`);
  const write = `$fwrite(marks, "%z", {${[...words].reverse().join(', ')}});`;
  const pairs = Array.from({ length: watch.compared }, (_, index) => String(index));
  const noted = pairs.length === 0 ? '' : ` $fwrite(compared, "%z", {${pairs.map((pair) => `noted_${pair}, right_${pair}, left_${pair}`).reverse().join(', ')}}); ${pairs.map((pair) => `noted_${pair} = 0;`).join(' ')}`;
  const targets = watch.changes === 'all' ? [INSTANCE, 'steps'] : watch.changes.map((path) => hierarchicalName([INSTANCE, ...path]));
  const dump = targets.length === 0 ? '' : `    $dumpfile("${CHANGES_FILE}");\n    $dumplimit(${String(MOST_CHANGES_BYTES)});\n    $dumpvars(0, ${targets.join(', ')});\n`;
  return {
    declarations: [
      `  reg [31:0] ${words.map((word) => `${word} = 0`).join(', ')};`,
      ...pairs.map((pair) => `  reg [63:0] left_${pair}, right_${pair}; reg [31:0] noted_${pair} = 0;`),
      '  integer marks, compared;\n',
    ].join('\n'),
    start: `    marks = $fopen("${MARKS_FILE}", "wb");\n${pairs.length === 0 ? '' : `    compared = $fopen("${COMPARED_FILE}", "wb");\n`}${dump}`,
    sample: `${watch.eachSample ? ` ${write} ${words.map((word) => `${word} = 0;`).join(' ')}` : ''}${noted}`,
    end: watch.eachSample ? '    $fclose(marks);\n' : `    ${write}\n    $fclose(marks);\n`,
  };
}

/** A path in the form that a reference needs. The scopes on it may be elements of an array; the last name may only look so. */
function hierarchicalName(path: readonly string[]): string {
  const plain = (part: string, index: number): boolean => (index < path.length - 1 ? /^[A-Za-z_]\w*(\[\d+\])?$/ : /^[A-Za-z_]\w*$/).test(part);
  return path.map((part, index) => (plain(part, index) ? part : escapedIdentifier(part))).join('.');
}

/** A root module that only instantiates the design, so that a compiler reports the ports it elaborates. */
export function makeProbe(options: ProbeOptions): Harness {
  const name = unusedName('rtl_copilot_probe', options.sources);
  return { name, text: `${timescaleLine(options.timescale)}module ${name};\n  ${instantiation(options)} ();\nendmodule\n\`resetall\n` };
}

/** Memories above this many words keep their unknown content, which no short run would read back anyway. */
const MOST_WORDS = 4096;

interface PowerTexts {
  readonly declarations: string;
  readonly start: string;
  /** Whether the step is the first after a power-on. */
  readonly isFirst: string;
  /** What follows a step; `inputs` makes the inputs unknown and settles. */
  readonly again: (inputs: string) => string;
}

/**
 * A task that replaces every unknown bit of the state by a random one, once the design's own initial values are there, and that brings those back when it is
 * called again.
 */
function powerOn(state: readonly StateVariable[]): PowerTexts {
  const held = state.filter(({ words }) => words === undefined || Math.abs(words.left - words.right) < MOST_WORDS);
  if (held.length === 0) return { declarations: '', start: '', isFirst: 'steps == 0', again: () => '' };
  const loop = (counter: string, { left, right }: Bounds, body: string): string =>
    `for (${counter} = ${String(Math.min(left, right))}; ${counter} <= ${String(Math.max(left, right))}; ${counter} = ${counter} + 1) ${body}`;
  const bounds = (range: Bounds | undefined): string => (range === undefined ? '' : `[${String(range.left)}:${String(range.right)}]`);
  const texts = held.map(({ path: [, ...path], bits, words }, index) => {
    const word = words === undefined ? '' : '[word]';
    const [name, kept] = [`${hierarchicalName(path)}${word}`, `kept_${String(index)}${word}`];
    const bit = bits === undefined ? '' : '[index]';
    const inWords = (body: string): string => (words === undefined ? body : loop('word', words, body));
    const inBits = (body: string): string => inWords(bits === undefined ? body : loop('index', bits, body));
    return {
      declaration: `  reg ${bounds(bits)} kept_${String(index)}${words === undefined ? '' : ` ${bounds(words)}`};`,
      keep: inWords(`${kept} = ${name};`),
      restore: inBits(`${name}${bit} = ${kept}${bit};`),
      draw: inBits(`if (${name}${bit} === 1'bx) ${name}${bit} = $random(seed);`),
    };
  });
  const all = (kind: keyof (typeof texts)[number]): string => texts.map((text) => text[kind]).join('\n      ');
  return {
    declarations: `  integer again = 0, states = 1, powers = 0, unknown_first = 0, first_seed;
${texts.map(({ declaration }) => declaration).join('\n')}
  task power;
    begin
      if (powers != 0) begin
      ${all('restore')}
      end
      seed = first_seed + powers % states - unknown_first;
      if (powers % states != 0 || !unknown_first) begin
      ${all('draw')}
      end
      powers = powers + 1;
    end
  endtask
`,
    start: `    if ($value$plusargs("power_on=%d", first_seed)) begin
      if (!$value$plusargs("again=%d", again)) again = 0;
      if (!$value$plusargs("states=%d", states)) states = 1;
      unknown_first = $test$plusargs("unknown_first");
      #1;
      ${all('keep')}
      power;
    end
`,
    isFirst: 'again == 0 ? steps == 0 : steps % again == 0',
    again: (inputs) => `      if (again != 0 && steps % again == 0) begin
        ${inputs} power;
      end
`,
  };
}

function timescaleLine(timescale: Timescale | undefined): string {
  return timescale === undefined ? '' : timescaleDirective(timescale);
}

/** How a text around the design keeps time. */
export interface Pace {
  /** Directive line, or nothing. */
  readonly timescale: string;
  /** Delay before the first step, as a statement, or nothing. */
  readonly start: string;
  /** Delay of a step, in time units. */
  readonly settle: number;
  /** The time unit as a power of ten of a second; undefined where no time scale is stated. */
  readonly unit: number | undefined;
}

/** A design without inputs can only change by its own delays, so it is sampled in the middle of each of its time units. */
export function paceOf(layout: Layout, timescale: Timescale | undefined): Pace {
  if (layout.fields.length > 0) return { timescale: timescaleLine(timescale), start: '', settle: SETTLE, unit: timescale?.unit };
  const { unit, precision } = timescale ?? { unit: 0, precision: 0 };
  return { timescale: timescaleDirective({ unit, precision: Math.min(precision, unit - 1) }), start: '    #0.5;\n', settle: 1, unit };
}

export function instantiation(options: ProbeOptions): string {
  const overrides = Object.entries(options.parameters).map(([parameter, value]) => `.${escapedIdentifier(parameter)}(${value})`);
  const parameters = overrides.length === 0 ? '' : `#(${overrides.join(', ')}) `;
  return `${escapedIdentifier(options.module)}${parameters}${INSTANCE}`;
}

function range(width: number): string {
  return width === 1 ? '' : `[${String(width - 1)}:0] `;
}

/** A name that holds a digest of the sources, so that none of them can name it, not even by macros. */
export function unusedName(base: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(source);
  return `${base}_${hash.digest('hex').slice(0, 16)}`;
}
