import { clientNotifications } from '../../../server/src/protocol.ts';
import { toggleSuggestionsSetting } from '../settings.ts';
import type { CommandContext } from './context.ts';

export async function toggleSuggestions(): Promise<void> {
  await toggleSuggestionsSetting();
}

export async function setApiKey({ apiKey }: CommandContext): Promise<void> {
  await apiKey.ask();
}

/** Looks for a model server at once, without waiting for the next need of one. */
export async function findModel({ client }: CommandContext): Promise<void> {
  await client.notify(clientNotifications.findModels, {});
}
