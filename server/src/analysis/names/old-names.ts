import { YOUNG_KEYWORDS } from '../../syntax/grammar-gaps.ts';
import { OPERATOR_WORDS } from '../../syntax/keywords.ts';

const YOUNG: ReadonlySet<string> = new Set(YOUNG_KEYWORDS);
const DECLARING = /^(?:input|output|inout|wire|reg|integer|tri|tri0|tri1|real|time|realtime|genvar|signed|wand|wor|supply0|supply1|event)$/;
/** What ends the item or statement before an instance. */
const BEFORE_ITEM = /^(?:;|end|begin|generate|endtask|endfunction|endgenerate|endcase|endspecify)$/;
/** Tokens of one declaration that are looked back through. */
const LONGEST_LIST = 200;

/** Words that only later standards reserve, in a text of Verilog-2001. */
export interface OldNames {
  /** Indices of those that are names, such as in `reg do;`. A word that the text also uses as it is reserved is none. */
  readonly places: readonly number[];
  /** Whether what is to be made of some of them depends on other parts of the text. */
  readonly areDeclared: boolean;
}

/** `kinds` and `texts` tell of each token. */
export function oldNames(kinds: readonly string[], texts: readonly string[]): OldNames {
  const places: number[] = [];
  const connections: number[] = [];
  const names = new Set<string>();
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] !== 'keyword' || !YOUNG.has(texts[at] ?? '')) continue;
    if (texts[at - 1] === '.' && /^[(,]$/.test(texts[at - 2] ?? '') && /^[(,)]$/.test(texts[at + 1] ?? '')) connections.push(at);
    else {
      places.push(at);
      if (isDeclared(kinds, texts, at)) names.add(texts[at] ?? '');
    }
  }
  if (names.size === 0) return { places: connections, areDeclared: false };
  for (const at of places) if (kinds[at + 1] === 'identifier' || /^(?:un)?signed$/.test(texts[at + 1] ?? '')) names.delete(texts[at] ?? '');
  return { places: [...connections, ...places.filter((at) => names.has(texts[at] ?? ''))], areDeclared: true };
}

function isDeclared(kinds: readonly string[], texts: readonly string[], at: number): boolean {
  const [before = '', word = '', behind = ''] = texts.slice(Math.max(0, at - 1), at + 2);
  if (DECLARING.test(before)) return /^[,;)=]$/.test(behind);
  if (before === ']' || before === ',') return /^[,;)=[]$/.test(behind) && !(before === ',' && behind === '[') && isInList(texts, at);
  const type = typeBefore(kinds, texts, at);
  return behind === '(' && type < at && !OPERATOR_WORDS.has(word) && BEFORE_ITEM.test(texts[type - 1] ?? '');
}

/** The index of the type of an instance whose name is at an index, in front of its parameters; the name's own where there is none. */
function typeBefore(kinds: readonly string[], texts: readonly string[], at: number): number {
  let type = at - 1;
  if (texts[type] === ')') {
    for (let depth = 0; type > 0; type--) {
      if (texts[type] === ')') depth++;
      else if (texts[type] === '(' && --depth === 0) break;
    }
    if (texts[type - 1] !== '#') return at;
    type -= 2;
  }
  return kinds[type] === 'identifier' ? type : at;
}

function isInList(texts: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= Math.max(0, at - LONGEST_LIST); index--) {
    const text = texts[index] ?? '';
    if (DECLARING.test(text) || /^(?:parameter|localparam|function)$/.test(text)) return true;
    if (/^[;()]$/.test(text)) return false;
  }
  return false;
}
