import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { ElaboratedModule, Port } from '../analysis/module.ts';
import type { ElaboratedPort } from '../tools/vvp-file.ts';

/**
 * The module with the port directions and widths that a compiler elaborated; declarations keep their places. Ports that only the
 * compiler knows (from a macro, say) are placed at the module's name.
 */
export function withElaboratedPorts(module: ElaboratedModule, elaborated: readonly ElaboratedPort[]): ElaboratedModule {
  const known = new Map(module.ports.map((port) => [port.name, port]));
  const ports = elaborated.map((port): Port => {
    const declared = known.get(port.name);
    if (declared !== undefined) return { ...declared, direction: port.direction, width: port.width };
    return { ...port, packed: [], unpacked: [], signed: false, location: module.location };
  });
  return { ...module, ports };
}

/** Whether the compiler's view of the ports agrees with the analysis. */
export function portsAgree(module: ElaboratedModule, elaborated: readonly ElaboratedPort[]): boolean {
  const widths = new Map(elaborated.map((port) => [port.name, `${port.direction} ${String(port.width)}`]));
  return module.ports.length === elaborated.length && module.ports.every((port) => widths.get(port.name) === `${port.direction} ${String(port.width)}`);
}

/** A new directory below `parent`. */
export function freshDir(parent: string, name: string): string {
  return mkdtempSync(path.join(parent, `${name}-`));
}
