import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type OwnPostgres, patient, startPostgres, untilRow } from '../../../../test/test-postgres.ts';
import { BusyError } from '../../../errors/busy-error.ts';
import { Deadline, runUnderDeadline } from '../../../time/deadline.ts';
import type { DirectoryWriter } from '../../database.ts';
import { openPostgresDatabase } from '../open.ts';
import type { PostgresDatabase } from '../postgres-database.ts';
import { writeConnectionsMax } from './fair-connections.ts';

const poolSize = 4;
/** Shorter than every other limit of this database. */
const callMs = 300;

let postgres: OwnPostgres;
let url: string;
let database: PostgresDatabase;
let tenantId: bigint;

before(async () => {
  postgres = await startPostgres({ durable: false });
  url = await postgres.createMigratedDatabase();
  database = await openPostgresDatabase({
    ...patient,
    url,
    poolSize,
  });
  tenantId = (await database.tenants.insertTenant('t'))?.id ?? 0n;
});

after(async () => {
  await database.close();
  await postgres.stop();
});

function insertUser(username: string, during: () => void = () => {}): Promise<bigint | undefined> {
  return database.write(tenantId, undefined, async (directory: DirectoryWriter) => {
    const result = await directory.insertUser(username, {});
    during();
    return { result, audit: { operation: 'test', changes: {} } };
  });
}

function findUser(username: string) {
  return database.directory(tenantId).findUser({ username });
}

function within<T>(totalMs: number, work: () => Promise<T>): Promise<T> {
  return runUnderDeadline(new Deadline(totalMs), work);
}

/** Runs the work while another session blocks all writes. */
async function whileWritesAreLocked<T>(work: () => Promise<T>): Promise<T> {
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  await blocker.query('begin; lock table audit_event in exclusive mode');
  try {
    return await work();
  } finally {
    await blocker.end();
  }
}

/** Resolves once that many sessions of the database wait for a lock. */
function untilWaiting(count: number): Promise<void> {
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' having count(*) = $1`;
  return untilRow(url, waiting, { values: [count] });
}

describe('a call that waits for the database', () => {
  test('is refused at its deadline while it waits for a lock', async () => {
    await whileWritesAreLocked(async () => {
      await assert.rejects(
        within(callMs, () => insertUser('locked')),
        BusyError,
      );
      // The database must cancel the statement itself, so that it does not hold a connection for a minute.
      await untilWaiting(0);
    });
    assert.equal(await findUser('locked'), undefined);
  });

  test('is refused at its deadline while it waits for a connection', async () => {
    const max = writeConnectionsMax(poolSize);
    const others = await whileWritesAreLocked(async () => {
      const blocked = Array.from({ length: max }, (_, index) => insertUser(`other-${index}`));
      await untilWaiting(max);
      await assert.rejects(
        within(callMs, () => insertUser('late')),
        /all connections that writes may use are busy/,
      );
      return blocked;
    });
    await Promise.all(others);
    assert.equal(await findUser('late'), undefined);
    await insertUser('in time');
  });

  test('gets a connection that becomes free after the limit for opening one', async (t) => {
    const connectTimeoutMs = 100;
    // On a busy machine, opening a connection takes longer than that.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const hurried = await openPostgresDatabase({ ...patient, url, poolSize, connectTimeoutMs });
    const find = () => hurried.directory(tenantId).findUser({ username: 'nobody' });
    const insert = (username: string) =>
      hurried.write(tenantId, undefined, async (directory) => ({
        result: await directory.insertUser(username, {}),
        audit: { operation: 'test', changes: {} },
      }));
    await Promise.all(Array.from({ length: poolSize }, find));
    const max = writeConnectionsMax(poolSize);
    const writes = await whileWritesAreLocked(async () => {
      const started = Array.from({ length: max + 1 }, (_, index) => insert(`patient-${index}`));
      await untilWaiting(max);
      t.mock.timers.tick(3 * connectTimeoutMs);
      return started;
    });
    assert.equal((await Promise.all(writes)).length, max + 1);
    await hurried.close();
  });

  test('leaves no trace if its deadline passes before the commit', async () => {
    let nowMs = 0;
    const deadline = new Deadline(callMs, { now: () => nowMs });
    const late = runUnderDeadline(deadline, () =>
      insertUser('too late', () => {
        nowMs = callMs;
      }),
    );
    await assert.rejects(late, /ran out of time waiting for the database/);
    assert.equal(await findUser('too late'), undefined);
  });

  test('is refused at its deadline while the database hangs, both reads and writes', async () => {
    postgres.process.freeze();
    try {
      const calls = [() => findUser('a'), () => insertUser('hung'), () => database.dataVersion()];
      const results = await Promise.allSettled(calls.map((call) => within<unknown>(callMs, call)));
      for (const result of results) {
        assert.equal(result.status, 'rejected');
        assert.ok(result.reason instanceof BusyError);
      }
    } finally {
      postgres.process.resume();
    }
    assert.equal(await findUser('hung'), undefined);
  });
});

describe('reads', () => {
  test('find a connection while waiting writes hold all connections that writes may use', async () => {
    const writes = await whileWritesAreLocked(async () => {
      const blocked = Array.from({ length: poolSize * 3 }, (_, index) => insertUser(`blocked-${index}`));
      await untilWaiting(writeConnectionsMax(poolSize));
      assert.equal((await within(60_000, () => findUser('in time')))?.username, 'in time');
      return blocked;
    });
    await Promise.all(writes);
  });

  test('have at least one connection of every pool', () => {
    const left = [2, 3, 4, 10, 100].map((size) => size - writeConnectionsMax(size));
    assert.deepEqual(left, [1, 1, 1, 2, 25]);
  });
});

test('the check of the database needs no connection of the pool', async () => {
  const [check] = database.readinessChecks();
  const reading = new pg.Client({ connectionString: url });
  await reading.connect();
  await reading.query('begin; lock table "user" in access exclusive mode');
  const reads = Array.from({ length: poolSize * 2 }, (_, index) =>
    database.directory(tenantId).userExists(BigInt(index)),
  );
  await untilWaiting(poolSize);
  assert.equal(await check?.probe(), undefined);
  await reading.end();
  await Promise.all(reads);
});

test('a database that only wrote leaves no connection open', { timeout: 240_000 }, async () => {
  const urlOfOwn = await postgres.createMigratedDatabase();
  const own = await openPostgresDatabase({ ...patient, url: urlOfOwn });
  await own.tenants.insertTenant('one');
  await own.close();
  const noneOpen = `select 1 from pg_stat_activity
    where datname = $1 and application_name = 'fieldroster' having count(*) = 0`;
  await untilRow(url, noneOpen, { values: [new URL(urlOfOwn).pathname.slice(1)] });
});
