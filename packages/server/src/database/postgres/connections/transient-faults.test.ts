import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { openTestPostgres, patient, runSql, untilLocked } from '../../../../test/test-postgres.ts';
import { BusyError } from '../../../errors/busy-error.ts';
import { Deadline, runUnderDeadline } from '../../../time/deadline.ts';
import { type AcceptanceClaim, AlreadyAcceptedError } from '../../database.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';
import { runTransaction } from '../transactions/run-transaction.ts';
import { FailoverPool } from './failover-pool.ts';
import { PrimaryHosts } from './primary-hosts.ts';

// Faults that pass must be reported as busy, so that callers send the same request again, never as internal errors.

const postgres = await openTestPostgres();
const url = await postgres.createMigratedDatabase();
// The machine may be busy with other tests.
const database = await openPostgresDatabase({ ...patient, url });
after(async () => {
  await database.close();
  await postgres.stop();
});

const tenant = await database.tenants.insertTenant('one');
assert(tenant !== undefined);
const tenantId = tenant.id;

function newClaim(): AcceptanceClaim {
  return { signature: randomBytes(32), requestId: randomUUID(), expiresAtSeconds: 4_000_000_000 };
}

function write(claim: AcceptanceClaim, username: string) {
  return database.write(tenantId, claim, async (directory) => ({
    result: await directory.insertUser(username, {}),
    audit: { operation: 'test', changes: {} },
  }));
}

/** Opens a connection that makes the claim and holds it. */
async function holdClaim(t: TestContext, claim: AcceptanceClaim): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  t.after(() => holder.end());
  await holder.query('begin');
  await holder.query(
    'insert into accepted_write (signature, expires_at_seconds, request_id) values ($1, $2, $3)',
    [claim.signature, claim.expiresAtSeconds, 'the first'],
  );
  return holder;
}

test('a copy that waits for the first one until its own time is over learns that it is a copy', async (t) => {
  const claim = newClaim();
  const holder = await holdClaim(t, claim);
  let nowMs = 0;
  const deadline = new Deadline(10_000, { now: () => nowMs });
  const rejected = assert.rejects(
    runUnderDeadline(deadline, () => write(claim, 'copied')),
    AlreadyAcceptedError,
  );
  await untilLocked(url, rejected);
  nowMs = 10_000;
  await holder.query('commit');
  await rejected;
});

function openPool(t: TestContext, to: string): FailoverPool {
  const limits = { ...patient, acquireTimeoutMs: 60_000 };
  const hosts = new PrimaryHosts(to, limits);
  const pool = new FailoverPool({ hosts, size: 1, ...limits });
  t.after(() => pool.end());
  return pool;
}

/** Keeps this process from reading anything for so long, as if it were stopped. */
function stopProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a transaction that the database ended while the process was stopped is busy', async (t) => {
  const pool = openPool(t, url);
  const stopped = runTransaction(pool, async ({ db }) => {
    // Long enough that a busy machine does not let the session end before this process stops.
    await sql`set local idle_in_transaction_session_timeout = 500`.execute(db);
    stopProcess(1_500);
    await sql`select 1`.execute(db);
  });
  await assert.rejects(stopped, (error: unknown) => {
    assert(error instanceof BusyError, String(error));
    assert.match(error.message, /is unavailable: .*idle-in-transaction timeout/);
    return true;
  });
  assert.equal(await runTransaction(pool, async () => 'again'), 'again');
});

test('a connection that the system refuses for any reason is busy', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-sockets-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // PostgreSQL removes its socket when it stops.
  const pool = openPool(t, `postgres:///x?host=${folder}`);
  await assert.rejects(pool.connect(), (error: unknown) => {
    assert(error instanceof BusyError, String(error));
    assert.match(error.message, /ENOENT/);
    return true;
  });
});

const copiesPerWrite = 4;
const terminations = 20;

test('while connections are terminated again and again, writes and their copies are done, copies or busy, nothing else', {
  timeout: 240_000,
}, async () => {
  const claims = Array.from({ length: 50 }, newClaim);
  const terminating = (async () => {
    for (let round = 0; round < terminations; round += 1)
      await runSql(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and random() < 0.3`,
      );
  })();
  const untilDecided = async (claim: AcceptanceClaim, username: string): Promise<'done' | 'copy'> => {
    for (;;) {
      try {
        await runUnderDeadline(new Deadline(10_000), () => write(claim, username));
        return 'done';
      } catch (error) {
        if (error instanceof AlreadyAcceptedError) return 'copy';
        assert(error instanceof BusyError, inspect(error));
        // A refusal at once would otherwise leave no time for anybody else.
        await setImmediate();
      }
    }
  };
  const outcomes = Promise.all(
    claims.map((claim, index) =>
      Promise.all(
        Array.from({ length: copiesPerWrite }, (_, copy) =>
          untilDecided({ ...claim, requestId: `${index} ${copy}` }, `terminated-${index}`),
        ),
      ),
    ),
  );
  const [ofEach] = await Promise.all([outcomes, terminating]);
  for (const each of ofEach) assert.deepEqual(each.toSorted(), ['copy', 'copy', 'copy', 'done']);
});

test('a statement after the one that broke the connection still says what broke it', async (t) => {
  const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  t.after(() => session.db.destroy());
  await session.db.connection().execute(async (db) => {
    await assert.rejects(
      sql`select pg_terminate_backend(pg_backend_pid())`.execute(db),
      /terminating connection/,
    );
    await assert.rejects(sql`select 1`.execute(db), /the connection failed before: .*terminating connection/);
  });
});
