import { ApiError } from '../errors/api-error.ts';

/** As seconds, these are the years 2001 to 2603; as milliseconds, they are in 1970, before any change. */
const plausibleSeconds = { min: 1_000_000_000n, max: 20_000_000_000n };

/** Throws 1001 for a filter by time in seconds, which would list everything or nothing. */
export function requireMilliseconds(times: Readonly<Record<string, bigint | undefined>>): void {
  const { min, max } = plausibleSeconds;
  for (const [name, value] of Object.entries(times)) {
    if (value === undefined || value < min || value > max) continue;
    throw new ApiError(
      1001,
      `${name} must be in milliseconds; ${value} looks like seconds: send ${value * 1000n}`,
    );
  }
}
