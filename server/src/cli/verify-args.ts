import type { EngineChoice, ResetOverride, Unknowns } from '../verification/verdict.ts';
import { MOST_SETS, type Sweep } from '../verification/sweep.ts';
import { defaultSettings } from '../config.ts';
import { commonOptions, UsageError, type CommandSpec, type ParsedArgs } from './args.ts';
import { sourceOptions } from './sources.ts';

export const verifySpec: CommandSpec = {
  name: 'verify',
  usage: '--dut FILE[:MODULE] --golden FILE[:MODULE] [options]',
  summary: 'Compares a module, the device under test (DUT), with a golden module that is known to be right.',
  options: [
    { name: 'dut', value: 'FILE[:MODULE]', repeatable: true, help: 'The module to check. MODULE may be left out when the file has one candidate. Given several times, each is checked.' },
    { name: 'golden', value: 'FILE[:MODULE]', help: 'The reference to check against.' },
    { name: 'pairs', value: 'LIST', help: 'Check the pairs of a list: on each line a DUT, its golden unless --golden names one for all, and options of this pair.' },
    { name: 'jobs', short: 'j', value: 'N', help: 'Check so many of several pairs at the same time. Default: as many as there are cores.' },
    ...sourceOptions,
    { name: 'param', value: 'NAME=VALUE', repeatable: true, help: 'Override a parameter on both sides; dut.NAME or golden.NAME: on one.' },
    { name: 'sweep', value: 'NAME=V1,V2,…', repeatable: true, help: 'Verify with each of these values of a parameter, and with several sweeps every combination; the worst verdict counts.' },
    { name: 'clock', value: 'NAME', repeatable: true, help: 'Use this clock instead of the detected ones.' },
    { name: 'reset', value: 'NAME[:high|low]', repeatable: true, help: 'Use this reset instead of the detected ones.' },
    { name: 'assume', value: 'EXPR', repeatable: true, help: 'Keep the inputs to a condition, a Verilog expression such as "b != 0".' },
    { name: 'cycles', value: 'N', help: 'Length of the run in clock cycles (input vectors without a clock).' },
    { name: 'seed', value: 'N', help: `Seed of the stimulus; the same seed gives the same run. Default ${defaultSettings['verify.seed']}.` },
    { name: 'timeout', value: 'SECONDS', help: `Time budget of the whole verification on an idle machine; a busy one may take up to three times as long. Default ${defaultSettings['verify.timeout']}.` },
    { name: 'engine', value: 'ENGINE', help: 'auto, iverilog, verilator, yosys or yosys-wasm. Default auto.' },
    { name: 'unknowns', value: 'RULE', help: 'What an unknown bit (x) of the golden says. ignore (the default): nothing; strict: the DUT must be x there too, which no proof can tell.' },
    { name: 'no-prove', help: 'Do not try a formal proof after the simulation.' },
    { name: 'brief', help: 'Only the verdict: a difference is told as it was first met, and is neither made plain nor explained, which takes less time.' },
    { name: 'fix', help: 'Where the modules differ, look for a small change of the DUT that makes it right, and show it; nothing is written. This may take the time budget once more.' },
    { name: 'wave', help: 'Draw the counterexample as a waveform.' },
    { name: 'testbench', value: 'OUT.v', terminalOnly: true, help: 'Write the counterexample as a self-checking testbench.' },
    { name: 'vcd', value: 'OUT.vcd', terminalOnly: true, help: 'Write the counterexample as a waveform file.' },
    { name: 'save-case', terminalOnly: true, help: 'Save the counterexample as a regression case beside the golden file (NAME.cases.json), to be tried first from now on.' },
    ...commonOptions,
  ],
  notes: [
    'Several pairs give a line each, in their order, and a summary; with --json an object each, one a line. What is learnt of a golden serves all of its DUTs, so one run with many is faster than many runs.',
  ],
  exitCodes: '0 no difference found or proved equivalent; 1 different; 2 inconclusive or out of time; 3 bad input, interface mismatch or a tool that failed. Of several pairs the worst verdict counts, a difference first.',
};

/** One module as the user wrote it. */
export interface ModuleReference {
  readonly file: string;
  readonly module: string | undefined;
}

export interface VerifyArgs {
  readonly dut: ModuleReference;
  readonly golden: ModuleReference;
  readonly dutParameters: Readonly<Record<string, string>>;
  readonly goldenParameters: Readonly<Record<string, string>>;
  readonly sweeps: readonly Sweep[];
  readonly clocks: readonly string[];
  readonly resets: readonly ResetOverride[];
  readonly assume: readonly string[];
  readonly cycles: number | undefined;
  readonly seed: number;
  readonly timeoutMs: number;
  readonly engine: EngineChoice;
  readonly prove: boolean;
  readonly unknowns: Unknowns;
  readonly brief: boolean;
  readonly fix: boolean;
  readonly wave: boolean;
  readonly testbench: string | undefined;
  readonly vcd: string | undefined;
  readonly saveCase: boolean;
}

const engines: readonly EngineChoice[] = ['auto', 'iverilog', 'verilator', 'yosys', 'yosys-wasm'];
export const largestSeed = 2 ** 32 - 1;
const largestTimeoutS = 24 * 60 * 60;

/** `exists` says whether a path, as written, names a file. Throws a `UsageError`. */
export function verifyArgs(parsed: ParsedArgs, exists: (path: string) => boolean): VerifyArgs {
  const [stray] = parsed.positionals;
  if (stray !== undefined) throw new UsageError(`"${stray}" belongs to no option; name the two modules with --dut and --golden.`);
  const showing = ['wave', 'testbench', 'vcd', 'save-case'].find((name) => parsed.flag(name));
  if (parsed.flag('brief') && showing !== undefined) throw new UsageError(`--brief leaves no counterexample for --${showing}; leave out one of the two.`);
  if (parsed.flag('fix') && parsed.flag('sweep')) throw new UsageError('--fix looks at one set of parameters; leave out --sweep, and give the set with --param.');
  const parameters = parameterArgs(parsed.all('param'));
  return {
    dut: moduleArg(parsed, 'dut', exists),
    golden: moduleArg(parsed, 'golden', exists),
    dutParameters: parameters.dut,
    goldenParameters: parameters.golden,
    sweeps: sweepArgs(parsed.all('sweep')),
    clocks: parsed.all('clock'),
    resets: parsed.all('reset').map(resetArg),
    assume: parsed.all('assume'),
    cycles: integerArg(parsed, 'cycles', 1, Number.MAX_SAFE_INTEGER),
    seed: integerArg(parsed, 'seed', 0, largestSeed) ?? defaultSettings['verify.seed'],
    timeoutMs: secondsArg(parsed, 'timeout') ?? 1000 * defaultSettings['verify.timeout'],
    engine: engineArg(parsed),
    prove: !parsed.flag('no-prove'),
    unknowns: unknownsArg(parsed),
    brief: parsed.flag('brief'),
    fix: parsed.flag('fix'),
    wave: parsed.flag('wave'),
    testbench: parsed.one('testbench'),
    vcd: parsed.one('vcd'),
    saveCase: parsed.flag('save-case'),
  };
}

function moduleArg(parsed: ParsedArgs, name: 'dut' | 'golden', exists: (path: string) => boolean): ModuleReference {
  const text = parsed.one(name);
  if (text === undefined) throw new UsageError(`The option --${name} is missing; name the ${name === 'dut' ? 'module to check' : 'reference'} with --${name} FILE[:MODULE].`);
  const reference = splitReference(text, exists);
  if (reference === undefined) throw new UsageError(`--${name} ${text}: what follows the last colon is not a module name.`);
  return reference;
}

/**
 * Splits `FILE[:MODULE]` at its last colon. A text that names an existing file is all file, whatever colons it holds, and so
 * is `C:\…`. Undefined when the part after the colon cannot be a module name.
 */
export function splitReference(text: string, exists: (path: string) => boolean): ModuleReference | undefined {
  const whole = { file: text, module: undefined };
  const colon = text.lastIndexOf(':');
  if (colon <= 0 || exists(text)) return whole;
  const file = text.slice(0, colon);
  const rest = text.slice(colon + 1);
  if (/^[A-Za-z]$/.test(file) && /^[\\/]/.test(rest)) return whole;
  if (/^(?:[A-Za-z_][\w$]*|\\[!-~]+)$/.test(rest)) return { file, module: rest };
  // A colon inside a directory's or a file's name, such as `run:3/top.v`: nothing after it looks like a module name.
  return /[\\/.]/.test(rest) ? whole : undefined;
}

function parameterArgs(texts: readonly string[]): { dut: Record<string, string>; golden: Record<string, string> } {
  const sides: { dut: Record<string, string>; golden: Record<string, string> } = { dut: {}, golden: {} };
  for (const text of texts) {
    const match = /^(?:(dut|golden)\.)?([A-Za-z_][\w$]*)=(.+)$/s.exec(text);
    const [, side, name, value] = match ?? [];
    if (name === undefined || value === undefined) throw new UsageError(`--param ${text}: write NAME=VALUE, where NAME is a parameter's name.`);
    if (side !== 'golden') sides.dut[name] = value;
    if (side !== 'dut') sides.golden[name] = value;
  }
  return sides;
}

function sweepArgs(texts: readonly string[]): Sweep[] {
  const sweeps = texts.map((text): Sweep => {
    const [, parameter, list = ''] = /^([A-Za-z_][\w$]*)=(.+)$/s.exec(text) ?? [];
    const values = list.split(',').map((value) => value.trim());
    if (parameter === undefined || values.includes('')) throw new UsageError(`--sweep ${text}: write NAME=VALUE,VALUE,… where NAME is a parameter's name.`);
    return { parameter, values };
  });
  const sets = sweeps.reduce((count, { values }) => count * values.length, 1);
  if (sets > MOST_SETS) throw new UsageError(`The sweeps make ${sets} combinations; ${MOST_SETS} are the most.`);
  return sweeps;
}

function resetArg(text: string): ResetOverride {
  const match = /^([A-Za-z_][\w$]*)(?::(high|low))?$/.exec(text);
  const [, port, active] = match ?? [];
  if (port === undefined) throw new UsageError(`--reset ${text}: write NAME, NAME:high or NAME:low, where NAME is an input.`);
  return { port, active: active === 'high' || active === 'low' ? active : undefined };
}

export function integerArg(parsed: ParsedArgs, name: string, low: number, high: number): number | undefined {
  const text = parsed.one(name);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= low && value <= high)) {
    const range = high === Number.MAX_SAFE_INTEGER ? `of at least ${low}` : `from ${low} to ${high}`;
    throw new UsageError(`--${name} ${text}: the value must be a whole number ${range}.`);
  }
  return value;
}

/** Seconds as written, in milliseconds. */
export function secondsArg(parsed: ParsedArgs, name: string): number | undefined {
  const text = parsed.one(name);
  if (text === undefined) return undefined;
  const seconds = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds > 0 && seconds <= largestTimeoutS)) throw new UsageError(`--${name} ${text}: the value must be a number of seconds above 0 and at most ${largestTimeoutS}.`);
  return Math.max(1, Math.round(seconds * 1000));
}

function unknownsArg(parsed: ParsedArgs): Unknowns {
  const text = parsed.one('unknowns') ?? 'ignore';
  if (text !== 'ignore' && text !== 'strict') throw new UsageError(`--unknowns ${text}: write ignore or strict.`);
  return text;
}

export function engineArg(parsed: ParsedArgs): EngineChoice {
  const text = parsed.one('engine') ?? 'auto';
  const engine = engines.find((candidate) => candidate === text);
  if (engine === undefined) throw new UsageError(`--engine ${text}: the engines are ${engines.slice(0, -1).join(', ')} and ${engines.at(-1) ?? ''}.`);
  return engine;
}
