/**
 * Works on several items at once, and gives the results in the order of the items, so that "done up to here" says
 * all there is to say. Whatever is under way is waited for when the items end early or a result is not taken.
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
      // Its failure is told when its turn comes.
      result.catch(() => {});
      underWay.push(result);
      if (underWay.length >= atOnce) yield (await underWay.shift()) as Result;
    }
    while (underWay.length > 0) yield (await underWay.shift()) as Result;
  } finally {
    await Promise.allSettled(underWay);
  }
}
