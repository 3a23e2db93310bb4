/**
 * Returns the smallest possible difference of two clocks: the other clock was read somewhere between the question and the
 * answer, at which this one differed by so much.
 */
export function leastDifference(whenAskedMs: number, whenAnsweredMs: number): number {
  if (whenAskedMs > 0) return whenAskedMs;
  return whenAnsweredMs < 0 ? whenAnsweredMs : 0;
}
