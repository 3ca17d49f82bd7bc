import type { DesignInput, SourceProblem } from '../analysis/design.ts';
import { LineIndex } from '../base/text.ts';
import { headersOf } from './comment.ts';
import type { CompileContext, FixFinding, Target } from './contract.ts';
import { variablesOf } from './interface.ts';

/** The code as it goes into the target: on lines of its own. */
export function codeFor({ text, span }: Target, code: string): string {
  const before = span.start > 0 && text[span.start - 1] !== '\n' && text.slice(0, span.start).trim() !== '' && span.start === span.end ? '\n' : '';
  const body = code.replace(/\s+$/, '');
  return `${before}${body}${/^\r?\n/.test(text.slice(span.end)) ? '' : '\n'}`;
}

/** The target's file with the code in it, as the input of a load. */
export function placed(target: Target, context: CompileContext, module: string, code: string): DesignInput {
  const { file, text, span } = target;
  return { ...context, file, module, text: text.slice(0, span.start) + code + text.slice(span.end) };
}

/** Zero-based first line of the code in the target's file, and its number of lines. */
export function linesOf({ text, span }: Target, code: string): { readonly first: number; readonly count: number } {
  const lead = /^\n*/.exec(code)?.[0].length ?? 0;
  return { first: new LineIndex(text.slice(0, span.start)).lineCount - 1 + lead, count: code.trim().split('\n').length };
}

/** A problem of the target's file as a finding in the code; undefined when it lies elsewhere. */
export function asFinding({ file, line, message }: SourceProblem, target: Target, code: string): FixFinding | undefined {
  if (line === undefined) return { message, line: undefined };
  const { first, count } = linesOf(target, code);
  return file === target.file && line >= first && line < first + count ? { message, line: line - first } : undefined;
}

/**
 * The code with the header as the user wrote it, comments and all, in place of the model's, where both declare the same outputs as variables; else with the model's ports in
 * the order of `ports`, the wanted ones. The model's header has been found to mean the same interface, its order aside.
 */
export function withHeader(code: string, module: string, header: string, ports: readonly string[]): string {
  const own = headersOf(code).find(({ name }) => name === module)?.text;
  if (own === undefined || own === header) return code;
  const [mine, theirs] = [variablesOf(header), variablesOf(own)];
  const declared = (text: string): boolean => /\b(?:input|output|inout)\b/.test(text);
  const same = mine.size === theirs.size && [...mine].every((name) => theirs.has(name));
  const next = same && declared(header) && declared(own) ? header : reordered(own, ports);
  return next === undefined ? code : code.replace(own, () => next);
}

/** A header with its ports in another order; undefined when the order is right or the list cannot be taken apart. */
function reordered(header: string, order: readonly string[]): string | undefined {
  const list = /\(([^()]*)\)\s*;$/.exec(header);
  if (list === null) return undefined;
  const items: { readonly name: string; readonly text: string }[] = [];
  let kind = '';
  for (const text of withoutComments(list[1] ?? '').split(',')) {
    const [, before = '', name = '', dimensions = ''] = /^\s*(.*?)\s*\b([A-Za-z_][\w$]*)\s*((?:\[[^\]]*\]\s*)*)$/s.exec(text) ?? [];
    if (name === '' || (before !== '' && !/^(?:input|output|inout)\b/.test(before))) return undefined;
    if (before !== '') kind = before;
    items.push({ name, text: `${kind} ${name}${dimensions === '' ? '' : ` ${dimensions.trim()}`}`.trim() });
  }
  if (items.length !== order.length || items.every(({ name }, at) => order[at] === name)) return undefined;
  const sorted = order.flatMap((name) => items.find((item) => item.name === name)?.text ?? []);
  return sorted.length === order.length ? `${header.slice(0, list.index)}(\n  ${sorted.join(',\n  ')}\n);` : undefined;
}

function withoutComments(text: string): string {
  return text.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, ' ');
}
