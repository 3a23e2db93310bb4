/** Writes a time in the reader's zone as a field of the type `datetime-local` has it, to the minute. */
export function toLocalTime(ms: number): string {
  const zoneMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - zoneMs).toISOString().slice(0, 16);
}

/** Reads such a field as Unix milliseconds; `undefined` when it is empty. */
export function fromLocalTime(text: string): number | undefined {
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}
