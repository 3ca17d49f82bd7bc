import type { Clocking, Port } from '../../analysis/module.ts';

export type FieldRole =
  /** An input that carries no clock; resets are data too, so that they also move between clock edges. */
  | 'data'
  /** The value driven into an inout while its enable is 1. */
  | 'inout'
  /** One bit: whether the harness drives the inout of the same port. */
  | 'inout-enable'
  | 'clock';

/** A slice of a stimulus row. */
export interface Field {
  readonly port: string;
  readonly role: FieldRole;
  readonly width: number;
  /** Bit position of the field's least significant bit within the row. */
  readonly offset: number;
  /** For a clock, the levels at which its bits stand before the first row, most significant bit first: those that its active edges lead away from. */
  readonly idle?: string;
}

export interface ObservedPort {
  readonly port: string;
  readonly width: number;
  /** Bit position of the port's least significant bit within a trace sample. */
  readonly offset: number;
  readonly inout: boolean;
}

/**
 * Where each port lives in a stimulus row and in a trace sample. Data fields fill the low bits of a row, clock fields the high
 * bits, so that the harness applies either group with one assignment.
 */
export interface Layout {
  readonly fields: readonly Field[];
  readonly dataBits: number;
  readonly clockBits: number;
  /** Bytes of one stimulus row, most significant byte first; at least 1. */
  readonly rowBytes: number;
  readonly observed: readonly ObservedPort[];
  readonly observedBits: number;
  /** Samples that one row leaves in a trace: 1 without clocks, else 2 (inputs settled; clocks moved). */
  readonly samplesPerRow: 1 | 2;
}

/** A port whose width is known; everything after the interface check works on these. */
export interface SizedPort extends Port {
  readonly width: number;
}

/** Lays out the ports of the golden; a port that is a clock in `clocking` is driven as one. */
export function layOut(ports: readonly SizedPort[], clocking: Pick<Clocking, 'clocks'>): Layout {
  const clockPorts = new Set(clocking.clocks.map((clock) => clock.port));
  const fields: Field[] = [];
  let offset = 0;
  const add = (port: string, role: FieldRole, width: number, idle?: string): void => {
    fields.push({ port, role, width, offset, ...(idle === undefined ? {} : { idle }) });
    offset += width;
  };
  for (const port of ports) {
    if (port.direction === 'input' && !clockPorts.has(port.name)) add(port.name, 'data', port.width);
    if (port.direction === 'inout') {
      add(port.name, 'inout', port.width);
      add(port.name, 'inout-enable', 1);
    }
  }
  const dataBits = offset;
  for (const port of ports) {
    if (port.direction === 'input' && clockPorts.has(port.name)) add(port.name, 'clock', port.width, idleLevels(port, clocking.clocks));
  }
  const observed: ObservedPort[] = [];
  let observedBits = 0;
  for (const port of ports) {
    if (port.direction === 'input') continue;
    observed.push({ port: port.name, width: port.width, offset: observedBits, inout: port.direction === 'inout' });
    observedBits += port.width;
  }
  return {
    fields,
    dataBits,
    clockBits: offset - dataBits,
    rowBytes: Math.max(1, Math.ceil(offset / 8)),
    observed,
    observedBits,
    samplesPerRow: offset > dataBits ? 2 : 1,
  };
}

/** High for what moves at falling edges alone, else low. */
function idleLevels({ name, width }: SizedPort, clocks: Clocking['clocks']): string {
  const levels = Array.from({ length: width }, () => '0');
  for (const clock of clocks) {
    if (clock.port === name && clock.edges.length > 0 && !clock.edges.includes('posedge')) levels[width - 1 - (clock.bit ?? 0)] = '1';
  }
  return levels.join('');
}

/** The level at which a bit of a row stands before the first row: of clocks alone it is known. */
export function idleBit(layout: Layout, position: number): 0 | 1 {
  const field = layout.fields.find(({ offset, width }) => position >= offset && position < offset + width);
  return field?.idle?.[field.width - 1 - (position - field.offset)] === '1' ? 1 : 0;
}

/** The idle levels of all clocks, most significant bit of the row first. */
export function idleClocks(layout: Layout): string {
  return layout.fields.map(({ idle }) => idle ?? '').reverse().join('');
}
