import assert from 'node:assert/strict';
import { after, afterEach, before, mock, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { type Data, limits, type Operations } from '@fieldroster/contract';
import { sql } from 'kysely';
import { deadlineOfWrite } from '../../test/deadline-of-write.ts';
import { startTestServer } from '../../test/test-server.ts';
import type { DirectoryReader } from '../database/database.ts';

const server = await startTestServer();
after(() => server.close());
afterEach(() => mock.restoreAll());

const path = '/users/batch';
const storesOfEach = 40_001;
const usernames = Array.from({ length: 5 }, (_, index) => `rich.${index}`);

type Report = Data<Operations['batchUsers']>;

/** Lets one request replace the stores of the first users. */
const leave = (users: number, codes: readonly string[] = []) =>
  usernames.slice(0, users).map((username) => ({ username, store_codes: codes }));

before(async () => {
  await server.succeed('POST', path, { users: usernames.map((username) => ({ username })) });
  const tenant = sql`cast(${server.tenantId} as bigint)`;
  const numbers = sql`with recursive numbers(n) as
    (select 1 union all select n + 1 from numbers where n < ${sql.lit(storesOfEach)})`;
  await sql`${numbers} insert into store (tenant_id, code, name, address)
    select ${tenant}, 'T' || n, 'Store', '' from numbers`.execute(server.db);
  await sql`${numbers} insert into user_store (tenant_id, user_id, store_code)
    select ${tenant}, id, 'T' || n from numbers cross join ${sql.table('user')}
    where tenant_id = ${server.tenantId} and username like 'rich.%'`.execute(server.db);
});

async function countBindings(): Promise<number> {
  const { stores } = await server.db
    .selectFrom('user_store')
    .select((eb) => eb.fn.countAll<bigint>().as('stores'))
    .where('store_code', 'like', 'T%')
    .executeTakeFirstOrThrow();
  return Number(stores);
}

test('a batch that takes more stores than one request may is refused before it changes anything, in a dry run too', async () => {
  assert(usernames.length * storesOfEach > limits.batchStoresTakenMax);
  const message =
    /^the batch would leave its users at least 200005 stores fewer, and one request may take at most 200000: send fewer users at once$/;
  const users = [...leave(5), { username: 'rich.new' }];
  await server.refuse(1001, message, ['POST', path, { users, dry_run: true }]);
  await server.refuse(1001, message, ['POST', path, { users, atomic: true }]);
  await server.refuse(1001, message, ['POST', path, { users }]);
  assert.equal(await countBindings(), usernames.length * storesOfEach);
  await server.refuse(1101, /rich\.new/, ['GET', '/user?username=rich.new']);
});

test('stores that a batch names in place of others do not count', async () => {
  const users = leave(5, ['T1', 'T2']);
  const { envelope } = await server.succeed('POST', path, { users, dry_run: true });
  const { results } = envelope.data as Report;
  assert.deepEqual(
    results.map(({ stores_removed }) => stores_removed.length),
    usernames.map(() => storesOfEach - 2),
  );
});

test('users with many stores are read a few at a time, and without their stores if these stay', async () => {
  const { database } = server;
  const open = database.directory.bind(database);
  const reads: (readonly [users: number, withStores: number | undefined])[] = [];
  mock.method(database, 'directory', (tenantId: bigint) => {
    const { users } = open(tenantId);
    const read = users.readStates.bind(users);
    users.readStates = (names, withStores) => {
      reads.push([names.length, withStores?.size]);
      return read(names, withStores);
    };
    return { users } as DirectoryReader;
  });
  await server.succeed('POST', path, { users: leave(3), dry_run: true });
  const others = usernames.map((username) => ({ username, phone: '1' }));
  await server.succeed('POST', path, { users: others, dry_run: true });
  assert.deepEqual(reads, [
    [1, 1],
    [1, 1],
    [1, 1],
    [5, 0],
  ]);
});

test('of dry runs that would take very many stores, two are made at once', async () => {
  const { database } = server;
  const open = database.directory.bind(database);
  let running = 0;
  let most = 0;
  mock.method(database, 'directory', (tenantId: bigint) => {
    const { users } = open(tenantId);
    const read = users.readStates.bind(users);
    users.readStates = async (names, withStores) => {
      running += 1;
      most = Math.max(most, running);
      await nextIteration();
      const states = await read(names, withStores);
      running -= 1;
      return states;
    };
    return { users } as DirectoryReader;
  });
  const send = () => server.succeed('POST', path, { users: leave(1), dry_run: true });
  const answers = await Promise.all(Array.from({ length: 6 }, send));
  for (const { envelope } of answers)
    assert.equal((envelope.data as Report).results[0]?.stores_removed.length, storesOfEach);
  assert.equal(most, 2);
});

test('a batch that takes many stores gets more time, and no other write waits for all of it', async () => {
  const isBulk = async (code: string) => {
    const send = () => server.succeed('POST', path, { users: leave(1, [code]) });
    return (await deadlineOfWrite(server.database, send))?.bulk;
  };
  assert.deepEqual([await isBulk('T1'), await isBulk('T2')], [true, false]);
});
