import { fileURLToPath, pathToFileURL } from 'node:url';
import { DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { Diagnostic, Range } from 'vscode-languageserver';
import { LineIndex, withLineFeeds } from '../base/text.ts';
import type { Position, Span } from '../base/text.ts';
import type { Finding, Place, Severity } from '../features/finding.ts';

/** Absolute path of a `file:` address; other addresses stand for themselves. */
export function pathOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
}

/** Address of an absolute path, where no open document has told its own. */
export function uriOf(path: string): string {
  return /^[a-z][a-z0-9+.-]+:/i.test(path) ? path : pathToFileURL(path).href;
}

/** A text with positions; lines are found once. */
export class PlacedText {
  readonly text: string;
  #lines: LineIndex | undefined;

  constructor(text: string) {
    this.text = withLineFeeds(text);
  }

  position(offset: number): Position {
    this.#lines ??= new LineIndex(this.text);
    return this.#lines.position(offset);
  }

  offset(position: Position): number {
    this.#lines ??= new LineIndex(this.text);
    return this.#lines.offset(position);
  }

  range({ start, end }: Span): Range {
    return { start: this.position(start), end: this.position(end) };
  }

  /** A tool names a position only: the word there, or the rest of the line where there is none. */
  rangeOf(place: Place): Range {
    if (place.kind === 'span') return this.range(place.span);
    const start = this.offset(place.position);
    const rest = /^[^\r\n]*/.exec(this.text.slice(start))?.[0] ?? '';
    const word = /^[\w$`\\]+/.exec(rest)?.[0] ?? rest.trimEnd();
    return this.range({ start, end: start + word.length });
  }
}

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Where the text of a file and its address are found. */
export interface Texts {
  textOf(file: string): PlacedText;
  uriOf(file: string): string;
}

export function toDiagnostic(finding: Finding, texts: Texts): Diagnostic {
  return {
    range: texts.textOf(finding.file).rangeOf(finding.place),
    severity: severities[finding.severity],
    code: finding.code,
    ...(finding.page === undefined ? {} : { codeDescription: { href: finding.page } }),
    ...(finding.unnecessary === true ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    source: 'RTL Copilot',
    message: finding.message,
    relatedInformation: finding.related.map(({ file, span, message }) => ({
      location: { uri: texts.uriOf(file), range: texts.textOf(file).range(span) },
      message,
    })),
  };
}
