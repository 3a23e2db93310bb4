import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestPostgres, patientDirectory, type TestPostgres } from '../../test/test-postgres.ts';
import { type CopySession, CopyUnderWayError } from '../database/copy-session.ts';
import {
  type AcceptanceClaim,
  AlreadyAcceptedError,
  ClaimsPurgedError,
  type Database,
} from '../database/database.ts';
import { openPostgresSource, openPostgresTarget } from '../database/postgres/copy-session.ts';
import { copyTables, holdsDirectory } from '../database/queries/imports/copy-tables.ts';
import { openSqliteSource, openSqliteTarget } from '../database/sqlite/copy-session.ts';
import { issueApplication } from './applications.ts';
import { copyDirectory } from './copy-directory.ts';
import { openDirectory } from './open-directory.ts';

let postgres: TestPostgres;
let folder: string;

before(async () => {
  postgres = await openTestPostgres();
  folder = mkdtempSync(join(tmpdir(), 'fieldroster-copy-'));
});

after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = { FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };

async function* chunk<Row>(...rows: Row[]) {
  yield rows;
}

function claimOf(text: string, expiresAtSeconds = 4_000_000_000): AcceptanceClaim {
  return { signature: Buffer.from(text.padEnd(32)), requestId: `of ${text}`, expiresAtSeconds };
}

const purgedNonce = { nonce: { appId: 'a', value: 'n' }, requestId: 'r', expiresAtSeconds: 5 };

/** Checks that copied claims are known, and that claims purged before are not accepted again. */
async function proveClaims({ claims }: Database): Promise<void> {
  await assert.rejects(claims.make(claimOf('first')), AlreadyAcceptedError);
  await assert.rejects(claims.make(purgedNonce), ClaimsPurgedError);
  await claims.make({ ...purgedNonce, expiresAtSeconds: 6 });
}

function insertUser(database: Database, username: string) {
  return database.write(1n, claimOf(username), async (directory) => {
    const id = await directory.insertUser(username, { realName: '李雷 🌏', gender: 1 });
    assert.ok(id !== undefined);
    return { result: id, audit: { operation: 'create-user', userId: id, changes: { username } } };
  });
}

/** Location of a directory, as `openDirectory` takes it. */
interface DirectoryLocation {
  readonly data: string;
  readonly database?: string;
}

async function newDatabase(): Promise<DirectoryLocation> {
  return { ...patientDirectory, data: join(folder, 'keys'), database: await postgres.createDatabase() };
}

function openSource({ data, database }: DirectoryLocation): Promise<CopySession> {
  return database === undefined ? openSqliteSource(data) : openPostgresSource(database);
}

function openTarget({ data, database }: DirectoryLocation): Promise<CopySession> {
  return database === undefined ? openSqliteTarget(data) : openPostgresTarget(database);
}

async function fill(database: Database): Promise<void> {
  await database.bookkeeping.entryCounts.takeLease({ tenantId: 1n, day: 20_000 }, 7, 1);
  const codes = Array.from({ length: 2_500 }, (_, index) => `店-${index}`);
  await database.importer.importStores(1n, chunk(...codes.map((code, line) => ({ line, code, name: code }))));
  await database.importer.importRoles(1n, chunk({ line: 2, id: 9007199254740993n, name: 'big' }));
  await database.importer.importOrgs(
    1n,
    chunk({ line: 2, id: 1n, name: 'root' }, { line: 3, id: 2n, name: 'leaf', parentId: 1n }),
  );
  await database.claims.make(purgedNonce);
  await database.claims.purge(6);
  const id = await insertUser(database, 'first');
  await insertUser(database, 'second');
  await database.write(1n, undefined, async (directory) => {
    await directory.replaceUserStores(id, codes);
    await directory.replaceUserRole(id, 9007199254740993n);
    await directory.replaceUserOrg(id, 2n);
    return { result: undefined, audit: { operation: 'batch', userId: id, changes: {} } };
  });
}

describe('a copy of a directory', () => {
  test('goes from the embedded database to PostgreSQL and back without a difference', async () => {
    const [data, back] = [join(folder, 'from'), join(folder, 'back')];
    const database = await postgres.createDatabase();
    const source = await openDirectory({ data, environment });
    await fill(source.database);
    const { appId } = await issueApplication(source, { name: 'x', tenant: 'default', scope: 'write' });
    await source.database.close();

    const progress: number[] = [];
    const there = await copyDirectory(data, database, (done, total) => progress.push(done / total));
    assert.equal(progress.at(-1), 1);
    const backAgain = await copyDirectory(database, back, () => {});
    const besidesAudit = (tables: typeof there.tables) =>
      tables.filter(({ table }) => table !== 'audit_event');
    assert.deepEqual(besidesAudit(backAgain.tables), besidesAudit(there.tables));
    const auditRows = [there, backAgain].map(
      ({ tables }) => tables.find(({ table }) => table === 'audit_event')?.rows,
    );
    assert.equal(
      auditRows[1],
      (auditRows[0] ?? 0) + 1,
      'the first copy is audited in what the second one read',
    );
    assert.equal(there.tables.find(({ table }) => table === 'user_store')?.rows, 2_500);
    assert.equal(there.tables.find(({ table }) => table === 'entry_count')?.rows, 1);

    for (const target of [{ data, database }, { data: back }]) {
      const { database, vault } = await openDirectory({ ...target, environment });
      const [application] = await database.applications.listApplications();
      assert.equal(application?.appId, appId);
      assert.ok(vault.open(appId, application?.secrets[0]?.sealed ?? Buffer.of()));
      assert.equal(
        (await database.directory(1n).findUser({ username: 'first' }))?.role?.id,
        9007199254740993n,
      );
      const search = { filters: { search: '李雷 🌏' }, order: 'id', limit: 9, after: undefined } as const;
      const found = await database.directory(1n).lists.listUsers(search);
      assert.deepEqual(
        found.entries.map(({ username }) => username),
        ['first', 'second'],
      );
      await proveClaims(database);
      assert.equal(await insertUser(database, 'third'), 3n, 'ids go on where the source was');
      assert.equal(await database.tenants.insertTenant('another').then((tenant) => tenant?.id), 2n);
      await database.close();
    }
  });

  for (const engine of ['SQLite', 'PostgreSQL']) {
    test(`from ${engine} has the claims and the time of the last purge of one moment`, async () => {
      const from = engine === 'SQLite' ? { data: join(folder, 'moment') } : await newDatabase();
      const { database } = await openDirectory({ ...from, environment });
      await insertUser(database, 'first');
      await database.claims.make(purgedNonce);
      await database.claims.purge(6);
      const source = await openSource(from);
      // The first read fixes the moment.
      await holdsDirectory(source.session);
      await database.claims.purge(4_000_000_001);
      const to = engine === 'SQLite' ? await newDatabase() : { data: join(folder, 'of moment') };
      const target = await openTarget(to);
      await copyTables(source.session, target.session, () => {});
      await target.commit();
      await Promise.all([source.close(), target.close(), database.close()]);
      const copy = await openDirectory({ ...to, environment });
      assert.equal((await copy.database.claims.status()).purgedThroughSeconds, 5);
      await proveClaims(copy.database);
      await copy.database.close();
    });
  }

  test('is refused if the target holds a directory, and leaves it alone', async () => {
    const [data, full] = [join(folder, 'a'), join(folder, 'b')];
    for (const location of [data, full]) {
      const { database } = await openDirectory({ data: location, environment });
      await insertUser(database, `in ${location}`);
      await database.close();
    }
    await assert.rejects(
      copyDirectory(data, full, () => {}),
      /already holds a directory/,
    );
    const { database } = await openDirectory({ data: full, environment });
    assert.ok(await database.directory(1n).findUser({ username: `in ${full}` }));
    await database.close();
  });

  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    test(`is refused if somebody has made a tenant in the ${engine} target, which keeps it and its audit rows`, async () => {
      const data = join(folder, `beside ${engine}`);
      await (await openDirectory({ data, environment })).database.close();
      const to = engine === 'SQLite' ? { data: join(folder, 'with a tenant') } : await newDatabase();
      const { database } = await openDirectory({ ...to, environment });
      await database.tenants.insertTenant('made');
      await assert.rejects(
        copyDirectory(data, to.database ?? to.data, () => {}),
        /already holds a directory/,
      );
      assert.ok(await database.tenants.findTenant('made'));
      await database.close();
    });

    test(`is refused while another copy fills the same ${engine} database, and changes nothing`, async () => {
      const data = join(folder, `from-${engine}`);
      const { database } = await openDirectory({ data, environment });
      await insertUser(database, 'copied');
      await database.close();
      const target = engine === 'SQLite' ? join(folder, 'to-one') : await postgres.createDatabase();
      const first = await (engine === 'SQLite' ? openSqliteTarget(target) : openPostgresTarget(target));
      const copy = () => copyDirectory(data, target, () => {});
      await assert.rejects(copy(), (error: unknown) => {
        assert.ok(error instanceof CopyUnderWayError);
        assert.match(
          error.message,
          /^another process is writing to [^\n]*, perhaps another copy; nothing was changed/,
        );
        return true;
      });
      assert.equal(await holdsDirectory(first.session), false);
      await first.close();
      assert.equal((await copy()).tables.find(({ table }) => table === 'user')?.rows, 1);
    });
  }

  test('is audited in the target for every tenant, with its actor and its source', async () => {
    const [data, to] = [join(folder, 'audited'), join(folder, 'audited copy')];
    const source = await openDirectory({ data, environment });
    await source.database.tenants.insertTenant('second');
    await source.database.close();
    const actor = { kind: 'command', user: 'ann', host: 'shop' } as const;
    await copyDirectory(data, to, () => {}, { actor });
    const { database } = await openDirectory({ data: to, environment });
    for (const tenantId of [1n, 2n]) {
      const page = { filters: { operation: 'copy' }, after: undefined, limit: 10 };
      const { entries } = await database.directory(tenantId).lists.listAuditEvents(page);
      assert.deepEqual(
        entries.map(({ actor, changes }) => [actor, changes]),
        [[actor, { from: join(data, 'fieldroster.db') }]],
      );
    }
    await database.close();
  });

  test('fails with a clear message if there is no source', async () => {
    await assert.rejects(
      copyDirectory(join(folder, 'nowhere'), join(folder, 'c'), () => {}),
      /there is no database/,
    );
  });
});
