import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTenantWithTargets, save, timesOf } from './saved-users.ts';
import { type Subject, writeTo } from './subject.ts';

export function testCredentials(subject: Subject): void {
  test('the hash and the status are found by the exact username, within the tenant', async () => {
    const [tenant, other] = [await newTenantWithTargets(subject), await newTenantWithTargets(subject)];
    const { database } = subject.under;
    const ids = await writeTo(database, tenant, ({ users }) =>
      users.saveUsers([save('with', { fields: { passwordHash: 'hash' } }), save('without')]),
    );
    const { users } = database.directory(tenant);
    assert.deepEqual(await users.findCredentials('with'), {
      id: ids.get('with'),
      status: 'active',
      passwordHash: 'hash',
    });
    assert.deepEqual(await users.findCredentials('without'), { id: ids.get('without'), status: 'active' });
    assert.equal(await users.findCredentials('With'), undefined);
    assert.equal(await database.directory(other).users.findCredentials('with'), undefined);
  });

  test('a hash is replaced only if it is the expected one, and nothing else changes', async () => {
    const [tenant, other] = [await newTenantWithTargets(subject), await newTenantWithTargets(subject)];
    const { database } = subject.under;
    const ids = await writeTo(database, tenant, ({ users }) =>
      users.saveUsers([save('u', { fields: { passwordHash: 'old' } })]),
    );
    const id = ids.get('u') ?? 0n;
    const times = await timesOf(subject, id);
    subject.clock.nowMs += 1000;
    const replace = (on: bigint, from: string, to: string) =>
      writeTo(database, on, ({ users }) => users.replacePasswordHash(id, from, to));
    assert.equal(await replace(other, 'old', 'new'), false);
    assert.equal(await replace(tenant, 'other', 'new'), false);
    assert.equal(await replace(tenant, 'old', 'new'), true);
    assert.equal((await database.directory(tenant).users.findCredentials('u'))?.passwordHash, 'new');
    assert.equal((await database.directory(tenant).findUser({ id }))?.revision, 1n);
    assert.deepEqual(await timesOf(subject, id), times);
  });
}
