import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import type { Operations } from '@fieldroster/contract';
import pg from 'pg';
import { openTestPostgres, patient } from '../../../../test/test-postgres.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { bindUserOrg } from '../../../operations/bind-user-org.ts';
import { bindUserRole } from '../../../operations/bind-user-role.ts';
import { bindUserStore } from '../../../operations/bind-user-store.ts';
import type { WriteContext } from '../../../operations/handler.ts';
import { setUserStatus } from '../../../operations/set-user-status.ts';
import { unbindUserOrg } from '../../../operations/unbind-user-org.ts';
import { unbindUserRole } from '../../../operations/unbind-user-role.ts';
import { unbindUserStore } from '../../../operations/unbind-user-store.ts';
import { updateUser } from '../../../operations/update-user.ts';
import { Deadline, runUnderDeadline } from '../../../time/deadline.ts';
import { clientConfig } from '../connections/client-config.ts';
import { FailoverPool } from '../connections/failover-pool.ts';
import { PrimaryHosts } from '../connections/primary-hosts.ts';
import { openPostgresDatabase } from '../open.ts';
import { runTransaction } from './run-transaction.ts';

const postgres = await openTestPostgres();
const url = await postgres.createMigratedDatabase();
const pool = new pg.Pool({
  ...clientConfig(url, patient),
  max: 1,
});
await pool.query('create table entry (n integer primary key)');
after(async () => {
  await pool.end();
  await postgres.stop();
});

type Context = WriteContext<Operations['bindUserStore']>;

const insert = 'insert into entry values ($1)';

async function entries(): Promise<unknown[]> {
  const { rows } = await pool.query('select n from entry order by n');
  return rows.map(({ n }) => n);
}

/** Starts a proxy that counts how often the client waits for an answer. */
async function startCountingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const proxy = { url: '', roundTrips: 0, close: () => server.close() };
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    let answered = true;
    client.on('data', (bytes) => {
      if (answered) proxy.roundTrips += 1;
      answered = false;
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      answered = true;
      client.write(bytes);
    });
    client.on('close', () => database.destroy()).on('error', () => {});
    database.on('close', () => client.destroy()).on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(databaseUrl);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.url = through.href;
  return proxy;
}

/** Opens a directory with one tenant through a proxy that counts round trips. */
async function openCounted(t: TestContext) {
  const proxy = await startCountingProxy(await postgres.createMigratedDatabase());
  t.after(() => proxy.close());
  const database = await openPostgresDatabase({ ...patient, url: proxy.url });
  t.after(() => database.close());
  const tenant = await database.tenants.insertTenant('one');
  assert.ok(tenant);
  return { proxy, database, tenant };
}

test('a write to one user takes two round trips: what it reads, and what it writes with the commit', async (t) => {
  const { proxy, database, tenant } = await openCounted(t);
  const audit = { operation: 'test', changes: {} };
  const userId = await database.write(tenant.id, undefined, async (directory) => {
    for (const id of [1n, 2n]) await directory.roles.insert(id, {});
    await directory.orgs.insert(1n, {});
    await directory.stores.insert('A', {});
    return { result: await directory.insertUser('li', {}), audit };
  });
  assert.ok(userId);
  const write: Context['write'] = (work) => {
    const claim = { signature: randomBytes(32), requestId: 'request', expiresAtSeconds: 2_000_000_000 };
    return database.write(tenant.id, claim, async (directory) => {
      const { result } = await work(directory);
      return { result, audit };
    });
  };
  const refuse: Context['refuse'] = (code, message) => new ApiError(code, message);
  const context = { refuse, write } as never;
  const role = (role_id: bigint) => ({ user_id: userId, role_id });
  const org = { user_id: userId, org_id: 1n };
  const store = { user_id: userId, store_code: 'A' };
  const steps: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
    ['a role is bound', () => bindUserRole(role(1n), context)],
    ['a role is replaced', () => bindUserRole(role(2n), context)],
    ['a role is unbound', () => unbindUserRole(role(2n), context)],
    ['an organization is bound', () => bindUserOrg(org, context)],
    ['an organization is unbound', () => unbindUserOrg(org, context)],
    ['a store is bound', () => bindUserStore(store, context)],
    ['a store is bound again', () => bindUserStore(store, context)],
    ['a store is unbound', () => unbindUserStore(store, context)],
    ['a field is changed', () => updateUser({ id: userId, phone: '1' }, context)],
    ['the field is changed back', () => updateUser({ id: userId, phone: '' }, context)],
    ['a user is disabled', () => setUserStatus({ id: userId, status: 'disabled' }, context)],
    ['the user is enabled', () => setUserStatus({ id: userId, status: 'active' }, context)],
  ];
  // The first time, the connection prepares the statements.
  for (const [, run] of steps) await run();
  for (const [name, run] of steps) {
    const before = proxy.roundTrips;
    await run();
    assert.equal(proxy.roundTrips - before, 2, name);
  }
});

test('the creation of a user takes three round trips, because the insert itself takes an id', async (t) => {
  const { proxy, database, tenant } = await openCounted(t);
  const create = (username: string) => {
    const claim = { signature: randomBytes(32), requestId: 'request', expiresAtSeconds: 2_000_000_000 };
    return database.write(tenant.id, claim, async (directory) => {
      await directory.lockUser({ username });
      const audit = { operation: 'test', changes: {} };
      return { result: await directory.insertUser(username, {}), audit };
    });
  };
  // The first time, the connection prepares the statements.
  assert.equal(await create('li'), 1n);
  const before = proxy.roundTrips;
  assert.equal(await create('mara'), 2n);
  assert.equal(proxy.roundTrips - before, 3);
});

test('if a statement that nobody waited for fails, the transaction fails with its error', async () => {
  const write = runTransaction(pool, async ({ statements }) => {
    await statements.all(insert, [1]);
    statements.pipeline?.send('select 1 / 0', []);
    return 'done';
  });
  await assert.rejects(write, /division by zero/);
  assert.deepEqual(await entries(), []);
});

test('the error of a statement that nobody waited for is reported even when a later statement fails because of it', async () => {
  const write = runTransaction(pool, async ({ statements }) => {
    statements.pipeline?.send('select 1 / 0', []);
    await statements.all(insert, [1]);
  });
  await assert.rejects(write, /division by zero/);
});

test('of statements sent together, the first failure is reported, even if the work notices a later one before it', async () => {
  const write = runTransaction(pool, async ({ statements }) => {
    await statements.all(insert, [1]);
    const [first, second] = [statements.all('select 1 / 0', []), statements.all('select 1', [])];
    const noticedLate = Promise.allSettled([first, second]).then(() => first);
    await Promise.all([noticedLate, second]);
  });
  await assert.rejects(write, /division by zero/);
});

test('a transaction is repeated if a statement that nobody waited for loses a race', async () => {
  let attempts = 0;
  await runTransaction(pool, async ({ statements }) => {
    attempts += 1;
    await statements.all(insert, [attempts]);
    if (attempts === 1)
      statements.pipeline?.send("do $$ begin raise exception using errcode = '40001'; end $$", []);
  });
  assert.equal(attempts, 2);
  assert.deepEqual(await entries(), [2]);
});

test('work that goes on after its transaction has failed reaches no later transaction', async () => {
  const resume = Promise.withResolvers<void>();
  let rest: Promise<unknown> | undefined;
  const failed = runTransaction(pool, async ({ db, statements }) => {
    rest = resume.promise.then(() =>
      Promise.allSettled([
        statements.all(insert, [3]),
        db.insertInto('tenant').values({ name: 'late', created_at: 0n }).execute(),
      ]),
    );
    throw new Error('refused');
  });
  await assert.rejects(failed, /refused/);
  await runTransaction(pool, async ({ statements }) => {
    resume.resolve();
    const outcomes = (await rest) as PromiseSettledResult<unknown>[];
    for (const outcome of outcomes) assert.match(String(Object(outcome).reason), /transaction has ended/);
    await statements.all(insert, [4]);
  });
  assert.deepEqual(await entries(), [2, 4]);
});

/** The pool of a server, in which a transaction begins with its first statement. */
async function openOwnPool(t: TestContext, databaseUrl = url) {
  const own = new FailoverPool({
    hosts: new PrimaryHosts(databaseUrl, patient),
    ...patient,
    size: 1,
    acquireTimeoutMs: 60_000,
  });
  t.after(() => own.end());
  await pool.query('truncate entry');
  return own;
}

test('if a transaction cannot begin, none of the statements sent with it takes effect', async (t) => {
  const own = await openOwnPool(t);
  const client = await own.connect();
  await client.query('deallocate fieldroster_start_transaction', []);
  client.release();
  const write = runTransaction(own, async ({ statements }) => {
    statements.pipeline?.send(insert, [1]);
    // Another text, because PostgreSQL skips the preparation of the first one.
    await Promise.all([statements.all('select 1', []), statements.all(`${insert} returning n`, [2])]);
  });
  await assert.rejects(write, /"fieldroster_start_transaction" does not exist/);
  assert.deepEqual(await entries(), []);
});

test('if the transaction of a call with little time left cannot begin, its first statement takes no effect', async (t) => {
  const own = await openOwnPool(t);
  const client = await own.connect();
  // Prepares the statement, because PostgreSQL skips a preparation that follows a failure.
  await client.query(insert, [1]);
  await client.query('deallocate fieldroster_start_transaction', []);
  client.release();
  const write = runUnderDeadline(new Deadline(5_000), () =>
    runTransaction(own, async ({ statements }) => statements.all(insert, [2])),
  );
  await assert.rejects(write, /"fieldroster_start_transaction" does not exist/);
  assert.deepEqual(await entries(), [1]);
});

test('statements that wait for the transaction to begin are undone with it', async (t) => {
  const own = await openOwnPool(t);
  const write = runTransaction(own, async ({ statements }) => {
    for (const n of [1, 2, 3]) statements.pipeline?.send(insert, [n]);
    throw new Error('refused');
  });
  await assert.rejects(write, /refused/);
  assert.deepEqual(await entries(), []);
});

test('statements keep their order while a transaction begins', async (t) => {
  const own = await openOwnPool(t);
  const write = () =>
    runTransaction(own, ({ statements }) =>
      Promise.all([
        statements.all('insert into entry select count(*) from entry', []),
        statements.all('insert into entry select count(*) from entry', []),
        statements.all('select n from entry order by n', []),
      ]),
    );
  const [, , found] = await write();
  assert.deepEqual(found, [{ n: 0 }, { n: 1 }]);
  const [, , foundLate] = await runUnderDeadline(new Deadline(5_000), write);
  assert.deepEqual(foundLate, [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a commit that is sent with a failing statement commits nothing', async (t) => {
  const own = await openOwnPool(t);
  const write = runTransaction(
    own,
    async ({ statements }) => {
      await statements.all(insert, [1]);
      statements.pipeline?.send('select 1 / 0', []);
    },
    { commitAhead: true },
  );
  await assert.rejects(write, /division by zero/);
  assert.deepEqual(await entries(), []);
});

test('a call with little time left commits only after its statements were answered', async (t) => {
  const proxy = await startCountingProxy(url);
  t.after(() => proxy.close());
  const own = await openOwnPool(t, proxy.url);
  const roundTripsOf = async (remainingMs: number, n: number) => {
    const before = proxy.roundTrips;
    const work = () =>
      runTransaction(
        own,
        async ({ statements }) => {
          await statements.all(insert, [n]);
          statements.pipeline?.send(insert, [n + 1]);
        },
        { commitAhead: true },
      );
    await runUnderDeadline(new Deadline(remainingMs), work);
    return proxy.roundTrips - before;
  };
  await roundTripsOf(60_000, 1);
  assert.equal(await roundTripsOf(60_000, 3), 2);
  assert.equal(await roundTripsOf(5_000, 5), 3, 'the first write waits until the transaction has begun');
  assert.equal(await roundTripsOf(1_900, 7), 4);
});

for (const end of ['commit', 'rollback'] as const) {
  test(`a connection whose transaction is still open after a failed ${end} serves nobody else`, async (t) => {
    const own = await openOwnPool(t);
    const write = (n: number) =>
      runTransaction(own, async ({ statements }) => {
        await statements.all(insert, [n]);
        if (end === 'rollback') throw new Error('refused');
      });
    await write(1).catch(() => {});
    // Without its prepared statement, the end of the next transaction fails before it is carried out.
    const client = await own.connect();
    const { rows } = await client.query<{ name: string }>(
      `select name from pg_prepared_statements where statement = '${end}'`,
      [],
    );
    await client.query(`deallocate ${rows[0]?.name}`, []);
    client.release();
    await assert.rejects(write(2), end === 'rollback' ? /refused/ : /does not exist/);
    const next = await own.connect();
    try {
      const left = await next.query('select n from entry', []);
      assert.deepEqual(left.rows, end === 'commit' ? [{ n: 1 }] : []);
    } finally {
      next.release();
    }
  });
}
