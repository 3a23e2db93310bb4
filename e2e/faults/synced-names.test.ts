import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { collectResult, spawnFieldroster } from '../fieldroster-command.ts';
import { compileRecorder, type DiskCall, readTrace, recordedBy } from './disk-recorder.ts';

// A file that is renamed or linked survives a power cut only if its content was synced before, and its folder after.

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-synced-'));
after(() => rmSync(parent, { recursive: true }));

const recorder = compileRecorder(parent);

/** Runs a command that must succeed; returns its calls on the files of a folder. */
async function callsOf(words: readonly string[], folder: string): Promise<readonly DiskCall[]> {
  const trace = join(parent, 'trace');
  rmSync(trace, { force: true });
  const child = spawnFieldroster(words, recordedBy(recorder ?? '', { folder, trace }));
  const { exitCode, stderr } = await collectResult(child);
  assert.equal(exitCode, 0, stderr);
  return readTrace(trace);
}

/** Asserts that each file moved into the folder was synced before, and its name afterwards; returns the names. */
function requireSynced(calls: readonly DiskCall[]): readonly string[] {
  const syncs = (of: readonly DiskCall[]) => of.filter(({ kind }) => kind === 'sync').map(({ name }) => name);
  const moves = calls.filter((call) => 'to' in call && !call.to.includes('/'));
  return moves.map((move) => {
    const to = 'to' in move ? move.to : '';
    const [before, afterwards] = [calls.slice(0, calls.indexOf(move)), calls.slice(calls.indexOf(move))];
    assert.ok(syncs(before).includes(move.name), `the content of ${to} is not synced`);
    assert.equal(syncs(afterwards)[0], '.', `the folder of ${to} is not synced right afterwards`);
    return to;
  });
}

if (recorder === undefined)
  console.error('NOT TESTED: which files are synced, because there is no C compiler (cc)');
else {
  test('keys, backups, restored databases and copies survive a power cut', async () => {
    const [data, backups, restored, copied] = ['data', 'backups', 'restored', 'copied'].map((name) =>
      join(parent, name),
    ) as [string, string, string, string];
    mkdirSync(backups);
    const backup = join(backups, 'a.backup');
    const flags = ['--data', data];
    const database = ['fieldroster-bookkeeping.db', 'fieldroster.db'];
    const moved: readonly (readonly [words: readonly string[], folder: string, names: readonly string[]])[] =
      [
        [['app', 'create', '--name', 'A', ...flags], data, ['master.key']],
        [['backup', '--to', backup, ...flags], backups, ['a.backup']],
        [['restore', '--from', backup, '--data', restored], restored, database],
        [['copy', '--from', data, '--to', copied], copied, database],
        [['key', 'rotate', ...flags], data, ['master.key.previous', 'master.key']],
      ];
    for (const [words, folder, names] of moved)
      assert.deepEqual(requireSynced(await callsOf(words, folder)), names);
  });
}
