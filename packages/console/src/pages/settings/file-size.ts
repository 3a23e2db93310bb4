const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns a size in the unit that keeps it readable, such as 4.2 MB. */
export function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}
