/** Verifies the pairs that its parent sends, one after the other, in a process of its own; ends when its parent does. */
import { loadDesign } from '../../analysis/load.ts';
import { exitOnSignals } from '../../base/exit.ts';
import { diskFiles } from '../../base/files.ts';
import { keepFirstCode } from '../../base/wasm-code.ts';
import { Parser } from '../../syntax/parser.ts';
import { createToolbox } from '../../tools/toolbox.ts';
import { GoldenCache } from '../golden-cache.ts';
import type { VerifyEnv } from '../session.ts';
import { verifySets } from '../sweep.ts';
import { verify } from '../verify.ts';
import type { VerifyTask, WorkerAnswer } from './worker.ts';

exitOnSignals();
keepFirstCode();
process.once('disconnect', () => process.exit(0));

async function environment(): Promise<VerifyEnv> {
  const parser = await Parser.create();
  return { load: (input) => loadDesign(input, { parser, files: diskFiles }), toolbox: createToolbox({ iverilog: '', yosys: '' }), parser, cache: new GoldenCache() };
}

const env = environment();

async function answer({ request, sets }: VerifyTask): Promise<WorkerAnswer> {
  try {
    const surroundings = await env;
    return { kind: 'verified', result: await verifySets(request, sets, (one) => verify(one, surroundings, {})) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (task: VerifyTask) => void answer(task).then((message) => process.send?.(message)));
