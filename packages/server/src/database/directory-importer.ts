import type { Actor } from './actor.ts';
import type { OrgRecord, RoleRecord, StoreRecord } from './records.ts';

/** Row counts of an import. */
export interface ImportCounts {
  readonly inserted: number;
  /** Rows that already existed, changed or not. */
  readonly updated: number;
  /** How many of the updated rows differed from the file. */
  readonly changed: number;
}

export interface RoleImportCounts extends ImportCounts {
  /** Ids assigned to rows without one, in line order. */
  readonly assignedIds: readonly bigint[];
}

/** A row of an operator's file with its line number, for error messages. */
export type Numbered<Row> = Row & { readonly line: number };

type Chunks<Row> = AsyncIterable<readonly Numbered<Row>[]>;

/**
 * A role to import. A role without an id is given one. Any other absent field stays, or takes its default. A new role,
 * organization or store needs a name.
 */
export interface RoleRow {
  readonly id?: bigint;
  readonly name?: string;
  readonly systemId?: bigint;
  readonly position?: number;
  readonly description?: string;
  /** `''` for a role without a code. */
  readonly code?: string;
}

/** An organization to import. An absent parent stays as it is; `0n` makes the organization a root. */
export interface OrgRow {
  readonly id: bigint;
  readonly name?: string;
  readonly parentId?: bigint;
}

/** A store to create or update; an absent text stays as it is. */
export type StoreRow = Pick<StoreRecord, 'code' | 'name'> & Partial<StoreRecord>;

/** A store to import; an absent text stays as it is. */
export type ImportedStoreRow = Pick<StoreRow, 'code'> & Partial<StoreRow>;

/** The effect that an import would have on a row that is new or differs from the directory. */
export interface ImportChange {
  readonly line: number;
  /** The id or the code. */
  readonly key: string;
  readonly outcome: 'created' | 'updated';
  /** Fields that would change, named as in a file; for a new row, those that would not be empty. */
  readonly fields: readonly { readonly field: string; readonly from: string; readonly to: string }[];
}

/** Receives changes in the order of the file, in groups of bounded size. */
export type ReportChanges = (changes: readonly ImportChange[]) => Promise<void>;

export interface ImportOptions {
  /** If given, changes are reported instead of made. */
  readonly report?: ReportChanges | undefined;
  /** Who imports, for the audit row. */
  readonly actor?: Actor | undefined;
}

export interface StoreImportOptions extends ImportOptions {
  /** Texts that the code of a new store must not have. */
  readonly textsRefusedInCodes?: readonly string[];
}

/**
 * Loads an operator's files. Each call is one transaction of any size; rows arrive in chunks so that a million of them
 * are never in memory at once. Each call throws `ImportRowError` for a repeated id or code, and for a new row without a
 * name. With `report`, it makes the same checks and reports what would change, but imports nothing and delays nobody.
 */
export interface DirectoryImporter {
  importRoles(tenantId: bigint, chunks: Chunks<RoleRow>, options?: ImportOptions): Promise<RoleImportCounts>;
  /** Also throws `ImportRowError` for a missing parent or a cycle. */
  importOrgs(tenantId: bigint, chunks: Chunks<OrgRow>, options?: ImportOptions): Promise<ImportCounts>;
  /** Also throws `ImportRowError` for a new code with a refused text. */
  importStores(
    tenantId: bigint,
    chunks: Chunks<ImportedStoreRow>,
    options?: StoreImportOptions,
  ): Promise<ImportCounts>;
  /** Ordered by id. */
  listRoles(tenantId: bigint): AsyncIterable<RoleRecord>;
  /** Ordered by id. */
  listOrgs(tenantId: bigint): AsyncIterable<OrgRecord>;
  /** Ordered by code. */
  listStores(tenantId: bigint): AsyncIterable<StoreRecord>;
}

/** A row conflicts with another row or with the directory; nothing was imported. */
export class ImportRowError extends Error {
  override readonly name = 'ImportRowError';
  readonly line: number;
  readonly column: string;
  constructor(line: number, column: string, message: string) {
    super(message);
    this.line = line;
    this.column = column;
  }
}
