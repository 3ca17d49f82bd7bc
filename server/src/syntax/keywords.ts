import { RESERVED_WORDS } from './reserved-words.ts';

/** Words that begin an item or statement, or are a clause of one: what a typing mistake is compared with. */
export const STRUCTURE_KEYWORDS: ReadonlySet<string> = new Set([
  'module', 'endmodule', 'interface', 'endinterface', 'package', 'endpackage', 'program', 'endprogram', 'class', 'endclass',
  'begin', 'end', 'case', 'casex', 'casez', 'endcase', 'function', 'endfunction', 'task', 'endtask', 'generate', 'endgenerate',
  'always', 'always_comb', 'always_ff', 'always_latch', 'assign', 'initial', 'if', 'else', 'for', 'while', 'repeat', 'forever',
  'wire', 'reg', 'logic', 'integer', 'genvar', 'parameter', 'localparam', 'input', 'output', 'inout', 'posedge', 'negedge',
  'default', 'typedef', 'import', 'return',
]);

/** Words that can only stand at the beginning of an item or statement, so that what is before them has to be finished. */
export const STARTERS: ReadonlySet<string> = new Set([
  'module', 'endmodule', 'endinterface', 'package', 'endpackage', 'end', 'endcase', 'endfunction', 'endtask', 'generate', 'endgenerate',
  'always', 'always_comb', 'always_ff', 'always_latch', 'assign', 'initial', 'case', 'casex', 'casez', 'if', 'else', 'for', 'while', 'repeat',
  'forever', 'localparam', 'genvar', 'typedef', 'return', 'begin',
]);

/** Words that begin a declaration, unless one of the qualifiers is before them. */
export const DECLARATION_STARTERS: ReadonlySet<string> = new Set(['wire', 'reg', 'logic', 'integer', 'input', 'output', 'inout', 'parameter', 'function', 'task']);
export const QUALIFIERS: ReadonlySet<string> = new Set([
  'input', 'output', 'inout', 'ref', 'typedef', 'const', 'var', 'static', 'automatic', 'local', 'protected', 'rand', 'randc', 'virtual', 'extern', 'pure',
  'import', 'export', 'context', 'function', 'parameter', 'localparam', 'enum', 'packed', 'type', 'wire', 'tri', 'generate',
]);

const TYPES = new Set(['wire', 'reg', 'logic', 'bit', 'int', 'integer', 'input', 'output', 'inout', 'parameter', 'localparam', 'genvar', 'typedef', 'tri', 'real', 'time']);

/** What blocks are: design units that hold items, further definitions, subroutines, generate regions, blocks of statements, case statements, and what describes. */
type BlockKind = 'unit' | 'definition' | 'subroutine' | 'region' | 'statements' | 'case' | 'description';

/** A word that begins a block, and those that end it. */
type Block = readonly [opener: string, closer: string, ...closers: string[]];

/** Every block that a keyword ends, IEEE 1800-2017, Annex A. */
const BLOCKS: Readonly<Record<BlockKind, readonly Block[]>> = {
  unit: [['module', 'endmodule'], ['macromodule', 'endmodule'], ['interface', 'endinterface'], ['program', 'endprogram'], ['package', 'endpackage']],
  definition: [['class', 'endclass'], ['checker', 'endchecker'], ['primitive', 'endprimitive'], ['config', 'endconfig']],
  subroutine: [['function', 'endfunction'], ['task', 'endtask']],
  region: [['generate', 'endgenerate']],
  statements: [['begin', 'end'], ['fork', 'join', 'join_any', 'join_none']],
  case: [['case', 'endcase'], ['casex', 'endcase'], ['casez', 'endcase'], ['randcase', 'endcase']],
  description: [['covergroup', 'endgroup'], ['property', 'endproperty'], ['sequence', 'endsequence'], ['clocking', 'endclocking'], ['specify', 'endspecify'], ['table', 'endtable']],
};
const BLOCK_KINDS = Object.keys(BLOCKS) as readonly BlockKind[];

function blocksOf(kinds: readonly BlockKind[]): readonly Block[] {
  return kinds.flatMap((kind) => BLOCKS[kind]);
}

/** The words that end a block, by the word that begins it; without kinds, of all blocks. */
export function closersByOpener(...kinds: readonly BlockKind[]): ReadonlyMap<string, readonly [string, ...string[]]> {
  return new Map(blocksOf(kinds.length > 0 ? kinds : BLOCK_KINDS).map(([opener, ...closers]) => [opener, closers]));
}

/** The word that usually ends a block, by the word that begins it. */
export function closerByOpener(...kinds: readonly BlockKind[]): ReadonlyMap<string, string> {
  return new Map([...closersByOpener(...kinds)].map(([opener, [closer]]) => [opener, closer]));
}

/** The word that usually begins a block, by each word that ends it. */
export function openerByCloser(...kinds: readonly BlockKind[]): ReadonlyMap<string, string> {
  return new Map([...closersByOpener(...kinds)].toReversed().flatMap(([opener, closers]) => closers.map((closer) => [closer, opener])));
}

/** What a statement is called, by its first word and its last. */
export function nameOfStatement(first: string, hasAssignment: boolean, last: string): string {
  if (first === 'module' || first === 'macromodule') return 'module header';
  if (TYPES.has(first)) return 'declaration';
  if (first === 'assign' || hasAssignment) return 'assignment';
  if (first === 'function' || first === 'task') return `${first} header`;
  return last === ')' && /^[A-Za-z_]/.test(first) ? 'instance' : 'statement';
}

/** The keyword of four letters or more that a word was meant to be, when one typing mistake lies between them. */
export function intendedKeyword(word: string): string | undefined {
  return intendedAmong(word, STRUCTURE_KEYWORDS, 4);
}

/** The one of some keywords that a word was meant to be; in words of fewer than `shortest` letters only neighbours may be swapped. */
export function intendedAmong(word: string, keywords: Iterable<string>, shortest = 4): string | undefined {
  if (word.length < 2 || RESERVED_WORDS.has(word)) return undefined;
  for (const keyword of keywords) {
    if (keyword.length >= shortest && isOneMistakeAway(word, keyword)) return keyword;
  }
  return undefined;
}

export function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}

/** One letter left out, added, replaced, two neighbours swapped, or the letters behind the first in disorder. */
function isOneMistakeAway(word: string, keyword: string): boolean {
  if (Math.abs(word.length - keyword.length) > 1 || word === keyword) return false;
  if (word.length >= 5 && word[0] === keyword[0] && lettersOf(word) === lettersOf(keyword)) return true;
  let start = 0;
  while (start < word.length && word[start] === keyword[start]) start++;
  const rest = (text: string, skip: number): string => text.slice(start + skip);
  if (rest(word, 1) === rest(keyword, 1) || rest(word, 1) === rest(keyword, 0) || rest(word, 0) === rest(keyword, 1)) return true;
  return word[start] === keyword[start + 1] && word[start + 1] === keyword[start] && rest(word, 2) === rest(keyword, 2);
}

/** Words that no expression holds. */
export const HARD_WORDS: ReadonlySet<string> = new Set([
  ...STARTERS, 'macromodule', 'interface', 'endprogram', 'program', 'endclass', 'function', 'task', 'initial', 'final', 'forever', 'fork', 'join', 'join_any', 'join_none', 'unique', 'priority', 'unique0', 'foreach', 'do', 'parameter', 'specify', 'endspecify',
]);

/** Words that close a block or unit: no operand, item or statement begins with one. */
export const CLOSING_WORDS: ReadonlySet<string> = new Set([...HARD_WORDS].filter((word) => /^(?:end|join)/.test(word)));

/** Words that begin an item when they are the first of a line. */
export const LINE_STARTERS: ReadonlySet<string> = new Set([...DECLARATION_STARTERS]);

/** Words that stand between operands. */
export const OPERATOR_WORDS: ReadonlySet<string> = new Set([
  'inside', 'with', 'matches', 'posedge', 'negedge', 'edge', 'or', 'and', 'iff', 'dist', 'intersect', 'throughout', 'within', 'until', 'until_with', 'implies', 'not', 'tagged', 'new', 'disable', 'xor', 'default', 'const', 'repeat',
]);

/** Those of them with an operand before them too. */
export const INFIX_WORDS: readonly string[] = ['inside', 'dist', 'matches', 'iff', 'with', 'intersect', 'within', 'throughout', 'until', 'until_with', 'implies', 'and', 'or'];

/** Words that may stand before the name in a declaration. */
export const TYPE_WORDS: ReadonlySet<string> = new Set([
  ...TYPES, 'tri0', 'tri1', 'triand', 'trior', 'trireg', 'wand', 'wor', 'uwire', 'supply0', 'supply1', 'signed', 'unsigned', 'automatic', 'static', 'const', 'var', 'byte', 'shortint', 'longint', 'shortreal', 'realtime', 'string', 'event', 'chandle', 'void', 'enum',
  'struct', 'union', 'packed', 'tagged', 'virtual', 'type', 'ref', 'scalared', 'vectored', 'small', 'medium', 'large', 'strong0', 'strong1', 'pull0', 'pull1', 'weak0', 'weak1', 'highz0', 'highz1', 'function', 'task', 'import', 'export', 'interface', 'local', 'protected', 'rand', 'randc',
]);

/** What begins a unit, by the word that ends it. */
export const UNIT_ENDS = openerByCloser('unit');

/** Words that begin a process. */
export const PROCESSES: ReadonlySet<string> = new Set(['always', 'always_comb', 'always_ff', 'always_latch', 'initial', 'final']);

/** Words that begin a port or an argument. */
export const DIRECTIONS: ReadonlySet<string> = new Set(['input', 'output', 'inout', 'ref']);

/** Types whose members stand in braces. */
export const AGGREGATES: ReadonlySet<string> = new Set(['enum', 'struct', 'union']);

/** Words that begin a module item and no statement. */
export const ITEM_STARTERS: ReadonlySet<string> = new Set([
  'always', 'always_comb', 'always_ff', 'always_latch', 'module', 'macromodule', 'endmodule', 'endinterface', 'endpackage', 'endprogram', 'package', 'generate', 'endgenerate', 'specify', 'function', 'task', 'genvar', 'input', 'output', 'inout',
]);

/** Keywords of two and three letters, of which only neighbours are looked for that were swapped. */
export const SHORT_KEYWORDS: readonly string[] = ['if', 'end', 'for', 'reg'];
export const EDGES: readonly string[] = ['posedge', 'negedge'];
