import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { claimSize } from '../../packages/tables/test/claim-size.ts';
import { workbook } from '../../packages/tables/test/workbook.ts';
import { collectResult, spawnFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

const ownerOnly = 0o600;
const memoryMibMax = 512;
const sheetPart = 'xl/worksheets/sheet1.xml';

// Only the command's files matter, so one engine behind the server is enough.
describe('files that fieldroster user writes and reads', () => {
  let directory: Provisioned;
  let server: ServerProcess;
  let flags: readonly string[];
  const usernames = ['=HYPERLINK("http://x","y")', "'=already.guarded", '@sum', '+cmd|x', 'plain'];

  before(async () => {
    directory = await provisionDirectory(1);
    server = await ServerProcess.start(directory);
    const { appId, appSecret } = directory.credentials;
    flags = ['--url', server.url, '--app-id', appId, '--app-secret', appSecret];
    const client = new SignedClient(server.url, directory.credentials, 1);
    for (const username of usernames) await client.call('POST', '/user/stores', { username });
    client.close();
  });

  after(async () => {
    await server.kill();
    await directory.remove();
  });

  const run = (...words: readonly string[]) => collectResult(spawnFieldroster(['user', ...words, ...flags]));
  const place = (name: string) => join(directory.folder, name);
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  /** Makes a file of the user that nobody may overwrite. */
  function precious(): string {
    const path = place('precious');
    writeFileSync(path, 'precious');
    return path;
  }

  /** Makes a CSV file to import, without a result file beside it. */
  function source(name: string): string {
    writeFileSync(place(name), 'username,real_name\nplain,=1+1\n=unknown role,x\n');
    return place(name);
  }

  test('only the owner may read an export, with any umask, and no draft remains', async () => {
    const path = place('export.csv');
    const { exitCode, stderr } = await run('export', path);
    assert.equal(exitCode, 0, stderr);
    assert.equal(modeOf(path), ownerOnly);
    assert.ok(!readdirSync(directory.folder).some((name) => name.endsWith('.new')));
  });

  test('no cell of an export begins like a formula, and an import recreates the same users', async () => {
    const path = place('formulas.csv');
    await run('export', path, '--columns', 'username');
    const cells = readFileSync(path, 'utf8').split('\n').slice(1);
    assert.ok(
      cells.every((cell) => !/^"?[=@+\t\r-]/.test(cell)),
      cells.join('\n'),
    );
    const { stdout, stderr } = await run('import', path, '--json');
    assert.equal(JSON.parse(stdout).unchanged, usernames.length, stderr);
  });

  test('links at the target of an export are replaced or left alone, but never followed', async () => {
    const victim = precious();
    const path = place('linked.csv');
    symlinkSync(victim, path);
    symlinkSync(victim, `${path}.new`);
    const { exitCode, stderr } = await run('export', path, '--overwrite');
    assert.equal(exitCode, 0, stderr);
    assert.equal(readFileSync(victim, 'utf8'), 'precious');
    assert.ok(lstatSync(path).isFile());
  });

  for (const suffix of ['.result.csv', '.result.csv.lock', '.result.csv.state', '.result.csv.state.new']) {
    test(`a symbolic link at ${suffix} of an import is never followed`, async () => {
      const victim = precious();
      const path = source(`symlink${suffix}.csv`);
      symlinkSync(victim, path + suffix);
      const { exitCode, stderr } = await run('import', path);
      if (!suffix.endsWith('.new')) {
        assert.notEqual(exitCode, 0);
        assert.match(stderr, /is a symbolic link, which is not followed; remove it/);
      }
      assert.equal(readFileSync(victim, 'utf8'), 'precious');
    });
  }

  test('a symbolic link in the place of the failed rows is replaced, never followed, and the rows are guarded', async () => {
    const victim = precious();
    const path = source('symlink-failed.csv');
    writeFileSync(path, 'username,role_id\n=link,404\n');
    symlinkSync(victim, `${path}.failed.csv`);
    const { exitCode, stderr } = await run('import', path);
    assert.equal(exitCode, 1, stderr);
    assert.equal(readFileSync(victim, 'utf8'), 'precious');
    assert.ok(lstatSync(`${path}.failed.csv`).isFile());
    assert.equal(modeOf(`${path}.failed.csv`), ownerOnly);
    assert.match(readFileSync(`${path}.failed.csv`, 'utf8'), /,'=link,404$/m);
  });

  const planted: readonly (readonly [
    label: string,
    plant: (path: string, victim: string) => void,
    message: RegExp,
  ])[] = [
    ['a hard link', (path, victim) => linkSync(victim, path), /is a hard link to a file with other names/],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), /is not a regular file/],
  ];
  for (const [label, plant, message] of planted) {
    test(`${label} in the place of a result file is refused`, async () => {
      const path = source(`${label.replaceAll(' ', '-')}.csv`);
      const victim = precious();
      plant(`${path}.result.csv`, victim);
      const { exitCode, stderr } = await run('import', path);
      assert.notEqual(exitCode, 0);
      assert.match(stderr, message);
      assert.equal(readFileSync(victim, 'utf8'), 'precious');
    });
  }

  test('a result file of another user is refused', async (t) => {
    if (process.getuid?.() !== 0) {
      t.diagnostic('NOT TESTED: only root can give a file to another user');
      return;
    }
    const path = source('foreign.csv');
    writeFileSync(`${path}.result.csv`, '');
    chownSync(`${path}.result.csv`, 65_534, 65_534);
    const { exitCode, stderr } = await run('import', path);
    assert.notEqual(exitCode, 0);
    assert.match(stderr, /belongs to another user/);
  });

  test('only the owner may read a result file, even one that was open to all, and it guards formulas', async () => {
    const path = source('results.csv');
    const result = `${path}.result.csv`;
    writeFileSync(result, 'line,username,outcome,code,message\n2,earlier,created,0,\n');
    chmodSync(result, 0o666);
    await run('import', path);
    assert.equal(modeOf(result), ownerOnly);
    assert.match(readFileSync(result, 'utf8'), /^3,'=unknown role,/m);
  });

  for (const [label, rows, message, claimedBytes] of [
    [
      'cells far apart',
      (count: number) =>
        `<row r="1"><c r="A1"/><c r="XFD1"/></row>${Array.from({ length: count }, (_, row) => `<row r="${row + 2}"><c r="A${row + 2}"/></row>`).join('')}`,
      /at most 5000000 cells are read/,
    ],
    ['a part that unpacks to 72 MiB', () => ' '.repeat(72 * 1024 * 1024), /at most 64 are read/],
    [
      'a part that unpacks to 8 MiB and says 100 bytes',
      () => ' '.repeat(8 * 1024 * 1024),
      /has another content than the archive says/,
      100,
    ],
  ] as const) {
    test(`a small workbook with ${label} is refused within ${memoryMibMax} MiB of memory`, async (t) => {
      const path = place(`${label.replaceAll(' ', '-')}.xlsx`);
      const sheet = strToU8(`<worksheet><sheetData>${rows(25_000)}</sheetData></worksheet>`);
      const archive = zipSync({ ...unzipSync(workbook()), [sheetPart]: sheet }, { level: 1 });
      writeFileSync(path, claimedBytes === undefined ? archive : claimSize(archive, sheetPart, claimedBytes));
      const child = spawnFieldroster(['user', 'import', path, '--dry-run', ...flags]);
      const memory = watchMemory(child.pid ?? 0);
      const { exitCode, stderr } = await collectResult(child);
      const peakMib = memory.stop();
      assert.equal(exitCode, 1);
      assert.match(stderr, message);
      t.diagnostic(
        `figure: ${statSync(path).size} bytes of workbook, refused with ${peakMib} MiB of memory at most`,
      );
      assert.ok(peakMib < memoryMibMax, `${peakMib} MiB`);
    });
  }
});

/** Tracks the high-water mark of a process's memory until it ends; on Linux only. */
function watchMemory(pid: number): { stop: () => number } {
  let peakKibibytes = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      peakKibibytes = Math.max(peakKibibytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // The process has ended.
    }
  }, 10);
  return {
    stop() {
      clearInterval(timer);
      return Math.round(peakKibibytes / 1024);
    },
  };
}
