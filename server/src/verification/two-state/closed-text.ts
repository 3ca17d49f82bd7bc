import path from 'node:path';
import type { LoadedDesign, SourceProblem } from '../../analysis/design.ts';
import { LineIndex } from '../../base/text.ts';
import { preprocess } from '../../syntax/preprocess.ts';
import type { Preprocessed } from '../../syntax/preprocessed.ts';
import { actingAssertions } from '../assertions.ts';
import { imageRefusal, isHarmless, isMemoryImage, taskRefusal, type ScreenedRun } from '../screen.ts';
import { codeOnly } from '../source-scan.ts';
import { threeStateUse } from './three-state.ts';

/**
 * The texts of a design as a compiler is given them that turns them into a native program. Nothing in them is left for that compiler
 * to resolve: macros are expanded, includes spliced in, comments blanked. So what is looked through here is what it reads, and it
 * reads no order to itself, which it would take from comments and from directives of its own, and no code of another language.
 */
export interface ClosedText {
  /** Name inside the compiler's directory. */
  readonly name: string;
  readonly text: string;
  /** The place in the user's file of a place in the text: one-based line and column in, zero-based out. */
  readonly locate: (line: number, column: number | undefined) => Pick<SourceProblem, 'file' | 'line' | 'character'>;
}

export type ClosedDesign =
  | { readonly kind: 'closed'; readonly texts: readonly ClosedText[]; readonly images: ScreenedRun['images'] }
  /** It reaches outside of the simulation. */
  | { readonly kind: 'forbidden'; readonly problems: readonly SourceProblem[] }
  /** It cannot be given to such a compiler, or its answer would not be the design's. */
  | { readonly kind: 'unsuited'; readonly problems: readonly SourceProblem[] };

/** Directives that the compiler still has to know of. */
const KEPT: ReadonlySet<string> = new Set(['timescale', 'default_nettype', 'resetall', 'begin_keywords', 'end_keywords', 'unconnected_drive', 'nounconnected_drive']);

/** A kept directive with its argument. */
const DIRECTIVE = /`(?:timescale[ \t]+[0-9 \t]+[munpf]?s[ \t]*\/[ \t]*[0-9 \t]+[munpf]?s|default_nettype[ \t]+\w+|begin_keywords[ \t]*"[\w.-]*"|unconnected_drive[ \t]+pull[01]|(?:resetall|end_keywords|nounconnected_drive)\b)/y;

/** What only assertions call, and scopes that are written like calls. */
const PASSIVE = /^\$(?:past|rose|fell|stable|changed|sampled|assert\w+|unit|root|global_clock)$/;

export function closeDesign(design: LoadedDesign): ClosedDesign {
  const texts: ClosedText[] = [];
  const problems: SourceProblem[] = [];
  const unsuited: SourceProblem[] = [];
  const images = new Map<string, string>();
  const known = new Map([...design.includes, ...design.sources].map(({ file, text }) => [file, text]));
  for (const [file, text] of known) {
    for (const { 0: directive, index } of withoutComments(text).replace(STRING, (piece) => ' '.repeat(piece.length)).matchAll(/`systemc_\w+/g)) {
      unsuited.push({ ...positionIn(known, file, index), message: `${directive} begins text of another language, which is no part of a simulation.` });
    }
  }
  let macros: Preprocessed['macros'] | undefined;
  for (const [index, source] of design.sources.entries()) {
    const { defines, includeDirs } = design.input;
    const read = preprocess(source.file, source.text, { defines, includeDirs, macros, kept: KEPT, readFile: (file) => known.get(file) });
    macros = read.macros;
    const place = placesOf(read, known);
    const code = withoutComments(read.text);
    for (const { offset, message } of reachesOut(code)) problems.push({ ...place(offset), message });
    for (const problem of read.problems) unsuited.push({ ...positionIn(known, problem.file, problem.span.start), message: problem.message });
    for (const { offset, message } of leftOpen(code)) unsuited.push({ ...place(offset), message });
    for (const { offset } of actingAssertions(codeOnly(code))) {
      unsuited.push({ ...place(offset), message: 'This assertion may do more than check and print, and Verilator is run without assertions.' });
    }
    const use = threeStateUse(code);
    if (use !== undefined) unsuited.push({ ...place(use.offset), message: use.message });
    for (const match of code.matchAll(/\$readmem[bh]\s*\(\s*"([^"\\\n]*)"/g)) {
      const file = place(match.index).file;
      const name = match[1] ?? '';
      images.set(name, path.join(path.dirname(file), name));
    }
    const lines = new LineIndex(code);
    texts.push({
      name: `source-${String(index)}${path.extname(source.file) === '.sv' ? '.sv' : '.v'}`,
      text: code.replace(STRING, harmlessString),
      locate: (line, column) => place(lines.offset({ line: line - 1, character: Math.max(0, (column ?? 1) - 1) })),
    });
  }
  if (problems.length > 0) return { kind: 'forbidden', problems };
  if (unsuited.length > 0) return { kind: 'unsuited', problems: unsuited };
  return { kind: 'closed', texts, images: Array.from(images, ([to, from]) => ({ from, to })) };
}

/** Whether a text that is not the design's own, such as a harness with the user's parameter values in it, is closed as well. */
export function isClosed(text: string): boolean {
  const code = withoutComments(text);
  return code === text && reachesOut(code).length === 0 && leftOpen(code).length === 0;
}

/** As Verilator reads them, which is not as `syntax/pieces.ts` does: a string between three quotes is two more to it, and what it would see in one must be seen here. */
export const STRING = /"(?:[^"\\\n]|\\[\s\S])*"|\\[^\s"]+/g;
const COMMENT_OR_STRING = /"(?:[^"\\\n]|\\[\s\S])*"|\\[^\s"]+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Blanks comments at equal length. */
function withoutComments(text: string): string {
  return text.replace(COMMENT_OR_STRING, (piece) => (piece.startsWith('/') ? piece.replace(/[^\r\n]/g, ' ') : piece));
}

/** Writes characters that begin something outside of strings as octal codes, so that a string cannot be mistaken for it. */
function harmlessString(piece: string): string {
  return piece.startsWith('"') ? piece.replace(/[$`/]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`) : piece;
}

interface Found {
  readonly offset: number;
  readonly message: string;
}

/** Calls and imports that leave the simulation. */
function reachesOut(code: string): Found[] {
  const text = code.replace(STRING, (piece) => (piece.startsWith('"') ? `"${' '.repeat(piece.length - 2)}"` : ' '.repeat(piece.length)));
  const found: Found[] = [];
  for (const { 0: name, index: offset } of text.matchAll(/(?<![\w$])\$[A-Za-z_][\w$]*|\b(?:import|export)\s*"/g)) {
    if (!name.startsWith('$')) {
      found.push({ offset, message: 'A function of another language is no part of the design, so this module is not run; remove the import (DPI) or put it under an `ifdef that is off here.' });
    } else if (isMemoryImage(name)) {
      const image = /^\s*\(\s*"([^"\\\n]*)"/.exec(code.slice(offset + name.length))?.[1];
      const message = imageRefusal(image);
      if (message !== undefined) found.push({ offset, message });
    } else if (!isHarmless(name) && !PASSIVE.test(name)) found.push({ offset, message: taskRefusal(name) ?? '' });
  }
  return found;
}

/** What the compiler would have to resolve by itself: an undefined macro, a name or a string in which it might see a comment. */
function leftOpen(code: string): Found[] {
  const found: Found[] = [];
  const text = code.replace(STRING, (piece, offset: number) => {
    const odd = piece.startsWith('"') ? /[\r\n]/.test(piece) : /[`\\/$]/.test(piece.slice(1));
    if (odd) found.push({ offset, message: `${piece.startsWith('"') ? 'A string that goes over several lines' : `The name ${piece}`} cannot be given to Verilator.` });
    return piece.startsWith('"') ? `"${'.'.repeat(piece.length - 2)}"` : piece;
  });
  for (const { index: offset } of text.matchAll(/`|\/\/|\/\*/g)) {
    if (text[offset] === '`') {
      DIRECTIVE.lastIndex = offset;
      // The argument of a directive may be a string, which was blanked in the text.
      if (DIRECTIVE.test(code)) continue;
    }
    const word = /^`?\w*/.exec(text.slice(offset))?.[0] ?? '';
    found.push({ offset, message: `${word} is no macro that is defined here, nor a directive that can be given to Verilator.` });
  }
  for (const { index: offset } of text.matchAll(/[^\t\n\f\r\x20-\x7e]/g)) found.push({ offset, message: 'A character here is no part of the language outside of comments and strings.' });
  for (const { index: offset } of text.matchAll(/\\\S*"/g)) found.push({ offset, message: 'A name with a quote in it cannot be given to Verilator.' });
  const open = text.replace(STRING, (piece) => ' '.repeat(piece.length)).indexOf('"');
  if (open >= 0) found.push({ offset: open, message: 'This string does not end.' });
  return found;
}

type Placer = (offset: number) => Pick<SourceProblem, 'file' | 'line' | 'character'>;

function placesOf(read: Preprocessed, texts: ReadonlyMap<string, string>): Placer {
  return (offset) => {
    const { file, span } = read.map.locate(offset);
    return positionIn(texts, file, span.start);
  };
}

function positionIn(texts: ReadonlyMap<string, string>, file: string, offset: number): ReturnType<Placer> {
  return { file, ...new LineIndex(texts.get(file) ?? '').position(offset) };
}
