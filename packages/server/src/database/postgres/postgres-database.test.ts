import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { patient, runSql, startPostgres } from '../../../test/test-postgres.ts';
import { BusyError } from '../../errors/busy-error.ts';
import { AlreadyAcceptedError, type Database, type WriteResult } from '../database.ts';
import { migrate, pendingMigrations } from '../migrations/migrate.ts';
import { type MigrationStep, migrations } from '../migrations/migrations.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from './open.ts';
import { retryAfterRace } from './transactions/retry-after-race.ts';

let postgres: Awaited<ReturnType<typeof startPostgres>>;

before(async () => {
  postgres = await startPostgres();
});

after(() => postgres.stop());

const audit = { operation: 'test', changes: {} };

function done(): WriteResult<undefined> {
  return { result: undefined, audit };
}

async function openWithUser(url: string): Promise<{ database: Database; tenantId: bigint; userId: bigint }> {
  const database = await openPostgresDatabase({ ...patient, url });
  const tenant = await database.tenants.insertTenant('one');
  assert.ok(tenant);
  const userId = await database.write(tenant.id, undefined, async (directory) => ({
    result: await directory.insertUser('first', {}),
    audit,
  }));
  assert.ok(userId !== undefined);
  return { database, tenantId: tenant.id, userId };
}

describe('a database', () => {
  for (const encoding of ['LATIN1', 'SQL_ASCII']) {
    test(`in ${encoding}, which cannot keep every character, is refused before a table is made`, async () => {
      const name = `in_${encoding.toLowerCase()}`;
      await runSql(
        postgres.url,
        `create database ${name} encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0`,
      );
      const url = new URL(postgres.url);
      url.pathname = name;
      for (const migrate of [true, false]) {
        await assert.rejects(openPostgresDatabase({ ...patient, url: url.href, migrate }), {
          name: 'DatabaseEncodingError',
          message: new RegExp(
            `has the encoding ${encoding} .* with: create database NAME encoding 'UTF8' template template0$`,
          ),
        });
      }
      const [row] = await runSql(
        url.href,
        "select count(*)::int as tables from pg_tables where schemaname = 'public'",
      );
      assert.deepEqual(row, { tables: 0 });
    });
  }

  test('in the encoding of a locale is refused with a statement that does not inherit that locale', async () => {
    const url = new URL(await postgres.createDatabase());
    const own = url.pathname.slice(1);
    const change = (name: string, column: string, value: string) =>
      runSql(postgres.url, `update pg_database set ${column} = ${value} where datname = '${name}'`);
    await change(own, 'encoding', "pg_char_to_encoding('LATIN1')");
    const [before] = await runSql(
      postgres.url,
      "select datctype from pg_database where datname = 'template0'",
    );
    await change('template0', 'datctype', "'de_DE.ISO-8859-1'");
    try {
      await assert.rejects(openPostgresDatabase({ ...patient, url: url.href }), {
        message: / encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0$/,
      });
    } finally {
      await change('template0', 'datctype', `'${before?.datctype}'`);
    }
  });

  test('in another encoding that an earlier release has filled is refused with a way out', async () => {
    const url = new URL(await postgres.createDatabase());
    const filled = url.pathname.slice(1);
    await (await openPostgresDatabase({ ...patient, url: url.href })).close();
    await runSql(
      postgres.url,
      `update pg_database set encoding = pg_char_to_encoding('SQL_ASCII') where datname = '${filled}'`,
    );
    await assert.rejects(openPostgresDatabase({ ...patient, url: url.href }), {
      name: 'DatabaseEncodingError',
      message:
        /; to move the directory of this one there, run fieldroster copy of the release that served it/,
    });
  });
});

describe('migrations', () => {
  test('of processes that start together run once', async () => {
    const url = await postgres.createDatabase();
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => openPostgresDatabase({ ...patient, url })),
    );
    for (const database of stores) {
      assert.equal(await database.applications.revision(), 0n);
      await database.close();
    }
  });

  test('of the next release run while this one goes on serving', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database, tenantId, userId } = await openWithUser(url);
    const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
    const next: MigrationStep = async (db) => {
      for (const { name } of (await db.introspection.getTables()).toSorted((a, b) =>
        a.name.localeCompare(b.name),
      )) {
        await db.schema
          .alterTable(name)
          .addColumn('of_next_release', sql`text`, (column) => column.notNull().defaultTo(''))
          .execute();
      }
    };
    await database.applications.listApplications();
    let writes = 0;
    const migrating = retryAfterRace(() =>
      migrate(session, { ...migrations, '999-next': { up: next, servesFrom: '001-initial' } }),
    );
    for (let more = true; more; writes += 1) {
      more = await Promise.race([migrating.then(() => false), delay(1).then(() => true)]);
      await database.write(tenantId, undefined, async (directory) => {
        await directory.updateUser(userId, { nickname: `n${writes}` });
        return done();
      });
      assert.equal((await database.directory(tenantId).findUser({ id: userId }))?.nickname, `n${writes}`);
    }
    await database.applications.listApplications();
    assert.equal((await database.tenants.listTenants()).length, 1);
    assert.ok(
      await database.write(tenantId, undefined, async (d) => ({
        result: await d.insertUser('later', {}),
        audit,
      })),
    );
    await session.db.destroy();
    await database.close();
  });

  test('that deadlock with a read do not fail it', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database, tenantId, userId } = await openWithUser(url);
    const migrating = new pg.Client({ connectionString: url });
    await migrating.connect();
    // The first session to check for a deadlock gives way; by default, a second after it began to wait.
    await migrating.query(
      "begin; set local deadlock_timeout = '60s'; lock table role in access exclusive mode",
    );
    const read = database.directory(tenantId).findUser({ id: userId });
    const waiting = "select pid from pg_locks where not granted and relation = 'role'::regclass";
    while ((await migrating.query(waiting)).rows.length === 0) await delay(5);
    // The read holds the users' table and waits for the roles'.
    await migrating.query('lock table "user" in access exclusive mode; commit');
    assert.equal((await read)?.username, 'first');
    await migrating.end();
    await database.close();
  });

  test('that are missing stop a server that may not run them', async () => {
    const url = await postgres.createDatabase();
    const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
    assert.deepEqual(await pendingMigrations(session), Object.keys(migrations));
    await session.db.destroy();
    await assert.rejects(
      openPostgresDatabase({ ...patient, url, migrate: false }),
      /there is no directory in the database .*fieldroster migrate/,
    );
  });
});

/** Transactions that find nothing to write. */
function maintenance({ claims, auditRetention, backups, bookkeeping }: Database) {
  const lease = { holder: 'somebody else', filesLike: '%', everyMs: 1, leaseMs: 1, retryMs: 1 };
  return {
    'a purge of claims': () => claims.purge(1_000),
    'a purge of the audit': () => auditRetention.purge({ beforeMs: 1_000, nowMs: 1_000 }),
    'the extension of a lost lease': () => backups.extendLease(lease),
    'the end of a lost lease': () => backups.endLease(lease.holder, false),
    'a purge of counts': () => bookkeeping.entryCounts.forget(1),
    'a purge of calls': async () => {
      const retention = { summariesMs: 1, failuresMs: 1, failuresMax: 1 };
      await bookkeeping.calls.purge({ nowMs: 1_000, latestMs: 1_000 }, retention);
      await bookkeeping.flush();
    },
  };
}

describe('a write that the database refuses', () => {
  test('is busy, and makes all nodes report a problem until a write succeeds; reads go on', async () => {
    const url = new URL(await postgres.createDatabase());
    const role = url.pathname.slice(1);
    await runSql(postgres.url, `create role ${role} login password 'p'`);
    await runSql(postgres.url, `alter database ${role} owner to ${role}`);
    [url.username, url.password] = [role, 'p'];
    const { database, tenantId, userId } = await openWithUser(url.href);
    const write = () =>
      database.write(tenantId, undefined, async (directory) => {
        await directory.updateUser(userId, { nickname: 'changed' });
        return done();
      });
    const probe = () => Promise.all(database.readinessChecks().map((check) => check.probe()));
    await probe();
    await runSql(url.href, `revoke update on "user" from ${role}`);
    await assert.rejects(write(), (error: unknown) => {
      assert.ok(error instanceof BusyError);
      assert.match(error.message, /could not carry out the statement: permission denied for table user/);
      return true;
    });
    await assert.rejects(probe(), {
      name: 'NotReadyError',
      message: 'its role may not write; grant it its rights',
    });
    assert.equal((await database.directory(tenantId).findUser({ id: userId }))?.nickname, '');
    for (const [what, maintain] of Object.entries(maintenance(database))) {
      await maintain();
      await assert.rejects(probe(), /its role may not write/, `${what} does not prove that writes succeed`);
    }
    await runSql(url.href, `grant update on "user" to ${role}`);
    await write();
    await probe();
    await database.close();
  });
});

describe('writes of several processes', () => {
  test('of one user wait for each other', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database, tenantId, userId } = await openWithUser(url);
    const other = await openPostgresDatabase({ ...patient, url });
    const append = (to: Database, text: string) =>
      to.write(tenantId, undefined, async (directory) => {
        const user = await directory.lockUser({ id: userId });
        await directory.updateUser(userId, { extInfo: `${user?.extInfo}${text}` });
        return done();
      });
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => append(index % 2 === 0 ? database : other, 'x')),
    );
    assert.equal((await database.directory(tenantId).findUser({ id: userId }))?.extInfo, 'x'.repeat(40));
    await Promise.all([database.close(), other.close()]);
  });

  test('that deadlock are run again and both succeed', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database, tenantId, userId } = await openWithUser(url);
    const second = await database.write(tenantId, undefined, async (d) => ({
      result: await d.insertUser('second', {}),
      audit,
    }));
    assert.ok(second !== undefined);
    let [attempts, locked] = [0, 0];
    const bothHaveOne = Promise.withResolvers<void>();
    const lockBoth = (first: bigint, then: bigint) =>
      database.write(tenantId, undefined, async (directory) => {
        attempts += 1;
        await directory.lockUser({ id: first });
        locked += 1;
        if (locked === 2) bothHaveOne.resolve();
        await bothHaveOne.promise;
        await directory.lockUser({ id: then });
        return done();
      });
    await Promise.all([lockBoth(userId, second), lockBoth(second, userId)]);
    assert.ok(attempts > 2, 'one of them lost and was run again');
    await database.close();
  });

  test('make one claim once, and a claim of a failed write is free again', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database, tenantId } = await openWithUser(url);
    const other = await openPostgresDatabase({ ...patient, url });
    const claim = { signature: Buffer.alloc(32, 7), requestId: 'r', expiresAtSeconds: 4_000_000_000 };
    await assert.rejects(
      database.write(tenantId, claim, async () => {
        throw new RangeError('refused');
      }),
      RangeError,
    );
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? database : other).write(tenantId, claim, async () => done()),
      ),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof AlreadyAcceptedError);
    }
    await Promise.all([database.close(), other.close()]);
  });
});

describe('a change of credentials', () => {
  test('reaches other processes at once', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database, tenantId } = await openWithUser(url);
    const other = await openPostgresDatabase({ ...patient, url });
    const heard = Promise.withResolvers<void>();
    const refresh = async () => {
      if ((await other.applications.revision()) >= 2n) heard.resolve();
    };
    // The last refresh may find the database closed; an earlier error fails the test.
    const end = await other.applications.watch(() => void refresh().catch(heard.reject));
    const application = { appId: 'a', tenantId, name: 'a', scope: 'write', sealed: Buffer.of(1) } as const;
    assert.equal(await database.applications.insertApplication(application), true);
    await heard.promise;
    await end();
    await Promise.all([database.close(), other.close()]);
  });
});

/** Collects the ends of the driver's connections that are opened during the test. */
function followConnections({ mock }: TestContext): Promise<unknown>[] {
  const ends: Promise<unknown>[] = [];
  const { connect } = pg.Client.prototype;
  mock.method(pg.Client.prototype, 'connect', function (this: pg.Client, onConnected: () => void) {
    ends.push(new Promise((resolve) => this.once('end', resolve)));
    return connect.call(this, onConnected);
  });
  return ends;
}

/**
 * Ends all connections as a shutdown does: the server notifies its clients and closes without waiting for them. Returns
 * when the clients have reported their errors, which they do a moment later, while no query is running.
 */
async function endConnectionsOf(url: string, ends: readonly Promise<unknown>[]): Promise<void> {
  const [, name] = new URL(url).pathname.split('/');
  const others = 'select pid from pg_stat_activity where datname = $1';
  await runSql(postgres.url, `select pg_terminate_backend(pid, 5000) from (${others}) as other`, [name]);
  assert.ok(ends.length > 0);
  await Promise.all(ends);
}

/** Crashes one backend, which makes PostgreSQL end all processes but its first; returns once it has recovered. */
async function crashBackend(url: string): Promise<void> {
  const crashing = await connectUntilItEnds(url);
  const { rows } = await crashing.client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [row] = rows;
  assert.ok(row);
  const witness = await connectUntilItEnds(url);
  process.kill(row.pid, 'SIGKILL');
  // PostgreSQL admits nobody until the last process has ended, which may be later than the witness.
  await Promise.all([crashing.ended, witness.ended]);
  await untilLetIn(url);
}

async function connectUntilItEnds(url: string) {
  const client = new pg.Client({ connectionString: url });
  const ended = new Promise((resolve) => client.once('end', resolve));
  // The caller waits for the end, for any cause.
  client.on('error', () => {});
  await client.connect();
  return { client, ended };
}

async function untilLetIn(url: string): Promise<void> {
  for (let attempts = 300; ; attempts--) {
    try {
      await runSql(url, 'select 1');
      return;
    } catch (error) {
      if (attempts === 1) throw error;
      await delay(100);
    }
  }
}

describe('a database that is away', () => {
  test('is reported as busy, and is used again when it is back', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database, tenantId, userId } = await openWithUser(url);
    await postgres.kill();
    await assert.rejects(database.ping(), BusyError);
    await assert.rejects(database.directory(tenantId).findUser({ id: userId }), BusyError);
    await assert.rejects(
      database.write(tenantId, undefined, async () => done()),
      BusyError,
    );
    await postgres.start();
    assert.equal((await database.directory(tenantId).findUser({ id: userId }))?.username, 'first');
    await database.write(tenantId, undefined, async () => done());
    await database.close();
  });

  test('has a new version of its data when it is back, because it may reuse transaction numbers', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database } = await openWithUser(url);
    const before = await database.dataVersion();
    await postgres.kill();
    await assert.rejects(database.dataVersion(), BusyError);
    await postgres.start();
    const after = await database.dataVersion();
    assert.notEqual(after, before);
    assert.equal(await database.dataVersion(), after);
    await database.close();
  });

  test('has a new version of its data after crash recovery', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database } = await openWithUser(url);
    const before = await database.dataVersion();
    await crashBackend(url);
    assert.notEqual(await database.dataVersion(), before);
    await database.close();
  });

  test('without the functions for its version counts as changed every time', async () => {
    const url = await postgres.createMigratedDatabase();
    const { database } = await openWithUser(url);
    await runSql(url, 'alter function pg_catalog.pg_current_snapshot() rename to away');
    const versions = [
      await database.dataVersion(),
      await database.dataVersion(),
      await database.dataVersion(),
    ];
    assert.equal(new Set(versions).size, versions.length);
    await database.close();
  });

  test('in the middle of a transaction is reported as busy, and the process goes on', async (t) => {
    const ends = followConnections(t);
    const url = await postgres.createMigratedDatabase();
    const { database, tenantId, userId } = await openWithUser(url);
    const interrupted = database.write(tenantId, undefined, async (directory) => {
      await directory.lockUser({ id: userId });
      await endConnectionsOf(url, ends);
      await directory.updateUser(userId, { nickname: 'lost' });
      return done();
    });
    await assert.rejects(interrupted, BusyError);
    assert.equal((await database.directory(tenantId).findUser({ id: userId }))?.nickname, '');
    await database.close();
  });

  test('is passed over for the next host of the list', async () => {
    const url = await postgres.createMigratedDatabase();
    const { host } = new URL(url);
    const database = await openPostgresDatabase({
      ...patient,
      url: url.replace(host, `127.0.0.1:1,${host}`),
    });
    await database.ping();
    await database.close();
  });

  test('is passed over when it has become a replica, and a write never goes there', async () => {
    const url = await postgres.createMigratedDatabase();
    const readOnly = await postgres.createMigratedDatabase();
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(
      `alter database ${new URL(readOnly).pathname.slice(1)} set default_transaction_read_only = on`,
    );
    await admin.end();
    await assert.rejects(
      openPostgresDatabase({ ...patient, url: readOnly }),
      /takes no writes, because default_transaction_read_only is on/,
    );
  });

  test('that takes no writes any more is not said to be silent', async () => {
    const url = await postgres.createMigratedDatabase();
    const database = await openPostgresDatabase({ ...patient, url });
    const check = database.readinessChecks().find(({ name }) => name === 'database');
    assert.equal(await check?.probe(), undefined);
    const name = new URL(url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
    await admin.end();
    const problemOf = () =>
      Promise.resolve(check?.probe()).then(
        () => 'none',
        (error: Error) => error.message,
      );
    // The first probe may still meet the connection that was ended.
    const problems = [await problemOf(), await problemOf(), await problemOf()];
    assert.equal(
      problems.at(-1),
      'it does not accept writes; make it writable, or fail over to a server that is',
    );
    await database.close();
  });

  test('that is too slow is reported as busy within the time-out', async () => {
    const url = await postgres.createMigratedDatabase();
    await (await openPostgresDatabase({ ...patient, url })).close();
    const database = await openPostgresDatabase({ ...patient, url, statementTimeoutMs: 2_000 });
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('begin; lock table counter in access exclusive mode');
    await assert.rejects(database.ping(), /did not answer in time/);
    await blocker.end();
    await database.close();
  });
});
