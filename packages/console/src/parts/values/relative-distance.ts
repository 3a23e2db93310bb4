const units = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
  ['month', 2_592_000],
  ['year', 31_536_000],
] as const;

/** Returns a difference in the largest unit of which it is at least one after rounding: 1 minute, never 60 seconds. */
export function relativeDistance(differenceMs: number): readonly [number, Intl.RelativeTimeFormatUnit] {
  const seconds = differenceMs / 1000;
  let [unit, size]: (typeof units)[number] = units[0];
  for (const [larger, length] of units) {
    const rounded = Math.abs(Math.round(seconds / size)) * size;
    if (rounded >= length) [unit, size] = [larger, length];
  }
  return [Math.round(seconds / size), unit];
}
