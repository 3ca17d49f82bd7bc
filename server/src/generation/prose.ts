import type { KnownPort } from './tables/table.ts';

/** What the words around a table say about the module. Undefined: they do not say. */
export interface Hints {
  readonly module: string | undefined;
  /** Ports in the order in which they are listed. */
  readonly ports: readonly KnownPort[];
  readonly clock: string | undefined;
  readonly reset: string | undefined;
  readonly resetState: string | undefined;
  readonly resetKind: 'sync' | 'async' | undefined;
  readonly resetActive: 'high' | 'low' | undefined;
  /** State codes, such as `A=2'b00`. */
  readonly codes: ReadonlyMap<string, string>;
}

/** Reads the hints of a comment's text. */
export function readHints(text: string): Hints {
  const flat = text.replace(/\s+/g, ' ');
  const ports = text.split('\n').flatMap(portsOfLine);
  const find = (pattern: RegExp): string | undefined => pattern.exec(flat)?.[1];
  const input = (pattern: RegExp): string | undefined => ports.find((port) => port.direction === 'input' && pattern.test(port.name))?.name;
  return {
    module: find(/\bmodule\s+(?:named|called)\s+[`'"_]?([A-Za-z_]\w*)/i) ?? find(/(?:^|\s)module\s*:\s*([A-Za-z_]\w*)/i),
    ports: ports.filter((port, at) => ports.findIndex(({ name }) => name === port.name) === at),
    clock: find(/\bclock\s*[:=]\s*([A-Za-z_]\w*)/i) ?? input(isClockName),
    reset: find(/\breset\s*(?:signal|input|port)?\s*[:=]\s*(\w*(?:rst|reset)\w*)/i) ?? input(isResetName),
    resetState: resetStateOf(flat),
    resetKind: /\basync/i.test(flat) ? 'async' : /\bsync/i.test(flat) ? 'sync' : undefined,
    resetActive: /active[\s-]*low|\blow[\s-]active/i.test(flat) ? 'low' : /active[\s-]*high|\bhigh[\s-]active|\breset\b[^.;]{0,20}\b(?:is|=)\s*(?:high|1)\b/i.test(flat) ? 'high' : undefined,
    codes: new Map([...flat.matchAll(/\b([A-Za-z_]\w*)\s*=\s*\d+'b([01]+)/g)].map(([, name = '', code = '']) => [name, code])),
  };
}

export const isClockName = /^(?:clk|clock|ck)(?:_?i(?:n)?)?$/i;
export const isResetName = /^(?:a|s)?(?:rst|reset)(?:_?n|_?b|_?i|_ni)?$/i;

/** Polarity and kind that a reset's name tells by custom: `rst_n`, `resetn`, `areset`. */
export function customOfReset(name: string): { readonly active: 'high' | 'low' | undefined; readonly kind: 'sync' | 'async' | undefined } {
  return { active: /(?:_?n|_b|_ni)$/i.test(name) ? 'low' : undefined, kind: /^a(?:rst|reset)/i.test(name) ? 'async' : /^s(?:rst|reset)/i.test(name) ? 'sync' : undefined };
}

function resetStateOf(flat: string): string | undefined {
  const patterns = [
    /\b(?:reset|initial|start)\s+state\s*(?:is\s+|[:=]\s*|\s)(?:state\s+)?[`'"(]?([A-Za-z_]\w*|[01]{2,})/i,
    /\b(?:resets?|starts?|begins?)\b[^.;]{0,60}?\b(?:in|to|into|at|is)\s+(?:the\s+)?state\s+[`'"]?([A-Za-z_]\w*|[01]{2,})/i,
    /\bresets?\s+(?:in)?to\s+[`'"]?(?!state\b)([A-Z]\w*|[01]{2,})/,
    /\breset\b[^.;]{0,60}?\bto\s+state\s+[`'"]?([A-Za-z_]\w*|[01]{2,})/i,
    /\breset\s*[:=]\s*[`'"]?([A-Z]\w*|[01]{2,})\s*(?:[,;.]|$)/,
  ];
  for (const pattern of patterns) {
    const found = pattern.exec(flat)?.[1];
    if (found !== undefined && !/^(?:is|the|table|machine|transition|when|if)$/i.test(found)) return found;
  }
  return undefined;
}

/** The ports that one line lists: `input a, b`, `- output q (4 bits)`, `inputs: x[1:0], y`. */
function portsOfLine(line: string): KnownPort[] {
  const match = /^[\s*\-•]*(inputs?|outputs?)\b\s*(?::|=|\bare\b)?\s*(.+?)[.;,]?\s*$/i.exec(line);
  if (match === null) return [];
  const direction = (match[1] ?? '').toLowerCase().startsWith('in') ? 'input' : 'output';
  const items = (match[2] ?? '').replace(/^(?:wire|reg|logic)\s+/, '').split(/\s*,\s*(?![^(]*\))/);
  const ports: KnownPort[] = [];
  let range: KnownPort['range'];
  for (const [at, item] of items.entries()) {
    const found = /^(?:\[\s*(\d{1,4})\s*:\s*(\d{1,4})\s*\]\s*)?([A-Za-z_]\w*)\s*(?:\[\s*(\d{1,4})\s*:\s*(\d{1,4})\s*\]|\(\s*(\d{1,4})[\s-]*bits?\s*\))?$/i.exec(item);
    if (found === null) return [];
    const [, left, right, name = '', leftAfter, rightAfter, bits] = found;
    if (left !== undefined || at === 0) range = left === undefined ? undefined : { left: Number(left), right: Number(right) };
    const own = leftAfter !== undefined ? { left: Number(leftAfter), right: Number(rightAfter) } : bits !== undefined && Number(bits) > 1 ? { left: Number(bits) - 1, right: 0 } : range;
    ports.push({ name, direction, range: own });
  }
  return ports;
}
