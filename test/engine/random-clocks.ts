import type { Random } from '../../server/src/verification/stimulus/random.ts';

/** Writes an item of a module; identifiers go through `name`, so that the same design can be written with others. */
type Item = (name: (identifier: string) => string) => string;

/** A design whose registers and latches are clocked by two inputs and by what it makes of them. */
export interface ClockedDesign {
  readonly items: readonly Item[];
}

export const CLOCK_INPUTS = ['c0', 'c1'];
export const INPUTS = [...CLOCK_INPUTS, 'r', 'a', 'b', 'e'];
export const OUTPUTS = ['y0', 'y1', 'y2'];

const EDGES = ['posedge', 'posedge', 'negedge'];

/** Names from which a design under construction draws; what is there several times is drawn more often. */
interface Pool {
  readonly clocks: string[];
  readonly data: string[];
  readonly registers: string[];
  readonly resets: string[];
  readonly initialised: boolean;
}

export function randomClockedDesign(random: Random): ClockedDesign {
  const pool: Pool = { clocks: ['c0', 'c0', 'c1'], data: ['a', 'b', 'e'], registers: [], resets: ['r', 'r', 'r'], initialised: random.below(4) === 0 };
  const items = Array.from({ length: random.between(3, 7) }, (_, index) => randomItem(`s${String(index)}`, pool, random));
  const own = [...pool.registers, ...pool.data, ...pool.clocks].filter((name) => !INPUTS.includes(name)).reverse();
  return { items: [...items, ...OUTPUTS.map((output, index): Item => (name) => `assign ${output} = ${name(own[index] ?? 'a')};`)] };
}

function randomItem(own: string, pool: Pool, random: Random): Item {
  const { clocks, data, registers, resets } = pool;
  const clock = pick(random, clocks);
  const level = pick(random, ['', '!']);
  switch (random.below(7)) {
    case 0: {
      const item = register(own, clock, `~${own}`, random.between(1, 2), 'r', pool, random);
      registers.push(own);
      clocks.push(own, own);
      return item;
    }
    case 1: {
      const enable = pick(random, [...data, ...registers]);
      const assign = random.below(3) === 0 ? '<=' : '=';
      clocks.push(own, own);
      return (name) => `reg ${name(`${own}l`)}; always @(${name(clock)} or ${name(enable)}) if (!${name(clock)}) ${name(`${own}l`)} ${assign} ${name(enable)}; wire ${name(own)} = ${name(clock)} & ${name(`${own}l`)};`;
    }
    case 2: {
      const [gate, operator] = [pick(random, [...data, ...registers]), pick(random, ['&', '|', '^'])];
      clocks.push(own);
      return (name) => `wire ${name(own)} = ${name(clock)} ${operator} ${name(gate)};`;
    }
    case 3: {
      const value = expression(pool, random, 2);
      data.push(own);
      if (random.below(4) === 0) resets.push(own);
      return (name) => `wire ${name(own)} = ${value(name)};`;
    }
    case 4: {
      const value = expression(pool, random, 2);
      data.push(own);
      return (name) => `reg ${name(own)}; always @* if (${level}${name(clock)}) ${name(own)} = ${value(name)};`;
    }
    case 5:
      clocks.push(own);
      return (name) => `wire ${name(own)} = ${level === '' ? '' : '~'}${name(clock)};`;
    default: {
      const item = register(own, clock, expression(pool, random, 2), random.below(4), pick(random, resets), pool, random);
      registers.push(own);
      if (random.below(3) === 0) clocks.push(own);
      return item;
    }
  }
}

/** A register without a reset, with one of either kind, or with one that is active low. */
function register(own: string, clock: string, value: string | Item, kind: number, reset: string, { initialised }: Pool, random: Random): Item {
  const edge = pick(random, EDGES);
  return (name) => {
    const next = typeof value === 'string' ? value.replace(own, name(own)) : value(name);
    const [event, condition, first] = [
      ['', undefined, ''],
      [` or posedge ${name(reset)}`, name(reset), '0'],
      ['', name(reset), '1'],
      [` or negedge ${name(reset)}`, `!${name(reset)}`, '1'],
    ][kind] ?? ['', undefined, ''];
    const head = condition === undefined ? '' : `if (${condition}) ${name(own)} <= ${first ?? ''}; else `;
    return `reg ${name(own)}${initialised ? ' = 0' : ''}; always @(${edge} ${name(clock)}${event ?? ''}) ${head}${name(own)} <= ${next};`;
  };
}

function expression(pool: Pool, random: Random, depth: number): Item {
  const form = random.below(depth === 0 ? 1 : 5);
  if (form === 0) {
    const leaf = pick(random, [...pool.data, ...pool.registers]);
    return (name) => name(leaf);
  }
  const part = (): Item => expression(pool, random, depth - 1);
  const [one, other, third] = [part(), part(), part()];
  if (form === 1) return (name) => `(~${one(name)})`;
  if (form === 2) return (name) => `(${one(name)} ? ${other(name)} : ${third(name)})`;
  const operator = pick(random, ['&', '|', '^']);
  return (name) => `(${one(name)} ${operator} ${other(name)})`;
}

function pick<T>(random: Random, [first, ...others]: readonly T[]): T {
  if (first === undefined) throw new Error('There is nothing to pick from.');
  return random.pick([first, ...others]);
}

/** The module `m`; with a source of chance in other names, and its processes in another order. */
export function textOfClocked({ items }: ClockedDesign, random?: Random): string {
  const name = (identifier: string): string => (random === undefined || INPUTS.includes(identifier) ? identifier : `${identifier}z`);
  const statements = items.flatMap((item) => item(name).split(/(?<=;) (?=always|wire)/));
  const body = random === undefined ? statements : shuffled(statements, random);
  return `module m(${INPUTS.map((input) => `input ${input}`).join(', ')}, ${OUTPUTS.map((output) => `output ${output}`).join(', ')});\n${body.join('\n')}\nendmodule\n`;
}

/** Declarations first, then the rest in any order. */
function shuffled(statements: readonly string[], random: Random): string[] {
  const split = statements.flatMap((statement) => {
    const [, declared, value] = /^wire (\w+) = (.*)$/.exec(statement) ?? [];
    return declared === undefined ? [statement] : [`wire ${declared};`, `assign ${declared} = ${value ?? ''}`];
  });
  const isDeclaration = (statement: string): boolean => /^(wire|reg) /.test(statement);
  const processes = split.filter((statement) => !isDeclaration(statement)).map((statement) => ({ statement, at: random.uint32() }));
  return [...split.filter(isDeclaration), ...processes.sort((one, other) => one.at - other.at).map(({ statement }) => statement)];
}
