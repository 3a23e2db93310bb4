import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { DirectoryWriter } from '../database.ts';
import type { Candidates } from '../queries/lists/candidate-source.ts';
import { connect } from './connections/connection.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';
import { countPages, forgetDeletedUsers, sqliteUserSearch } from './user-search.ts';

async function openDirectory(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-search-'));
  const database = await openSqliteDatabase({ folder });
  const { connection, session } = connect(join(folder, databaseFile));
  t.after(async () => {
    await database.close();
    connection.close();
    rmSync(folder, { recursive: true });
  });
  const tenant = await database.tenants.insertTenant('default');
  assert(tenant !== undefined);
  const write = (work: (directory: DirectoryWriter) => Promise<unknown>) =>
    database.write(tenant.id, undefined, async (directory) => {
      await work(directory);
      return { result: undefined, audit: { operation: 'test', changes: {} } };
    });
  let added = 0;
  const addUsers = (names: readonly string[]) =>
    write(async (directory) => {
      for (const realName of names) await directory.insertUser(`u${added++}`, { realName });
    });
  const source = (text: string) => sqliteUserSearch.source(session, tenant.id, text);
  const idsIn = async ({ scanned }: Candidates) => {
    const { rows } = await sql<{ id: bigint }>`${scanned}`.execute(session.db);
    return rows.map(({ id }) => Number(id));
  };
  /** Returns the ids that the index proposes for a text, if it is asked for it. */
  const proposed = async (text: string) => {
    const found = await (await source(text))?.next(undefined, 100, 0);
    return found && idsIn(found);
  };
  const matching = async (text: string) => {
    const user = sql.table('user');
    const { rows } = await sql<{
      id: bigint;
    }>`select id from ${user} where ${sqliteUserSearch.matches('user', text)}`.execute(session.db);
    return rows.map(({ id }) => Number(id));
  };
  return { connection, session, write, addUsers, source, idsIn, proposed, matching };
}

test('the index holds only current names of existing users', async (t) => {
  const { connection, write } = await openDirectory(t);
  const query = connection.prepare('select rowid as id from user_search where user_search match ?');
  const indexed = (trigram: string) => query.all(`"${trigram}"`).map(({ id }) => id);

  await write((directory) => directory.insertUser('one', { realName: 'Before' }));
  await write((directory) => directory.insertUser('two', { realName: 'Before' }));
  assert.deepEqual(indexed('bef'), [1n, 2n]);
  await write((directory) => directory.updateUser(1n, { realName: 'After' }));
  assert.deepEqual(indexed('bef'), [2n]);
  assert.deepEqual(indexed('aft'), [1n]);
  await write((directory) => directory.users.deleteUser(2n));
  assert.deepEqual(indexed('bef'), []);
  assert.deepEqual(indexed('two'), []);
});

test('the new names of users who are changed together enter the index as one segment', async (t) => {
  const { connection, write } = await openDirectory(t);
  const usernames = Array.from({ length: 200 }, (_, index) => `u${index}`);
  await write(({ users }) =>
    users.saveUsers(
      usernames.map((username) => ({
        username,
        fields: { realName: 'Before' },
        storesAdded: [],
        storesRemoved: [],
      })),
    ),
  );
  await write(async ({ users }) => {
    const states = await users.readStates(usernames);
    await users.saveUsers(
      [...states.values()].map(({ user }) => ({
        username: user.username,
        existing: user,
        fields: { realName: `After ${user.username}` },
        storesAdded: [],
        storesRemoved: [],
      })),
    );
  });
  const found = connection.prepare(
    `select count(*) as users from user_search where user_search match '"aft"'`,
  );
  assert.equal(found.get()?.users, 200n);
  // `origin` numbers the writes of the index.
  const segments = connection
    .prepare('select count(distinct origin) as segments from user_search_docsize')
    .get();
  assert.equal(segments?.segments, 1n);
});

test('a write that changes no searched field leaves the index alone', async (t) => {
  const { connection, write } = await openDirectory(t);
  const indexed = () => connection.prepare('select * from user_search_data order by id').all();

  await write((directory) => directory.insertUser('one', { realName: 'Same' }));
  const before = indexed();
  await write((directory) => directory.updateUser(1n, { realName: 'Same', department: 'Other' }));
  await write((directory) => directory.users.setUserStatus(1n, 'disabled'));
  assert.deepEqual(indexed(), before);
});

test('the index finds the users that contain each three characters of a text, whatever the case', async (t) => {
  const { addUsers, proposed } = await openDirectory(t);
  await addUsers(['Anna Maria', 'HANNAH', 'say "anna" now', 'Bob', '日本語']);
  assert.deepEqual(await proposed('ann'), [1, 2, 3]);
  assert.deepEqual(await proposed('anna M'), [1]);
  assert.deepEqual(await proposed('"anna"'), [3]);
  assert.deepEqual(await proposed('日本語'), [5]);
  assert.deepEqual(await proposed('zzz'), []);
});

test('the index is not asked for a text without three characters in a row that it folds as we do', async (t) => {
  const { addUsers, proposed, matching } = await openDirectory(t);
  // The capital letters of Georgian are younger than the index's version of Unicode.
  await addUsers(['an', 'ᲐᲑᲒ', 'annᲐᲑᲒ']);
  assert.equal(await proposed('an'), undefined);
  assert.equal(await proposed('აბგ'), undefined);
  assert.equal(await proposed('nnა'), undefined);
  assert.deepEqual(await matching('აბგ'), [2, 3]);
  assert.deepEqual(await proposed('annა'), [3]);
});

test('a search takes the special characters of patterns literally', async (t) => {
  const { addUsers, matching } = await openDirectory(t);
  const signs = ['*', '?', '[', ']', '^', '-', '"', "'"];
  await addUsers(signs.map((sign) => `A${sign}b`));
  for (const [index, sign] of signs.entries())
    assert.deepEqual(await matching(`a${sign}B`), [index + 1], sign);
});

test('a search asks the index again until it has worked for 10 ms', async (t) => {
  const { addUsers, source } = await openDirectory(t);
  await addUsers(['Anna']);
  const search = await source('anna');
  assert.ok(search !== undefined);
  assert.ok((await search.next(undefined, 10, 0)) !== undefined);
  assert.ok((await search.next(undefined, 10, 10)) !== undefined);
  assert.equal(await search.next(undefined, 10, 10.1), undefined);
});

test("the index is read by windows of ids, up to the tenant's last user", async (t) => {
  const { connection, addUsers, source, idsIn } = await openDirectory(t);
  const add = (id: number, name: string) => {
    connection.exec(`update counter set value = ${id - 1} where name = 'user_id'`);
    return addUsers([name]);
  };
  await add(1, 'Anna');
  const firstEnd = 1 + 262_144;
  const secondEnd = firstEnd + 262_144;
  await add(secondEnd, 'Hannah');
  await add(secondEnd + 1, 'Annabel');
  const search = await source('anna');
  const first = await search?.next(undefined, 10, 0);
  assert.ok(first !== undefined);
  assert.deepEqual([await idsIn(first), first.end], [[1], { at: 0n, id: BigInt(firstEnd) }]);
  const second = await search?.next(first.end, 10, 0);
  assert.ok(second !== undefined);
  assert.deepEqual([await idsIn(second), second.end], [[secondEnd], { at: 0n, id: BigInt(secondEnd) }]);
  const third = await search?.next(second.end, 10, 0);
  assert.ok(third !== undefined);
  assert.deepEqual([await idsIn(third), 'end' in third], [[secondEnd + 1], false]);
});

test('the pages of the index are counted without a read of all of them', async (t) => {
  const { connection, session, addUsers } = await openDirectory(t);
  const counted = connection.prepare('select count(*) as n from user_search_data where id >= 1 << 31');
  connection.exec("insert into user_search (user_search, rank) values ('automerge', 0)");
  assert.equal(await countPages(session), 0);
  for (let group = 0; group < 5; group++) {
    await addUsers(Array.from({ length: 100 }, (_, index) => `${group}-${index} ${Math.random()}`));
    assert.equal(await countPages(session), Number(counted.get()?.n));
  }
  connection.exec('delete from "user" where id % 2 = 0');
  assert.equal(await countPages(session), Number(counted.get()?.n));
});

test('a deleted user is forgotten in a bounded number of steps, however much others write meanwhile', async (t) => {
  const { connection, session, write, addUsers } = await openDirectory(t);
  const words = (count: number) =>
    Array.from({ length: count }, () => Math.random().toString(36).slice(2)).join(' ');
  for (let group = 0; group < 20; group++) await addUsers(Array.from({ length: 100 }, () => words(15)));
  await write((directory) => directory.insertUser('gone', { realName: '鱻麤龘' }));
  await write(async (directory) => {
    const gone = await directory.findUser({ username: 'gone' });
    await directory.users.deleteUser(gone?.id ?? 0n);
  });
  const left = connection.prepare('select id from user_search_data where instr(block, ?) > 0');
  assert.equal(left.all(Buffer.from('麤龘')).length, 1);
  const add = connection.prepare('insert into user_search (rowid, text) values (1000000 + ?, ?)');
  let steps = 0;
  await forgetDeletedUsers(session, async (work) => {
    steps += 1;
    assert(steps < 100, 'the merge does not end');
    connection.exec('begin immediate');
    // Each write of a group has a savepoint, at which the index makes a segment.
    for (let added = 0; added < 64; added++) {
      connection.exec('savepoint one');
      add.run(steps * 1000 + added, words(5));
      connection.exec('release one');
    }
    const result = await work(session);
    connection.exec('commit');
    return result;
  });
  assert(steps > 2, 'the merge takes several steps');
  assert.deepEqual(left.all(Buffer.from('麤龘')), []);
});

test('the index finds letters that share their lower case with another upper case', async (t) => {
  const { addUsers, proposed, matching } = await openDirectory(t);
  await addUsers(['Kelvin\u212arow', '\u212bngstrom', 'STRA\u1e9eEN', '\u01c5abc', 'ΠΑΠΑΣ Παππάς']);
  for (const [index, texts] of [
    ['kelvinkrow', 'KELVINK', 'kelvin\u212a'],
    ['\u00e5ngst', '\u00c5NGST', '\u212bngst'],
    ['stra\u00dfen', 'STRA\u1e9e'],
    ['\u01c6abc', '\u01c4ABC', '\u01c5abc'],
    ['παπας', 'παπασ', 'ΠΑΠΑΣ', 'ΑΣ ΠΑ', 'ππάΣ', 'ππάσ'],
  ].entries()) {
    for (const text of texts) {
      assert.deepEqual(await matching(text), [index + 1], text);
      assert((await proposed(text))?.includes(index + 1) ?? true, text);
    }
  }
});

test('a query of the index has few trigrams, however many the text has, and still proposes every user with it', async (t) => {
  const { addUsers, proposed, matching } = await openDirectory(t);
  const text = 'abcdefghijklmnopqrstuvwxyz0123456789';
  await addUsers([text, `${text.slice(1)}${text}`, text.slice(0, -1), text.replace('m', '-')]);
  const found = await proposed(text);
  assert.deepEqual(found, [1, 2, 4], 'the fourth lacks a trigram that the query does not ask for');
  assert.deepEqual(await matching(text), [1, 2]);
});
