import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestPostgres, patientDirectory, type TestPostgres } from '../../../test/test-postgres.ts';
import { eraseUser, findUsersToErase } from '../erase-user.ts';
import { rotateKey } from '../keys/rotate-key.ts';
import { type OpenDirectory, openDirectory } from '../open-directory.ts';
import { erasureFile, readErasureFile } from './erasure-file.ts';
import { finishRestore } from './finish-restore.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { readErasureLists } from './restore-steps.ts';

let postgres: TestPostgres;
let parent: string;

before(async () => {
  postgres = await openTestPostgres({ durable: false });
  parent = mkdtempSync(join(tmpdir(), 'fieldroster-shared-erasures-'));
});

after(async () => {
  await postgres.stop();
  rmSync(parent, { recursive: true, force: true });
});

interface DirectoryLocation {
  readonly data: string;
  readonly database?: string;
  readonly environment: NodeJS.ProcessEnv;
}

const ours = { FIELDROSTER_MASTER_KEY: 'ab'.repeat(32) };
const theirs = { FIELDROSTER_MASTER_KEY: 'cd'.repeat(32) };
const tenant = 'default';

async function within<T>(
  place: DirectoryLocation,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const directory = await openDirectory(place);
  try {
    return await work(directory);
  } finally {
    await directory.database.close();
  }
}

/** Creates a user, which gets the next id. */
function create(place: DirectoryLocation, username: string): Promise<bigint> {
  return within(place, ({ database }) =>
    database.write(1n, undefined, async (writer) => {
      const id = (await writer.insertUser(username, { realName: username })) ?? 0n;
      const changes = { username: { to: username }, real_name: { to: username } };
      return { result: id, audit: { operation: 'create-user', userId: id, changes } };
    }),
  );
}

function remove(place: DirectoryLocation, username: string, userId: bigint): Promise<void> {
  return within(place, ({ database }) =>
    database.write(1n, undefined, async (writer) => {
      await writer.users.deleteUser(userId);
      const changes = { username: { from: username } };
      return { result: undefined, audit: { operation: 'delete-user', userId, changes } };
    }),
  );
}

function erase(place: DirectoryLocation, username: string, ...files: string[]): Promise<unknown> {
  return within(place, async (directory) => {
    const found = await findUsersToErase(directory, { tenant, username });
    return eraseUser(directory, found, { data: place.data, files });
  });
}

function find(place: DirectoryLocation, username: string): Promise<string | undefined> {
  return within(
    place,
    async ({ database }) => (await database.directory(1n).findUser({ username }))?.username,
  );
}

/** Returns what the audit trail shows about a user, as text. */
function auditOf(place: DirectoryLocation, userId: bigint): Promise<string> {
  const page = { filters: { userId }, limit: 50, after: undefined };
  return within(place, async ({ database }) => {
    const { entries } = await database.directory(1n).lists.listAuditEvents(page);
    return JSON.stringify(entries.map(({ changes }) => changes));
  });
}

const failures = [
  {
    requestId: 'one',
    atMs: Date.now(),
    verified: true,
    code: 1014,
    message: 'refused',
    durationUs: 1,
    method: 'GET',
    target: '/user?id=99',
  },
] as const;

for (const engine of ['SQLite', 'PostgreSQL']) {
  const placeOf = async (
    environment: NodeJS.ProcessEnv,
    create: () => Promise<string>,
  ): Promise<DirectoryLocation> => {
    const data = mkdtempSync(join(parent, 'data-'));
    return {
      data,
      environment,
      ...(engine === 'PostgreSQL' && { ...patientDirectory, database: await create() }),
    };
  };
  const newPlace = (environment: NodeJS.ProcessEnv) =>
    placeOf(environment, () => postgres.createMigratedDatabase());
  const newTarget = (environment: NodeJS.ProcessEnv) => placeOf(environment, () => postgres.createDatabase());
  const newShared = () => mkdtempSync(join(parent, 'shared-'));
  const backUp = async (place: DirectoryLocation, folder: string, name: string) => {
    const file = join(folder, name);
    await makeBackup(place, file, { release: '0.1.0', verify: false });
    return file;
  };

  describe(`a list of erasures that two directories share on ${engine}`, () => {
    test('erases nobody of the other directory, unless the operator names the list', async () => {
      const [mine, other, shared] = [await newPlace(ours), await newPlace(theirs), newShared()];
      const list = join(shared, erasureFile);
      const deleted = await create(mine, 'kofi');
      await remove(mine, 'kofi', deleted);
      await create(mine, 'mara');
      await create(mine, 'nadia');
      for (const username of ['tom', 'uma', 'vera', 'will']) await create(other, username);
      const backup = await backUp(mine, shared, 'mine.backup');
      for (const username of ['tom', 'uma']) await erase(other, username, list);
      await erase(mine, 'nadia', list);

      const target = await newTarget(ours);
      const { finish } = await restoreBackup(backup, target);
      assert.deepEqual(
        finish.erasuresLeftOut.map(({ file, erasures }) => [file, erasures.map(({ userId }) => userId)]),
        [[list, [1n, 2n]]],
        'kofi, whose name is in the audit only, and mara',
      );
      assert.deepEqual([finish.erasures, finish.erased.users], [1, 1]);
      assert.deepEqual([await find(target, 'mara'), await find(target, 'nadia')], ['mara', undefined]);
      assert.match(await auditOf(target, deleted), /kofi/);
      const recorded = await within(target, ({ database }) => database.erasures.list());
      assert.deepEqual(
        recorded.map(({ userId }) => userId),
        [3n],
      );
      if (engine === 'SQLite')
        assert.deepEqual(
          (await readErasureFile(join(target.data, erasureFile))).map(({ userId }) => userId),
          [3n],
          'the list of the other directory does not spread',
        );
      const later = newShared();
      await backUp(target, later, 'later.backup');
      assert.equal((await readErasureFile(join(later, erasureFile))).length, 1);

      const named = await finishRestore(target, { erasureFiles: [list] });
      assert.deepEqual([named.erasures, named.erasuresLeftOut], [2, []]);
      assert.equal(await find(target, 'mara'), undefined);
      assert.doesNotMatch(await auditOf(target, deleted), /kofi/);
    });

    test('changes nothing here with ids that this directory never had', async () => {
      const [mine, other, shared] = [await newPlace(ours), await newPlace(theirs), newShared()];
      const list = join(shared, erasureFile);
      await create(mine, 'mara');
      for (const username of ['tom', 'uma', 'vera']) await create(other, username);
      const [call] = failures;
      await within(mine, async ({ database: { bookkeeping } }) => {
        bookkeeping.calls.addFailures(failures);
        await bookkeeping.flush();
      });
      const backup = await backUp(mine, shared, 'mine.backup');
      for (const username of ['uma', 'vera']) await erase(other, username, list);

      for (const environment of [ours, {}]) {
        const target = await newTarget(environment);
        const { finish } = await restoreBackup(backup, target);
        assert.deepEqual([finish.erasures, finish.erasuresLeftOut, finish.erased.failedCalls], [0, [], 0]);
        const inFolder = readErasureLists([target.data], []);
        assert.deepEqual(
          (await inFolder).flatMap(({ erasures }) => erasures),
          [],
        );
        if (environment !== ours) continue;
        await within(target, async ({ database }) => {
          assert.deepEqual(await database.erasures.list(), []);
          assert.equal((await database.bookkeeping.calls.findFailure('one'))?.target, call.target);
        });
      }
    });

    test('beside the key file leaves out the erasures of the other directory too', async () => {
      const [mine, other] = [await newPlace(ours), await newPlace(theirs)];
      await create(mine, 'mara');
      await create(other, 'tom');
      const list = join(mine.data, erasureFile);
      await erase(other, 'tom', list);
      const { erasures, erasuresLeftOut } = await finishRestore(mine);
      assert.deepEqual([erasures, erasuresLeftOut[0]?.file], [0, list]);
      assert.equal(await find(mine, 'mara'), 'mara');
    });

    test('keeps the erasures of users of the same id apart, so that both stay erased', async () => {
      const [mine, other, shared] = [await newPlace(ours), await newPlace(theirs), newShared()];
      const list = join(shared, erasureFile);
      await create(mine, 'mara');
      await create(other, 'tom');
      const [backup, another] = [await backUp(mine, shared, 'm'), await backUp(other, shared, 'o')];
      await erase(mine, 'mara', list);
      await erase(other, 'tom', list);
      for (const [file, environment, username] of [
        [backup, ours, 'mara'],
        [another, theirs, 'tom'],
      ] as const) {
        const target = await newTarget(environment);
        const { finish } = await restoreBackup(file, target);
        assert.deepEqual([finish.erasures, finish.erasuresLeftOut.length], [1, 1]);
        assert.equal(await find(target, username), undefined);
        const again = await finishRestore(target, { erasureFiles: [list] });
        assert.equal(again.erasures, 0, 'nothing is left to erase, and no failed call loses its texts');
      }
    });

    test('applies after a rotation of the master key, and as a whole if no key can tell names', async () => {
      const [mine, other, shared] = [await newPlace({}), await newPlace(theirs), newShared()];
      const list = join(shared, erasureFile);
      await create(mine, 'mara');
      await create(mine, 'nadia');
      await create(other, 'tom');
      const backup = await backUp(mine, shared, 'mine.backup');
      const oldKey = readFileSync(join(mine.data, 'master.key'), 'utf8').trim();
      await rotateKey({ ...mine, waitMs: 0, onProgress: () => {} });
      await erase(mine, 'nadia', list);
      await erase(other, 'tom', list);

      const target = await newTarget({ FIELDROSTER_MASTER_KEY: oldKey });
      const { finish } = await restoreBackup(backup, target);
      assert.deepEqual([finish.erasures, finish.erasuresLeftOut.length], [1, 1]);
      assert.deepEqual([await find(target, 'mara'), await find(target, 'nadia')], ['mara', undefined]);

      const keyless = await newTarget({});
      const { finish: without } = await restoreBackup(backup, keyless);
      assert.deepEqual([without.keyFound, without.erasures, without.erasuresLeftOut], [false, 2, []]);
    });
  });
}
