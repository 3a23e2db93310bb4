import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { collectResult, spawnFieldroster } from '../fieldroster-command.ts';

// A file that is renamed or linked survives a power cut only if its content was synced before, and its folder after. No
// test cuts the power, so this one records the calls.

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-synced-'));
after(() => rmSync(parent, { recursive: true }));

/** Stands in for the system's functions, and records each call that succeeded in a file. */
const recorder = String.raw`
  #define _GNU_SOURCE
  #include <dlfcn.h>
  #include <fcntl.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <string.h>
  #include <unistd.h>
  static void record(const char *call, const char *from, const char *to) {
    char line[9000];
    int size = snprintf(line, sizeof line, "%s\t%s\t%s\n", call, from, to);
    int file = open(getenv("CALLS_FILE"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (write(file, line, size) != size) abort();
    close(file);
  }
  static int sync_by(const char *name, int fd) {
    char link[64], path[4096];
    int result = ((int (*)(int)) dlsym(RTLD_NEXT, name))(fd);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (result == 0 && size > 0) { path[size] = 0; record("sync", path, ""); }
    return result;
  }
  static int move_by(const char *name, const char *from, const char *to) {
    int result = ((int (*)(const char *, const char *)) dlsym(RTLD_NEXT, name))(from, to);
    if (result == 0) record("move", from, to);
    return result;
  }
  int fsync(int fd) { return sync_by("fsync", fd); }
  int fdatasync(int fd) { return sync_by("fdatasync", fd); }
  int rename(const char *from, const char *to) { return move_by("rename", from, to); }
  int link(const char *from, const char *to) { return move_by("link", from, to); }
`;

interface Call {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const library = join(parent, 'recorder.so');

/** Runs a command that must succeed; returns its calls. */
async function callsOf(words: readonly string[]): Promise<readonly Call[]> {
  const file = join(parent, 'calls');
  rmSync(file, { force: true });
  const child = spawnFieldroster(words, { LD_PRELOAD: library, CALLS_FILE: file, NODE_COMPILE_CACHE: '' });
  const { exitCode, stderr } = await collectResult(child);
  assert.equal(exitCode, 0, stderr);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', from = '', to = ''] = line.split('\t');
      return { name, from, to };
    });
}

/** Asserts that each file that was moved into a folder is on disk under its name; returns the names. */
function requireSynced(calls: readonly Call[], folder: string): readonly string[] {
  const syncs = (of: readonly Call[]) => of.filter(({ name }) => name === 'sync').map(({ from }) => from);
  const moves = calls.filter(({ name, to }) => name === 'move' && dirname(to) === folder);
  for (const move of moves) {
    const [before, afterwards] = [calls.slice(0, calls.indexOf(move)), calls.slice(calls.indexOf(move))];
    assert.ok(syncs(before).includes(move.from), `the content of ${move.to} is not synced`);
    assert.equal(syncs(afterwards)[0], folder, `the folder of ${move.to} is not synced right afterwards`);
  }
  return moves.map(({ to }) => to.slice(folder.length + 1));
}

const source = join(parent, 'recorder.c');
writeFileSync(source, recorder);
const compiles =
  process.platform === 'linux' &&
  spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']).status === 0;

if (compiles) {
  test('keys, backups, restored databases and copies survive a power cut', async () => {
    const [data, backups, restored, copied] = ['data', 'backups', 'restored', 'copied'].map((name) =>
      join(parent, name),
    ) as [string, string, string, string];
    mkdirSync(backups);
    const backup = join(backups, 'a.backup');
    const flags = ['--data', data];
    const made = requireSynced(await callsOf(['app', 'create', '--name', 'A', ...flags]), data);
    assert.deepEqual(made, ['master.key']);
    const backedUp = requireSynced(await callsOf(['backup', '--to', backup, ...flags]), backups);
    assert.deepEqual(backedUp, ['a.backup']);
    const database = ['fieldroster-bookkeeping.db', 'fieldroster.db'];
    for (const [words, folder] of [
      [['restore', '--from', backup, '--data', restored], restored],
      [['copy', '--from', data, '--to', copied], copied],
    ] as const)
      assert.deepEqual(requireSynced(await callsOf(words), folder), database);
    const rotated = requireSynced(await callsOf(['key', 'rotate', ...flags]), data);
    assert.deepEqual(rotated, ['master.key.previous', 'master.key']);
  });
} else {
  console.error('NOT TESTED: which files are synced, because there is no C compiler (cc)');
}
