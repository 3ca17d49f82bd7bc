import assert from 'node:assert/strict';
import { runRules } from '../../../../server/src/analysis/rules/engine.ts';
import type { RuleFinding, RuleOptions } from '../../../../server/src/analysis/rules/engine.ts';
import { fileView, interfaceOnly } from '../../../../server/src/analysis/rules/file-view.ts';
import type { FileView } from '../../../../server/src/analysis/rules/view.ts';
import { readNames } from '../../../../server/src/analysis/names/read.ts';
import { summarize } from '../../../../server/src/analysis/summary.ts';
import { LineIndex } from '../../../../server/src/base/text.ts';
import { syntaxDiagnostics } from '../../../../server/src/syntax/diagnostics.ts';
import { Parser } from '../../../../server/src/syntax/parser.ts';
import { preprocess } from '../../../../server/src/syntax/preprocess.ts';

const parser = await Parser.create();

export interface LintOptions extends RuleOptions {
  readonly file?: string;
  /** Texts of other files of the project by name; without them there is no project. */
  readonly others?: Readonly<Record<string, string>>;
  readonly defines?: Readonly<Record<string, string>>;
}

export function viewOf(text: string, { file = '/p/top.sv', others, defines }: LintOptions = {}): FileView {
  const source = preprocess(file, text, { ...(defines ? { defines } : {}), readFile: (path) => others?.[path.slice(3)] });
  using tree = parser.parse(source.text);
  assert(tree);
  const errors = syntaxDiagnostics(tree, source.text).map(({ span }) => source.map.locateSpan(span).span);
  const summaries = Object.entries(others ?? {}).map(([name, other]) => interfaceOnly(viewOf(other, { file: `/p/${name}` }).summary));
  return fileView({
    file,
    text,
    source,
    summary: summarize(file, source.text, tree, source.map),
    names: readNames(file, source.text, source.map),
    errors,
    others: summaries,
    units: others && new Set(summaries.flatMap((summary) => [...summary.modules, ...summary.packages].map(({ name }) => name))),
  });
}

export async function lint(text: string, options: LintOptions = {}): Promise<readonly RuleFinding[]> {
  const findings = await runRules(viewOf(text, options), options);
  assert(findings);
  return findings;
}

/** Findings as `line: rule`, with lines from 1. */
export function told(findings: readonly RuleFinding[], text: string): string[] {
  const lines = new LineIndex(text);
  return findings.map(({ rule, span }) => `${lines.position(span.start).line + 1}: ${rule}`);
}

/**
 * Checks a text in which `//! rule-id` stands at the end of each line that must be flagged: exactly these findings, at any
 * level. `unused` hints count only where they are marked.
 */
export async function check(text: string, options: LintOptions = {}): Promise<void> {
  const expected = text.split('\n').flatMap((line, index) => [...line.matchAll(/\/\/! ([\w-]+)/g)].map(([, rule = '']) => `${index + 1}: ${rule}`));
  const findings = await lint(text, options);
  const counted = findings.filter(({ rule, span }) => rule !== 'unused' || /\/\/! unused/.test(text.slice(span.start).split('\n')[0] ?? ''));
  assert.deepEqual(told(counted, text).sort(), expected.sort(), `${counted.map(({ message }) => message).join('\n')}\n${text}`);
}

/** The text after a fix. */
export function fixed(text: string, finding: RuleFinding, title?: string): string {
  const fix = finding.fixes.find((candidate) => title === undefined || candidate.title === title);
  assert(fix, `no such fix: ${finding.fixes.map((candidate) => candidate.title).join(', ')}`);
  return [...fix.changes].sort((a, b) => b.span.start - a.span.start).reduce((result, { span, text: inserted }) => result.slice(0, span.start) + inserted + result.slice(span.end), text);
}

/** A module round an example of a rule's page, with declarations of the names that the example does not declare itself. */
export function wrap(example: string): string {
  if (/\bmodule\b/.test(example)) return `${example}\n`;
  const declares = (name: string): boolean => new RegExp(String.raw`\b(?:wire|reg|logic)\b[^;=]*\b${name}\b`).test(example);
  const ports = ['clk', 'rst', 'rst_n', 'en', 'a', 'b', 'c', 'd', 'x', 's'].filter((name) => !declares(name));
  const results = ['y', 'z', 'q', 'r', 't'].filter((name) => !declares(name));
  const enable = /\bENABLE\b/.test(example) ? '#(parameter ENABLE = 1) ' : '';
  const list = [...ports.map((name) => (name === 's' ? 'input [1:0] s' : `input ${name}`)), ...results.map((name) => `output logic [63:0] ${name}`)];
  const used = list.filter((port) => new RegExp(String.raw`\b${port.split(' ').at(-1) ?? ''}\b`).test(example));
  const body = /^(?:case|if)/.test(example) ? `always @(*)\n${example}` : example;
  return `module m ${enable}(${used.join(', ')});\n${body}\nendmodule\n`;
}
