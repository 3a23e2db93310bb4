import { sql } from 'kysely';
import type { FoundStores, StoreFilter } from '../../database.ts';
import type { Session } from '../session.ts';

/** No index covers these searches. Looking at this many stores takes some ten milliseconds. */
export const storesLookedAtMax = 16_384;

interface StoreSearch {
  readonly tenantId: bigint;
  readonly filter: StoreFilter;
  readonly after: string;
  readonly limit: number;
}

/** Looks at the next stores by code, and returns those that match. */
export async function searchStores(session: Session, search: StoreSearch): Promise<FoundStores> {
  const { limit } = search;
  const stores = await matchingStores(session, search);
  const next = stores.length < limit ? await lastLookedAt(session, search) : stores.at(-1)?.code;
  return { stores, next };
}

function storesAfter({ db }: Session, { tenantId, after }: StoreSearch) {
  return db
    .selectFrom('store')
    .select(['code', 'name', 'address'])
    .where('tenant_id', '=', tenantId)
    .where('code', '>', after)
    .orderBy('code');
}

function matchingStores(session: Session, search: StoreSearch) {
  const { db, engine } = session;
  const { tenantId, filter, limit } = search;
  const { text, isUnassigned = false } = filter;
  const columns = ['looked_at.code', 'looked_at.name', 'looked_at.address'];
  return db
    .selectFrom(storesAfter(session, search).limit(storesLookedAtMax).as('looked_at'))
    .selectAll()
    .$if(text !== undefined, (query) => query.where(engine.search.contains(columns, text ?? '')))
    .$if(isUnassigned, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('user_store')
              .select(sql.lit(1).as('one'))
              .where('user_store.tenant_id', '=', tenantId)
              .whereRef('user_store.store_code', '=', 'looked_at.code'),
          ),
        ),
      ),
    )
    .orderBy('code')
    .limit(limit)
    .execute();
}

/** Returns the last code of those looked at, or `undefined` when they were the last of the tenant. */
async function lastLookedAt(session: Session, search: StoreSearch): Promise<string | undefined> {
  const last = await storesAfter(session, search)
    .offset(storesLookedAtMax - 1)
    .limit(1)
    .executeTakeFirst();
  return last?.code;
}
