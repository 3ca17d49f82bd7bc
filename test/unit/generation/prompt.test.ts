import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { makePrompt, namedModules } from '../../../server/src/generation/context.ts';
import type { KnownModule, Task } from '../../../server/src/generation/contract.ts';
import { ANSWER_START, answerNowMessages, explainMessages, firstMessages, hurryMessages, repairMessages } from '../../../server/src/generation/prompt.ts';
import type { Message } from '../../../server/src/model/client.ts';
import { loopbackEndpoint } from '../../../server/src/model/endpoint.ts';
import type { VerifyResult, WitnessStep } from '../../../server/src/verification/verdict.ts';
import { result } from '../cli/result.ts';

/** With UPDATE_PROMPTS=1 the files are written anew; read the difference before you commit it. */
const update = process.env['UPDATE_PROMPTS'] === '1';

/** Compares messages, as a person reads them, with the file of that name. */
function checkPrompt(name: string, messages: readonly Message[]): void {
  const file = path.join(import.meta.dirname, 'prompts', `${name}.txt`);
  const text = `${messages.map(({ role, content }) => `=== ${role} ===\n${content}`).join('\n\n')}\n`;
  if (update) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'));
}

const header = 'module counter #(parameter W = 4) (\n  input clk,\n  input rst_n, // active low\n  output reg [W-1:0] q\n);';
const code = `${header}\n  always @(posedge clk or negedge rst_n)\n    if (!rst_n) q <= 0;\n    else q <= q + 2;\nendmodule\n`;
const write: Task = { kind: 'write', description: '   Counts up by one at each clock edge.\n     Wraps.\n   Uses sync2 for the reset.\n', header };
const fifo: KnownModule = { name: 'sync2', file: '/p/sync2.v', header: 'module sync2 (input clk, input d, output q);' };

const step = (at: number, phase: WitnessStep['phase'], rst: string, expected: string, actual: string): WitnessStep => ({
  step: at,
  cycle: phase === 'clocked' ? at + 1 : at,
  phase,
  inputs: { rst_n: rst, clk: phase === 'clocked' ? '1' : '0' },
  expected: { q: expected },
  actual: { q: actual },
});
const different: VerifyResult = {
  ...result({ verdict: 'different' }),
  reason: "Output 'q' is 4'b0010 where 4'b0001 is expected, right after the clock edge of cycle 2.",
  mismatch: { output: 'q', cycle: 2, phase: 'clocked', expected: '0001', actual: '0010', inputs: { rst_n: '1', clk: '1' }, differing: ['q'], pattern: undefined, dut: undefined, golden: undefined },
  witness: [step(0, 'settled', '0', '0000', '0000'), step(0, 'clocked', '0', '0000', '0000'), step(1, 'settled', '1', '0000', '0000'), step(1, 'clocked', '1', '0001', '0010')],
};

describe('prompts, as they were agreed on', () => {
  test('a module with a header and an existing module', () => checkPrompt('write', firstMessages(write, [fifo])));
  test('a module from words alone', () => checkPrompt('write-free', firstMessages({ kind: 'write', description: 'A half adder.', header: undefined }, [])));
  test('a fix of findings', () => checkPrompt('fix', firstMessages({ kind: 'fix', code, findings: [{ message: "'q' counts by two.", line: 7 }, { message: 'No reset.', line: undefined }] }, [])));
  test('a repair against a reference', () => checkPrompt('repair', firstMessages({ kind: 'repair', code, verdict: different }, [])));
  test('a second round with a counterexample', () => checkPrompt('round-counterexample', repairMessages(firstMessages(write, []), code, { kind: 'counterexample', verdict: different })));
  test('a second round with diagnostics, the first three of them', () => {
    const findings = [3, 4, 5, 6].map((line) => ({ message: `Problem ${line}.`, line }));
    checkPrompt('round-findings', repairMessages(firstMessages(write, []), code, { kind: 'findings', findings }));
  });
  test('an answer at once, by continuing and by asking', () => {
    const messages = firstMessages({ kind: 'write', description: 'A half adder.', header: undefined }, []);
    checkPrompt('answer-now', answerNowMessages(messages, '\nThe sum is an exclusive or.', ANSWER_START));
    checkPrompt('answer-now-asked', hurryMessages(messages, 'The sum is an exclusive or.'));
  });
  test('an explanation', () => checkPrompt('explain', explainMessages(code, [fifo])));

  test('code with backticks stays inside of its fence', () => {
    const [, user] = firstMessages({ kind: 'fix', code: '// ``` a fence\nmodule m; endmodule', findings: [] }, []);
    assert.match(user?.content ?? '', /\n````verilog\n\/\/ ``` a fence\nmodule m; endmodule\n````\n/);
  });
});

describe('the context of a prompt', () => {
  const modules: readonly KnownModule[] = [fifo, ...Array.from({ length: 12 }, (_, at) => ({ name: `part${at}`, file: '/p/parts.v', header: `module part${at} (input a, output y);` }))];
  const lookup = (name: string): Promise<KnownModule | undefined> => Promise.resolve(modules.find((module) => module.name === name));
  const names = async (text: string, own?: string): Promise<string[]> => (await namedModules(text, lookup, own)).map(({ name }) => name);

  test('holds the modules that the words name, in their order, each once', async () => {
    assert.deepEqual(await names('Uses part3, then sync2 and part3 again; not part.'), ['part3', 'sync2']);
  });

  test('leaves out what the text itself defines, and has a bound', async () => {
    assert.deepEqual(await names('Like part1 and part2.', 'module part1 (input a);'), ['part2']);
    assert.equal((await names(modules.map(({ name }) => name).join(' '))).length, 8);
  });

  const model = { server: { endpoint: loopbackEndpoint(1) }, name: 'm', slots: 1, maxTokens: 1000, temperature: 0, topP: 1, seed: undefined };
  const prompt = (contextTokens: number | undefined, description = 'With part1 and part2.'): ReturnType<typeof makePrompt> =>
    makePrompt({ task: { kind: 'write', description, header: undefined }, lookup, model: { ...model, contextTokens } });

  test('leaves the room of the reply as it is, or what the context has', async () => {
    const free = await prompt(undefined);
    assert.ok(free.kind === 'prompt');
    assert.deepEqual([free.maxTokens, free.modules.length], [1000, 2]);
    const tight = await prompt(free.tokens + 600);
    assert.ok(tight.kind === 'prompt' && tight.maxTokens < 600 && tight.maxTokens > 256);
  });

  test('gives up modules before it gives up the reply, and says when nothing fits', async () => {
    const free = await prompt(undefined);
    assert.ok(free.kind === 'prompt');
    const cut = await prompt(Math.ceil(free.tokens * 1.4) + 250);
    assert.ok(cut.kind === 'prompt' && cut.modules.length < 2, cut.kind);
    const none = await prompt(100);
    assert.match(none.kind === 'too-long' ? none.reason : '', /leaves no room for a reply in the model's context of 100 tokens; shorten it/);
  });
});
