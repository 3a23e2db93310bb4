import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { connect } from './connection.ts';
import { keepTemporaryFilesBeside } from './temporary-folder.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fieldroster-test-')));
after(() => rmSync(folder, { recursive: true }));

/** Forgets the folder of this process; other tests in it may have set one. */
function forget(): void {
  using connection = new DatabaseSync(':memory:');
  connection.exec("pragma temp_store_directory = ''");
}

function currentFolder(connection: DatabaseSync): unknown {
  return connection.prepare('pragma temp_store_directory').get()?.temp_store_directory;
}

before(forget);

const openFiles = '/proc/self/fd';

/** Returns the folders of the temporary files that SQLite has open in this process. */
function foldersInUse(): ReadonlySet<string> {
  const paths = readdirSync(openFiles).map((descriptor) => pathOf(join(openFiles, descriptor)));
  return new Set(paths.flatMap((path) => /^(.*)\/etilqs_\w+ \(deleted\)$/.exec(path)?.[1] ?? []));
}

/** Returns the path that a descriptor leads to; '' if it was closed meanwhile. */
function pathOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    return '';
  }
}

/** Begins to read rows that take a sort on disk. */
function beginSort({ connection }: { readonly connection: DatabaseSync }): Iterator<unknown> {
  const rows = connection.prepare(`
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 200000)
    select hex(randomblob(50)) as text from numbers order by text`);
  const read = rows.iterate();
  read.next();
  return read;
}

/** Opens a database in a new folder, and returns the folders of the files of its sort. */
function sortIn(name: string): ReadonlySet<string> {
  mkdirSync(join(folder, name));
  const opened = connect(join(folder, name, 'x.db'));
  const reading = beginSort(opened);
  const folders = foldersInUse();
  reading.return?.();
  opened.connection.close();
  return folders;
}

test('temporary files are in the folder of the first database, and once it is gone in that of the next one', (t) => {
  if (!existsSync(openFiles))
    return t.diagnostic('NOT TESTED: this system does not show the open files of a process');
  const [first, third] = [join(folder, "operator's"), join(folder, 'third')];
  assert.deepEqual(sortIn("operator's"), new Set([first]));
  assert.deepEqual(sortIn('second'), new Set([first]));
  rmSync(first, { recursive: true });
  assert.deepEqual(sortIn('third'), new Set([third]));
});

test('the folder is kept by its own name, even if the database was opened through a link', () => {
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  forget();
  const { connection } = connect(join(folder, 'link', 'x.db'));
  assert.deepEqual(currentFolder(connection), join(folder, 'real'));
  connection.close();
});

test('a database in memory leaves them where SQLite keeps them', () => {
  forget();
  const { connection } = connect(':memory:');
  assert.equal(currentFolder(connection), undefined);
  connection.close();
});

test('so does one whose folder this user may only read', (t) => {
  if (process.getuid?.() === 0) return t.diagnostic('NOT TESTED: root may write into every folder');
  forget();
  const connection = new DatabaseSync(':memory:');
  mkdirSync(join(folder, 'closed'), { mode: 0o500 });
  keepTemporaryFilesBeside(connection, join(folder, 'closed', 'x.db'));
  assert.equal(currentFolder(connection), undefined);
  connection.close();
});
