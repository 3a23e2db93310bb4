/**
 * Returns a function that says whether to report an event: at most once in each interval, however often the event
 * happens.
 *
 * @param now milliseconds of a clock that does not jump
 */
export function atMostEvery(intervalMs: number, now: () => number = () => performance.now()): () => boolean {
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = now();
    if (nowMs - lastAtMs < intervalMs) return false;
    lastAtMs = nowMs;
    return true;
  };
}
