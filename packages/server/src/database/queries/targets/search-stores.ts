import { setImmediate as nextIteration } from 'node:timers/promises';
import { limits } from '@fieldroster/contract';
import { consoleLimits } from '@fieldroster/contract/console';
import { sql } from 'kysely';
import type { BoundedCount, FoundStore, FoundStores, StoreFilter } from '../../database.ts';
import type { Session } from '../session.ts';
import { storeRecordNames } from './target-columns.ts';

/** No index covers these searches. Looking at this many stores takes some ten milliseconds. */
export const storesPerStep = 16_384;

/** How long the searched columns of one store can be, added up. */
const searchedCharactersMax =
  limits.storeCodeCharactersMax + limits.storeNameCharactersMax + limits.addressCharactersMax;

/** Statements of one step that search as many stores as one statement may. */
const statementsPerStep = 50;

interface StoreSearch {
  readonly tenantId: bigint;
  readonly filter: StoreFilter;
  readonly after: string;
  readonly limit: number;
}

/** Looks at the next stores by code, and returns those that match. Other requests are answered between its statements. */
export async function searchStores(session: Session, search: StoreSearch): Promise<FoundStores> {
  const stores: FoundStore[] = [];
  let { after } = search;
  for (const size of statementSizes(session, search.filter)) {
    const look = { ...search, after, size };
    stores.push(...(await matchingStores(session, look, search.limit - stores.length)));
    if (stores.length === search.limit) return { stores, next: stores.at(-1)?.code };
    const next = await lastLookedAt(session, look);
    if (next === undefined) return { stores, next };
    after = next;
    await nextIteration();
  }
  return { stores, next: after };
}

/** A count stops after this many steps, each of which looks at {@link storesPerStep} stores at most. */
const stepsPerCount = 5;

/** Counts the stores that match. Other requests are answered between its statements. */
export async function countMatchingStores(
  session: Session,
  { tenantId, filter }: Pick<StoreSearch, 'tenantId' | 'filter'>,
): Promise<BoundedCount> {
  let count = 0;
  let after = '';
  const sizes = statementSizes(session, filter);
  for (let step = 0; step < stepsPerCount; step++) {
    for (const size of sizes) {
      const look = { tenantId, filter, after, size };
      const { stores } = await storesLookedAt(session, look)
        .select(({ fn }) => fn.countAll<bigint>().as('stores'))
        .executeTakeFirstOrThrow();
      count += Number(stores);
      const next = await lastLookedAt(session, look);
      if (next === undefined) return { count, isMore: false };
      after = next;
      await nextIteration();
    }
  }
  return { count, isMore: true };
}

/** Returns how many stores each statement of one step looks at. */
function statementSizes({ engine }: Session, { text }: StoreFilter): readonly number[] {
  const bounded = text === undefined ? undefined : engine.search.rowsAtOnce?.(text, searchedCharactersMax);
  const sizeMax = bounded ?? storesPerStep;
  const sizes: number[] = [];
  for (let left = storesPerStep; left > 0 && sizes.length < statementsPerStep; left -= sizeMax)
    sizes.push(Math.min(left, sizeMax));
  return sizes;
}

interface Look extends Omit<StoreSearch, 'limit'> {
  readonly size: number;
}

function storesAfter({ db }: Session, { tenantId, after }: Look) {
  return db
    .selectFrom('store')
    .select(storeRecordNames)
    .where('tenant_id', '=', tenantId)
    .where('code', '>', after)
    .orderBy('code');
}

async function matchingStores(session: Session, look: Look, limit: number): Promise<FoundStore[]> {
  const rows = await storesLookedAt(session, look)
    .select(storeRecordNames)
    .select(({ selectFrom }) =>
      selectFrom(
        selectFrom('user_store')
          .select(sql.lit(1).as('one'))
          .where('user_store.tenant_id', '=', look.tenantId)
          .whereRef('user_store.store_code', '=', 'looked_at.code')
          .limit(consoleLimits.representativesCountedMax)
          .as('counted'),
      )
        .select(({ fn }) => fn.countAll<bigint>().as('users'))
        .as('representatives'),
    )
    .orderBy('code')
    .limit(limit)
    .execute();
  return rows.map(({ representatives, ...store }) => ({
    ...store,
    representatives: Number(representatives ?? 0),
  }));
}

/** Selects the next stores to look at, without those that do not match. */
function storesLookedAt(session: Session, look: Look) {
  const { db, engine } = session;
  const { tenantId, filter, size } = look;
  const { text, isUnassigned = false } = filter;
  const columns = ['looked_at.code', 'looked_at.name', 'looked_at.address'];
  return db
    .selectFrom(storesAfter(session, look).limit(size).as('looked_at'))
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
async function lastLookedAt(session: Session, look: Look): Promise<string | undefined> {
  const last = await storesAfter(session, look)
    .offset(look.size - 1)
    .limit(1)
    .executeTakeFirst();
  return last?.code;
}
