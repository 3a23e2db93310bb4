import { sql } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Returns a table's tenant as an expression, for joining many rows to others by tenant and key. Compared with the column,
 * PostgreSQL would also know the tenant of the joined rows, and read all of them again for each row as long as it
 * believes that there are few.
 */
export function tenantToJoin(table: keyof Schema) {
  return sql<bigint>`${sql.ref(`${table}.tenant_id`)} + 0`;
}
