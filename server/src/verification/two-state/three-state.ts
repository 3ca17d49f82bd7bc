/** Nets and primitives that are about driving and not driving a net. */
const WORDS = /\b(?:inout|tri[01]?|tri(?:and|or|reg)|w(?:and|or)|pull(?:up|down)|r?(?:[np]|c)mos|r?tran(?:if[01])?|(?:buf|not)if[01]|highz[01]|(?:strong|pull|weak)[01]|small|medium|large)\b/;

const NUMBER = /'[sS]?[bodhBODH]\s*[0-9a-fA-FxXzZ_?]+|'[zZ]\b/g;

/**
 * The first place at which a design is about high impedance (z), which a simulator of two states does not have. In the labels of
 * `casez` a z only stands for any value.
 */
export function threeStateUse(code: string): { readonly offset: number; readonly message: string } | undefined {
  const text = code.replace(/"(?:[^"\\\n]|\\[\s\S])*"|\\\S+/g, (piece) => ' '.repeat(piece.length));
  const word = WORDS.exec(text);
  if (word !== null) return { offset: word.index, message: `'${word[0]}' is about nets that may be driven by none or by several, and Verilator knows only 0 and 1.` };
  for (const { 0: number, index: offset } of text.matchAll(NUMBER)) {
    if (!/[zZ]/.test(number) || isLabel(text, offset, offset + number.length)) continue;
    return { offset, message: 'A value here is z (undriven), and Verilator knows only 0 and 1.' };
  }
  return undefined;
}

/** A number that is an item of a case statement: in a list that a colon ends and that no `?` begins. */
function isLabel(text: string, start: number, end: number): boolean {
  const before = text.slice(0, start).replace(/[\w\s,']+$/, '').slice(-1);
  return before !== '?' && before !== ':' && before !== '=' && /^[\s,\w']*:/.test(text.slice(end, end + 2000));
}
