import { dirname, isAbsolute, join } from 'node:path';
import { finish } from '../base/steps.ts';
import type { Steps } from '../base/steps.ts';
import { grouped } from '../base/text.ts';
import type { Span } from '../base/text.ts';
import { isActive, openBranch, switchBranch } from './conditionals.ts';
import { readCondition } from './condition.ts';
import { BLANKS, CONDITIONALS, endOfForeignText, endOfProtectedText, intendedDirective, PLAIN_DIRECTIVES, skipOpaque } from './directives.ts';
import { includeGuardOf } from './include-guard.ts';
import { endOfDefinition, IDENTIFIER, matchAt, mentionedMacros, readDefinition, SAME_LINE, splitArguments, substitute } from './macros.ts';
import type { Macro } from './macros.ts';
import { PreprocessOutput } from './preprocess-output.ts';
import type { Frame } from './preprocess-output.ts';
import type { DefinedMacro, IncludeDirective, MacroUsage, Preprocessed, PreprocessOptions } from './preprocessed.ts';

const MAX_DEPTH = 100;
/** Macro usages of one file, those inside of macros included; only macros that multiply come near it. */
const MAX_EXPANSIONS = 400_000;

/**
 * Preprocesses one file by IEEE 1800-2017, clause 22. Unknown macros and missing includes are soft: they are reported and
 * the rest goes on. Never throws on any text.
 */
export function preprocess(file: string, text: string, options: PreprocessOptions = {}): Preprocessed {
  return finish(preprocessInSteps(file, text, options));
}

/** As `preprocess`, step by step. What it includes is read without a step between. */
export function* preprocessInSteps(file: string, text: string, options: PreprocessOptions = {}): Steps<Preprocessed> {
  return yield* new Preprocessor(file, options).process(text);
}

class Preprocessor {
  readonly #rootFile: string;
  readonly #options: PreprocessOptions;
  readonly #macros: Map<string, Macro>;
  readonly #out: PreprocessOutput;
  readonly #includes: IncludeDirective[] = [];
  readonly #definitions: DefinedMacro[] = [];
  readonly #expanded: MacroUsage[] = [];
  readonly #unknown: MacroUsage[] = [];
  /** The end of the line on which the last list of arguments was left open. */
  #unclosed = { file: '', lineEnd: 0 };

  constructor(rootFile: string, options: PreprocessOptions) {
    this.#rootFile = rootFile;
    this.#options = options;
    this.#out = new PreprocessOutput(rootFile);
    this.#macros = new Map(options.macros ?? Object.entries(options.defines ?? {}).map(([name, body]) => [name, { name, parameters: undefined, body, location: undefined }]));
  }

  *process(text: string): Steps<Preprocessed> {
    yield* this.#readInSteps({ file: this.#rootFile, text, usage: undefined, root: undefined, depth: 0, macroNames: [], branches: [] });
    return {
      ...this.#out.build(),
      includes: this.#includes,
      macros: this.#macros,
      definitions: this.#definitions,
      expanded: this.#expanded,
      unknown: this.#unknown,
    };
  }

  #read(frame: Frame): void {
    finish(this.#readInSteps(frame));
  }

  /** Copies a frame's text, stopping at each directive or macro usage outside comments and strings. */
  *#readInSteps(frame: Frame): Steps<void> {
    const { text } = frame;
    if (frame.usage === undefined) this.#forgetGuard(text);
    const interesting = /`|"|\/\/|\/\*|\\/g;
    let copied = 0;
    for (let match = interesting.exec(text); match; match = interesting.exec(text)) {
      yield;
      const at = match.index;
      if (match[0] !== '`') {
        const protectedEnd = match[0] === '//' ? endOfProtectedText(text, at) : undefined;
        if (protectedEnd !== undefined) {
          this.#out.copy(frame, copied, at);
          this.#out.blank(frame, at, protectedEnd);
          copied = protectedEnd;
        }
        interesting.lastIndex = protectedEnd ?? skipOpaque(text, at, match[0]);
        continue;
      }
      const name = matchAt(IDENTIFIER, text, at + 1) ?? this.#escapedMacro(text, at);
      if (name === undefined) continue;
      this.#out.copy(frame, copied, at);
      copied = CONDITIONALS.has(name) ? this.#conditional(frame, at, name) : this.#directive(frame, at, name);
      interesting.lastIndex = copied;
      if (this.#out.full) break;
    }
    this.#out.copy(frame, copied, text.length);
    for (const branch of frame.branches) {
      this.#out.problem(frame, 'unbalanced-conditional', branch.opener, "This conditional has no '`endif'; add it behind the last branch.");
    }
  }

  /** A file that another file of the compilation unit has read already is still read for what this one sees of it. */
  #forgetGuard(text: string): void {
    const before = this.#options.macros;
    const guard = before && includeGuardOf(text);
    if (guard === undefined || before?.get(guard)?.location === undefined) return;
    if (this.#macros.get(guard) === before.get(guard)) this.#macros.delete(guard);
  }

  #conditional(frame: Frame, at: number, name: string): number {
    const keywordEnd = at + 1 + name.length;
    const opener = { start: at, end: keywordEnd };
    if (name === 'endif' || name === 'else') {
      this.#switchBranch(frame, name, opener, true);
      this.#out.blank(frame, at, keywordEnd);
      return keywordEnd;
    }
    const condition = readCondition(frame.text, keywordEnd, (symbol) => this.#options.assume?.get(symbol) ?? this.#macros.has(symbol));
    const end = condition?.end ?? keywordEnd;
    if (!condition) this.#out.problem(frame, 'bad-directive', opener, `'\`${name}' needs the name of a macro behind it.`);
    const holds = (name === 'ifndef') !== (condition?.holds ?? false);
    if (name === 'elsif') this.#switchBranch(frame, name, opener, holds);
    else openBranch(frame.branches, opener, holds);
    this.#out.blank(frame, at, end);
    return end;
  }

  #switchBranch(frame: Frame, name: 'endif' | 'else' | 'elsif', opener: Span, holds: boolean): void {
    const problem = switchBranch(frame.branches, name, holds);
    if (problem !== undefined) this.#out.problem(frame, 'unbalanced-conditional', opener, problem);
  }

  /** Handles the directive or macro usage at `at`; returns the offset behind it. */
  #directive(frame: Frame, at: number, name: string): number {
    const nameEnd = at + 1 + name.length;
    if (!isActive(frame.branches)) {
      // A definition's text may hold conditionals that belong to it and not to the file.
      const end = name === 'define' ? endOfDefinition(frame.text, nameEnd) : nameEnd;
      this.#out.copy(frame, at, end);
      return end;
    }
    if (name === 'define') return this.#define(frame, at, nameEnd);
    if (name === 'undef') {
      const start = nameEnd + (matchAt(SAME_LINE, frame.text, nameEnd)?.length ?? 0);
      const undefinedName = matchAt(IDENTIFIER, frame.text, start) ?? '';
      const end = undefinedName === '' ? nameEnd : start + undefinedName.length;
      this.#macros.delete(undefinedName);
      this.#out.blank(frame, at, end);
      return end;
    }
    if (name === 'include') return this.#include(frame, at, nameEnd);
    const plain = PLAIN_DIRECTIVES.get(name);
    const foreign = this.#macros.has(name) ? undefined : endOfForeignText(frame.text, at, name);
    if (foreign !== undefined) {
      this.#out.blank(frame, at, foreign);
      return foreign;
    }
    if (plain && !this.#macros.has(name)) {
      if (name === 'undefineall') this.#macros.clear();
      const end = nameEnd + (matchAt(plain, frame.text, nameEnd)?.length ?? 0);
      if (this.#options.kept?.has(name) === true) this.#out.copy(frame, at, end);
      else this.#out.blank(frame, at, end);
      return end;
    }
    const meant = this.#macros.has(name) ? undefined : intendedDirective(frame.text, at, name);
    if (meant !== undefined) {
      const end = endOfDefinition(frame.text, nameEnd);
      this.#out.problem(frame, 'bad-directive', { start: at, end: nameEnd }, `'\`${name}' is no directive; did you mean '\`${meant}'?`);
      this.#out.blank(frame, at, end);
      return end;
    }
    return this.#usage(frame, at, nameEnd, name);
  }

  #define(frame: Frame, at: number, nameEnd: number): number {
    const end = endOfDefinition(frame.text, nameEnd);
    const macro = readDefinition(frame.text, nameEnd, end, frame.file);
    if (macro) {
      this.#macros.set(macro.name, macro);
      if (macro.location) this.#definitions.push({ ...macro, location: macro.location });
    } else this.#out.problem(frame, 'bad-directive', { start: at, end: nameEnd }, "'`define' needs a name, and a closed list of arguments if it has one.");
    this.#out.blank(frame, at, end);
    return end;
  }

  #include(frame: Frame, at: number, nameEnd: number): number {
    const start = nameEnd + (matchAt(SAME_LINE, frame.text, nameEnd)?.length ?? 0);
    const written = matchAt(/"[^"\n]*"|<[^>\n]*>/y, frame.text, start);
    const viaMacro = written === undefined ? this.#includeName(frame.text, nameEnd) : undefined;
    const end = viaMacro?.end ?? (written === undefined ? nameEnd : start + written.length);
    const span = { start: at, end };
    const quoted = written ?? viaMacro?.text ?? '';
    const name = quoted.slice(1, -1);
    if (name === '') {
      this.#out.problem(frame, 'bad-directive', span, "'`include' needs a file name in quotes.");
      this.#out.blank(frame, at, end);
      return end;
    }
    const found = this.#resolve(frame.file, name, quoted.startsWith('<'));
    this.#includes.push({ name, file: frame.file, span: frame.usage ?? span, resolved: found?.path });
    // The included text takes the place of the directive, which keeps the map monotone.
    if (found) this.#out.addToBlanked(frame, ' '.repeat(end - at));
    else this.#out.blank(frame, at, end);
    if (!found) {
      this.#out.problem(frame, 'missing-include', span, `The file "${name}" was not found; add its directory to the include directories.`);
    } else if (frame.depth >= MAX_DEPTH) {
      this.#out.problem(frame, 'include-cycle', span, `The file "${name}" includes itself without end; guard it with '\`ifndef'.`);
    } else {
      const root = frame.root ?? span;
      this.#read({ file: found.path, text: found.text, usage: undefined, root, depth: frame.depth + 1, macroNames: [], branches: [] });
    }
    return end;
  }

  /** The quoted name that the macro at `offset` stands for, directly or through others, and where its usage ends. */
  #includeName(text: string, offset: number, depth = 0): { readonly text: string; readonly end: number } | undefined {
    const name = matchAt(/\s*`[A-Za-z_][A-Za-z0-9_$]*/y, text, offset);
    const macro = this.#macros.get(name?.trim().slice(1) ?? '');
    if (name === undefined || !macro || depth > MAX_DEPTH) return undefined;
    const list = macro.parameters && this.#actuals(text, offset + name.length);
    const replacement = substitute(macro, list?.arguments ?? [])?.trim() ?? '';
    const further = replacement.startsWith('`') ? this.#includeName(replacement, 0, depth + 1)?.text : replacement;
    return further === undefined ? undefined : { text: further, end: list?.end ?? offset + name.length };
  }

  /** The parenthesised list of arguments behind the name of a macro. */
  #actuals(text: string, nameEnd: number): { arguments: string[]; end: number } | undefined {
    const open = nameEnd + (matchAt(BLANKS, text, nameEnd)?.length ?? 0);
    return text[open] === '(' ? splitArguments(text, open) : undefined;
  }

  /** `` `\name``, where the sources define a macro of that name; with its backslash. */
  #escapedMacro(text: string, at: number): string | undefined {
    const name = matchAt(/\\\S+/y, text, at + 1);
    return name !== undefined && this.#macros.has(name.slice(1)) ? name : undefined;
  }

  #resolve(from: string, name: string, inBrackets: boolean): { path: string; text: string } | undefined {
    // The standard leaves the place of `<name>` to the tools, and those look beside the file as well.
    const given = this.#options.includeDirs ?? [];
    const directories = inBrackets ? [...given, dirname(from)] : [dirname(from), ...given];
    const candidates = isAbsolute(name) ? [name] : [...new Set(directories.map((directory) => join(directory, name)))];
    for (const path of candidates) {
      const text = this.#options.readFile?.(path);
      if (text !== undefined) return { path, text };
    }
    return undefined;
  }

  #usage(frame: Frame, at: number, nameEnd: number, written: string): number {
    const name = written.startsWith('\\') ? written.slice(1) : written;
    const macro = this.#macros.get(name);
    if (!macro) {
      const special = this.#predefined(frame, at, name);
      if (special !== undefined) return this.#replace(frame, { start: at, end: nameEnd }, name, special);
      this.#unknown.push({ name, file: frame.file, span: frame.usage ?? { start: at, end: nameEnd } });
      this.#out.copy(frame, at, nameEnd);
      return nameEnd;
    }
    if (!macro.parameters) return this.#replace(frame, { start: at, end: nameEnd }, name, substitute(macro, []) ?? macro.body);
    const list = this.#actuals(frame.text, nameEnd);
    const replacement = list && substitute(macro, list.arguments);
    const span = { start: at, end: list?.end ?? nameEnd };
    if (replacement === undefined) {
      this.#badUsage(frame, span, nameEnd, wrongUsage(name, macro.parameters.length, list?.arguments.length, /^\s*\(/.test(frame.text.slice(nameEnd))));
      this.#unknown.push({ name, file: frame.file, span: frame.usage ?? span });
      this.#out.copy(frame, at, span.end);
      return span.end;
    }
    return this.#replace(frame, span, name, replacement);
  }

  /** Behind a list that is not closed, other usages on its line are no mistakes of their own. */
  #badUsage(frame: Frame, span: Span, nameEnd: number, message: string): void {
    if (frame.usage === undefined && frame.file === this.#unclosed.file && span.start < this.#unclosed.lineEnd) return;
    this.#out.problem(frame, 'bad-macro-usage', span, message);
    const lineEnd = frame.text.indexOf('\n', nameEnd);
    if (frame.usage === undefined && span.end === nameEnd) this.#unclosed = { file: frame.file, lineEnd: lineEnd < 0 ? frame.text.length : lineEnd };
  }

  #predefined(frame: Frame, at: number, name: string): string | undefined {
    if (name === '__FILE__') return JSON.stringify(frame.file);
    if (name === '__LINE__') return String((frame.text.slice(0, at).match(/\n/g)?.length ?? 0) + 1);
    return undefined;
  }

  /** Reads a macro's replacement in place of its usage; returns the end of the usage. */
  #replace(frame: Frame, span: Span, name: string, replacement: string): number {
    if (this.#expanded.length >= MAX_EXPANSIONS) {
      this.#out.tooLarge(frame, span, `beyond ${grouped(MAX_EXPANSIONS)} macro usages`);
      return span.end;
    }
    this.#expanded.push({ name, file: frame.file, span: frame.usage ?? span });
    this.#out.addToBlanked(frame, frame.text.slice(span.start, span.end));
    if ((frame.macroNames.includes(name) && this.#callsItself(name)) || frame.depth >= MAX_DEPTH) {
      this.#out.problem(frame, 'recursive-macro', span, `The macro '${name}' expands to itself.`);
      return span.end;
    }
    const usage = frame.usage ?? span;
    const macroNames = [...frame.macroNames, name];
    this.#read({ file: frame.file, text: replacement, usage, root: frame.root ?? usage, depth: frame.depth + 1, macroNames, branches: [] });
    return span.end;
  }

  /** The text of a macro leads back to it. Its own name in its arguments, as in `` `MAX(a, `MAX(b, c))``, does not. */
  #callsItself(name: string): boolean {
    const seen = new Set<string>();
    const queue = [name];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      for (const called of mentionedMacros(this.#macros.get(next))) {
        if (called === name) return true;
        if (!seen.has(called)) queue.push(called);
        seen.add(called);
      }
    }
    return false;
  }
}

/** What is wrong with a usage that gives `given` arguments, or none that could be read. */
function wrongUsage(name: string, wanted: number, given: number | undefined, isOpened: boolean): string {
  const count = wanted === 1 ? '1 argument' : `${wanted} arguments`;
  if (given === undefined) return isOpened ? `The '(' behind '\`${name}' is not closed; add a ')'.` : `'\`${name}' takes ${count} in parentheses.`;
  return given > wanted ? `'\`${name}' takes ${count}, and ${given} are given.` : `'\`${name}' takes ${count}; one without a default is missing.`;
}
