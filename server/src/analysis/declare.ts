import type { DataType, Expression } from './ast.ts';
import { evaluate, evaluateNumber, resolveType } from './constant.ts';
import { constantFunction } from './constant-function.ts';
import type { Item, ModuleSummary, ParameterItem, PortItem } from './items.ts';
import { convert, fromNumber, toNumber } from './operators.ts';
import { constantOf, enumNames } from './resolve-type.ts';
import type { Scope, Value } from './scope.ts';

/** What replaces the default of a parameter: a value, or for a type parameter a type with the scope of its names. */
export interface Override {
  readonly value?: Value | undefined;
  readonly type?: { readonly type: DataType; readonly scope: Scope } | undefined;
}

const NO_OVERRIDES: ReadonlyMap<string, Override> = new Map();

/** Enters the names that items declare into their scope; generate blocks have scopes of their own. */
export function declareItems(items: readonly Item[], scope: Scope, overrides: ReadonlyMap<string, Override> = NO_OVERRIDES): void {
  for (const item of items) {
    switch (item.kind) {
      case 'parameter':
        declareParameter(item, scope, overrides.get(item.name));
        break;
      case 'typedef':
        scope.defineType(item.name, { type: item.type, unpacked: item.unpacked, scope });
        declareEnum(item.type, scope);
        break;
      case 'variable':
      case 'port':
        declareVariable(item, scope);
        break;
      case 'function':
        scope.defineFunction(item.name, constantFunction(item, scope));
        break;
      case 'import': {
        const source = (): Scope | undefined => scope.package(item.package);
        if (item.name === undefined) scope.importAll(source);
        else scope.importName(item.name, source);
        break;
      }
      default:
    }
  }
}

/** Parameters that an instance may set: those of the header, or of the body where there is no header list. */
export function settableParameters(module: ModuleSummary): ParameterItem[] {
  const all = module.items.filter((item) => item.kind === 'parameter');
  const header = all.filter((parameter) => parameter.header);
  return (header.length > 0 ? header : all).filter((parameter) => !parameter.local);
}

/** Evaluates what an instance, or a user, gives for a parameter. */
export function makeOverride(parameter: ParameterItem, expression: Expression, scope: Scope): Override {
  if (parameter.type) return { value: evaluate(expression, scope) };
  if (expression.kind === 'type') return { type: { type: expression.type, scope } };
  if (expression.kind === 'name') return { type: { type: { kind: 'named', scope: expression.scope, name: expression.name, packed: [] }, scope } };
  return {};
}

/** Gives a scope a parameter, to be evaluated when it is asked for. */
export function declareParameter(item: ParameterItem, scope: Scope, override: Override | undefined): void {
  if (!item.type) {
    const type = override?.type ?? (item.typeDefault && { type: item.typeDefault, scope });
    if (type) scope.defineType(item.name, { type: type.type, unpacked: [], scope: type.scope });
    return;
  }
  const declared = item.type;
  scope.defineConstant(item.name, () => {
    if (item.unpacked.length > 0) return undefined;
    const untyped = declared.kind === 'vector' && declared.keyword === '' && declared.packed.length === 0;
    const type = untyped ? undefined : resolveType({ type: declared, unpacked: [], scope });
    const given = override ? override.value : item.value && evaluate(item.value, scope, type?.width ?? 0);
    if (!given) return undefined;
    if (untyped) return declared.signed ? { ...given, signed: true } : given;
    // A string parameter keeps the width of its value.
    if (declared.kind === 'string') return given;
    return type && constantOf(given, type);
  });
}

export function declareVariable(item: PortItem | Extract<Item, { kind: 'variable' }>, scope: Scope): void {
  const { type } = item;
  const known = scope.holderOf(item.name) === scope ? scope.variable(item.name) : undefined;
  // The port declaration and the variable declaration of one name complete each other in a non-ANSI module.
  const empty = type.kind === 'vector' && type.packed.length === 0 && item.unpacked.length === 0;
  if (known && empty) {
    if (type.signed && known.type.kind === 'vector') scope.defineVariable(item.name, { type: { ...known.type, signed: true }, unpacked: known.unpacked, scope });
    return;
  }
  const signed = known?.type.kind === 'vector' && known.type.signed;
  scope.defineVariable(item.name, { type: signed && type.kind === 'vector' ? { ...type, signed: true } : type, unpacked: item.unpacked, scope });
  declareEnum(type, scope);
}

/** Members of an enumeration are constants of the scope that declares it, IEEE 1800-2017, 6.19. */
export function declareEnum(type: DataType, scope: Scope): void {
  if (type.kind !== 'enum') return;
  let previous: string | undefined;
  for (const { name, value } of enumNames(type.members, scope, evaluateNumber)) {
    const before = previous;
    scope.defineConstant(name, () => {
      const base = type.base ? resolveType({ type: type.base, unpacked: [], scope }) : { width: 32, signed: true };
      if (base.width === undefined) return undefined;
      const size = { width: base.width, signed: base.signed };
      if (value) {
        const given = evaluate(value, scope);
        return given && convert(given, size);
      }
      if (before === undefined) return fromNumber(0n, size);
      const last = scope.constant(before);
      return last && fromNumber(toNumber(last) + 1n, size);
    });
    previous = name;
  }
}
