import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { applications, type Overrides, startTestServer, type TestServer } from '../../../test/test-server.ts';
import { updateApplication } from '../../admin/applications.ts';
import type { ApplicationChanges } from '../../database/database.ts';

const server = await startTestServer();
const proxied = await startTestServer({ settings: { trustProxy: '1' } });
after(() => Promise.all([server.close(), proxied.close()]));

const { main } = applications;
const body = { username: 'restricted' };
const forger: Overrides = { as: { appId: main.appId, appSecret: 'wrong' } };

/** Changes the application for the time of the work. */
async function whileChanged(
  changes: ApplicationChanges,
  work: () => Promise<void>,
  on = server,
): Promise<void> {
  const change = async (values: ApplicationChanges) => {
    await updateApplication(on, main.appId, values);
    await on.app.applications.refresh();
  };
  await change(changes);
  try {
    await work();
  } finally {
    const scope = 'manage' as const;
    await change({ status: 'active', scope, rateLimit: null, allowedAddresses: [], expiresAtMs: null });
  }
}

async function codeFor(overrides: Overrides = {}, on: TestServer = server): Promise<number> {
  return (await on.call('GET', '/user?username=nobody', undefined, overrides)).envelope.code;
}

/** Sends a request with each kind of body: none, a small one, a large one. */
async function answersTo(overrides: Overrides) {
  const answers = [
    await server.call('GET', '/user?username=nobody', undefined, overrides),
    await server.call('POST', '/user/stores', body, overrides),
    await server.call('POST', '/user/stores', { ...body, ext_info: 'x'.repeat(100_000) }, overrides),
  ];
  return answers.map(({ envelope }) => envelope);
}

const blocks: readonly (readonly [string, ApplicationChanges, RegExp])[] = [
  [
    'suspended',
    { status: 'suspended' },
    /^the application app-main is suspended; ask the operator to resume it$/,
  ],
  [
    'expired',
    { expiresAtMs: server.nowMs },
    /^the application app-main expired at 2026-01-15T12:00:00.250Z; ask the operator to extend it$/,
  ],
];

for (const [name, changes, message] of blocks) {
  test(`a ${name} application is 1013, and a right signature learns why`, async () => {
    await whileChanged(changes, async () => {
      for (const envelope of await answersTo({})) {
        assert.equal(envelope.code, 1013);
        assert.match(envelope.message, message);
      }
    });
    assert.equal(await codeFor(), 1101);
  });

  test(`a ${name} application looks unknown to anyone without its secret`, async () => {
    const late = { timestampSeconds: server.nowSeconds - 61 };
    const stranger: Overrides = { as: { appId: 'app-nope', appSecret: 'wrong' } };
    const unknown = await answersTo(stranger);
    await whileChanged(changes, async () => {
      for (const overrides of [forger, { ...forger, ...late }, late]) {
        assert.deepEqual(await answersTo(overrides), unknown);
      }
    });
  });
}

test('an application expires on time, without a database query', async () => {
  await whileChanged({ expiresAtMs: server.nowMs + 1000 }, async () => {
    server.nowMs += 999;
    assert.equal(await codeFor(), 1101);
    server.nowMs += 1;
    assert.equal(await codeFor(), 1013);
  });
});

test('a suspended application cannot write, and its attempts leave no trace', async () => {
  await whileChanged({ status: 'suspended' }, async () => {
    await server.refuse(1013, /suspended/, ['POST', '/user/stores', body]);
  });
});

test('a call from an address outside the application’s list is 1016', async () => {
  await whileChanged({ allowedAddresses: ['127.0.0.0/8'] }, async () => assert.equal(await codeFor(), 1101));
  await whileChanged({ allowedAddresses: ['192.0.2.0/24', '::1'] }, async () => {
    const message =
      /^the application app-main may not call from the address 127\.0\.0\.1; ask the operator to allow it$/;
    await server.refuse(1016, message, ['GET', '/user?username=nobody']);
    await server.refuse(1016, message, ['POST', '/user/stores', body]);
    assert.equal(await codeFor({ as: applications.reader }), 1101, 'others are not affected');
  });
});

test('nobody without the secret learns that there is a list of addresses', async () => {
  const unlisted = await server.call('GET', '/user', undefined, { ...forger, nonce: 'n' });
  await whileChanged({ allowedAddresses: ['192.0.2.1'] }, async () => {
    const listed = await server.call('GET', '/user', undefined, { ...forger, nonce: 'n' });
    assert.deepEqual(listed.envelope, unlisted.envelope);
  });
});

test('the address is the one that the trusted proxy names', async () => {
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const changes = { allowedAddresses: ['198.51.100.0/24'] };
  await whileChanged(
    changes,
    async () => {
      assert.equal(await codeFor(from('198.51.100.9'), proxied), 1101);
      assert.equal(await codeFor(from('::ffff:198.51.100.9'), proxied), 1101);
      assert.equal(await codeFor(from('198.51.101.9'), proxied), 1016);
      assert.equal(
        await codeFor(from('198.51.100.9, 203.0.113.7'), proxied),
        1016,
        'not what the client claims',
      );
    },
    proxied,
  );
});

test('if the address cannot be known, the call is refused, and the message says why', async () => {
  await whileChanged({ allowedAddresses: ['127.0.0.1', '198.51.100.9'] }, async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.9' };
    const request = ['GET', '/user?username=nobody', undefined, { headers }] as const;
    await server.refuse(1016, /the address of this client is unknown; .* --trust-proxy$/, request);
  });
});

test('a new scope takes effect even though answers were cached under the old one', async () => {
  const id = await server.createUser('scoped');
  await server.succeed('GET', `/user?user_id=${id}`);
  await whileChanged({ scope: 'read' }, async () => {
    await server.refuse(1016, /has the scope read: ask the operator for write$/, [
      'POST',
      '/user/stores',
      body,
    ]);
    assert.equal(await codeFor(), 1101);
  });
});

test('a refused address or application gets no cached answer', async () => {
  const id = await server.createUser('kept');
  const read = async () => (await server.call('GET', `/user?user_id=${id}`)).envelope.code;
  assert.deepEqual([await read(), await read(), await read()], [0, 0, 0]);
  await whileChanged({ allowedAddresses: ['192.0.2.1'] }, async () => assert.equal(await read(), 1016));
  await whileChanged({ status: 'suspended' }, async () => assert.equal(await read(), 1013));
});

test("an application's own rate limit replaces the server's, and 0 lifts it", async () => {
  const codes = async () => [await codeFor(), await codeFor(), await codeFor()];
  await whileChanged({ rateLimit: 2 }, async () => assert.deepEqual(await codes(), [1101, 1101, 1429]));
  assert.deepEqual(await codes(), [1101, 1101, 1101]);
  const limited = await startTestServer({ settings: { rateLimit: 1 } });
  try {
    const free = async () =>
      assert.deepEqual([await codeFor({}, limited), await codeFor({}, limited)], [1101, 1101]);
    await whileChanged({ rateLimit: 0 }, free, limited);
    assert.deepEqual([await codeFor({}, limited), await codeFor({}, limited)], [1101, 1429]);
  } finally {
    await limited.close();
  }
});
