const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns a size in the unit that keeps it readable, such as 4.2 MB. */
export function sizeOf(bytes: number): string {
  const power = units.findIndex(
    (_, index) => index === units.length - 1 || Number(written(bytes, index)) < 1000,
  );
  return `${written(bytes, power)} ${units[power]}`;
}

function written(bytes: number, power: number): string {
  return power === 0 ? String(bytes) : (bytes / 1000 ** power).toFixed(1);
}
