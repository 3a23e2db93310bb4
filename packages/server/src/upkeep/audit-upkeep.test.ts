import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openSqliteTestDatabase } from '../../test/sqlite-test-database.ts';
import type { TestDatabase } from '../../test/test-database.ts';
import { openTestPostgres, patient } from '../../test/test-postgres.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../database/postgres/open.ts';
import { AuditUpkeep } from './audit-upkeep.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 5, 1);
const keepDays = 30;
const oldestKeptMs = nowMs - keepDays * dayMs;

interface Opened extends Pick<TestDatabase, 'database' | 'db' | 'close'> {
  readonly clock: { nowMs: number };
  readonly tenantIds: readonly bigint[];
}

type Open = (options: {
  readonly folder: string;
  readonly now: () => number;
}) => Promise<Pick<Opened, 'database' | 'db' | 'close'>>;

const openSqlite: Open = (options) => openSqliteTestDatabase({ ...options, lockWaitMs: 5_000 });

const openPostgres: Open = async ({ now }) => {
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ ...patient, url, now });
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
  const close = async () => {
    await database.close();
    await db.destroy();
  };
  return { database, db, close };
};

/** Opens a database with two tenants, and runs the work on it. */
async function withDatabase(open: Open, work: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-audit-'));
  const clock = { nowMs };
  const opened = await open({ folder, now: () => clock.nowMs });
  const { tenants } = opened.database;
  const inserted = [await tenants.insertTenant('one'), await tenants.insertTenant('two')];
  const tenantIds = inserted.map((tenant) => tenant?.id ?? 0n);
  try {
    // Proves that a server ran by this clock.
    await addRows(opened, tenantIds[0] ?? 0n, [nowMs - 2 * dayMs], 'recent');
    await work({ ...opened, clock, tenantIds });
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Inserts an audit row of each time for a tenant. */
async function addRows(
  { db }: Pick<Opened, 'db'>,
  tenant_id: bigint,
  atMs: readonly number[],
  operation = 'old',
): Promise<void> {
  const rest = {
    app_id: null,
    request_id: null,
    operation,
    user_id: null,
    changes: '{}',
    actor: null,
  };
  await db
    .insertInto('audit_event')
    .values(atMs.map((at) => ({ tenant_id, at: BigInt(at), ...rest })))
    .execute();
}

async function timesLeft({ db }: Opened): Promise<number[]> {
  const rows = await db
    .selectFrom('audit_event')
    .select('at')
    .where('operation', '=', 'old')
    .orderBy('id')
    .execute();
  return rows.map(({ at }) => Number(at));
}

/** The options of a purge that must not warn. */
const quietly = {
  keepDays,
  logger: { info: () => {}, warn: (fields: object) => assert.fail(JSON.stringify(fields)) },
  pause: async () => {},
};

/** Runs a round, and returns the number of rows that it purged, if it did anything. */
async function runRound({ database }: Pick<Opened, 'database'>, onPause = async () => {}) {
  const lines: object[] = [];
  const upkeep = new AuditUpkeep(database, {
    keepDays,
    logger: { info: (fields) => lines.push(fields), warn: (fields) => assert.fail(JSON.stringify(fields)) },
    pause: onPause,
  });
  await upkeep.run();
  return lines.map((line) => (line as { rows: number }).rows);
}

for (const [engine, open] of [
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const) {
  describe(`the purge of audit rows on ${engine}`, () => {
    test('deletes the rows of every tenant that are too old, to the millisecond', () =>
      withDatabase(open, async (opened) => {
        for (const tenantId of opened.tenantIds) {
          await addRows(opened, tenantId, [0, oldestKeptMs - 1, oldestKeptMs, nowMs]);
        }
        assert.deepEqual(await runRound(opened), [4]);
        assert.deepEqual(await timesLeft(opened), [oldestKeptMs, nowMs, oldestKeptMs, nowMs]);
      }));

    test('works in small steps with pauses in which others write', () =>
      withDatabase(open, async (opened) => {
        const [tenantId = 0n] = opened.tenantIds;
        await addRows(
          opened,
          tenantId,
          Array.from({ length: 1_200 }, (_, index) => index),
        );
        const left: number[] = [];
        const purged = await runRound(opened, async () => {
          left.push((await timesLeft(opened)).length);
          const audit = { operation: 'meanwhile', changes: {} };
          await opened.database.write(tenantId, undefined, async () => ({ result: undefined, audit }));
        });
        assert.deepEqual(left, [700, 200, 0, 0]);
        assert.deepEqual(purged, [1_200]);
      }));

    test('never deletes a row as recent as a recorded claim, however far ahead the clock is', () =>
      withDatabase(open, async (opened) => {
        const [tenantId = 0n] = opened.tenantIds;
        const expiresAtSeconds = nowMs / 1000 + 60;
        const claim = { signature: Buffer.alloc(32, 1), requestId: 'r', expiresAtSeconds };
        const audit = { operation: 'claimed', changes: {} };
        await opened.database.write(tenantId, claim, async () => ({ result: undefined, audit }));
        const fourMinutes = 240_000;
        await addRows(opened, tenantId, [nowMs - fourMinutes, nowMs - 60_000]);
        opened.clock.nowMs = nowMs + 1_000 * dayMs;
        await addRows(opened, tenantId, [opened.clock.nowMs - 2 * dayMs], 'a day of the leap');
        await runRound(opened);
        assert.deepEqual(await timesLeft(opened), [nowMs - 60_000]);
        const claimed = await opened.db
          .selectFrom('audit_event')
          .select('id')
          .where('operation', '=', 'claimed')
          .execute();
        assert.equal(claimed.length, 1);
      }));

    test('does not follow a clock that leaps ahead, until the leap has lasted a day', () =>
      withDatabase(open, async (opened) => {
        const [tenantId = 0n] = opened.tenantIds;
        let elapsedMs = 0;
        const pass = (ms: number) => {
          elapsedMs += ms;
          opened.clock.nowMs += ms;
        };
        const upkeep = new AuditUpkeep(opened.database, {
          ...quietly,
          // A real monotonic clock has fractions of a millisecond, and goes on between two looks.
          elapsedMs: () => {
            elapsedMs += 0.01;
            return elapsedMs;
          },
        });
        await addRows(opened, tenantId, [oldestKeptMs, oldestKeptMs + dayMs, nowMs]);
        await upkeep.run();
        opened.clock.nowMs += 365 * dayMs;
        pass(60_000);
        await upkeep.run();
        assert.deepEqual(
          await timesLeft(opened),
          [oldestKeptMs + dayMs, nowMs],
          'what is old without the leap',
        );
        opened.clock.nowMs -= 365 * dayMs;
        pass(60_000);
        await upkeep.run();
        opened.clock.nowMs += 365 * dayMs;
        pass(60_000);
        await upkeep.run();
        pass(dayMs - 1);
        await upkeep.run();
        assert.deepEqual(await timesLeft(opened), [nowMs]);
        pass(60_000);
        await upkeep.run();
        assert.deepEqual(await timesLeft(opened), []);
      }));

    test('deletes nothing at the start by a clock that no server ran by a day before, until that has lasted a day', () =>
      withDatabase(open, async (opened) => {
        const [tenantId = 0n] = opened.tenantIds;
        let elapsedMs = 0;
        const upkeepOfStart = () =>
          new AuditUpkeep(opened.database, { ...quietly, elapsedMs: () => elapsedMs });
        await addRows(opened, tenantId, [oldestKeptMs, oldestKeptMs + dayMs]);
        opened.clock.nowMs = nowMs + 2 * dayMs;
        await upkeepOfStart().run();
        assert.deepEqual(await timesLeft(opened), [], 'a server that was off for two days');
        await addRows(opened, tenantId, [oldestKeptMs]);
        opened.clock.nowMs = nowMs + 365 * dayMs;
        await addRows(opened, tenantId, [opened.clock.nowMs], 'written ahead');
        for (let start = 0; start < 2; start += 1) await upkeepOfStart().run();
        assert.deepEqual(await timesLeft(opened), [oldestKeptMs], 'also if the clock dated rows already');
        const upkeep = upkeepOfStart();
        await upkeep.run();
        elapsedMs = dayMs - 1;
        await upkeep.run();
        assert.equal((await timesLeft(opened)).length, 1);
        elapsedMs = dayMs;
        await upkeep.run();
        assert.deepEqual(await timesLeft(opened), []);
      }));

    test('is done by one process at a time, and by another once that one is gone', () =>
      withDatabase(open, async (opened) => {
        const [tenantId = 0n] = opened.tenantIds;
        await addRows(opened, tenantId, [...Array.from({ length: 1_100 }, (_, index) => index)]);
        const meanwhile: number[][] = [];
        const purged = await runRound(opened, async () => {
          opened.clock.nowMs += 25_000;
          meanwhile.push(await runRound(opened));
        });
        assert.deepEqual([purged, meanwhile], [[1_100], [[], [], [], []]]);
        await addRows(opened, tenantId, [1]);
        assert.deepEqual(await runRound(opened), [], 'somebody purged less than a minute ago');
        opened.clock.nowMs += 60_000;
        assert.deepEqual(await runRound(opened), [1]);
      }));

    test('writes nothing if no row is old', () =>
      withDatabase(open, async (opened) => {
        await addRows(opened, opened.tenantIds[0] ?? 0n, [nowMs]);
        // PostgreSQL's own upkeep changes the version of the data too, so it would not tell.
        const readCounters = () => opened.db.selectFrom('counter').selectAll().orderBy('name').execute();
        const before = await readCounters();
        assert.deepEqual(await runRound(opened), []);
        assert.deepEqual(await readCounters(), before);
        assert.deepEqual(await timesLeft(opened), [nowMs]);
      }));
  });
}

test('without --audit-keep nothing is purged', async () => {
  const untouched = new Proxy({}, { get: () => assert.fail('the database is not asked') });
  const logger = { info: () => {}, warn: () => {} };
  const upkeep = new AuditUpkeep(untouched as never, { keepDays: 0, logger });
  upkeep.start();
  await upkeep.stop();
});
