import { createHash } from 'node:crypto';
import type { Schema } from '../schema.ts';

/** A table that copies and backups carry. */
export type Table = keyof Schema;

export type Row = Record<string, unknown>;

/** A table's row count, and a digest of its rows in key order. */
export interface TableSummary {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 in hexadecimal; equal rows give equal checksums on both engines. */
  readonly checksum: string;
}

/** Summarizes a table from its rows in key order. */
export class TableSummarizer {
  readonly #table: Table;
  readonly #digest = createHash('sha256');
  #rows = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  add(rows: readonly Row[]): void {
    this.#digest.update(textOf(rows.filter((row) => !isEnginesOwn(this.#table, row))));
    this.#rows += rows.length;
  }

  /** Ends the summary; nothing can be added afterwards. */
  summary(): TableSummary {
    return { table: this.#table, rows: this.#rows, checksum: this.#digest.digest('hex') };
  }
}

/** PostgreSQL counts user ids in a sequence, so this counter differs between equal directories. */
function isEnginesOwn(table: Table, row: Row): boolean {
  return table === 'counter' && row.name === 'user_id';
}

/** Returns a line for each row of a table, the same on both engines. */
function textOf(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {}).sort();
  return rows
    .map((row) => `${JSON.stringify(columns.map((column) => [column, encode(row[column])]))}\n`)
    .join('');
}

function encode(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
