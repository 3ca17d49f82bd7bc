import { evaluate } from '../analysis/constant.ts';
import type { LoadedDesign } from '../analysis/design.ts';
import type { Expression } from '../analysis/ast.ts';
import { parseExpression } from '../analysis/expression.ts';
import type { ElaboratedModule } from '../analysis/module.ts';
import { Scope } from '../analysis/scope.ts';
import { forEachExpression } from '../analysis/walk.ts';
import { tokenize } from '../syntax/tokens.ts';
import { escapedIdentifier } from './harness/naming.ts';
import type { Field, Layout } from './stimulus/layout.ts';
import { Random } from './stimulus/random.ts';
import { fieldText, RowBuilder, selectRows, type Rows } from './stimulus/rows.ts';
import type { Stimulus } from './stimulus/stimulus.ts';
import { unknownOf, wrapDesign } from './wrapper.ts';

/** Draws of input values for a row that breaks the assumption before those of the row before it are kept. */
const REDRAWS = 12;
/** Draws for the first row, which has none before it. */
const FIRST_DRAWS = 50_000;

/**
 * A condition over inputs that holds whenever they matter: no stimulus breaks it, no witness either, and a proof says nothing about inputs that do.
 */
export class Assumption {
  /** As the user wrote it; several are joined. */
  readonly text: string;
  readonly #expression: Expression;
  readonly #fields: readonly Field[];
  readonly #signed: ReadonlySet<string>;
  readonly #parameters: Scope;
  readonly #known = new Map<string, boolean>();

  private constructor(text: string, expression: Expression, fields: readonly Field[], module: ElaboratedModule) {
    this.text = text;
    this.#expression = expression;
    this.#fields = fields;
    this.#signed = new Set(module.ports.filter(({ signed }) => signed).map(({ name }) => name));
    this.#parameters = new Scope(undefined);
    for (const { name, value } of module.parameters) {
      if (value !== undefined) this.#parameters.setConstant(name, { bits: BigInt.asUintN(32, BigInt(value)), width: 32, signed: true });
    }
  }

  /** A text in place of an assumption says, in one full sentence, why it is none. */
  static of(texts: readonly string[], module: ElaboratedModule, layout: Layout): Assumption | string | undefined {
    if (texts.length === 0) return undefined;
    const text = texts.map((each) => `(${each})`).join(' && ');
    const expression = parseExpression(text);
    const names = new Set<string>();
    let readable = !tokenize(text).some(({ text: word }) => word === ';' || word === '`');
    forEachExpression(expression, (part) => {
      if (part.kind === 'name') names.add(part.name);
      if (part.kind === 'other' || part.kind === 'pattern' || part.kind === 'member') readable = false;
    });
    const fields = layout.fields.filter(({ port, role }) => role === 'data' && names.has(port));
    const parameters = new Set(module.parameters.map(({ name }) => name));
    const stranger = [...names].find((name) => !parameters.has(name) && !fields.some(({ port }) => port === name));
    if (stranger !== undefined) return `The assumption names '${stranger}', which is no data input of '${module.name}'; its data inputs are ${layout.fields.filter(({ role }) => role === 'data').map(({ port }) => port).join(', ')}.`;
    const array = module.ports.find(({ name, unpacked }) => unpacked.length > 0 && names.has(name));
    if (array !== undefined) return `The assumption names '${array.name}', which is an array; an assumption can only name plain inputs.`;
    if (!readable || fields.length === 0) return `The assumption ${text} is no condition over the inputs of '${module.name}'; write one such as b != 0.`;
    const assumption = new Assumption(text, expression, fields, module);
    if (assumption.#evaluate(fields.map(({ width }) => '1'.repeat(width))) === undefined && assumption.#evaluate(fields.map(({ width }) => '1'.padStart(width, '0'))) === undefined) {
      return `The assumption ${text} cannot be evaluated; write a plain Verilog condition such as b != 0.`;
    }
    return assumption;
  }

  /** Whether the inputs of a row keep to it; a condition without a value is broken. */
  holds(rows: Rows, row: number): boolean {
    return this.#accepts(this.#fields.map((field) => fieldText(rows, row, field)));
  }

  #accepts(values: readonly string[]): boolean {
    const key = values.join();
    let answer = this.#known.get(key);
    if (answer === undefined) {
      answer = this.#evaluate(values) === true;
      if (this.#known.size > 200_000) this.#known.clear();
      this.#known.set(key, answer);
    }
    return answer;
  }

  #evaluate(values: readonly string[]): boolean | undefined {
    const scope = new Scope(this.#parameters);
    this.#fields.forEach(({ port, width }, index) => scope.setConstant(port, { bits: BigInt(`0b${values[index] ?? '0'}`), width, signed: this.#signed.has(port) }));
    const value = evaluate(this.#expression, scope);
    return value && value.bits !== 0n;
  }

  /** Whether every row keeps to it. */
  holdsAll(rows: Rows): boolean {
    for (let row = 0; row < rows.count; row++) if (!this.holds(rows, row)) return false;
    return true;
  }

  /**
   * A stimulus that keeps to it: of an exhaustive one the rows that do, of another all rows with new values where they do not. Undefined when no values
   * were found that keep to it.
   */
  constrain(stimulus: Stimulus, layout: Layout, seed: number): Stimulus | undefined {
    const { rows, exhaustive } = stimulus;
    if (exhaustive) {
      const kept = Array.from({ length: rows.count }, (_, row) => row).filter((row) => this.holds(rows, row));
      return kept.length === 0 ? undefined : { ...stimulus, rows: selectRows(rows, kept) };
    }
    const repaired = this.repair(rows, layout, seed);
    return repaired && { ...stimulus, rows: repaired };
  }

  repair(rows: Rows, layout: Layout, seed: number): Rows | undefined {
    const random = new Random(seed);
    const builder = new RowBuilder(layout, rows.count);
    let last = this.#firstValues(random);
    if (last === undefined) return undefined;
    for (let row = 0; row < rows.count; row++) {
      builder.current.set(rows.bytes.subarray(row * rows.rowBytes, (row + 1) * rows.rowBytes));
      const own = this.#fields.map((field) => fieldText(rows, row, field));
      if (this.#accepts(own)) last = own;
      else {
        for (let draw = 0; draw < REDRAWS; draw++) {
          const values = this.#draw(random, own);
          if (!this.#accepts(values)) continue;
          last = values;
          break;
        }
        this.#fields.forEach((field, index) => builder.setBig(field, BigInt(`0b${last?.[index] ?? '0'}`)));
      }
      builder.push();
    }
    return builder.finish();
  }

  #firstValues(random: Random): string[] | undefined {
    const zero = this.#fields.map(({ width }) => '0'.repeat(width));
    for (let draw = 0; draw < FIRST_DRAWS; draw++) {
      const values = this.#draw(random, zero);
      if (this.#accepts(values)) return values;
    }
    return undefined;
  }

  /** New values for some of the inputs: uniform, small, or with few bits set or clear. */
  #draw(random: Random, from: readonly string[]): string[] {
    return this.#fields.map(({ width }, index) => {
      if (this.#fields.length > 1 && random.chance(0.3)) return from[index] ?? '';
      const share = random.pick([0.5, 0.5, 0.5, 0.1, 0.9]);
      if (random.chance(0.3)) return random.below(Math.min(2 ** Math.min(width, 30), 20)).toString(2).padStart(width, '0');
      return Array.from({ length: width }, () => (random.chance(share) ? '1' : '0')).join('');
    });
  }

  /**
   * The golden in a module of its own that knows no output while the assumption is broken, so that a proof asks nothing there. Right only for a design
   * without state, in which broken inputs leave nothing behind; undefined where ports cannot be passed on.
   */
  wrap(golden: LoadedDesign): LoadedDesign | undefined {
    const constants = golden.module.parameters.filter(({ value }) => value !== undefined).map(({ name, value }) => `localparam signed [31:0] ${escapedIdentifier(name)}= ${value ?? '0'};`);
    return wrapDesign(golden, {
      kind: 'assumed',
      items: [...constants, `wire holds = (${this.text}) != 0;`],
      output: (port, own) => `holds ? ${own}: ${unknownOf(port)}`,
    });
  }
}
