import type { FileNames, ScopeIndex } from '../../analysis/names/model.ts';
import { PROCESSES } from '../../syntax/keywords.ts';
import type { KEYWORDS_AT } from './keywords.ts';

/** What may be written at a place: `name` is a new one, of which nothing is known. */
export type PlaceKind = keyof typeof KEYWORDS_AT | 'name';

/** Lines and blocks of comment, and strings on one line. */
export function isInComment(before: string): boolean {
  let open = '';
  const piece = /\/\/[^\n]*(\n|$)|\/\*[\s\S]*?(\*\/|$)|"(?:[^"\\\n]|\\.)*("|\n|$)/g;
  for (const match of before.matchAll(piece)) open = match.index + match[0].length === before.length && (match[1] ?? match[2] ?? match[3] ?? '') === '' ? match[0] : '';
  return open !== '';
}

const BEGINNING = /(?:^|[;:)]|\b(?:begin|end|else|fork|join|join_any|join_none|endcase|endfunction|endtask|endmodule|endpackage|endinterface|endclass|generate|endgenerate|default|initial|final|forever|do|always|always_comb|always_latch|unique|priority)(?:\s*:\s*\w+)?|\*\))$/;

/** What begins at a place: it depends on what surrounds it and on whether something has begun before. */
export function placeKind(names: FileNames, scope: ScopeIndex, ahead: string, offset: number): PlaceKind {
  const line = stripComments(ahead);
  if (/\b(?:wire|logic|reg|genvar|integer|int|module|interface|package|function|task|typedef)(?:\s+(?:automatic|signed|unsigned))?(?:\s*\[[^\][;]*\])*$/.test(line) && !/\b(?:function|task)(?:\s+automatic)?$/.test(line)) return 'name';
  const kind = names.scopes[scope]?.kind;
  const isStatement = names.processes.some(({ extent, kind: process }) => extent.start < offset && offset <= extent.end && (process === 'subroutine' || PROCESSES.has(process)));
  if (!BEGINNING.test(line.trimEnd())) return inHeader(names, scope, offset, line) ? 'port' : 'expression';
  if (kind === undefined || kind === 'compilation-unit') return 'unit';
  return isStatement || kind === 'block' || kind === 'function' || kind === 'task' ? 'statement' : 'item';
}

/** Between the name of a module and the end of its list of ports, behind a parenthesis or comma. */
function inHeader(names: FileNames, scope: ScopeIndex, offset: number, line: string): boolean {
  const unit = names.scopes[scope];
  if (unit?.kind !== 'module' && unit?.kind !== 'interface') return false;
  return /[(,]$/.test(line.trimEnd()) && !names.instances.some(({ extent, parameterList }) => (extent.start <= offset && offset <= extent.end) || (parameterList && parameterList.start <= offset && offset <= parameterList.end)) && /\b(?:module|interface)\b[^;]*$/.test(line);
}

/** The end of a text, without its comments. */
export function stripComments(text: string): string {
  const tail = text.slice(-4000);
  return tail.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ' ').trimEnd();
}

/** Where what is selected from ends, before the brackets that end at an offset. */
export function beforeBrackets(text: string, end: number): number {
  let depth = 0;
  for (let at = end - 1; at >= 0; at--) {
    if (text[at] === ']') depth++;
    else if (text[at] === '[' && --depth === 0) return text[at - 1] === ']' ? beforeBrackets(text, at) : text.slice(0, at).trimEnd().length;
  }
  return end;
}
