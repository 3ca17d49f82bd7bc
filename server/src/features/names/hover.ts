import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { NamedSource, Occurrence } from '../../analysis/names/source.ts';
import { NameValues } from '../../analysis/names/values.ts';
import { evaluate } from '../../analysis/constant.ts';
import { parseExpression } from '../../analysis/expression.ts';
import { toNumber } from '../../analysis/operators.ts';
import { Scope } from '../../analysis/scope.ts';
import type { Span } from '../../base/text.ts';
import type { Macro } from '../../syntax/macros.ts';
import { OPAQUE_PIECE } from '../../syntax/pieces.ts';
import { placeAt } from './at.ts';
import { commentOf, declarationText, evaluatedText, headerText, isText, valueText } from './describe.ts';
import { docComment } from './doc-comment.ts';
import type { NameSnapshot } from './snapshot.ts';

export interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly span: Span;
}

/** What is known about the name or macro at an offset: its declaration, its value or width, its comment. */
export function hover(snapshot: NameSnapshot, file: string, offset: number): Hover | undefined {
  const at = placeAt(snapshot, file, offset);
  if (!at) return numberAt(snapshot, file, offset);
  if (at.kind === 'include') return { text: at.directive.resolved ?? `The file "${at.directive.name}" was not found.`, span: at.span };
  if (at.kind === 'macro') {
    const text = macroText(snapshot, file, at.mention.name, at.mention.span);
    return text === undefined ? undefined : { text, span: at.span };
  }
  const parts = at.targets.slice(0, 2).map((target) => targetText(snapshot, at.source, at.occurrences, target));
  return parts.length === 0 ? undefined : { text: parts.join('\n\n---\n\n'), span: at.span };
}

const BASED_NUMBER = new RegExp(String.raw`${OPAQUE_PIECE}|(?<![\w$'])(?:\d[\d_]*[ \t]*)?'[sS]?[bodhBODH][ \t]*[0-9a-fA-F][0-9a-fA-F_]*(?![\w$])`, 'g');
/** Characters round a place in which a number is looked for. */
const NEAR = 2000;

/** What a number of some base is in decimal and in binary. */
function numberAt(snapshot: NameSnapshot, file: string, offset: number): Hover | undefined {
  const text = snapshot.source(file)?.text ?? '';
  const from = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1;
  const end = text.indexOf('\n', offset);
  const line = text.slice(Math.max(from, offset - NEAR), Math.min(end < 0 ? text.length : end, offset + NEAR));
  const start = Math.max(from, offset - NEAR);
  for (const { 0: piece, index } of line.matchAll(BASED_NUMBER)) {
    if (!/^[\d']/.test(piece) || start + index > offset || offset > start + index + piece.length) continue;
    const value = evaluate(parseExpression(piece), new Scope(undefined, () => undefined));
    if (!value) return undefined;
    return { text: `= ${toNumber(value)} (${value.width}'h${value.bits.toString(16)}, ${value.width}'b${value.bits.toString(2)})`, span: { start: start + index, end: start + index + piece.length } };
  }
  return undefined;
}

const MOST_TYPEDEFS = 20;
const WITH_HEADER: ReadonlySet<string> = new Set(['module', 'interface', 'program']);

function targetText(snapshot: NameSnapshot, source: NamedSource, occurrences: readonly Occurrence[], target: DeclarationRef): string {
  const declaration = declarationOf(target);
  const values = new NameValues(snapshot);
  const code = WITH_HEADER.has(declaration.kind) ? headerText(target) : [target, ...typesBehind(snapshot, target)].map(declarationText).join('\n');
  const scope = instanceScope(values, source, occurrences, target);
  const facts = [evaluatedText(values, target, scope), ownerText(target), scope ? '' : connectedText(values, source, occurrences, target)].filter((fact) => fact !== '');
  return [fence(code), facts.join(' · '), commentOf(snapshot, target)].filter((part) => part !== '').join('\n\n');
}

/** The typedef that holds the members or values of what is declared, if that is written elsewhere. */
function typesBehind({ resolver }: NameSnapshot, ref: DeclarationRef): DeclarationRef[] {
  const { kind, type } = declarationOf(ref);
  let found = type?.kind === 'named' && kind !== 'typedef' && kind !== 'instance' ? resolver.target(ref.names, type.use) : undefined;
  for (let depth = 0; found && depth < MOST_TYPEDEFS; depth++) {
    const behind = declarationOf(found);
    if (behind.kind !== 'typedef') return [];
    if (/^(?:struct|union|enum)\b/.test(behind.typeText)) return [found];
    found = behind.type?.kind === 'named' ? resolver.target(found.names, behind.type.use) : undefined;
  }
  return [];
}

function fence(code: string): string {
  return `\`\`\`systemverilog\n${code}\n\`\`\``;
}

/** Where it belongs, when that is a unit or type with a name. */
function ownerText({ names, index }: DeclarationRef): string {
  const declaration = declarationOf({ names, index });
  const owner = names.scopes[declaration.scope]?.owner;
  const unit = owner === undefined ? undefined : names.declarations[owner];
  return unit && ['port', 'parameter', 'type-parameter', 'typedef', 'function', 'task', 'enum-member'].includes(declaration.kind) ? `${unit.kind} \`${unit.name}\`` : '';
}

/** At a connection the module is seen with the parameters of its instance. */
function instanceScope(values: NameValues, { names, preprocessed }: NamedSource, occurrences: readonly Occurrence[], target: DeclarationRef): Scope | undefined {
  for (const { use } of occurrences) {
    const instance = use === undefined ? undefined : names.instances.find((each) => each.ports.some((port) => port.use === use));
    const scope = instance && values.instanceScope(names, instance, preprocessed.text);
    if (scope && names.uses[use ?? -1]?.name === declarationOf(target).name && declarationOf(target).kind === 'port') return scope;
  }
  return undefined;
}

/** The value that an instance gives to the parameter at the cursor. */
function connectedText(values: NameValues, { names, preprocessed }: NamedSource, occurrences: readonly Occurrence[], target: DeclarationRef): string {
  for (const { use } of occurrences) {
    const instance = names.instances.find((each) => each.parameters.some((parameter) => parameter.use !== undefined && parameter.use === use));
    const given = instance?.parameters.find((parameter) => parameter.use === use)?.expression;
    const text = given && preprocessed.text.slice(given.start, given.end);
    const value = instance && text !== undefined && !text.includes('"') && !isText(declarationOf(target)) && values.evaluate(text, values.scopeOf(names, instance.scope));
    if (value) return `here ${valueText(value)}`;
  }
  return '';
}

function macroText(snapshot: NameSnapshot, file: string, name: string, mention: Span): string | undefined {
  const sources = [file, ...snapshot.includers(file)].flatMap((each) => snapshot.source(each) ?? []);
  const own = sources[0];
  const defined = own?.preprocessed.definitions.findLast((macro) => macro.name === name && (macro.location.file !== file || macro.location.span.start <= mention.start));
  const macro: Macro | undefined = defined ?? sources.map(({ preprocessed }) => preprocessed.macros.get(name)).find((each) => each !== undefined) ?? definedElsewhere(snapshot, name);
  if (!macro) return undefined;
  const parameters = macro.parameters ? `(${macro.parameters.map((each) => (each.default === undefined ? each.name : `${each.name} = ${each.default}`)).join(', ')})` : '';
  const expansion = own && expansionAt(own, file, mention.start - 1);
  const parts = [fence(`\`define ${name}${parameters}${macro.body === '' ? '' : ` ${macro.body}`}`)];
  if (expansion !== undefined && expansion.trim() !== '' && (macro.parameters !== undefined || expansion.trim() !== macro.body.trim())) parts.push('expands here to', fence(expansion.trim()));
  const text = macro.location && snapshot.source(macro.location.file)?.text;
  const comment = macro.location && text !== undefined ? docComment(text, macro.location.span) : '';
  if (comment !== '') parts.push(comment);
  if (!macro.location) parts.push('defined by a setting or a file list');
  return parts.join('\n\n');
}

/** Of a macro that the file does not see, the definition that it may be meant to: a simulation reads the files in some order. */
function definedElsewhere(snapshot: NameSnapshot, name: string): Macro | undefined {
  for (const symbol of snapshot.symbols()) {
    const found = symbol.kind === 'macro' && symbol.name === name ? snapshot.source(symbol.file)?.preprocessed.definitions.find((macro) => macro.name === name) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** The text that the macro usage at an offset became. */
function expansionAt({ preprocessed }: NamedSource, file: string, start: number): string | undefined {
  const { map, text } = preprocessed;
  const parts = map.segments.flatMap((segment, at) => {
    if (segment.kind !== 'expansion' || segment.file !== file || segment.source.start !== start) return [];
    return [text.slice(segment.start, map.segments[at + 1]?.start ?? map.length)];
  });
  return parts.length === 0 ? undefined : parts.join('');
}

