import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openTestPostgres, patient, runSql } from '../../../test/test-postgres.ts';
import type { OperatorWriter } from '../database.ts';
import { openPostgresDatabase } from './open.ts';

/** Changes of operators on an engine with several concurrent writers. */

const postgres = await openTestPostgres();
const url = await postgres.createMigratedDatabase();
const [one, other] = [
  await openPostgresDatabase({ ...patient, url }),
  await openPostgresDatabase({ ...patient, url }),
];
after(async () => {
  await Promise.all([one.close(), other.close()]);
  await postgres.stop();
});

function newOperator(username: string): Promise<bigint> {
  return one.operators.write(undefined, async (operators) => {
    const access = { role: 'owner', allTenants: true, tenantIds: [] } as const;
    const id = await operators.insert({ username, passwordHash: 'hash', ...access });
    assert(id !== undefined);
    return { result: id };
  });
}

/** Runs a change that decides by what it read, twice: one waits after reading until the other has begun. */
async function twiceAtOnce<T>(read: (operators: OperatorWriter) => Promise<T>, write: Write<T>) {
  const hasRead = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const first = one.operators.write(undefined, async (operators) => {
    const found = await read(operators);
    hasRead.resolve();
    await goOn.promise;
    await write(operators, found, 0);
    return { result: undefined };
  });
  await hasRead.promise;
  let secondHasRead = false;
  const second = other.operators.write(undefined, async (operators) => {
    const found = await read(operators);
    secondHasRead = true;
    await write(operators, found, 1);
    return { result: undefined };
  });
  // The second may read too early, or wait until the first has ended.
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while (!secondHasRead && (await runSql(url, waiting)).length === 0) await delay(5);
  goOn.resolve();
  await Promise.all([first, second]);
}

/** `index` is 0 for the first of the two and 1 for the second. */
type Write<T> = (operators: OperatorWriter, found: T, index: 0 | 1) => Promise<void>;

test('two changes of one operator that keep what they read lose nothing', async () => {
  const id = await newOperator('mara');
  await twiceAtOnce(
    async (operators) => (await operators.find(id))?.totpStep ?? 0n,
    (operators, step) => operators.update(id, { totpStep: step + 1n }),
  );
  assert.equal((await one.operators.find(id))?.totpStep, 2n);
});

test('of two owners that remove each other, one stays', async () => {
  const ids = [await newOperator('lena'), await newOperator('otto')];
  const active = async (operators: Pick<OperatorWriter, 'list'>) =>
    (await operators.list()).filter(({ id, status }) => ids.includes(id) && status === 'active');
  await twiceAtOnce(active, async (operators, found, index) => {
    const chosen = found[index];
    if (chosen !== undefined && found.length > 1) await operators.update(chosen.id, { status: 'disabled' });
  });
  assert.equal((await active(one.operators)).length, 1);
});
