import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { openTestPostgres, untilLocked } from '../../packages/server/test/test-postgres.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

/**
 * Several times as many users as a batch changes in one statement. By code points, Ａ comes before 𠮷, and by code units, in which
 * JavaScript compares, after it.
 */
const [wide, rare] = ['Ａkiko', '𠮷野'];
const usernames = [...Array.from({ length: 1_500 }, (_, index) => `m${index}`), rare, wide];

const postgres = await openTestPostgres();
const url = await postgres.createMigratedDatabase();
const provisioned = await provisionDirectory(0, url);
const server = await ServerProcess.start(provisioned);
const client = new SignedClient(server.url, provisioned.credentials);
const [holder, observer] = [
  new pg.Client({ connectionString: url }),
  new pg.Client({ connectionString: url }),
];
await Promise.all([holder.connect(), observer.connect()]);

after(async () => {
  client.close();
  await server.stop();
  await Promise.all([holder.end(), observer.end()]);
  await provisioned.remove();
  await postgres.stop();
});

function save(real_name: string) {
  return client.call('POST', '/users/batch', {
    users: usernames.map((username) => ({ username, real_name })),
  });
}

function lock(session: pg.Client, username: string, otherwise = '') {
  return session.query(`select id from "user" where username = $1 for update ${otherwise}`, [username]);
}

test('a batch of several statements locks users in the order in which each statement does', async () => {
  assert.equal((await save('before')).data?.created, usernames.length);
  await holder.query('begin');
  await lock(holder, wide);
  const saved = save('after');
  await untilLocked(url, saved);
  const free = await lock(observer, rare, 'skip locked');
  await holder.query('rollback');
  assert.equal((await saved).data?.updated, usernames.length);
  assert.equal(free.rowCount, 1, 'the batch had locked a later user already');
});
