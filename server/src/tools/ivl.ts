/**
 * The core of Icarus Verilog's compiler without its driver. For each compilation the driver starts a shell, a preprocessor and the core; for a source without macros
 * the core alone says the same in half the time. How the driver would start it is learnt from the driver itself.
 */
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { run, type RunOptions, type RunResult } from '../base/process.ts';
import { makeFolder, readLeft, readScratch, writeScratch } from '../base/scratch-files.ts';
import { toolEnvironment } from './environment.ts';
import { withTempDir } from '../base/tempdir.ts';

/** Options of the driver that the configuration of the core depends on, beside the names of the root module and of the result. */
export type CoreOptions = readonly string[];

export interface CoreRequest {
  /** Absolute working directory. */
  readonly dir: string;
  /** Sources, absolute or relative to `dir`, in compilation order. */
  readonly files: readonly string[];
  readonly top: string;
  /** File name of the result inside `dir`. */
  readonly output: string;
}

/** Directives that the core itself reads; all others are the preprocessor's. */
const OWN_DIRECTIVES = /`(?!(?:timescale|default_nettype|resetall|celldefine|endcelldefine)\b)/;
/** Names that a string of the language cannot hold as they are. */
const ODD_NAME = /["\\\n]/;
const JOINED_FILE = 'joined.sv';
const CONFIG_FILE = 'core.conf';
const TRIAL_MS = 20_000;
const SPEAKING = 'rtl_copilot_trial';
const TRIAL_SOURCE = `module ${SPEAKING};\n  reg [3:0] count = 4'd3;\n  initial $display("%0d", count + 4'd1);\nendmodule\n`;

/** A core that was seen to answer as the driver does with the same options. */
export class CompilerCore {
  readonly #core: string;
  readonly #target: string;
  readonly #config: string;

  private constructor(core: string, target: string, config: string) {
    this.#core = core;
    this.#target = target;
    this.#config = config;
  }

  /** `driver`: absolute. Undefined where the driver starts no core that can be started in its place. */
  static learn(driver: string, options: CoreOptions): Promise<CompilerCore | undefined> {
    if (process.platform === 'win32') return Promise.resolve(undefined);
    return withTempDir((dir) => learnIn(dir, driver, options), { runsPrograms: true }).then(
      (learnt) => learnt && new CompilerCore(learnt.core, learnt.target, learnt.config),
      () => undefined,
    );
  }

  /** Undefined where a source needs the preprocessor, does not compile or makes the core break down; the driver has the words for that. */
  async compile({ dir, files, top, output }: CoreRequest, options: RunOptions): Promise<RunResult | undefined> {
    const joined = await joinedSources(dir, files);
    if (joined === undefined) return undefined;
    await writeScratch(path.join(dir, JOINED_FILE), joined);
    await writeScratch(path.join(dir, CONFIG_FILE), configFor(this.#config, top, output));
    const result = await run(this.#core, [`-C${CONFIG_FILE}`, `-C${this.#target}`, '--', JOINED_FILE], { ...options, cwd: dir, startsNone: true });
    // What was ended here would be ended again with the driver, after as long a time.
    if (result.kind === 'cancelled' || result.kind === 'timed-out' || result.kind === 'output-limit') return result;
    return result.kind === 'exited' && result.exitCode === 0 && existsSync(path.join(dir, output)) ? result : undefined;
  }
}

/** All sources as the preprocessor passes them on; undefined where it would change one. */
async function joinedSources(dir: string, files: readonly string[]): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  for (const file of files) {
    const content = await readScratch(path.resolve(dir, file));
    // Each byte is a character, so that nothing is lost of what is in no known encoding.
    if (ODD_NAME.test(file) || OWN_DIRECTIVES.test(content.toString('latin1'))) return undefined;
    parts.push(Buffer.from(`\`line 1 "${file}" 0\n`), content, Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}

interface Learnt {
  readonly core: string;
  /** The configuration of the code generator. */
  readonly target: string;
  /** With the placeholders of the names. */
  readonly config: string;
}

const TOP = '<top>';
const OUTPUT = '<output>';

function configFor(config: string, top: string, output: string): string {
  return config.replace(`root:${TOP}\n`, () => `root:${top}\n`).replace(`out:${OUTPUT}\n`, () => `out:${output}\n`);
}

/** Lets the driver compile once, and once more with a core of our own that keeps what it is given; then the core has to do the same alone. */
async function learnIn(dir: string, driver: string, options: CoreOptions): Promise<Learnt | undefined> {
  const source = `${SPEAKING}.v`;
  await writeScratch(path.join(dir, source), TRIAL_SOURCE);
  const env = toolEnvironment(dir);
  const drive = async (more: readonly string[], top: string, output: string): Promise<boolean> => {
    const result = await run(driver, [...more, ...options, '-s', top, '-o', output, source], { cwd: dir, env, timeoutMs: TRIAL_MS });
    return result.kind === 'exited' && result.exitCode === 0;
  };
  if (!(await drive([], SPEAKING, 'driven.vvp'))) return undefined;
  const driven = (await readLeft(path.join(dir, 'driven.vvp'))).toString('latin1');
  const base = path.dirname(/^:vpi_module "([^"]*\/system\.vpi)";$/m.exec(driven)?.[1] ?? '');
  const [core, target] = [path.join(base, 'ivl'), path.join(base, 'vvp.conf')];
  if (!existsSync(core) || !existsSync(target)) return undefined;

  const keeper = path.join(dir, 'keeper');
  makeFolder(keeper);
  await writeProgram(path.join(keeper, 'ivl'), `printf '%s\\n' "$@" > "$0.arguments"\nexec cat "\${1#-C}" > "$0.config"`);
  await writeProgram(path.join(keeper, 'ivlpp'), 'exit 0');
  await drive([`-B${keeper}`], TOP, OUTPUT);
  const given = (await readLeft(path.join(keeper, 'ivl.arguments'))).toString().split('\n');
  const config = (await readLeft(path.join(keeper, 'ivl.config'))).toString().replaceAll(keeper, base).replace(/^ivlpp:.*$\n?/m, '');
  const [first = '', second, ...rest] = given;
  if (!first.startsWith('-C') || second !== `-C${path.join(keeper, 'vvp.conf')}` || rest.join(' ') !== '-- - ') return undefined;

  await writeScratch(path.join(dir, CONFIG_FILE), configFor(config, SPEAKING, 'alone.vvp'));
  await writeScratch(path.join(dir, JOINED_FILE), (await joinedSources(dir, [source])) ?? '');
  await run(core, [`-C${CONFIG_FILE}`, `-C${target}`, '--', JOINED_FILE], { cwd: dir, timeoutMs: TRIAL_MS });
  const alone = (await readLeft(path.join(dir, 'alone.vvp'))).toString('latin1');
  // From the driver the core gets its source through a pipe.
  return withoutAddresses(alone.replace(`"${JOINED_FILE}"`, '"-"')) === withoutAddresses(driven) ? { core, target, config } : undefined;
}

async function writeProgram(file: string, body: string): Promise<void> {
  await writeScratch(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o700);
}

/** Labels hold addresses of the compiler, which differ each time. */
function withoutAddresses(vvp: string): string {
  const numbers = new Map<string, number>();
  return vvp.replace(/0x[\da-f]{6,}/g, (address) => {
    const number = numbers.get(address) ?? numbers.size;
    numbers.set(address, number);
    return `#${String(number)}`;
  });
}
