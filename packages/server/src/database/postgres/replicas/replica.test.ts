import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { patient, runSql, startPostgres } from '../../../../test/test-postgres.ts';
import { countStoresOf } from '../../../directory/user-identity.ts';
import type { Database } from '../../database.ts';
import type { Session } from '../../queries/session.ts';
import { parseDatabaseUrl } from '../connections/database-url.ts';
import { FailoverPool } from '../connections/failover-pool.ts';
import { PrimaryHosts } from '../connections/primary-hosts.ts';
import { ReplicaHosts } from '../connections/replica-hosts.ts';
import { openPostgresDatabase, openSession } from '../open.ts';
import { Replica, ReplicaError } from './replica.ts';

let primary: Awaited<ReturnType<typeof startPostgres>>;
let copy: Awaited<ReturnType<typeof primary.startReplica>>;

before(async () => {
  primary = await startPostgres({ durable: false });
  copy = await primary.startReplica();
});

after(async () => {
  await copy.stop();
  await primary.stop();
});

/** Returns the port of the server that runs the work. */
async function portOf({ db }: Session): Promise<string> {
  const { rows } = await sql<{ port: string }>`select current_setting('port') as port`.execute(db);
  return rows[0]?.port ?? '';
}

/** Checks through the first database, because the replica may not have a new one yet. */
async function untilReplayed(): Promise<void> {
  const { url } = primary;
  const [written] = await runSql(url, 'select cast(pg_current_wal_flush_lsn() as text) as position');
  const compare = 'select pg_last_wal_replay_lsn() >= cast($1 as pg_lsn) as done';
  while ((await runSql(copy.urlOf(url), compare, [written?.position]))[0]?.done !== true) await delay(5);
}

async function whilePaused(work: () => Promise<void>): Promise<void> {
  const { url } = primary;
  await runSql(copy.urlOf(url), 'select pg_wal_replay_pause()');
  try {
    await work();
  } finally {
    await runSql(copy.urlOf(url), 'select pg_wal_replay_resume()');
  }
}

/** Returns when another session last sent a statement to a database. */
async function lastQueryAt(url: string): Promise<unknown> {
  const [row] = await runSql(
    url,
    `select cast(max(query_start) as text) as at from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return row?.at;
}

const page = { after: undefined, limit: 100 };

async function usernames(database: Database, tenantId: bigint): Promise<string[]> {
  const lists = database.directory(tenantId).lists;
  const { entries } = await lists.listUsers({ filters: {}, order: 'id', ...page });
  return entries.map(({ username }) => username);
}

describe('the lists of a server with a replica', () => {
  test('contain every acknowledged write of any process, however far the replica is behind', async () => {
    const url = await primary.createMigratedDatabase();
    let restedMs = 0;
    const one = await openPostgresDatabase({ ...patient, url });
    await untilReplayed();
    const other = await openPostgresDatabase({
      ...patient,
      url,
      replicaUrl: copy.urlOf(url),
      elapsedMs: () => restedMs,
    });
    const tenant = await one.tenants.insertTenant('one');
    assert.ok(tenant);
    const create = (database: Database, username: string) =>
      database.write(tenant.id, undefined, async (directory) => ({
        result: await directory.insertUser(username, {}),
        audit: { operation: 'create', changes: { username } },
      }));
    await untilReplayed();
    await whilePaused(async () => {
      await create(one, 'by-one');
      assert.deepEqual(await usernames(other, tenant.id), ['by-one']);
      restedMs += 60_000;
      await create(other, 'by-itself');
      assert.deepEqual(await usernames(other, tenant.id), ['by-one', 'by-itself']);
      restedMs += 60_000;
      const { entries } = await other.directory(tenant.id).lists.listAuditEvents({ filters: {}, ...page });
      assert.equal(entries.filter(({ operation }) => operation === 'create').length, 2);
    });
    await untilReplayed();
    restedMs += 60_000;
    assert.deepEqual(await usernames(other, tenant.id), ['by-one', 'by-itself']);
    await one.close();
    await other.close();
  });

  test('are read from the replica again after a second, even if the clock is set back meanwhile', async () => {
    const url = await primary.createMigratedDatabase();
    await untilReplayed();
    let [nowMs, restedMs] = [Date.UTC(2026, 0, 15), 0];
    const database = await openPostgresDatabase({
      ...patient,
      url,
      replicaUrl: copy.urlOf(url),
      now: () => nowMs,
      elapsedMs: () => restedMs,
    });
    await whilePaused(async () => {
      const tenant = await database.tenants.insertTenant('one');
      assert.deepEqual(await usernames(database, tenant?.id ?? 0n), [], 'the replica is behind, and rests');
    });
    await untilReplayed();
    nowMs -= 3_600_000;
    restedMs += 1_000;
    const before = await lastQueryAt(copy.urlOf(url));
    await usernames(database, 1n);
    assert.notEqual(await lastQueryAt(copy.urlOf(url)), before);
    await database.close();
  });

  test('contain each write at once while the replica follows', async () => {
    const url = await primary.createMigratedDatabase();
    await untilReplayed();
    const database = await openPostgresDatabase({ ...patient, url, replicaUrl: copy.urlOf(url) });
    const tenant = await database.tenants.insertTenant('one');
    assert.ok(tenant);
    for (let count = 1; count <= 50; count++) {
      await database.write(tenant.id, undefined, async (directory) => ({
        result: await directory.insertUser(`user-${count}`, {}),
        audit: { operation: 'create', changes: {} },
      }));
      assert.equal((await usernames(database, tenant.id)).length, count);
    }
    await database.close();
  });
});

test('the stores of a user to remove are counted without the replica', async () => {
  const url = await primary.createMigratedDatabase();
  await untilReplayed();
  const database = await openPostgresDatabase({ ...patient, url, replicaUrl: copy.urlOf(url) });
  const tenant = await database.tenants.insertTenant('one');
  assert.ok(tenant);
  const id = await database.write(tenant.id, undefined, async (directory) => {
    const id = (await directory.insertUser('u', {})) ?? 0n;
    for (const code of ['A', 'B']) await directory.stores.insert(code, {});
    await directory.replaceUserStores(id, ['A', 'B']);
    return { result: id, audit: { operation: 'create', changes: {} } };
  });
  await untilReplayed();
  const before = await lastQueryAt(copy.urlOf(url));
  const directory = database.directory(tenant.id);
  const counts = [{ id }, { username: 'u' }, { id: id + 1n }].map((key) => countStoresOf(directory, key));
  assert.deepEqual(await Promise.all(counts), [2, 2, 0]);
  assert.equal(await lastQueryAt(copy.urlOf(url)), before);
  await database.close();
});

test('a server does not start with a replica URL that leads elsewhere, or to a replica that refuses its login', async () => {
  const url = await primary.createMigratedDatabase();
  await untilReplayed();
  const other = copy.urlOf(await primary.createMigratedDatabase());
  await untilReplayed();
  const unknown = Object.assign(new URL(copy.urlOf(url)), { password: 'wrong' }).href;
  for (const [replicaUrl, reason] of [
    [url, /--database-replica cannot be used: it is not a streaming replica/],
    [
      other,
      /--database-replica cannot be used: it is a replica of another database, \S+ of cluster \d+ and not/,
    ],
    [unknown, /--database-replica cannot be used: password authentication failed/],
  ] as const) {
    await assert.rejects(openPostgresDatabase({ ...patient, url, replicaUrl }), (error) => {
      assert.ok(error instanceof ReplicaError);
      assert.match(error.message, reason);
      return true;
    });
  }
});

describe('a read that any copy may serve', () => {
  const limits = { ...patient, size: 2, acquireTimeoutMs: 60_000 };
  const notices: object[] = [];
  let elapsedMs = 0;
  let main: Session;
  let replica: Replica;

  before(() => {
    main = openSession(new FailoverPool({ hosts: new PrimaryHosts(primary.url, limits), ...limits }));
    replica = openReplica(copy.urlOf(primary.url));
  });

  after(async () => {
    await replica.close();
    await main.db.destroy();
  });

  function openReplica(url: string): Replica {
    return new Replica({
      primary: main,
      replica: openSession(new FailoverPool({ hosts: new ReplicaHosts(parseDatabaseUrl(url)), ...limits })),
      elapsedMs: () => elapsedMs,
      notice: (fields, message) => notices.push({ ...fields, message }),
    });
  }

  const portOfPrimary = () => new URL(primary.url).port;
  const portOfCopy = () => new URL(copy.urlOf(primary.url)).port;

  /** Advances the clock until the replica has rested and serves again, however slow the machine is. */
  async function untilServedByCopy(): Promise<void> {
    while ((await replica.read(portOf)) !== portOfCopy()) elapsedMs += 60_000;
  }

  test('goes to the replica once that has caught up, and to the primary before', async () => {
    await untilServedByCopy();
    await whilePaused(async () => {
      await runSql(primary.url, 'create table later ()');
      assert.equal(await replica.read(portOf), portOfPrimary());
    });
    await untilReplayed();
    assert.equal(await replica.read(portOf), portOfPrimary(), 'a replica that was behind rests for a while');
    elapsedMs += 60_000;
    await untilServedByCopy();
  });

  test('goes to the primary when the replica cancels it', async () => {
    const ports: string[] = [];
    const read = replica.read(async (session) => {
      ports.push(await portOf(session));
      if (ports.length === 1) await sql`select pg_sleep(600)`.execute(session.db);
      return portOf(session);
    });
    const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'";
    while ((await runSql(copy.urlOf(primary.url), cancel)).length === 0) await delay(20);
    const port = await read;
    assert.deepEqual([...ports, port], [portOfCopy(), portOfPrimary(), portOfPrimary()]);
  });

  test('fails as it would without a replica', async () => {
    await assert.rejects(
      replica.read(({ db }) => sql`select * from nowhere`.execute(db)),
      /relation "nowhere" does not exist/,
    );
    elapsedMs += 60_000;
    await untilServedByCopy();
  });

  test('goes to the primary when the replica is away', async () => {
    const away = openReplica('postgres://postgres:postgres@127.0.0.1:1/postgres');
    await away.check();
    assert.equal(await away.read(portOf), portOfPrimary());
    await away.close();
  });

  test('is reported when the replica has served none for a minute, and again every ten minutes', async () => {
    const away = openReplica('postgres://postgres:postgres@127.0.0.1:1/postgres');
    notices.length = 0;
    for (const [seconds, reported] of [
      [0, 0],
      [59, 0],
      [2, 1],
      [598, 1],
      [3, 2],
    ] as const) {
      elapsedMs += seconds * 1_000;
      await away.read(portOf);
      assert.equal(notices.length, reported);
    }
    const message =
      'the database of --database-replica has served no read for 61 s; the primary serves reads instead';
    assert.deepEqual(notices[0], { cause: 'connect ECONNREFUSED 127.0.0.1:1', message });
    await away.close();
  });

  test('goes to the primary when the replica has become a primary of its own', async () => {
    await untilReplayed();
    await runSql(copy.urlOf(primary.url), 'select pg_promote()');
    await runSql(copy.urlOf(primary.url), 'create table elsewhere ()');
    assert.equal(await replica.read(portOf), portOfPrimary());
  });
});
