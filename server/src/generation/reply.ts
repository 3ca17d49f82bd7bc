import { tokenize } from '../syntax/tokens.ts';

/** One module of a text. */
export interface ModuleText {
  readonly name: string;
  /** Offsets from `module` to the end of `endmodule`. */
  readonly start: number;
  readonly end: number;
}

export type Extracted =
  /** `code` ends with a line end and holds `module` with the modules that it needs from the same reply. */
  | { readonly kind: 'module'; readonly module: string; readonly code: string }
  /** One full sentence. */
  | { readonly kind: 'nothing'; readonly reason: string };

const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[ \t]*$|(?![\s\S]))/gm;
/** Marks of a dialogue that never belong to code. */
const LEAKED = /<\/?(?:think|thinking|answer|tool_call)>|<\|\w+\|>|<｜[^<>\n]{1,40}｜>|^[ \t]*```/m;

/**
 * Finds the module in a model's answer, reasoning being split off already. In this order: the last `<answer>`; in it, or else in the whole answer, the last fence of
 * code that defines the wanted module, else the last that defines one; else the bare text from `module` to `endmodule`. A text that was cut off or holds marks of a
 * dialogue is refused; a doubled `endmodule` is cut.
 */
export function extractModule(answer: string, wanted: string | undefined): Extracted {
  let refusal: string | undefined;
  for (const text of [lastAnswer(answer), answer]) {
    if (text === undefined) continue;
    const blocks = fencesOf(text);
    const choices = blocks.length > 0 ? preferred(blocks, wanted) : [bareModules(text)];
    for (const choice of choices) {
      const taken = takeModule(choice, wanted);
      if (taken.kind === 'module') return taken;
      refusal ??= taken.reason;
      // A block that defines the wanted module and is broken is the answer: an earlier draft must not take its place.
      if (definesModule(choice, wanted)) return taken;
    }
  }
  return { kind: 'nothing', reason: refusal ?? NOTHING };
}

const NOTHING = 'The reply holds no module.';

function lastAnswer(text: string): string | undefined {
  const start = text.lastIndexOf('<answer>');
  if (start < 0) return undefined;
  const inner = text.slice(start + '<answer>'.length);
  const end = inner.indexOf('</answer>');
  return end < 0 ? inner : inner.slice(0, end);
}

function fencesOf(text: string): string[] {
  return [...text.replaceAll('\r\n', '\n').matchAll(FENCE)].map((match) => match[3] ?? '').filter((block) => /\bmodule\b/.test(block));
}

/** The blocks from the most to the least likely: later ones first, those with the wanted module before the others. */
function preferred(blocks: readonly string[], wanted: string | undefined): string[] {
  const later = blocks.toReversed();
  return [...later.filter((block) => definesModule(block, wanted)), ...later.filter((block) => !definesModule(block, wanted))];
}

function definesModule(text: string, wanted: string | undefined): boolean {
  return wordsOf(text).some(({ text: word }, at, words) => isOpening(word) && (wanted === undefined || words[at + 1]?.text === wanted));
}

/** The text around bare modules: from the first line that begins one to the last `endmodule`. */
function bareModules(text: string): string {
  const start = /^[ \t]*(?:macro)?module\s+(?:automatic\s+|static\s+)?[A-Za-z_\\]/m.exec(text)?.index ?? -1;
  const end = text.lastIndexOf('endmodule');
  return start < 0 ? '' : text.slice(start, end < start ? undefined : end + 'endmodule'.length);
}

function isOpening(word: string): boolean {
  return word === 'module' || word === 'macromodule';
}

/** Plain identifiers and keywords. */
function wordsOf(text: string): { readonly text: string; readonly start: number; readonly end: number }[] {
  return tokenize(text).flatMap(({ kind, text: word, span }) => (kind === 'identifier' && text[span.start] !== '\\' ? [{ text: word, ...span }] : []));
}

/** The modules of a text in its order, or a sentence when they do not close. */
export function modulesOf(text: string): ModuleText[] | string {
  const words = wordsOf(text);
  const modules: ModuleText[] = [];
  let open: { name: string; start: number } | undefined;
  for (const [at, word] of words.entries()) {
    if (isOpening(word.text)) {
      if (open !== undefined) return `The module ${open.name} has no endmodule.`;
      const name = words.slice(at + 1, at + 3).find(({ text: next }) => next !== 'automatic' && next !== 'static')?.text;
      open = { name: name ?? '', start: word.start };
    } else if (word.text === 'endmodule') {
      if (open === undefined) return 'There is an endmodule without its module.';
      modules.push({ ...open, end: word.end });
      open = undefined;
    }
  }
  if (open !== undefined) return `The module ${open.name} has no endmodule.`;
  return modules;
}

function takeModule(text: string, wanted: string | undefined): Extracted {
  if (LEAKED.test(text)) return { kind: 'nothing', reason: 'The code of the reply holds marks of the dialogue, so it was not taken.' };
  const whole = withoutDoubledEnd(text);
  const modules = modulesOf(whole);
  if (typeof modules === 'string') return { kind: 'nothing', reason: `The code of the reply is not whole: ${modules}` };
  const top = chooseTop(whole, modules, wanted);
  if (top === undefined) return { kind: 'nothing', reason: NOTHING };
  return { kind: 'module', module: top.name, code: keepNeeded(whole, modules, top) };
}

function withoutDoubledEnd(text: string): string {
  const words = wordsOf(text);
  const [before, last] = words.slice(-2);
  if (last?.text !== 'endmodule' || before?.text !== 'endmodule' || text.slice(before.end, last.start).trim() !== '') return text;
  const opened = words.filter(({ text: word }) => isOpening(word)).length;
  const closed = words.filter(({ text: word }) => word === 'endmodule').length;
  return closed === opened + 1 ? text.slice(0, before.end) + text.slice(last.end) : text;
}

/** Names of the given modules that a module's text mentions. */
function usesOf(text: string, { start, end, name }: ModuleText, modules: readonly ModuleText[]): Set<string> {
  const names = new Set(modules.map((module) => module.name));
  return new Set(wordsOf(text.slice(start, end)).flatMap(({ text: word }) => (word !== name && names.has(word) ? [word] : [])));
}

/** The wanted module; else the one that no other uses, a module that has ports before a testbench. */
function chooseTop(text: string, modules: readonly ModuleText[], wanted: string | undefined): ModuleText | undefined {
  const named = modules.find(({ name }) => name === wanted);
  if (named !== undefined) return named;
  const withPorts = modules.filter(({ start, end }) => /\b(?:input|output|inout)\b/.test(text.slice(start, end)));
  const pool = withPorts.length > 0 ? withPorts : modules;
  const used = new Set(pool.flatMap((module) => [...usesOf(text, module, modules)]));
  return pool.find(({ name }) => !used.has(name)) ?? pool[0];
}

/** The text without the modules that `top` does not need, such as a testbench, and without directives that would change what follows in a file. */
function keepNeeded(text: string, modules: readonly ModuleText[], top: ModuleText): string {
  const needed = new Set([top.name]);
  for (const name of needed) {
    const module = modules.find((candidate) => candidate.name === name);
    for (const used of module === undefined ? [] : usesOf(text, module, modules)) needed.add(used);
  }
  const kept = modules.filter(({ name }, at) => needed.has(name) && modules.findIndex((module) => module.name === name) === at);
  let [result, from] = ['', 0];
  for (const module of modules) {
    if (!kept.includes(module)) {
      result += text.slice(from, module.start);
      from = module.end;
    }
  }
  const plain = (result + text.slice(from)).replace(/^[ \t]*`(?:timescale|default_nettype|resetall)\b[^\n]*\n?/gm, '');
  return `${plain.replace(/\r\n/g, '\n').replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n').trim()}\n`;
}
