import { diskFiles } from '../../base/files.ts';
import { TimeBudget } from '../time-budget.ts';
import { sourceReason } from './belief.ts';
import { elaborate, sideWord } from './elaborate.ts';
import { firstDoubt } from './own-clocks.ts';
import { proveNetlists } from './prove-netlists.ts';
import { unsupportedInterface, type ProofRequest, type Sides } from './request.ts';
import { stopped, unsupported, type ProofResult } from './result.ts';
import { collectSide, type SideFiles } from './script.ts';

/**
 * Tries to prove that the DUT answers as the golden does, or to find a shortest input sequence that tells them apart. Where the
 * golden is unknown anything goes, bit by bit; an unknown DUT where the golden is known is a difference.
 */
export async function prove(request: ProofRequest): Promise<ProofResult> {
  const refusal = unsupportedInterface(request);
  if (refusal !== undefined) return unsupported(undefined, refusal);
  const files = request.files ?? diskFiles;
  const sides: Sides<SideFiles> = {
    golden: await collectSide('golden', request.golden, files),
    dut: await collectSide('dut', request.dut, files),
  };
  const unread = firstDoubt((side) => (sides[side].portArrays === 'unread' ? `The ${sideWord[side]} declares or connects a port that is an unpacked array in a way that the prover cannot read.` : undefined));
  if (unread !== undefined) return unsupported(unread.side, unread.reason);
  const budget = new TimeBudget(request.timeoutMs, request.signal, request.wallMs);
  const parameters = { golden: request.golden.parameters, dut: request.dut.parameters };
  const elaborated = await elaborate({ yosys: request.yosys, sides, parameters, budget });
  if (elaborated.kind === 'stopped') return stopped(elaborated.failure);
  if (elaborated.kind === 'unreadable') return unsupported(elaborated.side, elaborated.reason, elaborated.problems);
  const { netlists } = elaborated;
  const doubt = firstDoubt((side) => sourceReason(side, sides[side], netlists[side])) ?? elaborated.doubt;
  return proveNetlists({ request, sides, netlists, files: elaborated.files, budget, soft: doubt });
}
