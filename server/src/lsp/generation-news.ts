import type { GenerationEvent as PipelineEvent } from '../generation/contract.ts';
import type { GenerateResult } from '../generation/generate.ts';
import type { GenerationEvent, Proposal } from '../protocol.ts';
import { count } from '../verification/value-text.ts';

/** What the client is told of an event; undefined for what only matters here. */
export function newsOf(event: PipelineEvent): GenerationEvent | undefined {
  switch (event.kind) {
    case 'prompt':
      return undefined;
    case 'candidate':
      return { kind: 'candidate', turn: event.candidate.turn, confidence: event.candidate.confidence };
    default:
      return event;
  }
}

/** The module of a table with what is known of it; undefined when there is none. */
export function tableProposal({ module, code, table, outcome, reason, notes, verification }: GenerateResult): Proposal | undefined {
  if (module === undefined || code === undefined || table === undefined) return undefined;
  return { module, code, confidence: tableConfidence(table.form, outcome, verification), notes: [reason, ...notes] };
}

function tableConfidence(form: string, outcome: GenerateResult['outcome'], verification: GenerateResult['verification']): string {
  if (outcome !== 'verified' || verification === undefined) return `built from its ${form}, not verified`;
  const { verdict, evidence } = verification;
  if (verdict === 'equivalent') return `proved equal to its ${form}`;
  if (evidence === undefined) return `no difference from its ${form} found`;
  return evidence.exhaustive ? `no difference from its ${form} for any input combination` : `no difference from its ${form} in ${count(evidence.comparisons, 'comparison')}`;
}
