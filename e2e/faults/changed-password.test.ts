import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type OwnPostgres, runSql, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

let postgres: OwnPostgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

test('a rejected database password answers 1503 and makes the node not ready, until the password is right again', {
  timeout: 240_000,
}, async () => {
  const run = (statement: string) => runSql(postgres.url, statement);
  await run("create role serving login password 'first'");
  const url = new URL(await postgres.createDatabase());
  await run(`alter database ${url.pathname.slice(1)} owner to serving`);
  [url.username, url.password] = ['serving', 'first'];
  const directory = await provisionDirectory(10, url.href);
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  const write = client.sign('POST', '/user/stores', { username: 'written' });
  try {
    await run("alter role serving password 'second'");
    await run("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'serving'");
    for (const call of [write, client.sign('GET', '/user?username=written')]) {
      const { status, envelope, headers } = await untilRejected(client, call);
      assert.deepEqual([status, envelope.code, headers['retry-after']], [503, 1503, '1']);
    }
    while ((await client.get('/readyz')).status === 200) await delay(50);
    await run("alter role serving password 'first'");
    while ((await client.get('/readyz')).status === 503) await delay(50);
    assert.equal((await client.send(write)).code, 0, 'the refused write had not happened');
    await server.until(() => /"code":1503,[^\n]*password authentication failed for user/.test(server.output));
    assert.deepEqual(server.errorLines, []);
  } finally {
    client.close();
    await server.kill();
    await directory.remove();
  }
});

/** The first one may still find its connection closed. */
async function untilRejected(client: SignedClient, call: Parameters<SignedClient['exchange']>[0]) {
  for (;;) {
    const answer = await client.exchange(call);
    assert.notEqual(answer.envelope.code, 1500, answer.text);
    if (answer.envelope.code === 1503) return answer;
    await delay(20);
  }
}
