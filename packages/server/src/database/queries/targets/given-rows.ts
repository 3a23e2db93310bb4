import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Shared parts of statements whose rows are passed as one JSON text, read by the engine's `rowTable`. */

export interface InTenant extends Record<string, unknown> {
  tenantId: bigint;
}

export interface Given extends InTenant {
  rows: string;
}

/** Refers to a column of the rows passed as JSON. */
export function given<T>(column: string): RawBuilder<T> {
  return sql<T>`${sql.ref(`given.${column}`)}`;
}

/**
 * Returns whether a row has the key of a row of `given`, for a PostgreSQL statement that changes many rows. Finds each
 * row's place by the key's index: with a plain join, PostgreSQL compares each given row with each row of the tenant
 * while it believes the table to be tiny, as it does during the first batch of a new directory. The rows must be
 * locked.
 *
 * @param key the columns of the table's primary key after `tenant_id`
 */
export function isGivenRow(
  table: 'user' | 'user_store',
  tenantId: RawBuilder<bigint>,
  key: readonly string[],
): RawBuilder<SqlBool> {
  const conditions = key.map((column) => sql`${sql.ref(`found.${column}`)} = ${given(column)}`);
  return sql`${sql.ref(`${table}.ctid`)} = (select found.ctid from ${sql.table(table)} as found
    where found.tenant_id = ${tenantId} and ${sql.join(conditions, sql` and `)})`;
}

/** Casts the value, because PostgreSQL would otherwise take it for text in a list of columns. */
export function int64(value: bigint): RawBuilder<bigint> {
  return sql<bigint>`cast(${value} as bigint)`;
}
