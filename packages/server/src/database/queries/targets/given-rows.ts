import { type RawBuilder, sql } from 'kysely';

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

/** Casts the value, because PostgreSQL would otherwise take it for text in a list of columns. */
export function int64(value: bigint): RawBuilder<bigint> {
  return sql<bigint>`cast(${value} as bigint)`;
}
