import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  openTestPostgres,
  patientDirectory,
  runSql,
  type TestPostgres,
} from '../../../test/test-postgres.ts';
import { type AcceptanceClaim, ClaimsPurgedError, type Database } from '../../database/database.ts';
import { migrations } from '../../database/migrations/migrations.ts';
import { summarizeEach } from '../../database/queries/imports/copy-tables.ts';
import type { TableSummary } from '../../database/queries/imports/table-summarizer.ts';
import { createSqliteTarget, openSqliteSource } from '../../database/sqlite/copy-session.ts';
import { issueApplication } from '../applications.ts';
import { eraseUser, findUsersToErase } from '../erase-user.ts';
import { openDirectory } from '../open-directory.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

let postgres: TestPostgres;
let folder: string;

before(async () => {
  postgres = await openTestPostgres({ durable: false });
  folder = mkdtempSync(join(tmpdir(), 'fieldroster-backup-'));
});

after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = { FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };
const options = { release: '0.1.0', verify: false };
const engines = ['SQLite', 'PostgreSQL'] as const;
type EngineName = (typeof engines)[number];

/** Location of a directory, as `openDirectory` takes it. */
interface DirectoryLocation {
  readonly data: string;
  readonly database?: string;
}

let count = 0;

async function newLocation(
  engine: EngineName,
  create = () => postgres.createDatabase(),
): Promise<DirectoryLocation> {
  const data = join(folder, `location-${++count}`);
  return engine === 'SQLite' ? { data } : { ...patientDirectory, data, database: await create() };
}

function newFile(): string {
  return join(folder, `file-${++count}.backup`);
}

function claimOf(text: string, expiresAtSeconds = 4_000_000_000): AcceptanceClaim {
  return { signature: Buffer.from(text.padEnd(32)), requestId: `of ${text}`, expiresAtSeconds };
}

function insertUser(database: Database, username: string) {
  return database.write(1n, claimOf(username), async (directory) => {
    const id = await directory.insertUser(username, { realName: '李雷 🌏\n"x"', gender: 1 });
    assert.ok(id !== undefined);
    return {
      result: id,
      audit: { operation: 'create-user', userId: id, changes: { username: { to: username } } },
    };
  });
}

async function* chunk<Row>(...rows: Row[]) {
  yield rows;
}

const counted = { users: 3n, stores: 4n, bindings: 5n, applications: 6n, atMs: 7 };

/** A failed call without its id and time. */
const failed = {
  code: 1014,
  message: 'no',
  durationUs: 5,
  method: 'GET',
  target: '/user',
  verified: false,
};

async function fill(database: Database): Promise<void> {
  database.bookkeeping.calls.addFailures([{ requestId: 'noted', atMs: 7, ...failed }]);
  await database.bookkeeping.flush();
  const today = { tenantId: 1n, day: 20_000 };
  await database.bookkeeping.entryCounts.takeLease(today, 7, 1);
  await database.bookkeeping.entryCounts.record(today, counted);
  const codes = Array.from({ length: 2_500 }, (_, index) => `店-${index}`);
  await database.importer.importStores(1n, chunk(...codes.map((code, line) => ({ line, code, name: code }))));
  await database.importer.importRoles(1n, chunk({ line: 2, id: 9007199254740993n, name: 'big' }));
  const id = await insertUser(database, 'first');
  await insertUser(database, 'second');
  await database.write(1n, undefined, async (directory) => {
    await directory.replaceUserStores(id, codes);
    await directory.replaceUserRole(id, 9007199254740993n);
    return { result: undefined, audit: { operation: 'batch', userId: id, changes: {} } };
  });
}

async function newFilled(engine: EngineName): Promise<DirectoryLocation> {
  const location = await newLocation(engine, () => postgres.createMigratedDatabase());
  const directory = await openDirectory({ ...location, environment });
  await fill(directory.database);
  await issueApplication(directory, { name: 'x', tenant: 'default', scope: 'write' });
  await directory.database.close();
  return location;
}

/** Removes the audit row of the restore, the only row that the backup does not have. */
async function removeRowOfRestore({ data, database }: DirectoryLocation): Promise<void> {
  const text = "delete from audit_event where operation = 'restore' returning id";
  if (database !== undefined) {
    assert.equal((await runSql(database, text)).length, 1);
    return;
  }
  using connection = new DatabaseSync(join(data, 'fieldroster.db'));
  assert.equal(connection.prepare(text).all().length, 1);
}

/** Lists the content of a folder, to prove that nothing was left. */
function namesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path).sort() : [];
}

function without(summaries: readonly TableSummary[], ...names: string[]): readonly TableSummary[] {
  return summaries.filter(({ table }) => !names.includes(table));
}

describe('a backup', () => {
  for (const from of engines) {
    for (const to of engines) {
      test(`of ${from} restores into ${to} with every row, and needs only the key`, async () => {
        const [source, target, file] = [await newFilled(from), await newLocation(to), newFile()];
        const { manifest, bytes } = await makeBackup(source, file, { ...options, verify: true });
        assert.equal(statSync(file).mode & 0o777, 0o600);
        assert.equal(statSync(file).size, bytes);
        assert.equal(manifest.tables.find(({ table }) => table === 'user_store')?.rows, 2_500);
        assert.ok(!manifest.tables.some(({ table }) => table === 'backup_state'));

        const report = await restoreBackup(file, { ...target, environment });
        assert.deepEqual(report.manifest, manifest);
        await removeRowOfRestore(target);
        const again = await makeBackup(target, newFile(), options);
        assert.deepEqual(without(again.manifest.tables, 'counter'), without(manifest.tables, 'counter'));
        const { database, vault } = await openDirectory({ ...target, environment });
        const [application] = await database.applications.listApplications();
        assert.ok(vault.open(application?.appId ?? '', application?.secrets[0]?.sealed ?? Buffer.of()));
        const search = { filters: { search: '李雷 🌏' }, order: 'id', limit: 9, after: undefined } as const;
        const { entries } = await database.directory(1n).lists.listUsers(search);
        assert.deepEqual(
          entries.map(({ username }) => username),
          ['first', 'second'],
        );
        assert.equal(entries[0]?.realName, '李雷 🌏\n"x"');
        assert.equal((await database.bookkeeping.calls.findFailure('noted'))?.durationUs, 5);
        assert.deepEqual(await database.bookkeeping.entryCounts.findNear(1n, 7, [7, 7]), counted);
        await database.close();
      });
    }

    test(`of ${from}, once restored, refuses writes that may have been accepted later, and reuses no id`, async () => {
      const [source, target, file] = [await newFilled(from), await newLocation(from), newFile()];
      await makeBackup(source, file, options);
      const served = await openDirectory({ ...source, environment });
      const nowSeconds = Math.floor(Date.now() / 1000);
      // A client's clock may be 60 s ahead, so this was accepted, and its Timestamp is good for two more minutes.
      const lost = claimOf('lost', nowSeconds + 120);
      const lostId = await served.database.write(1n, lost, async (directory) => {
        const id = await directory.insertUser('lost', {});
        return { result: id, audit: { operation: 'create-user', changes: {} } };
      });
      await served.database.close();
      const { finish } = await restoreBackup(file, { ...target, environment });
      const { database } = await openDirectory({ ...target, environment });
      await assert.rejects(database.claims.make(lost), ClaimsPurgedError);
      await database.claims.make(claimOf('later', finish.refusedThroughSeconds + 61));
      const next = await insertUser(database, 'next');
      assert.ok(lostId !== undefined && next > lostId, `${next} is above ${lostId}`);
      await database.close();
    });
  }

  test('neither overwrites a file nor creates a folder, and leaves nothing behind', async () => {
    const [source, file] = [await newFilled('SQLite'), newFile()];
    writeFileSync(file, 'kept');
    await assert.rejects(makeBackup(source, file, options), /already exists/);
    assert.equal(readFileSync(file, 'utf8'), 'kept');
    await assert.rejects(makeBackup(source, join(folder, 'missing', 'x'), options), /there is no folder/);
    const long = join(folder, '号'.repeat(78));
    await assert.rejects(makeBackup(source, long, options), {
      name: 'AdminError',
      message:
        'the name of the backup has 234 bytes, and at most 233 leave room for the name of its draft; choose a shorter one',
    });
    await assert.rejects(makeBackup({ data: join(folder, 'none') }, newFile(), options), /no database/);
    assert.deepEqual(
      namesIn(folder).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  test('of SQLite omits the bookkeeping if its file is lost or damaged', async () => {
    const source = await newFilled('SQLite');
    writeFileSync(
      join(source.data, 'fieldroster-bookkeeping.db'),
      'no database, and long enough to be read as one',
    );
    const { manifest } = await makeBackup(source, newFile(), { ...options, verify: true });
    const rowsOf = (name: string) => manifest.tables.find(({ table }) => table === name)?.rows;
    assert.deepEqual([rowsOf('user'), rowsOf('failed_call')], [2, 0]);
  });

  test('contains no master key and no readable secret', async () => {
    const data = join(folder, 'with-key-file');
    const directory = await openDirectory({ data, environment: {} });
    const { appSecret } = await issueApplication(directory, { name: 'x', tenant: 'default', scope: 'write' });
    await directory.database.close();
    const file = newFile();
    await makeBackup({ data }, file, options);
    const text = zstdDecompressSync(readFileSync(file)).toString();
    const key = Buffer.from(readFileSync(join(data, 'master.key'), 'utf8').trim(), 'base64');
    for (const encoding of ['base64', 'hex'] as const) assert.ok(!text.includes(key.toString(encoding)));
    assert.ok(!text.includes(appSecret));
  });

  /** Writes a backup of the tables after the first migration, with one store. */
  async function writeOldBackup() {
    const old = join(folder, `old-${++count}`);
    mkdirSync(old);
    const { '001-initial': initial } = migrations;
    assert.ok(initial !== undefined);
    const target = await createSqliteTarget(old, { '001-initial': initial });
    await target.session.db
      .insertInto('tenant')
      .values({ id: 1n, name: 'default', created_at: 1n })
      .execute();
    const store = { tenant_id: 1n, code: 'S1', name: 'First', address: '', revision: 1n };
    await target.session.db.insertInto('store').values(store).execute();
    const tables = await summarizeEach(['tenant', 'counter', 'setting', 'store'], target.session);
    await target.close();
    const header = {
      format: 'fieldroster backup',
      version: 1,
      release: '0.0.9',
      migrations: ['001-initial'],
      engine: 'sqlite',
      at: '2026-01-01T00:00:00.000Z',
      last_user_id: '7',
      table_names: tables.map(({ table }) => table),
    };
    const lines = [
      { header },
      { table: 'tenant', columns: ['id', 'name', 'created_at'] },
      [1, 'default', 1],
      { table: 'counter', columns: ['name', 'value'] },
      ...['credentials', 'purged_through', 'user_id'].map((name) => [name, 0]),
      { table: 'setting', columns: ['name', 'value'] },
      ['serves_from_migration', '001-initial'],
      { table: 'store', columns: Object.keys(store) },
      Object.values(store).map((value) => (typeof value === 'bigint' ? Number(value) : value)),
      { manifest: { ...header, tables } },
    ];
    const file = newFile();
    const write = (content: readonly unknown[]) =>
      writeFileSync(file, zstdCompressSync(content.map((line) => `${JSON.stringify(line)}\n`).join('')));
    write(lines);
    return { file, header, write };
  }

  test('of tables before the last migration is restored and migrated', async () => {
    const { file, header, write } = await writeOldBackup();
    await verifyBackup(file);
    for (const engine of engines) {
      const location = await newLocation(engine);
      await restoreBackup(file, { ...location, environment });
      const { database } = await openDirectory({ ...location, environment, migrate: false });
      assert.deepEqual(await database.erasures.list(), []);
      await database.close();
    }
    write([{ header: { ...header, release: '9.9.9', migrations: ['001-initial', '999-next'] } }]);
    await assert.rejects(verifyBackup(file), /newer release 9\.9\.9.*999-next/);
  });

  test('with a damaged header is reported as damaged, whatever the header claims', async () => {
    const { header, write, file } = await writeOldBackup();
    // The header of a large file is read long before the checksum at the end.
    const rest = Array.from(
      { length: 40 },
      () => `${JSON.stringify([randomBytes(50_000).toString('hex')])}\n`,
    );
    const text = `${JSON.stringify({ header })}\n${rest.join('')}`;
    const compress = (content: string) =>
      zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const checksum = compress(text).subarray(-4);
    for (const [from, to] of [
      [`"version":${header.version}`, '"version":9'],
      ['"001-initial"', '"001-inituel"'],
      ['"fieldroster backup"', '"fieldroster backus"'],
    ] as const) {
      const changed = compress(text.replace(from, to));
      // A bit that the disk flipped leaves content that does not match its checksum.
      writeFileSync(file, Buffer.concat([changed.subarray(0, -4), checksum]));
      await assert.rejects(verifyBackup(file), { message: /is damaged or truncated \(.*checksum\)/ }, to);
      // With a checksum that fits, another release or program wrote it so.
      writeFileSync(file, changed);
      await assert.rejects(verifyBackup(file), { message: /newer release|is not a Fieldroster backup/ }, to);
    }
    write([{ header: { ...header, version: 9 } }, 'of a format that this release does not know']);
    await assert.rejects(verifyBackup(file), /newer release .* \(format 9\); restore it with that release$/);
    writeFileSync(file, readFileSync(file).subarray(0, -3));
    await assert.rejects(verifyBackup(file), /is damaged or truncated/);
  });

  test('of tables before the last migration can be restored into PostgreSQL after a restore that failed', async () => {
    const { file } = await writeOldBackup();
    const location = await newLocation('PostgreSQL');
    const { database = '' } = location;
    // A later migration makes a table of this name, whose rows would have a type of this name.
    await runSql(database, `create type operator as enum ('one')`);
    await assert.rejects(restoreBackup(file, { ...location, environment }), /"operator" already exists/);
    await runSql(database, 'drop type operator');
    await restoreBackup(file, { ...location, environment });
    assert.deepEqual(await runSql(database, 'select code from store'), [{ code: 'S1' }]);
    await (await openDirectory({ ...location, environment, migrate: false })).database.close();
  });

  test('of an earlier release is refused where tables of this release are, with what to do', async () => {
    const { file } = await writeOldBackup();
    const location = await newLocation('PostgreSQL');
    await (await openDirectory({ ...location, environment })).database.close();
    await assert.rejects(
      restoreBackup(file, { ...location, environment }),
      /has the tables of a newer release than the backup.*restore into a new, empty database/,
    );
  });
});

describe('a restore', () => {
  for (const engine of engines) {
    test(`into ${engine} is refused if the target has data, and leaves it alone`, async () => {
      const [source, full, file] = [await newFilled('SQLite'), await newFilled(engine), newFile()];
      await makeBackup(source, file, options);
      const before = (await makeBackup(full, newFile(), options)).manifest.tables;
      await assert.rejects(restoreBackup(file, { ...full, environment }), /already holds data/);
      assert.deepEqual((await makeBackup(full, newFile(), options)).manifest.tables, before);
    });

    test(`into ${engine} of a truncated or damaged file fails with the reason and leaves nothing behind`, async () => {
      const [source, target, file] = [await newFilled('SQLite'), await newLocation(engine), newFile()];
      const { bytes } = await makeBackup(source, file, options);
      for (const [kind, damage] of damages(file, bytes)) {
        damage();
        const failure = { name: 'BackupFileError', message: /damaged or truncated|not a Fieldroster backup/ };
        await assert.rejects(restoreBackup(file, { ...target, environment }), failure, kind);
        assert.deepEqual(namesIn(target.data), [], kind);
        await assert.rejects(verifyBackup(file), failure, kind);
        copyFileSync(`${file}.intact`, file);
      }
      await restoreBackup(file, { ...target, environment });
    });

    test(`into ${engine} with another master key present says so and restores nothing`, async () => {
      const [source, target, file] = [await newFilled('SQLite'), await newLocation(engine), newFile()];
      await makeBackup(source, file, options);
      mkdirSync(target.data);
      writeFileSync(join(target.data, 'master.key'), Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 });
      const restore = (env: NodeJS.ProcessEnv) => restoreBackup(file, { ...target, environment: env });
      await assert.rejects(restore({}), {
        name: 'MasterKeyError',
        message:
          /not the one that this backup was made under \(its key id is \w{16}, and that of the given key \w{16}\)/,
      });
      assert.deepEqual(namesIn(target.data), ['master.key']);
      assert.equal((await restore(environment)).finish.keyFound, true);
    });

    test(`into ${engine} accepts the right key as the previous key of a rotation, as a server does`, async () => {
      const [source, target, file] = [await newFilled('SQLite'), await newLocation(engine), newFile()];
      await makeBackup(source, file, options);
      const keys = {
        FIELDROSTER_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        FIELDROSTER_MASTER_KEY_PREVIOUS: environment.FIELDROSTER_MASTER_KEY,
      };
      assert.equal((await restoreBackup(file, { ...target, environment: keys })).finish.keyFound, true);
      await (await openDirectory({ ...target, environment: keys })).database.close();
    });
  }

  test('into a PostgreSQL that has only an operator or an erasure is refused, and leaves them alone', async () => {
    const [source, file] = [await newFilled('SQLite'), newFile()];
    await makeBackup(source, file, options);
    for (const [table, row] of [
      [
        'operator',
        `(username, password_hash, role, all_tenants, status, totp_step, recovery_hashes, sessions_from, created_at)
          values ('ann', 'x', 'owner', 1, 'active', 0, '[]', 1, 1)`,
      ],
      ['erasure', "values (1, 7, 'hash', 1)"],
    ] as const) {
      const database = await postgres.createDatabase();
      const target = { data: join(folder, 'none'), database, environment };
      await (await openDirectory(target)).database.close();
      await runSql(database, `insert into ${table} ${row}`);
      await assert.rejects(restoreBackup(file, target), /already holds data/, table);
      assert.equal((await runSql(database, `select 1 from ${table}`)).length, 1);
    }
  });

  test('takes over nothing that a killed server left of its bookkeeping', async () => {
    const [source, target, file] = [await newFilled('SQLite'), await newLocation('SQLite'), newFile()];
    await makeBackup(source, file, options);
    const { database } = await openDirectory({ ...source, environment });
    database.bookkeeping.calls.addFailures([{ requestId: 'after the backup', atMs: 8, ...failed }]);
    await database.bookkeeping.flush();
    mkdirSync(target.data);
    // While it is open, a database has its log beside it, as after a kill.
    for (const ending of ['', '-wal', '-shm']) {
      const name = `fieldroster-bookkeeping.db${ending}`;
      copyFileSync(join(source.data, name), join(target.data, name));
    }
    await database.close();
    await restoreBackup(file, { ...target, environment });
    const restored = await openDirectory({ ...target, environment });
    const { calls } = restored.database.bookkeeping;
    assert.equal((await calls.findFailure('noted'))?.durationUs, 5);
    assert.equal(await calls.findFailure('after the backup'), undefined);
    await restored.database.close();
  });

  test('without a master key succeeds and says that it is missing', async () => {
    const [source, target, file] = [await newFilled('SQLite'), await newLocation('SQLite'), newFile()];
    await makeBackup(source, file, options);
    const { finish } = await restoreBackup(file, { ...target, environment: {} });
    assert.equal(finish.keyFound, false);
    await assert.rejects(openDirectory({ ...target, environment: {} }), /master key .* is missing/);
  });
});

/** Yields the intact bytes, then the bytes with one kind of damage after another. */
function* damages(file: string, bytes: number): Generator<readonly [string, () => void]> {
  copyFileSync(file, `${file}.intact`);
  const intact = readFileSync(file);
  for (const part of [0, 0.3, 0.9]) {
    yield [`truncated to ${part}`, () => truncateSync(file, Math.floor(bytes * part))];
  }
  yield ['without its last byte', () => truncateSync(file, bytes - 1)];
  for (const part of [0.1, 0.5, 0.95]) {
    const changed = Buffer.from(intact);
    const at = Math.floor(bytes * part);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    yield [`a changed bit at ${part}`, () => writeFileSync(file, changed)];
  }
  yield ['text after its end', () => writeFileSync(file, Buffer.concat([intact, Buffer.from('garbage\n')]))];
  const text = zstdDecompressSync(intact).toString();
  const rewrite = (change: (text: string) => string) => () =>
    writeFileSync(file, zstdCompressSync(change(text)));
  yield ['a changed value', rewrite((all) => all.replace('"店-7"', '"店-x"'))];
  yield ['a missing row', rewrite((all) => all.replace(/\n\[1,1,"店-77"\]/, ''))];
  yield ['no manifest', rewrite((all) => all.slice(0, all.lastIndexOf('{"manifest"')))];
  yield ['half a line at its end', rewrite((all) => all.slice(0, -10))];
  yield ['something after its end', rewrite((all) => `${all}[1]\n`)];
  yield ['another text', () => writeFileSync(file, 'username,name\n')];
}

test('a restore into a folder leaves nothing of a person that it erases again, not even in the search index', async () => {
  const [source, target] = [await newFilled('SQLite'), await newLocation('SQLite')];
  const beside = join(folder, `erased-${++count}`);
  mkdirSync(beside);
  const file = join(beside, 'x.backup');
  const directory = await openDirectory({ ...source, environment });
  // Without a claim, whose request id would name the user.
  await directory.database.write(1n, undefined, async (writer) => {
    const id = await writer.insertUser('qxz.kowalska', {});
    const changes = { username: { to: 'qxz.kowalska' } };
    return { result: id, audit: { operation: 'create-user', ...(id && { userId: id }), changes } };
  });
  await makeBackup(source, file, options);
  const found = await findUsersToErase(directory, { tenant: 'default', username: 'qxz.kowalska' });
  await eraseUser(directory, found, { data: source.data, files: [join(beside, 'erasures.jsonl')] });
  await directory.database.close();
  const { finish } = await restoreBackup(file, { ...target, environment });
  assert.equal(finish.erasures, 1);
  const path = join(target.data, 'fieldroster.db');
  assert.ok(!readFileSync(path).includes('kowalska'));
  using connection = new DatabaseSync(path);
  const blocksWith = (text: string) =>
    connection
      .prepare("select count(*) as n from user_search_data where hex(block) like '%' || hex(?) || '%'")
      .get(text)?.n;
  assert.deepEqual([blocksWith('qxz'), blocksWith('fir')], [0, 1]);
  connection.exec("insert into user_search (user_search) values ('integrity-check')");
});

test('reading a backup source fails clearly where there is no database', async () => {
  await assert.rejects(openSqliteSource(join(folder, 'nowhere')), /there is no database/);
});

test('of two backups to one name at once, one is made and the other says that the name is taken', async () => {
  const location = await newFilled('SQLite');
  const file = newFile();
  const made = await Promise.allSettled(
    [1, 2].map(() => makeBackup(location, file, { release: '0.1.0', verify: false })),
  );
  const refused = made.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  assert.deepEqual(refused, [`AdminError: ${file} already exists; name another file`]);
  assert.equal((await verifyBackup(file)).engine, 'sqlite');
});
