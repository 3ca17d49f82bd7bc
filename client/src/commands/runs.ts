import type { CommandContext } from './context.ts';

export async function stopGeneration({ runs }: CommandContext): Promise<void> {
  runs.stop();
  return Promise.resolve();
}

export async function answerNow({ runs }: CommandContext): Promise<void> {
  await runs.answerNow();
}

export async function showReasoning({ reasoning }: CommandContext): Promise<void> {
  await reasoning.reveal(true);
}
