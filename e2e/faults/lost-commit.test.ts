import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type CommitFault, CommitProxy } from '../../packages/server/test/commit-proxy.ts';
import { openTestPostgres, type TestPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { readRows } from '../read-database.ts';
import { ServerProcess } from '../server-process.ts';
import { type SignedCall, SignedClient } from '../signed-client.ts';

// The connection of the server to PostgreSQL breaks at COMMIT, before or after the database has received it.

const writes = atScale({ bounded: 21, full: 300 });
const writesAtOnce = 4;

let postgres: TestPostgres;
let directory: Provisioned;
let proxy: CommitProxy;

before(async () => {
  postgres = await openTestPostgres();
  const database = await postgres.createMigratedDatabase();
  directory = await provisionDirectory(1, database);
  proxy = await CommitProxy.start(database);
});

after(async () => {
  await proxy.stop();
  await directory.remove();
  await postgres.stop();
});

describe('with the default replay rule', () => {
  serve([]);

  test(`${writes} writes whose reply to COMMIT was lost are answered with 0 and their data`, async (t) => {
    for (const { username, envelope } of await sendWrites('lose reply')) {
      assert.equal(envelope.code, 0, envelope.message);
      assert.deepEqual(await idsOf(username), [Number(envelope.data?.id)]);
    }
    t.diagnostic(`figure: ${writes} replies lost after the commit: ${writes} answered with 0`);
  });

  test(`${writes} writes whose COMMIT was lost are answered with 1503, had no effect, and take effect when sent again`, async (t) => {
    for (const { username, call, envelope } of await sendWrites('lose commit')) {
      assert.equal(envelope.code, 1503, envelope.message);
      assert.deepEqual(await idsOf(username), []);
      const again = await client.send(call);
      assert.equal(again.code, 0, again.message);
      assert.deepEqual(await idsOf(username), [Number(again.data?.id)]);
    }
    t.diagnostic(`figure: ${writes} COMMITs lost: ${writes} answered with 1503, none of them applied`);
  });

  test('a write whose outcome cannot be found in time is answered with 1500, and 1015 proves it later', async () => {
    proxy.onCommit = () => {
      proxy.refuses = true;
      return 'lose reply';
    };
    const { username, call, envelope } = await sendWrite('unreachable');
    assert.equal(envelope.code, 1500);
    assert.match(
      envelope.message,
      /^the outcome is unknown; send the same signed request again: 1015 proves that it took effect; .* request id /,
    );
    beWell();
    assert.equal((await client.send(call)).code, 1015);
    assert.equal((await idsOf(username)).length, 1);
  });
});

describe('with --replay off', () => {
  serve(['--replay', 'off']);

  test('a write whose reply was lost is answered with 1500, and with advice that cannot apply it twice', async () => {
    proxy.onCommit = () => 'lose reply';
    const { username, envelope } = await sendWrite('off');
    assert.equal(envelope.code, 1500);
    assert.match(
      envelope.message,
      /^the outcome is unknown; check whether it took effect before you repeat it/,
    );
    assert.equal((await idsOf(username)).length, 1);
  });
});

let client: SignedClient;

function serve(flags: readonly string[]): void {
  let server: ServerProcess;
  before(async () => {
    beWell();
    server = await ServerProcess.start(
      { flags: ['--data', directory.data, '--database', proxy.url] },
      ...flags,
    );
    client = new SignedClient(server.url, directory.credentials);
  });
  beforeEach(beWell);
  after(async () => {
    client.close();
    await server.kill();
  });
}

function beWell(): void {
  proxy.onCommit = () => 'pass';
  proxy.refuses = false;
}

interface SentWrite {
  readonly username: string;
  readonly call: SignedCall;
  readonly envelope: Awaited<ReturnType<SignedClient['send']>>;
}

async function sendWrite(username: string): Promise<SentWrite> {
  const call = client.sign('POST', '/user/stores', { username });
  return { username, call, envelope: await client.send(call) };
}

/** Sends writes while every COMMIT meets the fault, including those that the server makes beside the writes. */
async function sendWrites(fault: CommitFault): Promise<SentWrite[]> {
  proxy.onCommit = () => fault;
  const sent: SentWrite[] = [];
  let next = 0;
  const sender = async () => {
    while (next < writes) sent.push(await sendWrite(`${fault.replace(' ', '.')}.${next++}`));
  };
  await Promise.all(Array.from({ length: writesAtOnce }, sender));
  beWell();
  assert.ok(proxy.faults >= writes);
  return sent;
}

async function idsOf(username: string): Promise<number[]> {
  const rows = await readRows(directory, 'select id from "user" where username = ?', username);
  return rows.map(({ id }) => Number(id));
}
