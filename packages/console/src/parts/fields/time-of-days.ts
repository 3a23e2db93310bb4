import { startOfDay } from './start-of-day.ts';

/** First and last day in the reader's zone, such as `2026-01-31`. */
export interface Days {
  readonly from?: string;
  readonly until?: string;
}

/** Returns the time that the days take, in Unix milliseconds, as the console's operations ask for it. */
export function timeOfDays({ from, until }: Days): { since?: number; until?: number } {
  return {
    ...(from !== undefined && { since: startOfDay(from, 0) }),
    ...(until !== undefined && { until: startOfDay(until, 1) }),
  };
}
