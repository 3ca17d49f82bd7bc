import type { LoadedDesign } from '../analysis/design.ts';
import type { Port } from '../analysis/module.ts';
import { escapedIdentifier } from './harness/naming.ts';

export interface WrapperText {
  /** Begins the name of the new module and of its file. */
  readonly kind: string;
  /** Items of the new module. */
  readonly items: readonly string[];
  /** What an input of the design gets; its own value unless given. */
  readonly input?: (port: Port, name: string) => string;
  /** What an output answers, of what the design's own is; both are names. */
  readonly output: (port: Port, own: string) => string;
}

/**
 * A design in a module of its own with the same ports, which changes what it is given and what it answers. Undefined where ports cannot be
 * passed on, or where the sources have the name already.
 */
export function wrapDesign(design: LoadedDesign, { kind, items, input = (_, name) => name, output }: WrapperText): LoadedDesign | undefined {
  const { module, sources } = design;
  if (module.ports.some(({ width, unpacked, direction }) => width === undefined || unpacked.length > 0 || direction === 'inout')) return undefined;
  const name = `rtl_copilot_${kind}_${module.name.replace(/\W/g, '_')}`;
  if (sources.some(({ text }) => text.includes(name))) return undefined;
  const ports = module.ports.map((port) => {
    const id = escapedIdentifier(port.name);
    return { port, id, range: port.width === 1 ? '' : `[${String((port.width ?? 1) - 1)}:0] `, own: escapedIdentifier(`${port.name}.inner`) };
  });
  const overrides = Object.entries(design.input.parameters ?? {}).map(([parameter, value]) => `.${escapedIdentifier(parameter)}(${value})`);
  const outputs = ports.filter(({ port }) => port.direction === 'output');
  const text = [
    `module ${name} (${ports.map(({ port, range, id }) => `${port.direction} ${port.signed ? 'signed ' : ''}${range}${id}`).join(', ')});`,
    ...outputs.map(({ range, own }) => `  wire ${range}${own};`),
    ...items.map((item) => `  ${item}`),
    `  ${escapedIdentifier(module.name)}${overrides.length === 0 ? '' : `#(${overrides.join(', ')}) `}inner (${ports.map(({ port, id, own }) => `.${id}(${port.direction === 'input' ? input(port, id) : own})`).join(', ')});`,
    ...outputs.map(({ port, id, own }) => `  assign ${id}= ${output(port, own)};`),
    'endmodule',
    '',
  ].join('\n');
  return { ...design, module: { ...module, name }, input: { ...design.input, parameters: {} }, sources: [...sources, { file: `${design.input.file}.${kind}.sv`, text }] };
}

/** Unknown in every bit of a port. */
export function unknownOf({ width }: Pick<Port, 'width'>): string {
  return `{${String(width ?? 1)}{1'bx}}`;
}
