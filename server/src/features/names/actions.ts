import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { FileNames, Instance } from '../../analysis/names/model.ts';
import { placeOf } from '../../analysis/names/model.ts';
import type { NamedSource } from '../../analysis/names/source.ts';
import { NameValues } from '../../analysis/names/values.ts';
import type { Span } from '../../base/text.ts';
import { written } from '../../syntax/reserved-words.ts';
import { openPorts, portRefsOf, wildcardNames } from './connections.ts';
import type { TextEdit } from './edits.ts';
import { instanceText, plainText } from './instantiate.ts';
import { wordAt } from './at.ts';
import type { NameSnapshot } from './snapshot.ts';

export interface Action {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** A mistake is put right, or something good is written another way. */
  readonly kind: 'fix' | 'rewrite';
  /** The rule whose finding a fix answers: where the rule's own fix is offered, this one says nothing new. */
  readonly answers?: string;
}

/** What can be done with the instance, or the undeclared name, at an offset. */
export function actionsAt(snapshot: NameSnapshot, file: string, offset: number): Action[] {
  const source = snapshot.source(file);
  if (!source) return [];
  const instance = source.names.instances.find(({ extent, moduleUse }) => {
    const place = placeOf(source.names, { start: source.names.uses[moduleUse]?.span.start ?? extent.start, end: extent.end });
    return place.exact && place.file === file && place.span.start <= offset && offset <= place.span.end;
  });
  const own = instance ? [...connectOpen(snapshot, source, instance), ...writeOut(snapshot, source, instance), ...byName(snapshot, source, instance)] : [];
  return [...own, ...declareNet(snapshot, source, offset), ...(instance ? [] : instantiate(snapshot, source, offset))];
}

/** The place in the file itself; undefined for what comes out of a macro or an include. */
function placed({ names, file }: NamedSource, span: Span): Span | undefined {
  const place = placeOf(names, span);
  return place.exact && place.file === file ? place.span : undefined;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

function connectOpen(snapshot: NameSnapshot, source: NamedSource, instance: Instance): Action[] {
  const list = instance.portList && placed(source, instance.portList);
  if (!list || instance.ports.some(({ kind }) => kind === 'wildcard' || kind === 'positional')) return [];
  const open = openPorts(snapshot.resolver, source.names, instance).map((ref) => written(declarationOf(ref).name));
  if (open.length === 0 || source.text[list.end - 1] !== ')') return [];
  const indent = indentAt(source.text, list.start);
  const inner = innerIndent(source, instance, `${indent}    `);
  const lines = open.map((name) => `${inner}.${name}(${name})`).join(',\n');
  const last = instance.ports.at(-1);
  const end = last && placed(source, last.span)?.end;
  const edit = (at: number, newText: string, to = at): TextEdit => ({ file: source.file, span: { start: at, end: to }, newText });
  const edits: TextEdit[] = [];
  if (end === undefined) {
    const rest = source.text.slice(list.start + 1, list.end - 1).trimEnd();
    edits.push(edit(list.start + 1, `${rest}\n${lines}\n${indent}`, list.end - 1));
  } else {
    // What stands behind the last connection on its line, such as a comment, stays there.
    const lineEnd = source.text.slice(end, list.end - 1).indexOf('\n');
    if (lineEnd < 0) edits.push(edit(end, `,\n${lines}\n${indent}`, list.end - 1));
    else edits.push(edit(end, ','), edit(end + lineEnd, `\n${lines}`));
  }
  return [{ title: open.length === 1 ? `Connect the missing port '${open[0]?.trim() ?? ''}'` : `Connect the ${open.length} missing ports`, edits, kind: 'fix', answers: 'missing-port' }];
}

/** The white space before the connections that are there, if each has its own line. */
function innerIndent(source: NamedSource, { ports }: Instance, standard: string): string {
  const last = ports.at(-1);
  const start = last && placed(source, last.span)?.start;
  if (start === undefined) return standard;
  const line = source.text.slice(source.text.lastIndexOf('\n', start - 1) + 1, start);
  return line.trim() === '' ? line : standard;
}

/** `.*` as the connections that it stands for. */
function writeOut(snapshot: NameSnapshot, source: NamedSource, instance: Instance): Action[] {
  const wildcard = instance.ports.find(({ kind }) => kind === 'wildcard');
  const span = wildcard && placed(source, wildcard.span);
  if (!span) return [];
  const names = wildcardNames(snapshot.resolver, source.names, instance).map(written);
  if (names.length === 0) return [];
  const line = source.text.slice(source.text.lastIndexOf('\n', span.start - 1) + 1, span.start);
  const separator = line.trim() === '' ? `,\n${line}` : ', ';
  return [{ title: "Write the connections of '.*' out", edits: [{ file: source.file, span, newText: names.map((name) => `.${name}(${name})`).join(separator) }], kind: 'rewrite' }];
}

function byName(snapshot: NameSnapshot, source: NamedSource, instance: Instance): Action[] {
  const module = snapshot.resolver.target(source.names, instance.moduleUse);
  const positional = instance.ports.filter(({ kind }) => kind === 'positional');
  const ports = module ? portRefsOf(module) : [];
  if (positional.length === 0 || positional.length !== instance.ports.length || positional.length > ports.length) return [];
  const edits: TextEdit[] = [];
  for (const [position, { span, expression }] of positional.entries()) {
    const port = ports[position];
    const place = placed(source, span);
    if (!port || !place) return [];
    const name = written(declarationOf(port).name);
    edits.push({ file: source.file, span: place, newText: `.${name}(${expression ? source.text.slice(place.start, place.end) : ''})` });
  }
  return [{ title: 'Connect by name', edits, kind: 'rewrite' }];
}

/** A net for an undeclared name at a connection, as wide as the port that it is connected to. */
function declareNet(snapshot: NameSnapshot, source: NamedSource, offset: number): Action[] {
  const { names } = source;
  const values = new NameValues(snapshot);
  for (const [index, use] of names.uses.entries()) {
    const place = placed(source, use.span);
    if (!place || offset < place.start || place.end < offset || use.base.kind !== 'lexical' || use.soft) continue;
    const found = snapshot.resolver.resolve(names, index);
    const isImplicit = found.kind === 'declared' && found.targets.every((target) => declarationOf(target).implicit);
    if (!isImplicit && !(found.kind === 'unresolved' && found.reason === 'undeclared')) continue;
    const process = use.process === undefined ? undefined : names.processes[use.process];
    const before = process && placed(source, process.extent)?.start;
    if (!process || before === undefined || use.partial) continue;
    const width = widthFor(snapshot, values, source, index);
    const range = width === undefined || width === 1 ? '' : `[${width - 1}:0] `;
    const isDriven = process.kind === 'instance' || process.kind === 'assign' || process.kind === 'gate';
    const line = source.text.lastIndexOf('\n', before - 1) + 1;
    const indent = indentAt(source.text, before);
    const newText = `${indent}${isDriven ? 'wire' : 'reg'} ${range}${written(use.name).trimEnd()};\n`;
    return [{ title: `Declare '${use.name}'${width === undefined ? '' : ` with ${width} ${width === 1 ? 'bit' : 'bits'}`}`, edits: [{ file: source.file, span: { start: line, end: line }, newText }], kind: 'fix', answers: 'implicit-net' }];
  }
  return [];
}

function widthFor(snapshot: NameSnapshot, values: NameValues, { names, preprocessed }: NamedSource, index: number): number | undefined {
  const use = names.uses[index];
  if (!use?.formal) return undefined;
  const port = snapshot.resolver.formal(names, use.formal);
  const instance = names.instances.find(({ moduleUse, ports }) => moduleUse === use.formal?.of && ports.some(({ expression }) => expression && expression.start <= use.span.start && use.span.end <= expression.end));
  return port && instance && !instance.isArray ? values.widthOf(port, values.instanceScope(names, instance, preprocessed.text)) : undefined;
}

/** A lone word that is the name of a module becomes an instance of it. */
function instantiate(snapshot: NameSnapshot, source: NamedSource, offset: number): Action[] {
  const word = wordAt(source.text, offset);
  if (!word) return [];
  const start = source.text.lastIndexOf('\n', word.span.start - 1) + 1;
  const end = source.text.indexOf('\n', word.span.end);
  const line = source.text.slice(start, end < 0 ? source.text.length : end);
  const module: DeclarationRef | undefined = line.trim().replace(/;$/, '') === word.name ? snapshot.resolver.unit(source.names, word.name) : undefined;
  if (!module || !isInModule(source.names, source.names.map.fromRoot(word.span.start)) || declarationOf(module).kind !== 'module') return [];
  const indent = indentAt(source.text, word.span.start);
  const text = instanceText(module, new NameValues(snapshot), { indent, place: plainText });
  return [{ title: `Instantiate '${word.name}'`, edits: [{ file: source.file, span: { start: start + indent.length, end: start + line.trimEnd().length }, newText: text }], kind: 'rewrite' }];
}

function isInModule(names: FileNames, offset: number): boolean {
  return names.scopes.some(({ kind, extent }) => kind === 'module' && extent.start < offset && offset < extent.end);
}
