/** What may be asked of a prover. */
import type { Port } from '../../analysis/module.ts';
import type { FileReader } from '../../base/files.ts';
import type { Yosys } from '../../tools/yosys.ts';
import type { PairOfNetlists } from './graph.ts';
import type { Recorded } from './model.ts';
import type { Counterexample } from './result.ts';
import type { SideName, SideSources } from './script.ts';
import type { Beginning } from './time.ts';

export type Sides<T> = Readonly<Record<SideName, T>>;

export interface ProofSide extends SideSources {
  /** Overridden header parameters: name to a Verilog constant. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ProofRequest {
  readonly dut: ProofSide;
  readonly golden: ProofSide;
  /** Ports that both sides have with the same name, direction and width. */
  readonly ports: readonly Pick<Port, 'name' | 'direction'>[];
  /** Most steps to unroll; a step is one change of any inputs, so a clock cycle takes two. */
  readonly maxSteps?: number | undefined;
  /** CPU time of the whole, about; see `TimeBudget`. */
  readonly timeoutMs: number;
  /** Limit by the wall clock; `TimeBudget` has one unless given. */
  readonly wallMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Reads both sides. */
  readonly yosys: Yosys;
  /** Searches the graph of the pair, for which it need not read them; the same unless given. */
  readonly searcher?: Yosys | undefined;
  /** Look only for a near difference, with an effort that does not depend on the machine; it is to be replayed. */
  readonly near?: boolean | undefined;
  /** What a simulator did with both sides, with which a proof must agree; undefined where there is none. */
  readonly recorded?: Sides<Recorded> | undefined;
  /** Where included files come from; the disk unless given. */
  readonly files?: FileReader;
  /** Inputs, as `port[bit]`, that move apart from all others; those from which clocks come unless given. */
  readonly clocks?: ReadonlySet<string>;
  /** How sequences begin that begin with a reset; undefined where the modules have none. */
  readonly beginning?: Beginning | undefined;
  /** Only sequences that begin so are asked about. */
  readonly behindReset?: boolean;
  /** Whether a simulator shows a difference, which ends the search; undefined where no simulator runs. */
  readonly shows?: ((found: Counterexample) => Promise<boolean>) | undefined;
  /** Looks for a difference in another way, and says whether there is one; asked before the long part of a search that did not end soon. */
  readonly elsewhere?: (() => Promise<boolean>) | undefined;
  /** Told what both sides may be, where it can follow them so; a difference that comes of it is to be replayed. */
  readonly followed?: ((pair: PairOfNetlists) => void) | undefined;
}

const plainName = /^[A-Za-z_][\w$]*$/;

/** Why no proof is tried, as a sentence; undefined where one is. */
export function unsupportedInterface(request: ProofRequest): string | undefined {
  const inout = request.ports.find((port) => port.direction === 'inout');
  if (inout !== undefined) return `The port '${inout.name}' is bidirectional, which the prover cannot follow.`;
  if (!request.ports.some((port) => port.direction === 'output')) return 'There is no output to compare.';
  const names = [request.golden.top, request.dut.top, ...request.ports.map((port) => port.name)];
  const parameters = [...Object.entries(request.golden.parameters), ...Object.entries(request.dut.parameters)];
  const odd = [...names, ...parameters.map(([name]) => name)].find((name) => !plainName.test(name));
  if (odd !== undefined) return `The name '${odd}' is not a plain identifier, which the prover does not take.`;
  const value = parameters.find(([, text]) => !/^(?:-?\d+|\d*'s?[bodh][0-9a-f_]+)$/i.test(text));
  if (value !== undefined) return `The value of the parameter '${value[0]}' is not a plain constant, which the prover does not take.`;
  return undefined;
}
