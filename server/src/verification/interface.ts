import type { ElaboratedModule, Port } from '../analysis/module.ts';
import { arrayMismatch } from './array-ports.ts';
import type { SizedPort } from './stimulus/layout.ts';
import type { InterfaceIssue } from './verdict.ts';

export type InterfaceMatch =
  | { readonly kind: 'matched'; readonly ports: readonly SizedPort[] }
  | { readonly kind: 'mismatch'; readonly issues: readonly InterfaceIssue[] };

/**
 * Compares the ports of both sides by name, direction and width. Order does not matter. A port that differs only in case or is a
 * likely alias is proposed in the message and never assumed. The matched list is the golden's, in its order.
 */
export function matchInterfaces(golden: ElaboratedModule, dut: ElaboratedModule): InterfaceMatch {
  const issues: InterfaceIssue[] = [];
  const ports: SizedPort[] = [];
  const names = golden.name === dut.name ? { golden: 'the reference', dut: 'the DUT' } : { golden: `'${golden.name}'`, dut: `'${dut.name}'` };
  const dutPorts = new Map(dut.ports.map((port) => [port.name, port]));
  const goldenNames = new Set(golden.ports.map((port) => port.name));
  const extras = dut.ports.filter((port) => !goldenNames.has(port.name));
  for (const port of golden.ports) {
    const twin = dutPorts.get(port.name);
    if (twin === undefined) {
      issues.push({
        kind: 'missing-in-dut',
        port: port.name,
        message: sentence(`${names.dut} has no ${port.direction} port '${port.name}'${proposal(port, extras)}.`),
        dut: dut.location,
        golden: port.location,
      });
      continue;
    }
    const issue = compareDeclarations(port, twin, names);
    if (issue !== undefined) issues.push(issue);
    else if (port.width !== undefined) ports.push({ ...port, width: port.width });
  }
  for (const port of extras) {
    issues.push({
      kind: 'extra-in-dut',
      port: port.name,
      message: sentence(`${names.dut} has the ${port.direction} port '${port.name}', which ${names.golden} does not have.`),
      dut: port.location,
      golden: golden.location,
    });
  }
  return issues.length > 0 ? { kind: 'mismatch', issues } : { kind: 'matched', ports };
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** How the two modules are called in a message: by their names, or, where these are equal, by their parts. */
type SideNames = Readonly<Record<'golden' | 'dut', string>>;

function compareDeclarations(port: Port, twin: Port, names: SideNames): InterfaceIssue | undefined {
  const places = { port: port.name, dut: twin.location, golden: port.location };
  if (port.direction !== twin.direction) {
    return {
      kind: 'direction',
      message: `'${port.name}' is an ${twin.direction} in ${names.dut} and an ${port.direction} in ${names.golden}.`,
      ...places,
    };
  }
  if (port.width === undefined || twin.width === undefined) {
    const side = port.width === undefined ? names.golden : names.dut;
    return { kind: 'unsupported', message: `The width of port '${port.name}' of ${side} could not be determined.`, ...places };
  }
  const isArray = port.unpacked.length > 0 || twin.unpacked.length > 0;
  if (isArray && port.direction === 'inout') return { kind: 'unsupported', message: `'${port.name}' is a bidirectional array, which cannot be driven here; make it a vector on both sides.`, ...places };
  const unlike = isArray ? arrayMismatch({ ...port, width: port.width }, { ...twin, width: twin.width }, names) : undefined;
  if (unlike !== undefined) return { kind: 'width', message: `'${port.name}' ${unlike}.`, ...places };
  if (port.width !== twin.width) {
    return {
      kind: 'width',
      message: `'${port.name}' has ${bits(twin.width)} in ${names.dut} and ${bits(port.width)} in ${names.golden}.`,
      ...places,
    };
  }
  return undefined;
}

function bits(width: number): string {
  return width === 1 ? '1 bit' : `${String(width)} bits`;
}

/** Spellings of the same role that people use interchangeably. */
const ALIASES: readonly ReadonlySet<string>[] = [
  new Set(['clk', 'clock', 'i_clk', 'clk_i', 'clk_in']),
  new Set(['rst', 'reset', 'i_rst', 'rst_i', 'areset', 'arst']),
  new Set(['rst_n', 'reset_n', 'resetn', 'rstn', 'nreset', 'nrst', 'aresetn', 'rst_ni']),
  new Set(['en', 'enable', 'ena', 'ce']),
];

function proposal(port: Port, extras: readonly Port[]): string {
  const lower = port.name.toLowerCase();
  const alias = ALIASES.find((group) => group.has(lower));
  const twin = extras.find((extra) => {
    const name = extra.name.toLowerCase();
    return extra.direction === port.direction && (name === lower || alias?.has(name) === true);
  });
  return twin === undefined ? '' : ` (its port '${twin.name}' may be meant)`;
}
