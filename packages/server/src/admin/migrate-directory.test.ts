import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { finishRestore } from './backup/finish-restore.ts';
import { migrateDirectory, repairDirectory } from './migrate-directory.ts';
import { openDirectory } from './open-directory.ts';

const environment = {};

/** The commands that change tables as they find them. */
const commands = [
  (data: string) => repairDirectory({ data }),
  (data: string) => migrateDirectory({ data, environment }, true),
  (data: string) => finishRestore({ data, environment }),
];

async function makePlace(t: TestContext) {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-migrate-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  await (await openDirectory({ data, environment })).database.close();
  return { data, path: join(data, 'fieldroster.db') };
}

test('a damaged database is named, with what to do', async (t) => {
  const { data, path } = await makePlace(t);
  truncateSync(path, 40_000);
  for (const command of commands) {
    await assert.rejects(command(data), {
      name: 'DatabaseFileError',
      message: new RegExp(`^the database ${path} is damaged \\(.*\\): keep the file, .*restore a backup`),
    });
  }
});

test('a database that another process keeps locked is named, with how to find that process', async (t) => {
  const { data, path } = await makePlace(t);
  using holder = new DatabaseSync(path);
  // With a log, a start would wait half a minute for the lock.
  holder.exec('pragma journal_mode = delete; begin exclusive');
  for (const command of commands) {
    await assert.rejects(command(data), {
      message: new RegExp(
        `^the database ${path} is locked by another process .*: see which one with fieldroster doctor --data ${data}, and`,
      ),
    });
  }
});
