import fc from 'fast-check';
import { bitsOf, bitText, type BitRef, type LogicRow, type LogicTable, type StateTable, type Transition } from '../../../server/src/generation/tables/table.ts';

/** Random tables and the texts that people would write for them. */

const nowhere = { start: 0, end: 0 };

/** Disjoint cubes that cover every combination of `width` bits: a random tree of splits. */
export function partition(width: number): fc.Arbitrary<string[]> {
  const grow = (at: number): fc.Arbitrary<string[]> => {
    if (at === width) return fc.constant(['']);
    const deeper = (letter: string) => grow(at + 1).map((cubes) => cubes.map((cube) => letter + cube));
    return fc.integer({ min: 0, max: 3 }).chain((choice) => (choice === 0 ? deeper('-') : fc.tuple(deeper('0'), deeper('1')).map((halves) => halves.flat())));
  };
  return grow(0);
}

const letters = (width: number): fc.Arbitrary<string> => fc.array(fc.constantFrom('0', '1', '0', '1', '-'), { minLength: width, maxLength: width }).map((list) => list.join(''));

function scalars(prefix: string, count: number): BitRef[] {
  return Array.from({ length: count }, (_, at) => ({ port: `${prefix}${at}`, index: undefined }));
}

/** Consistent logic tables: disjoint rows, some combinations left out, don't-cares on both sides. */
export function logicTables(most: { readonly inputs: number; readonly outputs: number }): fc.Arbitrary<LogicTable> {
  return fc
    .record({ inputs: fc.integer({ min: 1, max: most.inputs }), outputs: fc.integer({ min: 1, max: most.outputs }), vectorIn: fc.boolean(), vectorOut: fc.boolean() })
    .chain(({ inputs, outputs, vectorIn, vectorOut }) =>
      partition(inputs)
        .chain((cubes) => fc.tuple(fc.constant(cubes), fc.array(fc.tuple(letters(outputs), fc.integer({ min: 0, max: 7 })), { minLength: cubes.length, maxLength: cubes.length })))
        .map(([cubes, values]): LogicTable => {
          const rows = cubes.flatMap((cube, at): LogicRow[] => (values[at]?.[1] === 0 ? [] : [{ inputs: cube, outputs: values[at]?.[0] ?? '', span: nowhere }]));
          return {
            kind: 'logic',
            form: 'truth table',
            inputs: vectorIn && inputs > 1 ? bitsOf({ name: 'sel', range: { left: inputs - 1, right: 0 } }) : scalars('i', inputs),
            outputs: vectorOut && outputs > 1 ? bitsOf({ name: 'q', range: { left: outputs - 1, right: 0 } }) : scalars('o', outputs),
            rows: rows.some(({ inputs: cube }) => /[01]/.test(cube)) ? rows : [{ inputs: '0'.repeat(inputs), outputs: '1'.repeat(outputs), span: nowhere }],
          };
        }),
    );
}

export type TruthStyle = 'bars' | 'markdown' | 'blanks' | 'tabs' | 'boxed' | 'compact';
export const truthStyles: readonly TruthStyle[] = ['bars', 'markdown', 'blanks', 'tabs', 'boxed', 'compact'];

/** The text of a truth table; a list of ports stands above it where the style cannot tell outputs from inputs. */
export function truthTableText({ inputs, outputs, rows }: LogicTable, style: TruthStyle): string {
  const columns = [...columnsOf(inputs), ...columnsOf(outputs)];
  const count = columnsOf(inputs).length;
  const heading = columns.map(({ heading: name }) => name);
  const cells = rows.map((row) => cut(row.inputs + row.outputs, columns));
  const lines = [heading, ...cells];
  const list = [`inputs: ${headings(inputs)}`, `outputs: ${headings(outputs)}`, ''];
  switch (style) {
    case 'bars':
      return lines.map((line) => `${line.slice(0, count).join(' | ')} || ${line.slice(count).join(' | ')}`).join('\n');
    case 'markdown':
      return [...list, `| ${heading.join(' | ')} |`, `|${heading.map(() => ' :---: ').join('|')}|`, ...cells.map((line) => `| ${line.join(' | ')} |`)].join('\n');
    case 'blanks':
      return [...list, ...lines.map((line) => line.map((cell) => cell.padEnd(8)).join(' ').trimEnd())].join('\n');
    case 'tabs':
      return [...list, ...lines.map((line) => line.join('\t'))].join('\n');
    case 'boxed': {
      const rule = `+${heading.map(() => '-----').join('+')}+`;
      return [...list, rule, `| ${heading.join(' | ')} |`, rule, ...cells.map((line) => `| ${line.join(' | ')} |`), rule].join('\n');
    }
    case 'compact':
      return [`${heading.slice(0, count).join(' ')} | ${heading.slice(count).join(' ')}`, ...rows.map((row) => `${row.inputs} | ${row.outputs.replaceAll('-', 'x')}`)].join('\n');
  }
}

interface TextColumn {
  readonly heading: string;
  readonly width: number;
}

function columnsOf(bits: readonly BitRef[]): TextColumn[] {
  const columns = new Map<string, number>();
  for (const { port } of bits) columns.set(port, (columns.get(port) ?? 0) + 1);
  return [...columns].map(([port, width]) => ({ heading: bits.find((bit) => bit.port === port)?.index === undefined ? port : `${port}[${width - 1}:0]`, width }));
}

function headings(bits: readonly BitRef[]): string {
  return columnsOf(bits).map(({ heading }) => heading).join(', ');
}

function cut(text: string, columns: readonly TextColumn[]): string[] {
  let at = 0;
  return columns.map(({ width }) => text.slice(at, (at += width)));
}

export type MapStyle = 'corner' | 'labels' | 'boxed';
export const mapStyles: readonly MapStyle[] = ['corner', 'labels', 'boxed'];

/** Which sides the variables of a map stand on; `layers` is 1 where a fifth or further variable has maps of its own. */
export interface MapLayout {
  readonly rows: number;
  readonly columns: number;
  readonly layers: 0 | 1;
}

/** All layouts from two to five variables. */
export const mapLayouts: readonly MapLayout[] = [0, 1].flatMap((layers) =>
  [1, 2, 3, 4].flatMap((rows) => [1, 2, 3, 4].map((columns): MapLayout => ({ rows, columns, layers: layers === 0 ? 0 : 1 })).filter(({ columns }) => rows + columns + layers >= 2 && rows + columns + layers <= 5)),
);

/** `values[i]` is the cell for combination `i` of the variables layer, rows, columns, most significant first. */
export function mapText(values: readonly string[], { rows, columns, layers }: MapLayout, style: MapStyle): string {
  const names = 'abcde';
  const [layer, row, column] = [names.slice(0, layers), names.slice(layers, layers + rows), names.slice(layers + rows, layers + rows + columns)];
  return Array.from({ length: layers + 1 }, (_, at) => [
    ...(layers === 0 ? [] : [`${layer} = ${at}`]),
    ...(style === 'labels' ? [`        ${column}`] : []),
    mapLine([style === 'labels' ? row : `${row}\\${column}`, ...gray(columns)], style),
    ...(style === 'boxed' ? [`+${'-'.repeat(20)}+`] : []),
    ...gray(rows).map((code, index) => mapLine([code, ...gray(columns).map((_, cell) => values[Number.parseInt(`${layers === 0 ? '' : at}${code}${gray(columns)[cell] ?? ''}`, 2)] ?? 'x')], index < 0 ? 'corner' : style)),
    '',
  ].join('\n')).join('\n');
}

function mapLine(cells: readonly string[], style: MapStyle): string {
  if (style === 'boxed') return `| ${cells.join(' | ')} |`;
  return `${(cells[0] ?? '').padEnd(8)}${style === 'corner' ? '| ' : ''}${cells.slice(1).join('  ')}`;
}

function gray(width: number): string[] {
  return Array.from({ length: 2 ** width }, (_, at) => (at ^ (at >> 1)).toString(2).padStart(width, '0'));
}

export interface RandomMachine {
  readonly table: StateTable;
  readonly resetKind: 'sync' | 'async';
  readonly resetActive: 'high' | 'low';
}

/** State machines in which every state has outputs; some inputs of some states are left out. */
export function machines(most: { readonly states: number; readonly inputs: number; readonly outputs: number }): fc.Arbitrary<RandomMachine> {
  const size = fc.record({ states: fc.integer({ min: 1, max: most.states }), inputs: fc.integer({ min: 1, max: most.inputs }), outputs: fc.integer({ min: 1, max: most.outputs }), mealy: fc.boolean() });
  const table = size.chain(({ states, inputs, outputs, mealy }) =>
    fc
      .record({
        moves: fc.array(partition(inputs).chain((cubes) => fc.tuple(fc.constant(cubes), fc.array(fc.tuple(fc.nat(states - 1), letters(outputs), fc.integer({ min: 0, max: 9 })), { minLength: cubes.length, maxLength: cubes.length }))), { minLength: states, maxLength: states }),
        idle: fc.array(letters(outputs), { minLength: states, maxLength: states }),
        resetState: fc.nat(states - 1),
      })
      .map(({ moves, idle, resetState }): StateTable => {
        // A machine in which no output ever matters would leave nothing to compare.
        const known = (text: string): string => text.replace(/^-/, '1');
        const outputsOf = idle.map((text, at) => (at === resetState ? known(text) : text));
        const transitions = moves.flatMap(([cubes, targets], from) =>
          cubes.flatMap((cube, at): Transition[] => {
            const [to = 0, own = '', left = 0] = targets[at] ?? [];
            return left === 0 && at > 0 ? [] : [{ from, inputs: cube, to, outputs: mealy ? (from === resetState && at === 0 ? known(own) : own) : (outputsOf[from] ?? ''), span: nowhere }];
          }),
        );
        return {
          kind: 'fsm',
          form: 'state diagram',
          style: mealy ? 'Mealy' : 'Moore',
          states: Array.from({ length: states }, (_, at) => ({ name: `S${at}`, span: nowhere, code: undefined })),
          inputs: scalars('i', inputs),
          outputs: scalars('o', outputs),
          transitions,
          idle: mealy ? idle.map(() => '-'.repeat(outputs)) : outputsOf,
          resetState,
        };
      }),
  );
  return fc.record({ table, resetKind: fc.constantFrom('sync', 'async'), resetActive: fc.constantFrom('high', 'low') });
}

export type MachineStyle = 'arrows' | 'compact' | 'rows';
export const machineStyles: readonly MachineStyle[] = ['arrows', 'compact', 'rows'];

/** The text of a state machine, with its reset state and the kind of its reset. */
export function machineText({ table, resetKind, resetActive }: RandomMachine, style: MachineStyle): string {
  const { states, inputs, outputs, transitions, idle, style: timing } = table;
  const name = (index: number | undefined): string => (index === undefined ? '-' : (states[index]?.name ?? ''));
  const values = (bits: readonly BitRef[], text: string): string => bits.map((bit, at) => `${bitText(bit)}=${(text[at] ?? '-').replace('-', 'x')}`).join(', ');
  const reset = `Reset state: ${name(table.resetState)}; reset is ${resetKind === 'sync' ? 'synchronous' : 'asynchronous'}, active ${resetActive}.`;
  const moore = timing === 'Moore';
  const body = ((): string[] => {
    switch (style) {
      case 'arrows':
        return transitions.map(({ from, to, inputs: cube, outputs: own }) => `${name(from)}${moore ? ` (${values(outputs, idle[from] ?? '')})` : ''} --${values(inputs, cube)}${moore ? '' : ` (${values(outputs, own)})`}--> ${name(to)}`);
      case 'compact':
        return states.map(({ name: from }, at) => {
          const moves = transitions.filter((transition) => transition.from === at).map(({ to, inputs: cube, outputs: own }) => `${cube.replaceAll('-', 'x')}->${name(to)}${moore ? '' : `/${own.replaceAll('-', 'x')}`}`);
          return `${from}${moore ? ` (${(idle[at] ?? '').replaceAll('-', 'x')})` : ''}: ${moves.join(', ')}`;
        });
      case 'rows':
        return [
          `| state | ${inputs.map(bitText).join(' | ')} | next state | ${outputs.map(bitText).join(' | ')} |`,
          `|---|${inputs.map(() => '---|').join('')}---|${outputs.map(() => '---|').join('')}`,
          ...transitions.map(({ from, to, inputs: cube, outputs: own }) => `| ${name(from)} | ${[...Array.from(cube), name(to), ...Array.from(own)].join(' | ')} |`),
        ];
    }
  })();
  return [`inputs: clk, rst, ${inputs.map(bitText).join(', ')}`, `outputs: ${outputs.map(bitText).join(', ')}`, '', ...body, '', reset].join('\n');
}
