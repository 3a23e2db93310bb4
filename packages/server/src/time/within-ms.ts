/**
 * Waits for work, but no longer than a time. Late work goes on, and what becomes of it is ignored.
 *
 * @param onLate called when the time is over; what it returns or throws takes the place of the work's result
 */
export function withinMs<T>(work: Promise<T>, timeMs: number, onLate: () => T): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => {
    try {
      late.resolve(onLate());
    } catch (error) {
      late.reject(error);
    }
  }, timeMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
