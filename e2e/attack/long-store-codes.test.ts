import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importStores } from '@fieldroster/server/admin';
import { fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { listOf } from '../list-of.ts';
import { openProvisioned, type Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { LongestWait, restUnlessFull, wordsOf } from './longest-wait.ts';

const username = 'many';

/** As many codes as a user may have, each of as many Chinese characters as it may have. Sorting them takes longest. */
const codesOf = (first: string) =>
  Array.from({ length: 50_000 }, (_, index) => `${(index * 7919) % 50_000}${first}`.padStart(100, '店'));

const [before, after] = [codesOf('A'), codesOf('B')];

/** As many of the codes as fit the body of an operation that is not bulk. */
const some = before.slice(0, 25_000);

const batchOf = (codes: readonly string[]) => ({ users: [{ username, store_codes: codes }] });

describeOnEachEngine((provision, engine) => {
  test('50,000 stores with the longest codes are bound and replaced in slices of time', async (t) => {
    const directory = await provision(1);
    await createStores(directory);
    const server = await ServerProcess.start(directory);
    const client = new SignedClient(server.url, directory.credentials);
    const waits = new LongestWait(server, restUnlessFull);
    try {
      await waits.learnIdle();
      const tooLong: string[] = [];
      for (const [name, path, body] of [
        ['binding them', '/users/batch', batchOf(before)],
        ['a dry run that replaces them', '/users/batch', { ...batchOf(after), dry_run: true }],
        ['replacing them', '/users/batch', batchOf(after)],
        ['replacing them by half as many', '/user/stores', { username, store_codes: some }],
      ] as const) {
        const answered = client.call('POST', path, body);
        const longest = await waits.during(answered);
        t.diagnostic(`figure: ${engine}, ${name}: ${wordsOf(longest)}`);
        if (waits.isTooLong(longest)) tooLong.push(`${name}: ${wordsOf(longest)}`);
        const { code, message, data } = await answered;
        assert.equal(code, 0, message);
        assert.equal(data?.failed ?? 0, 0);
      }
      if (fullScale) assert.deepEqual(tooLong, []);
      const { data } = await client.call('GET', `/user?username=${username}`);
      const listed = await client.call('GET', `/user/store?user_id=${data?.id}`);
      const stores = listed.data?.stores as readonly { readonly code: string }[];
      assert.deepEqual(
        stores.map(({ code }) => code),
        some.toSorted(),
      );
    } finally {
      waits.close();
      client.close();
      await server.kill();
      await directory.remove();
    }
  });
});

async function createStores(provisioned: Provisioned): Promise<void> {
  const directory = await openProvisioned(provisioned);
  const rows = [...before, ...after].map((code) => [code, code]);
  await importStores(directory, listOf(['code', 'name'], rows));
  await directory.database.close();
}
