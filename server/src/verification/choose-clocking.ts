import type { Clock, Clocking, ElaboratedModule, Reset } from '../analysis/module.ts';
import type { SizedPort } from './stimulus/layout.ts';
import type { Finding } from './report.ts';
import type { VerifyOptions } from './verdict.ts';

/**
 * The clocking that the stimulus follows: the golden's clocks and resets, with those that only the DUT has beside them, unless the
 * user names them. A name that is no input of the design is the user's mistake and is reported.
 */
export function chooseClocking(
  golden: ElaboratedModule,
  dut: ElaboratedModule,
  ports: readonly SizedPort[],
  options: Pick<VerifyOptions, 'clocks' | 'resets'>,
): Clocking | Finding {
  const inputs = new Set(ports.filter((port) => port.direction === 'input').map((port) => port.name));
  const unknown = [...options.clocks, ...options.resets.map((reset) => reset.port)].find((port) => !inputs.has(port));
  if (unknown !== undefined) {
    return { verdict: 'bad-input', reason: `'${unknown}' is named as a clock or reset but is no input of '${golden.name}'; its inputs are ${[...inputs].join(', ')}.` };
  }
  const detectedClocks = merge(golden.clocking.clocks, dut.clocking.clocks).filter(({ port }) => inputs.has(port));
  const clocks = options.clocks.length === 0 ? detectedClocks : options.clocks.flatMap((port) => namedClock(port, detectedClocks));
  const clockPorts = new Set(clocks.map(({ port }) => port));
  const detectedResets = merge(golden.clocking.resets, dut.clocking.resets).filter(({ port }) => inputs.has(port) && !clockPorts.has(port));
  const resets =
    options.resets.length === 0
      ? detectedResets
      : options.resets.map(({ port, active }): Reset => {
          const detected = detectedResets.find((reset) => reset.port === port);
          return { port, bit: detected?.bit, active: active ?? detected?.active ?? 'high', kind: detected?.kind ?? 'sync' };
        });
  return { ...mergeClocking(golden.clocking, dut.clocking), clocks, resets };
}

/** The clocking of two modules with the same ports: the first one's clocks and resets, then those that only the second has. */
export function mergeClocking(first: Clocking, second: Clocking): Clocking {
  const clocks = merge(first.clocks, second.clocks);
  const clockPorts = new Set(clocks.map(({ port }) => port));
  return {
    clocks,
    resets: merge(first.resets, second.resets).filter(({ port }) => !clockPorts.has(port)),
    sequential: first.sequential || second.sequential,
    latches: first.latches || second.latches,
    gated: first.gated || second.gated,
    complete: first.complete && second.complete,
  };
}

function merge<T extends Clock | Reset>(first: readonly T[], second: readonly T[]): T[] {
  const key = (item: T): string => `${item.port} ${String(item.bit ?? '')}`;
  const known = new Set(first.map(key));
  return [...first, ...second.filter((item) => !known.has(key(item)))];
}

function namedClock(port: string, detected: readonly Clock[]): Clock[] {
  const found = detected.filter((clock) => clock.port === port);
  return found.length > 0 ? found : [{ port, bit: undefined, edges: ['posedge'] }];
}
