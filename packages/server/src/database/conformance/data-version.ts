import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTenant, newUser, type Subject, write, writeTo } from './subject.ts';

/** PostgreSQL also counts commits to the cluster's other databases, such as those of concurrent tests. */
const looksMax = 1_000;

export function testDataVersion(subject: Subject): void {
  test('the data version changes after each commit by any process', async () => {
    const tenant = await newTenant(subject);
    const { database, second, db } = subject.under;
    const commits = [
      () => write(subject, tenant, async () => undefined),
      () => writeTo(second, tenant, async () => undefined),
      () => db.updateTable('tenant').set({ name: 'renamed' }).where('id', '=', tenant).execute(),
    ];
    let before = await database.dataVersion();
    for (const commit of [...commits, ...commits]) {
      await commit();
      const after = await database.dataVersion();
      assert.notEqual(after, before);
      before = after;
    }
  });

  test('the version of the data stays while nothing is committed, even if data is read', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant);
    const { database } = subject.under;
    for (let looks = 1; ; looks += 1) {
      const before = await database.dataVersion();
      assert((await database.directory(tenant).findUser({ id })) !== undefined);
      if ((await database.dataVersion()) === before) return;
      assert(looks < looksMax, 'it is another one each time');
    }
  });

  test('a commit in progress when the version is queried changes it', async () => {
    const tenant = await newTenant(subject);
    const { database, second } = subject.under;
    for (const writer of [database, second]) {
      const before: unknown[] = [];
      await writeTo(writer, tenant, async (directory) => {
        await directory.insertUser('under.way', {});
        before.push(await database.dataVersion());
      }).catch(() => {});
      assert.equal(before.length, 1);
      assert.notEqual(await database.dataVersion(), before[0]);
    }
  });

  test('no commit is missed among concurrent commits and version reads', async () => {
    const tenant = await newTenant(subject);
    const { database } = subject.under;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const before = await database.dataVersion();
        await write(subject, tenant, async () => undefined);
        assert.notEqual(await database.dataVersion(), before);
      }),
    );
  });
}
