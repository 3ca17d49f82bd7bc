import { scanExpression } from './expression/scan.ts';
import { CLOSING_WORDS } from './keywords.ts';
import type { WordReader } from './words.ts';

/** `@(…)`, `@*`, `@name`, `#delay`, one after the other. */
export function readTiming(reader: WordReader): void {
  for (let sign = reader.accept('@', '#', '##'); sign; sign = reader.accept('@', '#', '##')) {
    const next = reader.current;
    if (!next) return;
    if (CLOSING_WORDS.has(next.text)) {
      reader.report(sign, 'missing', `${sign.text === '@' ? 'An event' : 'A delay'} is missing after this '${sign.text}'.`);
      return;
    }
    if (next.text === '(') scanExpression(reader, { ends: [], isGroup: true });
    else if (sign.text === '@' && /^(?:posedge|negedge|edge)$/.test(next.text)) {
      reader.missingAfter('(', sign, '; an edge stands in parentheses');
      skipEvent(reader);
    } else if (next.kind === 'macro') reader.skipMacro();
    else {
      reader.at++;
      while (/^(?:\.|\[|::)$/.test(reader.peek())) {
        if (reader.peek() !== '[') reader.at += 2;
        else reader.at = reader.closing(reader.at) ?? reader.at + 1;
      }
    }
  }
}

/** The rest of an event that stands without parentheses, as far as its line goes. */
function skipEvent(reader: WordReader): void {
  for (let word = reader.current; word && !word.first && word.text !== 'begin' && word.text !== ';'; word = reader.current) reader.at++;
}
