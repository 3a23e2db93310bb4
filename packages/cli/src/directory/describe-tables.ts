interface TableSum {
  readonly table: string;
  readonly rows: number;
  readonly checksum: string;
}

/** Enough to compare two directories by eye; `--json` and the backup itself have the whole checksums. */
const checksumDigitsShown = 16;

/** Returns a line with the rows and the checksum of each table. */
export function describeTables(tables: readonly TableSum[]): string {
  return tables
    .map(({ table, rows, checksum }) => {
      const shown = checksum.slice(0, checksumDigitsShown);
      return `  ${table.padEnd(20)}${String(rows).padStart(10)}  ${shown}\n`;
    })
    .join('');
}
