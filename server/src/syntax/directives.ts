import { intendedAmong } from './keywords.ts';
import { matchAt } from './macros.ts';

/** What may stand between a directive and its arguments. */
const GAP = String.raw`(?:\s|\\\r?\n|//[^\n]*|/\*[\s\S]*?\*/)*`;
/** The offset behind white space and comments. */
export const BLANKS: RegExp = new RegExp(GAP, 'y');
const TIME = String.raw`${GAP}\d+${GAP}[munpf]?s`;
const TIMESCALE = new RegExp(String.raw`${TIME}${GAP}/${TIME}|[^\n]*?(?=\r?\n|//|/\*|$)`, 'y');

/** Directives that stand alone, and those that take their whole line. */
const ALONE = `resetall celldefine endcelldefine nounconnected_drive end_keywords undefineall protect endprotect delay_mode_distributed delay_mode_path delay_mode_unit
  delay_mode_zero suppress_faults nosuppress_faults enable_portfaults disable_portfaults accelerate noaccelerate expand_vectornets
  noexpand_vectornets autoexpand_vectornets remove_gatenames noremove_gatenames remove_netnames noremove_netnames`.split(/\s+/);
const WHOLE_LINE = `line pragma default_decay_time default_trireg_strength uselib`.split(/\s+/);

/** Directives without influence on the syntax, and how far each reaches. */
export const PLAIN_DIRECTIVES: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  ...ALONE.map((name): [string, RegExp] => [name, /(?:)/y]),
  ...WHOLE_LINE.map((name): [string, RegExp] => [name, /[^\n]*/y]),
  ['timescale', TIMESCALE],
  ['default_nettype', new RegExp(String.raw`${GAP}(?:none|u?wire|tri[01]?|wand|wor|triand|trior|trireg)\b|[ \t]*\w*`, 'y')],
  ['unconnected_drive', new RegExp(String.raw`${GAP}pull[01]\b|[ \t]*\w*`, 'y')],
  ['begin_keywords', new RegExp(String.raw`${GAP}"[^"\n]*"`, 'y')],
  ['error', /[ \t]*"(?:[^"\\\n]|\\.)*"/y],
]);

/** What stands behind directives that are often mistyped. */
const ARGUMENTS: ReadonlyMap<string, RegExp> = new Map([['include', /[ \t]*["<]/y], ['timescale', /[ \t]*\d/y], ['define', /[ \t]+[A-Za-z_]/y], ['default_nettype', /[ \t]+(?:none|wire)\b/y]]);

/** The directive that the undefined macro at `at` was meant to be: it begins a line, is one typing mistake away, and has the directive's arguments. */
export function intendedDirective(text: string, at: number, name: string): string | undefined {
  if (!/(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 100), at))) return undefined;
  const meant = intendedAmong(name, ARGUMENTS.keys());
  const pattern = ARGUMENTS.get(meant ?? '');
  return pattern && matchAt(pattern, text, at + 1 + name.length) !== undefined ? meant : undefined;
}

const FOREIGN_END = /`verilog\b/g;

/** Directives behind which the text is no Verilog, by the directive that ends that: encrypted text, and C++ for Verilator. */
const FOREIGN_TEXT: ReadonlyMap<string, RegExp> = new Map([
  ['pragma', /`pragma[ \t]+protect[ \t]+end_protected\b[^\n]*/g],
  ['protected', /`endprotected\b/g],
  ...['header', 'interface', 'implementation', 'ctor', 'dtor', 'imp_header', 'include_post'].map((name): [string, RegExp] => [`systemc_${name}`, FOREIGN_END]),
]);

/** The offset behind the foreign text that the directive at `at` begins; undefined when it begins none, or that has no end. */
export function endOfForeignText(text: string, at: number, name: string): number | undefined {
  const end = FOREIGN_TEXT.get(name);
  if (!end || (name === 'pragma' && !/`pragma[ \t]+protect[ \t]+begin_protected\b/y.test(text.slice(at, at + 200)))) return undefined;
  end.lastIndex = at;
  return end.test(text) ? end.lastIndex : undefined;
}

/** The offset behind encrypted text that comments surround, as some tools write it; undefined when none begins at `at`. */
export function endOfProtectedText(text: string, at: number): number | undefined {
  if (matchAt(/\/\/[ \t]*pragma[ \t]+protect[ \t]+begin_protected\b/y, text, at) === undefined) return undefined;
  const end = /^[ \t]*\/\/[ \t]*pragma[ \t]+protect[ \t]+end_protected\b[^\n]*/gm;
  end.lastIndex = at;
  return end.test(text) ? end.lastIndex : undefined;
}

export const CONDITIONALS: ReadonlySet<string> = new Set(['ifdef', 'ifndef', 'elsif', 'else', 'endif']);

/** The offset behind a comment, a string or an escaped identifier that starts at `at`. */
export function skipOpaque(text: string, at: number, opener: string): number {
  if (opener === '//') {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (opener === '/*') {
    const end = text.indexOf('*/', at + 2);
    return end < 0 ? text.length : end + 2;
  }
  if (opener === '"') return at + (matchAt(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\[\s\S])*"?/y, text, at)?.length ?? 1);
  return at + (matchAt(/\\[^\s\\]+/y, text, at)?.length ?? 1);
}
