import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
const run = (...words: string[]) => runCommand(['key', ...words, '--data', data]);

test('without a database there is nothing to check or to rotate', async () => {
  for (const words of [['check'], ['rotate'], ['rotate', '--finish']]) {
    const { exitCode, stderr } = await run(...words);
    assert.equal(exitCode, 1);
    assert.match(stderr, /^fieldroster: there is no database in [^\n]+\n$/);
  }
});

test('a rotation beside a server says what it did and what to keep, and --finish drops the old key', async () => {
  const server = await startServe(['--data', data, '--log-level', 'info']);
  await runCommand(['app', 'create', '--name', 'x', '--data', data]);
  const before = await run('check');
  assert.match(
    before.stdout,
    /^current key: {3}[0-9a-f]{16}\nsealed values: 2 under [0-9a-f]{16}, 2 of them open here\nprocess: {7}process \d+ on /m,
  );
  const oldKey = readFileSync(join(data, 'master.key'), 'utf8');
  const rotated = await run('rotate');
  assert.equal(rotated.exitCode, 0, rotated.stderr);
  assert.match(
    rotated.stderr,
    /the new key is [0-9a-f]{16}, in .*master\.key; the current one is kept in .*master\.key\.previous\n/,
  );
  assert.match(rotated.stderr, /sealed 2 of 2 secrets under the new key\n$/);
  assert.match(
    rotated.stdout,
    /which opens all 2 sealed values\n.*\nKeep a copy of the previous key as long as backups/,
  );
  assert.match(
    (await run('check')).stdout,
    /^previous key: {2}[0-9a-f]{16}; drop it with: fieldroster key rotate --finish$/m,
  );
  const kept = join(folder, 'kept');
  for (const [file, fault] of [
    [join(data, 'master.key'), 'that already exists'],
    [join(folder, 'none', 'kept'), 'its folder does not exist'],
  ] as const) {
    const { exitCode, stderr } = await run('rotate', '--finish', '--keep-old-key', file);
    assert.equal(exitCode, 1);
    assert.ok(stderr.startsWith(`fieldroster: --keep-old-key names ${file}, but ${fault}: `), stderr);
    assert.match(stderr, /or name another file; nothing was dropped\n$/);
  }
  const finished = await run('rotate', '--finish', '--keep-old-key', kept);
  assert.match(finished.stdout, /^previous key: {2}[0-9a-f]{16} was dropped, and kept in /m);
  assert.equal(readFileSync(kept, 'utf8'), oldKey);
  assert.ok(!existsSync(join(data, 'master.key.previous')));
  assert.equal(await server.stop(), 0);
  assert.match(server.output(), /the master keys were read again/);
  for (const { stdout, stderr } of [before, rotated, finished]) {
    for (const name of [oldKey, readFileSync(join(data, 'master.key'), 'utf8')])
      assert.ok(!`${stdout}${stderr}`.includes(name.trim()), 'no key is printed');
  }
});

test('a value that no key opens makes the check fail', async () => {
  const env = { FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };
  const { exitCode, stdout } = await runCommand(['key', 'check', '--data', data], { env });
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /0 of them open here\nnot opened: {4}the key of keyed hashes .*\nnot opened: {4}secret \d+ of fr/,
  );
  assert.match(
    stdout,
    /^what to do: {4}bring back the key [0-9a-f]{16}: put it in master\.key or master\.key\.previous of the data folder .*, which take precedence over the files; if it is lost for good, see docs\/keys\.md$/m,
  );
});

test('--keep-old-key without --finish is a usage error', async () => {
  const { exitCode, stderr } = await run('rotate', '--keep-old-key', join(folder, 'x'));
  assert.deepEqual([exitCode, stderr], [2, 'fieldroster: --keep-old-key needs --finish; add it\n']);
});

test('on SIGHUP a server reads its keys again and keeps serving', async () => {
  const hup = join(folder, 'hup');
  const key = join(hup, 'master.key');
  const server = await startServe(['--data', hup, '--log-level', 'info']);
  renameSync(key, `${key}.previous`);
  writeFileSync(key, randomBytes(32).toString('base64'), { mode: 0o600 });
  server.child.kill('SIGHUP');
  await server.until(() =>
    server.output().includes('SIGHUP: reading the master keys again; a changed setting'),
  );
  await server.until(() => server.output().includes('the master keys were read again'));
  const { stdout } = await runCommand(['key', 'check', '--json', '--data', hup]);
  const { held_key_ids: here, processes } = JSON.parse(stdout);
  assert.equal(here.length, 2);
  assert.deepEqual(
    processes.map(({ pid, key_ids }: { pid: number; key_ids: string[] }) => [pid, key_ids]),
    [[server.child.pid, here]],
  );
  for (let count = 0; count < 3; count++) assert.equal((await fetch(server.url)).status, 404);
  assert.equal(await server.stop(), 0);
});

test('a directory whose master key is lost serves again after the steps of docs/keys.md', async () => {
  const lost = join(folder, 'lost');
  const onLost = (...words: string[]) => runCommand([...words, '--data', lost]);
  const issued = await onLost('app', 'create', '--name', 'x', '--json');
  const { app_id: appId } = JSON.parse(issued.stdout);
  rmSync(join(lost, 'master.key'));
  const refused = await onLost('app', 'list');
  assert.match(refused.stderr, /restore one of them, or, if it is lost for good, see docs\/keys\.md\n$/);
  assert.equal((await onLost('backup', '--to', join(folder, 'lost.backup'))).exitCode, 0);
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/keys.md'), 'utf8');
  const [, statements = ''] = /```sql\n([^`]+)```/.exec(page) ?? [];
  const database = new DatabaseSync(join(lost, 'fieldroster.db'));
  database.exec(statements);
  database.close();
  const server = await startServe(['--data', lost]);
  assert.equal((await onLost('app', 'rotate', appId)).exitCode, 0);
  assert.match((await onLost('key', 'check')).stdout, /, 2 of them open here$/m);
  assert.equal(await server.stop(), 0);
});
