import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { loggedQueries } from '../../../test/logged-queries.ts';
import type { BookkeepingTables } from '../queries/bookkeeping/bookkeeping-tables.ts';
import { KyselyErasures } from '../queries/erasure/erase-users.ts';
import { findFormerUsers } from '../queries/erasure/find-former-users.ts';
import { queryBuilderSession } from '../queries/query-builder-session.ts';
import type { Session, Transact } from '../queries/session.ts';
import { BookkeepingFile } from './bookkeeping/bookkeeping-file.ts';
import { connect } from './connections/connection.ts';
import { sqliteEngine } from './engine.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';

const auditRows = 2_600;
const failures = 1_200;

/** Opens a database whose user 777 was created as mara and renamed, and has thousands of audit rows. */
async function openFilled(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-erasure-cost-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await (await openSqliteDatabase({ folder })).close();
  const { connection } = connect(join(folder, databaseFile));
  t.after(() => connection.close());
  connection.exec(`insert into tenant (id, name, created_at) values (1, 'Harbour', 0);
    insert into audit_event (tenant_id, at, operation, user_id, changes) values
      (1, 1, 'create-user', 777, '{"username":{"to":"mara"}}'),
      (1, 2, 'update-user', 777, '{"username":{"from":"mara","to":"ada"}}');
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${auditRows})
      insert into audit_event (tenant_id, at, operation, user_id, changes)
      select 1, i, 'update-user', 777, '{"nickname":{"to":"nick ' || i || '"}}' from n`);
  return { folder, connection, ...loggedQueries(connection) };
}

/** Runs transactions on a connection, and notes how many rows each of them changed. */
function transactions({ connection, db }: Awaited<ReturnType<typeof openFilled>>) {
  const changed: number[] = [];
  const transact: Transact = async (work) => {
    connection.exec('begin immediate');
    const before = totalChanges(connection);
    const result = await work(queryBuilderSession(db, sqliteEngine));
    changed.push(totalChanges(connection) - before);
    connection.exec('commit');
    return result;
  };
  return { changed, transact };
}

function totalChanges(connection: DatabaseSync): number {
  return Number(connection.prepare('select total_changes() as changes').get()?.changes);
}

/** Opens the bookkeeping with failed calls, every second of which names mara, and notes what each write changed. */
async function openBookkeeping(t: TestContext, folder: string) {
  const file = new BookkeepingFile({ folder, lockWaitMs: 1_000 });
  await file.open();
  t.after(() => file.close());
  await file.write(
    ({ db }) =>
      sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(failures - 1)})
        insert into failed_call (request_id, at, verified, code, message, duration_us, method, target)
        select 'request-' || i, i, 0, 1101, 'refused', 1, 'GET',
          case when i % 2 = 0 then '/user?username=mara' else '/user?user_id=1' end from n`.execute(db),
    'background',
  );
  const changed: number[] = [];
  const counting = async <T>(session: Session, work: (session: Session) => Promise<T>) => {
    const count = async () => {
      const { rows } = await sql<{ changes: bigint }>`select total_changes() as changes`.execute(session.db);
      return Number(rows[0]?.changes);
    };
    const before = await count();
    const result = await work(session);
    changed.push((await count()) - before);
    return result;
  };
  const tables: BookkeepingTables = {
    read: (work) => file.read(work),
    write: (work, durability) => file.write((session) => counting(session, work), durability),
  };
  return { tables, changed };
}

test('the search for a former name reads each audit row once, however many the tenant has', async (t) => {
  const { connection, db, asked } = await openFilled(t);
  assert.deepEqual(await findFormerUsers(queryBuilderSession(db, sqliteEngine), 1n, 'mara'), [777n, 777n]);
  const plans = asked.flatMap(({ sql: text, parameters }) =>
    connection.prepare(`explain query plan ${text}`).all(...(parameters as SQLInputValue[])),
  );
  const searches = plans.map(({ detail }) => String(detail)).filter((detail) => detail.includes('event'));
  assert.ok(searches.length >= 3);
  for (const detail of searches) assert.match(detail, /USING INTEGER PRIMARY KEY|^SEARCH audit_event$/);
});

test('an erasure changes a few hundred rows in each transaction, and searches outside of them', async (t) => {
  const filled = await openFilled(t);
  const { db, folder, connection } = filled;
  const { changed, transact } = transactions(filled);
  const calls = await openBookkeeping(t, folder);
  const erasures = new KyselyErasures(queryBuilderSession(db, sqliteEngine), transact, calls.tables);
  const mara = { tenantId: 1n, userId: 777n, usernameHash: 'hash', atMs: 5 };
  const person = { tenantId: 1n, username: 'mara' };
  const counts = await erasures.erase([mara], person);
  assert.deepEqual(counts, { users: 0, bindings: 0, auditRows: auditRows + 2, failedCalls: failures / 2 });
  assert.equal(Math.max(...changed), 500);
  assert.deepEqual(calls.changed, [500, 100]);
  const left = connection.prepare('select distinct changes from audit_event order by changes').all();
  assert.deepEqual(
    left.map(({ changes }) => changes),
    [`{"audit_rows":${auditRows + 2}}`, '{"nickname":{}}', '{"username":{}}'],
  );
  changed.length = 0;
  calls.changed.length = 0;
  const repeated = await erasures.erase([mara], person);
  assert.deepEqual(repeated, { users: 0, bindings: 0, auditRows: 0, failedCalls: 0 });
  assert.deepEqual([changed, calls.changed], [[0], []]);
});

test('an erasure that ends early leaves the rows with the name, by which the next one finds the user', async (t) => {
  const filled = await openFilled(t);
  const { db, folder } = filled;
  const session = queryBuilderSession(db, sqliteEngine);
  const { changed, transact } = transactions(filled);
  const { tables } = await openBookkeeping(t, folder);
  const failLast: Transact = (work) => {
    if (changed.length === Math.ceil(auditRows / 500)) throw new Error('the disk is full');
    return transact(work);
  };
  const mara = { tenantId: 1n, userId: 777n, usernameHash: 'hash', atMs: 5 };
  const person = { tenantId: 1n, username: 'mara' };
  await assert.rejects(new KyselyErasures(session, failLast, tables).erase([mara], person), /disk is full/);
  const erasures = new KyselyErasures(session, transact, tables);
  assert.deepEqual(await erasures.findUsers(1n, 'mara'), [777n]);
  assert.equal((await erasures.erase([mara], person)).auditRows, 2);
  assert.deepEqual(await erasures.findUsers(1n, 'mara'), []);
});
