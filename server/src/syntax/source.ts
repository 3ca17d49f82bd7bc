import type { FileReader } from '../base/files.ts';
import { preprocess } from './preprocess.ts';
import type { Preprocessed, PreprocessOptions } from './preprocessed.ts';

const MAX_ROUNDS = 64;

/** Texts of files that were asked for, by absolute path; undefined marks a file that is not there. */
export type TextCache = Map<string, string | undefined>;

/** Preprocesses a file and reads what it includes. `cache` may be shared between calls, so that headers are read once. */
export async function preprocessFile(
  file: string,
  text: string,
  options: Omit<PreprocessOptions, 'readFile'>,
  files: Pick<FileReader, 'read'>,
  cache: TextCache = new Map(),
): Promise<Preprocessed> {
  for (let round = 0; ; round++) {
    const wanted = new Set<string>();
    const readFile = (path: string): string | undefined => {
      if (!cache.has(path)) wanted.add(path);
      return cache.get(path);
    };
    const result = preprocess(file, text, { ...options, readFile });
    // Only a file that no longer asks for anything new is complete: a header may include others.
    if (wanted.size === 0 || round >= MAX_ROUNDS) return result;
    await Promise.all([...wanted].map(async (path) => cache.set(path, await files.read(path))));
  }
}
