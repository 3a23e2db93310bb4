import { type ColumnDefinitionBuilder, type CreateTableBuilder, type RawBuilder, sql } from 'kysely';
import type { Engine } from '../../queries/session.ts';

/** The few differences between the two engines in defining a table. */
export interface ColumnTypes {
  readonly int64: RawBuilder<unknown>;
  /** Text that compares and sorts by code point on both engines. */
  readonly text: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** Defines a key that the engine generates by counting up. */
  generatedKey(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Stores the rows in primary key order, if the engine can. */
  clustered<T extends CreateTableBuilder<string, string>>(table: T): T;
  /** Makes the engine reject values of another type, if it does not do so anyway. */
  strict<T extends CreateTableBuilder<string, string>>(table: T): T;
}

const sqlite: ColumnTypes = {
  int64: sql`integer`,
  text: sql`text`,
  bytes: sql`blob`,
  generatedKey: (column) => column.primaryKey().autoIncrement(),
  clustered: (table) => table.modifyEnd(sql`strict, without rowid`) as typeof table,
  strict: (table) => table.modifyEnd(sql`strict`) as typeof table,
};

const postgres: ColumnTypes = {
  int64: sql`bigint`,
  text: sql`text collate "C"`,
  bytes: sql`bytea`,
  generatedKey: (column) => column.generatedByDefaultAsIdentity().primaryKey(),
  clustered: (table) => table,
  strict: (table) => table,
};

export function columnTypesOf(engine: Engine['name']): ColumnTypes {
  return engine === 'sqlite' ? sqlite : postgres;
}
