import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countLooks } from '../../test/count-looks.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const id = await server.createUser('kept.user', { real_name: 'Before' });
const target = `/user?user_id=${id}`;

async function realName(): Promise<unknown> {
  const { envelope } = await server.succeed('GET', target);
  return (envelope.data as { real_name: string }).real_name;
}

test('a read sees every write acknowledged before it, even if its answer was cached', async () => {
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([realName(), realName(), realName()]);
    await server.succeed('PUT', '/user', { id, username: 'kept.user', real_name: `Name ${round}` });
    assert.equal(await realName(), `Name ${round}`);
  }
});

test('a read immediately sees what another process has committed', async () => {
  for (let round = 0; round < 20; round += 1) {
    await realName();
    const real_name = `Elsewhere ${round}`;
    await server.db.updateTable('user').set({ real_name }).where('id', '=', BigInt(id)).execute();
    assert.equal(await realName(), real_name);
  }
});

test('a repeated answer has the same bytes and the same ETag', async () => {
  const first = await server.succeed('GET', target);
  const second = await server.succeed('GET', target);
  assert.equal(second.text, first.text);
  assert.equal(second.headers.etag, first.headers.etag);
  assert.notEqual(second.requestId, first.requestId);
});

test('each tenant gets its own answer to the same request', async () => {
  await server.succeed('GET', target);
  const foreign = await server.call('GET', target, undefined, { as: applications.other });
  assert.equal(foreign.envelope.code, 1101);
  await server.succeed('GET', target);
});

test('a repeated read does not query the directory again', async () => {
  const { looks, wrapDatabase } = countLooks();
  const watched = await startTestServer({ wrapDatabase });
  try {
    await watched.createUser('watched');
    const again = async () => {
      const before = looks.count;
      await watched.succeed('GET', '/user?username=watched');
      return looks.count - before;
    };
    assert.equal(await again(), 1);
    // On PostgreSQL, commits of other databases count too, and other tests make some.
    for (let reads = 1; (await again()) > 0; reads += 1)
      assert(reads < 1_000, 'each read asks the directory');
  } finally {
    await watched.close();
  }
});

test('a refused request stays refused even if its answer is cached', async () => {
  await server.succeed('GET', target);
  const unsigned = await server.call('GET', target, undefined, { signedTarget: '/user?user_id=0' });
  assert.equal(unsigned.envelope.code, 1014);
});

test('a refusal is not cached: what was unknown is found once it exists', async () => {
  const before = await server.call('GET', '/user?username=kept.later');
  assert.equal(before.envelope.code, 1101);
  await server.createUser('kept.later');
  await server.succeed('GET', '/user?username=kept.later');
});
