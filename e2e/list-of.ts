import type { ListImport } from '@fieldroster/server/admin';

/** Returns the import of a list into the default tenant. */
export function listOf(columns: readonly string[], rows: readonly (readonly string[])[]): ListImport {
  const records = [columns, ...rows].map((fields, index) => ({ line: index + 1, fields }));
  return { tenant: 'default', file: 'list', records: inOneGroup(records) };
}

async function* inOneGroup<Row>(rows: Row[]): AsyncIterable<Row[]> {
  yield rows;
}
