/** Types that a cell of a row may hold. */
export type Cell = bigint | number | string | null;

/**
 * Writes rows as the JSON text that the engine's `rowTable` reads. Knowing the types of cells makes it several times
 * faster than the general writer. A bigint keeps every digit.
 */
export function rowsToJson(rows: readonly (readonly Cell[])[]): string {
  let json = '[';
  for (const row of rows) {
    json += json.length > 1 ? ',[' : '[';
    for (let index = 0; index < row.length; index++) {
      const cell = row[index] as Cell;
      if (index > 0) json += ',';
      json += typeof cell === 'string' ? JSON.stringify(cell) : String(cell);
    }
    json += ']';
  }
  return `${json}]`;
}
