import { methods } from '../../../server/src/protocol.ts';
import type { CommandContext } from './context.ts';

/** Shows which tools, versions and settings the product sees. */
export async function doctor({ client, reports }: CommandContext): Promise<void> {
  const { title, text } = await client.request(methods.doctor, {});
  await reports.show(title, text ?? '');
}
