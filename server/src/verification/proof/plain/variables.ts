/**
 * Variables of blocks and subroutines that live for one call (IEEE 1800, 6.21), for a reader without lifetimes: their initial values become
 * assignments behind the declarations.
 */
import { outerTokens } from '../memories.ts';
import { afterStatement, isPlainName, tokenize, type Token } from '../tokens.ts';
import { statesAt } from './states.ts';
import { afterDeclarations, edited, endOf, processesIn, startOf, subroutinesIn, textOf, type Edit } from './structure.ts';

export function withoutLifetimes(text: string): string {
  const tokens = tokenize(text);
  const routines = subroutinesIn(tokens);
  const edits: Edit[] = [];
  for (const { automatic, body, end, name, type } of routines) {
    const own = automatic && name !== undefined && type.from < type.to && statesAt(tokens, type.from) === 'two' ? [`${name} = 0;`] : [];
    edits.push(...blockEdits(text, tokens, { from: body, to: end, automatic, first: own }));
    edits.push(...innerBlocks(text, tokens, body, end, automatic));
  }
  for (const { body, end } of processesIn(tokens)) edits.push(...innerBlocks(text, tokens, body, end, false));
  return edited(text, edits);
}

function innerBlocks(text: string, tokens: readonly Token[], from: number, to: number, automatic: boolean): Edit[] {
  const edits: Edit[] = [];
  for (let at = from; at < to; at++) {
    if (tokens[at]?.text !== 'begin') continue;
    const inside = tokens[at + 1]?.text === ':' ? at + 3 : at + 1;
    edits.push(...blockEdits(text, tokens, { from: inside, to: afterStatement(tokens, at) - 1, automatic, first: [] }));
  }
  return edits;
}

interface Block {
  readonly from: number;
  readonly to: number;
  /** Its variables live for one call unless they say otherwise. */
  readonly automatic: boolean;
  /** Statements that come before all others. */
  readonly first: readonly string[];
}

function blockEdits(text: string, tokens: readonly Token[], { from, to, automatic, first }: Block): Edit[] {
  const behind = afterDeclarations(tokens, from, to);
  const edits: Edit[] = [];
  const statements = [...first];
  for (let at = from; at < behind; at = afterStatement(tokens, at)) {
    const word = tokens[at]?.text ?? '';
    const isAutomatic = word === 'automatic' || (automatic && word !== 'static');
    if (!isAutomatic || ['input', 'output', 'inout', 'ref', 'const', 'localparam', 'parameter', 'typedef'].includes(word)) continue;
    const end = afterStatement(tokens, at) - 1;
    const start = word === 'automatic' ? at + 1 : at;
    const declarators = declaratorsIn(tokens, start, end);
    const states = statesAt(tokens, start);
    // An array, or a structure of both kinds of bits, has no initial value that can be said here.
    if (declarators.some(({ equals, dimensions }) => (dimensions && (word === 'automatic' || states !== 'four')) || (equals === undefined && states === 'mixed'))) {
      if (start === at) edits.push({ start: startOf(tokens, at), end: startOf(tokens, at), replacement: 'automatic ' });
      continue;
    }
    if (start > at) edits.push({ start: startOf(tokens, at), end: startOf(tokens, start), replacement: '' });
    for (const { name, equals, stop, dimensions } of declarators) {
      if (dimensions) continue;
      if (equals !== undefined) edits.push({ start: startOf(tokens, equals), end: endOf(tokens, stop - 1), replacement: '' });
      // What has no initial value begins each call with that of its type.
      const value = equals === undefined ? (states === 'two' ? '0' : "'x") : textOf(text, tokens, equals + 1, stop);
      if (equals !== undefined || word === 'automatic' || value === '0') statements.push(`${name} = ${value};`);
    }
  }
  const offset = endOf(tokens, behind - 1);
  return statements.length === 0 ? edits : [...edits, { start: offset, end: offset, replacement: ` ${statements.join(' ')}` }];
}

interface Declarator {
  readonly name: string;
  /** Index of the sign behind which the initial value stands, up to `stop`. */
  readonly equals: number | undefined;
  readonly stop: number;
  /** It is an array. */
  readonly dimensions: boolean;
}

function declaratorsIn(tokens: readonly Token[], from: number, to: number): Declarator[] {
  const outer = outerTokens(tokens, from, to);
  const commas = outer.flatMap(({ text, at }) => (text === ',' ? [at] : []));
  return [...commas, to].flatMap((stop, index): Declarator[] => {
    const start = index === 0 ? from : (commas[index - 1] ?? from) + 1;
    const equals = outer.find(({ text, at }) => text === '=' && at >= start && at < stop)?.at;
    const names = outer.filter(({ at }) => at >= start && at < (equals ?? stop)).filter(({ at }) => isPlainName(tokens[at] ?? { text: '', kind: 'symbol', start: 0, end: 0 }));
    const name = names.at(-1);
    return name === undefined ? [] : [{ name: name.text, equals, stop, dimensions: tokens[name.at + 1]?.text === '[' }];
  });
}
