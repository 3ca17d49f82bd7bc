import type { Random } from '../../server/src/verification/stimulus/random.ts';

/**
 * Random small modules that are known exactly: every signal has three bits, so that all inputs and all states can be tried. A module has two inputs, some
 * wires, some registers behind a reset, and two outputs.
 */
export interface Machine {
  readonly wires: readonly Expression[];
  readonly registers: readonly { readonly reset: number; readonly next: Expression }[];
  readonly outputs: readonly Expression[];
  readonly asynchronous: boolean;
}

export type Expression =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'choice'; readonly condition: Expression; readonly whenTrue: Expression; readonly whenFalse: Expression };

const operators = ['&', '|', '^', '+', '-', '==', '<'] as const;
type Operator = (typeof operators)[number];

const MASK = 7;
const INPUTS = ['a', 'b'];

export function randomMachine(random: Random): Machine {
  const registers = random.below(4) === 0 ? 0 : random.between(1, 2);
  const names = [...INPUTS, ...Array.from({ length: registers }, (_, index) => `r${String(index)}`)];
  const wires: Expression[] = [];
  for (let index = random.below(4); index > 0; index--) {
    wires.push(randomExpression(random, names, 2));
    names.push(`w${String(wires.length - 1)}`);
  }
  return {
    wires,
    registers: Array.from({ length: registers }, () => ({ reset: random.below(8), next: randomExpression(random, names, 3) })),
    outputs: [randomExpression(random, names, 3), randomExpression(random, names, 2)],
    asynchronous: random.chance(0.5),
  };
}

function randomExpression(random: Random, names: readonly string[], depth: number): Expression {
  const [first = '', ...others] = names;
  if (depth === 0 || random.chance(0.1)) {
    return random.chance(0.8) ? { kind: 'name', name: random.pick([first, ...others]) } : { kind: 'constant', value: random.below(8) };
  }
  const part = (): Expression => randomExpression(random, names, depth - 1);
  const ticket = random.below(8);
  if (ticket === 0) return { kind: 'not', of: part() };
  if (ticket < 3) return { kind: 'choice', condition: part(), whenTrue: part(), whenFalse: part() };
  return { kind: 'binary', operator: random.pick(operators), left: part(), right: part() };
}

/** The same machine with one operator, constant, reset value, way of resetting or order of two arms changed. */
export function mutate(machine: Machine, random: Random): Machine {
  const ticket = random.below(6);
  const [register] = machine.registers;
  if (register !== undefined && ticket === 0) return { ...machine, registers: machine.registers.map((own, index) => (index === 0 ? { ...own, reset: (own.reset + 1) & MASK } : own)) };
  const sizes = [...machine.wires, ...machine.registers.map(({ next }) => next), ...machine.outputs].map(sizeOf);
  let place = random.below(sizes.reduce((sum, size) => sum + size, 0));
  const change = (expression: Expression): Expression => {
    const at = place;
    place -= sizeOf(expression);
    return at >= 0 && place < 0 ? changedAt(expression, at, random) : expression;
  };
  return { ...machine, wires: machine.wires.map(change), registers: machine.registers.map((own) => ({ ...own, next: change(own.next) })), outputs: machine.outputs.map(change) };
}

function partsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'not') return [expression.of];
  if (expression.kind === 'binary') return [expression.left, expression.right];
  return expression.kind === 'choice' ? [expression.condition, expression.whenTrue, expression.whenFalse] : [];
}

function sizeOf(expression: Expression): number {
  return partsOf(expression).reduce((sum, part) => sum + sizeOf(part), 1);
}

function changedAt(expression: Expression, at: number, random: Random): Expression {
  if (at === 0) return changed(expression, random);
  let place = at - 1;
  const [first, second, third] = partsOf(expression).map((part) => {
    const here = place;
    place -= sizeOf(part);
    return here >= 0 && place < 0 ? changedAt(part, here, random) : part;
  });
  if (expression.kind === 'not') return { ...expression, of: first ?? expression.of };
  if (expression.kind === 'binary') return { ...expression, left: first ?? expression.left, right: second ?? expression.right };
  if (expression.kind === 'choice') return { ...expression, condition: first ?? expression.condition, whenTrue: second ?? expression.whenTrue, whenFalse: third ?? expression.whenFalse };
  return expression;
}

function changed(expression: Expression, random: Random): Expression {
  switch (expression.kind) {
    case 'name':
      return { kind: 'not', of: expression };
    case 'constant':
      return { kind: 'constant', value: (expression.value + 1) & MASK };
    case 'not':
      return expression.of;
    case 'binary':
      return { ...expression, operator: random.pick(operators) };
    case 'choice':
      return { ...expression, whenTrue: expression.whenFalse, whenFalse: expression.whenTrue };
  }
}

export interface Inputs {
  readonly a: number;
  readonly b: number;
}

type Values = ReadonlyMap<string, number>;

function evaluate(expression: Expression, values: Values): number {
  switch (expression.kind) {
    case 'name':
      return values.get(expression.name) ?? 0;
    case 'constant':
      return expression.value;
    case 'not':
      return ~evaluate(expression.of, values) & MASK;
    case 'choice':
      return evaluate(expression.condition, values) === 0 ? evaluate(expression.whenFalse, values) : evaluate(expression.whenTrue, values);
    case 'binary':
      return apply(expression.operator, evaluate(expression.left, values), evaluate(expression.right, values));
  }
}

function apply(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '+':
      return (left + right) & MASK;
    case '-':
      return (left - right) & MASK;
    case '==':
      return left === right ? 1 : 0;
    case '<':
      return left < right ? 1 : 0;
  }
}

export type State = readonly number[];

function valuesOf(machine: Machine, state: State, inputs: Inputs): Values {
  const values = new Map<string, number>([['a', inputs.a], ['b', inputs.b], ...state.map((value, index): [string, number] => [`r${String(index)}`, value])]);
  machine.wires.forEach((wire, index) => values.set(`w${String(index)}`, evaluate(wire, values)));
  return values;
}

export function resetState(machine: Machine): State {
  return machine.registers.map(({ reset }) => reset);
}

export function outputsOf(machine: Machine, state: State, inputs: Inputs): number[] {
  const values = valuesOf(machine, state, inputs);
  return machine.outputs.map((output) => evaluate(output, values));
}

export function nextState(machine: Machine, state: State, inputs: Inputs): State {
  const values = valuesOf(machine, state, inputs);
  return machine.registers.map(({ next }) => evaluate(next, values));
}

const allInputs: readonly Inputs[] = Array.from({ length: 64 }, (_, value) => ({ a: value & MASK, b: value >> 3 }));

/** Whether two machines answer alike for ever after a reset: every pair of states that they reach together is tried with every input. */
export function areEqual(one: Machine, other: Machine): boolean {
  const queue: [State, State][] = [[resetState(one), resetState(other)]];
  const seen = new Set<string>();
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const [first, second] = pair;
    const key = `${first.join()} ${second.join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const inputs of allInputs) {
      if (outputsOf(one, first, inputs).join() !== outputsOf(other, second, inputs).join()) return false;
      queue.push([nextState(one, first, inputs), nextState(other, second, inputs)]);
    }
  }
  return true;
}


/** The Verilog text of a machine; with random numbers, in another dress: other internal names, another order, other white space and comments. */
export function textOf(machine: Machine, random?: Random): string {
  const tag = random === undefined ? '' : `_${String(random.below(1000))}`;
  const named = (name: string): string => (INPUTS.includes(name) ? name : `${name}${tag}`);
  const show = (expression: Expression): string => {
    switch (expression.kind) {
      case 'name':
        return named(expression.name);
      case 'constant':
        return `3'd${String(expression.value)}`;
      case 'not':
        return `(~${show(expression.of)})`;
      case 'choice':
        return `(${show(expression.condition)} ? ${show(expression.whenTrue)} : ${show(expression.whenFalse)})`;
      case 'binary': {
        const plain = `(${show(expression.left)} ${expression.operator} ${show(expression.right)})`;
        return expression.operator === '==' || expression.operator === '<' ? `{2'b00, ${plain}}` : plain;
      }
    }
  };
  const shuffled = <T>(items: readonly T[]): T[] => (random === undefined ? [...items] : items.map((item) => ({ item, at: random.uint32() })).sort((x, y) => x.at - y.at).map(({ item }) => item));
  const clocked = machine.registers.length > 0;
  const declarations = [...machine.wires.map((_, index) => `wire [2:0] ${named(`w${String(index)}`)};`), ...machine.registers.map((_, index) => `reg [2:0] ${named(`r${String(index)}`)};`)];
  const items = [
    ...machine.wires.map((wire, index) => `assign ${named(`w${String(index)}`)} = ${show(wire)};`),
    ...machine.outputs.map((output, index) => `assign y${String(index)} = ${show(output)};`),
    ...machine.registers.map(({ reset, next }, index) => {
      const name = named(`r${String(index)}`);
      return `always @(posedge clk${machine.asynchronous ? ' or posedge rst' : ''}) if (rst) ${name} <= 3'd${String(reset)}; else ${name} <= ${show(next)};`;
    }),
  ];
  const text = [
    `module m(${clocked ? 'input clk, input rst, ' : ''}input [2:0] a, input [2:0] b, output [2:0] y0, output [2:0] y1);`,
    ...shuffled(declarations),
    ...shuffled(items),
    'endmodule',
  ].join('\n');
  if (random === undefined) return `${text}\n`;
  return text.replace(/ /g, () => random.pick([' ', ' ', '  ', '\n', ' /* x */ ', '\t']));
}
