/** Returns a number of rows in words, such as `1 row`. */
export function countRows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}
