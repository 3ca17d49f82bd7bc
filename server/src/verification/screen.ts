import path from 'node:path';
import type { LoadedDesign, OutsideUse, SourceProblem } from '../analysis/design.ts';
import { outsideMatches } from '../analysis/outside.ts';
import type { SystemTaskCall } from '../tools/vvp-calls.ts';

/** System tasks and functions that stay inside the simulation. What is not listed does not run. */
const HARMLESS = new RegExp(
  `^\\$(?:${[
    '(?:display|write|monitor|strobe)[bho]?|monitoro(?:n|ff)|timeformat|printtimescale|info|warning|error|fatal|finish|stop|sformatf?|swrite[bho]?|sscanf|psprintf',
    'time|stime|realtime|simtime|random|urandom|urandom_range|dist_\\w+|(?:test|value)\\$plusargs',
    'clog2|ln|log10|exp|sqrt|pow|floor|ceil|a?(?:sin|cos|tan)h?|atan2|hypot|abs|min|max|itor|rtoi|(?:short)?realtobits|bitsto(?:short)?real|signed|unsigned',
    'bits|size|left|right|low|high|increment|dimensions|unpacked_dimensions|countones|countbits|onehot0?|isunknown|typename|cast|countdrivers|q_\\w+|ivl_\\w+(?:\\$\\w+)?',
    // The simulator is run with its dump files off where a design calls these.
    'dump(?:file|vars|on|off|all|flush|limit)',
  ].join('|')})$`,
);
const MEMORY_IMAGE = /^\$readmem[bh]$/;

/** Whether a system task or function stays inside the simulation. */
export function isHarmless(name: string): boolean {
  return HARMLESS.test(name);
}

/** Whether a system task reads a memory image. */
export function isMemoryImage(name: string): boolean {
  return MEMORY_IMAGE.test(name);
}

/** Why a call of a system task is not run, in one full sentence; undefined when it may run. */
export function taskRefusal(name: string): string | undefined {
  if (isHarmless(name) || isMemoryImage(name)) return undefined;
  return `'${name}' reaches outside the simulation, so this module is not run; remove the call or put it under an \`ifdef that is off here.`;
}

/** Why a memory image is not read; an undefined path is one that is only known while the simulation runs. */
export function imageRefusal(image: string | undefined): string | undefined {
  if (image !== undefined && image !== '' && !/^([A-Za-z]:|[\\/~])/.test(image) && !image.split(/[\\/]/).includes('..')) return undefined;
  return 'A memory image must be named by a constant relative path that stays in the folder of its source, so this module is not run.';
}

/** Tasks that are known to reach outside; others that are not harmless may be of the design's own making, or a mistake. */
const OUTSIDE =
  /^\$(?:system|f(?:open|close|flush|display|write|strobe|monitor|read|getc|gets|scanf|seek|error|eof|tell)\w?|ungetc|rewind|dumpports\w*|writemem[bh]|sdf_annotate|s?readmem[bh]|import|export|save|restart|incsave|reset|input|log|nolog|key|nokey|list|ivlh_\w+|table_model\w*)$/;

/** `strict`: a memory image must be named by a literal; else what is no literal is left to the compiler, which knows parameters. */
interface Strictness {
  readonly strict: boolean;
}

function refusalOf({ kind, name, text }: Pick<OutsideUse, 'kind' | 'name' | 'text'>, { strict }: Strictness): string | undefined {
  if (kind === 'import') return `'${name}' runs a program that is no part of the design, so this module is not run; remove the import (DPI) or put it under an \`ifdef that is off here.`;
  if (MEMORY_IMAGE.test(name)) return text === undefined && !strict ? undefined : imageRefusal(text);
  // A name that no tool knows is the compiler's to refuse.
  return OUTSIDE.test(name) ? taskRefusal(name) : undefined;
}

/** What the text of a design reaches for outside the simulation, as this analysis sees it, before any tool reads it. */
export function screenDesign({ outside }: Pick<LoadedDesign, 'outside'>, options: Strictness): SourceProblem[] {
  return outside.flatMap((use): SourceProblem[] => {
    const message = refusalOf(use, options);
    return message === undefined ? [] : [{ file: use.file, line: use.line, character: use.character, message }];
  });
}

/** The same for a text by itself, whose macros are not expanded, with offsets. */
export function forbiddenConstructs(text: string): { readonly offset: number; readonly message: string }[] {
  return outsideMatches(text).flatMap((match) => {
    const message = refusalOf(match, { strict: true });
    return message === undefined ? [] : [{ offset: match.offset, message }];
  });
}

export interface ScreenedRun {
  readonly problems: readonly SourceProblem[];
  /** Memory images that the simulation reads: from this absolute path, under this name in its directory. */
  readonly images: readonly { readonly from: string; readonly to: string }[];
  /** Some dump task is called. */
  readonly dumps: boolean;
}

/** Looks through what a compiled simulation is going to call. `fileOf` leads from the compiler's file names to the user's. */
export function screenCalls(calls: readonly SystemTaskCall[], main: string, fileOf: (name: string) => string | undefined): ScreenedRun {
  const problems: SourceProblem[] = [];
  const images = new Map<string, string>();
  for (const { name, text, file, line } of calls) {
    const source = fileOf(file);
    const isImage = MEMORY_IMAGE.test(name);
    const message = isImage ? imageRefusal(text) : taskRefusal(name);
    if (message !== undefined) problems.push({ file: source ?? main, line: source === undefined ? undefined : line - 1, character: undefined, message });
    else if (isImage && text !== undefined) images.set(text, path.join(path.dirname(source ?? main), text));
  }
  return { problems, images: Array.from(images, ([to, from]) => ({ from, to })), dumps: calls.some(({ name }) => name.startsWith('$dump')) };
}
