import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Database, OperatorLink } from '../database.ts';
import type { Subject } from './subject.ts';

export function testOperatorLinks(subject: Subject): void {
  const newLink = (more: Partial<OperatorLink> = {}): OperatorLink => ({
    tokenHash: randomUUID(),
    role: 'manager',
    allTenants: false,
    tenantIds: [3n, 9_007_199_254_740_993n],
    expiresAtMs: subject.clock.nowMs + 60_000,
    ...more,
  });

  const store = (...links: readonly OperatorLink[]) =>
    subject.under.database.operators.write(undefined, async (operators) => {
      for (const link of links) await operators.insertLink(link);
      return { result: undefined };
    });

  const take = ({ operators }: Database, tokenHash: string) =>
    operators.write(undefined, async (writer) => ({ result: await writer.takeLink(tokenHash) }));

  const listHashes = async () =>
    (await subject.under.database.operators.listLinks()).map(({ tokenHash }) => tokenHash);

  test('open links are listed whole, the first to expire first, until they are used or have expired', async () => {
    const madeBy = await subject.under.database.operators.write(undefined, async (operators) => ({
      result: await operators.insert({
        username: randomUUID(),
        passwordHash: 'hash',
        role: 'owner',
        allTenants: true,
        tenantIds: [],
      }),
    }));
    assert(madeBy !== undefined);
    const last = newLink({ expiresAtMs: subject.clock.nowMs + 50_000 });
    const first = newLink({ expiresAtMs: subject.clock.nowMs + 10_000, madeBy });
    const reset = newLink({
      ...{ role: 'owner', allTenants: true, tenantIds: [], operatorId: madeBy },
      expiresAtMs: subject.clock.nowMs + 20_000,
    });
    await store(last, first, reset);
    assert.deepEqual(await subject.under.second.operators.listLinks(), [first, reset, last]);
    assert.equal(await take(subject.under.second, reset.tokenHash), true);
    assert.deepEqual(await listHashes(), [first.tokenHash, last.tokenHash]);
    subject.clock.nowMs += 10_000;
    assert.deepEqual(await listHashes(), [last.tokenHash]);
    assert.equal(await subject.under.database.operators.countExpiredLinks(), 1);
  });

  test('of two processes that take a link at once, one gets it', async () => {
    const { database, second } = subject.under;
    for (let round = 0; round < 10; round += 1) {
      const link = newLink();
      await store(link);
      const taken = await Promise.all([take(database, link.tokenHash), take(second, link.tokenHash)]);
      assert.deepEqual(taken.sort(), [false, true]);
    }
  });

  test('a link stays open if the transaction that took it fails', async () => {
    const link = newLink();
    await store(link);
    const failed = subject.under.database.operators.write(undefined, async (operators) => {
      assert.equal(await operators.takeLink(link.tokenHash), true);
      throw new RangeError('refused after all');
    });
    await assert.rejects(failed, RangeError);
    assert.equal(await take(subject.under.second, link.tokenHash), true);
  });
}
