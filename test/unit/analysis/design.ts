import assert from 'node:assert/strict';
import type { DesignInput, LoadedDesign, LoadResult } from '../../../server/src/analysis/design.ts';
import { loadDesign } from '../../../server/src/analysis/load.ts';
import { memoryFiles } from '../../../server/src/base/files.ts';
import { Parser } from '../../../server/src/syntax/parser.ts';

const parser = await Parser.create();

/** Loads a design from texts held in memory: names are those of files in `/d`. */
export function loadFrom(files: Readonly<Record<string, string>>, input: Partial<DesignInput> = {}): Promise<LoadResult> {
  const texts = new Map(Object.entries(files).map(([name, text]) => [name.startsWith('/') ? name : `/d/${name}`, text]));
  return loadDesign({ file: '/d/top.sv', ...input }, { parser, files: memoryFiles(texts) });
}

export async function loaded(source: string | Readonly<Record<string, string>>, input: Partial<DesignInput> = {}): Promise<LoadedDesign> {
  const result = await loadFrom(typeof source === 'string' ? { 'top.sv': source } : source, input);
  assert(result.kind === 'loaded', result.kind === 'rejected' ? result.reason : '');
  return result.design;
}
