/** Writes a time in the reader's zone as a field of the type `datetime-local` has it, to the minute. */
export function toLocalTime(ms: number): string {
  const zoneMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - zoneMs).toISOString().slice(0, 16);
}

/** Names the reader's zone as it is at a time, which daylight saving may change, such as `GMT+1`. */
export function zoneNameAt(ms: number, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }).formatToParts(ms);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Reads such a field as Unix milliseconds; `undefined` when it is empty. */
export function fromLocalTime(text: string): number | undefined {
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}
