import { dirname, isAbsolute, join } from 'node:path';
import type { Span } from '../base/text.ts';
import { endOfDirective, IDENTIFIER, includeGuardOf, matchAt, readDefinition, splitArguments, substitute } from './macros.ts';
import type { Macro } from './macros.ts';
import { SourceMapBuilder } from './source-map.ts';
import type { SourceMap } from './source-map.ts';

export interface PreprocessOptions {
  /** Name to text, as with a compiler's `-D`. */
  readonly defines?: Readonly<Record<string, string>> | undefined;
  /** Macros behind the file before this one in its compilation unit, those of `defines` among them; undefined for the first. */
  readonly macros?: ReadonlyMap<string, Macro> | undefined;
  /** Absolute directories, searched behind the directory of the including file. */
  readonly includeDirs?: readonly string[] | undefined;
  /** The text of a file by absolute path, or undefined when there is none. */
  readonly readFile?: ((path: string) => string | undefined) | undefined;
}

export type PreprocessProblemCode =
  | 'missing-include'
  | 'include-cycle'
  | 'unbalanced-conditional'
  | 'bad-directive'
  | 'bad-macro-usage'
  | 'recursive-macro'
  | 'too-large';

export interface PreprocessProblem {
  readonly code: PreprocessProblemCode;
  readonly file: string;
  readonly span: Span;
  readonly message: string;
}

export interface IncludeDirective {
  /** The name between the quotes. */
  readonly name: string;
  /** The place of the directive in the file that has it. */
  readonly file: string;
  readonly span: Span;
  /** Absolute path, or undefined when no such file was found. */
  readonly resolved: string | undefined;
}

/** A macro usage; `span` is in the coordinates of the file that has it. */
export interface MacroUsage {
  readonly name: string;
  readonly file: string;
  readonly span: Span;
}

/** A macro that the sources define. */
export type DefinedMacro = Macro & { readonly location: NonNullable<Macro['location']> };

export interface Preprocessed {
  /** The text after preprocessing: directives and inactive branches blanked at equal length, macros expanded, includes spliced in. */
  readonly text: string;
  readonly map: SourceMap;
  /** The root file's own text with directives and inactive branches blanked at equal length, and macro usages left as they are. */
  readonly blanked: string;
  /** Inactive branches of the root file. */
  readonly inactive: readonly Span[];
  readonly includes: readonly IncludeDirective[];
  /** Macros defined at the end. */
  readonly macros: ReadonlyMap<string, Macro>;
  /** Every active definition of a macro in the text and its includes, in order. */
  readonly definitions: readonly DefinedMacro[];
  readonly expanded: readonly MacroUsage[];
  /** Usages of macros that are not defined; they stay in the text. */
  readonly unknown: readonly MacroUsage[];
  readonly problems: readonly PreprocessProblem[];
}

const MAX_DEPTH = 100;
const MAX_LENGTH = 50_000_000;
/** Macro usages of one file, those inside of macros included; only macros that multiply come near it. */
const MAX_EXPANSIONS = 400_000;

/** Directives without influence on the syntax, and how far each reaches. */
const PLAIN_DIRECTIVES = new Map<string, RegExp>([
  ['timescale', /[^\n]*?(?=\r?\n|\/\/|\/\*|$)/y],
  ['default_nettype', /[ \t]*\w*/y],
  ['resetall', /(?:)/y],
  ['celldefine', /(?:)/y],
  ['endcelldefine', /(?:)/y],
  ['nounconnected_drive', /(?:)/y],
  ['unconnected_drive', /[ \t]*\w*/y],
  ['line', /[^\n]*/y],
  ['pragma', /[^\n]*/y],
  ['begin_keywords', /[ \t]*"[^"\n]*"/y],
  ['end_keywords', /(?:)/y],
  ['undefineall', /(?:)/y],
  ['protect', /[^\n]*/y],
  ['endprotect', /[^\n]*/y],
  ['default_decay_time', /[^\n]*/y],
  ['default_trireg_strength', /[^\n]*/y],
  ['delay_mode_distributed', /(?:)/y],
  ['delay_mode_path', /(?:)/y],
  ['delay_mode_unit', /(?:)/y],
  ['delay_mode_zero', /(?:)/y],
  ['suppress_faults', /(?:)/y],
  ['nosuppress_faults', /(?:)/y],
  ['enable_portfaults', /(?:)/y],
  ['disable_portfaults', /(?:)/y],
]);

const CONDITIONALS = new Set(['ifdef', 'ifndef', 'elsif', 'else', 'endif']);

/**
 * Preprocesses one file by IEEE 1800-2017, clause 22. Unknown macros and missing includes are soft: they are reported and
 * the rest goes on. Never throws on any text.
 */
export function preprocess(file: string, text: string, options: PreprocessOptions = {}): Preprocessed {
  return new Preprocessor(file, options).process(text);
}

/** A branch of a conditional that is being read. */
interface Branch {
  readonly opener: Span;
  /** The conditional itself stands in active text. */
  readonly live: boolean;
  active: boolean;
  taken: boolean;
  elseSeen: boolean;
}

/** A text being read: the root file, an included file, or the expansion of a macro. */
interface Frame {
  readonly file: string;
  readonly text: string;
  /** Set in an expansion: the usage in `file` that everything in it stands for. */
  readonly usage: Span | undefined;
  /** Where the root file caused this frame; undefined for the root file. */
  readonly root: Span | undefined;
  readonly depth: number;
  readonly macroNames: readonly string[];
  readonly branches: Branch[];
}

class Preprocessor {
  readonly #rootFile: string;
  readonly #options: PreprocessOptions;
  readonly #macros: Map<string, Macro>;
  readonly #out: SourceMapBuilder;
  readonly #blanked: string[] = [];
  readonly #inactive: Span[] = [];
  readonly #includes: IncludeDirective[] = [];
  readonly #definitions: DefinedMacro[] = [];
  readonly #expanded: MacroUsage[] = [];
  readonly #unknown: MacroUsage[] = [];
  readonly #problems: PreprocessProblem[] = [];
  #full = false;

  constructor(rootFile: string, options: PreprocessOptions) {
    this.#rootFile = rootFile;
    this.#options = options;
    this.#out = new SourceMapBuilder(rootFile);
    this.#macros = new Map(options.macros ?? Object.entries(options.defines ?? {}).map(([name, body]) => [name, { name, parameters: undefined, body, location: undefined }]));
  }

  process(text: string): Preprocessed {
    this.#read({ file: this.#rootFile, text, usage: undefined, root: undefined, depth: 0, macroNames: [], branches: [] });
    return {
      ...this.#out.build(),
      blanked: this.#blanked.join(''),
      inactive: this.#inactive,
      includes: this.#includes,
      macros: this.#macros,
      definitions: this.#definitions,
      expanded: this.#expanded,
      unknown: this.#unknown,
      problems: this.#problems,
    };
  }

  /** Copies a frame's text, stopping at each directive or macro usage outside comments and strings. */
  #read(frame: Frame): void {
    const { text } = frame;
    if (frame.usage === undefined) this.#forgetGuard(text);
    const interesting = /`|"|\/\/|\/\*|\\/g;
    let copied = 0;
    for (let match = interesting.exec(text); match; match = interesting.exec(text)) {
      const at = match.index;
      if (match[0] !== '`') {
        interesting.lastIndex = skipOpaque(text, at, match[0]);
        continue;
      }
      const name = matchAt(IDENTIFIER, text, at + 1);
      if (name === undefined) continue;
      this.#copy(frame, copied, at);
      copied = CONDITIONALS.has(name) ? this.#conditional(frame, at, name) : this.#directive(frame, at, name);
      interesting.lastIndex = copied;
      if (this.#full) break;
    }
    this.#copy(frame, copied, text.length);
    for (const branch of frame.branches) {
      this.#problem(frame, 'unbalanced-conditional', branch.opener, "This conditional has no '`endif'; add it behind the last branch.");
    }
  }

  /** A file that another file of the compilation unit has read already is still read for what this one sees of it. */
  #forgetGuard(text: string): void {
    const before = this.#options.macros;
    const guard = before && includeGuardOf(text);
    if (guard === undefined || before?.get(guard)?.location === undefined) return;
    if (this.#macros.get(guard) === before.get(guard)) this.#macros.delete(guard);
  }

  #active(frame: Frame): boolean {
    return frame.branches.at(-1)?.active ?? true;
  }

  #copy(frame: Frame, start: number, end: number): void {
    if (end <= start) return;
    if (this.#active(frame)) {
      const text = frame.text.slice(start, end);
      this.#emit(frame, text, { start, end });
      if (frame.root === undefined) this.#blanked.push(text);
      return;
    }
    if (frame.root === undefined) {
      const last = this.#inactive.at(-1);
      if (last?.end === start) this.#inactive[this.#inactive.length - 1] = { start: last.start, end };
      else this.#inactive.push({ start, end });
    }
    this.#blank(frame, start, end);
  }

  #blank(frame: Frame, start: number, end: number): void {
    const blanks = frame.text.slice(start, end).replace(/[^\r\n]/g, ' ');
    this.#emit(frame, blanks, { start, end });
    if (frame.root === undefined) this.#blanked.push(blanks);
  }

  #emit(frame: Frame, text: string, source: Span): void {
    if (this.#out.length + text.length > MAX_LENGTH) {
      this.#tooLarge(frame, source, 'beyond 50 million characters');
      return;
    }
    if (frame.usage) this.#out.add(text, 'expansion', frame.file, frame.usage, frame.root ?? frame.usage);
    else this.#out.add(text, 'verbatim', frame.file, source, frame.root ?? source);
  }

  #tooLarge(frame: Frame, span: Span, limit: string): void {
    if (!this.#full) this.#problem(frame, 'too-large', span, `The text grows ${limit} here; check for macros that multiply.`);
    this.#full = true;
  }

  #problem(frame: Frame, code: PreprocessProblemCode, span: Span, message: string): void {
    this.#problems.push({ code, file: frame.file, span: frame.usage ?? span, message });
  }

  #conditional(frame: Frame, at: number, name: string): number {
    const keywordEnd = at + 1 + name.length;
    const opener = { start: at, end: keywordEnd };
    if (name === 'endif' || name === 'else') {
      this.#switchBranch(frame, name, opener, true);
      this.#blankDirective(frame, at, keywordEnd);
      return keywordEnd;
    }
    const symbolStart = keywordEnd + (matchAt(/\s*/y, frame.text, keywordEnd)?.length ?? 0);
    const symbol = matchAt(IDENTIFIER, frame.text, symbolStart);
    const end = symbol === undefined ? keywordEnd : symbolStart + symbol.length;
    if (symbol === undefined) this.#problem(frame, 'bad-directive', opener, `'\`${name}' needs the name of a macro behind it.`);
    const defined = symbol !== undefined && this.#macros.has(symbol);
    const holds = name === 'ifndef' ? !defined : defined;
    if (name === 'elsif') this.#switchBranch(frame, name, opener, holds);
    else {
      const live = this.#active(frame);
      frame.branches.push({ opener, live, active: live && holds, taken: holds, elseSeen: false });
    }
    this.#blankDirective(frame, at, end);
    return end;
  }

  /** A directive's own text is blanked, but is not part of an inactive branch. */
  #blankDirective(frame: Frame, start: number, end: number): void {
    this.#blank(frame, start, end);
  }

  #switchBranch(frame: Frame, name: 'endif' | 'else' | 'elsif', opener: Span, holds: boolean): void {
    const branch = frame.branches.at(-1);
    if (!branch) {
      this.#problem(frame, 'unbalanced-conditional', opener, `'\`${name}' has no '\`ifdef' or '\`ifndef' before it; remove it or add one.`);
      return;
    }
    if (name === 'endif') {
      frame.branches.pop();
      return;
    }
    if (branch.elseSeen) this.#problem(frame, 'unbalanced-conditional', opener, `'\`${name}' follows an '\`else' of the same conditional; remove one of them.`);
    branch.active = branch.live && !branch.taken && holds;
    branch.taken ||= holds;
    branch.elseSeen ||= name === 'else';
  }

  /** Handles the directive or macro usage at `at`; returns the offset behind it. */
  #directive(frame: Frame, at: number, name: string): number {
    const nameEnd = at + 1 + name.length;
    if (!this.#active(frame)) {
      // A definition's text may hold conditionals that belong to it and not to the file.
      const end = name === 'define' ? endOfDirective(frame.text, nameEnd) : nameEnd;
      this.#copy(frame, at, end);
      return end;
    }
    if (name === 'define') return this.#define(frame, at, nameEnd);
    if (name === 'undef') {
      const end = nameEnd + (matchAt(/[ \t]*[A-Za-z_][A-Za-z0-9_$]*/y, frame.text, nameEnd)?.length ?? 0);
      this.#macros.delete(frame.text.slice(nameEnd, end).trim());
      this.#blank(frame, at, end);
      return end;
    }
    if (name === 'include') return this.#include(frame, at, nameEnd);
    const plain = PLAIN_DIRECTIVES.get(name);
    if (plain && !this.#macros.has(name)) {
      if (name === 'undefineall') this.#macros.clear();
      const end = nameEnd + (matchAt(plain, frame.text, nameEnd)?.length ?? 0);
      this.#blank(frame, at, end);
      return end;
    }
    return this.#usage(frame, at, nameEnd, name);
  }

  #define(frame: Frame, at: number, nameEnd: number): number {
    const end = endOfDirective(frame.text, nameEnd);
    const macro = readDefinition(frame.text, nameEnd, end, frame.file);
    if (macro) {
      this.#macros.set(macro.name, macro);
      if (macro.location) this.#definitions.push({ ...macro, location: macro.location });
    } else this.#problem(frame, 'bad-directive', { start: at, end: nameEnd }, "'`define' needs a name, and a closed list of arguments if it has one.");
    this.#blank(frame, at, end);
    return end;
  }

  #include(frame: Frame, at: number, nameEnd: number): number {
    const written = matchAt(/[ \t]*(?:"[^"\n]*"|<[^>\n]*>)/y, frame.text, nameEnd);
    const viaMacro = written === undefined ? matchAt(/[ \t]*`[A-Za-z_][A-Za-z0-9_$]*/y, frame.text, nameEnd) : undefined;
    const end = nameEnd + (written ?? viaMacro ?? '').length;
    const span = { start: at, end };
    const quoted = written?.trim() ?? this.#includeName(viaMacro?.trim() ?? '');
    const name = quoted.slice(1, -1);
    if (name === '') {
      this.#problem(frame, 'bad-directive', span, "'`include' needs a file name in quotes.");
      this.#blank(frame, at, end);
      return end;
    }
    const found = this.#resolve(frame.file, name, quoted.startsWith('<'));
    this.#includes.push({ name, file: frame.file, span: frame.usage ?? span, resolved: found?.path });
    // The included text takes the place of the directive, which keeps the map monotone.
    if (found && frame.root === undefined) this.#blanked.push(' '.repeat(end - at));
    else if (!found) this.#blank(frame, at, end);
    if (!found) {
      this.#problem(frame, 'missing-include', span, `The file "${name}" was not found; add its directory to the include directories.`);
    } else if (frame.depth >= MAX_DEPTH) {
      this.#problem(frame, 'include-cycle', span, `The file "${name}" includes itself without end; guard it with '\`ifndef'.`);
    } else {
      const root = frame.root ?? span;
      this.#read({ file: found.path, text: found.text, usage: undefined, root, depth: frame.depth + 1, macroNames: [], branches: [] });
    }
    return end;
  }

  /** The quoted name that a macro without arguments stands for, directly or through others. */
  #includeName(usage: string): string {
    let text = usage;
    for (let depth = 0; text.startsWith('`') && depth < MAX_DEPTH; depth++) text = this.#macros.get(text.slice(1))?.body.trim() ?? '';
    return text;
  }

  #resolve(from: string, name: string, systemOnly: boolean): { path: string; text: string } | undefined {
    const directories = [...(systemOnly ? [] : [dirname(from)]), ...(this.#options.includeDirs ?? [])];
    const candidates = isAbsolute(name) ? [name] : [...new Set(directories.map((directory) => join(directory, name)))];
    for (const path of candidates) {
      const text = this.#options.readFile?.(path);
      if (text !== undefined) return { path, text };
    }
    return undefined;
  }

  #usage(frame: Frame, at: number, nameEnd: number, name: string): number {
    const macro = this.#macros.get(name);
    if (!macro) {
      const special = this.#predefined(frame, at, name);
      if (special !== undefined) return this.#replace(frame, { start: at, end: nameEnd }, name, special);
      this.#unknown.push({ name, file: frame.file, span: frame.usage ?? { start: at, end: nameEnd } });
      this.#copy(frame, at, nameEnd);
      return nameEnd;
    }
    if (!macro.parameters) return this.#replace(frame, { start: at, end: nameEnd }, name, substitute(macro, []) ?? macro.body);
    const open = nameEnd + (matchAt(/\s*/y, frame.text, nameEnd)?.length ?? 0);
    const list = frame.text[open] === '(' ? splitArguments(frame.text, open) : undefined;
    const replacement = list && substitute(macro, list.arguments);
    const span = { start: at, end: list?.end ?? nameEnd };
    if (replacement === undefined) {
      this.#problem(frame, 'bad-macro-usage', span, `'\`${name}' takes ${count(macro.parameters.length, 'argument')} in parentheses.`);
      this.#unknown.push({ name, file: frame.file, span: frame.usage ?? span });
      this.#copy(frame, at, span.end);
      return span.end;
    }
    return this.#replace(frame, span, name, replacement);
  }

  #predefined(frame: Frame, at: number, name: string): string | undefined {
    if (name === '__FILE__') return JSON.stringify(frame.file);
    if (name === '__LINE__') return String((frame.text.slice(0, at).match(/\n/g)?.length ?? 0) + 1);
    return undefined;
  }

  /** Reads a macro's replacement in place of its usage; returns the end of the usage. */
  #replace(frame: Frame, span: Span, name: string, replacement: string): number {
    if (this.#expanded.length >= MAX_EXPANSIONS) {
      this.#tooLarge(frame, span, `beyond ${MAX_EXPANSIONS.toLocaleString('en-US')} macro usages`);
      return span.end;
    }
    this.#expanded.push({ name, file: frame.file, span: frame.usage ?? span });
    if (frame.root === undefined) this.#blanked.push(frame.text.slice(span.start, span.end));
    if (frame.macroNames.includes(name) || frame.depth >= MAX_DEPTH) {
      this.#problem(frame, 'recursive-macro', span, `The macro '${name}' expands to itself.`);
      return span.end;
    }
    const usage = frame.usage ?? span;
    const macroNames = [...frame.macroNames, name];
    this.#read({ file: frame.file, text: replacement, usage, root: frame.root ?? usage, depth: frame.depth + 1, macroNames, branches: [] });
    return span.end;
  }
}

/** The offset behind a comment, a string or an escaped identifier that starts at `at`. */
function skipOpaque(text: string, at: number, opener: string): number {
  if (opener === '//') {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (opener === '/*') {
    const end = text.indexOf('*/', at + 2);
    return end < 0 ? text.length : end + 2;
  }
  if (opener === '"') return at + (matchAt(/"(?:[^"\\\n]|\\[\s\S])*"?/y, text, at)?.length ?? 1);
  return at + (matchAt(/\\[^\s\\]+/y, text, at)?.length ?? 1);
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
