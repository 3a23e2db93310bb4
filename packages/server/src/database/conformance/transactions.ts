import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  auditRows,
  everyField,
  int64Max,
  newClaim,
  newFilledTenant,
  newTenant,
  newUser,
  Refusal,
  type Subject,
  wholeUser,
  write,
} from './subject.ts';

export function testTransactions(subject: Subject): void {
  test('a write returns its result and leaves one complete audit row', async () => {
    const tenant = await newTenant(subject);
    const result = await subject.under.database.write(tenant, undefined, async (directory) => {
      const id = await directory.insertUser('audited', {});
      const event = { appId: 'app', requestId: 'req-1', operation: 'create-user', userId: id ?? 0n };
      return { result: { id }, audit: { ...event, changes: { big: int64Max, text: '🦜', none: null } } };
    });
    const [created, row, ...more] = await auditRows(subject, tenant);
    assert.equal(created?.operation, 'tenant create');
    assert.deepEqual(more, []);
    const { id: _, changes, ...rest } = row ?? { id: 0n, changes: '' };
    assert.equal(changes, '{"big":9223372036854775807,"text":"🦜","none":null}');
    assert.deepEqual(rest, {
      tenant_id: tenant,
      at: BigInt(subject.clock.nowMs),
      app_id: 'app',
      request_id: 'req-1',
      operation: 'create-user',
      actor: null,
      user_id: result.id,
    });
  });

  test('a field that an audit event does not name is null in its row', async () => {
    const tenant = await newTenant(subject);
    await write(subject, tenant, async () => undefined);
    const row = (await auditRows(subject, tenant)).at(-1);
    assert.deepEqual([row?.app_id, row?.request_id, row?.user_id], [null, null, null]);
  });

  test('work that throws is undone with its audit row and its claim, and the same error is rethrown', async () => {
    const tenant = await newFilledTenant(subject);
    const id = await newUser(subject, tenant);
    const before = [await wholeUser(subject, tenant, id), await auditRows(subject, tenant)];
    const claim = { ...newClaim(subject), nonce: { appId: 'app', value: randomUUID() } };
    const refusal = new Refusal('no');
    const failing = write(
      subject,
      tenant,
      async (directory) => {
        await directory.insertUser('undone', {});
        await directory.updateUser(id, everyField);
        await directory.replaceUserRole(id, 1n);
        await directory.replaceUserOrg(id, 1n);
        await directory.replaceUserStores(id, ['A', 'B']);
        throw refusal;
      },
      claim,
    );
    await assert.rejects(failing, (error) => error === refusal);
    assert.deepEqual([await wholeUser(subject, tenant, id), await auditRows(subject, tenant)], before);
    const directory = subject.under.database.directory(tenant);
    assert.equal(await directory.findUser({ username: 'undone' }), undefined);
    await write(subject, tenant, async () => undefined, claim);
  });

  test('an audit row that cannot be written undoes the work', async () => {
    const tenant = await newTenant(subject);
    const failing = subject.under.database.write(tenant, undefined, async (directory) => {
      await directory.insertUser('undone', {});
      return { result: undefined, audit: { operation: 'test', changes: circular() } };
    });
    await assert.rejects(failing, TypeError);
    assert.equal(await subject.under.database.directory(tenant).findUser({ username: 'undone' }), undefined);
  });

  test('all audit rows of a write are in its transaction, in order', async () => {
    const tenant = await newTenant(subject);
    const { db, database } = subject.under;
    const more = Array.from({ length: 4500 }, (_, index) => ({
      operation: 'many',
      ...(index % 2 === 0 && { appId: 'app', requestId: 'r', userId: BigInt(index) }),
      changes: { index, big: int64Max, text: '🦜 "\\' },
    }));
    const audit = { operation: 'first', changes: {} };
    const failing = database.write(tenant, undefined, async () => ({
      result: undefined,
      audit,
      more: [
        ...more.slice(0, 3),
        { operation: 'cannot', changes: { invalid: Symbol('x'), self: circular() } },
      ],
    }));
    await assert.rejects(failing, TypeError);
    await database.write(tenant, undefined, async () => ({ result: undefined, audit, more }));
    const rows = await db
      .selectFrom('audit_event')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .orderBy('id')
      .execute();
    const [, first, ...rest] = rows;
    assert.equal(first?.operation, 'first');
    assert.deepEqual(
      rest.map(({ app_id, request_id, user_id, changes, at }) => [app_id, request_id, user_id, changes, at]),
      more.map((_, index) => [
        ...(index % 2 === 0 ? ['app', 'r', BigInt(index)] : [null, null, null]),
        `{"index":${index},"big":${int64Max},"text":"🦜 \\"\\\\"}`,
        BigInt(subject.clock.nowMs),
      ]),
    );
  });

  test('a write for a tenant that does not exist is refused', async () => {
    const creation = write(subject, int64Max, (directory) => directory.insertUser('u', {}));
    await assert.rejects(creation);
  });
}

function circular(): Record<string, unknown> {
  const self: Record<string, unknown> = {};
  self.self = self;
  return self;
}
