import type { Direction } from '../analysis/module.ts';

export interface ElaboratedPort {
  readonly name: string;
  readonly direction: Direction;
  /** Bits, as the compiler elaborated them. */
  readonly width: number;
}

/** Label, kind, quoted instance name and label of the parent of a scope. */
export const scopeLine = /^(S_\w+) \.scope ([\w.]+), "((?:[^"\\]|\\.)*)" "(?:[^"\\]|\\.)*"[^;]*?(?:, (S_\w+))?;/;

const directions: Readonly<Record<string, Direction>> = { INPUT: 'input', OUTPUT: 'output', INOUT: 'inout' };

/** The text of a quoted name, in which octal codes and backslashes stand for characters. */
export function unquote(text: string): string {
  return text.replace(/\\([0-7]{3}|.)/g, (_, code: string) => (code.length === 3 ? String.fromCharCode(parseInt(code, 8)) : code));
}

/**
 * Ports of a module instance, read from the text of a compiled `.vvp` file. `scopeName` is the hierarchical name of the
 * instance from the root, as in `harness.dut`. Ports come in declaration order. Undefined when there is no such instance.
 */
export function readElaboratedPorts(vvpText: string, scopeName: string): ElaboratedPort[] | undefined {
  const names = new Map<string, string>();
  let ports: ElaboratedPort[] | undefined;
  let inside = false;
  for (const line of vvpText.split('\n')) {
    const scope = scopeLine.exec(line);
    if (scope !== null) {
      const [, id = '', kind, instance = '', parent] = scope;
      const above = parent === undefined ? undefined : names.get(parent);
      const name = above === undefined ? unquote(instance) : `${above}.${unquote(instance)}`;
      names.set(id, name);
      inside = ports === undefined && kind === 'module' && name === scopeName;
      if (inside) ports = [];
      continue;
    }
    if (!inside) continue;
    const port = /^\s*\.port_info \d+ \/(\w+) (\d+) "((?:[^"\\]|\\.)*)"/.exec(line);
    const direction = directions[port?.[1] ?? ''];
    if (port !== null && direction !== undefined) ports?.push({ name: unquote(port[3] ?? ''), direction, width: Number(port[2]) });
  }
  return ports;
}
