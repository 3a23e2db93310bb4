import assert from 'node:assert/strict';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDirectory } from '@fieldroster/server/admin';
import { isRoot, nobody } from '../../../server/test/as-another-user.ts';
import { collect, runCommand, startCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';

const folder = temporaryFolder();
const [source, target] = [join(folder, 'source'), join(folder, 'target')];

test('a directory is copied with its counts and checksums, once', async () => {
  await runCommand(['app', 'create', '--name', 'x', '--data', source]);
  const first = await runCommand(['copy', '--from', source, '--to', target, '--json']);
  assert.equal(first.exitCode, 0, first.stderr);
  const { tables } = JSON.parse(first.stdout);
  const application = tables.find(({ table }: { table: string }) => table === 'application');
  assert.equal(application.rows, 1);
  assert.match(application.checksum, /^[0-9a-f]{64}$/);
  const again = await runCommand(['copy', '--from', source, '--to', target]);
  assert.equal(again.exitCode, 1);
  assert.match(again.stderr, /^fieldroster: .*already holds a directory[^\n]*\n$/);
  const file = join(folder, 'a file');
  writeFileSync(file, '');
  const onFile = await runCommand(['copy', '--from', source, '--to', file]);
  assert.match(onFile.stderr, /cannot be the data folder: it is a file; choose another with --to$/m);
});

test('a copy that a signal interrupts says so, and the same command completes it', async (t) => {
  const interrupted = join(folder, 'interrupted');
  await (await openDirectory({ data: source, environment: {} })).database.close();
  await (await openDirectory({ data: interrupted, environment: {} })).database.close();
  copyFileSync(join(source, 'master.key'), join(interrupted, 'master.key'));
  // Keeps the copy from its end: it writes the bookkeeping last.
  const records = new DatabaseSync(join(interrupted, 'fieldroster-bookkeeping.db'));
  const rows = new DatabaseSync(join(interrupted, 'fieldroster.db'), { timeout: 0 });
  t.after(() => [records, rows].map((database) => database.close()));
  records.exec('begin immediate');
  const words = ['copy', '--from', source, '--to', interrupted];
  const child = startCommand(words);
  t.after(() => child.kill('SIGKILL'));
  const ended = collect(child);
  while (!isLocked(rows)) {
    assert.equal(child.exitCode, null, 'it ended before it wrote the rows');
    await delay(20);
  }
  child.kill('SIGTERM');
  const { exitCode, stdout, stderr } = await ended;
  assert.deepEqual([exitCode, child.signalCode, stdout], [null, 'SIGTERM', '']);
  assert.equal(
    stderr,
    'fieldroster: the copy was interrupted; unless it was complete already, the target is as it was before: run the same command again\n',
  );
  records.exec('rollback');
  const again = await runCommand(words);
  assert.deepEqual([again.exitCode, again.stderr], [0, '']);
});

/** Returns whether another process writes to the database. */
function isLocked(database: DatabaseSync): boolean {
  try {
    database.exec('begin immediate; rollback');
    return false;
  } catch {
    return true;
  }
}

test('a copy says that its servers need the master key, which is not in it', async () => {
  await (await openDirectory({ data: source, environment: {} })).database.close();
  const to = join(folder, 'without-key');
  const { stdout } = await runCommand(['copy', '--from', source, '--to', to]);
  assert.match(
    stdout,
    /\nNo copy contains the master key\. Before the first start, .* the master\nkey of the source: copy its master\.key/,
  );
  assert.deepEqual(
    readdirSync(to).filter((name) => name.startsWith('master.key')),
    [],
  );
});

test('a copy into a folder with another master key is refused and writes nothing, in the words of restore', async () => {
  await (await openDirectory({ data: source, environment: {} })).database.close();
  const to = join(folder, 'other-key');
  mkdirSync(to);
  const key = join(to, 'master.key');
  writeFileSync(key, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 });
  const words = ['copy', '--from', source, '--to', to];
  const refused = await runCommand(words);
  assert.deepEqual([refused.exitCode, refused.stdout], [1, '']);
  const [before, after] = refused.stderr.split(/ \(its key id is \w{16}, and that of the given key \w{16}\)/);
  assert.deepEqual(
    [before, after],
    [
      `fieldroster: the master key in ${to} or FIELDROSTER_MASTER_KEY is not the one that the source was written under`,
      '; nothing was copied: replace it with that key, or remove it and add the right one before the first start\n',
    ],
  );
  assert.deepEqual(readdirSync(to), ['master.key']);
  const right = readFileSync(join(source, 'master.key'), 'utf8');
  const given = await runCommand(words, { env: { FIELDROSTER_MASTER_KEY: right.trim() } });
  assert.deepEqual([given.exitCode, given.stderr], [0, ''], 'the servers take the key of the environment');
  const again = join(folder, 'same-key');
  mkdirSync(again);
  writeFileSync(join(again, 'master.key'), right, { mode: 0o600 });
  const copied = await runCommand(['copy', '--from', source, '--to', again]);
  assert.deepEqual([copied.exitCode, copied.stderr], [0, '']);
});

test('a copy made by root says how to give its files to the user of the server, unless the folder belongs to that user', async () => {
  await (await openDirectory({ data: source, environment: {} })).database.close();
  const [own, given] = [join(folder, 'by-root'), join(folder, 'given')];
  mkdirSync(given);
  if (isRoot) chownSync(given, nobody, nobody);
  const copies = [own, given].map((to) => runCommand(['copy', '--from', source, '--to', to]));
  const told = (await Promise.all(copies)).map(({ stdout }) => stdout.includes(`\n  chown -R USER ${own}\n`));
  assert.deepEqual(told, [isRoot, false]);
  assert.equal(statSync(join(given, 'fieldroster.db')).uid, statSync(given).uid);
});

test('a copy from a directory that a server writes is refused and makes nothing, unless that is accepted', async () => {
  const served = join(folder, 'served');
  const server = await startServe(['--data', served]);
  const rehearsal = join(folder, 'rehearsal');
  const words = ['copy', '--from', served, '--to', rehearsal];
  const refused = await runCommand(words);
  assert.deepEqual([refused.exitCode, refused.stdout], [1, '']);
  assert.ok(
    refused.stderr.startsWith(
      `fieldroster: process ${server.child.pid} on ${hostname()} runs on ${join(served, 'fieldroster.db')}, and the copy would lack what is written there meanwhile: stop it, `,
    ),
    refused.stderr,
  );
  assert.match(refused.stderr, /; then try again, or accept the loss with --allow-running\n$/);
  assert.equal(existsSync(rehearsal), false);
  assert.equal((await runCommand([...words, '--allow-running'])).exitCode, 0);
  server.child.kill('SIGKILL');
  await server.ended;
  const after = await runCommand(['copy', '--from', served, '--to', join(folder, 'after a kill')]);
  assert.deepEqual([after.exitCode, after.stderr], [0, '']);
});

test('a copy without a source or a target is a usage error, and one from a missing source a failure', async () => {
  assert.equal((await runCommand(['copy', '--from', source])).exitCode, 2);
  const { exitCode, stderr } = await runCommand([
    'copy',
    '--from',
    join(folder, 'none'),
    '--to',
    join(folder, 'x'),
  ]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /^fieldroster: there is no database in [^\n]+; name its folder with --from\n$/);
});

test('a copy onto its own source is refused, also through a link', async () => {
  const own = join(folder, 'own');
  await (await openDirectory({ data: own, environment: {} })).database.close();
  symlinkSync(own, join(folder, 'link'));
  for (const to of [own, join(folder, 'link')]) {
    const { exitCode, stderr } = await runCommand(['copy', '--from', own, '--to', to]);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /^fieldroster: --from and --to name the same database; name another one with --to\n$/,
    );
  }
});

test('a copy from a damaged database names its file, and one from a URL that cannot be used names the flag', async () => {
  const damaged = join(folder, 'damaged');
  await (await openDirectory({ data: damaged, environment: {} })).database.close();
  const file = join(damaged, 'fieldroster.db');
  const target = ['--to', join(folder, 'from damaged')];
  for (const [content, said] of [
    [readFileSync(file).fill(0xff, 4096), 'database disk image is malformed'],
    ['junk', 'file is not a database'],
  ] as const) {
    writeFileSync(file, content);
    const { exitCode, stderr } = await runCommand(['copy', '--from', damaged, ...target]);
    assert.equal(exitCode, 1);
    assert.ok(
      stderr.startsWith(`fieldroster: the database ${file} is damaged (${said}): keep the file`),
      stderr,
    );
  }
  const url = await runCommand(['copy', '--from', 'postgres://u:hunter2@h:x/n', ...target]);
  assert.match(url.stderr, /^fieldroster: --from is not accepted; it must be a URL whose port/);
  assert.doesNotMatch(url.stderr, /hunter2/);
});

test('a copy to or from no place, or a URL of another kind, is refused and makes no folder', async () => {
  const cwd = join(folder, 'cwd');
  mkdirSync(cwd);
  for (const [from, to, stderr] of [
    ['', 'x', /--from is empty; name a data folder, or a PostgreSQL database by its URL/],
    [source, '', /--to is empty; name a data folder/],
    [source, ' ', /--to is empty; name a data folder/],
    [source, 'mysql://u:hunter2@h/n', /--to is a URL of another kind; name a data folder/],
    [source, 'Postgres://u:hunter2@h/n', /--to is a URL of another kind; .* begins with postgres:\/\/$/m],
  ] as const) {
    const result = await runCommand(['copy', '--from', from, '--to', to], { cwd });
    assert.equal(result.exitCode, 1);
    assert.match(result.stderr, stderr);
    assert.doesNotMatch(result.stderr, /hunter2/);
  }
  assert.deepEqual(readdirSync(cwd), []);
});
