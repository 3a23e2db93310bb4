import { type RawBuilder, sql } from 'kysely';

/** What statements share whose rows travel as one JSON text, read by the engine's `rowTable`. */

export interface InTenant extends Record<string, unknown> {
  tenantId: bigint;
}

export interface Given extends InTenant {
  rows: string;
}

/** A column of the rows that travelled as JSON. */
export function given<T>(column: string): RawBuilder<T> {
  return sql<T>`${sql.ref(`given.${column}`)}`;
}

/** PostgreSQL would otherwise take a value in a list of columns for a text. */
export function int64(value: bigint): RawBuilder<bigint> {
  return sql<bigint>`cast(${value} as bigint)`;
}
