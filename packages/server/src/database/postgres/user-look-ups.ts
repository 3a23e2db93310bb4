import DataLoader from 'dataloader';
import { type Kysely, sql } from 'kysely';
import { BusyError } from '../../errors/busy-error.ts';
import { compileOnce } from '../queries/compile-once.ts';
import type { Schema } from '../queries/schema.ts';
import type { Session } from '../queries/session.ts';
import {
  findUserById,
  findUserByUsername,
  selectUserWithBindings,
  type UserLookUps,
} from '../queries/users/one-user.ts';

/** A larger group delays its first look-up without making any of them cheaper. */
const groupMax = 64;

/**
 * Returns look-ups that combine concurrent requests into one statement: a round trip costs the process more than the
 * rest of a look-up. A look-up waits only for requests that have already arrived.
 */
export function groupedUserLookUps(): UserLookUps {
  return {
    findUserById: grouped(findUserById, findUsersById, ({ id }) => id),
    findUserByUsername: grouped(findUserByUsername, findUsersByUsername, ({ username }) => username),
  };
}

interface TenantKey {
  readonly tenantId: bigint;
}

interface KeyLists extends Record<string, unknown> {
  tenantIds: bigint[];
  keys: unknown[];
}

type FindOne<Key, Row> = (session: Session, key: Key) => Promise<Row[]>;
type FindSeveral<Row> = (session: Session, lists: KeyLists) => Promise<(Row & { ordinal: bigint })[]>;

function grouped<Key extends TenantKey, Row>(
  findOne: FindOne<Key, Row>,
  findSeveral: FindSeveral<Row>,
  keyOf: (key: Key) => unknown,
): FindOne<Key, Row> {
  const loaders = new WeakMap<Session, DataLoader<Key, Row[]>>();
  const newLoader = (session: Session) =>
    new DataLoader<Key, Row[]>(
      (keys) => (keys.length === 1 ? findEach(keys, session) : findGroup(keys, session)),
      { cache: false, maxBatchSize: groupMax, batchScheduleFn: setImmediate },
    );
  const findEach = (keys: readonly Key[], session: Session) =>
    Promise.all(keys.map((key) => findOne(session, key).catch(toError)));
  const findGroup = async (keys: readonly Key[], session: Session) => {
    const lists = { tenantIds: keys.map(({ tenantId }) => tenantId), keys: keys.map(keyOf) };
    try {
      return groupByOrdinal(keys.length, await findSeveral(session, lists));
    } catch (error) {
      if (error instanceof BusyError) throw error;
      // One by one, because the database may have rejected a single key, which must not fail the other look-ups.
      return findEach(keys, session);
    }
  };
  return (session, key) => {
    const loader = loaders.get(session) ?? newLoader(session);
    loaders.set(session, loader);
    return loader.load(key);
  };
}

function groupByOrdinal<Row extends { ordinal: bigint }>(count: number, rows: readonly Row[]): Row[][] {
  const found = Array.from({ length: count }, (): Row[] => []);
  for (const row of rows) found[Number(row.ordinal) - 1]?.push(row);
  return found;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const findUsersById = compileOnce((db, value: KeyLists) => findUsers(db, value, 'id', 'bigint'));

const findUsersByUsername = compileOnce((db, value: KeyLists) => findUsers(db, value, 'username', 'text'));

/** The limit keeps the planner from joining the whole table while it believes the table to be small. */
function findUsers(db: Kysely<Schema>, lists: KeyLists, column: 'id' | 'username', type: 'bigint' | 'text') {
  const asked = sql<{ tenant_id: bigint; key: unknown; ordinal: bigint }>`unnest(
      cast(${lists.tenantIds} as bigint[]), cast(${lists.keys} as ${sql.raw(type)}[])
    ) with ordinality`.as<'asked'>(sql`asked(tenant_id, key, ordinal)`);
  const found = selectUserWithBindings(db)
    .where('user.tenant_id', '=', sql.ref<bigint>('asked.tenant_id'))
    .where(sql<boolean>`${sql.ref(`user.${column}`)} = asked.key`)
    .limit(1)
    .as('found');
  return db
    .selectFrom(asked)
    .innerJoinLateral(
      () => found,
      (join) => join.onTrue(),
    )
    .selectAll('found')
    .select('asked.ordinal');
}
