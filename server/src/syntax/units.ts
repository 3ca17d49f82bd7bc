import { finish } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import { closerByOpener, closersByOpener, intendedAmong, openerByCloser } from './keywords.ts';
import { OPAQUE_PIECE } from './pieces.ts';
import { RESERVED_WORDS } from './reserved-words.ts';

/** What a piece of text is read as the inside of; `text` is the compilation unit itself. */
export type UnitContext = 'text' | 'module' | 'interface' | 'program' | 'package';

/**
 * A piece of a text that can be parsed by itself: a design unit with what stands before it, or a run of items of a long one.
 * Units cover the text without gaps.
 */
export interface Unit {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Offset behind the last character that was looked at to find its end; one behind the text where that ended the search. */
  readonly reach: number;
  /** What surrounds its beginning. */
  readonly opensIn: UnitContext;
  /** What surrounds its end, so that a closing keyword is still to come. */
  readonly closesIn: UnitContext;
}

const ENDS = closerByOpener('unit', 'definition', 'subroutine');
const UNIT_ENDS = new Set(ENDS.values());
/** Blocks inside of a unit, whose depth is counted. */
const OPENERS = closersByOpener('statements', 'case', 'subroutine', 'region');
const CLOSERS = openerByCloser('statements', 'case', 'subroutine', 'region');
/** Words that begin an item, so that whatever is before them at no depth is complete. */
const ITEM_WORDS = new Set(['always', 'always_ff', 'always_comb', 'always_latch', 'assign', 'initial', 'wire', 'reg', 'logic', 'localparam', 'genvar', 'generate', 'function', 'task']);
const GATES = new Set(['and', 'nand', 'or', 'nor', 'xor', 'xnor', 'buf', 'not', 'bufif0', 'bufif1', 'notif0', 'notif1']);
/** The type and the name of an instance, up to what follows them. */
const INSTANCE = /^[A-Za-z_][\w$]*\s+(?:#\s*\(|[A-Za-z_][\w$]*\s*[([]|\\\S+\s+[([])/;
const PROCESSES = new Set(['always', 'always_ff', 'always_comb', 'always_latch', 'initial']);
/** Words whose blocks are not counted here; a design unit with one of them is not divided behind it. */
const OPAQUE = new Set(['extern', 'pure', 'class', 'covergroup', 'property', 'sequence', 'checker', 'clocking', 'specify', 'config', 'modport', 'constraint', 'randsequence', 'virtual', 'bind', 'module', 'program', 'interface', 'primitive', 'table']);
const NO_UNIT_AFTER = new Set(['extern', 'typedef', 'virtual', 'import', 'export', 'pure', 'context', 'wait', 'disable']);
const CLASS = /\s+class\b/y;
const FOREIGN = /\s*"/y;

/** Words that begin a design unit, of which a mistyped one does too. */
const DESIGN_WORDS = ['module', 'package', 'interface', 'program'];

/** Share of the places between items at which a unit ends: one in four, chosen by the text that follows. */
const SPARSITY = 3;
/** Characters of an item that decide whether a unit ends before it. */
const SAMPLE = 48;

const TOKEN = new RegExp(String.raw`${OPAQUE_PIECE}|\`?[A-Za-z_$][\w$]*|[()[\]{};:]`, 'g');

/** Where the reading of units can begin: at the beginning of one. */
interface Start {
  readonly offset: number;
  readonly context: UnitContext;
}

/** Where a unit ends and the next begins, and how far was looked for it. */
interface Cut extends Start {
  readonly reach: number;
}

/**
 * Divides a text into units. Where one ends depends only on the text from its beginning to its reach, mostly a little behind
 * its end, so that an edit changes few units. `stop` is asked at each beginning of a unit and ends the reading.
 */
export function readUnits(text: string, from?: Start, stop?: (start: Start) => boolean): ReadUnits {
  return finish(readUnitsInSteps(text, from, stop));
}

interface ReadUnits {
  readonly units: Unit[];
  readonly stopped: Start | undefined;
}

/** As `readUnits`, step by step. */
export function* readUnitsInSteps(text: string, from: Start = { offset: 0, context: 'text' }, stop: (start: Start) => boolean = () => false): Steps<ReadUnits> {
  const units: Unit[] = [];
  let start: Start = from;
  while (start.offset < text.length) {
    yield;
    if (units.length > 0 && stop(start)) return { units, stopped: start };
    const next = start.context === 'text' ? readDesignUnit(text, start.offset) : readItems(text, start.offset, start.context);
    units.push({ start: start.offset, end: next.offset, reach: next.reach, opensIn: start.context, closesIn: next.context });
    start = next;
  }
  return { units, stopped: undefined };
}

/** Tokens that matter, from an offset on, without comments and strings. */
function* tokensFrom(text: string, offset: number): Generator<{ readonly word: string; readonly at: number }> {
  const pattern = new RegExp(TOKEN);
  pattern.lastIndex = offset;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [word] = match;
    if (word.startsWith('/') || word.startsWith('"') || word.startsWith('\\')) continue;
    yield { word, at: match.index };
  }
}

function readDesignUnit(text: string, offset: number): Cut {
  let previous = '';
  for (const { word, at } of tokensFrom(text, offset)) {
    const opener = previous === '' ? (intendedAmong(word, DESIGN_WORDS) ?? word) : word;
    const isUnit = !NO_UNIT_AFTER.has(previous) || (previous === 'virtual' && word === 'class');
    const closer = isUnit && !(word === 'interface' && isBeforeClass(text, at + word.length)) ? ENDS.get(opener) : undefined;
    previous = word;
    if (UNIT_ENDS.has(word)) return endOfUnit(text, at + word.length);
    if (closer === undefined) continue;
    const context = opener === 'macromodule' ? 'module' : opener;
    if (context === 'module' || context === 'interface' || context === 'program' || context === 'package') return readItems(text, at + word.length, context, true);
    return readToCloser(text, at + word.length, word, closer);
  }
  return endOfText(text);
}

/** `interface class` begins a class. */
function isBeforeClass(text: string, offset: number): boolean {
  CLASS.lastIndex = offset;
  return CLASS.test(text);
}

function endOfText(text: string): Cut {
  return { offset: text.length, context: 'text', reach: text.length + 1 };
}

/** Behind a closing keyword and its label, if there is one. */
function endOfUnit(text: string, offset: number): Cut {
  const label = /\s*(?::\s*([A-Za-z_][\w$]*|\\\S+)?)?/y;
  label.lastIndex = offset;
  const hasLabel = label.exec(text)?.[1] !== undefined;
  return { offset: hasLabel ? label.lastIndex : offset, context: 'text', reach: label.lastIndex + 1 };
}

/** A class, function or the like outside of a module. */
function readToCloser(text: string, offset: number, opener: string, closer: string): Cut {
  let depth = 1;
  let previous = '';
  for (const { word, at } of tokensFrom(text, offset)) {
    // A class may hold a class, a `virtual class` and an `interface class` too; a configuration none, whatever it names.
    if (word === opener && (!NO_UNIT_AFTER.has(previous) || previous === 'virtual') && opener !== 'config') depth++;
    if (word === closer && --depth === 0) return endOfUnit(text, at + word.length);
    if (UNIT_ENDS.has(word) && word !== closer && /^end(?:module|package|interface|program)$/.test(word)) return endOfUnit(text, at + word.length);
    if (word !== 'interface' || previous !== 'typedef') previous = word;
  }
  return endOfText(text);
}

/** Reads items up to the end of their design unit, or to a place between two of them. */
function readItems(text: string, offset: number, context: UnitContext, beginsInHeader = false): Cut {
  const closer = ENDS.get(context) ?? '';
  let depth = 0;
  let brackets = 0;
  /** Of them, those that are braces, in which declarations may stand. */
  let braces = 0;
  let isInHeader = beginsInHeader;
  let opaque = false;
  let nested = 0;
  /** Depth at which the current process began; nothing in a process begins an item, whatever it forgot to close. */
  let process: number | undefined;
  /** Depth at which the current generate region began; regions do not nest, so the next one ends it, whatever it forgot to close. */
  let region: number | undefined;
  let previous = '';
  let reach = offset;
  const cutAt = (at: number, within: UnitContext): Cut => ({ offset: at, context: within, reach });
  for (const { word, at } of tokensFrom(text, offset)) {
    reach = Math.max(reach, at + word.length + 1);
    const last = previous;
    previous = word;
    if (word === ';' && brackets === 0) isInHeader = false;
    const wasOpen = process !== undefined && PROCESSES.has(word);
    if (PROCESSES.has(word)) {
      brackets = braces = 0;
      depth = process ?? depth;
      process = depth;
    } else if (word === ';' && depth === process && brackets === 0) process = undefined;
    else if (word === 'generate') {
      brackets = braces = 0;
      depth = region ?? process ?? depth;
      region = depth;
      process = undefined;
    } else if (word === 'endgenerate' && region !== undefined) {
      brackets = braces = 0;
      depth = region + 1;
      region = undefined;
      process = undefined;
    }
    if (word === closer) {
      if (nested === 0) {
        const end = endOfUnit(text, at + word.length);
        return { ...end, reach: Math.max(reach, end.reach) };
      }
      nested--;
    } else if (word === context && word === 'interface' && depth === 0 && brackets === 0 && /^(?:;|end\w*)$/.test(last) && !isBeforeClass(text, at + word.length)) {
      const ends = readNesting(text, at, INTERFACE_ENDS);
      reach = Math.max(reach, ends.reach);
      if (ends.nested) {
        nested++;
        opaque = true;
      }
    } else if ((word === 'module' || word === 'macromodule') && last !== 'extern') {
      const ends = readNesting(text, at, MODULE_ENDS);
      reach = Math.max(reach, ends.reach);
      if (!ends.nested) return cutAt(startOfLine(text, at), 'text');
      nested++;
      opaque = true;
    } else if (word === 'package' && last !== '') return cutAt(startOfLine(text, at), 'text');
    else if (word === '(' || word === '[' || word === '{') {
      brackets++;
      if (word === '{') braces++;
    } else if (word === ')' || word === ']' || word === '}') {
      brackets = Math.max(0, brackets - 1);
      if (word === '}') braces = Math.max(0, braces - 1);
    } else if (!opaque && depth === 0 && (last === ';' ? braces === 0 && !isInHeader : brackets === 0 && (wasOpen || CLOSERS.has(last)) && ITEM_WORDS.has(word))) {
      reach = Math.max(reach, at + SAMPLE);
      if (beginsItem(text, at, word)) {
        // No item begins behind a semicolon in parentheses, so that one is left open.
        brackets = 0;
        const lineStart = startOfLine(text, at);
        if (lineStart > offset && isChosen(text, at)) return cutAt(lineStart, context);
      }
    }
    if (OPAQUE.has(word) || ((word === 'import' || word === 'export') && isForeign(text, at + word.length))) opaque = true;
    if (OPENERS.has(word) && !NO_UNIT_AFTER.has(last)) depth++;
    else if (CLOSERS.has(word)) {
      depth = Math.max(0, depth - 1);
      if (depth === process) process = undefined;
    }
  }
  return endOfText(text);
}

/** Whether a word behind the end of an item begins the next one. */
function beginsItem(text: string, at: number, word: string): boolean {
  return ITEM_WORDS.has(word) || GATES.has(word) || (!RESERVED_WORDS.has(word) && INSTANCE.test(text.slice(at, at + SAMPLE)));
}

/** `import "DPI-C"` and its like, whose functions have no end. */
function isForeign(text: string, offset: number): boolean {
  FOREIGN.lastIndex = offset;
  return FOREIGN.test(text);
}

function isChosen(text: string, at: number): boolean {
  let hash = 7;
  const end = Math.min(at + SAMPLE, text.length);
  for (let index = at; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === 10) break;
    hash = (Math.imul(hash, 31) + code) | 0;
  }
  hash ^= hash >>> 15;
  return (hash & SPARSITY) === 0;
}

const MODULE_ENDS = /(?<!\bextern\s+)\b(end)?(?:macro)?module\b/g;
const INTERFACE_ENDS = /(?<!\bvirtual\s+)\b(end)?interface\b(?!\s+class\b)/g;

/** Whether a module is in a module, or an interface in one: the ends of both follow, without another beginning between them. */
function readNesting(text: string, at: number, pattern: RegExp): { readonly nested: boolean; readonly reach: number } {
  const ends = new RegExp(pattern);
  ends.lastIndex = at + 6;
  let depth = 1;
  for (let match = ends.exec(text); match; match = ends.exec(text)) {
    const reach = ends.lastIndex + 1;
    depth += match[1] === undefined ? 1 : -1;
    if (depth > 8) return { nested: false, reach };
    if (depth === 0) {
      const next = ends.exec(text);
      return { nested: next?.[1] !== undefined, reach: next ? ends.lastIndex + 1 : text.length + 1 };
    }
  }
  return { nested: false, reach: text.length + 1 };
}

function startOfLine(text: string, at: number): number {
  let start = at;
  while (start > 0 && text[start - 1] !== '\n') {
    if (!/\s/.test(text[start - 1] ?? '')) return at;
    start--;
  }
  return start;
}
