const stepSeconds = 30 * 60;
const hoursMax = 14;

/**
 * Returns how many hours a clock is off if it looks like a time zone that was counted by mistake: a whole number
 * of half hours, from one hour to fourteen. Negative when the clock is behind.
 *
 * @param differenceSeconds the timestamp minus the right time
 * @param toleranceSeconds how far a clock may be off in any case
 */
export function timeZoneHours(differenceSeconds: number, toleranceSeconds: number): number | undefined {
  const steps = Math.round(differenceSeconds / stepSeconds);
  const hours = (steps * stepSeconds) / 3600;
  if (Math.abs(hours) < 1 || Math.abs(hours) > hoursMax) return undefined;
  return Math.abs(differenceSeconds - steps * stepSeconds) <= toleranceSeconds ? hours : undefined;
}
