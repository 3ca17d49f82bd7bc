import { pathToFileURL } from 'node:url';
import { ensureInstalled, npmInstall } from '../cached-install.ts';

const VERSION = '3.21.1';

/** The part of `node-llama-cpp` that the tests use. */
export interface LlamaLibrary {
  getLlama(options: { readonly gpu: false; readonly build: 'never'; readonly logLevel: 'error' }): Promise<Llama>;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>;
  dispose(): Promise<void>;
}

export type Token = number;

export interface LlamaModel {
  createContext(options: { readonly sequences: number; readonly contextSize: number; readonly threads: number }): Promise<LlamaContext>;
  tokenize(text: string): Token[];
  detokenize(tokens: readonly Token[], special: boolean): string;
}

export interface LlamaContext {
  readonly contextSize: number;
  getSequence(): LlamaSequence;
}

export interface LlamaSequence {
  evaluate(tokens: readonly Token[], options: { readonly temperature: number; readonly topP: number; readonly seed?: number }): AsyncGenerator<Token, void, void>;
  clearHistory(): Promise<void>;
}

/** Why there is no llama.cpp for the tests on this machine, or undefined. */
export const noLlama = process.platform === 'linux' && process.arch === 'x64' ? undefined : `the binary of llama.cpp is there for linux-x64 only, not for ${process.platform}-${process.arch}`;

/** Gives the path of the entry of `node-llama-cpp` with its prebuilt llama.cpp for the processor. */
export function ensureLlama(): Promise<string> {
  return ensureInstalled({
    title: 'llama.cpp',
    folder: `node-llama-cpp-${VERSION}`,
    entry: 'node_modules/node-llama-cpp/dist/index.js',
    install: (folder) => npmInstall(folder, ['-E', '--omit=optional', `node-llama-cpp@${VERSION}`, `@node-llama-cpp/linux-x64@${VERSION}`]),
  });
}

export async function loadLibrary(entry: string): Promise<LlamaLibrary> {
  return (await import(pathToFileURL(entry).href)) as LlamaLibrary;
}

if (import.meta.main) console.log(noLlama ?? (await ensureLlama()));
