import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteDatabase } from '../open.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-limits-'));
after(() => rmSync(parent, { recursive: true }));

const urlOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Runs a program on the folder in a process with the limit, and returns the values it prints as JSON. */
function runLimited<T>(limit: string, program: string, folder: string): T {
  const script = `
    const { openSqliteDatabase } = await import(${urlOf('../open.ts')});
    const { makeBackup } = await import(${urlOf('../../../admin/backup/make-backup.ts')});
    const { closeSync, openSync } = await import('node:fs');
    const [folder] = process.argv.slice(1);
    const saidBy = ({ name, message }) => name + ': ' + message;
    ${program}`;
  const flags = '--conditions=fieldroster-source --input-type=module';
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', `trap '' XFSZ; ${limit}; exec "$0" ${flags} -e "$1" "$2"`, process.execPath, script, folder],
    { encoding: 'utf8', env: { ...process.env, TMPDIR: parent } },
  );
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as T;
}

/** Opens the database with each number of files left to open, until there are enough. */
const openWithFewFiles = `
  const refusals = [];
  for (let left = 0; ; left += 1) {
    const taken = [];
    try { for (;;) taken.push(openSync('/dev/null', 'r')); } catch {}
    for (const file of taken.splice(0, left)) closeSync(file);
    const opened = await openSqliteDatabase({ folder }).catch(saidBy);
    for (const file of taken) closeSync(file);
    if (typeof opened === 'object') { await opened.close(); break; }
    refusals.push(opened);
  }
  process.stdout.write(JSON.stringify(refusals));`;

test('a process that may open no more files says so of each file it needs, and leaves no temporary file', async () => {
  const folder = join(parent, 'files');
  await (await openSqliteDatabase({ folder })).close();
  const refusals = runLimited<string[]>('ulimit -n 100', openWithFewFiles, folder);
  for (const refusal of refusals) {
    assert.match(
      refusal,
      /^DatabaseFileError: the database \S+ cannot be opened \(.*\), because this process may open no more files: raise the limit of open files \(LimitNOFILE, ulimit -Hn\) to at least 256 and one for each connection, and try again$/,
    );
  }
  for (const name of ['fieldroster.db', 'fieldroster-bookkeeping.db'])
    assert.ok(refusals.some((refusal) => refusal.includes(` the database ${join(folder, name)} `)));
  assert.deepEqual(readdirSync(parent), ['files']);
});

test('a process whose files may not grow says so of the database and of a backup, and does not blame the disk', async () => {
  const refusal = (subject: string, bytes: number) =>
    new RegExp(
      `${subject} cannot grow \\(disk I/O error\\), because this process may make no file larger than ${bytes} bytes: raise the limit of file sizes \\(LimitFSIZE, ulimit -f\\), and try again; if no file in its folder is that large, the disk fails: see the system's log$`,
    );
  const open = 'process.stdout.write(JSON.stringify(await openSqliteDatabase({ folder }).catch(saidBy)));';
  for (const kilobytes of [16, 64]) {
    const folder = join(parent, `small-${kilobytes}`);
    assert.match(
      runLimited<string>(`ulimit -f ${kilobytes}`, open, folder),
      refusal(`^DatabaseFileError: the database ${folder}/fieldroster.db`, kilobytes * 1024),
    );
  }
  const folder = join(parent, 'large');
  await (await openSqliteDatabase({ folder })).close();
  const backup = `
    const options = { release: '0.1.0', verify: false };
    const said = await makeBackup({ data: folder }, folder + '/a.backup', options).catch(saidBy);
    process.stdout.write(JSON.stringify(said));`;
  assert.match(
    runLimited<string>('ulimit -f 100', backup, folder),
    refusal(`^AdminError: the backup in ${folder}`, 102_400),
  );
});
