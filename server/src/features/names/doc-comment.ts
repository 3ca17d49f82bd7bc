import type { Span } from '../../base/text.ts';

/**
 * The comment that belongs to a declaration: the lines directly above it, or else what follows on its line. Plain text
 * without comment signs; empty for none. What stands above a line is not about what another declaration on it holds or ends before.
 */
export function docComment(text: string, declaration: Span): string {
  const lineStart = text.lastIndexOf('\n', declaration.start - 1) + 1;
  const above = /[(;]/.test(text.slice(lineStart, declaration.start)) ? '' : commentAbove(text, lineStart);
  return above === '' ? commentBehind(text, declaration.end) : above;
}

function commentAbove(text: string, lineStart: number): string {
  const lines: string[] = [];
  let end = lineStart - 1;
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line.endsWith('*/') && lines.length === 0) {
      const open = text.lastIndexOf('/*', end);
      const before = text.slice(text.lastIndexOf('\n', open) + 1, open).trim();
      return open < 0 || before !== '' ? '' : clean(text.slice(open, end));
    }
    if (!line.startsWith('//')) break;
    lines.unshift(line);
    end = start - 1;
  }
  return clean(lines.join('\n'));
}

function commentBehind(text: string, offset: number): string {
  const line = /^[^\n]*/.exec(text.slice(offset))?.[0] ?? '';
  if (line.trimEnd().endsWith('\\')) return '';
  const match = /^[^/"]*?(\/\/.*|\/\*.*?\*\/\s*)$/.exec(line.trimEnd());
  return clean(match?.[1] ?? '');
}

function clean(comment: string): string {
  const lines = comment.split('\n').map((line) => line.trim().replace(/^(?:\/\/[/!<]*|\/\*+[!<]*|\*(?!\/))/, '').replace(/\**\/$/, '').replace(/^ /, '').trimEnd());
  const kept = lines.map((line) => (/^[-=*#/_~+]{3,}$/.test(line.trim()) ? '' : line));
  return kept.join('\n').trim();
}
