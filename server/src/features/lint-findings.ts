import type { LintMessage } from '../tools/lint-message.ts';
import type { LintToolName } from '../tools/lint.ts';
import type { Finding } from './finding.ts';

export interface LintedText {
  /** Absolute path of the file that was looked over. */
  readonly file: string;
  /** The text that the tool read. */
  readonly text: string;
  /** The name under which the tool read it. */
  readonly given: string;
}

/** What else is said about a file, so that nothing is said twice. */
export interface Said {
  /** Zero-based. */
  readonly line: number;
  readonly message: string;
}

/** Words by which messages of different origin are about the same thing. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['width', /width|truncat|expects \d+ bit|\bbits wide\b|pads/i],
  ['latch', /latch/i],
  ['undeclared', /undeclared|not declared|no declaration|definition of|Unable to bind|unknown name|Could not find variable/i],
  ['port', /\bport\b|\bpin\b/i],
  ['case', /\bcase\b/i],
  ['driver', /driv|assigned .*(?:more than once|twice|several)|multiple/i],
  ['unused', /unused|not used|never (?:read|used)/i],
  ['blocking', /blocking/i],
  ['loop', /loop|circular/i],
  ['range', /out of (?:range|bounds)|selection index/i],
  ['implicit', /implicit/i],
];

/**
 * What a tool says about a file, as findings. Left out are syntax errors, since the tool only runs on a text that our own
 * grammar reads and knows less of SystemVerilog; what it knows to be unsupported; modules in files that it was not given; and
 * what is said already on the same line about the same thing.
 */
export function lintFindings(tool: LintToolName, messages: readonly LintMessage[], { file, text, given }: LintedText, said: readonly Said[]): Finding[] {
  const lines = text.split('\n');
  const starts: number[] = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const seen = new Set<string>();
  return messages.flatMap((message): Finding[] => {
    if (message.file !== given || message.about !== 'other') return [];
    const line = message.line - 1;
    const kinds = kindsOf(message);
    if (said.some((other) => other.line === line && sharesKind(kinds, other.message, message.message))) return [];
    const key = `${line}:${message.message}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const [from, to] = columnsOf(message, lines[line] ?? '');
    const start = (starts[line] ?? text.length) + from;
    return [
      {
        file,
        place: { kind: 'span', span: { start, end: Math.max(start, (starts[line] ?? text.length) + to) } },
        severity: message.severity,
        code: message.code === '' ? tool : message.code,
        message: `${sentence(message.message)} (${tool})`,
        related: message.related
          .filter((place) => place.file === given)
          .map((place) => ({ file, span: wholeLine(starts[place.line - 1] ?? 0, lines[place.line - 1] ?? ''), message: sentence(place.message) })),
      },
    ];
  });
}

function kindsOf({ code, message }: LintMessage): string[] {
  return KINDS.filter(([, pattern]) => pattern.test(message) || pattern.test(code)).map(([kind]) => kind);
}

function sharesKind(kinds: readonly string[], other: string, own: string): boolean {
  const sameKind = KINDS.some(([kind, pattern]) => kinds.includes(kind) && pattern.test(other));
  return sameKind || namesIn(own).some((name) => namesIn(other).includes(name));
}

/** What a message names in quotes. */
function namesIn(message: string): string[] {
  return [...message.matchAll(/[`'"]+([A-Za-z_][\w$.]*)['"]+/g)].map((match) => match[1] ?? '');
}

/** Zero-based columns of what is meant: a name in quotes that is on the line, nearest to where the tool points; else where it points, else a word of the message, else the line. */
function columnsOf({ column, length, message }: LintMessage, line: string): readonly [number, number] {
  const quoted = namesIn(message).flatMap((name) => placesOf(name, line));
  if (column !== undefined && column - 1 < line.length) {
    const from = column - 1;
    const nearest = quoted.toSorted((a, b) => Math.abs(a[0] - from) - Math.abs(b[0] - from))[0];
    if (nearest) return nearest;
    const word = /^[\w$]+/.exec(line.slice(from))?.[0].length ?? 1;
    return [from, from + (length === undefined || length <= 1 ? word : Math.min(length, line.trimEnd().length - from))];
  }
  const words = (message.match(/[A-Za-z_][\w$]*/g) ?? []).filter((word) => word.length > 1);
  const { start, end } = wholeLine(0, line);
  return quoted[0] ?? words.flatMap((word) => placesOf(word, line))[0] ?? [start, end];
}

function placesOf(name: string, line: string): (readonly [number, number])[] {
  const pattern = new RegExp(String.raw`(?<![\w$])${name.replace(/[$.]/g, String.raw`\$&`)}(?![\w$])`, 'g');
  return [...line.matchAll(pattern)].map(({ index }) => [index, index + name.length] as const);
}

function wholeLine(start: number, line: string): { readonly start: number; readonly end: number } {
  return { start: start + line.length - line.trimStart().length, end: start + line.trimEnd().length };
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
