/** The last time that a `Date` can hold, in Unix milliseconds. */
export const dateMsMax = 8_640_000_000_000_000n;
