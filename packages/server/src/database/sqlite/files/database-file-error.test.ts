import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isRoot, nobody, refusalWithoutRoot } from '../../../../test/as-another-user.ts';
import { toBusyError } from '../errors/sqlite-error.ts';
import { databaseFile, openSqliteDatabase } from '../open.ts';
import { cureOfFile, toFileError } from './database-file-error.ts';
import { copySqliteSnapshot } from './snapshot.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-file-error-'));
after(() => rmSync(parent, { recursive: true }));
// The test below becomes another user, who must reach the folders in it.
chmodSync(parent, 0o755);

async function makeDatabase(name: string): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = join(parent, name);
  await (await openSqliteDatabase({ folder })).close();
  return { folder, path: join(folder, databaseFile) };
}

const imports = {
  openSqliteDatabase: import.meta.resolve('../open.ts'),
  copySqliteSnapshot: import.meta.resolve('./snapshot.ts'),
  openDirectory: import.meta.resolve('../../../admin/open-directory.ts'),
  requireDatabase: import.meta.resolve('../../../admin/open-directory.ts'),
};

/** @param work a function of the folder */
function refusalOf(folder: string, work = '(data) => openSqliteDatabase({ folder: data })'): Promise<string> {
  return refusalWithoutRoot(imports, `(${work})(${JSON.stringify(folder)})`);
}

const user = isRoot ? nobody : process.getuid?.();

test('a folder that may only be read is named, with what to do', async () => {
  const { folder, path } = await makeDatabase('read-only');
  if (isRoot)
    for (const own of [folder, path, `${folder}/fieldroster-bookkeeping.db`]) chownSync(own, nobody, nobody);
  chmodSync(folder, 0o500);
  const refusal = `DatabaseFileError: the database ${path} may not be written by this user (attempt to write a readonly database), and even a command that only reads has to write files beside it: the user that runs this (id ${user}) must own the folder ${folder}, with mode 700, and the files in it, with mode 600; change their owner and modes`;
  assert.equal(await refusalOf(folder), refusal);
  assert.equal(await refusalOf(folder, '(data) => copySqliteSnapshot(data, "/tmp")'), refusal);
  chmodSync(folder, 0o700);
});

test('a folder without permission is not reported as one without a database', async () => {
  const { folder, path } = await makeDatabase('closed');
  writeFileSync(join(folder, 'master.key'), '');
  chmodSync(folder, 0o000);
  assert.match(
    await refusalOf(folder, '(data) => requireDatabase({ data })'),
    new RegExp(`^DatabaseFileError: the database ${path} may not be used by this user \\(EACCES: `),
  );
  assert.equal(
    await refusalOf(folder, '(data) => openDirectory({ data, environment: {} })'),
    `MasterKeyError: the key file ${folder}/master.key may not be read by this user: change the owner of the file and of its folder, or run this as their owner`,
  );
  chmodSync(folder, 0o700);
});

test('a folder above that nobody but root may enter is named, also behind a link', async () => {
  const closed = join(parent, 'private');
  mkdirSync(closed);
  const { folder } = await makeDatabase('private/below');
  symlinkSync('private/below', join(parent, 'link'));
  if (isRoot) chownSync(folder, nobody, nobody);
  chmodSync(closed, 0o000);
  for (const named of [folder, join(parent, 'link')])
    assert.match(
      await refusalOf(named, '(data) => requireDatabase({ data })'),
      new RegExp(
        `\\(EACCES: .*\\): the user that runs this \\(id ${user}\\) may not enter ${closed}, which the folder ${named} is in: run this as root$`,
      ),
    );
  chmodSync(closed, 0o700);
});

test('a file of another user is named, with its owner', async (t) => {
  if (!isRoot) {
    t.diagnostic('NOT TESTED: only root can give a file to another user');
    return;
  }
  const { folder, path } = await makeDatabase('of-another');
  chownSync(folder, nobody, nobody);
  assert.match(
    await refusalOf(folder),
    new RegExp(
      `^DatabaseFileError: the database ${path} may not be used by this user \\(EPERM: .*as their owner \\(id 0\\)$`,
    ),
  );
});

test('a damaged file is named, with what to do, when it is opened and when it is copied', async () => {
  const { folder, path } = await makeDatabase('damaged');
  const content = readFileSync(path);
  for (const [damaged, said] of [
    [Buffer.from('this is a shopping list, not a database. '.repeat(200)), 'file is not a database'],
    [content.fill(0x55, 4096), 'database disk image is malformed'],
  ] as const) {
    writeFileSync(path, damaged);
    const error = {
      name: 'DatabaseFileError',
      message: `the database ${path} is damaged (${said}): keep the file, see what is wrong with fieldroster doctor --data ${folder}, and restore a backup into an empty folder with fieldroster restore`,
    };
    await assert.rejects(openSqliteDatabase({ folder }), error);
    if (damaged !== content) await assert.rejects(copySqliteSnapshot(folder, parent), error);
  }
});

test('a folder in place of the file is named', async () => {
  const folder = join(parent, 'folder-as-file');
  mkdirSync(join(folder, databaseFile), { recursive: true });
  await assert.rejects(openSqliteDatabase({ folder }), {
    message: new RegExp(
      `^the database ${join(folder, databaseFile)} cannot be opened \\(.*\\): check that it is a file`,
    ),
  });
});

test('a file that takes no writes has a cure: room, its owner, or a folder that can be written', () => {
  const path = '/data/fieldroster-bookkeeping.db';
  const cure = (error: unknown) => cureOfFile(error, path);
  assert.equal(cure(new Error('outer', { cause: systemError('ENOSPC') })), 'make room');
  assert.match(cure(systemError('EPERM')), /^the user that runs this .*must own the folder \/data, /);
  assert.equal(cure(systemError('ENOTEMPTY')), 'make /data writable');
});

const systemError = (code: string) => Object.assign(new Error('as the system says'), { code });

test('other faults of the file say what to do, and other errors stay as they are', () => {
  const sqlite = (errcode: number) => Object.assign(new Error('as SQLite says'), { errcode });
  const path = '/data/fieldroster.db';
  for (const [error, message] of [
    [
      sqlite(1544),
      /^the database \/data\/fieldroster\.db may not be written by this user \(as SQLite says\), and even a command that only reads has to write files beside it: the user/,
    ],
    [systemError('EACCES'), /may not be used by this user \(as the system says\): the user/],
    [
      systemError('EROFS'),
      /its file system is read-only: mount it for writing, or name another folder with --data/,
    ],
    [systemError('ENOSPC'), /has no room left on its disk/],
    [systemError('EDQUOT'), /has no room left on its disk \(as the system says\): make room/],
    [sqlite(13), /has no room left on its disk \(as SQLite says\): make room/],
    [sqlite(4874), /has no room left on its disk \(as SQLite says\): make room/],
    [
      sqlite(5),
      /is locked by another process \(as SQLite says\): see which one with fieldroster doctor --data \/data, and try again/,
    ],
    [
      sqlite(266),
      /cannot be read or written, because its disk is failing \(as SQLite says\): see the system's log/,
    ],
    [toBusyError(sqlite(11)), /is damaged \(as SQLite says\): keep the file/],
  ] as const) {
    const told = toFileError(error, path);
    assert.ok(told instanceof Error);
    assert.match(told.message, message);
    assert.equal(told.cause, error);
  }
  for (const error of [sqlite(19), toBusyError(sqlite(6)), systemError('EEXIST'), new TypeError('x')])
    assert.equal(toFileError(error, path), error);
});

test('the owner of the folder is named if the file is missing', (t) => {
  t.mock.property(process, 'getuid', () => 12_345);
  const told = toFileError(systemError('EACCES'), join(parent, 'missing.db'));
  const owner = statSync(parent).uid;
  assert.match(
    (told as Error).message,
    new RegExp(`\\(id 12345\\) must own .*, or run this as their owner \\(id ${owner}\\)$`),
  );
});

test('where users have no numbers, as on Windows, the right that is needed is named', (t) => {
  t.mock.property(process, 'getuid', undefined);
  const told = toFileError(systemError('EPERM'), '/data/fieldroster.db');
  assert.match(
    (told as Error).message,
    /: the user that runs this needs the right to change \/data and the files in it$/,
  );
});
