import type { OrgRecord, RoleRecord, StoreRecord } from '../../database.ts';
import { toOrg, toRole } from '../records.ts';
import type { Session } from '../session.ts';
import { orgColumns, roleColumns, storeColumns } from '../targets/target-columns.ts';

const pageSize = 1000;

/** Lists a tenant's roles by id, a page at a time; no transaction stays open between pages. */
export async function* listRoles({ db }: Session, tenantId: bigint): AsyncIterable<RoleRecord> {
  const select = (after: bigint) =>
    db
      .selectFrom('role')
      .select(roleColumns)
      .where('tenant_id', '=', tenantId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
  for await (const row of pages(select, (row) => row.role_id, 0n)) yield toRole(row);
}

export async function* listOrgs({ db }: Session, tenantId: bigint): AsyncIterable<OrgRecord> {
  const select = (after: bigint) =>
    db
      .selectFrom('org')
      .select(orgColumns)
      .where('tenant_id', '=', tenantId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
  for await (const row of pages(select, (row) => row.org_id, 0n)) yield toOrg(row);
}

export async function* listStores({ db }: Session, tenantId: bigint): AsyncIterable<StoreRecord> {
  const select = (after: string) =>
    db
      .selectFrom('store')
      .select(storeColumns)
      .where('tenant_id', '=', tenantId)
      .where('code', '>', after)
      .orderBy('code')
      .limit(pageSize)
      .execute();
  yield* pages(select, (row) => row.code, '');
}

async function* pages<Row, Key>(
  select: (after: Key) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  start: Key,
) {
  for (let rows = await select(start); ; ) {
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    rows = await select(keyOf(last));
  }
}
