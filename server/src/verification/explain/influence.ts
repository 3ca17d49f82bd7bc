import type { CodeMap, Element } from '../coverage/code-map.ts';

interface Signal {
  readonly module: string;
  readonly name: string;
}

/** Which elements give a name its value, through instances. Names are numbers, elements are known by their index. */
export class Influence {
  readonly elements: readonly Element[];
  readonly #ids = new Map<string, number>();
  readonly #modules: string[] = [];
  readonly #drivers: number[][] = [];
  /** The other ends of the ports that a name is connected to, downwards and upwards. */
  readonly #connected: number[][] = [];
  readonly #reads: number[][];

  constructor({ elements, instances, ports }: CodeMap) {
    this.elements = elements;
    for (const [index, element] of elements.entries()) for (const name of element.targets) this.#drivers[this.id({ module: element.module, name })]?.push(index);
    this.#reads = elements.map(({ module, reads }) => reads.map((name) => this.id({ module, name })));
    for (const { module: holder, of, connections, wildcard } of instances) {
      const named = connections.map(({ port, names }) => ({ port: typeof port === 'string' ? port : (ports.get(of)?.[port] ?? ''), names }));
      const taken = new Set(named.map(({ port }) => port));
      const implied = wildcard ? (ports.get(of) ?? []).filter((port) => !taken.has(port)).map((port) => ({ port, names: [port] })) : [];
      for (const { port, names } of [...named, ...implied]) {
        for (const name of names) {
          const [outside, inside] = [this.id({ module: holder, name }), this.id({ module: of, name: port })];
          this.#connected[outside]?.push(inside);
          this.#connected[inside]?.push(outside);
        }
      }
    }
  }

  id({ module, name }: Signal): number {
    const key = `${module} ${name}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.#ids.set(key, this.#modules.push(module) - 1);
    this.#drivers.push([]);
    this.#connected.push([]);
    return this.#modules.length - 1;
  }

  drivers(id: number): readonly number[] {
    return this.#drivers[id] ?? [];
  }

  connected(id: number): readonly number[] {
    return this.#connected[id] ?? [];
  }

  reads(element: number): readonly number[] {
    return this.#reads[element] ?? [];
  }

  /** The elements with an influence on a name, and how many assignments away each is; and the names between. */
  cone(from: number): { readonly distances: ReadonlyMap<number, number>; readonly names: ReadonlySet<number> } {
    const distances = new Map<number, number>();
    const names = new Set<number>();
    let level = [from];
    for (let distance = 0; level.length > 0; distance++) {
      const next: number[] = [];
      // What is reached through ports is as near as the name itself.
      for (let at = level.pop(); at !== undefined; at = level.pop()) {
        if (names.has(at)) continue;
        names.add(at);
        level.push(...this.connected(at));
        for (const element of this.drivers(at)) {
          if (distances.has(element)) continue;
          distances.set(element, distance);
          next.push(...this.reads(element));
        }
      }
      level = next;
    }
    return { distances, names };
  }
}
