import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationKind, FileNames } from '../../analysis/names/model.ts';
import { occurrencesOf, occurrencesWithin } from '../../analysis/names/source.ts';
import type { Occurrence } from '../../analysis/names/source.ts';
import { finish } from '../../base/steps.ts';
import type { Steps } from '../../base/steps.ts';
import type { Span } from '../../base/text.ts';
import { mentionsIn } from './mentions.ts';
import type { NameSnapshot } from './snapshot.ts';

/** In the words of the protocol. */
export const TOKEN_TYPES = ['namespace', 'class', 'interface', 'type', 'typeParameter', 'parameter', 'variable', 'property', 'enumMember', 'function', 'method', 'macro', 'label'] as const;
export const TOKEN_MODIFIERS = ['declaration', 'readonly', 'modification'] as const;

export type TokenType = (typeof TOKEN_TYPES)[number];

export interface SemanticToken {
  readonly span: Span;
  readonly type: TokenType;
  readonly modifiers: readonly (typeof TOKEN_MODIFIERS)[number][];
}

const TYPES: Readonly<Record<DeclarationKind, TokenType>> = {
  module: 'class',
  program: 'class',
  primitive: 'class',
  checker: 'class',
  class: 'class',
  covergroup: 'class',
  coverpoint: 'property',
  constraint: 'property',
  config: 'namespace',
  package: 'namespace',
  interface: 'interface',
  modport: 'interface',
  typedef: 'type',
  'type-parameter': 'typeParameter',
  port: 'parameter',
  argument: 'parameter',
  net: 'variable',
  variable: 'variable',
  genvar: 'variable',
  parameter: 'variable',
  specparam: 'variable',
  instance: 'property',
  member: 'property',
  clocking: 'property',
  'enum-member': 'enumMember',
  function: 'function',
  property: 'function',
  sequence: 'function',
  task: 'method',
  block: 'label',
};
/** What is called otherwise where a class has it. */
const IN_CLASSES: Readonly<Partial<Record<DeclarationKind, TokenType>>> = { variable: 'property', function: 'method', task: 'method' };
const CONSTANT: ReadonlySet<DeclarationKind> = new Set(['parameter', 'specparam', 'genvar', 'enum-member']);

/** The names of a file with what they are, in its order and without overlap; within `part` only, if it is given. A name whose meaning is not known has none. */
export function semanticTokens(snapshot: NameSnapshot, file: string, part?: Span): SemanticToken[] {
  return finish(semanticTokensInSteps(snapshot, file, part));
}

/** As `semanticTokens`, step by step. */
export function* semanticTokensInSteps(snapshot: NameSnapshot, file: string, part?: Span): Steps<SemanticToken[]> {
  const source = snapshot.source(file);
  if (!source) return [];
  const isAsked = ({ start, end }: Span): boolean => !part || (start < part.end && end > part.start);
  const found = new Map<number, SemanticToken>();
  for (const { name, span } of mentionsIn(source)) {
    if (name !== '' && isAsked(span)) found.set(span.start, { span, type: 'macro', modifiers: [] });
  }
  for (const occurrence of part ? occurrencesWithin(source.names, file, part) : occurrencesOf(source.names)) {
    yield;
    if (!occurrence.exact || occurrence.file !== file || !isAsked(occurrence.span)) continue;
    const token = tokenOf(snapshot, occurrence, source.names);
    // Of a `.name` connection the port comes first; the net says more.
    if (token) found.set(token.span.start, token);
  }
  return [...found.values()].sort((a, b) => a.span.start - b.span.start);
}

function tokenOf(snapshot: NameSnapshot, { span, use, declaration }: Occurrence, names: FileNames): SemanticToken | undefined {
  const target = use === undefined ? (declaration === undefined ? undefined : { names, index: declaration }) : snapshot.resolver.target(names, use);
  if (!target) return undefined;
  const { kind, scope } = declarationOf(target);
  const modifiers: SemanticToken['modifiers'][number][] = [];
  if (use === undefined) modifiers.push('declaration');
  if (CONSTANT.has(kind)) modifiers.push('readonly');
  const access = use === undefined ? undefined : names.uses[use]?.access;
  if (access === 'write' || access === 'update') modifiers.push('modification');
  const isOfClass = target.names.scopes[scope]?.kind === 'class';
  return { span, type: (isOfClass && IN_CLASSES[kind]) || TYPES[kind], modifiers };
}
