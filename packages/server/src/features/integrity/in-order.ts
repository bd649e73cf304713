/**
 * Works on so many items at a time, and yields the results in the order of the items. When the consumer stops or work
 * fails, waits for all work that has begun.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, undefined> {
  const begun: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // Handled when it is awaited.
      result.catch(() => {});
      begun.push(result);
      if (begun.length < atOnce) continue;
      yield await (begun.shift() as Promise<Result>);
    }
    for (const result of begun) yield await result;
  } finally {
    await Promise.allSettled(begun);
  }
}
