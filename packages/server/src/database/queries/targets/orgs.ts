import type { ManagedOrg, OrgFields, OrgWriter, TargetReader } from '../../database.ts';
import { toOrg } from '../records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { lockTenant } from '../tenants/lock-tenant.ts';
import { countLevels, listPath } from './org-levels.ts';
import { orgColumns } from './target-columns.ts';
import { targetQueries } from './target-queries.ts';
import { insertTarget, type Transaction, targetReader, targetWriter } from './target-writer.ts';

type OrgRow = Parameters<typeof toOrg>[0] & { revision: bigint };

const queries = targetQueries<'org', bigint, OrgRow, ManagedOrg>(
  'org.id',
  (db, tenantId) =>
    db
      .selectFrom('org')
      .select([...orgColumns, 'org.revision'])
      .where('org.tenant_id', '=', tenantId),
  (row) => ({ ...toOrg(row), revision: row.revision }),
);

export function orgReader(session: Session, tenantId: bigint): TargetReader<bigint, ManagedOrg> {
  return targetReader(session, tenantId, queries, { table: 'org', beforeAll: 0n });
}

export function orgWriter(transaction: Transaction): OrgWriter {
  const { session, tenantId } = transaction;
  return {
    ...orgReader(session, tenantId),
    ...targetWriter(transaction, queries, { table: 'org', toColumns }),
    lockTree: () => lockTenant(session, tenantId),
    listPath: (id, most) => listPath(transaction, id, most),
    countLevels: (id, most) => countLevels(transaction, id, most),
    countChildren: (id) => countChildren(transaction, id),
    insert: (id, fields) =>
      insertTarget(transaction, queries, {
        table: 'org',
        id,
        columns: { ...emptyOrg, ...toColumns(fields) },
      }),
  };
}

const emptyOrg = { name: '', parent_id: null };

async function countChildren({ session, tenantId }: Transaction, id: bigint): Promise<number> {
  const { children } = await session.db
    .selectFrom('org')
    .select((eb) => eb.fn.countAll<bigint>().as('children'))
    .where('tenant_id', '=', tenantId)
    .where('parent_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(children);
}

type OrgColumns = Partial<Pick<Schema['org'], keyof typeof emptyOrg>>;

function toColumns({ name, parentId }: OrgFields): OrgColumns {
  return {
    ...(name !== undefined && { name }),
    ...(parentId !== undefined && { parent_id: parentId === 0n ? null : parentId }),
  };
}
