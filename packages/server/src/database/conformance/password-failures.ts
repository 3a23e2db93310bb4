import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Subject } from './subject.ts';

const windowMs = 60_000;

export function testPasswordFailures(subject: Subject): void {
  const failuresOf = () => subject.under.database.bookkeeping.passwordFailures;
  const add = async (name: string, count: number) =>
    (await failuresOf().change([{ subject: name, add: count }], windowMs)).get(name)?.failures;
  const read = async (name: string) => (await failuresOf().read([name], windowMs)).get(name)?.failures;

  test('failures are counted within a window, which ends a minute after the first', async () => {
    const name = randomUUID();
    assert.equal(await read(name), undefined);
    assert.equal(await add(name, 1), 1);
    subject.clock.nowMs += 59_000;
    assert.equal(await add(name, 2), 3);
    assert.equal(await read(name), 3);
    subject.clock.nowMs += 1_000;
    assert.equal(await read(name), undefined);
    assert.equal(await add(name, 1), 1, 'a new window');
  });

  test('failures of two stores on one database are counted together, and none is lost', async () => {
    const names = [randomUUID(), randomUUID()];
    const { database, second } = subject.under;
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const changes = names.map((name) => ({ subject: name, add: 1 }));
        const { passwordFailures } = (index % 2 === 0 ? database : second).bookkeeping;
        return passwordFailures.change(index % 3 === 0 ? changes : changes.toReversed(), windowMs);
      }),
    );
    const counts = await second.bookkeeping.passwordFailures.read(names, windowMs);
    assert.deepEqual(
      names.map((name) => counts.get(name)?.failures),
      [40, 40],
    );
  });

  test('failures can be cleared and taken back, and the count never falls below zero', async () => {
    const name = randomUUID();
    await add(name, 2);
    assert.equal(await add(name, -1), 1);
    assert.equal(await add(name, -5), 0);
    assert.equal(await add(randomUUID(), -1), 0);
    await add(name, 3);
    await failuresOf().change([{ subject: name, clear: true, add: 0 }], windowMs);
    assert.equal(await read(name), undefined);
    const after = await failuresOf().change([{ subject: name, clear: true, add: 1 }], windowMs);
    assert.equal(after.get(name)?.failures, 1);
  });

  test('a clock that is set back does not prolong a window by more than its own time', async () => {
    const name = randomUUID();
    subject.clock.nowMs += 3_600_000;
    await add(name, 9);
    subject.clock.nowMs -= 3_600_000;
    assert.equal(await read(name), undefined);
    assert.equal(await add(name, 1), 1);
    assert.equal(await read(name), 1);
  });

  test('a shorter window ends when it was to end, and a failure that expects another length leaves it', async () => {
    const name = randomUUID();
    const addWithin = async (endsAfterMs: number) => {
      const change = { subject: name, add: 1, endsAfterMs };
      return (await failuresOf().change([change], 3_600_000)).get(name);
    };
    const opened = await addWithin(1_800_000);
    assert.equal(opened?.endsAtMs, subject.clock.nowMs + 1_800_000);
    assert.deepEqual(await addWithin(60_000), { failures: 2, endsAtMs: opened?.endsAtMs });
    subject.clock.nowMs += 1_800_000;
    assert.equal((await addWithin(60_000))?.failures, 1);
  });

  test('expired windows are removed, and the others stay', async () => {
    const [ended, present] = [randomUUID(), randomUUID()];
    await add(ended, 1);
    subject.clock.nowMs += 30_000;
    await add(present, 1);
    subject.clock.nowMs += 30_000;
    assert.ok((await failuresOf().forgetEnded()) >= 1);
    const rows = await subject.under.bookkeeping
      .selectFrom('password_failure')
      .select('subject')
      .where('subject', 'in', [ended, present])
      .execute();
    assert.deepEqual(rows, [{ subject: present }]);
    assert.equal(await failuresOf().forgetEnded(), 0);
  });
}
