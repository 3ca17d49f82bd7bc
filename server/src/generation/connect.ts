import type { Settings } from '../config.ts';
import { contextTokens, parallelSlots } from '../model/discover.ts';
import { locateModel, type Located, type LocateOptions } from '../model/locate.ts';
import type { ModelChoice } from './contract.ts';

export type Connection = { readonly kind: 'connected'; readonly model: ModelChoice } | (Located & { readonly kind: 'none' });

/** Finds the server and the model that the settings mean for writing modules, and what the server can do. A server that still loads its model is connected: a run waits for it. */
export async function connectModel(settings: Settings, options: LocateOptions): Promise<Connection> {
  const located = await locateModel('write', settings, options);
  if (located.kind === 'none') return located;
  const { server } = located;
  const name = located.kind === 'found' ? located.model : settings['model.name'];
  const [tokens, slots] = located.kind === 'found' ? await Promise.all([contextTokens(server, name, options.signal), parallelSlots(server, options.signal)]) : [undefined, 1];
  return {
    kind: 'connected',
    model: {
      server,
      name,
      contextTokens: tokens,
      slots,
      maxTokens: settings['model.maxTokens'],
      temperature: settings['model.temperature'],
      topP: settings['model.topP'],
      seed: undefined,
    },
  };
}
