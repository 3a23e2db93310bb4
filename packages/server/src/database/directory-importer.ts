import type { OrgRecord, RoleRecord, StoreRecord } from './records.ts';

/** Row counts of an import. */
export interface ImportCounts {
  readonly inserted: number;
  /** Rows that already existed, changed or not. */
  readonly updated: number;
}

export interface RoleImportCounts extends ImportCounts {
  /** Ids assigned to rows without one, in line order. */
  readonly givenIds: readonly bigint[];
}

/** A row of an operator's file with its line number, for error messages. */
export type Numbered<Row> = Row & { readonly line: number };

type Chunks<Row> = AsyncIterable<readonly Numbered<Row>[]>;

/** A role to import. A role without an id is given one. Any other absent field stays, or takes its default. */
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
 * Loads an operator's files. Each call is one transaction of any size; rows arrive in chunks so that a million of them
 * are never in memory at once. Each call throws `ImportRowError` for a repeated id or code.
 */
export interface DirectoryImporter {
  importRoles(tenantId: bigint, chunks: Chunks<RoleRow>): Promise<RoleImportCounts>;
  /** Also throws `ImportRowError` for a missing parent or a cycle. */
  importOrgs(tenantId: bigint, chunks: Chunks<OrgRow>): Promise<ImportCounts>;
  importStores(tenantId: bigint, chunks: Chunks<StoreRow>): Promise<ImportCounts>;
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
