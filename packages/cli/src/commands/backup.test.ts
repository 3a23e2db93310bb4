import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { issueApplication, openDirectory } from '@fieldroster/server/admin';
import { collect, runCommand, startCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
const file = join(folder, 'x.backup');

async function fill(place = data, username = 'mara'): Promise<void> {
  const directory = await openDirectory({ data: place, environment: {} });
  await issueApplication(directory, { name: 'kept', tenant: 'default', scope: 'write' });
  await directory.database.write(1n, undefined, async (writer) => {
    const id = await writer.insertUser(username, { realName: 'Mara' });
    return { result: id, audit: { operation: 'create-user', changes: { username: { to: username } } } };
  });
  await directory.database.close();
}

/** Scripts read the fields of every command by names of one form. */
function requireSnakeCase(json: string): void {
  JSON.parse(json, (key, value) => {
    assert.match(key, /^[a-z0-9_]*$/);
    return value;
  });
}

test('a backup is verified and restored, and both commands say what is missing', async () => {
  await fill();
  const printed = await runCommand(['backup', '--to', join(folder, 'y.backup'), '--data', data, '--json']);
  requireSnakeCase(printed.stdout);
  assert.equal(JSON.parse(printed.stdout).erasure_list, null);
  const made = await runCommand(['backup', '--verify', '--to', file, '--data', data]);
  assert.equal(made.exitCode, 0, made.stderr);
  assert.match(
    made.stdout,
    /restores completely[\s\S]*neither the master key nor the tables\n {2}backup_state/,
  );
  const { manifest } = JSON.parse((await runCommand(['backup', 'verify', file, '--json'])).stdout);
  assert.equal(manifest.tables.find(({ table }: { table: string }) => table === 'user').rows, 1);
  assert.match(
    (await runCommand(['backup', 'verify', file])).stdout,
    /^.*x\.backup is good: it shows the directory as of 20/,
  );

  const target = join(folder, 'restored');
  mkdirSync(target);
  copyFileSync(join(data, 'master.key'), join(target, 'master.key'));
  const restored = await runCommand(['restore', '--from', file, '--data', target]);
  assert.equal(restored.exitCode, 0, restored.stderr);
  for (const told of [
    /^Ask the integrators who keep a copy of the users to list everything again/m,
    /user +1 /,
    /applications revoked, suspended, limited, rotated or issued later/,
    /operators disabled, reset or given another role later/,
    /a master key replaced later/,
    /users erased later/,
    /code 1012 until 20/,
  ]) {
    assert.match(restored.stdout, told);
  }
  assert.match((await runCommand(['app', 'list', '--data', target])).stdout, /kept/);
});

test('restore --json gives its fields the form of other commands, and times in ISO 8601', async () => {
  const target = join(folder, 'restored-for-scripts');
  mkdirSync(target);
  copyFileSync(join(data, 'master.key'), join(target, 'master.key'));
  const restored = await runCommand(['restore', '--from', file, '--data', target, '--json']);
  requireSnakeCase(restored.stdout);
  const { finish, manifest } = JSON.parse(restored.stdout);
  assert.deepEqual([finish.key_found, finish.erasures, finish.erasure_lists], [true, 0, []]);
  assert.equal(finish.erased.audit_rows, 0);
  assert.ok(Date.parse(finish.writes_refused_until) > Date.parse(manifest.at) + 85_000);
  const finished = await runCommand(['restore', '--finish', '--data', target, '--json']);
  requireSnakeCase(finished.stdout);
  assert.equal(JSON.parse(finished.stdout).key_found, true);
  assert.equal(JSON.parse(finished.stdout).log_emptied, null, 'no erasure concerned anybody');
});

test('mistakes are reported in one line', async () => {
  for (const [words, message, code] of [
    [['backup', '--data', data], /--to <file> is missing/, 2],
    [['backup', '--to', file, '--data', data], /already exists; name another file/, 2],
    [['backup', '--to', folder, '--data', data], /is a folder; name a new file in it/, 2],
    [
      ['backup', '--to', '', '--data', data],
      /'--to <file>' argument '' is invalid\. It must not be empty; name/,
      2,
    ],
    [
      ['backup', '--to', '-', '--data', data],
      /'-' is invalid\. Standard output is not accepted; name a file/,
      2,
    ],
    [
      ['restore', '--from', ' ', '--data', data],
      /argument ' ' is invalid\. It must not be empty; name the backup/,
      2,
    ],
    [['backup', '--to', join(folder, 'y'), '--data', join(folder, 'none')], /there is no database in/, 1],
    [['backup', 'verify', join(folder, 'none')], /there is no file/, 1],
    [['serve', '--backup-every', '6h', '--data', data], /--backup-every needs .*--backup-to/, 2],
    [['serve', '--backup-to', folder, '--data', data], /--backup-to needs .*--backup-every/, 2],
    [['restore', '--data', join(folder, 'new')], /either --from with a backup, or --finish/, 2],
    [['restore', '--from', file, '--data', data], /already holds data/, 1],
    [
      ['restore', '--from', file, '--data', join(folder, 'new'), '--erasures', join(folder, 'none')],
      /none/,
      1,
    ],
    [['restore', '--finish', '--data', join(folder, 'new')], /there is no database in/, 1],
  ] as const) {
    const { exitCode, stderr } = await runCommand([...words]);
    assert.equal(exitCode, code, stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1);
  }
  assert.ok(!existsSync(join(folder, 'new', 'fieldroster.db')));
});

test('a restore says that the database of the environment outweighs the folder on the command line', async () => {
  const env = { FIELDROSTER_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' };
  const words = ['restore', '--from', file, '--data', join(folder, 'new')];
  const { exitCode, stderr } = await runCommand(words, { env });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^fieldroster: the target is the PostgreSQL database that the environment/);
});

test('user erase needs --yes without a terminal, and lists what it could not reach', async () => {
  const erase = (...words: string[]) =>
    runCommand(['user', 'erase', '--user', 'mara', '--data', data, ...words]);
  const asked = await erase();
  assert.equal(asked.exitCode, 2);
  assert.match(asked.stderr, /no terminal to confirm[\s\S]*--yes/);
  const list = join(folder, 'list.jsonl');
  const erased = await erase('--yes', '--erasures', list);
  assert.equal(erased.exitCode, 0, erased.stderr);
  assert.match(
    erased.stdout,
    /^erased id 1: 1 profile[\s\S]*x\.backup[\s\S]*until they age out[\s\S]*logs, exports/,
  );
  assert.doesNotMatch(erased.stdout, /write-ahead log|free space/);
  assert.match(erased.stdout, new RegExp(`listed in [^\\n]*${list}`));
  assert.doesNotMatch(readFileSync(list, 'utf8'), /mara/);
  const again = await erase();
  assert.match(again.stdout, /^id 1 was already erased at 20/);
  assert.equal(again.exitCode, 0, again.stderr);
});

test('an erasure that a named list or every list lacks is a failure, and can be listed later', async () => {
  const place = join(folder, 'unlisted');
  await fill(place, 'noor');
  // The system takes a name of 255 characters, but the name of the list's draft is longer.
  const lost = join(folder, 'x'.repeat(255));
  const erase = (...words: string[]) =>
    runCommand(['user', 'erase', '--user', 'noor', '--yes', '--data', place, ...words]);
  const first = await erase('--erasures', lost);
  assert.equal(first.exitCode, 1);
  assert.match(first.stdout, /^erased id 1: 1 profile[\s\S]*\nNOT listed in .*: ENAMETOOLONG/);
  const list = join(folder, 'late.jsonl');
  const later = await erase('--erasures', list, '--json');
  assert.equal(later.exitCode, 0, later.stderr);
  const { user_ids, erased_before, lists, last_backup, log_emptied } = JSON.parse(later.stdout);
  assert.deepEqual([last_backup, log_emptied], [null, true]);
  assert.deepEqual([user_ids, erased_before[0].user_id, lists.includes(list)], [[], '1', true]);
  assert.equal(readFileSync(list, 'utf8').trim().split('\n').length, 1);
});

test('an erasure whose remnants could not be cleared says why, and what it did', async () => {
  const place = join(folder, 'uncleared');
  await fill(place, 'noor');
  const words = ['user', 'erase', '--user', 'noor', '--yes', '--data', place];
  const first = await runCommand([...words, '--json']);
  requireSnakeCase(first.stdout);
  const { remnants_failed, free_space_overwritten } = JSON.parse(first.stdout);
  assert.deepEqual([remnants_failed, free_space_overwritten], [null, true]);
  using file = new DatabaseSync(join(place, 'fieldroster.db'));
  file.exec('drop table user_search');
  const { stdout, exitCode } = await runCommand(words);
  assert.equal(exitCode, 0, stdout);
  assert.match(
    stdout,
    /^listed in \S+erasures\.jsonl$[\s\S]*^Not reached[\s\S]*^ {2}- remnants in .*user_search/m,
  );
  const json = JSON.parse((await runCommand([...words, '--json'])).stdout);
  assert.match(json.remnants_failed, /user_search/);
  assert.deepEqual([json.free_space_overwritten, json.log_emptied], [false, false]);
});

test('an erasure names the damaged files that a server moved aside, because nothing can be erased in them', async () => {
  const place = join(folder, 'damaged-calls');
  await fill(place, 'noor');
  const bookkeeping = join(place, 'fieldroster-bookkeeping.db');
  writeFileSync(bookkeeping, 'GET /user?username=noor');
  const words = ['user', 'erase', '--user', 'noor', '--yes', '--data', place];
  // Opening the directory moves the damaged file aside.
  const { stdout, exitCode } = await runCommand(words);
  assert.equal(exitCode, 0, stdout);
  const [aside] = readdirSync(place).filter((name) => name.includes('.damaged-'));
  assert.ok(aside);
  assert.match(stdout, /^ {2}- damaged files that .* may have texts of failed calls\. Delete them:$/m);
  assert.ok(stdout.includes(`\n      ${join(place, aside)}\n`), stdout);
  const json = JSON.parse((await runCommand([...words, '--json'])).stdout);
  assert.deepEqual(json.damaged_files, [join(place, aside)]);
  rmSync(join(place, aside));
  const after = await runCommand(words);
  assert.doesNotMatch(after.stdout, /damaged files/);
});

test('a named list of erasures that is none, or has no folder, stops an erasure before it erases anything', async () => {
  const place = join(folder, 'kept');
  await fill(place, 'ines');
  const damaged = join(folder, 'damaged.jsonl');
  writeFileSync(damaged, 'not an erasure\n');
  for (const [list, reason] of [
    [folder, / is a folder; name a file for the list of erasures$/m],
    [
      join(folder, 'missing', 'list.jsonl'),
      /: there is no folder .*\/missing for the list of erasures; create it, or name another file$/m,
    ],
    [join(damaged, 'list.jsonl'), /: there is no folder .*\/damaged\.jsonl for the list of erasures; /],
    [damaged, /, line 1 is not an erasure; take the list from another copy$/m],
  ] as const) {
    const words = ['user', 'erase', '--user', 'ines', '--yes', '--data', place, '--erasures', list];
    const { exitCode, stdout, stderr } = await runCommand(words);
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.match(stderr, reason);
  }
  const erased = await runCommand(['user', 'erase', '--user', 'ines', '--yes', '--data', place]);
  assert.match(erased.stdout, /^erased id 1: 1 profile/);
});

test('a list of erasures that cannot be read stops a restore', async () => {
  const list = join(folder, 'broken.jsonl');
  writeFileSync(list, '{"tenant_id":"1"}\n');
  const target = join(folder, 'never');
  const { exitCode, stderr } = await runCommand([
    'restore',
    '--from',
    file,
    '--data',
    target,
    '--erasures',
    list,
  ]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /broken\.jsonl, line 1 is not an erasure/);
  assert.ok(!existsSync(join(target, 'fieldroster.db')));
});

test('a restore says which erasures of a list it left out, why, and how to apply them', async () => {
  const [place, shared] = [join(folder, 'mine'), join(folder, 'shared')];
  await fill(place, 'noor');
  mkdirSync(shared);
  const [backup, list] = [join(shared, 'noor.backup'), join(shared, 'erasures.jsonl')];
  assert.equal((await runCommand(['backup', '--to', backup, '--data', place])).exitCode, 0);
  const line = { tenant_id: '1', user_id: '1', username_hash: 'ab', at: '2026-01-31T00:00:00Z' };
  writeFileSync(list, `${JSON.stringify(line)}\n`);
  const restore = async (name: string, ...words: string[]) => {
    const target = join(folder, name);
    mkdirSync(target);
    copyFileSync(join(place, 'master.key'), join(target, 'master.key'));
    const printed = await runCommand(['restore', '--from', backup, '--data', target, ...words]);
    assert.equal(printed.exitCode, 0, printed.stderr);
    return { target, ...printed };
  };
  const { stdout, target } = await restore('mine-again');
  assert.match(
    stdout,
    /^NOT applied: 1 erasure of \S+erasures\.jsonl, because the user of that id has another name here\.$/m,
  );
  const finish = (file: string, place: string) =>
    `the first start:\n  fieldroster restore --finish --data ${place} --erasures ${file}\n`;
  assert(stdout.includes(finish(list, target)), stdout);
  const spaced = (await restore("mine, Ada's")).stdout;
  assert(spaced.includes(finish(list, `'${join(folder, "mine, Ada'\\''s")}'`)), spaced);
  assert.doesNotMatch(stdout, /no names were compared/);
  const keyless = ['restore', '--from', backup, '--data', join(folder, 'mine-without-key')];
  assert.match(
    (await runCommand(keyless)).stdout,
    /^Erasures applied: 1\.[\s\S]*^The erasures were applied, but no names were compared: that takes the master key\.\nIf another directory uses the same list, [\s\S]*put the key into an empty target, and restore again\.$/m,
  );
  const json = await restore('mine-for-scripts', '--json');
  requireSnakeCase(json.stdout);
  const report = JSON.parse(json.stdout).finish;
  assert.equal(report.names_compared, true);
  assert.deepEqual(report.erasures_left_out, [{ list, erasures: 1, reason: 'other_name' }]);
  const words = ['restore', '--finish', '--erasures', list, '--data', target, '--json'];
  const finished = JSON.parse((await runCommand(words)).stdout);
  assert.deepEqual([finished.erasures, finished.erasures_left_out], [1, []]);
  const { free_space_overwritten, log_emptied, remnants_failed } = finished;
  assert.deepEqual([free_space_overwritten, log_emptied, remnants_failed], [true, true, null]);
});

test('a restore warns if a damaged key of hashes let every found erasure apply', async () => {
  const [place, shared] = [join(folder, 'damaged-hashes'), join(folder, 'shared-damaged')];
  await fill(place, 'noor');
  const file = new DatabaseSync(join(place, 'fieldroster.db'));
  file.exec("update setting set value = 'damaged' where name = 'keyed_hash_key'");
  file.close();
  mkdirSync(shared);
  const [backup, list] = [join(shared, 'noor.backup'), join(shared, 'erasures.jsonl')];
  assert.equal((await runCommand(['backup', '--to', backup, '--data', place])).exitCode, 0);
  const line = { tenant_id: '1', user_id: '1', username_hash: 'ab', at: '2026-01-31T00:00:00Z' };
  writeFileSync(list, `${JSON.stringify(line)}\n`);
  const restore = (name: string, ...words: string[]) => {
    const target = join(folder, name);
    mkdirSync(target);
    copyFileSync(join(place, 'master.key'), join(target, 'master.key'));
    return runCommand(['restore', '--from', backup, '--data', target, ...words]);
  };
  const { stdout, stderr } = await restore('damaged-again');
  assert.match(
    stdout,
    /^Erasures applied: 1\.[\s\S]*^The erasures were applied, but no names were compared: the key of hashes/m,
    stderr,
  );
  const { finish } = JSON.parse((await restore('damaged-for-scripts', '--json')).stdout);
  assert.deepEqual([finish.key_found, finish.names_compared, finish.erasures], [true, false, 1]);
});

test('a restore that a signal interrupts says so', async (t) => {
  const silent = createServer();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  t.after(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const connected = once(silent, 'connection');
  const database = `postgres://u:p@127.0.0.1:${port}/n`;
  const child = startCommand(['restore', '--from', file, '--data', folder, '--database', database]);
  t.after(() => child.kill('SIGKILL'));
  const ended = collect(child);
  await connected;
  child.kill('SIGTERM');
  const { stdout, stderr } = await ended;
  assert.deepEqual([child.signalCode, stdout], ['SIGTERM', '']);
  assert.equal(
    stderr,
    'fieldroster: the restore was interrupted; unless it was complete already, the target is as it was before: run the same command again\n',
  );
});

test('the restore of a database in place is not finished while a server runs on it', async () => {
  const data = join(folder, 'served');
  const server = await startServe(['--data', data]);
  const refused = await runCommand(['restore', '--finish', '--data', data]);
  assert.equal(refused.exitCode, 1, refused.stdout);
  assert.match(refused.stderr, /^fieldroster: process \d+ on \S+ runs on .*served.*: stop it, .*try again/);
  assert.equal(await server.stop(), 0);
  assert.equal((await runCommand(['restore', '--finish', '--data', data])).exitCode, 0);
});

test('a backup names the list of erasures beside it only if there is one', async () => {
  const empty = join(folder, 'nobody-erased');
  const beside = join(folder, 'beside');
  for (const made of [empty, beside]) mkdirSync(made);
  const source = join(folder, 'never-erased');
  await (await openDirectory({ data: source, environment: {} })).database.close();
  const none = await runCommand(['backup', '--to', join(empty, 'x.backup'), '--data', source]);
  assert.match(
    none.stdout,
    /^erasures is beside it yet; if a user is erased later, you also need that list\.$/m,
  );
  assert.ok(!none.stdout.includes('erasures.jsonl'), none.stdout);
  writeFileSync(join(beside, 'erasures.jsonl'), '');
  const one = await runCommand(['backup', '--to', join(beside, 'x.backup'), '--data', source]);
  assert.match(one.stdout, /^erasures beside it, erasures\.jsonl\.$/m);
});

test('a restore names the lists of erasures that it read, and says so when it found none', async () => {
  const alone = join(folder, 'alone');
  const lists = join(folder, 'lists');
  const target = join(folder, 'without-lists');
  for (const made of [alone, lists]) mkdirSync(made);
  const moved = join(alone, 'x.backup');
  copyFileSync(file, moved);
  const none = await runCommand(['restore', '--from', moved, '--data', target]);
  assert.match(none.stdout, /^No list of erasures was found\./m);
  const apply = `the first start:\n  fieldroster restore --finish --data ${target} --erasures FILE\n`;
  assert(none.stdout.includes(apply), none.stdout);
  const list = join(lists, 'erasures.jsonl');
  writeFileSync(list, '');
  const given = await runCommand(['restore', '--finish', '--data', target, '--erasures', list]);
  assert.ok(given.stdout.includes(`Lists of erasures read: ${list}.\n`), given.stdout);
});

test('a restore gives the files to the owner of the folder, and ends with the command for those that it does not own', async () => {
  const target = join(folder, 'owned');
  mkdirSync(target, { mode: 0o700 });
  // Only root can give files away. Any other user owns the folder, and what is restored into it.
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? 12_345 : statSync(target).uid;
  if (isRoot) chownSync(target, owner, owner);
  const list = join(folder, 'lists', 'erasures.jsonl');
  const line = {
    tenant_id: '1',
    user_id: '77',
    username_hash: 'x'.repeat(43),
    at: '2026-01-31T02:16:00.000Z',
  };
  writeFileSync(list, `${JSON.stringify(line)}\n`);
  const words = ['restore', '--from', file, '--data', target, '--erasures', list];
  const restored = await runCommand(words);
  assert.equal(restored.exitCode, 0, restored.stderr);
  const names = ['fieldroster.db', 'fieldroster-bookkeeping.db', 'erasures.jsonl'];
  assert.deepEqual(
    names.map((name) => statSync(join(target, name)).uid),
    names.map(() => owner),
  );
  assert.ok(!restored.stdout.includes('chown'), restored.stdout);

  copyFileSync(join(data, 'master.key'), join(target, 'master.key'));
  const database = join(target, 'fieldroster.db');
  if (isRoot) chownSync(database, 0, 0);
  const finished = await runCommand(['restore', '--finish', '--data', target]);
  assert.equal(statSync(database).uid, owner);
  const told = finished.stdout.includes(`\n  chown 12345:12345 ${join(target, 'master.key')}\n`);
  assert.equal(told, isRoot, finished.stdout);

  const made = await runCommand(['restore', '--from', file, '--data', join(folder, 'made')]);
  assert.equal(made.stdout.includes(`\n  chown -R USER ${join(folder, 'made')}\n`), isRoot);
});

test('a verified backup that the database cannot record is kept, and the command says so', async () => {
  const source = join(folder, 'unrecorded');
  await (await openDirectory({ data: source, environment: {} })).database.close();
  using connection = new DatabaseSync(join(source, 'fieldroster.db'));
  connection.exec("create trigger refuse before update on backup_state begin select raise(abort, 'no'); end");
  const made = join(folder, 'unrecorded.backup');
  const { exitCode, stderr } = await runCommand(['backup', '--verify', '--to', made, '--data', source]);
  assert.equal(exitCode, 1);
  assert.match(
    stderr,
    /^fieldroster: .*unrecorded\.backup is complete and verified, but the database could not record it: no; keep the file; alerts do not count it until a later one is recorded\n$/,
  );
  assert.equal((await runCommand(['backup', 'verify', made])).exitCode, 0);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`a backup that ${signal} interrupts leaves no copy of the directory behind`, async (t) => {
    const place = join(folder, `of ${signal}`);
    const backups = join(place, 'backups');
    mkdirSync(backups, { recursive: true });
    await fill(place);
    await runCommand(['user', 'erase', '--user', 'mara', '--yes', '--data', place]);
    // It waits in its draft for the lock of the list, which another process seems to hold.
    const lock = join(backups, 'erasures.jsonl.new');
    mkdirSync(lock);
    writeFileSync(join(lock, 'draft'), '');
    const child = startCommand(['backup', '--to', join(backups, 'x.backup'), '--data', place]);
    t.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const hasBegun = () => readdirSync(backups).some((name) => name.endsWith('.part'));
    while (!hasBegun() && child.exitCode === null) await delay(5);
    child.kill(signal);
    assert.deepEqual(await ended, [null, signal]);
    assert.deepEqual(readdirSync(backups), ['erasures.jsonl.new']);
  });
}
