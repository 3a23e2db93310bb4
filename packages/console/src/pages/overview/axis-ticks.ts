/** More lines would crowd a chart. */
const intervalsMax = 4;

const minutesOfDay = 1440;

/** Returns round numbers from zero to at least the given one, for the lines behind a chart of counts. */
export function countTicks(max: number): number[] {
  const stepMin = Math.max(1, max) / intervalsMax;
  const magnitude = 10 ** Math.floor(Math.log10(stepMin));
  const round = [1, 2, 5, 10].map((factor) => factor * magnitude).find((step) => step >= stepMin);
  // Calls are whole numbers.
  const step = Math.max(1, round ?? stepMin);
  return Array.from({ length: Math.ceil(Math.max(1, max) / step) + 1 }, (_, index) => index * step);
}

/**
 * Returns the indexes of the points that begin a round interval of the reader's day: ten minutes in a chart of minutes,
 * three hours in one of a day, a day in one of a week.
 *
 * @param times in Unix milliseconds, in order
 */
export function timeTicks(times: readonly number[], stepSeconds: number): number[] {
  const minutes = stepSeconds <= 60 ? 10 : times.length * stepSeconds <= 2 * 86_400 ? 180 : minutesOfDay;
  const intervalOf = (at: number) => Math.floor(localMinutes(at) / minutes);
  return times.flatMap((at, index) =>
    intervalOf(at) === intervalOf(at - stepSeconds * 1000) ? [] : [index],
  );
}

/** Minutes of the reader's calendar, which no change to daylight saving time shifts against the clock. */
function localMinutes(at: number): number {
  const date = new Date(at);
  const day = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 60_000;
  return day + date.getHours() * 60 + date.getMinutes();
}
