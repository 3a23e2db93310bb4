import type { Row, Table, TableSummary } from '../../database/queries/imports/table-summarizer.ts';
import { OperatorError } from '../../errors/operator-error.ts';

export const formatName = 'fieldroster backup';

/** Version of the format. Increase it with a change that earlier releases cannot read. */
export const formatVersion = 1;

/**
 * First line of a backup. A backup is one zstd stream of JSON lines: a {@link HeaderLine}; for each table a
 * {@link TableLine} and its rows as arrays of cells in key order; a {@link ManifestLine} at the end. It does not depend
 * on the engine. The end of the manifest is the end of the backup, so a truncated file has none.
 */
export interface BackupHeader {
  readonly format: string;
  readonly version: number;
  /** Release of the command that made it. */
  readonly release: string;
  /** Migrations of the tables, in order. */
  readonly migrations: readonly string[];
  readonly engine: 'sqlite' | 'postgres';
  /** The moment that it captures, in ISO 8601: the backup contains every write acknowledged before. */
  readonly at: string;
  /** Last assigned user id, in decimal digits. */
  readonly last_user_id: string;
  /** Its tables, referenced ones first. */
  readonly table_names: readonly Table[];
}

export interface BackupManifest extends BackupHeader {
  readonly tables: readonly TableSummary[];
}

export interface HeaderLine {
  readonly header: BackupHeader;
}

export interface TableLine {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface ManifestLine {
  readonly manifest: BackupManifest;
}

/** A value of a row. Integers that a double cannot hold, and bytes, are objects. */
type Cell = string | number | null | { readonly int: string } | { readonly bytes: string };

/** Thrown when a file cannot be restored; the message names it and says why. */
export class BackupFileError extends OperatorError {
  override readonly name = 'BackupFileError';
}

/** Returns the row's line without its line feed. */
export function encodeRow(row: Row, columns: readonly string[]): string {
  return JSON.stringify(columns.map((column) => encodeCell(row[column])));
}

/** @throws {TypeError} when the line has other columns, or something other than cells */
export function decodeRow(cells: readonly unknown[], columns: readonly string[]): Row {
  if (cells.length !== columns.length) throw new TypeError(`a row has ${cells.length} cells`);
  return Object.fromEntries(columns.map((column, index) => [column, decodeCell(cells[index] as Cell)]));
}

function encodeCell(value: unknown): Cell {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { int: String(value) };
  }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  throw new TypeError(`a backup cannot store a value of type ${typeof value}`);
}

function decodeCell(cell: Cell): unknown {
  if (cell === null || typeof cell === 'string') return cell;
  if (typeof cell === 'number') return BigInt(cell);
  const { int, bytes }: { readonly int?: unknown; readonly bytes?: unknown } = cell;
  // Somebody may have tampered with the file, and converting millions of digits would take hours.
  if (typeof int === 'string' && /^-?\d{1,19}$/.test(int)) return BigInt(int);
  if (typeof bytes === 'string') return Buffer.from(bytes, 'base64');
  throw new TypeError('a row contains a cell that cannot occur in a backup');
}
