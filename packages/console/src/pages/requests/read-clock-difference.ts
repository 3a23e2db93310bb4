import type { ClockDifference, WrongTime } from '../../i18n/en/requests.ts';

const monthMinutes = 30 * 24 * 60;

/**
 * Reads the difference from the answer to a request that came too early or too late. Returns nothing below two minutes,
 * because seconds are clear enough, and above a month, because no clock is so wrong: the timestamp has another unit.
 */
export function readClockDifference(message: string): ClockDifference | undefined {
  const [, seconds = '', direction = ''] = / is (\d{3,8}) seconds (behind|ahead of) /.exec(message) ?? [];
  const minutes = Math.round(Number(seconds) / 60);
  if (minutes < 2 || minutes > monthMinutes) return undefined;
  return { direction: direction === 'behind' ? 'behind' : 'ahead', minutes };
}

const wrongTimes: readonly WrongTime[] = ['time zone', 'milliseconds', 'microseconds'];

/** Reads what the server took the timestamp for; `undefined` if it looks like the time of a clock that is off. */
export function readWrongTime(message: string): WrongTime | undefined {
  return wrongTimes.find(
    (wrong) => message.includes(`like a ${wrong}: send`) || message.includes(`like ${wrong}, send`),
  );
}
