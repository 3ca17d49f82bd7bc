import type { Span } from '../base/text.ts';
import type { Node, SyntaxTree } from './parser.ts';
import { DECLARATION_STARTERS, STARTERS } from './keywords.ts';
import { findStructureMistakes } from './structure.ts';
import { tokenize } from './tokens.ts';
import { printable } from './words.ts';

export interface SyntaxDiagnostic {
  /** In the coordinates of the parsed text. */
  readonly span: Span;
  /** One sentence. */
  readonly message: string;
  readonly code: 'missing' | 'unexpected' | 'unclosed' | 'keyword';
}

/** A macro usage that was left in the text. */
const MACRO = /`[A-Za-z_]/;

/**
 * Syntax errors of a parsed text, one for each mistake, at the place that a person would point at. A text that parses has
 * none. Where an unknown macro may be to blame nothing is said.
 */
export function syntaxDiagnostics(tree: SyntaxTree, text: string): SyntaxDiagnostic[] {
  if (!tree.hasError) return [];
  const unclosed = unclosedText(text);
  if (unclosed) return [unclosed];
  // A macro that is not known may begin and end blocks.
  const hidesBlocks = MACRO.test(text);
  const structural = findStructureMistakes(text).filter(({ span, message }) => !touchesMacro(span, text) && !(hidesBlocks && / without '/.test(message)));
  if (structural.length > 0) return structural;
  const errors = errorNodes(tree.rootNode);
  const found: SyntaxDiagnostic[] = [];
  let reached = -1;
  for (const node of errors) {
    // What follows in the same item is mostly the echo of its first error.
    const item = itemOf(node);
    if (node.startIndex < reached || touchesMacro({ start: item.startIndex, end: item.endIndex }, text)) continue;
    reached = Math.max(item.endIndex, node.endIndex);
    found.push(describe(node, text));
  }
  return found;
}

/** A comment or a string that swallows what is behind it. */
function unclosedText(text: string): SyntaxDiagnostic | undefined {
  for (const { 0: piece, index } of text.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|\\\S+/g)) {
    if (piece.startsWith('/*') && !(piece.length > 3 && piece.endsWith('*/'))) {
      return { span: { start: index, end: index + 2 }, message: "This comment is not closed; end it with '*/'.", code: 'unclosed' };
    }
    if (piece.startsWith('"') && !(piece.length > 1 && piece.endsWith('"'))) {
      return { span: { start: index, end: index + piece.trimEnd().length }, message: "This string is not closed; end it with '\"' on the same line.", code: 'unclosed' };
    }
  }
  return undefined;
}

/** Outermost error nodes and missing tokens, in order. */
function errorNodes(root: Node): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (node.isMissing || node.isError) found.push(node);
    else if (node.hasError) for (const child of node.children) visit(child);
  };
  visit(root);
  return found;
}

/** The module item or statement that an error lies in. */
function itemOf(node: Node): Node {
  let item = node;
  for (let parent = node.parent; parent; parent = parent.parent) {
    if (/^(?:module_declaration|interface_declaration|package_declaration|source_file|seq_block|generate_region|ERROR)$/.test(parent.type)) return item;
    item = parent;
  }
  return item;
}

/** The line of the span uses a macro that is not known, or the one before it does and this one begins with no word that begins anything. */
function touchesMacro(span: Span, text: string): boolean {
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  const lineEnd = text.indexOf('\n', span.end);
  const own = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
  if (MACRO.test(own)) return true;
  const word = /^\s*([a-z_]+)/.exec(own)?.[1] ?? '';
  if (STARTERS.has(word) || DECLARATION_STARTERS.has(word)) return false;
  const before = lineStart < 2 ? 0 : text.lastIndexOf('\n', lineStart - 2) + 1;
  return MACRO.test(text.slice(before, lineStart));
}

const ITEM_NAMES: readonly (readonly [RegExp, string])[] = [
  [/instantiation$/, 'instance'],
  [/^(?:net|data|parameter|local_parameter|port|genvar|type)_declaration$|_declaration$/, 'declaration'],
  [/assign/, 'assignment'],
  [/header$/, 'module header'],
];

const TRAILING_COMMA = "This ',' is one too many, or a name is missing after it.";

function describe(node: Node, text: string): SyntaxDiagnostic {
  const before = wordBefore(node.startIndex, text);
  if (node.isMissing) {
    const parent = node.parent?.type ?? '';
    const item = ITEM_NAMES.find(([pattern]) => pattern.test(parent))?.[1] ?? 'statement';
    const what = missingName(node.type);
    const comma = text.slice(before.start, before.end) === ',' && what === 'a name';
    if (comma) return { span: before, message: TRAILING_COMMA, code: 'missing' };
    return { span: before, message: `Missing ${what} after this${what === "';'" ? ` ${item}` : ''}.`, code: 'missing' };
  }
  const [token] = tokenize(text.slice(node.startIndex, node.startIndex + 200));
  if (!token) return { span: before, message: 'Something is missing after this.', code: 'missing' };
  const word = printable(token.text);
  const start = node.startIndex + token.span.start;
  const end = node.startIndex + token.span.end;
  if (word === ',' && /^\s*[);]/.test(text.slice(end))) return { span: { start, end }, message: TRAILING_COMMA, code: 'unexpected' };
  if (/^[-+*/%&|^<>=~?]+$/.test(word) && /^\s*[;),]/.test(text.slice(end))) {
    return { span: { start, end }, message: `Missing an operand after '${word}'.`, code: 'missing' };
  }
  return { span: { start, end }, message: `'${word}' is not expected here.`, code: 'unexpected' };
}

function missingName(type: string): string {
  if (type.endsWith('identifier')) return 'a name';
  if (/number|literal|value/.test(type)) return 'a number';
  return type.includes('_') ? 'something' : `'${type}'`;
}

function wordBefore(offset: number, text: string): Span {
  const end = text.slice(0, offset).trimEnd().length;
  const word = /(?:[\w$']+|\S)$/.exec(text.slice(Math.max(0, end - 200), end))?.[0] ?? '';
  return { start: end - word.length, end };
}
