import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { masterKeyFile } from '../applications/master-key/key-places.ts';
import { MasterKeyError } from '../applications/master-key/master-key-error.ts';
import { UnverifiedConnectionError } from '../database/postgres/connections/require-verified-connections.ts';
import { databaseFile } from '../database/sqlite/open.ts';
import { issueApplication } from './applications.ts';
import { copyDirectory } from './copy-directory.ts';
import { migrateDirectory } from './migrate-directory.ts';
import { openDirectory, requireDatabase } from './open-directory.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-directory-'));
after(() => rmSync(parent, { recursive: true }));

const request = { name: 'n', tenant: 'default', scope: 'write' as const };
const newKey = () => randomBytes(32).toString('base64');

test('a new folder gets a database, a key and the default tenant; a second opening finds them', async () => {
  const data = join(parent, 'fresh');
  const first = await openDirectory({ data, environment: {} });
  const { appId, appSecret } = await issueApplication(first, request);
  await first.database.close();
  const second = await openDirectory({ data, environment: {} });
  const tenants = await second.database.tenants.listTenants();
  assert.deepEqual(
    tenants.map((tenant) => tenant.name),
    ['default'],
  );
  const [secret] = (await second.database.applications.findApplication(appId))?.secrets ?? [];
  assert.equal(second.vault.open(appId, secret?.sealed ?? new Uint8Array()), appSecret);
  await second.database.close();
});

test('simultaneous openings agree on one key and one default tenant', async () => {
  const data = join(parent, 'together');
  const opened = await Promise.all([1, 2, 3].map(() => openDirectory({ data, environment: {} })));
  const proofs = new Set(opened.map(({ vault }) => vault.proofOfKey()));
  assert.equal(proofs.size, 1);
  assert.equal((await opened[0]?.database.tenants.listTenants())?.length, 1);
  for (const { database } of opened) await database.close();
});

test('databases on other machines without verified TLS are refused before anything connects to them', async () => {
  const data = join(parent, 'remote');
  const [remote, local] = ['postgres://u:geheim@db.invalid/n', 'postgres://u@127.0.0.1:1/n'];
  const options = { data, environment: {} };
  const attempts = [
    () => openDirectory({ ...options, database: remote }),
    () => openDirectory({ ...options, database: local, databaseReplica: remote }),
    () => migrateDirectory({ ...options, database: remote }, true),
    () => copyDirectory(data, remote, () => {}),
    () => copyDirectory(remote, data, () => {}),
  ];
  for (const attempt of attempts) await assert.rejects(attempt(), UnverifiedConnectionError);
  const accepted = { ...options, database: remote, databaseInsecure: true, databaseConnectTimeoutMs: 500 };
  await assert.rejects(openDirectory(accepted), (error) => !(error instanceof UnverifiedConnectionError));
});

test('another master key is refused with a message that says what to restore, and nothing stays open', async () => {
  const data = join(parent, 'wrong-key');
  const right = { FIELDROSTER_MASTER_KEY: newKey() };
  await (await openDirectory({ data, environment: right })).database.close();
  const environment = { FIELDROSTER_MASTER_KEY: newKey() };
  await assert.rejects(
    openDirectory({ data, environment }),
    (error: unknown) =>
      error instanceof MasterKeyError &&
      /is not the one that this database was written with; restore the key file/.test(error.message) &&
      error.message.includes('FIELDROSTER_MASTER_KEY'),
  );
  await (await openDirectory({ data, environment: right })).database.close();
});

test('a missing key is reported with its path, and no new one is created', async () => {
  const data = join(parent, 'missing-key');
  const { vault, database } = await openDirectory({ data, environment: {} });
  await database.close();
  const path = join(data, masterKeyFile);
  const key = readFileSync(path);
  rmSync(path);
  const before = readdirSync(data);
  await assert.rejects(openDirectory({ data, environment: {} }), {
    name: 'MasterKeyError',
    message: new RegExp(`is missing: there is no file ${path}, and FIELDROSTER_MASTER_KEY is not set`),
  });
  assert.deepEqual(readdirSync(data), before);
  writeFileSync(path, key, { mode: 0o600 });
  const again = await openDirectory({ data, environment: {} });
  assert.equal(again.vault.proofOfKey(), vault.proofOfKey());
  await again.database.close();
});

test('a lost database beside its key file is not replaced by an empty one', async () => {
  const data = join(parent, 'lost-database');
  await (await openDirectory({ data, environment: {} })).database.close();
  const [database, key] = [join(data, databaseFile), join(data, masterKeyFile)];
  const kept = readFileSync(database);
  const lost = {
    name: 'MissingDatabaseError',
    message: new RegExp(
      `there is ${key} but no database fieldroster.db beside it, so the database may have been lost; restore it.*; if the directory is in PostgreSQL, name it with --database or FIELDROSTER_DATABASE_URL$`,
    ),
  };
  rmSync(database);
  const before = readdirSync(data);
  await assert.rejects(openDirectory({ data, environment: {} }), lost);
  assert.deepEqual(readdirSync(data), before, 'nothing was made');
  writeFileSync(database, '');
  await assert.rejects(openDirectory({ data, environment: {} }), lost, 'an empty file is not a database');
  writeFileSync(database, kept);
  await (await openDirectory({ data, environment: {} })).database.close();
  rmSync(database);
  const environment = { FIELDROSTER_MASTER_KEY: readFileSync(key, 'utf8').trim() };
  await (await openDirectory({ data, environment })).database.close();
});

test('a lost database whose log remains is not replaced by an empty one, which would delete the log', async () => {
  const data = join(parent, 'lost-beside-log');
  mkdirSync(data);
  const log = join(data, `${databaseFile}-wal`);
  writeFileSync(log, 'what was written last');
  const environment = { FIELDROSTER_MASTER_KEY: newKey() };
  await assert.rejects(openDirectory({ data, environment }), new RegExp(`there is ${log} but no database`));
  assert.equal(readFileSync(log, 'utf8'), 'what was written last');
});

test('a key file that every user may read is refused, and the message says what to run', async () => {
  const data = join(parent, 'readable-key');
  await (await openDirectory({ data, environment: {} })).database.close();
  const path = join(data, masterKeyFile);
  const notices: string[] = [];
  const open = async () => {
    const directory = await openDirectory({
      data,
      environment: {},
      notice: (_, text) => void notices.push(text),
    });
    await directory.database.close();
  };
  for (const mode of [0o644, 0o604, 0o602, 0o777]) {
    chmodSync(path, mode);
    await assert.rejects(open(), {
      name: 'MasterKeyError',
      message: `any user of this machine may read the key file ${path}; run: chmod 600 ${path}`,
    });
  }
  chmodSync(path, 0o640);
  await open();
  assert.deepEqual(notices, [`the group of the key file ${path} may read it; run: chmod 600 ${path}`]);
  chmodSync(path, 0o400);
  await open();
  assert.equal(notices.length, 1);
});

test('a key file that is a link to a mounted secret is read, with a warning when every user may read it', async () => {
  const data = join(parent, 'linked-key');
  await (await openDirectory({ data, environment: {} })).database.close();
  const [path, secret] = [join(data, masterKeyFile), join(parent, 'mounted-secret')];
  renameSync(path, secret);
  chmodSync(secret, 0o644);
  symlinkSync(secret, path);
  const notices: string[] = [];
  const directory = await openDirectory({
    data,
    environment: {},
    notice: (_, text) => void notices.push(text),
  });
  await directory.database.close();
  assert.match(notices.join(), /^any user of this machine may read the key file/);
});

test('a start that may not change the tables creates no database', async () => {
  const data = join(parent, 'no-migration');
  await assert.rejects(openDirectory({ data, environment: {}, migrate: false }), /there is no database in/);
  assert.equal(existsSync(data), false);
});

test('a data folder that cannot be created, or is a file, is refused with advice', async () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  for (const [data, subject] of [
    [file, 'it'],
    [join(file, 'below'), file],
  ] as const) {
    await assert.rejects(openDirectory({ data, environment: {} }), {
      name: 'DataFolderError',
      message: `${data} cannot be the data folder: ${subject} is a file; choose another with --data or FIELDROSTER_DATA`,
    });
  }
});

test('a data folder that is a link to a folder that is missing, as when its disk is not mounted, is refused with both paths', async () => {
  const [data, missing] = [join(parent, 'linked'), join(parent, 'not-mounted')];
  symlinkSync(missing, data);
  for (const [wanted, subject] of [
    [data, 'it'],
    [join(data, 'below'), data],
  ] as const) {
    await assert.rejects(openDirectory({ data: wanted, environment: {} }), {
      name: 'DataFolderError',
      message:
        `${wanted} cannot be the data folder: ${subject} is a link to ${missing}, which does not exist: mount its disk, ` +
        'or correct the link; choose another with --data or FIELDROSTER_DATA',
    });
  }
});

test('a command that finds no database says if the folder is a file or a link to a disk that is not mounted', () => {
  const [file, link, missing] = [join(parent, 'a-file'), join(parent, 'a-link'), join(parent, 'no-disk')];
  writeFileSync(file, '');
  symlinkSync(missing, link);
  const rest = '; name its folder with --data or FIELDROSTER_DATA';
  for (const [data, told] of [
    [file, ', which is a file'],
    [link, `, a link to ${missing}, which does not exist: mount its disk, or correct the link`],
    [missing, ''],
  ] as const) {
    assert.throws(() => requireDatabase({ data }), {
      message: `there is no database in ${data}${told}${rest}`,
    });
  }
});

test('a key file moved with its database opens it in the new place', async () => {
  const [from, to] = [join(parent, 'from'), join(parent, 'to')];
  await (await openDirectory({ data: from, environment: {} })).database.close();
  await (
    await openDirectory({ data: to, environment: { FIELDROSTER_MASTER_KEY: newKey() } })
  ).database.close();
  for (const file of readdirSync(to)) rmSync(join(to, file));
  for (const file of readdirSync(from)) copyFileSync(join(from, file), join(to, file));
  await (await openDirectory({ data: to, environment: {} })).database.close();
});

test('no file of the database holds a secret or a key in plain text', async () => {
  const data = join(parent, 'plain-text');
  const directory = await openDirectory({ data, environment: {} });
  const planted = 'planted-app-secret-0123456789';
  await issueApplication(directory, { ...request, appSecret: planted });
  const key = readFileSync(join(data, masterKeyFile), 'utf8').trim();
  const forms = [planted, Buffer.from(planted).toString('base64'), Buffer.from(planted).toString('hex'), key];
  const files = readdirSync(data).filter((file) => file !== masterKeyFile);
  assert(files.includes('fieldroster.db-wal'));
  for (const file of files) {
    const bytes = readFileSync(join(data, file));
    for (const form of forms) assert(!bytes.includes(form), `${file} holds ${form}`);
    assert(!bytes.includes(Buffer.from(key, 'base64')), `${file} holds the key's bytes`);
  }
  await directory.database.close();
});
