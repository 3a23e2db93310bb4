import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import type { Database, DirectoryLists } from '../database/database.ts';
import { DirectoryCounts } from './directory-counts.ts';

describe('the counts of the overview', () => {
  let server: TestServer;
  /** The monotonic clock, and how far the other one is ahead of it. */
  let nowMs = 1_000_000;
  let aheadMs = 0;
  const opened: DirectoryCounts[] = [];

  before(async () => {
    server = await startTestServer();
  });

  after(async () => {
    for (const counts of opened) await counts.stop();
    await server.close();
  });

  /**
   * Counts the directory of the server as if each count took as long as given, and as if so many ranges came before its
   * users; `onCount` is called for each of them.
   */
  function counting(tookMs: number, onCount = () => {}, rangesBefore = 0): DirectoryCounts {
    const slow: Pick<Database, 'directory' | 'dataVersion'> = {
      dataVersion: () => server.database.dataVersion(),
      directory: (tenantId) => {
        onCount();
        nowMs += tookMs;
        const directory = server.database.directory(tenantId);
        return rangesBefore === 0
          ? directory
          : { ...directory, lists: withRanges(directory.lists, rangesBefore) };
      },
    };
    const logger = { warn: (fields: object) => assert.fail(JSON.stringify(fields)) };
    const counts = new DirectoryCounts(slow, logger as never, {
      now: () => nowMs + aheadMs,
      elapsedMs: () => nowMs,
    });
    opened.push(counts);
    return counts;
  }

  test('a count that ends in time leaves no timer that keeps the process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await counting(0).read(server.tenantId);
    assert.equal(timers(), before);
  });

  test('a small directory has its new numbers at once after a change', async () => {
    const counts = counting(0);
    const before = await counts.read(server.tenantId);
    assert(before !== undefined);
    await server.createUser('counted.now', { store_codes: ['S001'] });
    const now = await counts.read(server.tenantId);
    assert.equal(now?.users, before.users + 1n);
    assert.equal(now?.bindings, before.bindings + 1n);
  });

  test('a small directory has its new numbers at once also on a machine that takes long to count it', async () => {
    const counts = counting(5_000);
    const before = await counts.read(server.tenantId);
    await server.createUser('counted.slowly');
    const now = await counts.read(server.tenantId);
    assert.equal(now?.users, (before?.users ?? 0n) + 1n);
  });

  test('a clock that is set back or ahead does not prolong the rest of a large directory', async () => {
    let times = 0;
    const onCount = () => {
      times += 1;
    };
    const counts = counting(0, onCount, 1);
    await counts.count(server.tenantId);
    for (const jumpMs of [3_600_000, -7_200_000]) {
      aheadMs += jumpMs;
      await server.createUser(`counted.after.${jumpMs}`);
      nowMs += 1;
      await counts.count(server.tenantId);
    }
    assert.equal(times, 3);
  });

  test('a large directory rests for twenty times as long as a count took, however many ask', async () => {
    let times = 0;
    const onCount = () => {
      times += 1;
    };
    const counts = counting(5_000, onCount, 1);
    const first = await counts.count(server.tenantId);
    await server.createUser('counted.later');
    nowMs += 20 * 5_000 - 1;
    const seen = await Promise.all([1, 2, 3].map(() => counts.read(server.tenantId)));
    assert.deepEqual(seen, [first, first, first]);
    assert.equal(times, 1);
    nowMs += 1;
    assert.deepEqual(await counts.read(server.tenantId), first, 'nobody waits for a slow count');
    assert.equal((await counts.count(server.tenantId))?.users, (first?.users ?? 0n) + 1n);
    assert.equal(times, 2);
  });

  test('without a change, nothing is read again, and the numbers are as of now', async () => {
    let times = 0;
    const counts = counting(0, () => {
      times += 1;
    });
    const first = await counts.read(server.tenantId);
    nowMs += 3_600_000;
    assert.deepEqual(await counts.read(server.tenantId), { ...first, atMs: nowMs + aheadMs });
    assert.equal(times, 1);
  });
});

/** Returns the lists as if so many ranges without users came before the first one. */
function withRanges(lists: DirectoryLists, ranges: number): DirectoryLists {
  let left = ranges;
  return {
    ...lists,
    countUsers: async (after) =>
      left-- > 0 ? { users: 0, bindings: 0, next: after } : lists.countUsers(after),
    countStores: (after) => lists.countStores(after),
  };
}
