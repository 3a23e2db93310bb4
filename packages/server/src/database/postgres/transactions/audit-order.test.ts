import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestPostgres, patient } from '../../../../test/test-postgres.ts';
import { openPostgresDatabase } from '../open.ts';

const postgres = await openTestPostgres();
let clockMs = 1_000;
const database = await openPostgresDatabase({
  ...patient,
  url: await postgres.createMigratedDatabase(),
  now: () => clockMs,
});
after(async () => {
  await database.close();
  await postgres.stop();
});

test('the newest row of a user is that of the write that took effect last, even if it began first', async () => {
  const tenant = await database.tenants.insertTenant('one');
  assert(tenant !== undefined);
  const write = (operation: string, begun: () => Promise<void>) =>
    database.write(tenant.id, undefined, async (directory) => {
      await begun();
      const user = await directory.lockUser({ username: 'ann' });
      const id = user?.id ?? (await directory.insertUser('ann', {}));
      assert(id !== undefined);
      return { result: id, audit: { operation, userId: id, changes: {} } };
    });
  const userId = await write('create-user', async () => {});
  const [begun, overtaken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  clockMs = 2_000;
  const slow = write('batch-users', async () => {
    begun.resolve();
    await overtaken.promise;
  });
  await begun.promise;
  clockMs = 3_000;
  await write('update-user', async () => {});
  clockMs = 4_000;
  overtaken.resolve();
  await slow;
  const page = { filters: { userId }, after: undefined, limit: 9 };
  const { entries } = await database.directory(tenant.id).lists.listAuditEvents(page);
  assert.deepEqual(
    entries.map(({ operation, atMs }) => [operation, Number(atMs)]),
    [
      ['batch-users', 4_000],
      ['update-user', 3_000],
      ['create-user', 1_000],
    ],
  );
});
