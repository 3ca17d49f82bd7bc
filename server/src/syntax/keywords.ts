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

/** What a statement is called, by its first word and its last. */
export function nameOfStatement(first: string, hasAssignment: boolean, last: string): string {
  if (first === 'module' || first === 'macromodule') return 'module header';
  if (TYPES.has(first)) return 'declaration';
  if (first === 'assign' || hasAssignment) return 'assignment';
  if (first === 'function' || first === 'task') return `${first} header`;
  return last === ')' && /^[A-Za-z_]/.test(first) ? 'instance' : 'statement';
}

/** The keyword that a word was meant to be, when one typing mistake lies between them; undefined for others. */
export function intendedKeyword(word: string): string | undefined {
  if (word.length < 3 || STRUCTURE_KEYWORDS.has(word)) return undefined;
  for (const keyword of STRUCTURE_KEYWORDS) {
    if (keyword.length >= 4 && isOneMistakeAway(word, keyword)) return keyword;
  }
  return undefined;
}

/** One letter left out, added, replaced, or two neighbours swapped. */
function isOneMistakeAway(word: string, keyword: string): boolean {
  if (Math.abs(word.length - keyword.length) > 1 || word === keyword) return false;
  let start = 0;
  while (start < word.length && word[start] === keyword[start]) start++;
  const rest = (text: string, skip: number): string => text.slice(start + skip);
  if (rest(word, 1) === rest(keyword, 1) || rest(word, 1) === rest(keyword, 0) || rest(word, 0) === rest(keyword, 1)) return true;
  return word[start] === keyword[start + 1] && word[start + 1] === keyword[start] && rest(word, 2) === rest(keyword, 2);
}
