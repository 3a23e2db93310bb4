import { limits } from '@fieldroster/contract';
import {
  type ImportCounts,
  type ImportedStoreRow,
  type ImportOptions,
  ImportRowError,
  type Numbered,
  type OrgRow,
  OutcomeUnknownError,
  type ReportChanges,
  type RoleImportCounts,
  type RoleRow,
} from '../../database/database.ts';
import { textsRefusedInStoreCodes } from '../../directory/new-store-code.ts';
import { BusyError } from '../../errors/busy-error.ts';
import { AdminError } from '../admin-error.ts';
import type { OpenDirectory } from '../open-directory.ts';
import { requireTenant } from '../tenants.ts';
import { ImportFault } from './import-fault.ts';
import { type ImportColumn, type ListRecord, readImportRows } from './import-rows.ts';
import { code, int32Max, int64Max, integer, orEmpty, text } from './import-values.ts';

export interface ListImport {
  readonly tenant: string;
  /** The name of the file in error messages. */
  readonly file: string;
  /** The content of the file, in groups of any size; the first record names the columns. */
  readonly records: AsyncIterable<readonly ListRecord[]>;
  /** Whether an empty value clears a field; otherwise it keeps what is there. */
  readonly clearEmpty?: boolean;
  /** If given, nothing is imported; it receives what would change. */
  readonly report?: ReportChanges | undefined;
}

const id = integer(1n, int64Max);

/** Rows of a file refer to an organization by its id, so that it cannot be left to the server. */
function orgId(value: string): bigint {
  if (value === '')
    throw new ImportFault('is empty; give the organization an id: only a role may be imported without one');
  return id(value);
}

const roleColumns: readonly ImportColumn<RoleRow>[] = [
  { name: 'id', field: 'id', required: false, isKey: true, read: orEmpty(id, undefined) },
  { name: 'name', field: 'name', required: true, read: text(1, limits.roleNameCharactersMax) },
  {
    name: 'system_id',
    field: 'systemId',
    required: false,
    read: orEmpty(integer(-int64Max - 1n, int64Max), 0n),
  },
  { name: 'order', field: 'position', required: false, read: orEmpty(int32, 0) },
  {
    name: 'description',
    field: 'description',
    required: false,
    read: text(0, limits.descriptionCharactersMax),
  },
  // Unlike a store's code, a role's identifies nothing, and the interface accepts any text.
  { name: 'code', field: 'code', required: false, read: text(0, limits.roleCodeCharactersMax) },
];

const orgColumns: readonly ImportColumn<OrgRow>[] = [
  { name: 'id', field: 'id', required: true, isKey: true, read: orgId },
  { name: 'name', field: 'name', required: true, read: text(1, limits.orgNameCharactersMax) },
  // The interface writes "no parent" as 0, and so do files exported from other systems.
  { name: 'parent_id', field: 'parentId', required: false, read: orEmpty(integer(0n, int64Max), 0n) },
];

const storeColumns: readonly ImportColumn<ImportedStoreRow>[] = [
  { name: 'code', field: 'code', required: true, isKey: true, read: code(limits.storeCodeCharactersMax) },
  { name: 'name', field: 'name', required: true, read: text(1, limits.storeNameCharactersMax) },
  { name: 'address', field: 'address', required: false, read: text(0, limits.addressCharactersMax) },
];

/** Imports a list of roles. Throws `AdminError` with the line and column of what is wrong. */
export function importRoles(directory: OpenDirectory, request: ListImport): Promise<RoleImportCounts> {
  const { importer } = directory.database;
  return importList(directory, request, roleColumns, (tenantId, chunks) =>
    importer.importRoles(tenantId, chunks, optionsOf(directory, request)),
  );
}

/** Imports a list of organizations. Throws `AdminError` with the line and column of what is wrong. */
export function importOrgs(directory: OpenDirectory, request: ListImport): Promise<ImportCounts> {
  const { importer } = directory.database;
  return importList(directory, request, orgColumns, (tenantId, chunks) =>
    importer.importOrgs(tenantId, chunks, optionsOf(directory, request)),
  );
}

/** Imports a list of stores. Throws `AdminError` with the line and column of what is wrong. */
export function importStores(directory: OpenDirectory, request: ListImport): Promise<ImportCounts> {
  const { importer } = directory.database;
  return importList(directory, request, storeColumns, (tenantId, chunks) =>
    importer.importStores(tenantId, chunks, {
      ...optionsOf(directory, request),
      textsRefusedInCodes: textsRefusedInStoreCodes,
    }),
  );
}

function optionsOf({ actor }: OpenDirectory, { report }: ListImport): ImportOptions {
  return { actor, report };
}

function int32(value: string): number {
  return Number(integer(-int32Max - 1n, int32Max)(value));
}

async function importList<Row, Counts>(
  directory: OpenDirectory,
  request: ListImport,
  columns: readonly ImportColumn<Row>[],
  load: (tenantId: bigint, chunks: AsyncIterable<Numbered<Row>[]>) => Promise<Counts>,
): Promise<Counts> {
  const tenant = await requireTenant(directory.database, request.tenant);
  try {
    return await load(tenant.id, readImportRows(request.records, columns, request.clearEmpty === true));
  } catch (error) {
    throw explain(error, request.file);
  }
}

function explain(error: unknown, file: string): unknown {
  if (error instanceof ImportFault || error instanceof ImportRowError) {
    const line = error.line === undefined ? '' : ` line ${error.line}`;
    const column = error.column === undefined ? '' : `, column ${error.column}`;
    const message = `${file}${line}${column}: ${error.message}; nothing was imported`;
    return new AdminError(message, { cause: error });
  }
  if (error instanceof BusyError) {
    const message = `${file}: nothing was imported: ${error.message}; run the command again once the database answers`;
    return new AdminError(message, { cause: error });
  }
  if (error instanceof OutcomeUnknownError) {
    const message = `${file}: ${error.message}; run the command again with --dry-run to see which rows are missing`;
    return new AdminError(message, { cause: error });
  }
  return error;
}
