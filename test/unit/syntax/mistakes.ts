/** Typing mistakes put into valid text: the generator of the sample in the tests and of the full measurement in `bench/editor.ts`. */

export interface Mistake {
  readonly kind: string;
  readonly host: string;
  readonly text: string;
  /** Zero-based lines that a person would point at. */
  readonly lines: readonly number[];
}

/** How one kind is made: the text between the groups of `find` is replaced. */
interface Recipe {
  /** Matches valid text; group 1, where there is one, is what stays before the mistake. */
  readonly find: RegExp;
  /** Stands for the match. */
  readonly put: string;
  /** Where else than on the line of the mistake it may be shown: at the opener of the block, on the line before or behind. */
  readonly also?: 'opener' | 'neighbours';
}

export const RECIPES: Readonly<Record<string, Recipe>> = {
  'assign without semicolon': { find: /^( *assign [^;\n]*);/gm, put: '$1' },
  'declaration without semicolon': { find: /^( *(?:wire|reg|logic) [^;=\n]*);/gm, put: '$1' },
  'nonblocking without semicolon': { find: /^( *\w+ <= [^;\n]*);/gm, put: '$1' },
  'blocking without semicolon': { find: /^( {4,}\w+ = [^;\n]*);/gm, put: '$1' },
  'instance without semicolon': { find: /^( {2}\));$/gm, put: '$1' },
  'header without semicolon': { find: /^(\));$/gm, put: '$1' },
  'localparam without semicolon': { find: /^( *(?:localparam|parameter) [^;\n]*);/gm, put: '$1' },
  'case item without semicolon': { find: /^( *\w+: [^;\n]*);/gm, put: '$1' },
  'comma for semicolon': { find: /^( *\w+ <= [^;\n]*);/gm, put: '$1,' },
  'colon for semicolon': { find: /^( *assign [^;\n]*);/gm, put: '$1:' },
  'if without closing parenthesis': { find: /^( *(?:end else |else )?if \([^()\n]*)\)/gm, put: '$1' },
  'if without opening parenthesis': { find: /^( *(?:end else |else )?if )\(/gm, put: '$1' },
  'if without parentheses': { find: /^( *(?:end else |else )?if )\(([^()\n]*)\)/gm, put: '$1$2' },
  'expression without closing parenthesis': { find: /^( *assign [^;\n]*\([^()\n]*)\);/gm, put: '$1;' },
  'range without closing bracket': { find: /^( *(?:input|output|reg|wire|logic)[^;\n]*\[[^\]\n]*)\]/gm, put: '$1' },
  'range without opening bracket': { find: /^( *(?:input|output|reg|wire|logic) (?:reg |wire |logic )?)\[/gm, put: '$1' },
  'concatenation without closing brace': { find: /^( *[^\n{}]*\{[^{}\n]*)\}(?=[^\n{}]*;)/gm, put: '$1' },
  'concatenation without opening brace': { find: /^( *[\w.\[\]]+ <?= )\{(?=[^{}\n]*\};)/gm, put: '$1' },
  'port without comma': { find: /^( {4}(?:input|output) [^,\n]*),$/gm, put: '$1' },
  'connection without comma': { find: /^( {6}\.\w+\([^()\n]*\)),$/gm, put: '$1' },
  'semicolon in port list': { find: /^( {4}(?:input|output) [^,\n]*),$/gm, put: '$1;' },
  'comma behind the last port': { find: /^( {4}(?:input|output) [^,\n]*)$(?=\n\);)/gm, put: '$1,' },
  'comma behind the last connection': { find: /^( {6}\.\w+\([^()\n]*\))$(?=\n *\))/gm, put: '$1,' },
  'connection without closing parenthesis': { find: /^( {6}\.\w+\([^()\n]*)\)(?=,)/gm, put: '$1' },
  'connection without dot': { find: /^( {6})\.(?=\w+\([^()\n]*\),)/gm, put: '$1' },
  'always without begin': { find: /^( *always[^\n]*) begin$/gm, put: '$1' },
  'if without begin': { find: /^( *(?:end else )?if [^\n]*) begin$/gm, put: '$1', also: 'opener' },
  'begin without end': { find: /^ *end\n/gm, put: '', also: 'opener' },
  'case without endcase': { find: /^ *endcase\n/gm, put: '', also: 'opener' },
  'module without endmodule': { find: /^endmodule\n/gm, put: '', also: 'opener' },
  'function without endfunction': { find: /^ *end(?:function|task)\n/gm, put: '', also: 'opener' },
  'generate without endgenerate': { find: /^ *endgenerate\n/gm, put: '', also: 'opener' },
  'end too many': { find: /^( *end\n)(?= *\n|endmodule)/gm, put: '$1  end\n', also: 'neighbours' },
  'endmodule too many': { find: /^(endmodule\n)/gm, put: '$1endmodule\n', also: 'neighbours' },
  'parenthesis too many': { find: /^( *if \([^()\n]*\))/gm, put: '$1)' },
  'mistyped always': { find: /^( *)always(?=[ @])/gm, put: '$1alwasy' },
  'shortened always': { find: /^( *)always(?=\w*[ @])/gm, put: '$1alway' },
  'mistyped assign': { find: /^( *)assign\b/gm, put: '$1asign' },
  'mistyped module': { find: /^module\b/gm, put: 'modul' },
  'mistyped endmodule': { find: /^endmodule\b/gm, put: 'endmoduel' },
  'mistyped wire': { find: /^( *)wire\b/gm, put: '$1wrie' },
  'mistyped logic': { find: /^( *)logic\b/gm, put: '$1lgoic' },
  'mistyped input': { find: /^( *)input\b/gm, put: '$1inptu' },
  'mistyped output': { find: /^( *)output\b/gm, put: '$1ouput' },
  'mistyped parameter': { find: /^( *)(?:localparam|parameter)\b/gm, put: '$1paramter' },
  'mistyped begin': { find: /^( *[^\n]*) begin$/gm, put: '$1 being' },
  'mistyped end': { find: /^( *)end$/gm, put: '$1edn' },
  'mistyped case': { find: /^( *(?:unique )?)case\b/gm, put: '$1csae' },
  'mistyped endcase': { find: /^( *)endcase\b/gm, put: '$1endcsae' },
  'mistyped else': { find: /^( *(?:end )?)else\b/gm, put: '$1esle' },
  'mistyped if': { find: /^( *(?:end else )?)if\b/gm, put: '$1fi' },
  'mistyped posedge': { find: /posedge/g, put: 'posege' },
  'mistyped function': { find: /^( *)function\b/gm, put: '$1funtion' },
  'elseif for else if': { find: /\belse if\b/g, put: 'elseif' },
  'end if for end': { find: /^( *)end$/gm, put: '$1end if' },
  'endif for end': { find: /^( {4,})end$/gm, put: '$1endif' },
  'braces for begin': { find: /^( *[^\n]*) begin$/gm, put: '$1 {', also: 'opener' },
  'assign without equals sign': { find: /^( *assign \S+ )= /gm, put: '$1' },
  'assign with two equals signs': { find: /^( *assign \S+ )= /gm, put: '$1== ' },
  'nonblocking turned round': { find: /^( *\w+ )<= /gm, put: '$1=< ' },
  'operand missing at the end': { find: /^( *(?:assign )?\S+ <?= [^;\n]* [-+&|^] )[^;\s]+;/gm, put: '$1;' },
  'operand missing before operator': { find: /^( *(?:assign )?\S+ <?= \(?)[\w\[\]]+ (?=(?:[*/%<>]|<<|>>|==|&&|\|\|) )/gm, put: '$1' },
  'right side missing': { find: /^( *(?:assign )?\w+ <?= )[^;\n]+;/gm, put: '$1;' },
  'two operands without operator': { find: /^( *assign \S+ = [^;\n]*\w) [-+&|^] (?=\w)/gm, put: '$1 ' },
  'ternary without colon': { find: /^( *\S+ ?\w* = [^;\n]*\? [^:;\n]*) : /gm, put: '$1 ' },
  'always without at sign': { find: /^( *always\w* )@/gm, put: '$1' },
  'always without parentheses': { find: /^( *always\w* @)\((posedge \w+)\)/gm, put: '$1$2' },
  'sensitivity without closing parenthesis': { find: /^( *always\w* @\([^()\n]*)\)/gm, put: '$1' },
  'case item without colon': { find: /^( {4,}(?!default)\w+): /gm, put: '$1 ' },
  'number without quote': { find: /(\b\d)'([bdh]\d+)/g, put: '$1$2' },
  'digit outside the base': { find: /\b(\d'b)[01]+/g, put: '$12' },
  'name that begins with a digit': { find: /^( *(?:wire|reg|logic) )(?=[a-z]\w*;)/gm, put: '$12' },
  'reserved word as name': { find: /^( *(?:wire|reg|logic) )[a-z]\w*;/gm, put: '$1case;' },
  'name missing in declaration': { find: /^( *(?:wire|reg|logic)(?: \[[^\]\n]*\])?) \w+;/gm, put: '$1 ;' },
  'instance without name': { find: /^( *\w+ #\([^;]*?\)) \w+ \($/gm, put: '$1 (' , also: 'neighbours' },
  'comment that is not closed': { find: /^( {2})(?=always\w* @|assign)/gm, put: '$1/* note ' },
  'else without if': { find: /^( {2})(?=always\w* )/gm, put: '$1else ' },
  'parameter without value': { find: /^( *(?:localparam|parameter) \w+ =)[^;,\n]*;/gm, put: '$1;' },
  'semicolon behind begin of else': { find: /^( *if \([^\n]*\))\n(?=[^\n]*\n *else\b)/gm, put: '$1;\n', also: 'neighbours' },
};

/** A pseudo-random number generator with a seed (Mulberry32); values in [0, 1). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Host {
  readonly name: string;
  readonly text: string;
}

/** Up to `places` mistakes of each kind, spread over the hosts. */
export function seedMistakes(hosts: readonly Host[], places: number, seed: number): Mistake[] {
  const random = randomFrom(seed);
  return Object.entries(RECIPES).flatMap(([kind, recipe]) => {
    const candidates = hosts.flatMap((host) => [...host.text.matchAll(recipe.find)].map((match) => ({ host, match, order: random() })));
    candidates.sort((a, b) => a.order - b.order);
    return candidates.slice(0, places).map(({ host, match }) => make(kind, recipe, host, match));
  });
}

function make(kind: string, recipe: Recipe, host: Host, match: RegExpExecArray): Mistake {
  const { index } = match;
  const [whole] = match;
  const put = recipe.put.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
  const text = host.text.slice(0, index) + put + host.text.slice(index + whole.length);
  const line = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const first = line(index);
  const last = Math.max(first, line(index + put.trimEnd().length));
  const lines = new Set(Array.from({ length: last - first + 1 }, (_, at) => first + at));
  if (recipe.also !== undefined) for (const at of [first - 1, last + 1]) lines.add(at);
  if (recipe.also === 'opener') for (const at of openersBefore(host.text, index, whole)) lines.add(at);
  return { kind, host: host.name, text, lines: [...lines] };
}

/** Lines before an offset on which the block that the removed text ends may begin: the innermost open one by indentation. */
function openersBefore(text: string, offset: number, removed: string): number[] {
  const indent = /^ */.exec(removed)?.[0].length ?? 0;
  const lines = text.slice(0, offset).split('\n');
  const opener = /\b(?:begin|case\w*|module|function|task|generate)\b/;
  const found = lines.findLastIndex((line) => (/^ */.exec(line)?.[0].length ?? 0) <= indent && opener.test(line) && !/^ *end\w+/.test(line));
  return found < 0 ? [] : [found];
}

const PIECES = ['a', ';', ' ', '\n', '(', ')', 'begin', 'end', 'endmodule\n', 'module m;\n', '/*', '*/', '"', '`', "4'b", '=', 'assign y = a;\n', 'bit', ','];

/** One edit as a person or a paste makes it: something typed in, taken out or exchanged, or the original brought back. */
export function randomEdit(text: string, original: string, random: () => number): string {
  if (random() < 0.05) return original;
  const at = Math.floor(random() * (text.length + 1));
  const removed = random() < 0.5 ? 0 : Math.floor(random() * (random() < 0.1 ? 400 : 8));
  const from = Math.floor(random() * original.length);
  const inserted = random() < 0.1 ? original.slice(from, from + Math.floor(random() * 200)) : random() < 0.7 ? (PIECES[Math.floor(random() * PIECES.length)] ?? '') : '';
  return text.slice(0, at) + inserted + text.slice(at + removed);
}
