import { scopeLine, unquote } from './vvp-file.ts';

const gate = /^(L_\w+) \.functor BUF[TZ] \d+, (?:(C\d*<[^>]*>)|(L_\w+)),/;
const net = /^v\w+ \.net(?:\/\w+)? "((?:[^"\\]|\\.)*)", -?\d+ -?\d+, (L_\w+);/;

/**
 * Nets of a compiled `.vvp` file that nothing but a constant drives, by hierarchical name from the root as in `harness.dut.net`: they
 * keep their first value.
 */
export function readConstantNets(vvpText: string): Set<string> {
  const scopes = new Map<string, string>();
  const constants = new Set<string>();
  const copies: { readonly to: string; readonly from: string }[] = [];
  const nets: { readonly name: string; readonly driver: string }[] = [];
  let current = '';
  for (const line of vvpText.split('\n')) {
    const scope = scopeLine.exec(line);
    if (scope !== null) {
      const [, id = '', , name = '', parent] = scope;
      const above = parent === undefined ? undefined : scopes.get(parent);
      current = above === undefined ? unquote(name) : `${above}.${unquote(name)}`;
      scopes.set(id, current);
      continue;
    }
    const [, label = '', constant, from] = gate.exec(line) ?? [];
    if (constant !== undefined) constants.add(label);
    else if (from !== undefined) copies.push({ to: label, from });
    const [, name, driver] = net.exec(line) ?? [];
    if (name !== undefined && driver !== undefined) nets.push({ name: `${current}.${unquote(name)}`, driver });
  }
  // A copy may stand before what it copies.
  for (let known = -1; known !== constants.size; ) {
    known = constants.size;
    for (const { to, from } of copies) if (constants.has(from)) constants.add(to);
  }
  return new Set(nets.flatMap(({ name, driver }) => (constants.has(driver) ? [name] : [])));
}
