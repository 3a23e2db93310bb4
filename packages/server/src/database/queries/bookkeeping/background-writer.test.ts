import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BusyError } from '../../../errors/busy-error.ts';
import type { FailedCallRecord } from '../../database.ts';
import { BookkeepingFile } from '../../sqlite/bookkeeping/bookkeeping-file.ts';
import { BackgroundWriter } from './background-writer.ts';
import type { BookkeepingTables } from './bookkeeping-tables.ts';
import { KyselyCallRecords } from './call-records.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-background-'));
const file = new BookkeepingFile({ folder, lockWaitMs: 1_000 });
after(async () => {
  await file.close();
  rmSync(folder, { recursive: true });
});

/** Counts transactions, and can be unavailable, like a database. */
class Tables implements BookkeepingTables {
  transactions = 0;
  away = false;

  read: BookkeepingTables['read'] = (work) => file.read(work);

  write: BookkeepingTables['write'] = (work, durability) => {
    if (this.away) return Promise.reject(new BusyError('the database is away'));
    this.transactions += 1;
    return file.write(work, durability);
  };
}

function newWriter() {
  const tables = new Tables();
  const notices: string[] = [];
  const notice = (_fields: object, message: string) => notices.push(message);
  const writer = new BackgroundWriter(tables, { intervalMs: 3_600_000, notice });
  return { tables, notices, writer, calls: new KyselyCallRecords(tables, writer, async () => 0) };
}

test('all added rows are written in one transaction', async () => {
  const { tables, writer, calls } = newWriter();
  for (let minute = 1; minute <= 3; minute += 1) {
    calls.addFailures([], { minuteMs: minute * 60_000, calls: 1 });
    calls.addSummaries([
      { minuteMs: 0, appId: 'a', operation: 'o', code: 0, calls: 1, totalUs: 1, histogram: [1] },
    ]);
  }
  await writer.flush();
  assert.equal(tables.transactions, 1);
  assert.equal(await calls.countUnkept(60_000), 3);
  assert.equal((await calls.totals({ sinceMs: 0 }))[0]?.calls, 3);
  await writer.flush();
  assert.equal(tables.transactions, 1, 'there was nothing left to write');
});

test('rows wait as long as the database is unavailable, and the operator is warned once', async () => {
  const { tables, notices, writer, calls } = newWriter();
  const minuteMs = 600_000;
  calls.addFailures([], { minuteMs, calls: 5 });
  tables.away = true;
  for (let attempt = 0; attempt < 100; attempt += 1) await writer.flush();
  assert.equal(notices.length, 1);
  assert.match(notices[0] ?? '', /could not be written; the server keeps serving and tries again/);
  tables.away = false;
  await writer.flush();
  assert.equal(await calls.countUnkept(minuteMs), 5);
});

test('rows that no table accepts are dropped after some attempts, and then no longer delay others', async () => {
  const { writer, calls } = newWriter();
  const minuteMs = 1_200_000;
  let ended = false;
  writer.add(
    async () => {
      throw new TypeError('a fault of ours');
    },
    () => {
      ended = true;
    },
  );
  for (let attempt = 0; attempt < 5; attempt += 1) await writer.flush();
  assert.ok(ended);
  calls.addFailures([], { minuteMs, calls: 2 });
  await writer.flush();
  assert.equal(await calls.countUnkept(minuteMs), 2);
});

test('failed calls that cannot be written take bounded memory, and further ones are only counted', async () => {
  const { tables, writer, calls } = newWriter();
  const atMs = 1_800_000;
  const failure = (index: number): FailedCallRecord => ({
    requestId: `waiting-${index}`,
    atMs,
    verified: true,
    code: 1101,
    message: '',
    durationUs: 1,
    method: 'GET',
    target: '/user',
  });
  tables.away = true;
  for (let index = 0; index < 2_500; index += 1) {
    calls.addFailures([failure(index)]);
    if (index % 500 === 0) await writer.flush();
  }
  tables.away = false;
  await writer.flush();
  const kept = await calls.listFailures({ atMs: atMs - 1, requestId: '' }, 5_000);
  assert.equal(kept.length, 2_000);
  assert.equal(await calls.countUnkept(atMs), 500);
  calls.addFailures([failure(3_000)]);
  await writer.flush();
  assert.ok(await calls.findFailure('waiting-3000'));
});

test('rows that cannot be written at the end are dropped, and nothing is written later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { tables, notices, writer, calls } = newWriter();
  const minuteMs = 2_400_000;
  let ended = 0;
  calls.addFailures([], { minuteMs, calls: 3 });
  writer.add(
    async () => {},
    () => {
      ended += 1;
    },
  );
  tables.away = true;
  await writer.close();
  assert.equal(ended, 1);
  assert.match(notices.join(), /could not be written before the end of this process, and are lost$/);
  tables.away = false;
  calls.addFailures([], { minuteMs, calls: 3 });
  t.mock.timers.tick(3_600_000);
  await writer.flush();
  assert.equal(tables.transactions, 0);
  assert.equal(await calls.countUnkept(minuteMs), 0);
});

test('rows that are written are not written again, even if what follows fails, and nor does that stop later ones', async () => {
  const { writer, calls } = newWriter();
  const minuteMs = 3_000_000;
  calls.addFailures([], { minuteMs, calls: 4 });
  writer.add(
    async () => {},
    () => {
      throw new TypeError('a fault of ours');
    },
  );
  await assert.rejects(writer.flush(), /a fault of ours/);
  await writer.flush();
  assert.equal(await calls.countUnkept(minuteMs), 4);
  calls.addFailures([], { minuteMs, calls: 1 });
  await writer.flush();
  assert.equal(await calls.countUnkept(minuteMs), 5);
});
