/** Words that SystemVerilog reserves and Verilog-2001 does not: designs of that time use them as names. */
const YOUNG_KEYWORDS = [
  'accept_on', 'alias', 'always_comb', 'always_ff', 'always_latch', 'assert', 'assume', 'before', 'bind', 'bins', 'binsof', 'bit', 'break', 'byte', 'chandle', 'checker',
  'class', 'clocking', 'const', 'constraint', 'context', 'continue', 'cover', 'covergroup', 'coverpoint', 'cross', 'dist', 'do', 'endchecker', 'endclass', 'endclocking',
  'endgroup', 'endinterface', 'endpackage', 'endprogram', 'endproperty', 'endsequence', 'enum', 'eventually', 'expect', 'export', 'extends', 'extern', 'final', 'first_match',
  'foreach', 'forkjoin', 'global', 'iff', 'ignore_bins', 'illegal_bins', 'implements', 'implies', 'import', 'inside', 'int', 'interconnect', 'interface', 'intersect', 'join_any',
  'join_none', 'let', 'local', 'logic', 'longint', 'matches', 'modport', 'nettype', 'new', 'nexttime', 'null', 'package', 'packed', 'priority', 'program', 'property', 'protected',
  'pure', 'rand', 'randc', 'randcase', 'randsequence', 'ref', 'reject_on', 'restrict', 'return', 's_always', 's_eventually', 's_nexttime', 's_until', 's_until_with', 'sequence',
  'shortint', 'shortreal', 'soft', 'solve', 'static', 'string', 'strong', 'struct', 'super', 'sync_accept_on', 'sync_reject_on', 'tagged', 'this', 'throughout', 'timeprecision',
  'timeunit', 'type', 'typedef', 'union', 'unique', 'unique0', 'until', 'until_with', 'untyped', 'uwire', 'var', 'virtual', 'void', 'wait_order', 'weak', 'wildcard', 'with', 'within',
] as const;

const YOUNG = new RegExp(String.raw`(?<![\w$.'\`\\])(?:${YOUNG_KEYWORDS.join('|')})(?![\w$])`, 'g');
const YOUNG_CONNECTION = new RegExp(String.raw`[(,]\s*\.\s*(${YOUNG_KEYWORDS.join('|')})\s*\(`, 'g');
const DECLARING = /^(?:input|output|inout|wire|reg|integer|tri|real|time|realtime|genvar|signed|wand|wor|supply0|supply1|event)$/;
const NAMED_UNIT = /^(?:module|macromodule|function|task)$/;

/** Reserved words that a text declares as names, which only Verilog-2001 allows. */
export function youngKeywordsAsNames(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const match of text.matchAll(YOUNG)) if (!found.has(match[0]) && isDeclared(text, match.index, match[0])) found.add(match[0]);
  for (const [, word] of text.matchAll(YOUNG_CONNECTION)) if (word !== undefined) found.add(word);
  return found;
}

function isDeclared(text: string, at: number, word: string): boolean {
  const before = text.slice(Math.max(0, at - 400), at);
  const previous = /([A-Za-z_$][\w$]*|[^\s])\s*$/.exec(before)?.[1] ?? '';
  const next = /\S/.exec(text.slice(at + word.length, at + word.length + 200))?.[0] ?? '';
  if (NAMED_UNIT.test(previous)) return word !== 'new' && /[(;#]/.test(next);
  if (DECLARING.test(previous)) return /[,;)=]/.test(next);
  if (previous !== ']' && previous !== ',') return false;
  if (!(previous === ']' ? /[,;)=[]/ : /[,;)]/).test(next)) return false;
  const declaration = /(?:^|[;(,]|\*\/|\n)\s*(input|output|inout|wire|reg|integer|tri)\b[^;()]*$/.exec(before);
  return declaration !== null;
}

/**
 * The text with what the grammar does not know replaced by what it does, at equal length: names that are reserved words
 * today and `.name(expression)` in a list of ports. Undefined when there is nothing of the kind.
 */
export function maskNames(text: string, names: ReadonlySet<string>): string | undefined {
  let masked = text;
  if (names.size > 0) {
    const pattern = new RegExp(String.raw`(?<![\w$'\`\\])(?:${[...names].join('|')})(?![\w$])`, 'g');
    masked = masked.replace(pattern, (word) => word.charAt(0) + '_'.repeat(word.length - 2) + (word.length > 1 ? 'q' : ''));
  }
  masked = maskNamedPorts(masked);
  return masked === text ? undefined : masked;
}

/**
 * As `maskNames`, and besides what declares or checks something and can be passed over where only errors are looked for:
 * further variables in the head of a `for`, `$width` without a threshold, selects in the value of a parameter.
 */
export function maskGrammarGaps(text: string, names: ReadonlySet<string>): string | undefined {
  const masked = (maskNames(text, names) ?? text)
    .replace(/\bfor(\s*)\((\s*(?:var\s+)?\w+\s+\w+\s*=[^;(),]*)((?:,\s*\w+\s*=[^;(),]*)+);/g, (_, space: string, first: string, others: string) => `for${space}(${first}${blank(others)};`)
    .replace(/(\b(?:localparam|parameter)\b[^;=]*=)([^;]*)/g, (_, head: string, values: string) => head + values.replace(/(?<=[\w\])])\[[^[\]]*\]/g, blank))
    .replace(/\$width\s*\([^(),;]*,[^(),;]*\)\s*;/g, blank);
  return masked === text ? undefined : masked;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/** Leaves one name of each `.name(expression)` of a module header. */
function maskNamedPorts(text: string): string {
  return text.replace(/\b(?:macro)?module\s+[A-Za-z_][\w$]*\s*\(([^;]*)\)\s*;/g, (header) =>
    header.replace(/([(,]\s*(?:input|output|inout)?\s*)(\.\s*[\w$]+\s*\()([^()]*)\)/g, (_, before: string, open: string, inner: string) => {
      const name = /[A-Za-z_][\w$]*/.exec(inner)?.[0] ?? 'p';
      return `${before}${name}${blank(open + inner).slice(name.length)} `;
    }));
}
