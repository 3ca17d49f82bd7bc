import { portNamed, type Names } from './names.ts';
import type { RawMachine, RawState, RawTransition, Values } from './machine.ts';
import { isValue, split, trimmed, wholeLine, type Cell, type Line, type Problems } from './text.ts';

const STATE = String.raw`\*?(?:[A-Za-z_]\w*|[01]{2,}|\[\*\])`;
/** `A (out=0) --x=1 (z=0)--> B : more`; groups: state, its outputs, label on the arrow, next state, what follows. */
const ARROW = new RegExp(String.raw`^(?:[-•]\s+)?(${STATE})\s*(?:[(\[{]([^)\]}]*)[)\]}])?\s*[-=–—]*?\s*(?:[-=–—]+\s*([^>→]*?)\s*[-=–—]*[>→]|→)\s*(${STATE})\s*(?:[(\[{]([01xX,\s-]+|reset)[)\]}])?\s*(?:(?::|\/|\bwhen\b|\bif\b|\bon\b)?\s*(\S.*))?$`, 'd');
/** `A (out=0): 0->A, 1->B / out 1`; groups: state, its outputs, the moves. */
const COMPACT = new RegExp(String.raw`^(?:[-•]\s+)?(${STATE})\s*(?:[(\[{]([^)\]}]*)[)\]}])?\s*:\s*(.*(?:->|→|=>).*)$`, 'd');
const MOVE = new RegExp(String.raw`([^;>→]*?)\s*(?:-+>|=>|→)\s*(${STATE})(?:\/([01xXdD\-]+))?\s*(?:[,;]|(?=\s)|$)`, 'dg');
const RESET = /^(?:a|s)?(?:rst|reset)(?:_?n)?$|^\[\*\]$|^start$/i;

/** Reads a state diagram in arrows; undefined when there is but one bare arrow. */
export function readArrows(lines: readonly Line[], names: Names, problems: Problems): RawMachine | undefined {
  const states: RawState[] = [];
  const transitions: RawTransition[] = [];
  let resetTo: Cell | undefined;
  const unread: Cell[] = [];
  let found = 0;
  for (const line of lines) {
    const cell = wholeLine(line);
    const read = line.kind === 'text' ? (compactLine(cell, names) ?? arrowLine(cell, names)) : undefined;
    if (read === undefined) {
      if (line.kind === 'text') unread.push(cell);
      continue;
    }
    // One bare arrow may be prose.
    found += read.bare ? 1 : 2;
    if (read.resetTo !== undefined) resetTo = read.resetTo;
    states.push(...read.states);
    transitions.push(...read.transitions);
  }
  const known = new Set(states.map(({ name }) => name.text));
  if (found < 2 || known.size === 0) return undefined;
  // A line that begins like a transition must not be passed over in silence.
  for (const cell of unread) {
    const begins = /^(?:[-•]\s+)?\*?(\w+)\s*(?:[(\[{]|[-=–—]{2}|[-=]+>|→|:.*(?:->|→|=>))/.exec(cell.text)?.[1];
    if (begins !== undefined && (known.has(begins) || /-+>|→/.test(cell.text))) problems.add(cell, 'unreadable', 'This line cannot be read as a transition; write it as in A (out=0) --in=1--> B.');
  }
  return { form: 'state diagram', states, transitions, resetTo };
}

interface ReadLine extends Pick<RawMachine, 'states' | 'transitions' | 'resetTo'> {
  /** Nothing but two names and an arrow. */
  readonly bare: boolean;
}

function arrowLine(cell: Cell, names: Names): ReadLine | undefined {
  const match = ARROW.exec(cell.text);
  const part = partsOf(match, cell);
  const [from, to] = [part(1), part(4)];
  if (from === undefined || to === undefined) return undefined;
  if (RESET.test(from.text)) return { states: [], transitions: [], resetTo: unmarked(to), bare: true };
  const onArrow = part(3);
  const after = part(6);
  const label = onArrow?.text === undefined || onArrow.text === '' ? (after ?? part(5)) : onArrow;
  const beside = onArrow !== undefined && onArrow.text !== '' ? (after ?? part(5)) : undefined;
  const { when, outputs } = readLabel(label, names);
  if (when === undefined) return undefined;
  const moved = beside === undefined ? outputs : (readOutputs(strip(beside, /^[/:]\s*|^\(|\)$/g), names) ?? outputs);
  const stateOutputs = part(2) === undefined ? undefined : readOutputs(part(2), names);
  return {
    states: [{ name: unmarked(from), outputs: stateOutputs, reset: from.text.startsWith('*') }],
    transitions: [{ from: unmarked(from), when, to: unmarked(to), outputs: moved }],
    resetTo: undefined,
    bare: (part(2) ?? label) === undefined,
  };
}

function compactLine(cell: Cell, names: Names): ReadLine | undefined {
  const match = COMPACT.exec(cell.text);
  const part = partsOf(match, cell);
  const [name, moves] = [part(1), part(3)];
  if (name === undefined || moves === undefined) return undefined;
  const slashes = [...moves.text.matchAll(/\/(?=[^/]*$)/g)];
  const cut = slashes[0]?.index ?? -1;
  const tail = cut > 0 && /\s$/.test(moves.text.slice(0, cut)) ? trimmed(moves.text, cut + 1, moves.text.length, moves.span.start) : undefined;
  const head = tail === undefined ? moves : trimmed(moves.text, 0, cut, moves.span.start);
  const from = unmarked(name);
  const transitions: RawTransition[] = [];
  for (const move of head.text.matchAll(MOVE)) {
    const piece = partsOf(move, head);
    const to = piece(2);
    const { when } = readLabel(strip(piece(1), /^[,;\s]+/g), names);
    if (to === undefined || when === undefined) return undefined;
    transitions.push({ from, when, to: unmarked(to), outputs: readOutputs(piece(3), names) });
  }
  const left = head.text.replaceAll(MOVE, '').replace(/[\s,;]/g, '');
  if (transitions.length === 0 || left !== '') return undefined;
  const outputs = readOutputs(part(2), names) ?? readOutputs(tail, names);
  return { states: [{ name: from, outputs, reset: name.text.startsWith('*') }], transitions, resetTo: undefined, bare: false };
}

function partsOf(match: RegExpExecArray | null, cell: Cell): (group: number) => Cell | undefined {
  return (group) => {
    const place = match?.indices?.[group];
    return place === undefined ? undefined : trimmed(cell.text, place[0], place[1], cell.span.start);
  };
}

function unmarked(cell: Cell): Cell {
  return cell.text.startsWith('*') ? { text: cell.text.slice(1), span: { start: cell.span.start + 1, end: cell.span.end } } : cell;
}

/** Cuts what matches off the ends of a cell. */
function strip(cell: Cell | undefined, pattern: RegExp): Cell | undefined {
  if (cell === undefined) return undefined;
  const inner = cell.text.replace(pattern, '').trim();
  const at = inner === '' ? 0 : cell.text.indexOf(inner);
  return { text: inner, span: { start: cell.span.start + at, end: cell.span.start + at + inner.length } };
}

const ALWAYS = /^\(?\s*(?:always|any|unconditional|true|\*)\b.*$|^\*$/i;
const ELSE = /^(?:else|otherwise|default)$/i;

/** A label: the condition, then outputs behind a slash or in parentheses. `when` is undefined where the words are no condition. */
function readLabel(label: Cell | undefined, names: Names): { readonly when: Values | 'else' | undefined; readonly outputs: Values | undefined } {
  const whole = strip(label, /^\[|\]$/g);
  if (whole === undefined || whole.text === '' || ALWAYS.test(whole.text)) return { when: { kind: 'named', terms: [] }, outputs: undefined };
  const match = /^(.*?)\s*(?:\/\s*(.+?)|\(([^)]*)\))$/d.exec(whole.text);
  const part = partsOf(match, whole);
  const outputs = readOutputs(part(2) ?? part(3), names);
  return { when: readCondition(outputs === undefined ? whole : (part(1) ?? whole)), outputs };
}

/** `x=0`, `x=0, y=1`, `x & !y`, `01`, `else`. */
export function readCondition(cell: Cell): Values | 'else' | undefined {
  if (cell.text === '' || ALWAYS.test(cell.text)) return { kind: 'named', terms: [] };
  if (ELSE.test(cell.text)) return 'else';
  const parts = split(cell, /\s*,\s*|\s*&&?\s*|\s+and\s+|\s+(?=[A-Za-z_][\w[\]]*\s*=)/g);
  if (parts.every(({ text }) => isValue(text) && !/^[dD]$/.test(text))) return { kind: 'positional', digits: parts };
  const terms = parts.map((part) => {
    const named = /^([A-Za-z_]\w*(?:\[\d+(?::\d+)?\])?)\s*==?\s*(\S+)$/d.exec(part.text);
    if (named !== null) {
      const piece = partsOf(named, part);
      return { name: piece(1) ?? part, value: piece(2) ?? part };
    }
    const literal = /^([!~]?)([A-Za-z_]\w*(?:\[\d+\])?)('?)$/d.exec(part.text);
    const name = partsOf(literal, part)(2);
    return literal === null || name === undefined ? undefined : { name, value: { ...part, text: literal[1] === '' && literal[3] === '' ? '1' : '0' } };
  });
  return terms.every((term) => term !== undefined) ? { kind: 'named', terms } : undefined;
}

/** `out=0`, `z 1`, `0`, `0, 1`, or nothing at all; undefined where the words are no outputs. */
export function readOutputs(cell: Cell | undefined, names: Names): Values | undefined {
  if (cell === undefined) return undefined;
  if (cell.text === '') return { kind: 'named', terms: [] };
  const parts = split(cell, /\s*[,;]\s*/g);
  if (parts.every(({ text }) => isValue(text))) return { kind: 'positional', digits: parts };
  const terms = parts.map((part) => {
    const match = /^([A-Za-z_]\w*(?:\[\d+(?::\d+)?\])?)\s*(?:==?|:|\s)\s*(\S+)$/d.exec(part.text);
    const piece = partsOf(match, part);
    const [name, value] = [piece(1), piece(2)];
    return name === undefined || value === undefined ? undefined : { name, value };
  });
  if (!terms.every((term) => term !== undefined)) return undefined;
  const [only] = terms;
  const generic = only !== undefined && terms.length === 1 && /^out(?:put)?s?$/i.test(only.name.text) && portNamed(only.name.text, names.ports) === undefined && (names.closed || /^outputs?$/i.test(only.name.text));
  return generic ? { kind: 'positional', digits: [only.value] } : { kind: 'named', terms };
}
