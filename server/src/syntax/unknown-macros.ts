import { OPAQUE_PIECE } from './pieces.ts';

/** A text in which macros that are not known were replaced at equal length by what most macros are. */
export interface MaskedMacros {
  readonly text: string;
  /** One of them stood as an item or a statement, so that it may hold the beginning or the end of a block. */
  readonly holdsItems: boolean;
}

const PIECE = new RegExp(String.raw`${OPAQUE_PIECE}|\`[A-Za-z_]\w*|[A-Za-z_$][\w$]*|\S`, 'g');
/** Macros of the Universal Verification Methodology, IEEE 1800.2: each is whole items or statements, or comes in pairs. */
const WHOLE = /^`[uo]vm_/;
/** What stands before an item or a statement, and before one of a list. */
const BEFORE_ITEM = /^(?:|[;:})]|begin|else|end\w*|join\w*|fork|generate)$/;
const BEFORE_PLACE = /^[(,]$/;

/**
 * A macro that fills its lines where an item, a statement or a connection is due is taken out, with the `;` behind it; any
 * other one becomes a name.
 */
export function maskUnknownMacros(text: string): MaskedMacros {
  let masked = '';
  let holdsItems = false;
  let previous = '';
  let done = 0;
  const pattern = new RegExp(PIECE);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [piece] = match;
    if (/^(?:\/[/*])/.test(piece)) continue;
    if (!/^`./.test(piece)) {
      previous = piece;
      continue;
    }
    const start = match.index;
    const end = behindArguments(text, pattern.lastIndex);
    const isAlone = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 200), start)) && /^[ \t]*;?[ \t]*(?:\/[/*][^\n]*)?(?:\r?\n|$)/.test(text.slice(end, end + 200));
    const isItem = isAlone && BEFORE_ITEM.test(previous);
    const isPlace = isAlone && BEFORE_PLACE.test(previous);
    const stop = isItem ? end + (/^[ \t]*;/.exec(text.slice(end, end + 20))?.[0].length ?? 0) : end;
    const name = isItem || isPlace ? '' : `_${piece.slice(1)}`;
    if (isItem && !WHOLE.test(piece)) holdsItems = true;
    if (!isItem && !isPlace) previous = name;
    masked += text.slice(done, start) + name + text.slice(start + name.length, stop).replace(/[^\r\n]/g, ' ');
    done = stop;
    pattern.lastIndex = stop;
  }
  return { text: masked + text.slice(done), holdsItems };
}

/** Behind the `)` of a list of arguments, if there is one. */
function behindArguments(text: string, offset: number): number {
  const start = offset + (/^\s*/.exec(text.slice(offset, offset + 80))?.[0].length ?? 0);
  if (text[start] !== '(') return offset;
  let depth = 0;
  const pattern = new RegExp(PIECE);
  pattern.lastIndex = start;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[0] === '(') depth++;
    else if (match[0] === ')' && --depth === 0) return pattern.lastIndex;
  }
  return offset;
}
