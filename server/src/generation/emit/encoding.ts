import { isFreeName } from '../../syntax/reserved-words.ts';
import type { ModuleInterface } from '../interface.ts';
import type { StateTable } from '../tables/table.ts';

export type Encoding = 'binary' | 'one-hot' | 'gray';

/** Clock and reset of a state machine. */
export interface MachineControl {
  readonly clock: string;
  readonly reset: { readonly name: string; readonly active: 'high' | 'low'; readonly kind: 'sync' | 'async' };
}

/** A state with the name and the code that it has in the module. */
export interface CodedState {
  readonly name: string;
  /** Most significant bit first; all codes are equally long. */
  readonly code: string;
}

/** Codes of the states, in their order; undefined takes the codes that the table states, else binary ones. */
export function encode({ states }: StateTable, encoding: Encoding | undefined, module: ModuleInterface): CodedState[] {
  const taken = new Set([...module.ports.map(({ name }) => name), ...registerNames(module)]);
  const width = encoding === 'one-hot' ? states.length : Math.max(1, Math.ceil(Math.log2(states.length)));
  const stated = encoding === undefined && states.every(({ code }) => code !== undefined);
  return states.map((state, at): CodedState => {
    const plain = isFreeName(state.name) && !taken.has(state.name);
    let name = plain ? state.name : `S_${state.name}`;
    while (!plain && taken.has(name)) name += '_';
    taken.add(name);
    const number = encoding === 'one-hot' ? 1n << BigInt(at) : encoding === 'gray' ? BigInt(at ^ (at >> 1)) : BigInt(at);
    return { name, code: stated ? (state.code ?? '') : number.toString(2).padStart(width, '0') };
  });
}

/** Names of the state register and of its next value, free among the ports. */
export function registerNames({ ports }: ModuleInterface): readonly [string, string] {
  const free = (wanted: string): string => {
    let name = wanted;
    while (ports.some((port) => port.name === name)) name += '_reg';
    return name;
  };
  return [free('state'), free('next_state')];
}

/** The process of the state register. */
export function registerLines({ clock, reset }: MachineControl, [state, next]: readonly [string, string], resetState: string): string[] {
  const edge = reset.kind === 'async' ? ` or ${reset.active === 'high' ? 'posedge' : 'negedge'} ${reset.name}` : '';
  return [
    `    always @(posedge ${clock}${edge})`,
    `        if (${reset.active === 'high' ? '' : '!'}${reset.name})`,
    `            ${state} <= ${resetState};`,
    '        else',
    `            ${state} <= ${next};`,
  ];
}
