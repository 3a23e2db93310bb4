import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type OwnPostgres, runSql, startPostgres } from '../../packages/server/test/test-postgres.ts';
import type { TestReplica } from '../../packages/server/test/test-replica.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Envelope, SignedClient } from '../signed-client.ts';
import { listWorkers, untilWorkers } from '../workers/worker-pids.ts';

const workers = 2;
/** Writes attempted while only the former primary is up. */
const tries = atScale({ bounded: 20, full: 2_000 });

let former: OwnPostgres;
let promoted: TestReplica;
let directory: Provisioned;
/** URLs of the directory's database: on each server, and on both with the former primary first. */
const urls = { former: '', promoted: '', both: '' };

before(async () => {
  former = await startPostgres();
  urls.former = await former.createMigratedDatabase();
  directory = await provisionDirectory(5, urls.former);
  promoted = await former.startReplica();
  urls.promoted = promoted.urlOf(urls.former);
  const [host, otherHost] = [urls.former, urls.promoted].map((url) => new URL(url).host);
  urls.both = urls.former.replace(host ?? '', `${host},${otherHost}`);
});

after(async () => {
  await directory?.remove();
  await promoted?.stop();
  await former.stop();
});

function startServer(...flags: readonly string[]): Promise<ServerProcess> {
  return ServerProcess.start({ flags: ['--data', directory.data, '--database', urls.both] }, ...flags);
}

/** Counts the writes in the database of a server. */
async function countWrites(url: string): Promise<number> {
  const [row] = await runSql(url, 'select count(*) as count from audit_event where app_id is not null');
  return Number(row?.count);
}

let writes = 0;

function write(client: SignedClient): Promise<Envelope> {
  writes += 1;
  return client.call('POST', '/user/stores', { username: `user-${writes}` });
}

async function untilWritten(client: SignedClient): Promise<void> {
  while ((await write(client)).code !== 0) await delay(50);
}

/** Attempts writes on every worker; returns the answered codes. */
async function tryWrites(client: SignedClient): Promise<Set<number>> {
  const codes = new Set<number>();
  for (let done = 0; done < tries; done += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => write(client)));
    for (const { code } of answers) codes.add(code);
  }
  return codes;
}

test('a former primary that comes back gets no write from any process that can reach the new one', async (t) => {
  const server = await startServer('--workers', String(workers));
  // Several connections, so that every worker gets some.
  let client = new SignedClient(server.url, directory.credentials, 10);
  try {
    await untilWritten(client);
    await former.kill();
    await promoted.promote();
    await untilWritten(client);

    await former.start();
    const written = await countWrites(urls.former);
    await promoted.process.kill();
    assert.deepEqual(await tryWrites(client), new Set([1503]), 'the former primary alone');
    // The nodes check the database every second.
    while (!(await client.get('/readyz')).text.includes('only a former primary answers')) await delay(50);
    assert.equal((await client.get('/readyz')).status, 503);

    client.close();
    const [firstWorker = 0] = await untilWorkers(server.pid, workers);
    process.kill(firstWorker, 'SIGKILL');
    while (listWorkers(server.pid).includes(firstWorker)) await delay(50);
    client = new SignedClient(server.url, directory.credentials, 10);
    assert.deepEqual(await tryWrites(client), new Set([1503]), 'after a worker was replaced');

    await promoted.process.start();
    await untilWritten(client);
    const other = await startServer();
    const clientOfOther = new SignedClient(other.url, directory.credentials, 10);
    assert.deepEqual(await tryWrites(clientOfOther), new Set([0]), 'a process that starts with both there');
    clientOfOther.close();
    await other.kill();

    assert.equal(await countWrites(urls.former), written, 'the former primary holds no further write');
    assert.match(server.output, /a former primary was not used[^\n]*/);
    t.diagnostic(`figure: 0 of ${2 * tries} writes acknowledged by the former primary`);
  } finally {
    client.close();
    await server.kill();
  }
});
