import { skipOpaque } from './directives.ts';
import { matchAt } from './macros.ts';

/** The macro that keeps a whole file from being read twice: all of it is between `` `ifndef X``, `` `define X`` and `` `endif``. */
export function includeGuardOf(text: string): string | undefined {
  const start = behindBlanks(text, 0);
  const condition = matchAt(/`ifndef\s+[A-Za-z_][\w$]*/y, text, start);
  if (condition === undefined) return undefined;
  const definition = matchAt(/`define\s+[A-Za-z_][\w$]*/y, text, behindBlanks(text, start + condition.length));
  const guard = condition.slice('`ifndef'.length).trim();
  if (definition?.slice('`define'.length).trim() !== guard) return undefined;
  let depth = 0;
  for (const { 0: directive, index } of text.matchAll(/`(?:ifn?def|endif)\b/g)) {
    depth += directive === '`endif' ? -1 : 1;
    if (depth === 0) return behindBlanks(text, index + directive.length) === text.length ? guard : undefined;
  }
  return undefined;
}

/** The offset of the first character from `offset` on that is neither white space nor in a comment. */
function behindBlanks(text: string, offset: number): number {
  for (let at = offset; ; ) {
    at += matchAt(/\s*/y, text, at)?.length ?? 0;
    const comment = matchAt(/\/[/*]/y, text, at);
    if (comment === undefined) return at;
    at = skipOpaque(text, at, comment);
  }
}
