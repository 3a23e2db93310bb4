import { notMilliseconds } from '../directory/not-milliseconds.ts';
import { ApiError } from '../errors/api-error.ts';
import { readDate } from '../time/read-date.ts';

type Times = Readonly<Record<string, bigint | undefined>>;

/**
 * Times that clients take for milliseconds. As seconds and microseconds, these are the years 2001 to 2603, as
 * nanoseconds up to 2255; as milliseconds, they are in 1970, before any change, or far in the future.
 */
const otherUnits = [
  { unit: 'seconds', min: 10n ** 9n, max: 2n * 10n ** 10n, toMs: (value: bigint) => value * 1000n },
  { unit: 'microseconds', min: 10n ** 15n, max: 2n * 10n ** 16n, toMs: (value: bigint) => value / 1000n },
  { unit: 'nanoseconds', min: 10n ** 18n, max: 9n * 10n ** 18n, toMs: (value: bigint) => value / 1_000_000n },
] as const;

/** Throws 1001 for a filter by time in another unit, or by a date in digits, which would list everything or nothing. */
export function requireMilliseconds(times: Times): void {
  for (const [name, value] of given(times)) {
    const dateMs = readDate(String(value));
    if (dateMs !== undefined) throw notMilliseconds(name, String(value), dateMs);
    const found = otherUnits.find(({ min, max }) => value >= min && value <= max);
    if (found === undefined) continue;
    throw new ApiError(
      1001,
      `${name} must be in milliseconds; ${value} looks like ${found.unit}: send ${found.toMs(value)}`,
    );
  }
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Throws 1001 for a list that begins in the future: it would be empty, as if nothing had changed. The day is for
 * clients whose clock is wrong, or whose time is that of another zone, which is rarely off by more.
 */
export function requireBegun(times: Times, nowMs: number): void {
  for (const [name, value] of given(times)) {
    if (value <= BigInt(nowMs + dayMs)) continue;
    throw new ApiError(
      1001,
      `${name} is ${value}, more than a day ahead of the server's clock, which is at ${nowMs}; send an earlier time, in milliseconds`,
    );
  }
}

function given(times: Times): (readonly [name: string, value: bigint])[] {
  return Object.entries(times).filter((entry): entry is [string, bigint] => entry[1] !== undefined);
}
