import type { Span } from '../base/text.ts';
import type { SyntaxTree } from './parser.ts';

export interface SyntaxDiagnostic {
  /** In the coordinates of the parsed text. */
  readonly span: Span;
  readonly message: string;
  readonly code: string;
}

export function syntaxDiagnostics(tree: SyntaxTree, text: string): SyntaxDiagnostic[] {
  if (!tree.hasError) return [];
  const found: SyntaxDiagnostic[] = [];
  const visit = (node: SyntaxTree['rootNode']): void => {
    if (!node.hasError && !node.isMissing) return;
    if (node.isMissing) found.push({ span: { start: node.startIndex, end: node.endIndex }, message: `missing '${node.type}'`, code: 'missing' });
    else if (node.isError) found.push({ span: { start: node.startIndex, end: Math.min(node.endIndex, text.length) }, message: 'this is not expected here', code: 'unexpected' });
    else for (const child of node.children) visit(child);
  };
  visit(tree.rootNode);
  return found;
}
