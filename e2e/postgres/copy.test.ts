import assert from 'node:assert/strict';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openTestPostgres, type TestPostgres } from '../../packages/server/test/test-postgres.ts';
import { expectFieldroster, runFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { type SignedCall, SignedClient } from '../signed-client.ts';
import { WriteLoad } from '../write-load.ts';

const writes = 60;

let postgres: TestPostgres;
let directory: Provisioned;

before(async () => {
  postgres = await openTestPostgres();
  directory = await provisionDirectory(100);
});

after(async () => {
  await directory?.remove();
  await postgres.stop();
});

test('a directory from SQLite gives the same answers from a copy in PostgreSQL, and from a copy of that', async () => {
  const served = await serveAndWrite();
  const database = await postgres.createDatabase();
  const dryRun = () =>
    expectFieldroster('migrate', '--dry-run', '--data', directory.data, '--database', database);
  assert.match(await dryRun(), /^would run: 001-initial/);
  assert.match(await dryRun(), /^would run: 001-initial/, 'a dry run changes nothing');
  await expectFieldroster('copy', '--from', directory.data, '--to', database);
  assert.equal(await dryRun(), 'the tables are up to date\n');
  await proveSame(['--data', directory.data, '--database', database], served, 'written on PostgreSQL');

  // `proveSame` has written one more user to PostgreSQL, which this copy must bring back.
  const back = join(directory.folder, 'back');
  await mkdir(back);
  await cp(join(directory.data, 'master.key'), join(back, 'master.key'));
  await expectFieldroster('copy', '--from', database, '--to', back);
  await proveSame(['--data', back], served, 'written on SQLite again');
  const { exitCode, stderr } = await runFieldroster('copy', '--from', back, '--to', database);
  assert.equal(exitCode, 1);
  assert.match(stderr, /already holds a directory/);
});

interface Served {
  /** Reads, with their answers. */
  readonly answers: ReadonlyMap<string, string>;
  readonly lastWrite: SignedCall;
  readonly largestId: number;
}

async function serveAndWrite(): Promise<Served> {
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  try {
    const load = new WriteLoad(directory, SeededRandom.ofRun());
    await load.runWriter({
      writer: 0,
      mark: 'w',
      goesOn: () => load.acknowledged < writes,
      async send(call) {
        const envelope = await client.send(call);
        assert.equal(envelope.code, 0, envelope.message);
        return envelope;
      },
    });
    const lastWrite = load.lastAcknowledged.get(0);
    assert.ok(lastWrite !== undefined);
    const ids = load.users.map(({ id }) => id ?? 0);
    const targets = load.users.flatMap(({ username, id }) => [
      `/user?username=${username}`,
      ...(id === undefined ? [] : [`/user/store?user_id=${id}`, `/user/role?user_id=${id}`]),
    ]);
    return { answers: await readAll(client, targets), lastWrite, largestId: Math.max(...ids) };
  } finally {
    client.close();
    assert.equal(await server.stop(), 0);
  }
}

async function readAll(client: SignedClient, targets: readonly string[]): Promise<Map<string, string>> {
  const answers = targets.map(async (target) => {
    const { text, envelope } = await client.exchange(client.sign('GET', target));
    assert.equal(envelope.code, 0, text);
    return [target, text] as const;
  });
  return new Map(await Promise.all(answers));
}

/** Asserts that a server on a copy gives the same answers, refuses accepted writes, and assigns fresh ids. */
async function proveSame(
  flags: readonly string[],
  { answers, lastWrite, largestId }: Served,
  username: string,
): Promise<void> {
  const server = await ServerProcess.start({ flags });
  const client = new SignedClient(server.url, directory.credentials);
  try {
    assert.deepEqual(await readAll(client, [...answers.keys()]), answers);
    assert.equal((await client.send(lastWrite)).code, 1015);
    const store_codes = directory.storeCodes.slice(0, 3);
    const { code, data } = await client.call('POST', '/user/stores', { username, store_codes });
    assert.equal(code, 0);
    assert.ok(Number(data?.id) > largestId);
  } finally {
    client.close();
    assert.equal(await server.stop(), 0);
  }
}
