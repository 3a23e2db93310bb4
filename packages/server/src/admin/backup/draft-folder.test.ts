import assert from 'node:assert/strict';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isRoot, nobody } from '../../../test/as-another-user.ts';
import { lockFile } from '../../database/sqlite/files/process-lock.ts';
import { makeDraftFolder } from './draft-folder.ts';

function makeParent(t: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), 'fieldroster-drafts-'));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  return parent;
}

/** Makes what a killed process leaves. */
function makeLeftDraft(parent: string, files: readonly string[]): string {
  const left = join(parent, `x.${'0'.repeat(16)}.part`);
  mkdirSync(left);
  for (const name of files) writeFileSync(join(left, name), '');
  return left;
}

test('the next draft removes that of a killed process, but not one in use', (t) => {
  const parent = makeParent(t);
  const left = makeLeftDraft(parent, ['fieldroster.db', 'lock']);
  const inUse = makeDraftFolder(parent, 'y');
  assert.ok(!existsSync(left));
  const other = makeDraftFolder(parent, 'z');
  assert.ok(existsSync(inUse.path));
  assert.equal(lockFile(join(inUse.path, 'lock')), undefined);
  for (const draft of [inUse, other]) draft.remove();
  assert.deepEqual(readdirSync(parent), []);
});

test('what a process killed while it locks its draft leaves behind is removed after a minute', (t) => {
  const parent = makeParent(t);
  const left = makeLeftDraft(parent, ['lock.new', 'lock.new-journal']);
  const ageBy = (seconds: number) =>
    utimesSync(left, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);
  ageBy(30);
  makeDraftFolder(parent, 'y').remove();
  assert.ok(existsSync(left));
  ageBy(61);
  makeDraftFolder(parent, 'y').remove();
  assert.ok(!existsSync(left));
});

/** Enough that the lock is hardly the last of them by chance, whatever the order of the file system. */
const files = Array.from({ length: 100 }, (_, index) => `file-${index}`);

for (const whose of ['its own', "a killed process's"] as const)
  test(`a kill while a draft removes ${whose} files leaves the lock, and so the rest to the next draft`, async (t) => {
    const parent = makeParent(t);
    const own = whose === 'its own' ? makeDraftFolder(parent, 'y') : undefined;
    const path = own?.path ?? makeLeftDraft(parent, ['lock']);
    for (const name of files) writeFileSync(join(path, name), '');
    const removed: string[] = [];
    const watcher = watch(path, (_, name) => removed.push(String(name)));
    t.after(() => watcher.close());
    if (own) own.remove();
    else makeDraftFolder(parent, 'y').remove();
    while (!removed.includes('lock')) await delay(1);
    const before = new Set(removed.slice(0, removed.indexOf('lock')));
    assert.ok(before.isSupersetOf(new Set(files)));
    assert.ok(!existsSync(path));
  });

test('files that are still being created when a draft is removed are removed with it', async (t) => {
  for (let round = 0; round < 20; round += 1) {
    const parent = makeParent(t);
    const draft = makeDraftFolder(parent, 'y');
    const writes = files.map((name) => writeFile(join(draft.path, name), ''));
    draft.remove();
    await Promise.allSettled(writes);
    assert.deepEqual(readdirSync(parent), []);
  }
});

test('a link that somebody puts in the place of a draft leads to nothing that is removed', (t) => {
  const parent = makeParent(t);
  const [precious, aside] = [join(parent, 'precious'), join(parent, 'aside')];
  mkdirSync(join(precious, 'inner'), { recursive: true });
  for (const name of ['file', 'lock', 'inner/file']) writeFileSync(join(precious, name), '');
  const draft = makeDraftFolder(parent, 'y');
  writeFileSync(join(draft.path, 'file'), '');
  renameSync(draft.path, aside);
  symlinkSync(precious, draft.path);
  draft.remove();
  assert.deepEqual(readdirSync(precious, { recursive: true }).toSorted(), [
    'file',
    'inner',
    'inner/file',
    'lock',
  ]);
  // Elsewhere nothing finds the draft that was moved.
  if (process.platform === 'linux') assert.deepEqual(readdirSync(aside), []);
});

test('a draft that another user left is left alone', (t) => {
  const parent = makeParent(t);
  const left = makeLeftDraft(parent, ['fieldroster.db', 'lock']);
  const { getuid } = process;
  t.after(() => Object.assign(process, { getuid }));
  const own = getuid?.() ?? 0;
  if (isRoot) chownSync(left, nobody, nobody);
  else process.getuid = () => own + 1;
  makeDraftFolder(parent, 'y').remove();
  assert.deepEqual(readdirSync(left).toSorted(), ['fieldroster.db', 'lock']);
});
