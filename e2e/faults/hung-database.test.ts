import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { databaseFile } from '../../packages/server/src/database/sqlite/open.ts';
import { type OwnPostgres, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { defaultDatabaseLimits, ServerProcess } from '../server-process.ts';
import { type SignedCall, SignedClient } from '../signed-client.ts';

/** At full size, the default limits. */
const limits = atScale({
  bounded: ['--database-connect-timeout', '1000', '--database-statement-timeout', '1000'],
  full: defaultDatabaseLimits,
});
const silentAfterMs = 15_000;
const callsOfEachKind = atScale({ bounded: 5, full: 40 });

let server: ServerProcess;
let client: SignedClient;

async function serve(directory: Provisioned): Promise<void> {
  server = await ServerProcess.start(directory, ...limits);
  client = new SignedClient(server.url, directory.credentials, 200, silentAfterMs);
  assert.equal((await client.call('POST', '/user/stores', { username: 'first' })).code, 0);
}

const readsAndWrites = (): SignedCall[] =>
  Array.from({ length: callsOfEachKind }, (_, index) => index).flatMap((index) => [
    client.sign('GET', `/user?username=nobody-${index}`),
    client.sign('GET', `/users?search=nobody-${index}`),
    ...writes(`hung-${index}`),
  ]);

/** A single and a bulk write, for users that must not exist after a refusal. */
function writes(username: string): SignedCall[] {
  return [
    client.sign('POST', '/user/stores', { username }),
    client.sign('POST', '/users/batch', { users: [{ username: `${username}-of-batch` }] }),
  ];
}

/** Asserts that each call is answered with 1503 and status 503 before the client gives up. */
async function refuseAll(calls: readonly SignedCall[]): Promise<number> {
  const startedAtMs = performance.now();
  const answers = await Promise.all(calls.map((call) => client.exchange(call)));
  for (const { status, text, envelope } of answers)
    assert.deepEqual([status, envelope.code], [503, 1503], text);
  return Math.round(performance.now() - startedAtMs);
}

/** Asserts that the refused writes did not happen: the server now accepts the same signed requests. */
async function acceptAll(calls: readonly SignedCall[]): Promise<void> {
  const refused = calls.filter(({ method }) => method === 'POST');
  assert.ok(refused.length > 0);
  for (const call of refused) {
    const { code, message } = await client.send(call);
    assert.equal(code, 0, message);
  }
}

describe('on PostgreSQL', () => {
  let postgres: OwnPostgres;
  let directory: Provisioned;

  before(async () => {
    postgres = await startPostgres();
    directory = await provisionDirectory(5, await postgres.createMigratedDatabase());
    await serve(directory);
  });

  after(async () => {
    client?.close();
    await server?.kill();
    await directory?.remove();
    await postgres.stop();
  });

  test('readers and writers learn that the database hangs before they give up', async (t) => {
    const calls = readsAndWrites();
    postgres.process.freeze();
    let tookMs: number;
    try {
      tookMs = await refuseAll(calls);
    } finally {
      postgres.process.resume();
    }
    await acceptAll(calls);
    t.diagnostic(`figure: ${calls.length} calls to a hung database were all answered within ${tookMs} ms`);
  });

  test('single and bulk writes learn of a lock that is never released before they give up', async (t) => {
    const held = [
      client.sign('POST', '/user/stores', { username: 'first', real_name: 'Held' }),
      client.sign('POST', '/users/batch', { users: [{ username: 'first', real_name: 'Held as well' }] }),
    ];
    const blocker = new pg.Client({ connectionString: directory.database });
    await blocker.connect();
    await blocker.query('begin; select * from "user" for update');
    const tookMs = await refuseAll(held);
    await blocker.end();
    await acceptAll(held);
    t.diagnostic(`figure: ${held.length} writes that waited for a lock were answered within ${tookMs} ms`);
  });
});

// The embedded database always has the limit of ten seconds. Tests beside the source cover its parts.
if (fullScale) {
  test('on SQLite, single and bulk writes learn that another process keeps the file locked before they give up', async (t) => {
    const directory = await provisionDirectory(5);
    await serve(directory);
    const calls = readsAndWrites().filter(({ method }) => method === 'POST');
    const other = new DatabaseSync(join(directory.data, databaseFile));
    other.exec('begin immediate');
    const tookMs = await refuseAll(calls);
    other.exec('rollback');
    other.close();
    await acceptAll(calls);
    client.close();
    await server.kill();
    await directory.remove();
    t.diagnostic(`figure: ${calls.length} writes to a locked file were all answered within ${tookMs} ms`);
  });
}
