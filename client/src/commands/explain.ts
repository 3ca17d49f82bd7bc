import { methods } from '../../../server/src/protocol.ts';
import type { ExplainAnswer } from '../../../server/src/protocol.ts';
import { tellWithStartCommand, withReasoning } from '../generation/propose.ts';
import type { RunEnd } from '../generation/runs.ts';
import { targetModule } from './context.ts';
import type { CommandContext } from './context.ts';

/** Lets the model explain a module, and shows what it says beside the source. */
export async function explain(context: CommandContext, argument?: unknown): Promise<void> {
  const target = await targetModule(context, argument);
  if (!target) return;
  const answer = await withReasoning(context, () =>
    context.runs.start(`Explanation of ${target.module}`, (run, token) => context.client.request(methods.explain, { run, ...target }, token), endOf),
  );
  if (answer?.kind === 'failed') void tellWithStartCommand(answer.reason, answer.startCommand);
  if (answer?.kind === 'explained') await context.reports.show(answer.title, answer.text);
}

function endOf(answer: ExplainAnswer): RunEnd {
  if (answer.kind === 'explained') return { phase: 'done' };
  return answer.kind === 'failed' ? { phase: 'failed', note: answer.reason } : { phase: 'stopped' };
}
