import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileTextNames } from '@fieldroster/contract/profile-texts';
import type { FoundUser } from '../../../api/user-search-query.ts';
import { exportFormats } from './export-formats.ts';

const texts = Object.fromEntries(profileTextNames.map((name) => [name, 'x'.repeat(50)])) as Pick<
  FoundUser,
  (typeof profileTextNames)[number]
>;

function usersFrom(first: number, count: number): FoundUser[] {
  return Array.from({ length: count }, (_, index) => ({
    ...texts,
    id: first + index,
    username: `u${first + index}`,
    gender: 0,
    status: 'active',
    roles: [],
    orgs: [],
    stores: [],
    revision: 1,
    created_at: 0,
    updated_at: 0,
  }));
}

test('a long CSV file leaves the memory of the page in parts of some megabytes, and keeps every line in order', async () => {
  const file = await exportFormats.csv();
  for (let first = 0; first < 20_000; first += 500) file.add(usersFrom(first, 500));
  const parts = file.end();
  assert(parts.length > 1 && parts.length < 10, String(parts.length));
  for (const part of parts) assert(part instanceof Blob && part.size < 6_000_000);
  const text = await new Blob([...parts]).text();
  assert.match(text, /^username,real_name,/);
  const usernames = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  assert.deepEqual(
    usernames,
    Array.from({ length: 20_000 }, (_, index) => `u${index}`),
  );
});

test('a CSV file without a user has its headings', async () => {
  const parts = (await exportFormats.csv()).end();
  assert.match(await new Blob([...parts]).text(), /^username,.*,updated_at\n$/);
});

test('only a workbook bounds the number of users', async () => {
  assert.equal((await exportFormats.csv()).usersMax, Number.POSITIVE_INFINITY);
  assert.equal((await exportFormats.xlsx()).usersMax, 1_048_575);
});
