import { encode, registerLines, registerNames, type Encoding, type MachineControl } from './emit/encoding.ts';
import { bundleText, headerText } from './emit/text.ts';
import type { ModuleInterface } from './interface.ts';
import type { LogicTable, StateTable } from './tables/table.ts';

/**
 * Reference modules that say what a table says, row by row, in another way than the generated module: no minimisation, no equations. What does
 * not matter is x, which a verification does not compare.
 */
export function referenceOfLogic({ inputs, outputs, rows }: LogicTable, module: ModuleInterface): string {
  const own = { ...module, header: undefined };
  const selector = bundleText(inputs, module.ports);
  // Each bit has a statement of its own, so that a row that leaves one output open says nothing about it.
  const statements = outputs.flatMap((bit, at) => {
    const target = bundleText([bit], module.ports.map((port) => ({ ...port, range: undefined })));
    const stated = rows.filter((row) => row.outputs[at] !== '-');
    return [`        casez (${selector})`, ...stated.map((row) => `            ${caseLabel(row.inputs)}: ${target} = 1'b${row.outputs[at] ?? 'x'};`), `            default: ${target} = 1'bx;`, '        endcase'];
  });
  return [headerText(own, new Set(outputs.map(({ port }) => port))), '    always @(*) begin', ...statements, '    end', 'endmodule', ''].join('\n');
}

function caseLabel(cube: string): string {
  return `${cube.length}'b${cube.replaceAll('-', '?')}`;
}

/** The same for a state machine; it shares the state codes, so that a prover can line up the two state registers. */
export function referenceOfMachine(table: StateTable, module: ModuleInterface, control: MachineControl, encoding: Encoding | undefined): string {
  const { inputs, outputs, transitions, idle, resetState } = table;
  const states = encode(table, encoding, module);
  const registers = registerNames(module);
  const width = states[0]?.code.length ?? 1;
  const own = { ...module, header: undefined };
  const code = (index: number | undefined): string => (index === undefined ? `${width}'b${'x'.repeat(width)}` : `${width}'b${states[index]?.code ?? ''}`);
  const target = bundleText(outputs, module.ports);
  const selector = bundleText([{ port: registers[0], index: undefined }, ...inputs], module.ports);
  const row = (state: number, cube: string, to: string, letters: string): string =>
    `            ${width + cube.length}'b${states[state]?.code ?? ''}${cube.replaceAll('-', '?')}: begin ${registers[1]} = ${to}; ${target} = ${outputs.length}'b${letters.replaceAll('-', 'x')}; end`;
  return [
    headerText(own, new Set(outputs.map(({ port }) => port))),
    `    reg [${width - 1}:0] ${registers[0]}, ${registers[1]};`,
    ...registerLines(control, registers, code(resetState)),
    '    always @(*) begin',
    `        casez (${selector})`,
    ...transitions.map((transition) => row(transition.from, transition.inputs, code(transition.to), transition.outputs)),
    ...states.map((_, at) => row(at, '-'.repeat(inputs.length), code(at), idle[at] ?? '')),
    `            default: begin ${registers[1]} = ${code(undefined)}; ${target} = ${outputs.length}'b${'x'.repeat(outputs.length)}; end`,
    '        endcase',
    '    end',
    'endmodule',
    '',
  ].join('\n');
}
