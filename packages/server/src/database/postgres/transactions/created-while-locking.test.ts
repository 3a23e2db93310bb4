import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { patient, startPostgres } from '../../../../test/test-postgres.ts';
import type { Database } from '../../database.ts';
import { KyselyUserReader } from '../../queries/users/users.ts';
import { openPostgresDatabase } from '../open.ts';

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let database: Database;
before(async () => {
  postgres = await startPostgres();
  database = await openPostgresDatabase({ ...patient, url: await postgres.createMigratedDatabase() });
});
after(async () => {
  await database.close();
  await postgres.stop();
});

const audit = { operation: 'test', changes: {} };

test('a user who is created after a write has locked the users it reads is not among them', async ({
  mock,
}) => {
  const tenant = await database.tenants.insertTenant('one');
  assert.ok(tenant !== undefined);
  const create = (username: string) =>
    database.write(tenant.id, undefined, async (directory) => ({
      result: await directory.insertUser(username, {}),
      audit,
    }));
  await create('known');
  const read = KyselyUserReader.prototype.readStates;
  mock.method(
    KyselyUserReader.prototype,
    'readStates',
    async function (this: KyselyUserReader, names: string[]) {
      await create('new');
      return read.call(this, names);
    },
  );
  const found = await database.write(tenant.id, undefined, async ({ users }) => ({
    result: [...(await users.readStates(['known', 'new'])).keys()],
    audit,
  }));
  assert.deepEqual(found, ['known']);
});
