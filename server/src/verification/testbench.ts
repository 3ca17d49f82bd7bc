import type { LoadedDesign } from '../analysis/design.ts';
import { connectPort } from './array-ports.ts';
import { escapedIdentifier } from './harness/naming.ts';
import { paceOf } from './harness/pace.ts';
import { commonTimescale } from './source-scan.ts';
import type { Recording } from './witness.ts';

/**
 * A self-checking testbench in Verilog-2001 that stands alone: it instantiates the DUT, applies the recorded stimulus and
 * compares with what the golden answered; unknown bits of the golden are not compared unless the recording is strict. It ends with `PASS` or `FAIL` and the
 * number of mismatches.
 */
export function toTestbench({ layout, steps, compareFrom, unknowns }: Recording, dut: LoadedDesign, goldenName: string): string {
  const width = (bits: number): string => (bits === 1 ? '' : `[${String(bits - 1)}:0] `);
  const inputs = layout.fields.filter((field) => field.role !== 'inout-enable');
  const inputNet = new Map(inputs.map((field, index) => [field.port, `in_${String(index)}`]));
  const outputs = layout.observed.map((port, index) => ({ ...port, net: `out_${String(index)}`, expected: `expected_${String(index)}` }));
  const declarations = [
    ...inputs.map((field) => `  reg  ${width(field.width)}${inputNet.get(field.port) ?? ''}; // ${field.port}`),
    ...outputs.map((port) => `  wire ${width(port.width)}${port.net}; // ${port.port}`),
    ...outputs.map((port) => `  reg  ${width(port.width)}${port.expected};`),
    ...outputs.filter((port) => port.inout).map((port) => `  assign ${port.net} = ${inputNet.get(port.port) ?? ''};`),
  ];
  const unpacked = new Map(dut.module.ports.map((port) => [port.name, port.unpacked]));
  const connected = [
    ...inputs.filter((field) => field.role !== 'inout').map((field) => ({ ...field, net: inputNet.get(field.port) ?? '', isInput: true })),
    ...outputs.map((port) => ({ ...port, isInput: false })),
  ].map(({ port, net, width: bits, isInput }) => ({ port, ...connectPort(net, { isInput, width: bits, unpacked: unpacked.get(port) ?? [] }) }));
  declarations.push(...connected.flatMap((port) => port.declarations));
  const connections = connected.map(({ port, net }) => `.${escapedIdentifier(port)}(${net})`);
  const overrides = Object.entries(dut.input.parameters ?? {}).map(([name, value]) => `.${escapedIdentifier(name)}(${value})`);
  const checks = outputs.map(({ port, expected, net }) => {
    const answer = unknowns === 'strict' ? net : `(${expected} ^ ${net} ^ ${expected})`;
    return `      check("${port.replace(/["\\]/g, '')}", ${expected} === ${answer});`;
  });
  const pace = paceOf(layout, commonTimescale(dut.sources.map((source) => source.text)));
  const clocks = new Set(layout.fields.filter(({ role }) => role === 'clock').map(({ port }) => port));
  const lastInputs = new Map<string, string>();
  const lastExpected = new Map<string, string>();
  const body = steps.flatMap((step, index) => {
    const assignments: string[] = [];
    const idle: string[] = [];
    for (const [port, value] of Object.entries(step.inputs)) {
      if (lastInputs.get(port) === value) continue;
      lastInputs.set(port, value);
      const assignment = `${inputNet.get(port) ?? ''} = ${String(value.length)}'b${value};`;
      if (index === 0 && clocks.has(port)) idle.push(assignment);
      else assignments.push(assignment);
    }
    if (idle.length > 0) assignments.push(`#${String(pace.settle)} ${idle.join(' ')}`);
    const isCompared = step.step >= compareFrom;
    for (const port of isCompared ? outputs : []) {
      const value = step.expected[port.port] ?? '';
      if (lastExpected.get(port.port) === value) continue;
      lastExpected.set(port.port, value);
      assignments.push(`${port.expected} = ${String(port.width)}'b${value};`);
    }
    return [`    ${[...assignments, isCompared ? 'step;' : `#${String(pace.settle)} samples = samples + 1;`].join(' ')}`];
  });
  return `${pace.timescale}// Checks '${dut.module.name}' against the answers of '${goldenName}'. Compile it together with the sources of '${dut.module.name}'.
module rtl_copilot_testbench;
${declarations.join('\n')}
  integer mismatches, samples;
  ${escapedIdentifier(dut.module.name)}${overrides.length === 0 ? '' : `#(${overrides.join(', ')}) `}dut (${connections.join(', ')});

  task check(input [8*64-1:0] name, input equal);
    if (equal !== 1'b1) begin
      mismatches = mismatches + 1;
      if (mismatches <= 10) $display("mismatch at sample %0d, time %0t: output %0s", samples, $time, name);
    end
  endtask

  task step;
    begin
      #${String(pace.settle)};
${checks.join('\n')}
      samples = samples + 1;
    end
  endtask

  initial begin
    mismatches = 0;
    samples = 0;
${pace.start}${body.join('\n')}
    if (mismatches == 0) $display("PASS: %0d samples", samples);
    else $display("FAIL: %0d mismatches in %0d samples", mismatches, samples);
    $finish;
  end
endmodule
`;
}
