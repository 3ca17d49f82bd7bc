import type { CommandContext } from './context.ts';

export async function restartServer({ client }: CommandContext): Promise<void> {
  await client.restart();
}
