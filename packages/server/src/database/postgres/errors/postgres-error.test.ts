import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, patient, runSql } from '../../../../test/test-postgres.ts';
import type { Session } from '../../queries/session.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';
import { adviceOn } from './postgres-error.ts';

const postgres = await openTestPostgres({ durable: false });
const url = await postgres.createDatabase();
await runSql(url, 'create table closed (a int)');
// Roles and databases belong to the whole server, which other tests share.
const own = new URL(url).pathname.slice(1);
const [stranger, crowded, shut] = [`stranger_of_${own}`, `crowded_of_${own}`, `shut_of_${own}`];
await runSql(url, `create role ${stranger} login password 'x'`);
await runSql(url, `create role ${crowded} login password 'x' connection limit 0`);
await runSql(url, `create database ${shut} allow_connections false`);
after(async () => {
  for (const object of [`role ${stranger}`, `role ${crowded}`, `database ${shut}`])
    await runSql(url, `drop ${object}`);
  await postgres.stop();
});

function changed(parts: Partial<URL>): string {
  return Object.assign(new URL(url), parts).href;
}

test('an error that an operator can repair says how', async () => {
  for (const [to, message] of [
    [
      changed({ pathname: '/nowhere' }),
      /nowhere is unavailable: database "nowhere" does not exist; correct the user, password or name in the database URL$/,
    ],
    [
      changed({ port: '1' }),
      /is unavailable: connect ECONNREFUSED 127\.0\.0\.1:1; start it, or correct the host and port in the database URL$/,
    ],
    [
      changed({ username: stranger, password: 'x' }),
      /could not carry out the statement: permission denied for table closed; use the role that owns the tables, or grant it the right$/,
    ],
    [
      changed({ username: crowded, password: 'x' }),
      new RegExp(
        `is unavailable: too many connections for role "${crowded}"; raise max_connections of PostgreSQL or the limit of the role, or lower --database-pool-size$`,
      ),
    ],
    [
      changed({ pathname: shut }),
      new RegExp(
        `refuses the connection: database "${shut}" is not currently accepting connections; let it accept connections again, with alter database$`,
      ),
    ],
  ] as const) {
    const { db } = openSessionWithoutTimeout(to, patient.connectTimeoutMs);
    await assert.rejects(sql`select * from closed`.execute(db), { name: 'BusyError', message });
    await db.destroy();
  }
});

test('a silent or closing program, one that is not PostgreSQL, and a PostgreSQL without TLS are reported with what to do', async (t) => {
  const listen = async (onConnection: (socket: Socket) => void) => {
    const server = createServer((socket) => onConnection(socket.on('error', () => {})));
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return String((server.address() as AddressInfo).port);
  };
  const sockets = new Set<Socket>();
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  const silent = await listen((socket) => void sockets.add(socket));
  const closing = await listen((socket) => void socket.end());
  const resetting = await listen((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  const web = await listen((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const withTls = { search: 'sslmode=verify-full' };
  for (const [to, message, connectTimeoutMs = 30_000] of [
    [
      { port: silent },
      /is unavailable: Connection terminated due to connection timeout; see whether PostgreSQL hangs or /,
      500,
    ],
    [
      { port: closing },
      /is unavailable: Connection terminated unexpectedly; see the log of PostgreSQL, or correct /,
    ],
    [
      { port: resetting },
      /is unavailable: read ECONNRESET; see the log of PostgreSQL, or correct the host and port /,
    ],
    [
      { port: web, ...withTls },
      /refuses the connection: There was an error .*; check that PostgreSQL listens on the /,
    ],
    [
      withTls,
      /refuses the connection: The server does not support SSL connections; turn ssl on in PostgreSQL, or /,
    ],
  ] as const) {
    const { db } = openSessionWithoutTimeout(changed(to), connectTimeoutMs);
    await assert.rejects(sql`select 1`.execute(db), { name: 'BusyError', message });
    await db.destroy();
  }
});

test('a statement that PostgreSQL cannot carry out in its state is busy, and its session goes on', async (t) => {
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  t.after(() => db.destroy());
  await db.connection().execute(async (session) => {
    const outOfIds = sql`do $$ begin
      raise exception 'database is not accepting commands that assign new transaction IDs' using errcode = '54000';
    end $$`;
    await assert.rejects(outOfIds.execute(session), {
      name: 'BusyError',
      message:
        /could not carry out the statement: .*new transaction IDs; vacuum the database, as PostgreSQL's log says$/,
    });
    await assert.rejects(sql`select pg_read_file('lost')`.execute(session), {
      name: 'BusyError',
      message: /could not carry out the statement: could not open file "lost" for reading: No such file/,
    });
    await sql`select 1`.execute(session);
  });
});

test('a statement that takes too long says which limits to raise', async (t) => {
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  t.after(() => db.destroy());
  await sql`set statement_timeout = '50ms'`.execute(db);
  await assert.rejects(sql`select pg_sleep(60)`.execute(db), {
    message:
      /did not answer in time: .*statement timeout; see what held it up with fieldroster doctor, or raise statement_timeout of PostgreSQL/,
  });
});

test('a statement whose answer does not come names the doctor, because a lock may hold it up', () => {
  assert.match(
    adviceOn(new Error('Query read timeout')),
    /run fieldroster doctor at once: it names who holds a lock$/,
  );
});

test('a statement that gives up its wait for a lock says how to find who holds it', async () => {
  const { db: holder } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  const { db: waiter } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  await sql`begin`.execute(holder);
  await sql`lock table closed`.execute(holder);
  await sql`set lock_timeout = '50ms'`.execute(waiter);
  await assert.rejects(sql`select * from closed`.execute(waiter), {
    message: /did not answer in time: .*lock timeout; see who holds the lock with fieldroster doctor$/,
  });
  for (const db of [holder, waiter]) await db.destroy();
});

test('prepared statements that a pooler mixed up are explained, and the session is not used again', async (t) => {
  const read = ({ db }: Session) => sql`select a from closed`.execute(db);
  const open = () => {
    const session = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
    t.after(() => session.db.destroy());
    return session;
  };
  const explained = (reason: string) => ({
    name: 'PoolerError',
    message: new RegExp(
      `mixed up prepared statements: prepared statement .* ${reason}; if PgBouncer is in between, use version 1\\.21 or newer and set its max_prepared_statements above 0: docs/scaling\\.md has the whole configuration$`,
    ),
  });
  const former = open();
  await read(former);
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements
    where statement = 'select a from closed'`.execute(former.db);
  await sql`deallocate all`.execute(former.db);
  await assert.rejects(read(former), explained('does not exist'));
  await assert.rejects(read(former), /the connection was lost$/);
  const later = open();
  await sql.raw(`prepare ${rows[0]?.name} as select 1`).execute(later.db);
  await assert.rejects(read(later), explained('already exists'));
});

/** Accepts connections, and refuses a setting of each as PgBouncer does. */
async function startRefusingPooler(setting: string) {
  const fields = ['SFATAL', 'C08P01', `Munsupported startup parameter: ${setting}`, ''];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeUInt32BE(body.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([head, body])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: String((server.address() as AddressInfo).port), close: () => server.close() };
}

test('a pooler that refuses a setting is reported at the start without waiting, with what to change', {
  timeout: 240_000,
}, async (t) => {
  const pooler = await startRefusingPooler('statement_timeout');
  t.after(() => pooler.close());
  await assert.rejects(
    openPostgresDatabase({ ...patient, url: changed({ port: pooler.port }), waitSeconds: 5 }),
    {
      name: 'DatabaseRefusalError',
      message:
        /refuses the connection: unsupported startup parameter: statement_timeout; add it to ignore_startup_parameters of PgBouncer, and set it with connect_query there: docs\/scaling\.md has the whole configuration, with version and max_prepared_statements$/,
    },
  );
});
