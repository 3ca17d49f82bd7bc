import { hierarchicalName, INSTANCE } from './naming.ts';

/** File names inside a run directory, beside those of the harness. */
export const MARKS_FILE = 'marks.bin';
export const CHANGES_FILE = 'changes.vcd';
export const COMPARED_FILE = 'compared.bin';

/** What a run notes beside its trace. */
export interface Watch {
  /** Branches that the design marks, see `Watching`. */
  readonly branches: number;
  /** Write the marks at every sample and clear them; else once, at the end. */
  readonly eachSample: boolean;
  /** Variables and nets whose changes are dumped: paths from the instance on, or all of them. */
  readonly changes: 'all' | readonly (readonly string[])[];
  /** Comparisons whose values the design notes; written at every sample and cleared. */
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

/** A dump that grows beyond this is cut off by the simulator. */
export const MOST_CHANGES_BYTES = 48 * 2 ** 20;

/** What a harness that watches says beyond its trace: each text is empty in one that does not. */
export interface WatchTexts {
  readonly declarations: string;
  /** Before the first step. */
  readonly start: string;
  /** Behind each sample. */
  readonly sample: string;
  /** Behind the last step. */
  readonly end: string;
}

export function watchTexts(watch: Watch | undefined): WatchTexts {
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
