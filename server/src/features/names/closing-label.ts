import { pairs } from '../structure.ts';

const CLOSED = /\b(?:end\w*|join(?:_any|_none)?)(?=\s*:$)/;
const FIRST_NAME = /^\w+(?:\s+(?:automatic|static))*\s+([A-Za-z_][\w$]*)/;
const LAST_NAME = /([A-Za-z_][\w$]*)\s*[;(]/;
const LONGEST_HEAD = 2000;

/**
 * The name of the block that ends before the colon at the end of a text, as `m` behind `endmodule :`. Null where that block has
 * no name, undefined where no block ends there.
 */
export function closedName(ahead: string): string | null | undefined {
  const end = CLOSED.exec(ahead.slice(-200));
  if (!end) return undefined;
  const stop = Math.max(0, ahead.length - 200) + end.index + end[0].length;
  const block = pairs(ahead.slice(0, stop)).findLast((pair) => pair.end === stop);
  if (!block) return null;
  const head = ahead.slice(block.start, Math.min(stop, block.start + LONGEST_HEAD)).replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  if (/^(?:begin|fork)\b/.test(head)) return /^\w+\s*:\s*([A-Za-z_][\w$]*)/.exec(head)?.[1] ?? null;
  // The type of a function stands before its name.
  if (/^(?:function|task)\b/.test(head)) return LAST_NAME.exec(head.replace(/\[[^\]]*\]|#\s*\([^;()]*\)/g, ' '))?.[1] ?? null;
  return FIRST_NAME.exec(head)?.[1] ?? null;
}
