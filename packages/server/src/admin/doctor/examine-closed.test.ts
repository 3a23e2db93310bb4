import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isRoot, nobody, runWithoutRoot } from '../../../test/as-another-user.ts';
import { openDirectory } from '../open-directory.ts';
import type { NamedFinding } from './finding.ts';

/** Makes a folder with a database that a user without root's rights may use. */
async function makeDirectory(t: TestContext): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'fieldroster-closed-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  await (await openDirectory({ data, environment: {} })).database.close();
  if (isRoot) for (const name of ['.', ...readdirSync(data)]) chownSync(join(data, name), nobody, nobody);
  return data;
}

const imports = {
  examine: import.meta.resolve('./examine.ts'),
  readSettings: import.meta.resolve('../../config.ts'),
};

/** Returns what a process without root's rights finds about backups, or in another check. */
async function examineAsNobody(settings: object, name = 'backup'): Promise<readonly NamedFinding[]> {
  return (await examineAllAsNobody(settings)).filter(({ check }) => check === name);
}

async function examineAllAsNobody(settings: object): Promise<readonly NamedFinding[]> {
  const printed = await runWithoutRoot(
    imports,
    `const settings = readSettings(${JSON.stringify(settings)}, {});
    console.log(JSON.stringify(await examine({ settings, environment: {}, quick: true })));`,
  );
  return JSON.parse(printed) as NamedFinding[];
}

test('files in the folder of the backups that this user may not read are reported', async (t) => {
  const data = await makeDirectory(t);
  const backupTo = join(data, 'backups');
  mkdirSync(backupTo);
  const closed = join(backupTo, 'x');
  writeFileSync(closed, 'x', { mode: 0o000 });
  if (isRoot) chownSync(backupTo, nobody, nobody);
  const found = await examineAsNobody({ data, backupEveryMs: '6h', backupTo });
  assert.deepEqual(
    found.map(({ level, message }) => [level, message]),
    [
      ['note', `this user may not read ${closed}, which may be a newer backup`],
      ['note', 'no backup is known'],
    ],
  );
});

test('a folder in which the schedule can make no backup is an error', async (t) => {
  const data = await makeDirectory(t);
  const backupTo = join(data, 'backups');
  mkdirSync(backupTo);
  chmodSync(backupTo, 0o555);
  const [found] = await examineAsNobody({ data, backupEveryMs: '6h', backupTo });
  assert.equal(found?.level, 'error');
  assert.match(
    found?.message ?? '',
    /^the folder of the backups .*backups cannot be used: this user may not write it$/,
  );
});

test('the size of a database that this user cannot see is not said to be 0', async (t) => {
  const data = await makeDirectory(t);
  const backupTo = mkdtempSync(join(tmpdir(), 'fieldroster-seen-'));
  t.after(() => rmSync(backupTo, { recursive: true, force: true }));
  if (isRoot) chownSync(backupTo, nobody, nobody);
  chmodSync(data, 0o600);
  const [found, ...others] = await examineAsNobody({ data, backupEveryMs: '6h', backupTo }, 'disk space');
  assert.equal(found?.level, 'note');
  assert.match(
    found?.message ?? '',
    /^\d+ [GM]iB free in .*; this user cannot see how much the database takes$/,
  );
  assert.deepEqual(Object.keys(found?.said?.values ?? {}), ['folder', 'freeMebibytes']);
  for (const { message } of others) assert.doesNotMatch(message, /needs/);
});

test('a list of erasures that this user may not read is unknown, and needs no replacement', async (t) => {
  const data = await makeDirectory(t);
  writeFileSync(join(data, 'erasures.jsonl'), '', { mode: 0o000 });
  const [found] = await examineAsNobody({ data });
  assert.deepEqual([found?.level, found?.advice], ['warning', 'run the doctor as the user of the server']);
  assert.match(
    found?.message ?? '',
    /^cannot tell whether a restore could apply the list of erasures: .*EACCES/,
  );
});

test('records in a folder that this user may not open are unknown, not missing', async (t) => {
  const data = await makeDirectory(t);
  chmodSync(data, 0o000);
  const [found] = await examineAsNobody({ data }, 'bookkeeping');
  assert.equal(found?.level, 'warning');
  assert.match(found?.message ?? '', /fieldroster-bookkeeping\.db cannot be read \(EACCES/);
});

test('every finding about a folder below one that this user may not enter names that one', async (t) => {
  const closed = await makeDirectory(t);
  const data = join(closed, 'data');
  await (await openDirectory({ data, environment: {} })).database.close();
  if (isRoot) for (const name of ['.', ...readdirSync(data)]) chownSync(join(data, name), nobody, nobody);
  const backupTo = join(data, 'backups');
  mkdirSync(backupTo);
  chmodSync(closed, 0o000);
  const findings = await examineAllAsNobody({ data, backupEveryMs: '6h', backupTo });
  chmodSync(closed, 0o700);
  const bad = findings.filter(
    ({ level, message }) => level !== 'ok' && !message.startsWith('because of that'),
  );
  assert.deepEqual(
    bad.map(({ check }) => check),
    ['database', 'disk space', 'sync latency', 'file modes', 'secrets', 'backup', 'backup', 'bookkeeping'],
  );
  for (const { check, message, advice } of bad) {
    const told = `${message} → ${advice}`;
    assert.match(told, new RegExp(`may not enter ${closed}\\b(?!/data)`), check);
    assert.doesNotMatch(told, /owner|give that user|name the (?:data folder|right one)/, check);
  }
});
