import { NamesInFile, type ResolvedNames, resolveNames } from '@fieldroster/tables';
import type { QueryClient } from '@tanstack/react-query';
import { orgsQuery, rolesQuery } from '../../../api/directory-lists.ts';
import type { Importer } from '../batches/importer.ts';
import type { ColumnFields } from '../job/import-job.ts';
import { userFieldsOf } from './column-fields.ts';
import type { Table } from './read-table.ts';

/** Finds what the names in a file of users stand for now. Reads the lists again even if a page has just read them. */
export async function findNames(
  client: QueryClient,
  { tenant, by }: Importer,
  table: Table,
  fields: ColumnFields,
): Promise<ResolvedNames> {
  const names = new NamesInFile({ mayBeGuarded: true });
  const columns = userFieldsOf(table, fields);
  for (const row of table.rows) names.add(row, columns);
  const resolved = await resolveNames(names, {
    role_id: () => client.fetchQuery({ ...rolesQuery(tenant), staleTime: 0 }),
    org_id: () => client.fetchQuery({ ...orgsQuery(tenant), staleTime: 0 }),
  });
  // The session may be of another operator by now, and the lists were read with it.
  by.signal.throwIfAborted();
  return resolved;
}
