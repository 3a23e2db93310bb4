import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deadline, runUnderDeadline } from '../../time/deadline.ts';
import {
  audit,
  listStoresOfUser,
  newFilledTenant,
  newTenant,
  newUser,
  Refusal,
  type Subject,
  write,
} from './subject.ts';

export function testConcurrency(subject: Subject): void {
  test('writes that lock a user and build on what they read lose no update, over two stores', async () => {
    const tenant = await newTenant(subject);
    const id = await newUser(subject, tenant);
    const stores = [subject.under.database, subject.under.second];
    const increments = Array.from({ length: 30 }, (_, index) =>
      stores[index % 2]?.write(tenant, undefined, async (directory) => {
        const user = await directory.lockUser({ id });
        await directory.updateUser(id, { phone: String(Number(user?.phone) + 1) });
        return { result: undefined, audit };
      }),
    );
    await Promise.all(increments);
    assert.equal((await subject.under.database.directory(tenant).findUser({ id }))?.phone, '30');
  });

  test('of several simultaneous insertions of a username, over two connections, one gets an id', async () => {
    const tenant = await newTenant(subject);
    const stores = [subject.under.database, subject.under.second];
    const insertions = Array.from({ length: 10 }, (_, index) =>
      stores[index % 2]?.write(tenant, undefined, async (directory) => ({
        result: await directory.insertUser('race', {}),
        audit,
      })),
    );
    const ids = (await Promise.all(insertions)).filter((id) => id !== undefined);
    assert.equal(ids.length, 1);
  });

  test("simultaneous replacements of one user's stores end as one of them, including its fields", async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const stores = [subject.under.database, subject.under.second];
    const sets = [['A'], ['B', 'C'], [], ['C', 'D', 'E'], ['A', 'E'], ['D']];
    const replacements = sets.map((codes, index) =>
      stores[index % 2]?.write(tenant, undefined, async (directory) => {
        await directory.lockUser({ id });
        await directory.updateUser(id, { phone: String(index) });
        await directory.replaceUserStores(id, codes);
        return { result: undefined, audit };
      }),
    );
    await Promise.all(replacements);
    const directory = subject.under.database.directory(tenant);
    const winner = Number((await directory.findUser({ id }))?.phone);
    const codes = (await listStoresOfUser(directory, id)).map((store) => store.code);
    assert.deepEqual(codes, sets[winner]);
  });

  test('a queue that has not been empty for half a second refuses further writes of its application', async (t) => {
    const { database } = subject.under;
    const tenant = await newTenant(subject);
    const startedMs = performance.now();
    let passedMs = 0;
    t.mock.method(performance, 'now', () => startedMs + passedMs);
    const submit = (owner: string, username: string) =>
      runUnderDeadline(new Deadline(60_000, { owner }), () =>
        write(subject, tenant, (directory) => directory.insertUser(username, {})),
      );
    const outcomes = Promise.allSettled(
      Array.from({ length: 300 }, (_, index) => submit('busy', `waiting.${index}`)),
    );
    assert.equal(database.refusesWritesOf('busy'), false, 'a burst may wait');
    passedMs = 501;
    assert.equal(database.refusesWritesOf('busy'), true);
    assert.equal(database.refusesWritesOf('quiet'), false);
    await assert.rejects(submit('busy', 'refused'), { name: 'BusyError' });
    const quiet = submit('quiet', 'quiet');
    const states = new Set((await outcomes).map(({ status }) => status));
    assert.deepEqual(states, new Set(['rejected', 'fulfilled']), 'the queue is cut');
    await quiet;
    assert.equal(database.refusesWritesOf('busy'), false, 'once none waits');
  });

  test('a failing write does not affect simultaneous ones', async () => {
    const tenant = await newTenant(subject);
    const writes = Array.from({ length: 20 }, (_, index) =>
      write(subject, tenant, async (directory) => {
        await directory.insertUser(`among.${index}`, {});
        if (index % 3 === 0) throw new Refusal(String(index));
      }),
    );
    const outcomes = await Promise.allSettled(writes);
    const directory = subject.under.database.directory(tenant);
    for (const [index, outcome] of outcomes.entries()) {
      const user = await directory.findUser({ username: `among.${index}` });
      assert.equal(outcome.status, index % 3 === 0 ? 'rejected' : 'fulfilled');
      assert.equal(user !== undefined, index % 3 !== 0);
    }
  });

  test('one process immediately reads what another wrote', async () => {
    const tenant = await newTenant(subject);
    const other = subject.under.second;
    const id = await newUser(subject, tenant);
    assert.equal(await other.directory(tenant).userExists(id), true);
  });
}
