import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyBackup } from '@fieldroster/server/admin';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { collectResult, expectFieldroster, spawnFieldroster } from '../fieldroster-command.ts';
import type { Provisioned } from '../provision-directory.ts';
import { readRows, untilAlone } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';

const kills = atScale({ bounded: 2, full: 20 });

const stores = atScale({ bounded: 5_000, full: 40_000 });

describeOnEachEngine((provision, engine) => {
  test(`${kills} kills during backups leave no partial file, and the next backup removes their drafts`, async (t) => {
    const directory = await provision(stores);
    const folder = join(directory.folder, 'backups');
    mkdirSync(folder);
    const random = SeededRandom.ofRun();
    const backUp = (name: string) => ['backup', '--to', join(folder, name), ...directory.flags];
    const wholeMs = await workMs(spawnFieldroster(backUp('whole')), folder);
    let completed = 0;
    for (let kill = 0; kill < kills; kill++) {
      const name = `killed-${kill}`;
      await killDuring(spawnFieldroster(backUp(name)), folder, random.next() * wholeMs);
      if (!existsSync(join(folder, name))) continue;
      completed += 1;
      await verifyBackup(join(folder, name));
    }
    // A draft that was not locked yet stays for a minute.
    for (const name of readdirSync(folder)) if (name.endsWith('.part')) utimesSync(join(folder, name), 0, 0);
    await expectFieldroster(...backUp('after'));
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    );
    t.diagnostic(
      `figure: ${kills} kills during a backup of ${Math.round(wholeMs)} ms, ${completed} after its end`,
    );
    await directory.remove();
  });

  for (const work of ['restore', 'copy'] as const) {
    test(`kills during each ${work} leave the target without tables or complete`, async (t) => {
      const directory = await provision(stores);
      const file = join(directory.folder, 'x.backup');
      await expectFieldroster('backup', '--to', file, ...directory.flags);
      const random = SeededRandom.ofRun();
      let wholeMs = 0;
      let completed = 0;
      for (let kill = 0; kill <= kills; kill++) {
        const target = await newTarget(directory, await provision(0), engine);
        const command =
          work === 'restore'
            ? ['restore', '--from', file, ...target.flags]
            : [
                'copy',
                '--from',
                directory.database ?? directory.data,
                '--to',
                target.database ?? target.data,
              ];
        // PostgreSQL shows nothing until the work is complete.
        const drafts = engine === 'SQLite' ? target.data : undefined;
        if (kill === 0) wholeMs = await workMs(spawnFieldroster(command), drafts);
        else await killDuring(spawnFieldroster(command), drafts, random.next() * wholeMs);
        await untilAlone(target);
        const isThere = await hasTables(target);
        if (isThere) completed += 1;
        else await runAgain(command);
        assert.equal(await countStores(target), stores);
        if (!isThere) assert.deepEqual(draftsIn(target.data), [], 'the next attempt removes drafts');
        await target.remove();
      }
      t.diagnostic(
        `figure: ${kills} kills during a ${work} of ${Math.round(wholeMs)} ms, ${completed - 1} after its end`,
      );
      await directory.remove();
    });
  }
});

/** Empties a place, and gives it the directory's key, so that a backup can be restored there. */
async function newTarget(directory: Provisioned, place: Provisioned, engine: string): Promise<Provisioned> {
  rmSync(place.data, { recursive: true });
  mkdirSync(place.data);
  cpSync(join(directory.data, 'master.key'), join(place.data, 'master.key'));
  if (engine === 'PostgreSQL')
    await readRows(place, 'drop schema public cascade').then(() => readRows(place, 'create schema public'));
  return place;
}

/** Returns whether the place has tables, which a server would take for a directory, even without rows. */
async function hasTables(place: Provisioned): Promise<boolean> {
  if (place.database === undefined) return existsSync(join(place.data, 'fieldroster.db'));
  const tables = await readRows(place, "select tablename from pg_tables where schemaname = 'public'");
  return tables.length > 0;
}

async function countStores(place: Provisioned): Promise<number> {
  const [row] = await readRows(place, 'select count(*) as count from store');
  return Number(row?.count);
}

/** Leaves out the draft of a process that was killed before it had locked it, which stays for a minute. */
function draftsIn(folder: string): string[] {
  const drafts = readdirSync(folder).filter((name) => name.endsWith('.part'));
  return drafts.filter((name) =>
    readdirSync(join(folder, name)).some((entry) => !entry.startsWith('lock.new')),
  );
}

/** PostgreSQL needs a moment to notice that the killed process is gone. */
async function runAgain(command: readonly string[]): Promise<void> {
  for (;;) {
    const { exitCode, stderr } = await collectResult(spawnFieldroster(command));
    if (exitCode === 0) return;
    assert.match(stderr, /another process is writing to/);
    await delay(100);
  }
}

/**
 * Returns how long the command works, in milliseconds.
 *
 * @param folder where its draft shows that it has begun, so that loading the program does not count
 */
async function workMs(child: ChildProcess, folder: string | undefined): Promise<number> {
  const ended = collectResult(child);
  await begun(child, folder);
  const startedMs = performance.now();
  const { exitCode, stderr } = await ended;
  assert.equal(exitCode, 0, stderr);
  return performance.now() - startedMs;
}

async function killDuring(child: ChildProcess, folder: string | undefined, afterMs: number): Promise<void> {
  const closed = once(child, 'close');
  await begun(child, folder);
  await delay(afterMs);
  child.kill('SIGKILL');
  await closed;
}

async function begun(child: ChildProcess, folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const before = new Set(readdirSync(folder));
  while (child.exitCode === null && !readdirSync(folder).some((name) => !before.has(name))) await delay(2);
}
