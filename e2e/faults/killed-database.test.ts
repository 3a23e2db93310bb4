import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type OwnPostgres, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { countSignedWrites } from '../read-database.ts';
import { RetryingClient } from '../retrying-client.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { type Answer, SignedClient } from '../signed-client.ts';
import { type OwnedUser, WriteLoad } from '../write-load.ts';

const kills = atScale({ bounded: 1, full: 200 });
const processes = 2;
const writersOfEach = 12;
/** Asserted at full size, which has the machine to itself. */
const backWithinMs = 5_000;

let postgres: OwnPostgres;
let directory: Provisioned;
let servers: ServerProcess[] = [];

before(async () => {
  postgres = await startPostgres();
  directory = await provisionDirectory(200, await postgres.createMigratedDatabase());
  servers = await Promise.all(Array.from({ length: processes }, () => ServerProcess.start(directory)));
});

after(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await directory?.remove();
  await postgres.stop();
});

test(`PostgreSQL killed with SIGKILL under write load loses no acknowledged write, and the servers survive (${kills} kills)`, async (t) => {
  const random = SeededRandom.ofRun();
  const load = new WriteLoad(directory, random);
  const clients = servers.map(({ url }) => new SignedClient(url, directory.credentials));
  const writers = clients.map((client) => new RetryingClient(client));
  const returns: number[] = [];
  try {
    for (let kill = 0; kill < kills; kill++) {
      const firstOfRound = load.users.length;
      const writing = startWriting(load, writers, kill);
      await writing.until(random.integer(100, 500));
      await delay(random.integer(0, 30));
      await postgres.kill();
      await Promise.all(clients.map(proveNotReady));
      // The service must recover with clients at work, not because they went away.
      await postgres.start();
      returns.push(await untilServing(clients));
      await writing.until(50);
      await writing.stop();
      for (const server of servers) assert.ok(server.running, 'a server has ended');
      await verify(load, clients, load.users.slice(firstOfRound));
      const written = load.acknowledged + returns.length * processes;
      assert.equal(await countSignedWrites(directory), written, 'each write took effect once');
    }
    await verify(load, clients, load.users);
  } catch (error) {
    t.diagnostic(`seed ${random.seed}`);
    throw error;
  } finally {
    for (const client of clients) client.close();
  }
  const refused = writers.flatMap(({ unavailable }) => unavailable);
  for (const answer of refused) assertUnavailable(answer);
  assert.deepEqual(
    writers.flatMap(({ broken }) => broken),
    [],
    'every request had an answer',
  );
  const unknown = writers.reduce((sum, writer) => sum + writer.unknown.length, 0);
  const proven = writers.reduce((sum, { provenByReplay }) => sum + provenByReplay, 0);
  t.diagnostic(
    `figure: ${kills} kills; of ${load.acknowledged} acknowledged writes 0 lost; ${refused.length} answers of 503, ` +
      `none of whose attempts had been applied; ${unknown} of 1500 with an unknown outcome, ${proven} of those writes applied; serving again after at most ${Math.round(Math.max(...returns))} ms`,
  );
});

interface Writing {
  /** Resolves after that many more acknowledged writes. */
  until(count: number): Promise<void>;
  /** Stops the writers, once each knows the outcome of its last write. */
  stop(): Promise<void>;
}

function startWriting(load: WriteLoad, clients: readonly RetryingClient[], kill: number): Writing {
  let going = true;
  let wanted = Number.POSITIVE_INFINITY;
  let reached = () => {};
  const onAcknowledged = () => {
    if (load.acknowledged >= wanted) reached();
  };
  const runs = clients.flatMap((client, index) =>
    Array.from({ length: writersOfEach }, (_, own) => {
      const writer = index * writersOfEach + own;
      const send = client.send.bind(client);
      return load.runWriter({
        writer,
        mark: `${kill}-${writer}`,
        send,
        onAcknowledged,
        goesOn: () => going,
      });
    }),
  );
  const ended = Promise.all(runs);
  // The next wait reports its failure.
  ended.catch(() => {});
  return {
    async until(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      reached = resolve;
      wanted = load.acknowledged + count;
      await Promise.race([promise, ended]);
    },
    async stop() {
      going = false;
      await ended;
    },
  };
}

async function proveNotReady(client: SignedClient): Promise<void> {
  // The reported state is up to a second old.
  while ((await client.get('/readyz')).status === 200) await delay(20);
  assertUnavailable(await client.get('/readyz'));
  assert.equal((await client.get('/healthz')).status, 200);
  const username = 'nobody';
  assertUnavailable(await client.exchange(client.sign('GET', `/user?username=${username}`)));
  assertUnavailable(await client.exchange(client.sign('POST', '/user/stores', { username })));
}

function assertUnavailable({ status, headers, envelope, text }: Answer): void {
  assert.equal(status, 503, text);
  assert.equal(envelope.code, 1503, text);
  assert.match(headers['retry-after'] ?? '', /^\d+$/);
}

/** Returns the milliseconds until all servers were ready, and read and wrote again. */
async function untilServing(clients: readonly SignedClient[]): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      const write = client.sign('POST', '/user/stores', { username: 'first after the crash' });
      await new RetryingClient(client).send(write);
      while ((await client.get('/readyz')).status !== 200) await delay(20);
      assert.equal((await client.call('GET', '/user?username=first%20after%20the%20crash')).code, 0);
    }),
  );
  const tookMs = performance.now() - startedAt;
  if (fullScale) assert.ok(tookMs < backWithinMs, `served again after ${tookMs} ms`);
  return tookMs;
}

async function verify(
  load: WriteLoad,
  [client, other]: readonly SignedClient[],
  users: readonly OwnedUser[],
): Promise<void> {
  assert.ok(client !== undefined && other !== undefined);
  await load.verifyReplays(other);
  await load.verifyUsers(client, users);
  await load.verifyShared(other);
}
