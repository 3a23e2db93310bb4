import type {
  DirectoryImporter,
  ImportCounts,
  ImportedStoreRow,
  ImportOptions,
  Numbered,
  OrgRecord,
  OrgRow,
  RoleImportCounts,
  RoleRecord,
  RoleRow,
  StoreImportOptions,
  StoreRecord,
} from '../../database.ts';
import { listOrgs, listRoles, listStores } from '../lists/list-directory.ts';
import { recordUnsignedChange } from '../record-unsigned-change.ts';
import type { Session } from '../session.ts';
import { assignRoleIds } from '../targets/assign-role-ids.ts';
import { refuseUnknownParents, refuseUnsoundTree } from '../targets/check-org-tree.ts';
import { refuseNewCodes } from '../targets/refuse-new-codes.ts';
import { storeTexts } from '../targets/target-columns.ts';
import { lockTenant } from '../tenants/lock-tenant.ts';
import { type ImportedTable, orgTable, roleTable, storeTable } from './imported-tables.ts';
import { completeStaged, countStaged, lockExisting, upsertStaged } from './merge-staged.ts';
import { reportChanges } from './report-changes.ts';
import { stageRows } from './stage-rows.ts';

/** A connection used by one import alone, with its engine's transactions. */
export interface ImportSession {
  readonly session: Session;
  now(): number;
  /** Runs the work in a transaction; waits while others write. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  /** Runs the work on one state of the database without delaying others, and undoes what it changes. */
  tryOut<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Imports files on either engine. Rows go to a temporary table first, so that others can write while a file is read;
 * only the merge blocks them.
 */
export class KyselyDirectoryImporter implements DirectoryImporter {
  readonly #reader: Session;
  readonly #open: () => ImportSession | Promise<ImportSession>;

  constructor(reader: Session, open: () => ImportSession | Promise<ImportSession>) {
    this.#reader = reader;
    this.#open = open;
  }

  importRoles(
    tenantId: bigint,
    chunks: AsyncIterable<readonly Numbered<RoleRow>[]>,
    options: ImportOptions = {},
  ): Promise<RoleImportCounts> {
    const prepare = async (session: Session) => ({ assignedIds: await assignRoleIds(session, tenantId) });
    return this.#import({ table: roleTable, tenantId, prepare, ...options }, rowsOf(chunks, roleValues));
  }

  importOrgs(
    tenantId: bigint,
    chunks: AsyncIterable<readonly Numbered<OrgRow>[]>,
    options: ImportOptions = {},
  ): Promise<ImportCounts> {
    const check = async (session: Session) => {
      await refuseUnknownParents(session, tenantId);
      await refuseUnsoundTree(session, tenantId);
    };
    return this.#import({ table: orgTable, tenantId, check, ...options }, rowsOf(chunks, orgValues));
  }

  importStores(
    tenantId: bigint,
    chunks: AsyncIterable<readonly Numbered<ImportedStoreRow>[]>,
    { textsRefusedInCodes = [], ...options }: StoreImportOptions = {},
  ): Promise<ImportCounts> {
    const check = (session: Session) => refuseNewCodes(session, tenantId, textsRefusedInCodes);
    return this.#import({ table: storeTable, tenantId, check, ...options }, rowsOf(chunks, storeValues));
  }

  listRoles(tenantId: bigint): AsyncIterable<RoleRecord> {
    return listRoles(this.#reader, tenantId);
  }

  listOrgs(tenantId: bigint): AsyncIterable<OrgRecord> {
    return listOrgs(this.#reader, tenantId);
  }

  listStores(tenantId: bigint): AsyncIterable<StoreRecord> {
    return listStores(this.#reader, tenantId);
  }

  async #import<Details extends object>(
    merge: Merge<Details>,
    chunks: AsyncIterable<readonly (readonly unknown[])[]>,
  ): Promise<ImportCounts & Details> {
    const { table, tenantId, report } = merge;
    const opened = await this.#open();
    const { session } = opened;
    try {
      await stageRows(session, table, chunks);
      if (report !== undefined) {
        return await opened.tryOut(async () => {
          const counts = await completeAndCheck(session, merge);
          const changed = await reportChanges(session, tenantId, table, report);
          return { ...counts, changed };
        });
      }
      const counts = await opened.transact(async () => {
        // Concurrent imports could otherwise assign the same id, or each add half of a cycle.
        await lockTenant(session, tenantId);
        await lockExisting(session, tenantId, table);
        const prepared = await completeAndCheck(session, merge);
        const written = await upsertStaged(session, tenantId, table);
        const counts = { ...prepared, changed: written - prepared.inserted };
        await recordImport(opened, merge, counts);
        return counts;
      });
      await session.engine.refreshStatistics(session.db, table.name);
      return counts;
    } finally {
      await opened.close();
    }
  }
}

/** The merge of staged rows into their table. */
interface Merge<Details extends object> extends ImportOptions {
  readonly table: ImportedTable;
  readonly tenantId: bigint;
  /** Runs before absent columns are completed; its result is part of the import's. */
  readonly prepare?: (session: Session) => Promise<Details>;
  /** Throws `ImportRowError` if the completed rows must not be merged. */
  readonly check?: (session: Session) => Promise<void>;
}

async function completeAndCheck<Details extends object>(
  session: Session,
  { table, tenantId, prepare, check }: Merge<Details>,
): Promise<Omit<ImportCounts, 'changed'> & Details> {
  const details = (await prepare?.(session)) as Details;
  await completeStaged(session, tenantId, table);
  await check?.(session);
  return { ...(await countStaged(session, tenantId, table)), ...details };
}

async function recordImport(
  { session, now }: ImportSession,
  { tenantId, table, actor }: Merge<object>,
  { inserted, updated, changed }: ImportCounts,
): Promise<void> {
  await recordUnsignedChange(session, {
    tenantId,
    nowMs: now(),
    operation: `${table.name} import`,
    changes: { inserted, updated: changed, unchanged: updated - changed },
    actor,
  });
}

async function* rowsOf<Row>(chunks: AsyncIterable<readonly Row[]>, values: (row: Row) => unknown[]) {
  for await (const chunk of chunks) yield chunk.map(values);
}

/** Returns the values in the order of the table's columns; null where the file has none. */
function roleValues(row: Numbered<RoleRow>): unknown[] {
  const { line, id, name, systemId, position, description, code } = row;
  return [
    line,
    id ?? null,
    name ?? null,
    systemId ?? null,
    position ?? null,
    description ?? null,
    code ?? null,
  ];
}

function orgValues({ line, id, name, parentId }: Numbered<OrgRow>): unknown[] {
  return [line, id, name ?? null, parentId ?? null];
}

function storeValues(row: Numbered<ImportedStoreRow>): unknown[] {
  return [row.line, row.code, ...storeTexts.map((name) => row[name] ?? null)];
}
