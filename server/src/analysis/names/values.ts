import { implicitType } from '../ast.ts';
import type { DataType, Dimension } from '../ast.ts';
import { evaluate, resolveType, totalWidth } from '../constant.ts';
import { constantFunction } from '../constant-function.ts';
import { parseDataType, parseDimensions } from '../datatype.ts';
import { declareEnum, declareParameter, declareVariable } from '../declare.ts';
import type { Override } from '../declare.ts';
import { parseExpression, readerOf } from '../expression.ts';
import type { FunctionItem, ParameterItem } from '../items.ts';
import { Scope } from '../scope.ts';
import type { ConstantFunction, ResolvedType, Value } from '../scope.ts';
import { declarationOf } from './declaration-ref.ts';
import type { DeclarationRef } from './declaration-ref.ts';
import type { Declaration, FileNames, Instance, ScopeIndex } from './model.ts';
import type { NameResolver } from './resolve.ts';

const NET_WORDS = /^(?:wire|tri[01]?|wand|wor|triand|trior|trireg|supply[01]|uwire|interconnect|var)\b\s*/;

/** Where the meaning of names, and the bodies of functions, are found. */
export interface ValueSource {
  readonly resolver: NameResolver;
  /** Undefined for what is no function, or can't be read. */
  functionItem(ref: DeclarationRef): FunctionItem | undefined;
}

/** Values of constants and widths of types, with the default parameters of each module or those of an instance. */
export class NameValues {
  readonly #source: ValueSource;
  readonly #scopes = new Map<FileNames, Map<ScopeIndex, Scope>>();

  constructor(source: ValueSource) {
    this.#source = source;
  }

  /** Undefined where it is not constant, or not known. */
  valueOf(ref: DeclarationRef, scope: Scope = this.scopeOf(ref.names, declarationOf(ref).scope)): Value | undefined {
    const { kind, name } = declarationOf(ref);
    return kind === 'parameter' || kind === 'enum-member' ? scope.constant(name) : undefined;
  }

  /** Undefined for what has no bits or is no data. */
  typeOf(ref: DeclarationRef, scope: Scope = this.scopeOf(ref.names, declarationOf(ref).scope)): ResolvedType | undefined {
    const declaration = declarationOf(ref);
    const type = dataTypeOf(declaration);
    return type && resolveType({ type, unpacked: dimensionsOf(declaration), scope });
  }

  /** Bits of the whole, unpacked dimensions included. */
  widthOf(ref: DeclarationRef, scope?: Scope): number | undefined {
    const type = this.typeOf(ref, scope);
    return type && totalWidth(type);
  }

  /** The value of an expression as it is written in a scope. */
  evaluate(text: string, scope: Scope): Value | undefined {
    return evaluate(parseExpression(text), scope);
  }

  /** The names of the module of an instance with the parameters that the instance gives. `textOf` reads the preprocessed text. */
  instanceScope(names: FileNames, instance: Instance, text: string): Scope | undefined {
    const module = this.#source.resolver.target(names, instance.moduleUse);
    const inner = module && declarationOf(module).inner;
    const unit = inner === undefined ? undefined : module?.names.scopes[inner];
    if (!module || inner === undefined || !unit) return undefined;
    const outer = this.scopeOf(names, instance.scope);
    const given = new Map<string, Override>();
    for (const [position, { kind, name, expression }] of instance.parameters.entries()) {
      const parameter = module.names.declarations[(kind === 'positional' ? unit.parameters[position] : unit.parameters.find((index) => module.names.declarations[index]?.name === name)) ?? -1];
      if (!parameter || !expression) continue;
      const written = text.slice(expression.start, expression.end);
      given.set(parameter.name, parameter.kind === 'type-parameter' ? { type: { type: parseDataType(readerOf(written)), scope: outer } } : { value: this.evaluate(written, outer) });
    }
    return this.#make(module.names, inner, given);
  }

  scopeOf(names: FileNames, index: ScopeIndex): Scope {
    const known = this.#scopes.get(names) ?? new Map<ScopeIndex, Scope>();
    this.#scopes.set(names, known);
    const before = known.get(index);
    if (before) return before;
    const scope = this.#make(names, index, new Map());
    known.set(index, scope);
    return scope;
  }

  #make(names: FileNames, index: ScopeIndex, given: ReadonlyMap<string, Override>): Scope {
    const entry = names.scopes[index];
    const packages = (name: string): Scope | undefined => {
      const unit = this.#source.resolver.unit(names, name);
      const inner = unit && declarationOf(unit).inner;
      return unit && inner !== undefined ? this.scopeOf(unit.names, inner) : undefined;
    };
    const scope = new Scope(entry?.parent === undefined ? undefined : this.scopeOf(names, entry.parent), packages);
    for (const { package: name, name: item } of entry?.imports ?? []) {
      if (item === undefined) scope.importAll(() => packages(name));
      else scope.importName(item, () => packages(name));
    }
    for (const [first = -1] of entry?.names.values() ?? []) {
      const declaration = names.declarations[first];
      if (!declaration) continue;
      declare(declaration, scope, given);
      if (declaration.kind === 'function') scope.defineFunction(declaration.name, this.#function({ names, index: first }, scope));
    }
    return scope;
  }

  /** Its body is read when it is called for the first time. */
  #function(ref: DeclarationRef, scope: Scope): ConstantFunction {
    let made: ConstantFunction | undefined;
    return {
      returns: () => resolveType({ type: dataTypeOf(declarationOf(ref)) ?? implicitType, unpacked: [], scope }),
      call: (values) => {
        const item = made ? undefined : this.#source.functionItem(ref);
        made ??= item && constantFunction(item, scope);
        return made?.call(values);
      },
    };
  }
}

function declare(declaration: Declaration, scope: Scope, given: ReadonlyMap<string, Override>): void {
  const { kind, name } = declaration;
  if (kind === 'parameter' || kind === 'type-parameter') {
    declareParameter(parameterItem(declaration), scope, given.get(name));
    return;
  }
  const type = dataTypeOf(declaration);
  if (!type) return;
  if (kind === 'typedef') {
    scope.defineType(name, { type, unpacked: dimensionsOf(declaration), scope });
    declareEnum(type, scope);
  } else if (kind !== 'genvar') {
    declareVariable({ kind: 'variable', name, net: undefined, type, unpacked: dimensionsOf(declaration), initial: undefined, location: { file: '', span: declaration.span } }, scope);
  }
}

function parameterItem({ kind, name, local, typeText, valueText, dimensionsText, span }: Declaration): ParameterItem {
  const isType = kind === 'type-parameter';
  return {
    kind: 'parameter',
    name,
    local,
    header: false,
    type: isType ? undefined : parseDataType(readerOf(typeText)),
    typeDefault: isType && valueText !== undefined ? parseDataType(readerOf(valueText)) : undefined,
    unpacked: parseDimensions(readerOf(dimensionsText)),
    value: isType || valueText === undefined ? undefined : parseExpression(valueText),
    valueText,
    location: { file: '', span },
  };
}

const DATA: ReadonlySet<Declaration['kind']> = new Set(['port', 'net', 'variable', 'parameter', 'typedef', 'member', 'argument', 'function', 'genvar']);

/** The data type of a declaration; undefined for what holds no data. */
export function dataTypeOf({ kind, typeText }: Declaration): DataType | undefined {
  if (!DATA.has(kind)) return undefined;
  if (kind === 'genvar') return { kind: 'atom', keyword: 'integer', width: 32, signed: true };
  const text = typeText.replace(NET_WORDS, '');
  return text === '' ? implicitType : parseDataType(readerOf(text));
}

export function dimensionsOf({ dimensionsText }: Declaration): Dimension[] {
  return dimensionsText === '' ? [] : parseDimensions(readerOf(dimensionsText));
}
