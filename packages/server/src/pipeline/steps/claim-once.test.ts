import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { limits, type Operation, operations } from '@fieldroster/contract';
import {
  applications,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../../test/test-server.ts';
import type { ReplayRule } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { Call } from '../call.ts';
import { claimOfWrite } from './claim-once.ts';
import type { Caller } from './verify-signature.ts';

const usual = await startTestServer();
const strict = await startTestServer({ settings: { replay: 'nonce' } });
const off = await startTestServer({ settings: { replay: 'off' } });
after(() => Promise.all([usual, strict, off].map((server) => server.close())));

const target = '/user/stores';

/** Makes a folder on which a test starts several servers; all of it is removed however the test ends. */
function newFolder(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-restart-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return async (settings: TestServerOptions['settings'] = {}) => {
    const server = await startTestServer({ folder, settings });
    t.after(() => server.close());
    return server;
  };
}

async function claimsIn(server: TestServer): Promise<number> {
  const rows = await server.db.selectFrom('accepted_write').selectAll().execute();
  return rows.length;
}

test('the rules write and nonce claim a write, and no rule lets a handler claim a read', () => {
  const caller = {
    application: { appId: 'app' },
    timestampSeconds: 1_700_000_000,
    nonce: 'n',
    signature: 'c2lnbmF0dXJl',
  } as Caller;
  const claim = (operation: Operation, replay: ReplayRule) =>
    claimOfWrite({ operation, requestId: 'r' } as Call, caller, { database: {} as Database, replay });
  const claimed = {
    requestId: 'r',
    expiresAtSeconds: 1_700_000_000 + limits.timestampSkewSeconds,
    signature: Buffer.from('signature'),
  };
  assert.deepEqual(claim(operations.updateUser, 'write'), claimed);
  const nonce = { appId: 'app', value: 'n' };
  assert.deepEqual(claim(operations.updateUser, 'nonce'), { ...claimed, nonce });
  assert.equal(claim(operations.updateUser, 'off'), undefined);
  for (const replay of ['write', 'nonce', 'off'] as const) {
    assert.equal(claim(operations.queryUser, replay), undefined);
  }
});

test('the same signed write again is 1015 and takes effect once', async () => {
  const body = { username: 'replayed', real_name: 'Once' };
  const answer = await usual.succeed('POST', target, body, { nonce: 'once' });
  const id = (answer.envelope.data as { id: number }).id;
  await usual.succeed('PUT', '/user', { id, real_name: 'Later' });
  await usual.refuse(1015, /^this signed request has already taken effect, /, [
    'POST',
    target,
    body,
    { nonce: 'once' },
  ]);
  assert.equal((await usual.queryUser(id)).real_name, 'Later');
});

test('a replayed creation is 1015 and not 1102: it proves that the first one was committed', async () => {
  const body = { username: 'replayed.creation', password: 'p' };
  await usual.succeed('POST', '/user', body, { nonce: 'create' });
  await usual.refuse(1015, /./, ['POST', '/user', body, { nonce: 'create' }]);
  await usual.refuse(1102, /./, ['POST', '/user', body, { nonce: 'another' }]);
});

test('a replayed unbinding is 1015 and not 1402', async () => {
  const id = await usual.createUser('replayed.unbinding', { store_codes: ['S001'] });
  const path = `/user/store?user_id=${id}&store_code=S001`;
  await usual.succeed('DELETE', path, undefined, { nonce: 'unbind' });
  await usual.refuse(1015, /./, ['DELETE', path, undefined, { nonce: 'unbind' }]);
});

test('one of many simultaneous copies of a write succeeds, and the others are 1015', async () => {
  const copies = Array.from({ length: 20 }, () =>
    usual.call('POST', '/user/stores', { username: 'copies' }, { nonce: 'copies' }),
  );
  const codes = (await Promise.all(copies)).map((answer) => answer.envelope.code);
  assert.deepEqual(codes.sort(), [0, ...Array(19).fill(1015)]);
});

test('a failed write is not recorded: sent again unchanged, it takes effect once it can', async () => {
  const body = { username: 'waits.for.store', store_codes: ['LATER'] };
  const again: [string, string, unknown, { nonce: string }] = ['POST', target, body, { nonce: 'retry' }];
  await usual.refuse(1401, /LATER/, again);
  const store = { tenant_id: usual.tenantId, code: 'LATER', name: '', address: '' };
  await usual.db.insertInto('store').values(store).execute();
  await usual.succeed(...again);
  await usual.refuse(1015, /./, again);
});

test('a write that changed nothing is recorded like any other', async () => {
  const id = await usual.createUser('changes.nothing');
  await usual.succeed('PUT', '/user', { id }, { nonce: 'nothing' });
  await usual.refuse(1015, /./, ['PUT', '/user', { id }, { nonce: 'nothing' }]);
});

test('another nonce, another second or another application makes it another write', async () => {
  const body = { username: 'three.ways' };
  await usual.succeed('POST', target, body, { nonce: 'a' });
  await usual.succeed('POST', target, body, { nonce: 'b' });
  await usual.succeed('POST', target, body, { nonce: 'a', timestampSeconds: usual.nowSeconds + 1 });
  await usual.succeed('POST', target, body, { nonce: 'a', as: applications.other });
});

test('a read may be repeated with its nonce, and a nonce may be used for several writes', async () => {
  const id = await usual.createUser('repeated.reads');
  for (let time = 0; time < 3; time += 1) {
    await usual.succeed('GET', `/user?user_id=${id}`, undefined, { nonce: 'same' });
  }
  await usual.succeed('PUT', '/user', { id, nickname: '1' }, { nonce: 'same' });
  await usual.succeed('PUT', '/user', { id, nickname: '2' }, { nonce: 'same' });
});

test('reads record nothing', async () => {
  const before = await claimsIn(usual);
  await usual.refuse(1101, /./, ['GET', '/user?user_id=4711']);
  await usual.call('GET', '/user?username=nobody');
  assert.equal(await claimsIn(usual), before);
});

test('a write stays recorded as long as its timestamp is accepted, and is then refused for its age', async () => {
  const timestampSeconds = usual.nowSeconds + 60;
  const id = await usual.createUser('ages');
  const request: [string, string, unknown, object] = [
    'PUT',
    '/user',
    { id, nickname: 'N' },
    { nonce: 'ages', timestampSeconds },
  ];
  await usual.succeed(...request);
  usual.nowMs += 120_000;
  await usual.database.claims.purge(usual.nowSeconds);
  await usual.refuse(1015, /./, request);
  usual.nowMs += 1000;
  await usual.refuse(1012, /./, request);
});

test('a write whose claim may have been purged is 1012, and the message has the reason and the time', async () => {
  const id = await usual.createUser('purged');
  const request = (nonce: string, timestampSeconds: number): [string, string, unknown, object] => [
    'PUT',
    '/user',
    { id, nickname: nonce },
    { nonce, timestampSeconds },
  ];
  const first = usual.nowSeconds;
  await usual.succeed(...request('purged', first));
  await usual.database.claims.purge(first + 61);
  for (const nonce of ['purged', 'never.sent']) {
    await usual.refuse(
      1012,
      new RegExp(
        `^the record of requests up to Timestamp ${first} was purged, so Timestamp ${first} is too old to tell .*the server's time ${first}\\)`,
      ),
      request(nonce, first),
    );
  }
  usual.nowMs += 1000;
  await usual.succeed(...request('later', usual.nowSeconds));
  assert.equal((await usual.queryUser(id)).nickname, 'later');
});

test('a write is still known after a restart on the same database', async (t) => {
  const start = newFolder(t);
  const body = { username: 'restarted' };
  const first = await start();
  await first.succeed('POST', target, body, { nonce: 'restart' });
  await first.close();
  const second = await start();
  await second.refuse(1015, /./, ['POST', target, body, { nonce: 'restart' }]);
  await second.close();
  const stricter = await start({ replay: 'nonce' });
  await stricter.refuse(1015, /./, ['POST', target, body, { nonce: 'restart' }]);
});

test('a write accepted under the strictest rule is still known after a restart under the default one', async (t) => {
  const start = newFolder(t);
  const body = { username: 'restarted' };
  const first = await start({ replay: 'nonce' });
  await first.succeed('POST', target, body, { nonce: 'restart' });
  await first.close();
  const second = await start();
  await second.refuse(1015, /./, ['POST', target, body, { nonce: 'restart' }]);
});

test('two servers on one database together accept a write once', async (t) => {
  const start = newFolder(t);
  const servers = [await start(), await start()];
  const copies = Array.from({ length: 10 }, (_, index) =>
    servers[index % 2]?.call('POST', target, { username: 'two' }, { nonce: 'two' }),
  );
  const codes = (await Promise.all(copies)).map((answer) => answer?.envelope.code);
  assert.deepEqual(codes.sort(), [0, ...Array(9).fill(1015)]);
});

test('under the rule nonce, each nonce of an application is accepted once, reads included', async () => {
  const id = await strict.createUser('strict');
  const read = `/user?user_id=${id}`;
  await strict.succeed('GET', read, undefined, { nonce: 'r' });
  await strict.refuse(1015, /./, ['GET', read, undefined, { nonce: 'r' }]);
  await strict.refuse(1015, /./, ['GET', '/user?username=strict', undefined, { nonce: 'r' }]);
  await strict.refuse(1015, /./, ['PUT', '/user', { id, nickname: 'N' }, { nonce: 'r' }]);
  await strict.succeed('PUT', '/user', { id, nickname: 'N' }, { nonce: 'w' });
  await strict.refuse(1015, /^this signed request has already taken effect, /, [
    'PUT',
    '/user',
    { id, nickname: 'N' },
    { nonce: 'w' },
  ]);
  await strict.refuse(1015, /^this nonce was used before, and nothing was done now/, [
    'PUT',
    '/user',
    { id, nickname: 'M' },
    { nonce: 'w' },
  ]);
  await strict.refuse(1015, /./, ['GET', read, undefined, { nonce: 'w' }]);
  await strict.succeed('GET', read, undefined, { nonce: 'r', as: applications.reader });
});

test('under the rule nonce, a write that failed leaves its nonce free', async () => {
  const id = await strict.createUser('strict.failed');
  const wrong = { user_id: id, store_code: 'none' };
  await strict.refuse(1401, /./, ['POST', '/user/store', wrong, { nonce: 'f' }]);
  await strict.succeed('POST', '/user/store', { user_id: id, store_code: 'S001' }, { nonce: 'f' });
});

test('under the rule nonce, a wrongly signed request uses up no nonce', async () => {
  const read: [string, string] = ['GET', '/user?username=strict'];
  const forger = { appId: applications.main.appId, appSecret: 'wrong' };
  await strict.refuse(1014, /./, [...read, undefined, { nonce: 'forged', as: forger }]);
  await strict.succeed(...read, undefined, { nonce: 'forged' });
});

test('under the rule nonce, a nonce is free again once its claim is purged, and not before', async () => {
  const read: [string, string] = ['GET', '/user?username=strict'];
  await strict.succeed(...read, undefined, { nonce: 'again' });
  strict.nowMs += 3_600_000;
  await strict.refuse(1015, /./, [...read, undefined, { nonce: 'again' }]);
  await strict.database.claims.purge(strict.nowSeconds);
  await strict.succeed(...read, undefined, { nonce: 'again' });
});

test('under the rule off, a write may be repeated, and nothing is recorded', async () => {
  const body = { username: 'off' };
  await off.succeed('POST', target, body, { nonce: 'same' });
  await off.succeed('POST', target, body, { nonce: 'same' });
  assert.equal(await claimsIn(off), 0);
});
