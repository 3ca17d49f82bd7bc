import type { ModuleInterface } from '../interface.ts';
import { DONT_CARE, minimize, type Care, type Cube } from '../minimize.ts';
import { bitText, intersect, minterm, type BitRef, type StateTable, type Transition } from '../tables/table.ts';
import { encode, registerLines, registerNames, type CodedState, type Encoding, type MachineControl } from './encoding.ts';
import { drivenNames } from './logic.ts';
import { headerText, literalCount, moduleText, sumText, widthOf } from './text.ts';

const COLUMNS = 100;

/** A module for a state machine: state register and, in a second process, next state and outputs. */
export function emitMachine(table: StateTable, module: ModuleInterface, control: MachineControl, encoding: Encoding | undefined): string {
  const states = encode(table, encoding, module);
  const registers = registerNames(module);
  const inner = drivenNames(table.outputs, module);
  const width = states[0]?.code.length ?? 1;
  const range = width === 1 ? '' : `[${width - 1}:0] `;
  const longest = Math.max(...states.map(({ name }) => name.length));
  const writer = new StateWriter(table, states, registers[1], module, inner.names);
  return moduleText(headerText(module, new Set(table.outputs.map(({ port }) => port))), [
    `    localparam ${range}${states.map(({ name, code }) => `${name.padEnd(longest)} = ${code.length}'b${code}`).join(`,\n    ${' '.repeat('localparam '.length + range.length)}`)};`,
    '',
    `    reg ${range}${registers[0]}, ${registers[1]};`,
    ...(inner.declarations.length === 0 ? [''] : inner.declarations),
    ...registerLines(control, registers, states[table.resetState]?.name ?? ''),
    '',
    '    always @(*) begin',
    `        ${registers[1]} = ${registers[0]};`,
    ...writer.defaults(),
    `        case (${registers[0]})`,
    ...states.flatMap((_, at) => writer.branch(at)),
    `            default: ${registers[1]} = ${states[table.resetState]?.name ?? ''};`,
    '        endcase',
    '    end',
  ]);
}

/** What one state does at one input combination; undefined stands for what does not matter. */
interface Step {
  readonly to: number | undefined;
  readonly outputs: string;
}

class StateWriter {
  readonly #table: StateTable;
  readonly #states: readonly CodedState[];
  readonly #next: string;
  readonly #module: ModuleInterface;
  readonly #names: ReadonlyMap<string, string>;

  constructor(table: StateTable, states: readonly CodedState[], next: string, module: ModuleInterface, names: ReadonlyMap<string, string>) {
    this.#table = table;
    this.#states = states;
    this.#next = next;
    this.#module = module;
    this.#names = names;
  }

  /** Every output is 0 unless a state says otherwise. */
  defaults(): string[] {
    return this.#ports().map((port) => `        ${this.#name(port.name)} = ${widthOf(port)}'b${'0'.repeat(widthOf(port))};`);
  }

  branch(state: number): string[] {
    const steps = this.#steps(state);
    const lines = [...this.#nextState(state, steps), ...this.#outputs(steps)];
    const label = this.#states[state]?.name ?? '';
    const [only] = lines;
    if (lines.length === 1 && only !== undefined) return [`            ${label}: ${only}`];
    return [`            ${label}: begin`, ...lines.map((line) => `                ${line}`), '            end'];
  }

  #ports(): ModuleInterface['ports'] {
    return this.#module.ports.filter(({ name }) => this.#table.outputs.some((bit) => bit.port === name));
  }

  #name(port: string): string {
    return this.#names.get(port) ?? port;
  }

  /** One step for each input combination. */
  #steps(state: number): Step[] {
    const { transitions, inputs, idle } = this.#table;
    const own = transitions.filter(({ from }) => from === state);
    return Array.from({ length: 2 ** inputs.length }, (_, value): Step => {
      const combination = minterm(value, inputs.length);
      const taken = own.find((transition: Transition) => intersect(transition.inputs, combination));
      return taken ?? { to: state, outputs: idle[state] ?? '' };
    });
  }

  #condition(values: readonly Care[]): Cube[] {
    return [...minimize(values, this.#table.inputs.length).cubes];
  }

  /** `if` and `else if` for all targets but one, which is what remains: the state itself, else the target with most combinations. */
  #nextState(state: number, steps: readonly Step[]): string[] {
    const shares = new Map<number, number>();
    for (const { to } of steps) if (to !== undefined) shares.set(to, (shares.get(to) ?? 0) + 1);
    // In the order of the table; what is left over comes last, which is to stay where that is one of them.
    const written = this.#table.transitions.flatMap(({ from, to }) => (from === state && to !== undefined && shares.has(to) ? [to] : []));
    const targets = [...new Set([...written, ...shares.keys()])];
    const name = (target: number): string => this.#states[target]?.name ?? '';
    const set = (target: number): string => `${this.#next} = ${name(target)};`;
    const [first, second] = targets;
    if (first === undefined) return [set(state)];
    if (second === undefined) return [set(first)];
    const most = Math.max(...shares.values());
    const rest = shares.has(state) ? state : (targets.findLast((target) => shares.get(target) === most) ?? first);
    if (targets.length === 2) return this.#choice(steps, first, second, name);
    const done = new Set<number>();
    const lines: string[] = [];
    for (const target of targets.filter((other) => other !== rest)) {
      const values = steps.map(({ to }): Care => (to === undefined || done.has(to) ? DONT_CARE : to === target ? 1 : 0));
      lines.push(`${lines.length === 0 ? 'if' : 'else if'} (${sumText(this.#condition(values), this.#table.inputs, '        ')}) ${set(target)}`);
      done.add(target);
    }
    return [...lines, `else ${set(rest)}`];
  }

  /** Two targets: a conditional expression on the cheaper of the two conditions. */
  #choice(steps: readonly Step[], first: number, second: number, name: (target: number) => string): string[] {
    const condition = (target: number): Cube[] => this.#condition(steps.map(({ to }): Care => (to === undefined ? DONT_CARE : to === target ? 1 : 0)));
    const [a, b] = [condition(first), condition(second)];
    // A condition without negation reads better than the same one with.
    const cost = (cubes: readonly Cube[]): number => 4 * literalCount(cubes) + cubes.join('').replace(/[^0]/g, '').length;
    const [yes, no, cubes] = cost(b) <= cost(a) ? [second, first, b] : [first, second, a];
    const text = sumText(cubes, this.#table.inputs, '        ');
    const line = `${this.#next} = ${/[&|]/.test(text) ? `(${text})` : text} ? ${name(yes)} : ${name(no)};`;
    if (line.length <= COLUMNS && !line.includes('\n')) return [line];
    return [`if (${text})`, `    ${this.#next} = ${name(yes)};`, 'else', `    ${this.#next} = ${name(no)};`];
  }

  /** Outputs that are not always 0 in this state: whole ports where they are constant, else bit by bit. */
  #outputs(steps: readonly Step[]): string[] {
    return this.#ports().flatMap((port): string[] => {
      const bits = this.#table.outputs.flatMap((bit, at) => (bit.port === port.name ? [{ bit, cubes: this.#condition(steps.map(({ outputs }) => careOf(outputs[at]))) }] : []));
      const constant = bits.every(({ cubes }) => cubes.length === 0 || (cubes.length === 1 && !/[01]/.test(cubes[0] ?? '')));
      if (bits.every(({ cubes }) => cubes.length === 0)) return [];
      if (constant && bits.length === widthOf(port)) {
        const ordered = [...bits].sort((x, y) => place(port, x.bit) - place(port, y.bit));
        return [`${this.#name(port.name)} = ${bits.length}'b${ordered.map(({ cubes }) => (cubes.length === 0 ? '0' : '1')).join('')};`];
      }
      return bits.filter(({ cubes }) => cubes.length > 0).map(({ bit, cubes }) => `${bitText({ ...bit, port: this.#name(bit.port) })} = ${sumText(cubes, this.#table.inputs, '        ')};`);
    });
  }
}

function careOf(letter: string | undefined): Care {
  return letter === '1' ? 1 : letter === '0' ? 0 : DONT_CARE;
}

/** Position of a bit within its port, the leftmost first. */
function place({ range }: ModuleInterface['ports'][number], { index }: BitRef): number {
  return range === undefined || index === undefined ? 0 : Math.abs(index - range.left);
}
