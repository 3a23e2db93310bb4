import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isRoot, nobody, refusalWithoutRoot } from '../../../test/as-another-user.ts';
import { openDirectory } from '../open-directory.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-places-'));
after(() => rmSync(parent, { recursive: true }));
// Another user must be able to reach the folders in it.
chmodSync(parent, 0o755);

const at = (name: string) => join(parent, name);
const data = at('data');
const good = at('good.backup');
const options = { release: '0.1.0', verify: false };

before(async () => {
  await (await openDirectory({ data, environment: {} })).database.close();
  await makeBackup({ data }, good, options);
  chmodSync(good, 0o644);
  mkdirSync(at('folder'));
  writeFileSync(at('text'), 'username,name\n');
});

function restore(file: string, target: string) {
  return restoreBackup(file, { data: target, environment: {} });
}

test('a backup that is not a readable file is refused by name, and its restore makes no folder', async () => {
  symlinkSync('loop', at('loop'));
  // Opening a pipe that nobody writes to would wait for ever.
  execFileSync('mkfifo', [at('pipe')]);
  for (const [name, message] of [
    ['none', 'there is no file .*none; correct the path'],
    ['none/x', 'there is no file .*none/x; correct the path'],
    ['text/x', 'there is no file .*text/x; correct the path'],
    ['folder', '.*folder is a folder; name the backup in it'],
    ['pipe', '.*pipe is not a regular file, and a backup is read twice; copy it into one'],
    ['loop', '.*loop cannot be read: ELOOP: .*'],
    ['text', '.*text is not a Fieldroster backup, or its beginning is damaged: name another file'],
  ] as const) {
    const refusal = { name: 'BackupFileError', message: new RegExp(`^${message}$`) };
    await assert.rejects(verifyBackup(at(name)), refusal, name);
    await assert.rejects(restore(at(name), at('target')), refusal, name);
    assert.equal(existsSync(at('target')), false, name);
  }
});

test('a backup whose folder is a file names that file', async () => {
  await assert.rejects(makeBackup({ data }, at('text/x'), options), {
    name: 'AdminError',
    message: `the backup cannot be written in ${at('text')}, because it is a file: correct the path, or choose another folder`,
  });
});

if (process.platform === 'linux')
  test('a backup in a folder of the kernel says that nobody can create files there', async () => {
    await assert.rejects(makeBackup({ data }, '/proc/x', options), {
      name: 'AdminError',
      message:
        'the backup cannot be written in /proc, because the system lets nobody create files there: correct the path, or choose another folder',
    });
  });

test('a backup beside a list of erasures that cannot be read is not made', async () => {
  const folder = at('broken-list');
  mkdirSync(folder);
  const line = { tenant_id: '1', user_id: '1', username_hash: 'h', at: '2026-01-01T00:00:00Z' };
  for (const content of [
    '{',
    JSON.stringify({ ...line, user_id: '9'.repeat(30_000_000) }),
    JSON.stringify({ ...line, tenant_id: '9223372036854775808' }),
  ]) {
    writeFileSync(join(folder, 'erasures.jsonl'), content);
    await assert.rejects(
      makeBackup({ data }, join(folder, 'x'), options),
      /erasures\.jsonl, line 1 is not an erasure/,
    );
  }
  assert.deepEqual(readdirSync(folder), ['erasures.jsonl']);
});

test('a restore neither follows nor replaces a link in place of the database, and leaves the folder as it was', async () => {
  const target = at('linked');
  mkdirSync(target);
  symlinkSync('../elsewhere.db', join(target, 'fieldroster.db'));
  writeFileSync(join(target, 'fieldroster-bookkeeping.db'), 'kept');
  await assert.rejects(restore(good, target), {
    name: 'AdminError',
    message:
      /linked\/fieldroster\.db is a link, which a restore would replace: remove it, or restore into the folder/,
  });
  assert.deepEqual(readdirSync(target), ['fieldroster-bookkeeping.db', 'fieldroster.db']);
  assert.equal(existsSync(at('elsewhere.db')), false);
});

const imports = {
  chmodSync: 'node:fs',
  makeBackup: import.meta.resolve('./make-backup.ts'),
  restoreBackup: import.meta.resolve('./restore-backup.ts'),
  verifyBackup: import.meta.resolve('./verify-backup.ts'),
  withDraftFolder: import.meta.resolve('./draft-folder.ts'),
};

const refusalOf = (work: string) => refusalWithoutRoot(imports, work);

test('a folder or a file that this user may not use is named, with its owner', async () => {
  const own = at('own');
  await (await openDirectory({ data: own, environment: {} })).database.close();
  if (isRoot) for (const name of ['.', ...readdirSync(own)]) chownSync(join(own, name), nobody, nobody);
  const user = isRoot ? nobody : process.getuid?.();
  const closed = at('closed');
  mkdirSync(closed);
  copyFileSync(good, join(closed, 'x.backup'));
  chmodSync(closed, 0o555);
  const instead = isRoot ? 'run this as its owner \\(id 0\\)' : 'change its mode';
  const may = `because this user \\(id ${user}\\) may not write there: ${instead}, or choose another folder$`;
  const mayCopy = may.replace(
    'choose another folder',
    'copy the backup into another folder and check that copy',
  );
  const [from, to] = [good, closed].map((path) => JSON.stringify(path));
  const backup = `makeBackup({ data: ${JSON.stringify(own)} }, ${to} + '/y', ${JSON.stringify(options)})`;
  assert.match(
    await refusalOf(backup),
    new RegExp(`^AdminError: the backup cannot be written in ${closed}, ${may}`),
  );
  assert.match(
    await refusalOf(`verifyBackup(${to} + '/x.backup')`),
    new RegExp(`^AdminError: a restored copy of the backup cannot be written in ${closed}, ${mayCopy}`),
  );
  const restored = `restoreBackup(${from}, { data: ${to}, environment: {} })`;
  assert.match(
    await refusalOf(restored),
    new RegExp(`^AdminError: the restored database cannot be written in ${closed}, ${may}`),
  );
  chmodSync(closed, 0o000);
  assert.match(
    await refusalOf(backup),
    new RegExp(`^AdminError: the backup cannot be written in ${closed}, ${may}`),
  );
  assert.match(
    await refusalOf(`verifyBackup(${to} + '/x.backup')`),
    /^BackupFileError: .*x\.backup may not be read by this user; run this as its owner, or change/,
  );
  assert.match(
    await refusalOf(restored),
    new RegExp(`^AdminError: the restored database cannot be written in ${closed}, ${may}`),
  );
  chmodSync(closed, 0o700);
  assert.deepEqual(readdirSync(closed), ['x.backup']);
});

test('a restore does not take a list of erasures that this user may not see for a missing one', async () => {
  const closed = at('closed-list');
  mkdirSync(closed);
  writeFileSync(join(closed, 'erasures.jsonl'), '');
  chmodSync(closed, 0o600);
  // Nothing listens there, and the list comes first.
  const target = { data: closed, database: 'postgres://x@127.0.0.1:1/x', environment: {} };
  assert.match(
    await refusalOf(`restoreBackup(${JSON.stringify(good)}, ${JSON.stringify(target)})`),
    /^AdminError: cannot tell whether the list of erasures .*closed-list\/erasures\.jsonl exists \(EACCES.*\); nothing was restored: run this as the user of the server$/,
  );
  chmodSync(closed, 0o700);
});

test('a copy does not take a database that this user may not see for a missing one', async () => {
  const closed = at('closed-source');
  await (await openDirectory({ data: closed, environment: {} })).database.close();
  assert.match(
    await refusalWithoutRoot(
      { copyDirectory: import.meta.resolve('../copy-directory.ts'), chmodSync: 'node:fs' },
      `{ if (process.getuid() !== ${nobody}) chmodSync(${JSON.stringify(closed)}, 0o600);
        return copyDirectory(${JSON.stringify(closed)}, ${JSON.stringify(at('copied'))}, () => {}); }`,
    ),
    /^DatabaseFileError: the database .*closed-source\/fieldroster\.db may not be used by this user \(EACCES/,
  );
  chmodSync(closed, 0o700);
});

test('a folder below one that this user may not enter is not called missing', async () => {
  const above = at('private');
  const folder = join(above, 'backups');
  mkdirSync(folder, { recursive: true });
  chmodSync(above, isRoot ? 0o700 : 0o600);
  const refusal = await refusalOf(
    `makeBackup(${JSON.stringify({ data })}, ${JSON.stringify(join(folder, 'x.backup'))}, ${JSON.stringify(options)})`,
  );
  chmodSync(above, 0o700);
  assert.equal(
    refusal,
    `AdminError: this user may not enter ${above}, which the folder ${folder} is in; run this as root, or name another file`,
  );
});

test('a draft that cannot be removed hides no error of the work', async () => {
  const folder = at('drafts');
  mkdirSync(folder);
  if (isRoot) chownSync(folder, nobody, nobody);
  const path = JSON.stringify(folder);
  const work = `withDraftFolder(${path}, { name: 'x', what: 'x' }, async () => {
    chmodSync(${path}, 0o555);
    throw new TypeError('the first error');
  })`;
  assert.equal(await refusalOf(work), 'TypeError: the first error');
  chmodSync(folder, 0o755);
});

test('a restore beside the log or the journal of another database is refused, because SQLite would apply it', async () => {
  for (const ending of ['-wal', '-journal']) {
    const target = at(`beside${ending}`);
    const left = `fieldroster.db${ending}`;
    mkdirSync(target);
    writeFileSync(join(target, left), 'left');
    await assert.rejects(restore(good, target), {
      name: 'AdminError',
      message: new RegExp(`already holds data \\(${left}\\); .*-wal, -shm and -journal elsewhere$`),
    });
    assert.deepEqual(readdirSync(target), [left]);
  }
});

test('a journal of other bookkeeping is not applied to what is restored', async () => {
  const target = at('beside bookkeeping');
  mkdirSync(target);
  writeFileSync(join(target, 'fieldroster-bookkeeping.db-journal'), 'left');
  await restore(good, target);
  assert.deepEqual(readdirSync(target).sort(), ['fieldroster-bookkeeping.db', 'fieldroster.db']);
});

test('a list of erasures that this user may not read is named once, with what to do', async () => {
  const list = at('closed.jsonl');
  writeFileSync(list, '');
  chmodSync(list, isRoot ? 0o600 : 0o000);
  const readErasureFile = import.meta.resolve('./erasure-file.ts');
  const refusal = await refusalWithoutRoot({ readErasureFile }, `readErasureFile(${JSON.stringify(list)})`);
  const what = 'run the command as the user of the server, or as root';
  assert.equal(refusal, `AdminError: ${list} may not be read by this user (EACCES); ${what}`);
});
