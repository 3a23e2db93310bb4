interface TableSum {
  readonly table: string;
  readonly rows: number;
  readonly checksum: string;
}

/** Returns a line with the rows and the checksum of each table. */
export function describeTables(tables: readonly TableSum[]): string {
  return tables
    .map(({ table, rows, checksum }) => `  ${table.padEnd(20)}${String(rows).padStart(10)}  ${checksum}\n`)
    .join('');
}
