import { watchedValue } from '../../api/watched-value.ts';

/** How many parts of the shown page are still loading. */
export const partsUnderWay = watchedValue(0);

/** Counts a part for as long as it loads. */
export async function whileUnderWay<Part>(load: () => Promise<Part>): Promise<Part> {
  // React calls this while it renders. Changing the count then would render the loading bar in the middle of it.
  await undefined;
  partsUnderWay.write(partsUnderWay.read() + 1);
  try {
    return await load();
  } finally {
    partsUnderWay.write(partsUnderWay.read() - 1);
  }
}
