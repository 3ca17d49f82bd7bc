const port = /^\S+ \.array\/port (\S+), /;
const array = /^(\S+) \.array/;
const innerScope = /^S_\w+ \.scope auto(?:begin|fork)\b/m;

/**
 * A compiled `.vvp` file with what reads a word of an array all the time behind the array. Where it stands before, vvp connects it at the end of the file, as if it were in the
 * scope that was named last; and if that is a block of an automatic task or function, which is named before it is defined, what is read stays unknown for ever.
 */
export function withArraysFirst(vvpText: string): string {
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
