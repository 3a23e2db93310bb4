import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { connect } from '../../sqlite/connections/connection.ts';
import { scanPage } from './scan-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-scan-'));
const { connection, session } = connect(join(folder, 'scan.db'));
after(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

/** Reads a page of numbers that none passes, and returns how many numbers each iteration of the event loop examined. */
async function examined(limit: number): Promise<number[]> {
  const sizes: number[] = [];
  let iteration = 0;
  const count = () => {
    iteration += 1;
    counted = setImmediate(count);
  };
  let counted = setImmediate(count);
  const { next } = await scanPage(session, {
    source: {
      async next(position, size) {
        sizes[iteration] = (sizes[iteration] ?? 0) + size;
        const first = (position?.id ?? 0n) + 1n;
        return {
          scanned: sql`with recursive number (id) as (
            select ${first} union all select id + 1 from number limit ${size})
            select 0 as at, id from number`,
        };
      },
    },
    filter: sql`scanned.id < 0`,
    after: undefined,
    limit,
  });
  clearImmediate(counted);
  assert.equal(next?.id, 20_000n);
  return sizes.filter(() => true);
}

test('a page that finds nothing examines 20,000 rows, 4,000 at most before others are served', async () => {
  assert.deepEqual(await examined(500), [501, 2004, 4000, 4000, 4000, 4000, 1495]);
  assert.deepEqual(await examined(50), [51, 204, 816, 3264, 4000, 4000, 4000, 3665]);
  assert.deepEqual(await examined(5_000), [4000, 4000, 4000, 4000, 4000]);
});

test('the time that others take between two statements does not count as the time of the page', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const others = () => {
    nowMs += 1_000;
    waiting = setImmediate(others);
  };
  let waiting = setImmediate(others);
  const spent: number[] = [];
  await scanPage(session, {
    source: {
      async next(position, size, spentMs) {
        spent.push(spentMs);
        nowMs += 3;
        const first = (position?.id ?? 0n) + 1n;
        return spent.length > 3
          ? undefined
          : {
              scanned: sql`with recursive number (id) as (
                select ${first} union all select id + 1 from number limit ${size})
                select 0 as at, id from number`,
            };
      },
    },
    filter: sql`scanned.id < 0`,
    after: undefined,
    limit: 10,
  });
  clearImmediate(waiting);
  assert.deepEqual(spent, [0, 3, 6, 9]);
});

test('a page of which every row is kept is filled, however long each of its statements takes', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const spent: number[] = [];
  const { positions } = await scanPage(session, {
    source: {
      async next(position, size, spentMs) {
        spent.push(spentMs);
        nowMs += 1_000;
        const first = (position?.id ?? 0n) + 1n;
        return {
          scanned: sql`with recursive number (id) as (
            select ${first} union all select id + 1 from number limit ${size})
            select 0 as at, id from number`,
        };
      },
    },
    filter: sql`scanned.id > 0`,
    after: undefined,
    limit: 10,
    chunkMax: 4,
  });
  assert.equal(positions.length, 10);
  assert.deepEqual(spent, [0, 0, 0]);
});
