import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { openTestPostgres, patientDirectory, runSql, type TestPostgres } from '../../test/test-postgres.ts';
import type { Database } from '../database/database.ts';
import { issueApplication } from './applications.ts';
import { makeBackup } from './backup/make-backup.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { eraseUser, findUsersToErase } from './erase-user.ts';
import { type OpenDirectory, openDirectory } from './open-directory.ts';
import { createTenant } from './tenants.ts';

let postgres: TestPostgres;
let folder: string;

before(async () => {
  postgres = await openTestPostgres({ durable: false });
  folder = mkdtempSync(join(tmpdir(), 'fieldroster-erase-'));
});

after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = { FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };
const tenant = 'default';
const username = 'mara_100%.okafor';
const realName = 'Mara Okafor-Ünlü';

interface DirectoryLocation {
  readonly data: string;
  readonly database?: string;
}

async function newPlace(
  engine: string,
  create = () => postgres.createMigratedDatabase(),
): Promise<DirectoryLocation> {
  const data = mkdtempSync(join(folder, 'data-'));
  return engine === 'SQLite' ? { data } : { ...patientDirectory, data, database: await create() };
}

async function runSqlOn({ data, database }: DirectoryLocation, statement: string): Promise<void> {
  if (database !== undefined) {
    await runSql(database, statement);
    return;
  }
  using file = new DatabaseSync(join(data, 'fieldroster.db'));
  file.exec(statement);
}

async function* chunk<Row>(...rows: Row[]) {
  yield rows;
}

function insert(database: Database, name: string): Promise<bigint> {
  return database.write(1n, undefined, async (directory) => {
    const id = (await directory.insertUser(name, { realName, email: 'mara@example.org' })) ?? 0n;
    await directory.replaceUserStores(id, ['S1']);
    const changes = { username: { to: name }, real_name: { to: realName }, stores: { added: ['S1'] } };
    return { result: id, audit: { operation: 'create-user', userId: id, changes } };
  });
}

function remove(database: Database, id: bigint): Promise<void> {
  return database.write(1n, undefined, async (directory) => {
    await directory.users.deleteUser(id);
    const changes = { username: { from: username }, real_name: { from: realName } };
    return { result: undefined, audit: { operation: 'delete-user', userId: id, changes } };
  });
}

/** Creates a user, deletes it, creates one of the same name, and one with a similar name. */
async function fill({ database }: OpenDirectory) {
  await database.importer.importStores(1n, chunk({ line: 2, code: 'S1', name: 'One' }));
  const former = await insert(database, username);
  await remove(database, former);
  return {
    former,
    current: await insert(database, username),
    other: await insert(database, 'mara_100x.okafor'),
  };
}

/** Records failed calls of the person, by name, by id and in the strings to sign, and one of somebody else. */
async function failCalls({ database }: OpenDirectory, id: bigint, prefix = 'request'): Promise<void> {
  const targets = [
    `/user?username=${encodeURIComponent(username)}`,
    `/user?id=${id}`,
    '/user',
    '/user?id=99',
  ];
  const failures = targets.map((target, index) => ({
    requestId: `${prefix}-${index}`,
    atMs: Date.now(),
    verified: true,
    code: 1014,
    message: index === 0 ? `no user ${username}` : 'refused',
    durationUs: 1,
    method: 'GET',
    target,
    ...(index === 2 && { stringsToSign: [`GET\n/user?username=${username}`] }),
  }));
  database.bookkeeping.calls.addFailures(failures);
  await database.bookkeeping.flush();
}

async function assertCallsErased({ bookkeeping }: Database, kept: string, prefix = 'request'): Promise<void> {
  for (const number of [0, 1, 2]) {
    const call = await bookkeeping.calls.findFailure(`${prefix}-${number}`);
    assert.deepEqual([call?.code, call?.target, call?.message], [1014, '', ''], 'that a call failed stays');
    assert.equal(call?.stringsToSign, undefined);
  }
  assert.equal((await bookkeeping.calls.findFailure(`${prefix}-3`))?.target, kept);
}

async function auditOf(database: Database, userId: bigint) {
  const { entries } = await database
    .directory(1n)
    .lists.listAuditEvents({ filters: { userId }, limit: 50, after: undefined });
  const byId = entries.toSorted((a, b) => Number(a.id - b.id));
  return byId.map(({ operation, changes }) => ({ operation, changes }));
}

async function assertErased(database: Database, ids: readonly bigint[]): Promise<void> {
  assert.equal(await database.directory(1n).findUser({ username }), undefined);
  for (const id of ids) {
    const events = await auditOf(database, id);
    assert.ok(!JSON.stringify(events.map(({ changes }) => changes)).includes('ara'), 'no value is left');
    assert.deepEqual(events[0], {
      operation: 'create-user',
      changes: { username: {}, real_name: {}, stores: {} },
    });
    assert.equal(events.at(-1)?.operation, 'user erase');
  }
}

for (const engine of ['SQLite', 'PostgreSQL']) {
  describe(`erasing a user on ${engine}`, () => {
    test('is refused on tables that a newer release has changed, where it could leave values behind', async () => {
      const place = await newPlace(engine);
      const directory = await openDirectory({ ...place, environment });
      const { database } = directory;
      const { current } = await fill(directory);
      const found = await findUsersToErase(directory, { tenant, username });
      await runSqlOn(place, "insert into kysely_migration (name, timestamp) values ('999-next', '')");
      const refusal = {
        name: 'SchemaError',
        message:
          'the database was changed by a newer release (999-next), and this release would not erase values that it added; run this command with the newer release',
      };
      await assert.rejects(findUsersToErase(directory, { tenant, username }), refusal);
      await assert.rejects(eraseUser(directory, found, place), refusal);
      assert.equal((await database.directory(1n).findUser({ username }))?.id, current);
      await database.close();
    });

    test('finds the name in failed calls however a client encoded it, and keeps calls with similar names', async () => {
      const place = await newPlace(engine);
      const directory = await openDirectory({ ...place, environment });
      const name = 'Zoë "Z" & co';
      await directory.database.importer.importStores(1n, chunk({ line: 2, code: 'S1', name: 'One' }));
      await insert(directory.database, name);
      const encoded = encodeURIComponent(name);
      const lower = encoded.replaceAll(/%../g, (text) => text.toLowerCase());
      const shown = [
        encoded,
        lower,
        encoded.replaceAll('%20', '+'),
        encodeURIComponent(lower),
        `%ff${encoded}`,
      ];
      const calls = [
        ...shown.map((text) => ({ target: `/user?username=${text}` })),
        { target: '/user', stringsToSign: [`GET\n/user?username=${name}`] },
        { target: '/user?username=Zo%C3%AB', stringsToSign: ['GET\n/user?username=Zo\u00eb'] },
      ];
      const common = { atMs: Date.now(), verified: true, code: 1014, message: 'refused', durationUs: 1 };
      directory.database.bookkeeping.calls.addFailures(
        calls.map((call, index) => ({ ...common, method: 'GET', requestId: `encoded-${index}`, ...call })),
      );
      await directory.database.bookkeeping.flush();
      const found = await findUsersToErase(directory, { tenant, username: name });
      assert.equal((await eraseUser(directory, found, { data: place.data })).failedCalls, calls.length - 1);
      const last = await directory.database.bookkeeping.calls.findFailure(`encoded-${calls.length - 1}`);
      assert.equal(last?.target, '/user?username=Zo%C3%AB');
      await directory.database.close();
    });

    test('finds failed searches for any text that the person has or had, and keeps those for others', async () => {
      const place = await newPlace(engine);
      const directory = await openDirectory({ ...place, environment });
      await directory.database.importer.importStores(1n, chunk({ line: 2, code: 'S1', name: 'One' }));
      const id = await insert(directory.database, username);
      await directory.database.write(1n, undefined, async (writer) => {
        await writer.updateUser(id, { email: '', phone: '+49 176 5551', nickname: '小美' });
        const changes = { email: { from: 'mara@example.org', to: '' }, nickname: { to: '小美' } };
        return { result: undefined, audit: { operation: 'update-user', userId: id, changes } };
      });
      const searches = [
        'MARA%40example.org',
        'Okafor-%C3%9Cnl',
        '%2B49+176+5551',
        '美',
        'Mara+Okafor-%C3%BCnl%C3%BC+S1',
      ];
      const others = ['ma', 'example.com', 'Tom', ''];
      const targets = [...searches, ...others].map((text) => `/users?search=${text}&limit=0`);
      const failures = [...targets, '/users'].map((target, index) => ({
        requestId: `search-${index}`,
        atMs: Date.now(),
        verified: true,
        code: 1001,
        message: index === targets.length ? `there is no "mara@example.org"` : 'limit must be at least 1',
        durationUs: 1,
        method: 'GET',
        target,
      }));
      const { calls } = directory.database.bookkeeping;
      calls.addFailures(failures);
      await directory.database.bookkeeping.flush();
      const found = await findUsersToErase(directory, { tenant, username });
      assert.equal(
        (await eraseUser(directory, found, { data: place.data })).failedCalls,
        searches.length + 1,
      );
      const kept = await Promise.all(failures.map(({ requestId }) => calls.findFailure(requestId)));
      assert.deepEqual(
        kept.map((call) => call?.target),
        [...searches.map(() => ''), ...targets.slice(searches.length), ''],
      );
      await directory.database.close();
    });

    test('keeps failed calls of others, whose texts hold the id or the name as a part of something else', async () => {
      const place = await newPlace(engine);
      const directory = await openDirectory({ ...place, environment });
      const { database } = directory;
      await database.importer.importStores(1n, chunk({ line: 2, code: 'S1', name: 'One' }));
      const id = await insert(database, 'an');
      await createTenant(directory, 'elsewhere');
      const application = {
        name: 'Theirs',
        tenant: 'elsewhere',
        scope: 'read',
        appId: 'app-elsewhere',
      } as const;
      await issueApplication(directory, application);
      const calls = [
        { target: `/user?user_id=${id}` },
        { target: '/user?username=an' },
        { target: `/user?user_id=${id}`, appId: 'app-elsewhere', verified: false },
        { target: `/user?user_id=${id}`, appId: 'app-elsewhere' },
        { target: `/users?role_id=${id}&limit=0` },
        { target: `/user?user_id=1${id}` },
        { target: '/user?username=hannah' },
        { target: '/orgs?cursor=an' },
      ];
      const common = { atMs: Date.now(), verified: true, code: 1001, message: 'cannot', durationUs: 1 };
      database.bookkeeping.calls.addFailures(
        calls.map((call, index) => ({ ...common, method: 'GET', requestId: `part-${index}`, ...call })),
      );
      await database.bookkeeping.flush();
      const found = await findUsersToErase(directory, { tenant, username: 'an' });
      await eraseUser(directory, found, { data: place.data });
      const left = await Promise.all(
        calls.map(
          async (_, index) => (await database.bookkeeping.calls.findFailure(`part-${index}`))?.target,
        ),
      );
      assert.deepEqual(left, ['', '', '', ...calls.slice(3, -1).map(({ target }) => target), '']);
      await database.close();
    });

    test('leaves no second trace when it is repeated', async () => {
      const opened = await openDirectory({ ...(await newPlace(engine)), environment });
      const { database } = opened;
      const { current } = await fill(opened);
      const erasures = [{ tenantId: 1n, userId: current, usernameHash: 'hash', atMs: Date.now() }];
      const person = { tenantId: 1n, username };
      assert.ok((await database.erasures.erase(erasures, person)).auditRows > 0);
      const again = await database.erasures.erase(erasures, person);
      assert.deepEqual([again.users, again.auditRows], [0, 0]);
      const { entries } = await database.directory(1n).lists.listAuditEvents({
        filters: { userId: current, operation: 'user erase' },
        after: undefined,
        limit: 9,
      });
      assert.deepEqual(
        entries.map(({ changes }) => typeof changes.audit_rows),
        ['number'],
      );
      await database.close();
    });

    test('removes every value, keeps the fact that something happened, and survives a restore', async () => {
      const place = await newPlace(engine);
      const directory = await openDirectory({ ...place, environment });
      const { former, current, other } = await fill(directory);
      await failCalls(directory, current);
      const backup = join(folder, `${engine}-before.backup`);
      await makeBackup(place, backup, { release: '0.1.0', verify: false });

      const found = await findUsersToErase(directory, { tenant, username });
      assert.deepEqual(found.userIds.toSorted(), [former, current]);
      const erased = await eraseUser(directory, found, { data: place.data });
      assert.deepEqual(
        [erased.users, erased.bindings, erased.auditRows, erased.failedCalls],
        [1, 1, 3, 3],
        'one profile, its store, three audit rows and three failed calls',
      );
      await assertErased(directory.database, [former, current]);
      await assertCallsErased(directory.database, '/user?id=99');
      assert.equal((await auditOf(directory.database, other)).length, 1, 'a similar name is somebody else');
      assert.deepEqual((await auditOf(directory.database, other))[0]?.changes.real_name, { to: realName });
      const later = await findUsersToErase(directory, { tenant, username });
      assert.deepEqual(
        [later.userIds, later.erasedBefore.map(({ userId }) => userId)],
        [[], [former, current]],
      );
      await assert.rejects(findUsersToErase(directory, { tenant, username: 'x' }), /no user .* 'x'/);
      await failCalls(directory, former, 'later');
      const again = await eraseUser(directory, later, { data: place.data });
      assert.deepEqual([again.userIds, again.failedCalls], [[], 3], 'calls that failed since then');
      await assertCallsErased(directory.database, '/user?id=99', 'later');
      await directory.database.close();

      const list = join(place.data, 'erasures.jsonl');
      assert.deepEqual(erased.lists, [list]);
      assert.doesNotMatch(readFileSync(list, 'utf8'), /mara|okafor/i);
      const after = join(folder, `${engine}-after.backup`);
      await makeBackup(place, after, { release: '0.1.0', verify: false });
      assert.ok(!zstdDecompressSync(readFileSync(after)).toString().includes('mara_100%'));

      // The list beside the later backup applies to the earlier one too.
      const target = await newPlace(engine, () => postgres.createDatabase());
      const { finish } = await restoreBackup(backup, { ...target, environment });
      assert.deepEqual([finish.erasures, finish.erased.users, finish.erased.auditRows], [2, 1, 3]);
      const restored = await openDirectory({ ...target, environment });
      await assertErased(restored.database, [former, current]);
      const { entries } = await restored.database.directory(1n).lists.listAuditEvents({
        filters: { operation: 'restore' },
        after: undefined,
        limit: 9,
      });
      assert.deepEqual(
        entries.map(({ changes }) => changes.erasures_applied),
        [2],
      );
      // The list has no name, so the texts of all failed calls go.
      await assertCallsErased(restored.database, '');
      assert.deepEqual(
        (await restored.database.erasures.list()).map(({ userId }) => userId),
        [former, current],
      );
      await restored.database.close();
    });

    test('a name of any length that nobody has or had is refused', async () => {
      const directory = await openDirectory({ ...(await newPlace(engine)), environment });
      const found = findUsersToErase(directory, { tenant, username: 'a'.repeat(100_000) });
      await assert.rejects(found, { name: 'AdminError', message: /^no user of the tenant 'default' has or/ });
      await directory.database.close();
    });
  });
}

describe('an erasure on the embedded database', () => {
  const remaining = (data: string, texts: readonly string[]) =>
    readdirSync(data).flatMap((name) => {
      const content = readFileSync(join(data, name));
      return texts.filter((text) => content.includes(text)).map((text) => `${text} in ${name}`);
    });

  async function eraseAgain(place: DirectoryLocation): Promise<void> {
    const again = await openDirectory({ ...place, environment });
    await eraseUser(again, await findUsersToErase(again, { tenant, username }), { data: place.data });
    await again.database.close();
  }

  test('leaves nothing in the file, even of a user who was deleted and changed long before', async () => {
    const place = await newPlace('SQLite');
    const directory = await openDirectory({ ...place, environment });
    const { current } = await fill(directory);
    for (let index = 0; index < 100; index++) await insert(directory.database, `user-${index}`);
    await directory.database.write(1n, undefined, async (writer) => {
      await writer.updateUser(current, { realName: 'Later Name', phone: '+49-Other'.repeat(9) });
      const changes = { real_name: { from: realName, to: 'Later Name' } };
      return { result: undefined, audit: { operation: 'update-user', userId: current, changes } };
    });
    await remove(directory.database, current);
    await directory.database.close();
    assert.ok(remaining(place.data, [username]).length > 0);
    await eraseAgain(place);
    assert.deepEqual(remaining(place.data, [username, 'Later Name', '+49-Other']), []);
  });

  test('leaves nothing in pages that the deletions of many users freed long before', async () => {
    const place = await newPlace('SQLite');
    const directory = await openDirectory({ ...place, environment });
    const { database } = directory;
    await database.importer.importStores(1n, chunk({ line: 2, code: 'S1', name: 'One' }));
    const names = Array.from({ length: 1_500 }, (_, index) => (index === 750 ? username : `user-${index}`));
    const ids = await Promise.all(names.map((name) => insert(database, name)));
    const failed = (index: number) => ({
      requestId: `request-${index}`,
      atMs: 1,
      verified: true,
      code: 1014,
      message: 'refused',
      durationUs: 1,
      method: 'GET',
      target: `/user?username=${username}${'x'.repeat(1_000)}`,
    });
    database.bookkeeping.calls.addFailures(Array.from({ length: 500 }, (_, index) => failed(index)));
    for (let start = 0; start < ids.length; start += 50)
      await database.write(1n, undefined, async (writer) => {
        for (const id of ids.slice(start, start + 50)) await writer.users.deleteUser(id);
        return { result: undefined, audit: { operation: 'delete-user', changes: {} } };
      });
    await database.close();
    const calls = new DatabaseSync(join(place.data, 'fieldroster-bookkeeping.db'));
    calls.exec('pragma secure_delete = fast; delete from failed_call');
    calls.close();
    assert.equal(remaining(place.data, [username]).length, 2, 'both files have free pages with the name');
    const size = statSync(join(place.data, 'fieldroster.db')).size;
    await eraseAgain(place);
    assert.deepEqual(remaining(place.data, [username]), []);
    assert.ok(statSync(join(place.data, 'fieldroster.db')).size < size * 1.1, 'it uses the free pages');
    const file = new DatabaseSync(join(place.data, 'fieldroster.db'));
    assert.equal(file.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
    assert.equal(file.prepare("select 1 from sqlite_schema where name like '%filler%'").get(), undefined);
    file.close();
  });

  test('empties the log after it overwrote so much free space that a thread copies the log meanwhile', async () => {
    const place = await newPlace('SQLite');
    const directory = await openDirectory({ ...place, environment });
    await fill(directory);
    const file = new DatabaseSync(join(place.data, 'fieldroster.db'));
    file.exec('create table former (value blob)');
    file.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
      insert into former select zeroblob(40000) from n`);
    file.exec('drop table former');
    file.close();
    const found = await findUsersToErase(directory, { tenant, username });
    const { remnants } = await eraseUser(directory, found, { data: place.data });
    assert.deepEqual(remnants, { freeSpaceOverwritten: true, logEmptied: true });
    await directory.database.close();
  });

  test('says what it did even if the remnants could not be cleared', async () => {
    const place = await newPlace('SQLite');
    const directory = await openDirectory({ ...place, environment });
    await fill(directory);
    await eraseUser(directory, await findUsersToErase(directory, { tenant, username }), { data: place.data });
    rmSync(join(place.data, 'erasures.jsonl'));
    const file = new DatabaseSync(join(place.data, 'fieldroster.db'));
    file.exec('drop table user_search');
    file.close();
    const found = await findUsersToErase(directory, { tenant, username });
    const erased = await eraseUser(directory, found, { data: place.data });
    assert.match(erased.remnantsFailed ?? '', /user_search/);
    assert.deepEqual(erased.lists, [join(place.data, 'erasures.jsonl')]);
    assert.deepEqual(erased.remnants, { freeSpaceOverwritten: false, logEmptied: false });
    await directory.database.close();
  });

  test('leaves nothing in the search index, and searches find everybody else', async () => {
    const place = await newPlace('SQLite');
    const directory = await openDirectory({ ...place, environment });
    const { database } = directory;
    await database.importer.importStores(1n, chunk({ line: 2, code: 'S1', name: 'One' }));
    const id = await insert(database, 'qxz');
    await insert(database, 'somebody');
    const file = new DatabaseSync(join(place.data, 'fieldroster.db'));
    const blocks = file.prepare(
      "select count(*) as n from user_search_data where hex(block) like '%' || hex('qxz') || '%'",
    );
    assert.notEqual(blocks.get()?.n, 0);
    const found = await findUsersToErase(directory, { tenant, username: 'qxz' });
    assert.deepEqual(found.userIds, [id]);
    await eraseUser(directory, found, { data: place.data });
    assert.equal(blocks.get()?.n, 0);
    file.exec("insert into user_search (user_search) values ('integrity-check')");
    file.close();
    const matching = { filters: { search: 'omebod' }, limit: 9, after: undefined, order: 'id' as const };
    const { entries } = await database.directory(1n).lists.listUsers(matching);
    assert.deepEqual(
      entries.map(({ username }) => username),
      ['somebody'],
    );
    await database.close();
  });

  test('leaves no text of a failed call in the file, however long it was', async () => {
    const place = await newPlace('SQLite');
    const directory = await openDirectory({ ...place, environment });
    await fill(directory);
    directory.database.bookkeeping.calls.addFailures(
      Array.from({ length: 60 }, (_, index) => ({
        requestId: `request-${index}`,
        atMs: Date.now(),
        verified: true,
        code: 1014,
        message: 'refused',
        durationUs: 1,
        method: 'GET',
        target: `/user?username=${index % 3 === 1 ? username : 'somebody'}`,
        ...(index % 12 === 1 && { stringsToSign: [`GET\n/user?username=${username}${'x'.repeat(9_000)}`] }),
      })),
    );
    await directory.database.close();
    assert.ok(remaining(place.data, [username]).some((each) => each.endsWith('bookkeeping.db')));
    await eraseAgain(place);
    assert.deepEqual(remaining(place.data, [username]), []);
  });

  test('empties the log while a server has the files open, and says so if somebody is reading', async () => {
    const place = await newPlace('SQLite');
    const server = await openDirectory({ ...place, environment });
    const { current } = await fill(server);
    await failCalls(server, current);
    const reading = new DatabaseSync(join(place.data, 'fieldroster.db'));
    reading.exec('begin; select count(*) from "user"');
    const command = await openDirectory({ ...place, environment });
    const found = await findUsersToErase(command, { tenant, username });
    assert.equal((await eraseUser(command, found, { data: place.data })).remnants?.logEmptied, false);
    assert.ok(remaining(place.data, [username]).length > 0);
    reading.close();
    const repeated = await findUsersToErase(command, { tenant, username });
    assert.equal((await eraseUser(command, repeated, { data: place.data })).remnants?.logEmptied, true);
    await command.database.close();
    assert.deepEqual(remaining(place.data, [username]), []);
    assert.equal(
      await server.database.directory(1n).findUser({ username }),
      undefined,
      'the server serves on',
    );
    await insert(server.database, 'after');
    await server.database.close();
  });
});
