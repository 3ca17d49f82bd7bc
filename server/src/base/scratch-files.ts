import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Files of temporary folders, which this process shares with its tools alone. Most of them are small, and to have another thread write one of those takes this
 * thread longer than to write it; only large ones are handed on.
 */
const LARGE_BYTES = 2 ** 18;

/** Makes a folder, and those above it that are missing. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
}

/** Rejects as `writeFile` of Node does. */
export async function writeScratch(file: string, content: string | Uint8Array): Promise<void> {
  if (content.length > LARGE_BYTES) await writeFile(file, content);
  else writeFileSync(file, content);
}

/** Rejects as `readFile` of Node does. */
export async function readScratch(file: string): Promise<Buffer> {
  return statSync(file).size > LARGE_BYTES ? readFile(file) : readFileSync(file);
}

/** What a tool may have left: nothing where it is not there. */
export function readLeft(file: string): Promise<Buffer> {
  return readScratch(file).catch(() => Buffer.alloc(0));
}

/** Copies a file into a folder that is made for it. */
export function copyInto(from: string, to: string): void {
  makeFolder(path.dirname(to));
  copyFileSync(from, to);
}
