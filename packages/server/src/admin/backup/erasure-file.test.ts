import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { isRoot, nobody, refusalWithoutRoot } from '../../../test/as-another-user.ts';
import { untilStopped } from '../../../test/until-stopped.ts';
import type { Erasure } from '../../database/database.ts';
import { addToErasureFile, erasureFile, readErasureFile } from './erasure-file.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-erasures-'));
after(() => rmSync(parent, { recursive: true }));

const newList = () => join(mkdtempSync(join(parent, 'list-')), erasureFile);

const erasureOf = (userId: bigint): Erasure => ({ tenantId: 1n, userId, usernameHash: 'ab', atMs: 7 });

async function idsIn(path: string): Promise<bigint[]> {
  return (await readErasureFile(path)).map(({ userId }) => userId);
}

test('commands that add to a list at once do not lose each other’s entries', async () => {
  const path = newList();
  const ids = Array.from({ length: 20 }, (_, index) => BigInt(index));
  await Promise.all(ids.map((id) => addToErasureFile(path, [erasureOf(id)])));
  assert.deepEqual(new Set(await idsIn(path)), new Set(ids));
  assert.deepEqual(readdirSync(join(path, '..')), [erasureFile]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('an erasure that is in the list is not added again', async () => {
  const path = newList();
  await addToErasureFile(path, [erasureOf(1n)]);
  const { ino } = statSync(path);
  await addToErasureFile(path, [erasureOf(1n)]);
  assert.equal(statSync(path).ino, ino);
  await addToErasureFile(path, [erasureOf(2n), erasureOf(1n)]);
  assert.deepEqual(await idsIn(path), [1n, 2n]);
});

test('a list that is a folder or a pipe is refused at once, because reading a pipe would wait forever', async () => {
  const [pipe, folder] = [newList(), newList()];
  execFileSync('mkfifo', [pipe]);
  mkdirSync(folder);
  for (const [path, kind] of [
    [pipe, 'is not a regular file'],
    [folder, 'is a folder'],
  ] as const) {
    const refusal = { message: `${path} ${kind}; name a file for the list of erasures` };
    await assert.rejects(readErasureFile(path), refusal);
    await assert.rejects(addToErasureFile(path, [erasureOf(1n)]), refusal);
  }
});

const dead = {
  'the lock of a killed command': (lock: string) => {
    mkdirSync(lock);
    writeFileSync(join(lock, 'draft'), 'half a li');
  },
  'the draft of a killed command of an earlier version': (lock: string) => writeFileSync(lock, 'half a li'),
};

/** No command that lives holds the lock for so long, even on a slow machine. */
const abandonedAfterMs = 1_000;

for (const [what, leave] of Object.entries(dead)) {
  test(`${what} is taken over after a while, and none of the commands that wait for it loses anything`, async () => {
    for (let round = 0; round < 3; round++) {
      const path = newList();
      leave(`${path}.new`);
      const ids = Array.from({ length: 20 }, (_, index) => BigInt(index));
      await Promise.all(ids.map((id) => addToErasureFile(path, [erasureOf(id)], abandonedAfterMs)));
      assert.deepEqual(new Set(await idsIn(path)), new Set(ids));
      assert.deepEqual(readdirSync(join(path, '..')), [erasureFile]);
    }
  });
}

test('what killed commands left beside the lock is removed once it is old', async () => {
  const path = newList();
  const [old, young, other] = [
    `${path}.new-${randomUUID()}`,
    `${path}.new-${randomUUID()}`,
    `${path}.new-notes`,
  ];
  for (const left of [old, young, other]) mkdirSync(left);
  writeFileSync(join(old, 'draft'), '');
  for (const left of [old, other]) utimesSync(left, new Date(0), new Date(0));
  await addToErasureFile(path, [erasureOf(1n)]);
  assert.deepEqual(
    readdirSync(dirname(path)).toSorted(),
    [erasureFile, basename(young), basename(other)].toSorted(),
  );
});

test('a command that is killed after it published leaves no lock to wait for', async () => {
  const path = newList();
  mkdirSync(`${path}.new`);
  await addToErasureFile(path, [erasureOf(1n)], Number.POSITIVE_INFINITY);
  assert.deepEqual(await idsIn(path), [1n]);
  assert.deepEqual(readdirSync(join(path, '..')), [erasureFile]);
});

test('a command whose lock was taken over while it was slow publishes nothing old, and adds its own', async (t) => {
  const path = newList();
  const slow = startAddingAndStop(path, 1n);
  t.after(() => slow.kill('SIGKILL'));
  const ended = once(slow, 'exit');
  await untilStopped(slow);
  await addToErasureFile(path, [erasureOf(2n)], 50);
  slow.kill('SIGCONT');
  assert.deepEqual(await ended, [0, null]);
  assert.deepEqual(await idsIn(path), [2n, 1n]);
  assert.deepEqual(readdirSync(join(path, '..')), [erasureFile]);
});

test('a link that somebody puts in the place of the draft is not written through, and the erasure is added', async () => {
  const path = newList();
  const victim = join(mkdtempSync(join(parent, 'victim-')), 'profile');
  writeFileSync(victim, 'of root');
  const lock = `${path}.new`;
  let swapped = false;
  const erasure = {
    ...erasureOf(1n),
    // Is asked for while the draft is announced and still empty.
    get usernameHash() {
      const [name] = existsSync(lock) && !swapped ? readdirSync(lock) : [];
      if (name === undefined) return 'ab';
      swapped = true;
      renameSync(lock, join(dirname(path), 'aside'));
      mkdirSync(lock);
      symlinkSync(victim, join(lock, name));
      return 'ab';
    },
  };
  await addToErasureFile(path, [erasure], 30);
  assert.ok(swapped);
  assert.equal(readFileSync(victim, 'utf8'), 'of root');
  assert.ok(lstatSync(path).isFile());
  assert.deepEqual(await idsIn(path), [1n]);
});

test('a link in a folder of another user is followed only to a file of that user', async (t) => {
  const [path, list, foreign] = [newList(), newList(), newList()];
  await addToErasureFile(list, [erasureOf(1n)]);
  symlinkSync(list, path);
  // Belongs to root.
  symlinkSync('/etc/passwd', foreign);
  const { getuid } = process;
  t.after(() => Object.assign(process, { getuid }));
  if (isRoot) for (const each of [list, dirname(path), dirname(foreign)]) chownSync(each, nobody, nobody);
  else process.getuid = () => 0;
  assert.deepEqual(await idsIn(path), [1n]);
  const message = `${foreign} is a link to a file of another user; put a copy of that file in its place`;
  await assert.rejects(readErasureFile(foreign), { message });
});

/** Starts a command that stops, like one on a slow disk, when it has the lock and is about to write its first draft. */
function startAddingAndStop(path: string, userId: bigint) {
  const program = `
    const { addToErasureFile } = await import(${JSON.stringify(new URL('./erasure-file.ts', import.meta.url))});
    let stopped = false;
    const erasure = {
      tenantId: 1n,
      userId: ${userId}n,
      usernameHash: 'ab',
      get atMs() {
        if (!stopped) process.kill(process.pid, 'SIGSTOP');
        stopped = true;
        return 7;
      },
    };
    await addToErasureFile(${JSON.stringify(path)}, [erasure]);`;
  const words = ['--conditions=fieldroster-source', '--input-type=module', '--eval', program];
  return spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
}

test('a list that cannot be written is reported', async () => {
  const path = join(parent, 'no such folder', erasureFile);
  await assert.rejects(addToErasureFile(path, [erasureOf(1n)]), { code: 'ENOENT' });
});

test('a list in a folder that this user may not write is refused before anything is done', async () => {
  const folder = mkdtempSync(join(parent, 'closed-'));
  chmodSync(parent, 0o755);
  chmodSync(folder, 0o555);
  const module = new URL('./erasure-file.ts', import.meta.url).href;
  const work = `requireErasureList(${JSON.stringify(join(folder, erasureFile))})`;
  assert.match(
    await refusalWithoutRoot({ requireErasureList: module }, work),
    /^AdminError: the list of erasures cannot be written in .*, because this user .* may not write there: /,
  );
  chmodSync(folder, 0o755);
});
