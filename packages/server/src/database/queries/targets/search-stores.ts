import { setImmediate as nextIteration } from 'node:timers/promises';
import { sql } from 'kysely';
import type { BoundedCount, FoundStores, StoreFilter } from '../../database.ts';
import type { Session } from '../session.ts';

/** No index covers these searches. Looking at this many stores takes some ten milliseconds. */
export const storesPerStep = 16_384;

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

/** A count stops after this many steps, each of which looks at {@link storesPerStep} stores. */
const stepsPerCount = 5;

/** Counts the stores that match, in several steps, so that other requests are answered in between. */
export async function countMatchingStores(
  session: Session,
  of: Pick<StoreSearch, 'tenantId' | 'filter'>,
): Promise<BoundedCount> {
  let count = 0;
  let after = '';
  for (let step = 0; step < stepsPerCount; step++) {
    const search = { ...of, after };
    const { stores } = await storesLookedAt(session, search)
      .select(({ fn }) => fn.countAll<bigint>().as('stores'))
      .executeTakeFirstOrThrow();
    count += Number(stores);
    const next = await lastLookedAt(session, search);
    if (next === undefined) return { count, isMore: false };
    after = next;
    await nextIteration();
  }
  return { count, isMore: true };
}

type Look = Omit<StoreSearch, 'limit'>;

function storesAfter({ db }: Session, { tenantId, after }: Look) {
  return db
    .selectFrom('store')
    .select(['code', 'name', 'address'])
    .where('tenant_id', '=', tenantId)
    .where('code', '>', after)
    .orderBy('code');
}

function matchingStores(session: Session, search: StoreSearch) {
  return storesLookedAt(session, search)
    .select(['code', 'name', 'address'])
    .orderBy('code')
    .limit(search.limit)
    .execute();
}

/** Selects the next stores to look at, without those that do not match. */
function storesLookedAt(session: Session, search: Look) {
  const { db, engine } = session;
  const { tenantId, filter } = search;
  const { text, isUnassigned = false } = filter;
  const columns = ['looked_at.code', 'looked_at.name', 'looked_at.address'];
  return db
    .selectFrom(storesAfter(session, search).limit(storesPerStep).as('looked_at'))
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
    );
}

/** Returns the last code of those looked at, or `undefined` when they were the last of the tenant. */
async function lastLookedAt(session: Session, search: Look): Promise<string | undefined> {
  const last = await storesAfter(session, search)
    .offset(storesPerStep - 1)
    .limit(1)
    .executeTakeFirst();
  return last?.code;
}
