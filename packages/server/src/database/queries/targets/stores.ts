import { sql } from 'kysely';
import type { ManagedStore, StoreFields, StoreReader, StoreUser, StoreWriter } from '../../database.ts';
import { compileOnce } from '../compile-once.ts';
import type { Session } from '../session.ts';
import { lockTenant } from '../tenants/lock-tenant.ts';
import { tenantToJoin } from '../tenants/tenant-to-join.ts';
import { countMatchingStores, searchStores } from './search-stores.ts';
import { storeColumns, storeTexts } from './target-columns.ts';
import { targetQueries } from './target-queries.ts';
import { type Transaction, targetReader, targetWriter } from './target-writer.ts';
import { planStores, upsertStores } from './upsert-stores.ts';

const queries = targetQueries<'store', string, ManagedStore, ManagedStore>(
  'store.code',
  (db, tenantId) =>
    db
      .selectFrom('store')
      .select([...storeColumns, 'store.revision'])
      .where('store.tenant_id', '=', tenantId),
  (row) => row,
);

interface UsersOfStore extends Record<string, unknown> {
  tenantId: bigint;
  code: string;
  after: bigint;
  limit: bigint;
}

const selectUsersOfStore = compileOnce((db, value: UsersOfStore) =>
  db
    .selectFrom('user_store')
    .innerJoin('user', (join) =>
      join.on('user.tenant_id', '=', tenantToJoin('user_store')).onRef('user.id', '=', 'user_store.user_id'),
    )
    .select(['user.id', 'user.username', 'user.real_name as realName', 'user.phone', 'user.status'])
    .where('user_store.tenant_id', '=', value.tenantId)
    .where('user_store.store_code', '=', value.code)
    .where('user_store.user_id', '>', value.after)
    .orderBy('user_store.user_id')
    .limit(sql<bigint>`${value.limit}`),
);

export function storeReader(session: Session, tenantId: bigint): StoreReader {
  return {
    ...targetReader(session, tenantId, queries, { table: 'store', beforeAll: '' }),
    listUsers: (code, after = 0n, limit): Promise<StoreUser[]> =>
      selectUsersOfStore(session, { tenantId, code, after, limit: BigInt(limit) }),
    search: (filter, after = '', limit) => searchStores(session, { tenantId, filter, after, limit }),
    count: (filter) => countMatchingStores(session, { tenantId, filter }),
    plan: (rows) => planStores(session, tenantId, rows),
  };
}

export function storeWriter(transaction: Transaction): StoreWriter {
  const { session, tenantId } = transaction;
  return {
    ...storeReader(session, tenantId),
    ...targetWriter(transaction, queries, { table: 'store', toColumns: (fields: StoreFields) => fields }),
    async insert(code, fields) {
      await lockTenant(session, tenantId);
      const inserted = await session.db
        .insertInto('store')
        .values({ ...emptyTexts, ...fields, tenant_id: tenantId, code })
        .onConflict((conflict) => conflict.doNothing())
        .returning('code')
        .executeTakeFirst();
      return inserted && queries.find(session, { tenantId, key: inserted.code });
    },
    upsert: (rows) => upsertStores(session, tenantId, rows),
  };
}

const emptyTexts = Object.fromEntries(storeTexts.map((name) => [name, ''])) as Required<StoreFields>;
