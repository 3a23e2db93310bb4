import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeReported } from '../../../test/close-reported.ts';
import { patient, runSql, startPostgres } from '../../../test/test-postgres.ts';
import type { Database, DirectoryReader } from '../database.ts';
import { openPostgresDatabase } from './open.ts';

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let url: string;
let database: Database;
let one: FilledTenant;
let two: FilledTenant;

interface FilledTenant {
  readonly id: bigint;
  readonly name: string;
  readonly users: readonly bigint[];
  readonly firstUser: bigint;
}

const audit = { operation: 'test', changes: {} };
const usersOfTenant = 150;

async function newTenant(name: string): Promise<FilledTenant> {
  const tenant = await database.tenants.insertTenant(name);
  assert(tenant !== undefined);
  const { id } = tenant;
  const users = await database.write(id, undefined, async (directory) => {
    const ids: bigint[] = [];
    for (let index = 0; index < usersOfTenant; index += 1) {
      ids.push((await directory.insertUser(`user ${index}`, { realName: `${name} ${index}` })) ?? 0n);
    }
    return { result: ids, audit };
  });
  return { id, name, users, firstUser: users[0] ?? 0n };
}

before(async () => {
  postgres = await startPostgres();
  url = await postgres.createMigratedDatabase();
  database = await openPostgresDatabase({ ...patient, url });
  one = await newTenant('one');
  two = await newTenant('two');
});

after(async () => {
  await database.close();
  await postgres.stop();
});

function directoryOf({ id }: FilledTenant): DirectoryReader {
  return database.directory(id);
}

test('concurrent look-ups each get their own user, tenant by tenant', async () => {
  const asked = [one, two].flatMap((tenant) =>
    tenant.users.map(async (id, index) => {
      const byId = directoryOf(tenant).findUser({ id });
      const byName = directoryOf(tenant).findUser({ username: `user ${index}` });
      const expected = { id, realName: `${tenant.name} ${index}` };
      for (const user of await Promise.all([byId, byName])) {
        assert.deepEqual({ id: user?.id, realName: user?.realName }, expected);
      }
    }),
  );
  await Promise.all(asked);
});

test('concurrent look-ups of the same user both find it, and a missing user is not found', async () => {
  const directory = directoryOf(one);
  const keys = [{ id: one.firstUser }, { id: two.firstUser }, { id: one.firstUser }, { username: 'nobody' }];
  const found = await Promise.all(keys.map((key) => directory.findUser(key)));
  assert.deepEqual(
    found.map((user) => user?.id),
    [one.firstUser, undefined, one.firstUser, undefined],
  );
});

test('concurrent look-ups take few statements', async () => {
  const rounds = 10;
  const before = await transactionsSoFar();
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(one.users.map((id) => directoryOf(one).findUser({ id })));
  }
  await closeReported(database, url);
  const taken = (await transactionsSoFar()) - before;
  database = await openPostgresDatabase({ ...patient, url });
  const lookUps = rounds * usersOfTenant;
  assert(taken < lookUps / 5, `${lookUps} look-ups took ${taken} transactions`);
});

async function transactionsSoFar(): Promise<number> {
  const [row] = await runSql(
    url,
    'select xact_commit as taken from pg_stat_database where datname = current_database()',
  );
  return Number(row?.taken);
}

test('a key that the database refuses does not fail other look-ups', async () => {
  const directory = directoryOf(one);
  const refused = directory.findUser({ username: 'a\0b' });
  const fine = directory.findUser({ username: 'user 7' });
  await assert.rejects(refused, /invalid byte sequence/);
  assert.equal((await fine)?.username, 'user 7');
});

test('a read sees what was committed before it was requested', async () => {
  const id = one.firstUser;
  for (let round = 0; round < 20; round += 1) {
    const early = directoryOf(one).findUser({ id });
    await database.write(one.id, undefined, async (directory) => {
      await directory.updateUser(id, { realName: `round ${round}` });
      return { result: undefined, audit };
    });
    assert.equal((await directoryOf(one).findUser({ id }))?.realName, `round ${round}`);
    await early;
  }
});
