/**
 * Variables that several processes of a module count their loops with. Each process sets such a variable before it reads it, so that none sees
 * what another has left there; but a netlist has one net for all of them, on which their drivers meet.
 */
import { withEdits, type Edit } from './edits.ts';
import { isWithin, processesIn, subroutinesIn, type Range } from './processes.ts';
import { afterGroup, afterStatement, isPlainName, tokenize, type Token } from './tokens.ts';

/** Types of loop variables, and what may follow one. */
const INTEGERS = new Set(['integer', 'int', 'shortint', 'longint', 'byte']);
const SIGNS = new Set(['signed', 'unsigned']);
/** What makes a declaration more than that of a variable. */
const QUALIFIERS = new Set(['input', 'output', 'inout', 'const', 'typedef', 'parameter', 'localparam']);
const CONDITIONALS = new Set(['`ifdef', '`ifndef', '`elsif', '`else', '`endif']);
/** What lets other processes run in between, or leaves a loop in another way. */
const WAITS = new Set(['@', '#', 'wait', '->', '->>', 'fork', 'disable', 'return', 'break', 'continue']);

/**
 * The files with a variable of its own for each loop that counts with one that others use, too; the files as they are where more than loops
 * looks at it. `expanded` is all of the side with its macros expanded.
 */
export function withoutSharedLoopVariables(files: Readonly<Record<string, string>>, expanded: string): Record<string, string> {
  const tokens = new Map(Object.entries(files).map(([file, text]) => [file, tokenize(text)]));
  const all = [...tokens.values()].flat();
  const visible = counts(all);
  const meant = counts(tokenize(expanded));
  const known = new Set(all.map(({ text }) => text));
  const isUnhidden = (name: string): boolean => visible.get(name) === meant.get(name);
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const edits = modulesIn(tokens.get(file) ?? []).flatMap((module) => separated(module, known, isUnhidden));
      return [file, withEdits(text, edits)];
    }),
  );
}

function counts(tokens: readonly Token[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const token of tokens) if (isPlainName(token)) found.set(token.text, (found.get(token.text) ?? 0) + 1);
  return found;
}

/** The tokens of each module without conditionals and calls of macros inside, which may hide what is where. */
function modulesIn(tokens: readonly Token[]): Token[][] {
  const modules: Token[][] = [];
  let from: number | undefined;
  tokens.forEach(({ text }, at) => {
    if (text === 'module') from = at;
    else if (text === 'endmodule' && from !== undefined) {
      modules.push(tokens.slice(from, at));
      from = undefined;
    }
  });
  return modules.filter((module) => !module.some(({ kind, text }, at) => kind === 'directive' && (CONDITIONALS.has(text) || module[at + 1]?.text === '(')));
}

function separated(module: readonly Token[], known: Set<string>, isUnhidden: (name: string) => boolean): Edit[] {
  const processes = processesIn(module);
  const within = (ranges: readonly Range[], at: number): boolean => ranges.some((range) => isWithin(range, at));
  const subroutines = subroutinesIn(module);
  const inside = [...processes, ...subroutines];
  // A task may wait.
  const pausing = new Set([...WAITS, ...subroutines.flatMap(({ from, to }) => (module[from]?.text === 'task' ? module.slice(from + 1, to).filter(isPlainName).slice(0, 1).map(({ text }) => text) : []))]);
  return declarationsIn(module).flatMap(({ type, name, at, end }) => {
    if (within(inside, at) || !isUnhidden(name)) return [];
    const uses = module.flatMap((token, index) => (isPlainName(token) && token.text === name && index !== at ? [index] : []));
    const loops = processes.flatMap((process) => loopsOf(module, process, name));
    const users = processes.filter((process) => uses.some((use) => isWithin(process, use)));
    if (users.length < 2 || !uses.every((use) => within(loops, use) && module[use - 1]?.text !== '.' && module[use + 1]?.text !== '.')) return [];
    if (loops.some(({ from, to }) => module.slice(from, to).some(({ text }) => pausing.has(text)))) return [];
    const names = loops.map((_, index) => unusedName(`${name}_${String(index)}`, known));
    const behind = module[end]?.end ?? 0;
    return [
      { start: behind, end: behind, replacement: ` ${type} ${names.join(', ')};` },
      ...uses.flatMap((use): Edit[] => {
        const [token, own] = [module[use], names[loops.findIndex((loop) => isWithin(loop, use))]];
        return token === undefined || own === undefined ? [] : [{ start: token.start, end: token.end, replacement: own }];
      }),
    ];
  });
}

/** The integers of declarations without initial values; `end` is the index of the semicolon. */
function declarationsIn(module: readonly Token[]): { readonly type: string; readonly name: string; readonly at: number; readonly end: number }[] {
  const found: { type: string; name: string; at: number; end: number }[] = [];
  const declared = new Map<string, number>();
  module.forEach(({ text }, index) => {
    if (!INTEGERS.has(text) || QUALIFIERS.has(module[index - 1]?.text ?? '')) return;
    const first = SIGNS.has(module[index + 1]?.text ?? '') ? index + 2 : index + 1;
    const type = module.slice(index, first).map((token) => token.text).join(' ');
    const end = module.findIndex((token, at) => at > index && token.text === ';');
    const list = module.slice(first, end);
    if (end < 0 || !list.every((token, at) => (at % 2 === 0 ? isPlainName(token) : token.text === ','))) return;
    list.forEach((token, at) => {
      if (at % 2 === 0) found.push({ type, name: token.text, at: first + at, end });
      declared.set(token.text, (declared.get(token.text) ?? 0) + 1);
    });
  });
  return found.filter(({ name }) => declared.get(name) === 1);
}

/** The outermost loops of a process that set a variable first. */
function loopsOf(module: readonly Token[], { from, to }: Range, name: string): Range[] {
  const found: Range[] = [];
  for (let at = from; at < to; at++) {
    if (module[at]?.text !== 'for' || module[at + 1]?.text !== '(' || module[at + 2]?.text !== name || module[at + 3]?.text !== '=') continue;
    const behind = afterStatement(module, at);
    // What it begins with must not look at what is there before.
    const first = module.findIndex((token, index) => index > at && token.text === ';');
    if (module.slice(at + 4, first).some((token) => token.text === name) || first >= afterGroup(module, at + 1)) continue;
    found.push({ from: at, to: behind });
    at = behind - 1;
  }
  return found;
}

/** A variable that a loop counts with and its statements set as well: a netlist has gone through the loop without them. `targets`: what is assigned, by its places. */
export function steeredLoop(tokens: readonly Token[], targets: ReadonlyMap<number, string>): string | undefined {
  for (const [at, { text }] of tokens.entries()) {
    if (text !== 'for' || tokens[at + 1]?.text !== '(') continue;
    const behind = afterGroup(tokens, at + 1);
    const counted = new Set([...targets].flatMap(([place, name]) => (place > at && place < behind ? [name] : [])));
    const end = afterStatement(tokens, behind);
    for (const [place, name] of targets) if (place >= behind && place < end && counted.has(name)) return name;
  }
  return undefined;
}

function unusedName(wanted: string, known: Set<string>): string {
  let name = wanted;
  for (let number = 0; known.has(name); number++) name = `${wanted}_${String(number)}`;
  known.add(name);
  return name;
}
