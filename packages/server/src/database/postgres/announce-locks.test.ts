import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { openTestPostgres, runSql, type TestPostgres } from '../../../test/test-postgres.ts';
import { announceLocks } from './announce-locks.ts';
import { openSessionWithoutTimeout } from './open.ts';

let postgres: TestPostgres;
let url: string;

before(async () => {
  postgres = await openTestPostgres({ durable: false });
  url = await postgres.createDatabase();
  await runSql(url, 'create table shelf (id int)');
});

after(() => postgres.stop());

/** Announces locks until the first message, and returns all messages. */
async function announced(
  openSession = () => openSessionWithoutTimeout(url, 60_000),
): Promise<readonly string[]> {
  const messages: string[] = [];
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const notice = (_fields: object, message: string) => {
    messages.push(message);
    tell();
  };
  await announceLocks(() => told, { openSession, notice, everyMs: 50 });
  return messages;
}

test('the session that holds up the work is named, with the command that ends it', async () => {
  const [holder, waiter] = await Promise.all([connect('holder'), connect('waiter')]);
  await holder.query('begin; lock table shelf');
  const waited = waiter.query('select from shelf');
  const [message = ''] = await announced();
  await holder.end();
  await waited;
  await waiter.end();
  assert.match(
    message,
    /^waiting for a lock: session \d+ \(application holder, .*\) holds up 1 session: it is idle in a transaction since .* holds locks on shelf; .*pg_terminate_backend\(\d+\)/,
  );
});

test('a database that does not answer ends neither the work nor the process', async () => {
  const away = () => openSessionWithoutTimeout('postgres://127.0.0.1:1/x', 60_000);
  assert.deepEqual(await announced(away), ['what the work on the tables waits for is unknown']);
});

async function connect(application_name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name });
  await client.connect();
  return client;
}
