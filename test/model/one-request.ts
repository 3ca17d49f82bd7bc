/** Started with the port of a model server: sends it one request, and another to a machine that does not exist, and prints what came of them. */
import { createModelClient } from '../../server/src/model/client.ts';
import { loopbackEndpoint, resolveEndpoint } from '../../server/src/model/endpoint.ts';

const request = { messages: [{ role: 'user' as const, content: 'Add two numbers.' }], maxTokens: 8 };
console.log((await createModelClient({ endpoint: loopbackEndpoint(Number(process.argv[2])) }, 'm').complete(request)).kind);

const remote = resolveEndpoint('http://model.invalid/v1', ['model.invalid']);
if (remote.kind === 'endpoint') {
  const outcome = await createModelClient({ endpoint: remote.endpoint }, 'm').complete(request);
  // Without the proxy the name would have been looked up here, which fails in another way.
  console.log(outcome.kind === 'server-error' && outcome.status === 502 ? 'unreachable through the proxy' : outcome.kind);
}
