import type {
  DirectoryImporter,
  ImportCounts,
  Numbered,
  OrgRecord,
  OrgRow,
  RoleImportCounts,
  RoleRecord,
  RoleRow,
  StoreRecord,
  StoreRow,
} from '../../database.ts';
import { listOrgs, listRoles, listStores } from '../lists/list-directory.ts';
import type { Session } from '../session.ts';
import { refuseCycles, refuseUnknownParents } from '../targets/check-org-tree.ts';
import { giveRoleIds } from '../targets/give-role-ids.ts';
import { insertAuditEvent } from '../writes/write-queries.ts';
import { type ImportedTable, orgTable, roleTable, storeTable } from './imported-tables.ts';
import { mergeStaged } from './merge-staged.ts';
import { stageRows } from './stage-rows.ts';

/** A connection used by one import alone, with its engine's transactions. */
export interface ImportSession {
  readonly session: Session;
  now(): number;
  /** Runs the work in a transaction; waits while others write. */
  transact<T>(work: () => Promise<T>): Promise<T>;
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
  ): Promise<RoleImportCounts> {
    return this.#import(roleTable, tenantId, rowsOf(chunks, roleValues), async (session) => {
      const givenIds = await giveRoleIds(session, tenantId);
      return { ...(await mergeStaged(session, tenantId, roleTable)), givenIds };
    });
  }

  importOrgs(tenantId: bigint, chunks: AsyncIterable<readonly Numbered<OrgRow>[]>): Promise<ImportCounts> {
    return this.#import(orgTable, tenantId, rowsOf(chunks, orgValues), async (session) => {
      await refuseUnknownParents(session, tenantId);
      const counts = await mergeStaged(session, tenantId, orgTable);
      await refuseCycles(session, tenantId);
      return counts;
    });
  }

  importStores(
    tenantId: bigint,
    chunks: AsyncIterable<readonly Numbered<StoreRow>[]>,
  ): Promise<ImportCounts> {
    const rows = rowsOf(chunks, storeValues);
    return this.#import(storeTable, tenantId, rows, (session) => mergeStaged(session, tenantId, storeTable));
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

  async #import<Counts extends ImportCounts>(
    table: ImportedTable,
    tenantId: bigint,
    chunks: AsyncIterable<readonly (readonly unknown[])[]>,
    merge: (session: Session) => Promise<Counts>,
  ): Promise<Counts> {
    const opened = await this.#open();
    try {
      await stageRows(opened.session, table, chunks);
      const counts = await opened.transact(async () => {
        await waitForOtherImports(opened.session, tenantId);
        const merged = await merge(opened.session);
        await recordImport(opened, tenantId, table, merged);
        return merged;
      });
      const { db, engine } = opened.session;
      await engine.refreshStatistics(db, table.name);
      return counts;
    } finally {
      await opened.close();
    }
  }
}

/** Locks the tenant's row. Concurrent imports could otherwise assign the same id, or each add half of a cycle. */
async function waitForOtherImports({ db }: Session, tenantId: bigint): Promise<void> {
  await db
    .updateTable('tenant')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', tenantId)
    .execute();
}

async function recordImport(
  { session, now }: ImportSession,
  tenantId: bigint,
  table: ImportedTable,
  { inserted, updated }: ImportCounts,
): Promise<void> {
  await insertAuditEvent(session, {
    tenant_id: tenantId,
    at: BigInt(now()),
    app_id: null,
    request_id: null,
    operation: `${table.name} import`,
    user_id: null,
    changes: JSON.stringify({ inserted, updated }),
  });
}

async function* rowsOf<Row>(chunks: AsyncIterable<readonly Row[]>, values: (row: Row) => unknown[]) {
  for await (const chunk of chunks) yield chunk.map(values);
}

/** Returns the values in the order of the table's columns; null where the file has none. */
function roleValues(row: Numbered<RoleRow>): unknown[] {
  const { line, id, name, systemId, position, description, code } = row;
  return [line, id ?? null, name, systemId ?? null, position ?? null, description ?? null, code ?? null];
}

function orgValues({ line, id, name, parentId }: Numbered<OrgRow>): unknown[] {
  return [line, id, name, parentId ?? null];
}

function storeValues({ line, code, name, address }: Numbered<StoreRow>): unknown[] {
  return [line, code, name, address ?? null];
}
