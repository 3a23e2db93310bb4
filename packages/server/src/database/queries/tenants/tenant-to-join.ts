import { sql } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * Returns a table's tenant as an expression, for joining many rows to others by tenant and key.
 * If the column itself were compared, PostgreSQL would infer the tenant of the joined rows,
 * and would read all of them again for each row while it believes that there are few.
 */
export function tenantToJoin(table: keyof Schema) {
  return sql<bigint>`${sql.ref(`${table}.tenant_id`)} + 0`;
}
