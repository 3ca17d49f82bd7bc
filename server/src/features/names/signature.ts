import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { PortConnection } from '../../analysis/names/model.ts';
import type { Span } from '../../base/text.ts';
import { parametersOf, portRefsOf } from './connections.ts';
import { commentOf, declarationText, portText } from './describe.ts';
import { callAt, instanceAt, positionIn, preprocessedOffset } from './place.ts';
import type { NameSnapshot } from './snapshot.ts';
import { unfinishedParameters } from './unfinished-instance.ts';

export interface Signature {
  readonly label: string;
  /** Parts of the label, one for each parameter. */
  readonly parameters: readonly { readonly span: Span; readonly comment: string }[];
  readonly comment: string;
  /** Undefined when the cursor is at none of them. */
  readonly active: number | undefined;
}

/** The subroutine that is called around an offset, or the ports or parameters of the module that is instantiated there. */
export function signatureAt(snapshot: NameSnapshot, file: string, fileOffset: number): Signature | undefined {
  const source = snapshot.source(file);
  if (!source) return undefined;
  const { names, preprocessed } = source;
  const offset = preprocessedOffset(source, fileOffset);
  const call = callAt(names, offset, preprocessed.text);
  if (call) {
    const callee = snapshot.resolver.target(names, call.callee);
    if (!callee) return undefined;
    const { kind, name, typeText } = declarationOf(callee);
    if (kind !== 'function' && kind !== 'task') return undefined;
    const head = [kind, typeText, name].filter((word) => word !== '').join(' ');
    return signature(snapshot, head, portRefsOf(callee), callee, activeIn(call.list, call.arguments, offset, preprocessed.text));
  }
  const at = instanceAt(names, offset, preprocessed.text);
  if (!at) {
    const list = unfinishedParameters(snapshot.resolver, source, fileOffset);
    return list && signature(snapshot, `${declarationOf(list.module).name} #`, parametersOf(list.module), list.module, { name: undefined, position: list.position });
  }
  const module = snapshot.resolver.target(names, at.instance.moduleUse);
  if (!module) return undefined;
  const { name } = declarationOf(module);
  const isPorts = at.part === 'ports';
  const list = isPorts ? at.instance.portList : at.instance.parameterList;
  const active = list && activeIn(list, isPorts ? at.instance.ports : at.instance.parameters, offset, preprocessed.text);
  return signature(snapshot, isPorts ? name : `${name} #`, isPorts ? portRefsOf(module) : parametersOf(module), module, active);
}

type Active = { readonly name: string | undefined; readonly position: number };

function activeIn(list: Span, connections: readonly PortConnection[], offset: number, text: string): Active {
  const named = connections.find(({ span, name }) => name !== undefined && span.start <= offset && offset <= span.end);
  return { name: named?.name, position: positionIn(list, offset, text) };
}

function signature(snapshot: NameSnapshot, head: string, parts: readonly DeclarationRef[], owner: DeclarationRef, active: Active | undefined): Signature {
  let label = `${head}(`;
  const parameters = parts.map((part, at) => {
    const declaration = declarationOf(part);
    const text = declaration.kind === 'port' || declaration.kind === 'argument' ? portText(declaration) : declarationText(part);
    if (at > 0) label += ', ';
    const span = { start: label.length, end: label.length + text.length };
    label += text;
    return { span, comment: commentOf(snapshot, part) };
  });
  const byName = active?.name === undefined ? -1 : parts.findIndex((part) => declarationOf(part).name === active.name);
  const position = active && (byName >= 0 ? byName : active.position);
  return { label: `${label})`, parameters, comment: commentOf(snapshot, owner), active: position !== undefined && position < parts.length ? position : undefined };
}
