import { matchAt } from './macros.ts';

/** Directives without influence on the syntax, and how far each reaches. */
export const PLAIN_DIRECTIVES: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  ['timescale', /[^\n]*?(?=\r?\n|\/\/|\/\*|$)/y],
  ['default_nettype', /[ \t]*\w*/y],
  ['resetall', /(?:)/y],
  ['celldefine', /(?:)/y],
  ['endcelldefine', /(?:)/y],
  ['nounconnected_drive', /(?:)/y],
  ['unconnected_drive', /[ \t]*\w*/y],
  ['line', /[^\n]*/y],
  ['pragma', /[^\n]*/y],
  ['begin_keywords', /[ \t]*"[^"\n]*"/y],
  ['end_keywords', /(?:)/y],
  ['undefineall', /(?:)/y],
  ['protect', /[^\n]*/y],
  ['endprotect', /[^\n]*/y],
  ['default_decay_time', /[^\n]*/y],
  ['default_trireg_strength', /[^\n]*/y],
  ['delay_mode_distributed', /(?:)/y],
  ['delay_mode_path', /(?:)/y],
  ['delay_mode_unit', /(?:)/y],
  ['delay_mode_zero', /(?:)/y],
  ['suppress_faults', /(?:)/y],
  ['nosuppress_faults', /(?:)/y],
  ['enable_portfaults', /(?:)/y],
  ['disable_portfaults', /(?:)/y],
]);

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
  if (opener === '"') return at + (matchAt(/"(?:[^"\\\n]|\\[\s\S])*"?/y, text, at)?.length ?? 1);
  return at + (matchAt(/\\[^\s\\]+/y, text, at)?.length ?? 1);
}
