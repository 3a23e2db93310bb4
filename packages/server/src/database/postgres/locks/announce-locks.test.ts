import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import {
  type OwnPostgres,
  patient,
  runSql,
  startPostgres,
  untilLocked,
} from '../../../../test/test-postgres.ts';
import type { Session } from '../../queries/session.ts';
import { openSessionWithoutTimeout } from '../open.ts';
import { announceLocks } from './announce-locks.ts';

let postgres: OwnPostgres;
let url: string;

before(async () => {
  postgres = await startPostgres({ durable: false, settings: ['max_prepared_transactions=5'] });
  url = await postgres.createDatabase();
  await runSql(url, 'create table shelf (id int)');
  await runSql(url, 'create table till (id int)');
});

after(() => postgres.stop());

const everyMs = 50;

const open = () => openSessionWithoutTimeout(url, patient.connectTimeoutMs);

async function connect(t: TestContext, application_name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name });
  await client.connect();
  t.after(() => client.end());
  return client;
}

/** Does the work and returns the messages; the second argument of the work resolves with the first of them. */
async function announced(
  work: (session: Session, first: Promise<void>) => Promise<unknown>,
  openSession = open,
): Promise<readonly string[]> {
  const messages: string[] = [];
  const { promise: first, resolve: tell } = Promise.withResolvers<void>();
  const notice = (_fields: object, message: string) => {
    messages.push(message);
    tell();
  };
  const session = open();
  await announceLocks(session, () => work(session, first), { openSession, notice, everyMs });
  await session.db.destroy();
  return messages;
}

test('the session that holds up the work is named, at the end of a chain, with the command that ends it', async (t) => {
  const [holder, between] = [await connect(t, 'holder'), await connect(t, 'between')];
  await holder.query('begin; lock table shelf');
  await between.query('begin; lock table till');
  const chained = between.query('select from shelf');
  await untilLocked(url, chained);
  const [message = ''] = await announced(async ({ db }, first) => {
    const waited = sql`select from till`.execute(db);
    await first;
    await holder.query('commit');
    await chained;
    await between.query('commit');
    await waited;
  });
  assert.match(
    message,
    /^waiting for a lock: session \d+ \(application holder, .*\) has been idle in a transaction since .* holds locks on shelf; .*pg_terminate_backend\(\d+\)/,
  );
});

test('a prepared transaction that holds up the work is named', async (t) => {
  const owner = await connect(t, 'owner');
  await owner.query(`begin; lock table shelf; prepare transaction 'forgotten'`);
  const [message = ''] = await announced(async ({ db }, first) => {
    const waited = sql`select from shelf`.execute(db);
    await first;
    await owner.query(`rollback prepared 'forgotten'`);
    await waited;
  });
  assert.match(message, /^waiting for a lock: .*forgotten/);
});

test('sessions that wait for the work itself, or for each other, are not its business', async (t) => {
  const [holder, waiter, ours] = [await connect(t, 'a'), await connect(t, 'b'), await connect(t, 'c')];
  await holder.query('begin; lock table till');
  const unrelated = waiter.query('select from till');
  await untilLocked(url, unrelated);
  let looks = 0;
  const openCounted = () => {
    looks += 1;
    return open();
  };
  let behindUs: Promise<unknown> | undefined;
  const work = ({ db }: Session) =>
    db.transaction().execute(async (transaction) => {
      await sql`lock table shelf`.execute(transaction);
      behindUs = ours.query('select from shelf');
      // The next look begins once the one before has ended.
      for (const enough = looks + 3; looks < enough; ) await sql`select pg_sleep(0.05)`.execute(transaction);
    });
  const messages = await announced(work, openCounted);
  assert.deepEqual(messages, []);
  await holder.query('commit');
  await Promise.all([unrelated, behindUs]);
});

test('a database that does not answer ends neither the work nor the process', async () => {
  const away = () => openSessionWithoutTimeout('postgres://127.0.0.1:1/x', patient.connectTimeoutMs);
  const [message = ''] = await announced((_session, first) => first, away);
  assert.match(message, /^cannot tell which sessions hold up the work on the tables: .*ECONNREFUSED/);
});
