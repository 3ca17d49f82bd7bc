const port = /^\S+ \.array\/port (\S+), /;
const array = /^(\S+) \.array/;
const innerScope = /^S_\w+ \.scope auto(?:begin|fork)\b/m;

const lostFlag = /^( *%flag_mov \d+, 4;\n)( *%dup\/vec4;\n *%ix\/vec4 \d+;\n)/gm;

/** A compiled `.vvp` file without what the compiler of some releases makes wrong; the files of others stay as they are. */
export function mended(vvpText: string): string {
  return withArraysFirst(withOwnFlags(vvpText));
}

/**
 * An operator assignment such as `v[i] += 1` keeps the flag that says whether its index is unknown: the flag of this index, that is, and not what a comparison before has left
 * there, by which nothing is written at all.
 */
function withOwnFlags(vvpText: string): string {
  return vvpText.replace(lostFlag, '$2$1');
}

/**
 * What reads a word of an array all the time stands behind the array. Where it is before, vvp connects it at the end of the file, as if it were in the
 * scope that was named last; and if that is a block of an automatic task or function, which is named before it is defined, what is read stays unknown for ever.
 */
function withArraysFirst(vvpText: string): string {
  if (!innerScope.test(vvpText)) return vvpText;
  const lines = vvpText.split('\n');
  const arrays = new Map<string, number>();
  lines.forEach((line, at) => {
    const label = array.exec(line)?.[1];
    if (label !== undefined && !port.test(line)) arrays.set(label, at);
  });
  const late = new Map<number, string[]>();
  const kept = lines.map((line, at) => {
    const place = arrays.get(port.exec(line)?.[1] ?? '') ?? -1;
    if (place > at) late.set(place, [...(late.get(place) ?? []), line]);
    return place > at ? undefined : line;
  });
  return kept.flatMap((line, at) => [...(line === undefined ? [] : [line]), ...(late.get(at) ?? [])]).join('\n');
}
