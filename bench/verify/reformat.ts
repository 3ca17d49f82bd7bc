import type { Item } from '../../server/src/analysis/items.ts';
import { summarize } from '../../server/src/analysis/summary.ts';
import type { Parser } from '../../server/src/syntax/parser.ts';
import { preprocess } from '../../server/src/syntax/preprocess.ts';
import { tokenize, type Token } from '../../server/src/syntax/tokens.ts';

/** Names that the modules of a text declare for themselves: nets, variables and instances, ports and parameters left out. */
function internalNames(text: string, parser: Parser): { own: Set<string>; fixed: Set<string> } {
  const own = new Set<string>();
  const fixed = new Set<string>();
  const { text: expanded, map } = preprocess('/text.sv', text);
  using tree = parser.parseWhole(expanded);
  if (tree === undefined) return { own, fixed };
  const visit = (items: readonly Item[]): void => {
    for (const item of items) {
      if (item.kind === 'variable' || item.kind === 'instance') own.add(item.name);
      else if (item.kind === 'port' || item.kind === 'parameter' || item.kind === 'function' || item.kind === 'typedef') fixed.add(item.name);
      else if (item.kind === 'generate-block' || item.kind === 'generate-for') visit(item.items);
      else if (item.kind === 'generate-if') [item.whenTrue, item.whenFalse].forEach(visit);
      else if (item.kind === 'generate-case') item.branches.forEach((branch) => visit(branch.items));
    }
  };
  const summary = summarize('/text.sv', expanded, tree, map);
  for (const module of summary.modules) {
    fixed.add(module.name);
    visit(module.items);
    for (const port of module.headerPorts) fixed.add(port.name);
  }
  return { own, fixed };
}

/**
 * The same design in another dress: comments gone, other line breaks and spaces, and every internal net, variable and instance renamed. Directives keep
 * their lines. A name that stands behind a dot, in a macro or beside an escaped name keeps its spelling, because it may belong to something else.
 */
export function reformat(text: string, parser: Parser): string {
  const { own, fixed } = internalNames(text, parser);
  const pieces = directiveLines(text);
  const tokens = pieces.flatMap((piece) => (piece.directive ? [] : tokenize(piece.text)));
  tokens.forEach((token, at) => {
    if (token.kind === 'identifier' && (tokens[at - 1]?.text === '.' || tokens[at + 1]?.text === '.')) fixed.add(token.text);
  });
  for (const piece of pieces) if (piece.directive) for (const [word] of piece.text.matchAll(/[A-Za-z_]\w*/g)) fixed.add(word);
  const renamed = new Map([...own].filter((name) => !fixed.has(name)).map((name, index) => [name, `n${String(index)}_${Array.from(name).reverse().join('').replace(/\W/g, '')}`]));
  return pieces.map((piece) => (piece.directive ? `\n${piece.text}\n` : layOut(tokenize(piece.text), piece.text, renamed))).join('');
}

function directiveLines(text: string): { text: string; directive: boolean }[] {
  const pieces: { text: string; directive: boolean }[] = [];
  let continued = false;
  for (const line of text.split('\n')) {
    const directive: boolean = continued || /^\s*`(?:define|undef|ifn?def|elsif|else|endif|include|timescale|default_nettype|resetall|line|celldefine|endcelldefine)\b/.test(line);
    continued = directive && /\\\s*$/.test(line);
    const last: { text: string; directive: boolean } | undefined = pieces.at(-1);
    if (last !== undefined && last.directive === directive) pieces[pieces.length - 1] = { text: `${last.text}\n${line}`, directive };
    else pieces.push({ text: line, directive });
  }
  return pieces;
}

function layOut(tokens: readonly Token[], source: string, renamed: ReadonlyMap<string, string>): string {
  let result = '';
  let column = 0;
  tokens.forEach((token, at) => {
    const written = source.slice(token.span.start, token.span.end);
    const shown = written.startsWith('\\') ? `${written} ` : token.kind === 'identifier' ? (renamed.get(written) ?? written) : written;
    const glued = tokens[at - 1]?.span.end === token.span.start && /^[#@.]$|^\($/.test(tokens[at - 1]?.text ?? '');
    const breaks = column > 60 || (at % 7 === 3 && tokens[at - 1]?.text === ';');
    result += glued ? shown : `${breaks ? '\n   ' : ' '}${shown}`;
    column = breaks ? shown.length : column + shown.length + 1;
  });
  return result;
}
