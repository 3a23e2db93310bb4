/**
 * Processes several items concurrently and yields the results in item order, so that "done up to here"
 * describes the whole progress. Waits for pending work when the items end early or the consumer stops.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncIterable<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // A failure is reported after the results of earlier items.
      result.catch(() => {});
      underWay.push(result);
      if (underWay.length >= atOnce) yield (await underWay.shift()) as Result;
    }
    while (underWay.length > 0) yield (await underWay.shift()) as Result;
  } finally {
    await Promise.allSettled(underWay);
  }
}
