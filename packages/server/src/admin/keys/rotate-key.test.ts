import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openTestPostgres, patientDirectory, runSql } from '../../../test/test-postgres.ts';
import { totpLabel } from '../../applications/totp-label.ts';
import { KeyReplacedError } from '../../database/database.ts';
import { issueApplication, rotateSecret } from '../applications.ts';
import { type OpenDirectory, openDirectory } from '../open-directory.ts';
import { checkKeys } from './check-keys.ts';
import { finishRotation } from './finish-rotation.ts';
import { type RotationProgress, rotateKey } from './rotate-key.ts';

const issue = { name: 'x', tenant: 'default', scope: 'write' } as const;
const lena = { kind: 'command', user: 'lena', host: 'node-a' } as const;
const newKey = () => randomBytes(32).toString('base64');

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-keys-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function within<T>(
  data: string,
  environment: NodeJS.ProcessEnv,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const directory = await openDirectory({ data, environment });
  try {
    return await work(directory);
  } finally {
    await directory.database.close();
  }
}

function rotate(data: string, environment: NodeJS.ProcessEnv = {}, seen: RotationProgress[] = []) {
  return rotateKey({
    data,
    environment,
    actor: lena,
    waitMs: 0,
    onProgress: (progress) => void seen.push(progress),
  });
}

/** Returns every secret in plain text. */
async function openAll(data: string, environment: NodeJS.ProcessEnv = {}): Promise<string[]> {
  return within(data, environment, async ({ database, vault }) =>
    (await database.applications.listApplications()).flatMap(({ appId, secrets }) =>
      secrets.map(({ sealed }) => vault.open(appId, sealed)),
    ),
  );
}

async function fill(data: string, environment: NodeJS.ProcessEnv = {}): Promise<string[]> {
  return within(data, environment, async (directory) => {
    const issued: string[] = [];
    for (let count = 0; count < 3; count++) issued.push((await issueApplication(directory, issue)).appSecret);
    return issued.toSorted();
  });
}

test('the previous key is kept while a newer release, whose secrets may need it, has changed the tables', async (t) => {
  const data = folderOf(t);
  await fill(data);
  await rotate(data);
  using file = new DatabaseSync(join(data, 'fieldroster.db'));
  file.exec("insert into kysely_migration (name, timestamp) values ('999-next', '')");
  await assert.rejects(finishRotation({ data, environment: {} }), {
    name: 'SchemaError',
    message:
      'the database was changed by a newer release (999-next), and secrets that it added may still need the previous key; run this command with the newer release',
  });
  assert.ok(existsSync(join(data, 'master.key.previous')));
  file.exec("delete from kysely_migration where name = '999-next'");
  await finishRotation({ data, environment: {} });
});

test('the second factors of operators open under the new key alone, asked for and confirmed', async (t) => {
  const data = folderOf(t);
  const id = await within(data, {}, ({ database: { operators }, vault }) =>
    operators.write(undefined, async (writer) => {
      const access = { role: 'owner', allTenants: true, tenantIds: [] } as const;
      const id = (await writer.insert({ username: 'mo', passwordHash: 'hash', ...access })) ?? 0n;
      const seal = (secret: string) => vault.seal(totpLabel(id), secret);
      await writer.update(id, { totpSealed: seal('CONFIRMED'), totpPending: seal('ASKED') });
      return { result: id };
    }),
  );
  assert.equal((await rotate(data)).values, 3);
  await finishRotation({ data, environment: {} });
  await within(data, {}, async ({ database, vault }) => {
    const { totpSealed, totpPending } = (await database.operators.find(id)) ?? {};
    assert(totpSealed !== undefined && totpPending !== undefined);
    const opened = [totpSealed, totpPending].map((sealed) => vault.open(totpLabel(id), sealed));
    assert.deepEqual(opened, ['CONFIRMED', 'ASKED']);
  });
});

test('a rotation knows every column of bytes: it is resealed, or holds no secret', (t) => {
  const data = folderOf(t);
  return within(data, {}, async () => {
    const db = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
    const columns = db
      .prepare(
        `select m.name || '.' || c.name as name from sqlite_master m join pragma_table_info(m.name) c
           where m.type = 'table' and c.type = 'BLOB' and m.name not like 'user_search%' order by 1`,
      )
      .all();
    db.close();
    const resealed = ['application_secret.sealed', 'operator.totp_pending', 'operator.totp_sealed'];
    const known = [...resealed, 'accepted_write.signature'];
    assert.deepEqual(
      columns.map(({ name }) => name),
      known.toSorted(),
    );
  });
});

test('one command replaces the key of a folder, and --finish drops the old one', async (t) => {
  const data = folderOf(t);
  const secrets = await fill(data);
  const oldKey = readFileSync(join(data, 'master.key'), 'utf8');
  const hashBefore = await within(data, {}, async ({ vault }) => vault.keyedHash('mara'));
  const { keyId, previousKeyId, values, damaged } = await rotate(data);
  assert.deepEqual([values, damaged], [4, []]);
  assert.notEqual(keyId, previousKeyId);
  for (const name of ['master.key', 'master.key.previous'])
    assert.equal(statSync(join(data, name)).mode & 0o777, 0o600);
  assert.equal(readFileSync(join(data, 'master.key.previous'), 'utf8'), oldKey);
  assert.notEqual(readFileSync(join(data, 'master.key'), 'utf8'), oldKey);
  const kept = join(data, 'kept.key');
  const finished = await finishRotation({ data, environment: {}, keepOldKey: kept, actor: lena });
  assert.deepEqual(finished, { keyId, previousKeyId, removedKeyFile: true, damaged: [] });
  assert.equal(readFileSync(kept, 'utf8'), oldKey);
  assert.ok(!existsSync(join(data, 'master.key.previous')));
  assert.deepEqual((await openAll(data)).toSorted(), secrets);
  assert.equal(await within(data, {}, async ({ vault }) => vault.keyedHash('mara')), hashBefore);
  const { uses, currentKeyId } = await checkKeys({ data, environment: {} });
  assert.equal(currentKeyId, keyId);
  assert.deepEqual(uses, [{ keyId, values: 4, unnamed: 0, opened: 4 }]);
  await assert.rejects(finishRotation({ data, environment: {} }), {
    message: `there is no rotation to finish: ${keyId} is the only key`,
  });
  using database = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
  const audited = database
    .prepare("select operation, actor from audit_event where operation like 'key %' order by id")
    .all();
  assert.deepEqual(
    audited.map(({ operation, actor }) => [operation, JSON.parse(String(actor))]),
    [
      ['key rotate', lena],
      ['key rotate --finish', lena],
    ],
  );
});

test('--finish keeps no old key in the folder of the last backup, whose secrets it opens', async (t) => {
  const [data, backups] = [folderOf(t), folderOf(t)];
  await fill(data);
  await within(data, {}, ({ database }) =>
    database.backups.recordGood({ file: join(backups, 'today.backup'), atMs: Date.now(), bytes: 1 }),
  );
  await rotate(data);
  const finish = (keepOldKey: string) => finishRotation({ data, environment: {}, keepOldKey });
  const link = join(folderOf(t), 'link');
  symlinkSync(backups, link);
  for (const folder of [backups, link])
    await assert.rejects(
      finish(join(folder, 'old')),
      /backups are in the same folder, .*nothing was dropped$/,
    );
  assert.deepEqual(readdirSync(backups), []);
  assert.ok(existsSync(join(data, 'master.key.previous')));
  await finish(join(folderOf(t), 'old'));
});

test('--finish with --keep-old-key completes what a killed one began, wherever it was killed, and keeps the key', async (t) => {
  const data = folderOf(t);
  await fill(data);
  const { keyId, previousKeyId } = await rotate(data);
  const [own, kept] = [join(data, 'master.key.previous'), join(data, 'kept.key')];
  const oldKey = readFileSync(own, 'utf8');
  const finish = (keepOldKey: string) => finishRotation({ data, environment: {}, keepOldKey });
  await assert.rejects(finish(own), /already exists/, 'the file that --finish removes is no copy');
  const other = `${newKey()}\n`;
  writeFileSync(kept, other);
  await assert.rejects(finish(kept), /already exists/, 'another key is not replaced');
  assert.equal(readFileSync(kept, 'utf8'), other);
  // Killed after it had written the copy.
  writeFileSync(kept, oldKey);
  assert.deepEqual(await finish(kept), { keyId, previousKeyId, removedKeyFile: true, damaged: [] });
  // Killed after it had dropped the key from the database.
  writeFileSync(own, oldKey, { mode: 0o600 });
  assert.deepEqual(await finish(kept), { keyId, removedKeyFile: true, damaged: [] });
  assert.equal(readFileSync(kept, 'utf8'), oldKey);
  // Killed before it said that all was done.
  await assert.rejects(finish(kept), { message: `there is no rotation to finish: ${keyId} is the only key` });
});

test('a rotation that runs again reports the same, and starts no second one', async (t) => {
  const data = folderOf(t);
  await fill(data);
  const first = await rotate(data);
  assert.deepEqual(await rotate(data), first);
});

test('values that an earlier release sealed are resealed with the id of their key', async (t) => {
  const data = folderOf(t);
  await within(data, {}, (directory) =>
    issueApplication(directory, { ...issue, appId: 'old', appSecret: 'old-secret' }),
  );
  sealAsEarlierRelease(data, 'old', 'old-secret');
  const before = await checkKeys({ data, environment: {} });
  assert.equal(
    before.uses.reduce((sum, { unnamed }) => sum + unnamed, 0),
    1,
  );
  assert.deepEqual(await openAll(data), ['old-secret']);
  await rotate(data);
  await finishRotation({ data, environment: {} });
  assert.deepEqual(await openAll(data), ['old-secret']);
  assert.equal((await checkKeys({ data, environment: {} })).uses[0]?.unnamed, 0);
});

function sealAsEarlierRelease(data: string, appId: string, secret: string): void {
  const key = Buffer.from(readFileSync(join(data, 'master.key'), 'utf8').trim(), 'base64');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(appId));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), ciphertext]);
  using database = new DatabaseSync(join(data, 'fieldroster.db'));
  database.prepare('update application_secret set sealed = ? where app_id = ?').run(sealed, appId);
}

test('a key file written by a rotation that was killed before it announced the key is used, not replaced', async (t) => {
  const data = folderOf(t);
  const secrets = await fill(data);
  copyFileSync(join(data, 'master.key'), join(data, 'master.key.previous'));
  const written = newKey();
  writeFileSync(join(data, 'master.key'), written, { mode: 0o600 });
  writeFileSync(join(data, `master.key.${'ab'.repeat(6)}`), 'a draft', { mode: 0o600 });
  assert.deepEqual((await openAll(data)).toSorted(), secrets, 'the folder works between the two steps');
  await rotate(data);
  assert.equal(readFileSync(join(data, 'master.key'), 'utf8'), written);
  await finishRotation({ data, environment: {} });
  await rotate(data);
  const names = readdirSync(data).filter((name) => name.startsWith('master.key'));
  assert.deepEqual(
    names.toSorted(),
    ['master.key', 'master.key.previous'],
    'the next rotation removes drafts',
  );
});

test('a running process without the new key blocks the rotation, which names it, and everything else goes on', async (t) => {
  const data = folderOf(t);
  const secrets = await fill(data);
  const lacking = {
    processId: 'lacking',
    host: 'node-b',
    pid: 4242,
    place: 'another machine',
    keyIds: ['0123456789abcdef'],
  };
  await within(data, {}, ({ database }) => database.keys.report(lacking));
  const seen: RotationProgress[] = [];
  await assert.rejects(rotate(data, {}, seen), {
    name: 'AdminError',
    message:
      /do not hold the new key [0-9a-f]{16}: process 4242 on node-b \(holds 0123456789abcdef\)\. Give them the new key .*: as master\.key and .*, in mounted files, or in FIELDROSTER_MASTER_KEY and /,
  });
  assert.deepEqual(
    seen.map(({ stage }) => stage),
    ['announced', 'waiting'],
  );
  assert.deepEqual((await openAll(data)).toSorted(), secrets);
  const { nextKeyId = '', processes } = await checkKeys({ data, environment: {} });
  assert.deepEqual(
    processes.map(({ host, running }) => [host, running]),
    [['node-b', true]],
  );
  await assert.rejects(
    finishRotation({ data, environment: {} }),
    /the rotation is not complete; run: fieldroster key rotate/,
  );
  await within(data, {}, ({ database }) =>
    database.keys.report({ ...lacking, keyIds: [...lacking.keyIds, nextKeyId] }),
  );
  assert.equal((await rotate(data)).keyId, nextKeyId, 'the announced key, not another one');
});

test('a rotation after the clock of PostgreSQL was set back waits for the next report of a process, and not for that of one that ended', async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const place = {
    ...patientDirectory,
    data: folderOf(t),
    database: await postgres.createMigratedDatabase(),
    environment: {},
  };
  const { database } = await openDirectory(place);
  const process = { processId: 'ended', host: 'node-b', pid: 4242, place: 'another machine', keyIds: [] };
  await database.keys.report(process);
  await database.close();
  await runSql(place.database, 'update key_holder set seen_at = seen_at + 140000');
  let elapsedMs = 0;
  let stepMs = 0;
  const seen: RotationProgress[] = [];
  const rotation = (onProgress = (progress: RotationProgress) => void seen.push(progress)) =>
    rotateKey({ ...place, waitMs: 0, onProgress, elapsedMs: () => (elapsedMs += 1 + stepMs) });
  await assert.rejects(rotation(), /do not hold the new key/, 'a small difference of the clock');
  await runSql(place.database, 'update key_holder set seen_at = seen_at + 86400000');
  const reportAgain = () => runSql(place.database, 'update key_holder set seen_at = seen_at - 86400000');
  const reports: Promise<unknown>[] = [];
  const stillRuns = rotation(({ stage }) => {
    if (stage === 'waiting' && reports.length === 0) reports.push(reportAgain());
  });
  await assert.rejects(stillRuns, /do not hold the new key/, 'it reported with the clock as it is now');
  await Promise.all(reports);
  await runSql(place.database, 'update key_holder set seen_at = seen_at + 86400000');
  stepMs = 20_000;
  seen.length = 0;
  assert.equal((await rotation()).values, 1);
  assert.deepEqual(
    seen.map(({ stage }) => stage),
    ['announced', 'waiting', 'current', 'resealed'],
  );
  const { database: later } = await openDirectory(place);
  await later.keys.report({ ...process, processId: 'running' });
  await later.close();
  assert.deepEqual(await runSql(place.database, 'select process_id from key_holder'), [
    { process_id: 'running' },
  ]);
});

test('an ended process of this machine does not block a rotation', async (t) => {
  const data = folderOf(t);
  await fill(data);
  const { place } = await within(data, {}, async ({ database }) => {
    const { processPlace } = await import('../../applications/process-place.ts');
    const report = { processId: 'dead', host: 'here', pid: 2 ** 22 - 1, place: processPlace(), keyIds: [] };
    await database.keys.report(report);
    return report;
  });
  assert.ok(place.length > 0);
  assert.equal((await rotate(data)).values, 4);
});

test('a key in the environment is replaced in the steps that the command explains', async (t) => {
  const data = folderOf(t);
  const [oldKey, nextKey] = [newKey(), newKey()];
  const secrets = await fill(data, { FIELDROSTER_MASTER_KEY: oldKey });
  await assert.rejects(rotate(data, { FIELDROSTER_MASTER_KEY: oldKey }), {
    name: 'AdminError',
    message:
      /comes from the environment.*openssl rand -base64 32.*FIELDROSTER_MASTER_KEY_PREVIOUS.*Run this command again/,
  });
  const both = { FIELDROSTER_MASTER_KEY: nextKey, FIELDROSTER_MASTER_KEY_PREVIOUS: oldKey };
  assert.deepEqual(
    (await openAll(data, both)).toSorted(),
    secrets,
    'a node may have both before the rotation',
  );
  await rotate(data, both);
  await assert.rejects(
    openAll(data, { FIELDROSTER_MASTER_KEY: oldKey }),
    /is not the one that this database was written with/,
  );
  assert.equal((await finishRotation({ data, environment: both })).removedKeyFile, false);
  assert.deepEqual((await openAll(data, { FIELDROSTER_MASTER_KEY: nextKey })).toSorted(), secrets);
  // The variable of the previous key may stay set; it is never taken for a new key.
  await assert.rejects(rotate(data, both), /is still the current one/);
});

test('a command that opened the directory before the rotation cannot store a secret under the old key', async (t) => {
  const data = folderOf(t);
  await fill(data);
  await within(data, {}, async (stale) => {
    const { appId } = await issueApplication(stale, issue);
    await rotate(data);
    for (const work of [issueApplication(stale, issue), rotateSecret(stale, appId, 0)]) {
      await assert.rejects(
        work,
        (error: Error) => error instanceof KeyReplacedError && /run it again/.test(error.message),
      );
    }
  });
  await finishRotation({ data, environment: {} });
  assert.equal((await openAll(data)).length, 4);
});

test('a damaged secret is reported and left as it is, and does not block the rotation', async (t) => {
  const data = folderOf(t);
  await within(data, {}, (directory) =>
    issueApplication(directory, { ...issue, appId: 'broken', appSecret: 'some-secret' }),
  );
  using database = new DatabaseSync(join(data, 'fieldroster.db'));
  database.exec("update application_secret set sealed = zeroblob(60) where app_id = 'broken'");
  const { damaged, values } = await rotate(data);
  assert.equal(values, 1);
  assert.match(damaged.join(), /^secret \d+ of broken$/);
  assert.deepEqual((await finishRotation({ data, environment: {} })).damaged, damaged);
  assert.deepEqual((await checkKeys({ data, environment: {} })).unopened, damaged);
});
