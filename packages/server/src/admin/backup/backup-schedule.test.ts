import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { openTestPostgres, patient, type TestPostgres } from '../../../test/test-postgres.ts';
import type { Database } from '../../database/database.ts';
import { openPostgresDatabase } from '../../database/postgres/open.ts';
import { openSqliteDatabase } from '../../database/sqlite/open.ts';
import { formatName } from './backup-format.ts';
import { BackupSchedule, type MakeBackup } from './backup-schedule.ts';
import { lastGoodBackup } from './last-good-backup.ts';

let postgres: TestPostgres;
let folder: string;

before(async () => {
  postgres = await openTestPostgres({ durable: false });
  folder = mkdtempSync(join(tmpdir(), 'fieldroster-schedule-'));
});

after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const hourMs = 3_600_000;

interface Warning {
  readonly cause: string;
  readonly files?: readonly string[];
}

/** Several processes that serve one database, under one clock. */
async function openNodes(engine: string, count: number) {
  const clock = { nowMs: Date.UTC(2026, 0, 15, 12) };
  const now = () => clock.nowMs;
  const place = mkdtempSync(join(folder, 'node-'));
  const url = engine === 'SQLite' ? '' : await postgres.createMigratedDatabase();
  const open = () =>
    url === '' ? openSqliteDatabase({ folder: place, now }) : openPostgresDatabase({ ...patient, url, now });
  const databases: Database[] = [];
  for (let index = 0; index < count; index++) databases.push(await open());
  const backupTo = join(place, 'backups');
  mkdirSync(backupTo);
  const warnings: Warning[] = [];
  const notes: string[] = [];
  const logger = {
    info: (_: object, text: string) => void notes.push(text),
    warn: (fields: object) => void warnings.push(fields as Warning),
  };
  const settings = { backupEveryMs: 6 * hourMs, backupTo, backupKeep: 2 };
  const scheduleOf = (backups: Database['backups'], makeBackup: MakeBackup, ownClock = now) =>
    new BackupSchedule({ settings, backups, makeBackup, logger, now: ownClock });
  return {
    clock,
    databases,
    warnings,
    notes,
    backupTo,
    scheduleOf,
    names: () => readdirSync(backupTo).sort(),
    close: () => Promise.all(databases.map((database) => database.close())),
  };
}

/** Writes the beginning of a backup in place of a whole one, which other tests make for real. */
function writeInstead(
  { backups }: Database,
  clock: { readonly nowMs: number },
  tenant = 'default',
): MakeBackup {
  return async (file) => {
    const bytes = beginningOf(tenant, clock.nowMs);
    writeFileSync(file, bytes, { flag: 'wx' });
    await backups.recordGood({ file, atMs: clock.nowMs, bytes: bytes.length });
  };
}

function beginningOf(tenant: string, atMs: number): Buffer {
  const lines = [
    { header: { format: formatName, at: new Date(atMs).toISOString() } },
    { table: 'tenant', columns: ['id', 'name', 'created_at'] },
    [1, tenant, 1_700_000_000_000],
  ];
  return zstdCompressSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

for (const engine of ['SQLite', 'PostgreSQL']) {
  describe(`scheduled backups on ${engine}`, () => {
    test('are made by exactly one of several processes at each interval, and the oldest are removed', async () => {
      const nodes = await openNodes(engine, 3);
      const { clock, databases } = nodes;
      const schedules = databases.map((each) => nodes.scheduleOf(each.backups, writeInstead(each, clock)));
      const runAll = () => Promise.all(schedules.map((schedule) => schedule.run()));
      assert.equal(await lastGoodBackup(databases[0] as Database), undefined);
      for (const [hour, made] of [
        [0, ['120000']],
        [5, ['120000']],
        [6, ['120000', '180000']],
        [12, ['180000', '000000']],
      ] as const) {
        clock.nowMs = Date.UTC(2026, 0, 15, 12 + hour);
        await runAll();
        await runAll();
        assert.deepEqual(
          nodes.names().map((name) => /T(\d{6})Z/.exec(name)?.[1]),
          made,
        );
      }
      const last = await lastGoodBackup(databases[1] as Database);
      assert.equal(last?.atMs, clock.nowMs);
      assert.deepEqual(nodes.warnings, []);
      await nodes.close();
    });

    test('are made at their times although an operator makes good backups in between', async () => {
      const nodes = await openNodes(engine, 1);
      const { clock } = nodes;
      const [database] = nodes.databases as [Database];
      const schedule = nodes.scheduleOf(database.backups, writeInstead(database, clock));
      const byOperator = () =>
        database.backups.recordGood({ file: '/elsewhere/monday.backup', atMs: clock.nowMs, bytes: 4 });
      await byOperator();
      for (const [hour, made] of [
        [0, 1],
        [5, 1],
        [6, 2],
      ] as const) {
        clock.nowMs = Date.UTC(2026, 0, 15, 12 + hour);
        await schedule.run();
        assert.equal(nodes.names().length, made, `after ${hour} hours`);
        clock.nowMs += 60_000;
        await byOperator();
      }
      await nodes.close();
    });

    test('that fail after an operator has made a good backup are tried again as soon as after any other failure', async () => {
      const nodes = await openNodes(engine, 1);
      const { clock } = nodes;
      const [database] = nodes.databases as [Database];
      const write = writeInstead(database, clock);
      let fails = false;
      const schedule = nodes.scheduleOf(database.backups, async (file, signal) => {
        if (fails) throw new Error('the disk is full');
        await write(file, signal);
      });
      await schedule.run();
      clock.nowMs += 5 * hourMs;
      await database.backups.recordGood({ file: '/elsewhere/monday.backup', atMs: clock.nowMs, bytes: 4 });
      clock.nowMs += hourMs;
      fails = true;
      await schedule.run();
      assert.equal(nodes.warnings.length, 1);
      fails = false;
      clock.nowMs += 9 * 60_000;
      await schedule.run();
      assert.equal(nodes.names().length, 1, 'too early');
      clock.nowMs += 2 * 60_000;
      await schedule.run();
      assert.equal(nodes.names().length, 2);
      await nodes.close();
    });

    test('stay when they were just made, even by a node whose clock is behind', async () => {
      const nodes = await openNodes(engine, 1);
      const { clock } = nodes;
      const [database] = nodes.databases as [Database];
      const write = writeInstead(database, clock);
      for (let count = 0; count < 2; count++) {
        await nodes.scheduleOf(database.backups, write).run();
        clock.nowMs += 6 * hourMs;
      }
      await nodes.scheduleOf(database.backups, write, () => Date.UTC(2025, 11, 31)).run();
      assert.deepEqual(nodes.names(), [
        'fieldroster-20251231T000000Z.backup',
        'fieldroster-20260115T180000Z.backup',
      ]);
      await nodes.close();
    });

    test('are not made again by a node whose clock is some seconds behind that of the node that made them', async () => {
      const nodes = await openNodes(engine, 2);
      const { clock } = nodes;
      const [ahead, behind] = nodes.databases as [Database, Database];
      await nodes.scheduleOf(ahead.backups, writeInstead(ahead, clock)).run();
      clock.nowMs -= 25_000;
      await nodes.scheduleOf(behind.backups, writeInstead(behind, clock)).run();
      assert.equal(nodes.names().length, 1);
      await nodes.close();
    });

    test('of a clock that was far ahead go first, so that each later one stays', async () => {
      const nodes = await openNodes(engine, 1);
      const { clock } = nodes;
      const [database] = nodes.databases as [Database];
      const schedule = nodes.scheduleOf(database.backups, writeInstead(database, clock));
      const yearMs = 365 * 24 * hourMs;
      clock.nowMs += yearMs;
      for (let count = 0; count < 2; count++) {
        await schedule.run();
        clock.nowMs += 6 * hourMs;
      }
      assert.equal(nodes.names().length, 2);
      clock.nowMs -= yearMs;
      for (let count = 0; count < 2; count++) {
        await schedule.run();
        clock.nowMs += 6 * hourMs;
      }
      assert.deepEqual(nodes.names(), [
        'fieldroster-20260116T000000Z.backup',
        'fieldroster-20260116T060000Z.backup',
      ]);
      assert.deepEqual(nodes.warnings, []);
      await nodes.close();
    });

    test('of two databases share a folder: each database removes only its own', async () => {
      const nodes = await openNodes(engine, 1);
      const other = await openNodes(engine, 1);
      const { clock } = nodes;
      const [database] = nodes.databases as [Database];
      const [second] = other.databases as [Database];
      const schedules = [
        nodes.scheduleOf(database.backups, writeInstead(database, clock)),
        nodes.scheduleOf(
          second.backups,
          writeInstead(second, clock, 'of another database'),
          () => clock.nowMs + 1_000,
        ),
      ];
      for (let count = 0; count < 3; count++) {
        for (const schedule of schedules) await schedule.run();
        clock.nowMs += 6 * hourMs;
        other.clock.nowMs = clock.nowMs;
      }
      assert.deepEqual(nodes.names(), [
        'fieldroster-20260115T180000Z.backup',
        'fieldroster-20260115T180001Z.backup',
        'fieldroster-20260116T000000Z.backup',
        'fieldroster-20260116T000001Z.backup',
      ]);
      assert.deepEqual(nodes.warnings, []);
      await nodes.close();
      await other.close();
    });

    test('are good and remove older ones although a folder and a damaged file have such names, of which the log tells once', async () => {
      const nodes = await openNodes(engine, 1);
      const { clock, backupTo } = nodes;
      const [database] = nodes.databases as [Database];
      const places = ['fieldroster-20200101T000000Z.backup', 'fieldroster-20200102T000000Z.backup'];
      mkdirSync(join(backupTo, places[0] as string));
      writeFileSync(join(backupTo, places[1] as string), 'damaged');
      const schedule = nodes.scheduleOf(database.backups, writeInstead(database, clock));
      for (let count = 0; count < 3; count++) {
        await schedule.run();
        clock.nowMs += 6 * hourMs;
      }
      assert.deepEqual(nodes.names(), [
        ...places,
        'fieldroster-20260115T180000Z.backup',
        'fieldroster-20260116T000000Z.backup',
      ]);
      assert.deepEqual(nodes.notes, Array(3).fill('made and verified a backup'));
      assert.deepEqual(
        nodes.warnings.map(({ files }) => files),
        [places.map((name) => join(backupTo, name))],
      );
      await nodes.close();
    });

    test('that fail log a warning, remove nothing, and are retried later', async () => {
      const nodes = await openNodes(engine, 1);
      const { clock } = nodes;
      const [database] = nodes.databases as [Database];
      const write = writeInstead(database, clock);
      let full = false;
      const schedule = nodes.scheduleOf(database.backups, async (file, signal) => {
        if (full) throw new Error('ENOSPC: no space left on device, write');
        await write(file, signal);
      });
      await schedule.run();
      full = true;
      clock.nowMs += 6 * hourMs;
      await schedule.run();
      assert.match(nodes.warnings[0]?.cause ?? '', /no space left/);
      clock.nowMs += 60_000;
      await schedule.run();
      assert.equal(nodes.warnings.length, 1, 'not at once');
      assert.equal(nodes.names().length, 1);
      full = false;
      clock.nowMs += hourMs;
      await schedule.run();
      assert.equal(nodes.names().length, 2);
      await nodes.close();
    });

    test('into a missing folder say what to do about the folder, which is what the operator named', async () => {
      const nodes = await openNodes(engine, 1);
      const [database] = nodes.databases as [Database];
      const { backupTo, clock } = nodes;
      rmSync(backupTo, { recursive: true });
      await nodes.scheduleOf(database.backups, writeInstead(database, clock)).run();
      assert.deepEqual(
        nodes.warnings.map(({ cause }) => cause),
        [`there is no folder ${backupTo}; create it, or name the right one with --backup-to`],
      );
      await nodes.close();
    });

    test('into a missing folder are not warned of twice at the start; the log says when the next attempt comes', async () => {
      const nodes = await openNodes(engine, 1);
      const [database] = nodes.databases as [Database];
      const { backupTo, clock } = nodes;
      rmSync(backupTo, { recursive: true });
      const schedule = nodes.scheduleOf(database.backups, writeInstead(database, clock));
      schedule.start();
      await schedule.run();
      assert.equal(nodes.warnings.length, 0);
      assert.deepEqual(nodes.notes, ['no backup was made; the next attempt comes after retry_after_ms']);
      clock.nowMs += hourMs;
      await schedule.run();
      assert.match(nodes.warnings[0]?.cause ?? '', /^there is no folder /, 'later attempts are told');
      await schedule.stop();
      await nodes.close();
    });

    test('of a dead process are taken over by another one, and never made by two at once', async () => {
      const nodes = await openNodes(engine, 2);
      const { clock } = nodes;
      const [first, second] = nodes.databases as [Database, Database];
      const hung = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const dead = nodes.scheduleOf(first.backups, () => {
        begun.resolve();
        return hung.promise;
      });
      const running = dead.run();
      await begun.promise;
      const other = nodes.scheduleOf(second.backups, writeInstead(second, clock));
      clock.nowMs += 120_000;
      await other.run();
      assert.deepEqual(nodes.names(), [], 'the first one has the lease');
      clock.nowMs += hourMs;
      await other.run();
      assert.equal(nodes.names().length, 1);
      hung.resolve();
      await running;
      await nodes.close();
    });

    test('of a process that died while the clock was ahead are taken over once it is set back', async () => {
      const nodes = await openNodes(engine, 2);
      const { clock } = nodes;
      const [first, second] = nodes.databases as [Database, Database];
      const lease = {
        holder: 'dead',
        filesLike: '%',
        everyMs: 6 * hourMs,
        leaseMs: 180_000,
        retryMs: 600_000,
      };
      clock.nowMs += 1_000 * hourMs;
      assert.ok(await first.backups.takeLease(lease));
      clock.nowMs -= 1_000 * hourMs;
      await nodes.scheduleOf(second.backups, writeInstead(second, clock)).run();
      assert.equal(nodes.names().length, 1);
      await nodes.close();
    });

    test('are not taken over from a process whose clock is a little ahead', async () => {
      const nodes = await openNodes(engine, 2);
      const { clock } = nodes;
      const [first, second] = nodes.databases as [Database, Database];
      const lease = {
        holder: 'ahead',
        filesLike: '%',
        everyMs: 6 * hourMs,
        leaseMs: 180_000,
        retryMs: 600_000,
      };
      clock.nowMs += 60_000;
      assert.ok(await first.backups.takeLease(lease));
      clock.nowMs -= 60_000;
      await nodes.scheduleOf(second.backups, writeInstead(second, clock)).run();
      assert.deepEqual(nodes.names(), []);
      await nodes.close();
    });
  });
}
