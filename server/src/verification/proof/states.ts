/** What flip-flops and latches hold from one step to the next, in the latches of a graph. */
import { FALSE, not, TRUE, type Aig, type Literal } from './aig.ts';
import type { Ternary } from './reading.ts';

export interface State<V> {
  readonly value: V;
  /** Must be called once. */
  readonly setNext: (next: V) => void;
}

/** A bit that is a given constant at first, or, where `first` is another signal of the graph, what that is in the first step. */
export function stateFrom(aig: Aig, first: Literal, started: () => Literal): State<Literal> {
  const { value, setNext } = aig.latch();
  if (first === FALSE) return { value, setNext };
  if (first === TRUE) return { value: not(value), setNext: (next) => setNext(not(next)) };
  return { value: aig.mux(started(), first, value), setNext };
}

export function ternaryState(one: State<Literal>, zero: State<Literal>): State<Ternary> {
  return {
    value: { one: one.value, zero: zero.value },
    setNext: (next) => {
      one.setNext(next.one);
      zero.setNext(next.zero);
    },
  };
}

/** A bit that is 0, 1 or, for any other initial bit, unknown at first. */
export function ternaryFrom(aig: Aig, init: string, started: () => Literal): State<Ternary> {
  const held = (first: boolean): State<Literal> => stateFrom(aig, first ? TRUE : FALSE, started);
  return ternaryState(held(init === '1'), held(init === '0'));
}

/** 0 in the first step and 1 from then on; made when it is first asked for. */
export function startOf(aig: Aig): () => Literal {
  let started: Literal | undefined;
  return () => {
    if (started === undefined) {
      const { value, setNext } = aig.latch();
      setNext(TRUE);
      started = value;
    }
    return started;
  };
}
