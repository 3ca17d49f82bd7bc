import { declarationOf } from '../../analysis/names/declaration-ref.ts';
import type { DeclarationRef } from '../../analysis/names/declaration-ref.ts';
import type { Declaration } from '../../analysis/names/model.ts';
import type { NameResolver } from '../../analysis/names/resolve.ts';

/** Methods of arrays of every kind (IEEE 1800-2017, 7.12). */
const ARRAY = ['size', 'find', 'find_index', 'find_first', 'find_first_index', 'find_last', 'find_last_index', 'min', 'max', 'unique', 'unique_index', 'sum', 'product', 'and', 'or', 'xor', 'sort', 'rsort', 'reverse', 'shuffle'];

/** By what has them (IEEE 1800-2017, 6.16, 6.19.5, 7.5, 7.9, 7.10, 7.12, 9.7, 15.3, 15.4, 15.5). */
const METHODS = {
  queue: ['push_back', 'push_front', 'pop_back', 'pop_front', 'insert', 'delete', ...ARRAY],
  'dynamic array': ['delete', ...ARRAY],
  'associative array': ['exists', 'num', 'delete', 'first', 'last', 'next', 'prev', ...ARRAY],
  array: ARRAY.filter((name) => name !== 'size'),
  string: ['len', 'putc', 'getc', 'toupper', 'tolower', 'compare', 'icompare', 'substr', 'atoi', 'atohex', 'atooct', 'atobin', 'atoreal', 'itoa', 'hextoa', 'octtoa', 'bintoa', 'realtoa'],
  enum: ['first', 'last', 'next', 'prev', 'num', 'name'],
  event: ['triggered'],
  mailbox: ['put', 'get', 'peek', 'try_put', 'try_get', 'try_peek', 'num'],
  semaphore: ['put', 'get', 'try_get'],
  process: ['status', 'kill', 'await', 'suspend', 'resume', 'self'],
} as const satisfies Record<string, readonly string[]>;

const INDEX_TYPE = /^(?:\*|string|(?:unsigned\s+)?(?:int|integer|byte|shortint|longint|time)\b|(?:bit|logic|reg)\b|class\b|[\w$:]+_[te]$)/;
const MOST_TYPEDEFS = 20;

export interface BuiltinMethod {
  readonly name: string;
  /** What has it, as in `queue`. */
  readonly of: string;
}

/** The methods that the language itself gives to what is declared, behind a number of selects. */
export function builtinMethods(resolver: NameResolver, ref: DeclarationRef, selects: number): BuiltinMethod[] {
  const of = kindOf(resolver, ref, selects, 0);
  return of === undefined ? [] : METHODS[of].map((name) => ({ name, of }));
}

function kindOf(resolver: NameResolver, ref: DeclarationRef, selects: number, depth: number): keyof typeof METHODS | undefined {
  const declaration = declarationOf(ref);
  const dimensions = dimensionsOf(declaration);
  const dimension = dimensions[selects];
  if (dimension !== undefined) return kindOfDimension(dimension);
  const text = declaration.typeText.replace(/^(?:const|var|static|automatic|local|protected|rand|randc)\s+/, '');
  if (/^enum\b/.test(text)) return 'enum';
  const word = /^[\w$]+/.exec(text)?.[0];
  if (word === 'string' || word === 'event') return word;
  const { type } = declaration;
  const named = type?.kind === 'named' ? resolver.target(ref.names, type.use) : undefined;
  if (named && depth < MOST_TYPEDEFS && declarationOf(named).kind === 'typedef') return kindOf(resolver, named, selects - dimensions.length, depth + 1);
  return !named && (word === 'mailbox' || word === 'semaphore' || word === 'process') ? word : undefined;
}

/** What stands in the brackets of the unpacked dimensions. */
function dimensionsOf({ dimensionsText }: Declaration): string[] {
  return [...dimensionsText.matchAll(/\[([^[\]]*)\]/g)].map(([, inner = '']) => inner.trim());
}

function kindOfDimension(dimension: string): keyof typeof METHODS {
  if (dimension === '') return 'dynamic array';
  if (dimension.startsWith('$')) return 'queue';
  return INDEX_TYPE.test(dimension) ? 'associative array' : 'array';
}
