/** Reads what belongs to items before they are wanted, of so many at once, and gives them in their order. `read` must not fail. */
export async function* readAhead<T, R>(items: AsyncIterable<T>, most: number, read: (item: T) => Promise<R>): AsyncGenerator<readonly [item: T, read: R]> {
  const begun: { readonly item: T; readonly result: Promise<R> }[] = [];
  for await (const item of items) {
    begun.push({ item, result: read(item) });
    const first = begun.length < most ? undefined : begun.shift();
    if (first) yield [first.item, await first.result];
  }
  for (const { item, result } of begun) yield [item, await result];
}
