import { limits } from '@fieldroster/contract';
import { type Mistake, timeZoneHours } from '@fieldroster/signing';

const { timestampSkewSeconds } = limits;

/** The name of the mistake of sending a finer unit than seconds. */
export const wrongUnit = 'timestamp-header-milliseconds';

const unitsByDigits = new Map([
  [13, 'milliseconds'],
  [16, 'microseconds'],
]);

/** In 2001. No clock shows an earlier time, so an earlier Timestamp is in a wrong unit or a placeholder. */
const plausibleFromSeconds = 1_000_000_000;

/**
 * Names what is wrong with the Timestamp header by the clock of this machine. Explaining a request long after it was
 * sent is not a mistake.
 *
 * @param timestamp decimal digits
 */
export function clockMistake(timestamp: string, nowSeconds: number): Mistake | undefined {
  const unit = unitsByDigits.get(timestamp.length);
  if (unit !== undefined) {
    return { name: wrongUnit, cause: `the Timestamp header is in ${unit}; send and sign seconds` };
  }
  const seconds = Number(timestamp);
  if (seconds < plausibleFromSeconds) {
    return {
      name: 'timestamp-implausible',
      cause: `the Timestamp ${timestamp} is a time in ${new Date(seconds * 1000).getUTCFullYear()}; send the current time, in whole seconds since 1970-01-01 UTC`,
    };
  }
  const difference = seconds - nowSeconds;
  const hours = timeZoneHours(difference, timestampSkewSeconds);
  if (hours !== undefined) {
    return {
      name: 'timestamp-time-zone',
      cause: `the Timestamp is ${Math.abs(hours)} hours ${direction(difference)} this machine's clock, which looks like a time zone; send seconds since 1970-01-01 UTC, not local time`,
    };
  }
  if (difference <= timestampSkewSeconds) return undefined;
  return {
    name: 'timestamp-ahead',
    cause: `the Timestamp is ${difference} seconds ahead of this machine's clock; at most ${timestampSkewSeconds} are accepted, so set the clock`,
  };
}

/** Says that a request is too old to be sent now. */
export function describeLateness(timestamp: string, nowSeconds: number): string | undefined {
  const late = nowSeconds - Number(timestamp);
  if (late <= timestampSkewSeconds) return undefined;
  return `The Timestamp is ${late} seconds behind this machine's clock, and at most ${timestampSkewSeconds} are accepted: sent now, it would be refused.`;
}

function direction(difference: number): string {
  return difference > 0 ? 'ahead of' : 'behind';
}
