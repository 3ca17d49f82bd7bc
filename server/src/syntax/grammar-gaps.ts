import { finish } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import { closersByOpener, openerByCloser, OPERATOR_WORDS } from './keywords.ts';
import { COMMENT_OR_STRING, OPAQUE_PIECE } from './pieces.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import { tokenize } from './tokens.ts';

/**
 * Words that SystemVerilog reserves and Verilog-2001 does not, those of configurations alone, and those that Verilog-1995 does not
 * reserve: designs use them as names.
 */
export const YOUNG_KEYWORDS = [
  'automatic', 'endgenerate', 'generate', 'genvar', 'incdir', 'include', 'localparam', 'noshowcancelled', 'pulsestyle_ondetect', 'pulsestyle_onevent', 'showcancelled',
  'accept_on', 'alias', 'always_comb', 'always_ff', 'always_latch', 'assert', 'assume', 'before', 'bind', 'bins', 'binsof', 'bit', 'break', 'byte', 'chandle', 'checker',
  'cell', 'class', 'clocking', 'config', 'const', 'constraint', 'context', 'continue', 'cover', 'covergroup', 'coverpoint', 'cross', 'design', 'dist', 'do', 'endchecker', 'endclass', 'endclocking',
  'endgroup', 'endinterface', 'endpackage', 'endprogram', 'endproperty', 'endsequence', 'enum', 'eventually', 'expect', 'export', 'extends', 'extern', 'final', 'first_match',
  'foreach', 'forkjoin', 'global', 'iff', 'ignore_bins', 'illegal_bins', 'implements', 'implies', 'import', 'inside', 'instance', 'int', 'interconnect', 'interface', 'intersect', 'join_any',
  'join_none', 'let', 'liblist', 'library', 'local', 'logic', 'longint', 'matches', 'modport', 'nettype', 'new', 'nexttime', 'null', 'package', 'packed', 'priority', 'program', 'property', 'protected',
  'pure', 'rand', 'randc', 'randcase', 'randsequence', 'ref', 'reject_on', 'restrict', 'return', 's_always', 's_eventually', 's_nexttime', 's_until', 's_until_with', 'sequence',
  'shortint', 'shortreal', 'soft', 'solve', 'static', 'string', 'strong', 'struct', 'super', 'sync_accept_on', 'sync_reject_on', 'tagged', 'this', 'throughout', 'timeprecision',
  'timeunit', 'type', 'typedef', 'union', 'unique', 'unique0', 'until', 'until_with', 'untyped', 'use', 'uwire', 'var', 'virtual', 'void', 'wait_order', 'weak', 'wildcard', 'with', 'within',
] as const;

const COMMENTS = new RegExp(COMMENT_OR_STRING, 'g');
const YOUNG = new RegExp(String.raw`(?<![\w$.'\`\\])(?:${YOUNG_KEYWORDS.join('|')})(?![\w$])`, 'g');
const YOUNG_CONNECTION = new RegExp(String.raw`[(,]\s*\.\s*(${YOUNG_KEYWORDS.join('|')})\s*\(`, 'g');
const DECLARING = /^(?:input|output|inout|wire|reg|integer|tri|real|time|realtime|genvar|signed|wand|wor|supply0|supply1|event)$/;
/** The type of an instance, with its parameters, at the beginning of an item. */
const INSTANCE_BEFORE = new RegExp(String.raw`(?:^|[;)]|\*/|\b(?:end|generate|begin(?:\s*:\s*\w+)?))\s*(?!(?:${[...RESERVED_WORDS].join('|')})\b)[A-Za-z_]\w*\s*(?:#\s*(?:\([^;]*\)|\w+)\s*)?$`);
const NAMED_UNIT = /^(?:module|macromodule|function|task)$/;

/** Reserved words that a text declares as names, which only Verilog-2001 allows. */
export function youngKeywordsAsNames(source: string): ReadonlySet<string> {
  return finish(youngKeywordsInSteps(source));
}

/** As `youngKeywordsAsNames`, step by step. */
export function* youngKeywordsInSteps(source: string): Steps<ReadonlySet<string>> {
  const found = new Set<string>();
  const text = source.replace(COMMENTS, blank);
  for (const match of text.matchAll(YOUNG)) {
    yield;
    if (!found.has(match[0]) && isDeclared(text, match.index, match[0])) found.add(match[0]);
  }
  for (const [, word] of text.matchAll(YOUNG_CONNECTION)) if (word !== undefined) found.add(word);
  for (const word of found) if (new RegExp(String.raw`(?<![\w$.\`\\])${word}\s+(?:(?:un)?signed|(?!(?:${[...RESERVED_WORDS].join('|')})\b)[A-Za-z_])`).test(text)) found.delete(word);
  return found;
}

function isDeclared(text: string, at: number, word: string): boolean {
  const before = text.slice(Math.max(0, at - 400), at);
  const previous = /([A-Za-z_$][\w$]*|[^\s])\s*$/.exec(before)?.[1] ?? '';
  const next = /\S/.exec(text.slice(at + word.length, at + word.length + 200))?.[0] ?? '';
  if (INSTANCE_BEFORE.test(before)) return next === '(' && !OPERATOR_WORDS.has(word);
  if (/\b(?:begin|fork)\s*:\s*$/.test(before)) return true;
  if (NAMED_UNIT.test(previous)) return word !== 'new' && /[(;#]/.test(next);
  if (DECLARING.test(previous)) return /[,;)=]/.test(next);
  if (previous !== ']' && previous !== ',') return false;
  if (!/[,;)=[]/.test(next) || (previous === ',' && next === '[')) return false;
  const declaration = /(?:^|[;(,]|\*\/|\n)\s*(input|output|inout|wire|reg|integer|tri|parameter|localparam|function)\b[^;()]*$/.exec(before);
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

/** What the grammar does not know, each to be replaced at equal length by something that it does. */
const GAPS: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  // Further variables in the head of a `for`.
  [/\bfor(\s*)\((\s*(?:var\s+)?\w+\s+\w+\s*=[^;(),]*)((?:,\s*\w+\s*=[^;(),]*)+);/g, (_, space = '', first = '', others = '') => `for${space}(${first}${blank(others)};`],
  // Selects in the value of a parameter.
  [/(\b(?:localparam|parameter)\b[^;=]*=)([^;]*)/g, (_, head = '', values = '') => head + values.replace(/(?<=[\w\])])\[[^[\]]*\]/g, blank)],
  // Ports without a name in an old list of ports.
  [/(\bmodule\s+[\w$]+\s*\()((?:\s*(?:[\w$]+\s*)?,)+\s*(?:[\w$]+\s*)?)(?=\)\s*;)/g, (_, head = '', ports = '') => head + ports.replace(/^(?:\s*,)+|,(?=\s*(?:,|$))/g, blank)],
  // No connection for the first port of an instance.
  [/(\w|\))(\s+)(\w+)((?:\s*\[[^\]]*\])*\s*\(\s*),/g, (whole, before = '', space = '', name = '', open = '') => (RESERVED_WORDS.has(name) ? whole : `${before}${space}${name}${open} `)],
  // Timing checks and severity tasks with few arguments.
  [/\$(?:width|period)\s*\([^;]*\)\s*;/g, blank],
  [/(\$fatal)(\s*\(\s*\d+\s*\))/g, (_, task = '', argument = '') => task + blank(argument)],
  // A type of an enumeration that is a mere range, or has a scope.
  [/\b(enum\s*)((?:\w+\s*::\s*)+\w+\s*(?:\[[^[\]]*\]\s*)?|\[[^[\]]*\]\s*)(?=\{)/g, (_, word = '', type = '') => word + blank(type)],
  [/\b(class\s+)(automatic|static)\b/g, (_, word = '', lifetime = '') => word + blank(lifetime)],
  // Loops without a variable for the first dimension, or without a body.
  [/(\bforeach\s*\(\s*[^()[\];]*\[)(\s*(?:,\s*)+)/g, (_, head = '', commas = '') => head + blank(commas)],
  [/\bforeach\s*\([^();]*\)(?=\s*;)/g, blank],
  [/\bfinal(?=\s*;)/g, blank],
  [/(?<=[\w)\]])\s*\.\s*(?:matched|triggered)\b(?!\s*\()/g, blank],
  // A name behind a number that reads as its unit, as in `#5 s = 1;`.
  [/(?<=\d\s+)([munpf]?)s\b/g, (_, prefix = '') => `${prefix}q`],
  // A delay with a hierarchical name.
  [/(#\s*[A-Za-z_]\w*)((?:\.\w+)+)/g, (_, delay = '', path = '') => delay + blank(path)],
  [/(\b(?:property|sequence)\s+\w+\s*\()([^;]*)/g, (_, head = '', ports = '') => head + ports.replace(/\bvar\b/g, blank)],
  // A sequence with a delay beside a property that is none.
  [/\bproperty\b[\s\S]*?(?:\bendproperty\b|$)|\b(?:assert|assume|cover|restrict|expect)\b[^;]*/g, plainProperty],
  // Attributes where the grammar has none, and the edge or clock of an event that is handed to a checker.
  [/\(\*\s*[\w$]+\s*(?:=[^*;]*)?\*\)/g, blank],
  [/(?<=[(,]\s*)(?:posedge|negedge|edge)(?=\s+[\w(])/g, blank],
  [/(\.\s*\w+\s*\(\s*)(@\s*\([^()]*\))/g, (_, head = '', clock = '') => head + blank(clock)],
  // Free variables of formal tools.
  [/\brand\s+(?:const\s+)?(?=(?:reg|logic|bit|wire|integer|int)\b)/g, blank],
  // Types that stand in an interface.
  [/\btype\s+\w[^;]*/g, (values) => values.replace(/(?<==\s*[\w$]+(?:\s*\[[^\]]*\])?)(?:\s*\.\s*\w+(?:\s*\[[^\]]*\])?)+/g, blank)],
  [/(\btypedef\s+\w+)((?:\s*\[[^\]]*\])*(?:\s*\.\s*\w+(?:\s*\[[^\]]*\])*)+)(?=\s+\w+\s*;)/g, (_, head = '', path = '') => head + blank(path)],
  [/(?<=\w)(?:\.\w+)+(?='\()/g, joined],
  // Casts to a width that a function tells, and the ends of a call: selects, members, events.
  [/\$\w+\s*\([^()]*\)\s*'(?=\()/g, blank],
  [/(?<=[\w$]\s*\([^()]*\)\s*)\[[^[\]]*\]/g, blank],
  [/\(\)(?=\.[A-Za-z_])/g, () => '__'],
  [/(->>?\s*[\w$.]+)(\(\s*\))(?=\s*;)/g, (_, head = '', list = '') => head + blank(list)],
  [/(->>?\s*(?:#\s*(?:\w+|\([^()]*\))\s*)?|@\s*)((?:\w+\s*::\s*|(?:this|super)\s*\.\s*)+)(?=\w)/g, (_, arrow = '', scope = '') => arrow + blank(scope)],
  [/\bstd\s*::\s*/g, blank],
  [/\brandomize\s*\([^()]*\)/g, (call) => call.replace(/(?<=\w)\.(?=\w)/g, joined)],
  [/([(,]\s*)default(?=\s*[,)])/g, (_, head = '') => `${head}d_fault`],
  [/(?<=[{,]\s*)string(?=\s*:)/g, () => 'strinq'],
  [/\balways_comb(?=\s*;)/g, blank],
  // Dimensions: two of a loop in brackets of their own, a slice of some type, an index of real numbers.
  [/(\bforeach\s*\(\s*[^()[\];]*\[\s*[A-Za-z_]\w*\s*)\](\s*)\[/g, (_, head = '', space = '') => `${head},${space} `],
  [/(\{\s*(?:<<|>>)\s*\w+)(\s*\[[^\]]*\])(?=\s*\{)/g, (_, head = '', range = '') => head + blank(range)],
  [/\[\s*(?:real|shortreal|realtime)\s*\]/g, (index) => index.replace(/\w+/, (word) => 'i'.repeat(word.length))],
  // A parameter without parentheses, and delays and strengths of gates.
  [/(?<=\w\s+)#\s*[\w.]+(?=\s+\w+\s*\()/g, blank],
  [/(\b(?:x?n?or|n?and|buf|not)\s*(?:\([^()]*\)\s*)?)(#\s*\([^()]*\))/g, (_, head = '', delay = '') => head + blank(delay)],
  [/\b(pullup|pulldown)(\s*\(\s*(?:supply|strong|pull|weak)[01]\s*\))/g, (_, gate = '', strength = '') => gate + blank(strength)],
  [/\$(?:setup|hold|setuphold|recovery|removal|recrem|skew|timeskew|fullskew|nochange)\s*\([^;]*/g, (check) => check.replace(/(?<=\w\s*):\s*[\w.]+\s*:\s*[\w.]+/g, blank)],
  [/\bPATHPULSE\$(?=\s*=)/g, joined],
  // A prototype of a function without a type.
  [/\bextern\s+function\s+(?!new\b)\w+\s*(?:\([^;]*\))?\s*(?=;)/g, blank],
];

const UNARY = new Set(['+', '-', '!', '~', '&', '|', '^', '~&', '~|', '~^', '^~']);

/**
 * As `maskNames`, and besides what declares or checks something and can be passed over where only errors are looked for.
 */
export function maskGrammarGaps(text: string, names: ReadonlySet<string>): string | undefined {
  let masked = maskNames(text, names) ?? text;
  for (const [pattern, replace] of GAPS) masked = masked.replace(pattern, replace);
  masked = maskUnaryChains(masked);
  masked = maskBareBlocks(masked);
  return masked === text ? undefined : masked;
}

/** Leaves the first of several operators with one operand, as in `-~x`: the standard wants parentheses there, and no tool does. */
function maskUnaryChains(text: string): string {
  if (!/[-+!~&|^]\s*[-+!~&|^]/.test(text)) return text;
  const tokens = tokenize(text);
  const surplus = tokens.filter(({ text: sign }, index) => UNARY.has(sign) && UNARY.has(tokens[index - 1]?.text ?? '')).map(({ span }) => span);
  return surplus.reduceRight((masked, { start, end }) => masked.slice(0, start) + blank(masked.slice(start, end)) + masked.slice(end), text);
}

const BLOCK_WORDS = new RegExp(String.raw`${OPAQUE_PIECE}|[A-Za-z_$\`][\w$]*|[^\s\w]`, 'g');
/** Blocks inside of a module, but for generate regions, whose blocks stand by themselves as well. */
const OPENING = closersByOpener('statements', 'case', 'subroutine', 'definition', 'description');
const CLOSING = openerByCloser('statements', 'case', 'subroutine', 'definition', 'description');

/** Takes the words of blocks among the items of a module away that belong to no `if`, `for` or `case`. */
function maskBareBlocks(text: string): string {
  const pieces: { readonly start: number; readonly end: number }[] = [];
  /** For each block that is open, whether it stands by itself. */
  const open: boolean[] = [];
  let previous = '';
  for (const { 0: word, index } of text.matchAll(BLOCK_WORDS)) {
    if (/^(?:\/[/*]|")/.test(word)) continue;
    const isBare = word === 'begin' && !open.includes(false) && /^(?:|;|generate|end)$/.test(previous);
    if (OPENING.has(word)) open.push(isBare);
    const ends = CLOSING.has(word) && open.pop() === true;
    if (isBare || ends) pieces.push({ start: index, end: index + word.length + (/^\s*:\s*\w+/.exec(text.slice(index + word.length, index + word.length + 80))?.[0].length ?? 0) });
    previous = word;
  }
  return pieces.reduceRight((masked, { start, end }) => masked.slice(0, start) + blank(masked.slice(start, end)) + masked.slice(end), text);
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/** The operators of properties that sequences lack left out, or made one that they have. */
function plainProperty(text: string): string {
  if (!/##/.test(text)) return text;
  return text
    .replace(/(?<=\b(?:and|or)[\s(]+)(?:not|(?:s_)?(?:nexttime|always|eventually)(?:\s*\[[^\]]*\])?)(?![\w$])/g, blank)
    .replace(/\b(?:s_)?until(?:_with)?\b/g, (word) => 'and'.padEnd(word.length));
}

/** The signs between the words of a name made letters of it. */
function joined(text: string): string {
  return text.replace(/[.$]/g, '_');
}

/** Leaves one name of each `.name(expression)` of a module header, and of each expression of one that only names its ports. */
function maskNamedPorts(text: string): string {
  return text.replace(/\b(?:macro)?module\s+[A-Za-z_][\w$]*\s*\(([^;]*)\)\s*;/g, (header) =>
    maskPortExpressions(header).replace(/([(,]\s*(?:input|output|inout)?\s*)(\.\s*[\w$]+\s*\()([^()]*)\)/g, (_, before: string, open: string, inner: string) => {
      const name = /[A-Za-z_][\w$]*/.exec(inner)?.[0] ?? 'p';
      return `${before}${name}${blank(open + inner).slice(name.length)} `;
    }));
}

/** Without selects, and of each concatenation and escaped name a plain name, where no port is declared. */
function maskPortExpressions(header: string): string {
  if (/\b(?:input|output|inout|ref|interface|var|logic|wire|reg|bit)\b/.test(header)) return header;
  const name = (piece: string): string => (/[A-Za-z_][\w$]*/.exec(piece)?.[0] ?? 'p').padEnd(piece.length);
  return header.replace(/\[[^[\]]*\]/g, blank).replace(/\{[^{}]*\}|\\\S+/g, name);
}
