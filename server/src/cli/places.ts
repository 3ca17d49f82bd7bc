import path from 'node:path';
import type { SourceLocation } from '../analysis/module.ts';
import type { FileReader } from '../base/files.ts';
import { LineIndex } from '../base/text.ts';
import type { VerifyResult } from '../verification/verdict.ts';

/** Texts for places, as compilers print them: `file:line:column`, one-based. */
export interface Places {
  /** A path for people: relative to the working directory where it lies inside, else absolute. */
  path(file: string): string;
  location(location: SourceLocation): string;
}

export function shortPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative) ? file : relative;
}

/** `line` and `character` are zero-based, as in `SourceProblem`. */
export function placeText(file: string, line: number | undefined, character: number | undefined): string {
  if (line === undefined) return file;
  return character === undefined ? `${file}:${line + 1}` : `${file}:${line + 1}:${character + 1}`;
}

/** Reads the files that a result points into; a file that cannot be read gives places without lines. */
export async function placesOf(result: VerifyResult, cwd: string, files: FileReader): Promise<Places> {
  const locations = [result.mismatch, ...result.interfaceIssues].flatMap((item) => [item?.dut, item?.golden]);
  const indices = new Map<string, LineIndex>();
  for (const file of new Set(locations.flatMap((location) => (location === undefined ? [] : [location.file])))) {
    const text = await files.read(file);
    if (text !== undefined) indices.set(file, new LineIndex(text));
  }
  return {
    path: (file) => shortPath(file, cwd),
    location: ({ file, span }) => {
      const position = indices.get(file)?.position(span.start);
      return placeText(shortPath(file, cwd), position?.line, position?.character);
    },
  };
}
