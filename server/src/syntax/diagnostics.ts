import type { Span } from '../base/text.ts';
import type { SyntaxTree } from './parser.ts';
import { DECLARATION_STARTERS, STARTERS } from './keywords.ts';
import { OPAQUE_PIECE } from './pieces.ts';
import { findStructureMistakes } from './structure.ts';

export interface SyntaxDiagnostic {
  /** In the coordinates of the parsed text. */
  readonly span: Span;
  /** One sentence. */
  readonly message: string;
  readonly code: 'missing' | 'unexpected' | 'unclosed' | 'keyword';
}

const OPAQUE = new RegExp(OPAQUE_PIECE, 'g');
const BACKTICKS = new RegExp(String.raw`${OPAQUE_PIECE}|\`\`\`\w*|(\`+)(?![A-Za-z_\\"\`])`, 'g');
/** A macro usage that was left in the text. */
export const MACRO = /`[A-Za-z_]/;

/**
 * Syntax errors of a parsed text, one for each mistake, at the place that a person would point at. Two readers have to agree:
 * a text that parses has none, and one that does not has those that the reader of structure can name. Each alone is wrong
 * about rare valid text. Where an unknown macro may be to blame nothing is said.
 */
export function syntaxDiagnostics(tree: SyntaxTree, text: string): SyntaxDiagnostic[] {
  if (!tree.hasError) return [];
  const unclosed = unclosedText(text);
  if (unclosed) return [unclosed];
  // A macro that is not known may begin and end blocks.
  const hidesBlocks = MACRO.test(text);
  const structural = findStructureMistakes(text).filter(({ span, message }) => !touchesMacro(span, text) && !(hidesBlocks && / without '/.test(message)));
  return [...strayBackticks(text), ...structural];
}

/** A backtick that begins no macro, as in the fences of Markdown round a piece of code. */
function strayBackticks(text: string): SyntaxDiagnostic[] {
  const found: SyntaxDiagnostic[] = [];
  for (const { 0: piece, 1: stray, index: start } of text.matchAll(BACKTICKS)) {
    const isFence = piece.startsWith('```');
    if (stray === undefined && !isFence) continue;
    const message = isFence ? 'This line is Markdown; keep only the Verilog text between such lines.' : "'`' is not expected here.";
    found.push({ span: { start, end: start + piece.length }, message, code: 'unexpected' });
  }
  return found;
}

/** A comment or a string that swallows what is behind it. */
function unclosedText(text: string): SyntaxDiagnostic | undefined {
  for (const { 0: piece, index } of text.matchAll(OPAQUE)) {
    if (piece.startsWith('/*') && !(piece.length > 3 && piece.endsWith('*/'))) {
      return { span: { start: index, end: index + 2 }, message: "This comment is not closed; end it with '*/'.", code: 'unclosed' };
    }
    if (piece.startsWith('"') && !(piece.length > 1 && piece.endsWith('"'))) {
      return { span: { start: index, end: index + piece.trimEnd().length }, message: "This string is not closed; end it with '\"' on the same line.", code: 'unclosed' };
    }
  }
  return undefined;
}

/** The line of the span uses a macro that is not known, or the one before it does and this one begins with no word that begins anything. */
export function touchesMacro(span: Span, text: string): boolean {
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  const lineEnd = text.indexOf('\n', span.end);
  const own = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
  if (MACRO.test(own)) return true;
  const word = /^\s*([a-z_]+)/.exec(own)?.[1] ?? '';
  if (STARTERS.has(word) || DECLARATION_STARTERS.has(word)) return false;
  const before = lineStart < 2 ? 0 : text.lastIndexOf('\n', lineStart - 2) + 1;
  return MACRO.test(text.slice(before, lineStart));
}
