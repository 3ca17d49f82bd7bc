import type { CommandContext } from './context.ts';

export async function showLog({ client }: CommandContext): Promise<void> {
  client.log.show();
  return Promise.resolve();
}
