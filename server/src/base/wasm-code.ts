import { setFlagsFromString } from 'node:v8';

/**
 * WebAssembly keeps the code that it is given for its first call; to be called before any is loaded, by programs that end soon. V8 takes the lexer of the grammar, one
 * enormous function, for hot after a few hundred lines; to optimise it costs two seconds of CPU and saves a third of the time of later parsing. Electron does not
 * promise that its flags can be changed.
 */
export function keepFirstCode(): void {
  if (process.versions['electron'] !== undefined) return;
  for (const flag of ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up']) setFlagsFromString(flag);
}
