const format = new Intl.NumberFormat('en');

/** Writes a number of things with its thousands apart, which is alike in English and Chinese. */
export function written(count: number): string {
  return format.format(count);
}
