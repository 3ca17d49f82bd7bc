/** Our own work on a suggestion at the cursor, in milliseconds: from the key press to the question beyond the pause, from the model's last word to the suggestion, and from the cache. */
import { silentLogger } from '../server/src/base/logger.ts';
import { createCore, type ParsedSource } from '../server/src/core.ts';
import { Completer, type CompletionEnv, type CompletionRequest } from '../server/src/generation/infill/completer.ts';
import type { InfillClient } from '../server/src/model/infill.ts';

const TURNS = 60;

const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
const context = { includeDirs: [], defines: {} };

function sourceOf(modules: number): string {
  const one = (at: number): string => `module m${at} (input clk, input [7:0] a, b, output reg [7:0] y);\n  wire [7:0] s = a + b;\n${'  // filler\n  wire w%;\n'.repeat(10).replaceAll('%', () => String(Math.random()).slice(2))}  always @(posedge clk)\n    y <= s;\nendmodule\n\n`;
  return Array.from({ length: modules }, (_, at) => one(at)).join('');
}

function quantile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(1);
}

async function measure(modules: number): Promise<void> {
  const text = sourceOf(modules);
  const middle = text.indexOf('  always', Math.floor(text.length / 2));
  const [asked, shown, cached]: [number[], number[], number[]] = [[], [], []];
  let [askedAt, saidAt] = [0, 0];
  const client: InfillClient = {
    infill: () => {
      askedAt = performance.now();
      saidAt = performance.now();
      return Promise.resolve({ kind: 'infilled', text: 'assign t = a ^ b;', cutOff: false, ms: 0 });
    },
  };
  const parsed: ParsedSource | undefined = core.parse({ file: '/m.v', text, context });
  const env: CompletionEnv = {
    client: () => Promise.resolve({ client, maxTokens: 128 }),
    context: () => [],
    errorsIn: (edited, deadlineMs) => {
      const tree = core.parse({ file: '/m.v', text: edited, context, previous: parsed, deadlineMs });
      tree?.delete();
      return tree?.problems.length;
    },
  };
  const completer = new Completer();
  for (let turn = 0; turn < TURNS; turn += 1) {
    const line = `  wire t${turn};\n  \n`;
    const request: CompletionRequest = { file: '/m.v', text: text.slice(0, middle) + line + text.slice(middle), offset: middle + line.length - 1, explicit: true };
    const started = performance.now();
    const outcome = await completer.complete(request, env);
    asked.push(askedAt - started);
    shown.push(performance.now() - saidAt);
    if (outcome.kind !== 'suggestion') throw new Error(`no suggestion: ${outcome.kind}`);
    const typed = { ...request, text: `${request.text.slice(0, request.offset)}assign${request.text.slice(request.offset)}`, offset: request.offset + 6 };
    const again = performance.now();
    const next = await completer.complete(typed, env);
    cached.push(performance.now() - again);
    if (next.kind !== 'suggestion' || !next.cached) throw new Error('the cache did not answer');
  }
  parsed?.delete();
  const row = (name: string, values: readonly number[]): string => `${name} ${quantile(values, 0.5)} / ${quantile(values, 0.95)}`;
  console.log(`${text.split('\n').length} lines, ms p50 / p95: ${[row('key press to question', asked), row('last word to suggestion', shown), row('from the cache', cached)].join('; ')}`);
}

for (const modules of [30, 400]) await measure(modules);
