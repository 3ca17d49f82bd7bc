import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RuleFinding } from '../analysis/rules/engine.ts';
import type { Level, TextChange } from '../analysis/rules/rule.ts';
import { rules } from '../analysis/rules/table.ts';
import type { Span } from '../base/text.ts';

/** Levels by rule from a setting, and the names in it that are no rules. */
export function levelsFrom(setting: Readonly<Record<string, string>>): { readonly levels: Readonly<Record<string, Level>>; readonly unknown: readonly string[] } {
  const ids = new Set(rules.map(({ id }) => id));
  const names = Object.keys(setting);
  return { levels: setting as Readonly<Record<string, Level>>, unknown: names.filter((name) => !ids.has(name)) };
}

/** Address of the page of a rule, which comes with the program; undefined when it was left out. */
export function rulePage(id: string): string | undefined {
  const pages = findPages();
  return pages === undefined ? undefined : pathToFileURL(join(pages, `${id}.md`)).href;
}

let pagesDir: string | undefined | null = null;

function findPages(): string | undefined {
  if (pagesDir !== null) return pagesDir;
  pagesDir = undefined;
  for (let dir = import.meta.dirname; dirname(dir) !== dir; dir = dirname(dir)) {
    const pages = join(dir, 'docs', 'rules');
    if (existsSync(pages)) {
      pagesDir = pages;
      break;
    }
  }
  return pagesDir;
}

export interface QuickFix {
  readonly title: string;
  readonly finding: RuleFinding;
  readonly changes: readonly TextChange[];
  /** It changes what was found, rather than silencing it. */
  readonly mends: boolean;
  /** The only thing that mends it. */
  readonly isPreferred: boolean;
}

/** What can be done about the findings that touch a place: their own fixes first, then comments that silence them. */
export function quickFixes(text: string, findings: readonly RuleFinding[], at: Span): QuickFix[] {
  const touched = findings.filter(({ span }) => span.start <= at.end && span.end >= at.start);
  const mending = touched.flatMap((finding) =>
    finding.fixes.map(({ title, changes }, index): QuickFix => ({ title, changes, finding, mends: true, isPreferred: index === 0 && finding.fixes.length === 1 })),
  );
  const silencing = touched.flatMap((finding): QuickFix[] => [
    { title: `Silence ${finding.rule} here by a comment`, finding, mends: false, isPreferred: false, changes: [silenceLine(text, finding)] },
    { title: `Silence ${finding.rule} in this file by a comment`, finding, mends: false, isPreferred: false, changes: [{ span: { start: 0, end: 0 }, text: `// rtl-copilot off ${finding.rule}${lineEnd(text)}` }] },
  ]);
  return [...mending, ...silencing];
}

/** A comment on a line of its own above, indented alike. */
function silenceLine(text: string, { rule, span }: RuleFinding): TextChange {
  const line = text.lastIndexOf('\n', span.start - 1) + 1;
  const indent = /[ \t]*/y;
  indent.lastIndex = line;
  return { span: { start: line, end: line }, text: `${indent.exec(text)?.[0] ?? ''}// rtl-copilot off-next-line ${rule}${lineEnd(text)}` };
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
