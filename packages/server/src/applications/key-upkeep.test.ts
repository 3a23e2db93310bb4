import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openDirectory } from '../admin/open-directory.ts';
import { keyIdOfProof, namedKeyId } from '../database/database.ts';
import { openSqliteDatabase } from '../database/sqlite/open.ts';
import { BusyError } from '../errors/busy-error.ts';
import { HeldKey } from './held-key.ts';
import { KeyUpkeep } from './key-upkeep.ts';
import { findMasterKey } from './master-key/find-master-key.ts';
import { replaceKeyFile } from './master-key/replace-key-file.ts';

async function openUpkeep(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-upkeep-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { database: first, vault } = await openDirectory({ data: folder, environment: {} });
  await first.close();
  const database = await openSqliteDatabase({ folder, lockWaitMs: 50 });
  t.after(() => database.close());
  let differenceMs = 0;
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  const log = { info: note, warn: note };
  return {
    folder,
    vault,
    database,
    lines,
    upkeep: new KeyUpkeep({
      keys: database.keys,
      vault,
      folder,
      environment: {},
      log,
      clockDifferenceMs: () => differenceMs,
    }),
    setClockDifference: (ms: number) => {
      differenceMs = ms;
    },
  };
}

test('a server reports the keys that it holds, and withdraws the report when it stops', async (t) => {
  const { database, vault, upkeep } = await openUpkeep(t);
  await upkeep.start();
  const { holders } = await database.keys.holders();
  assert.deepEqual(
    holders.map(({ pid, keyIds }) => [pid, keyIds]),
    [[process.pid, vault.keyIds]],
  );
  await upkeep.stop();
  assert.deepEqual((await database.keys.holders()).holders, []);
});

test('a clock that was set is reported with the next look, and no look reports it again', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { database, upkeep, setClockDifference } = await openUpkeep(t);
  setClockDifference(20_000);
  await upkeep.start();
  const alive = t.mock.method(database.keys, 'noteAlive');
  const look = async () => {
    t.mock.timers.tick(1_000);
    await upkeep.reread();
  };
  await look();
  assert.equal(alive.mock.callCount(), 0);
  setClockDifference(0);
  await look();
  await look();
  assert.equal(alive.mock.callCount(), 1);
  await upkeep.stop();
});

test('a database that accepts no writes does not prevent a start', async (t) => {
  const { folder, upkeep, lines, database } = await openUpkeep(t);
  using other = new DatabaseSync(join(folder, 'fieldroster.db'));
  other.exec('begin immediate');
  await upkeep.start();
  assert.deepEqual(lines, ['the master keys are not reported yet']);
  other.exec('rollback');
  await upkeep.stop();
  assert.deepEqual((await database.keys.holders()).holders, []);
});

test('a server that holds two keys seals with the new one as soon as a rotation has made it current', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { folder, vault, database, upkeep } = await openUpkeep(t);
  await upkeep.start();
  const sealingKeyId = () => namedKeyId(vault.seal('app', 'secret'));
  const before = sealingKeyId();
  replaceKeyFile(folder);
  const { next = '' } = await database.keys.announce(() => proofOfFile(folder));
  await upkeep.reread();
  assert.equal(sealingKeyId(), before);
  assert.equal(await database.keys.makeNextCurrent(next, () => true), true);
  t.mock.timers.tick(1_000);
  await upkeep.stop();
  assert.equal(sealingKeyId(), keyIdOfProof(next));
});

test('a database that answers late leaves no more than one look behind, which a stop waits for', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { folder, database, upkeep } = await openUpkeep(t);
  await upkeep.start();
  replaceKeyFile(folder);
  await upkeep.reread();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const stored = database.keys.stored.bind(database.keys);
  // A process that holds two keys asks at each look which one is current.
  const asked = t.mock.method(database.keys, 'stored', async () => {
    await answered;
    return stored();
  });
  for (let seconds = 0; seconds < 10; seconds++) t.mock.timers.tick(1_000);
  const stopped = upkeep.stop();
  answer();
  await stopped;
  assert.equal(asked.mock.callCount(), 1);
});

test('a reading of the keys that the database refuses is repeated, although the files stay as they are', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { folder, vault, database, upkeep } = await openUpkeep(t);
  await upkeep.start();
  replaceKeyFile(folder);
  const refusing = t.mock.method(database.keys, 'stored', async () => {
    throw new BusyError('the database is away');
  });
  await upkeep.reread();
  assert.equal(vault.keyIds.length, 1);
  refusing.mock.restore();
  const later = performance.now() + 10_000;
  t.mock.method(performance, 'now', () => later);
  t.mock.timers.tick(1_000);
  await upkeep.stop();
  assert.equal(vault.keyIds.length, 2);
});

test('a report of new keys that the database refuses is repeated', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { folder, vault, database, upkeep } = await openUpkeep(t);
  await upkeep.start();
  replaceKeyFile(folder);
  const refusing = t.mock.method(database.keys, 'report', async () => {
    throw new BusyError('the database is away');
  });
  await upkeep.reread();
  refusing.mock.restore();
  const later = performance.now() + 10_000;
  t.mock.method(performance, 'now', () => later);
  t.mock.timers.tick(1_000);
  await upkeep.reread();
  const { holders } = await database.keys.holders();
  assert.deepEqual(holders[0]?.keyIds.toSorted(), vault.keyIds.toSorted());
  assert.equal(vault.keyIds.length, 2);
  await upkeep.stop();
});

function proofOfFile(folder: string): string {
  const key = findMasterKey(folder, {});
  assert(key !== undefined);
  return new HeldKey(key).proof;
}

test('files without the current key, or without a key, leave the keys in use', async (t) => {
  const { folder, vault, upkeep, lines } = await openUpkeep(t);
  const before = vault.keyIds;
  for (const content of [randomBytes(32).toString('base64'), 'no key']) {
    writeFileSync(join(folder, 'master.key'), content);
    await upkeep.reread();
    assert.deepEqual(vault.keyIds, before);
  }
  rmSync(join(folder, 'master.key'));
  await upkeep.reread();
  assert.deepEqual(vault.keyIds, before);
  assert.deepEqual(lines, [
    'the master keys were not replaced: the new ones lack the key that is in use, key_id; put that key back, or beside the new one as the previous key (master.key.previous or FIELDROSTER_MASTER_KEY_PREVIOUS), and run fieldroster key rotate; until then, this process keeps its keys, but does not start again',
    'the master keys were not read again or not reported',
    'the file of the master key is gone; this process keeps the key, but no other one starts without it: put the file back',
  ]);
});
