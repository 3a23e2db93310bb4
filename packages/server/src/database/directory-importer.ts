import type { OrgRecord, RoleRecord, StoreRecord } from './records.ts';

/** Counts of what an import did. */
export interface ImportCounts {
  readonly inserted: number;
  /** Rows that existed before, changed or not. */
  readonly updated: number;
}

export interface RoleImportCounts extends ImportCounts {
  /** Ids given to the rows that came without one, in the order of their lines. */
  readonly givenIds: readonly bigint[];
}

/** A row of an operator's file with the number of its line, by which errors name it. */
export type Numbered<Row> = Row & { readonly line: number };

type Chunks<Row> = AsyncIterable<readonly Numbered<Row>[]>;

/** A role to import; without an id it is given one. Another absent field stays, or takes its default. */
export interface RoleRow {
  readonly id?: bigint;
  readonly name: string;
  readonly systemId?: bigint;
  readonly position?: number;
  readonly description?: string;
  /** `''` for a role without a code. */
  readonly code?: string;
}

/** An organization to import. An absent parent stays as it is; `0n` makes the organization a root. */
export interface OrgRow {
  readonly id: bigint;
  readonly name: string;
  readonly parentId?: bigint;
}

/** A store to import; an absent address stays as it is. */
export type StoreRow = Omit<StoreRecord, 'address'> & { readonly address?: string };

/**
 * Loads an operator's files. Each call is one transaction, however many rows come; the rows arrive in
 * chunks so that a million of them never stand in memory at once. Each throws `ImportRowError` for an id or
 * a code that comes twice.
 */
export interface DirectoryImporter {
  importRoles(tenantId: bigint, chunks: Chunks<RoleRow>): Promise<RoleImportCounts>;
  /** Throws `ImportRowError` also for a parent that does not exist and for a cycle. */
  importOrgs(tenantId: bigint, chunks: Chunks<OrgRow>): Promise<ImportCounts>;
  importStores(tenantId: bigint, chunks: Chunks<StoreRow>): Promise<ImportCounts>;
  /** Ordered by id. */
  listRoles(tenantId: bigint): AsyncIterable<RoleRecord>;
  /** Ordered by id. */
  listOrgs(tenantId: bigint): AsyncIterable<OrgRecord>;
  /** Ordered by code. */
  listStores(tenantId: bigint): AsyncIterable<StoreRecord>;
}

/** A row cannot be imported for what another row, or the directory, holds; nothing was imported. */
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
