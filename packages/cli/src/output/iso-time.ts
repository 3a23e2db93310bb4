/** Writes a time in Unix milliseconds in ISO 8601, as every command shows times. */
export function isoTime(atMs: number | bigint): string {
  return new Date(Number(atMs)).toISOString();
}

/** Writes a time in whole Unix seconds, without milliseconds. */
export function isoTimeOfSeconds(seconds: number): string {
  return isoTime(seconds * 1000).replace('.000Z', 'Z');
}

/** Writes what has no time as `null`, as JSON does. */
export function isoTimeOrNull(atMs: number | undefined): string | null {
  return atMs === undefined ? null : isoTime(atMs);
}
