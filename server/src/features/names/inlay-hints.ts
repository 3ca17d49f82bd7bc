import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import { placeOf } from '../../analysis/names/model.ts';
import { NameValues } from '../../analysis/names/values.ts';
import { toNumber } from '../../analysis/operators.ts';
import type { Span } from '../../base/text.ts';
import { parametersOf, portRefsOf } from './connections.ts';
import { isText } from './describe.ts';
import type { NameSnapshot } from './snapshot.ts';

export interface InlayHint {
  readonly offset: number;
  readonly text: string;
  /** `name` stands before what it belongs to, `value` behind it. */
  readonly kind: 'name' | 'value';
}

/** Names of ports and parameters at connections by position, values of constants and widths that are not plain to see. */
export function inlayHints(snapshot: NameSnapshot, file: string, part: Span): InlayHint[] {
  const source = snapshot.source(file);
  if (!source) return [];
  const { names } = source;
  const values = new NameValues(snapshot);
  const hints: InlayHint[] = [];
  const seen = new Set<string>();
  const add = (span: Span, at: 'start' | 'end', text: string, kind: InlayHint['kind']): void => {
    const place = placeOf(names, span);
    const offset = place.span[at];
    if (place.file !== file || !place.exact || offset < part.start || part.end < offset || seen.has(`${offset} ${text}`)) return;
    // The instances of one statement share their parameters.
    seen.add(`${offset} ${text}`);
    hints.push({ offset, text, kind });
  };
  const near = names.map.placesOf(file, part);
  const isNear = ({ start, end }: Span): boolean => near.some((place) => start <= place.end && place.start <= end);
  for (const instance of names.instances) {
    if (!isNear(instance.extent) && !(instance.parameterList && isNear(instance.parameterList))) continue;
    const module = snapshot.resolver.target(names, instance.moduleUse);
    if (!module) continue;
    for (const [connections, formals] of [[instance.ports, portRefsOf(module)], [instance.parameters, parametersOf(module)]] as const) {
      connections.forEach(({ kind, expression, span }, position) => {
        const formal = formals[position];
        if (kind !== 'positional' || !expression || !formal) return;
        const { name } = declarationOf(formal);
        if (source.preprocessed.text.slice(span.start, span.end) !== name) add(span, 'start', `${name}:`, 'name');
      });
    }
  }
  names.declarations.forEach((declaration, index) => {
    if (!isNear(declaration.span) && !(declaration.valueSpan && isNear(declaration.valueSpan))) return;
    if (declaration.kind === 'parameter' && declaration.valueSpan && isComputed(declaration.valueText ?? '') && !isText(declaration)) {
      const value = values.valueOf({ names, index });
      if (value) add(declaration.valueSpan, 'end', `= ${toNumber(value)}`, 'value');
    } else if (['port', 'net', 'variable', 'member', 'argument'].includes(declaration.kind) && isComputed(dimensionsIn(declaration.typeText))) {
      const width = values.widthOf({ names, index });
      if (width !== undefined) add(declaration.span, 'end', `: ${width} ${width === 1 ? 'bit' : 'bits'}`, 'value');
    }
  });
  return hints.sort((a, b) => a.offset - b.offset);
}

function dimensionsIn(typeText: string): string {
  return [...typeText.matchAll(/\[[^\]]*\]/g)].map(([text]) => text).join('');
}

/** It has a name, a call or a sum, so that a reader would have to work it out. */
function isComputed(text: string): boolean {
  return /(?:^|[^'\w])[A-Za-z_$`]|\d\s*[-+*/<]/.test(text.replace(/"[^"]*"/g, ''));
}
