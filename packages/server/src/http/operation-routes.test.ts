import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codesOf, limits, operations } from '@fieldroster/contract';
import { answerToStalledBody } from '../../test/stalled-body.ts';
import { type Answer, applications, startTestServer, type TestServer } from '../../test/test-server.ts';
import { ApiError } from '../errors/api-error.ts';
import { BusyError } from '../errors/busy-error.ts';
import { TarPit } from '../fairness/tar-pit.ts';
import { Logger } from '../logging/logger.ts';
import { largestBodyBytes, operationBodyLimit } from './body/body-limits.ts';
import { SmallBodies } from './body/small-bodies.ts';
import { Admission, createAdmission } from './limits/admission.ts';
import { RefusalPace } from './limits/refusal-pace.ts';
import { addOperationRoutes } from './operation-routes.ts';

const warnings: NodeJS.ErrnoException[] = [];
const noteWarning = (warning: Error) => warnings.push(warning);
process.on('warning', noteWarning);

const compatible = await startTestServer({ settings: { bodyBytesMax: 2048, rateLimit: 50 }, lockWaitMs: 20 });
const standard = await startTestServer({
  settings: { httpStatus: 'standard', bodyBytesMax: 2048, rateLimit: 50 },
  lockWaitMs: 20,
});
const modes = { compatible, standard };
const delaysMs: number[] = [];
/** Its database stays whole. */
const sound = await startTestServer({
  waitToRefuse: async (ms) => {
    delaysMs.push(ms);
  },
});
after(() => {
  process.off('warning', noteWarning);
  return Promise.all([compatible.close(), standard.close(), sound.close()]);
});

const forger = { appId: applications.main.appId, appSecret: 'wrong' };
const stranger = { appId: 'nobody', appSecret: 'x' };

/** One request for each code that can be answered. 1500 comes last, because it breaks the database. */
const provocations: Readonly<Record<number, (server: TestServer) => Promise<Answer>>> = {
  1001: (server) => server.call('GET', '/user'),
  1002: (server) => server.call('POST', '/user', '[]'),
  1003: (server) => server.call('POST', '/user', '{}', { headers: { 'Content-Type': 'text/plain' } }),
  1004: (server) => server.call('POST', '/user', 'x'.repeat(2049)),
  1005: (server) => server.call('GET', '/people'),
  1006: (server) => server.call('PATCH', '/user'),
  1011: (server) => server.call('GET', '/user', undefined, { headers: { Nonce: undefined } }),
  1012: (server) => server.call('GET', '/user', undefined, { timestampSeconds: 1 }),
  1013: (server) => server.call('GET', '/user', undefined, { as: stranger }),
  1014: (server) => server.call('GET', '/user', undefined, { as: forger }),
  1015: async (server) => {
    const request = ['POST', '/user/stores', { username: 'twice' }, { nonce: 'twice' }] as const;
    await server.succeed(...request);
    return server.call(...request);
  },
  1016: (server) => server.call('POST', '/user', {}, { as: applications.reader }),
  1017: async (server) => {
    const id = await server.createUser('changed');
    return server.call('PUT', '/user', { id, if_revision: 4711 });
  },
  1101: (server) => server.call('GET', '/user?user_id=4711'),
  1102: async (server) => {
    await server.createUser('taken');
    return server.call('POST', '/user', { username: 'taken', password: 'p' });
  },
  1103: async (server) => {
    const id = await server.createUser('one');
    return server.call('GET', `/user?user_id=${id}&username=two`);
  },
  1104: (server) => checkPassword(server, 'wrong'),
  1105: async (server) => {
    const id = await server.createUser('gone.away', { password: 'right' });
    await server.succeed('PUT', '/user/status', { id, status: 'disabled' });
    return checkPassword(server, 'right');
  },
  1201: async (server) => {
    const user_id = await server.createUser('unbound');
    return server.call('POST', '/user/role', { user_id, role_id: 4711 });
  },
  1202: async (server) => {
    const id = await server.createUser('unbound');
    return server.call('DELETE', `/user/role?user_id=${id}&role_id=7`);
  },
  1203: async (server) => {
    const user_id = await server.createUser('bound');
    await server.succeed('POST', '/user/role', { user_id, role_id: 7 });
    return server.call('DELETE', '/role?id=7');
  },
  1204: (server) => server.call('POST', '/role', { id: 7, name: 'N' }),
  1301: async (server) => {
    const user_id = await server.createUser('unbound');
    return server.call('POST', '/user/org', { user_id, org_id: 4711 });
  },
  1302: async (server) => {
    const id = await server.createUser('unbound');
    return server.call('DELETE', `/user/org?user_id=${id}&org_id=1`);
  },
  1303: (server) => server.call('DELETE', '/org?id=1'),
  1304: (server) => server.call('POST', '/org', { id: 1, name: 'N' }),
  1305: (server) => server.call('PUT', '/org', { id: 1, parent_id: 1 }),
  1401: (server) => server.call('POST', '/user/stores', { username: 'x', store_codes: ['none'] }),
  1402: async (server) => {
    const id = await server.createUser('unbound');
    return server.call('DELETE', `/user/store?user_id=${id}&store_code=S001`);
  },
  1403: async (server) => {
    await server.createUser('bound', { store_codes: ['S001'] });
    return server.call('DELETE', '/store?code=S001');
  },
  1404: (server) => server.call('POST', '/store', { code: 'S001', name: 'N' }),
  1429: async (server) => {
    for (let count = 0; count < 50; count += 1) await server.call('GET', '/user?user_id=1');
    const answer = await server.call('GET', '/user?user_id=1');
    server.nowMs += 1000;
    return answer;
  },
  1503: (server) => server.whileLocked(() => server.call('POST', '/user/stores', { username: 'x' })),
  1500: async (server) => {
    await server.breakDatabase();
    return server.call('GET', '/user?user_id=1');
  },
};

function checkPassword(server: TestServer, password: string): Promise<Answer> {
  return server.call('POST', '/user/password/check', { username: 'gone.away', password });
}

const inOrder = Object.keys(provocations)
  .map(Number)
  .sort((a, b) => (a === 1500 || b === 1500 ? Number(a === 1500) - Number(b === 1500) : a - b));

const statusesOfTheTransport: Readonly<Record<number, number>> = {
  1004: 413,
  1005: 404,
  1006: 405,
  1429: 429,
  1500: 500,
  1503: 503,
};

const standardStatuses: Readonly<Record<number, number>> = {
  1001: 400,
  1002: 400,
  1003: 415,
  1004: 413,
  1005: 404,
  1006: 405,
  1011: 401,
  1012: 401,
  1013: 401,
  1014: 401,
  1015: 409,
  1016: 403,
  1017: 409,
  1101: 404,
  1102: 409,
  1103: 409,
  1104: 401,
  1105: 403,
  1201: 404,
  1202: 409,
  1203: 409,
  1204: 409,
  1301: 404,
  1302: 409,
  1303: 409,
  1304: 409,
  1305: 409,
  1401: 404,
  1402: 409,
  1403: 409,
  1404: 409,
  1429: 429,
  1500: 500,
  1503: 503,
};

test('a success has the status 200 in both modes, and every documented header', async () => {
  for (const server of Object.values(modes)) {
    await server.createUser('successful');
    const answer = await server.succeed('GET', '/user?username=successful');
    assertHeaders(answer);
    assert.equal(answer.headers['retry-after'], undefined);
    const write = await server.succeed('POST', '/user/stores', { username: 'written' });
    assert.equal(write.headers.etag, undefined, 'only what may be kept has a tag');
  }
});

test('every code that an operation or the transport may answer is provoked here', () => {
  const declared = Object.values(operations).flatMap((operation) => codesOf(operation));
  const codes = new Set<number>([1005, 1006, ...declared]);
  assert.deepEqual([...codes].sort(), Object.keys(provocations).map(Number).sort());
});

for (const [mode, server] of Object.entries(modes)) {
  for (const code of inOrder) {
    const status = mode === 'standard' ? standardStatuses[code] : (statusesOfTheTransport[code] ?? 200);
    test(`${code} has the HTTP status ${status} where statuses are ${mode}`, async () => {
      const answer = await provoke(code, server);
      assert.equal(answer.envelope.code, code, answer.text);
      assert.equal(answer.status, status);
      assert.deepEqual(Object.keys(answer.envelope), ['code', 'message']);
      assert.notEqual(answer.envelope.message, '');
      assertHeaders(answer);
      const waits = code === 1429 || code === 1503;
      assert.equal(answer.headers['retry-after'], waits ? '1' : undefined);
    });
  }
}

test('an internal error names the request id and nothing else; the log holds the cause', async () => {
  const answer = await compatible.call('GET', '/user?user_id=1');
  const { message } = answer.envelope;
  assert(message.includes(answer.requestId), message);
  const rest = message.replace(answer.requestId, '');
  assert.equal(rest, 'internal error; the operator can find its cause by the request id ');
  const line = compatible.logLines.find((each) => each.includes(`"${answer.requestId}"`)) ?? '';
  assert.match(JSON.parse(line).cause, compatible.faults.missingTable('user'));
});

test('no option or hook given to Fastify is deprecated', () => {
  assert.deepEqual(
    warnings.filter(({ code }) => code?.startsWith('FSTDEP')),
    [],
  );
});

test('every request has a different id', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => standard.send({ method: 'GET', target: '/user' })),
  );
  assert.equal(new Set(answers.map((answer) => answer.requestId)).size, 20);
});

test('a caller cannot set the request id', async () => {
  const answer = await standard.send({
    method: 'GET',
    target: '/user',
    headers: { 'X-Request-Id': 'forged', 'Request-Id': 'forged' },
  });
  assert.notEqual(answer.requestId, 'forged');
});

test('a refused write slows admission and its sender down, but a body refused before its signature is checked does not', async (t) => {
  const noteBusy = t.mock.method(Admission.prototype, 'noteBusy');
  delaysMs.length = 0;
  const write = () => sound.call('POST', '/user', '{"username": ');
  assert.equal((await write()).envelope.code, 1002);
  assert.deepEqual([noteBusy.mock.callCount(), delaysMs], [0, []]);
  t.mock.method(sound.database, 'refusesWritesOf', () => true);
  assert.equal((await write()).envelope.code, 1503);
  assert.deepEqual([noteBusy.mock.callCount(), delaysMs], [1, [50]]);
  t.mock.method(SmallBodies.prototype, 'take', () => {
    throw new ApiError(1503, 'too much at once');
  });
  assert.equal((await write()).envelope.code, 1503);
  assert.deepEqual([noteBusy.mock.callCount(), delaysMs], [1, [50]]);
});

test('a write that is refused while other refusals wait waits among them instead', async (t) => {
  const send = t.mock.method(RefusalPace.prototype, 'send');
  delaysMs.length = 0;
  t.mock.method(sound.database, 'refusesWritesOf', () => true);
  t.mock.getter(RefusalPace.prototype, 'heldCount', () => 1);
  assert.equal((await sound.call('POST', '/user', {})).envelope.code, 1503);
  assert.deepEqual([send.mock.callCount(), delaysMs], [1, []]);
});

test('a call that the database cannot answer is refused at once', async (t) => {
  delaysMs.length = 0;
  t.mock.method(sound.database, 'write', () => Promise.reject(new BusyError('locked')));
  const { envelope } = await sound.call('POST', '/user/stores', { username: 'unwritten' });
  assert.equal(envelope.code, 1503);
  assert.deepEqual(delaysMs, []);
});

test('each operation takes bodies as large as its limit, and a bulk operation none smaller than a batch', () => {
  const bulk = limits.bulkBodyBytesMax;
  for (const [batchBodyBytesMax, bulkMax] of [
    [200, bulk],
    [bulk + 1, bulk + 1],
  ] as const) {
    const settings = { bodyBytesMax: 100, batchBodyBytesMax };
    assert.equal(operationBodyLimit(operations.createUser, settings).bytesMax, 100);
    assert.equal(operationBodyLimit(operations.batchUpdateUserStores, settings).bytesMax, batchBodyBytesMax);
    assert.equal(operationBodyLimit(operations.batchUsers, settings).bytesMax, bulkMax);
    assert.equal(largestBodyBytes(settings), bulkMax);
  }
  assert.equal(largestBodyBytes({ bodyBytesMax: bulk + 2, batchBodyBytesMax: 200 }), bulk + 2);
});

test('the answer of a bulk operation announces its length in bytes', async () => {
  const users = Array.from({ length: 3 }, (_, index) => ({ username: `bulk.${index}`, real_name: '张三' }));
  const answer = await sound.succeed('POST', '/users/batch', { users });
  assertHeaders(answer);
});

test('a call whose body arrives too slowly is the last one on its connection', async () => {
  const answer = await answerToStalledBody('/user', (app, parts) =>
    addOperationRoutes(app, {
      ...parts,
      settings: sound.settings,
      admission: createAdmission(sound.settings, new Logger('silent', () => {})),
      tarPit: new TarPit(),
      refusalPace: new RefusalPace({ heldMax: 1 }),
    }),
  );
  assert.match(answer, /\r\nconnection: close\r\n/i);
  assert.match(answer, /"code":1001,"message":"the body arrives too slowly/);
});

function provoke(code: number, server: TestServer): Promise<Answer> {
  const provocation = provocations[code];
  assert(provocation !== undefined);
  return provocation(server);
}

function assertHeaders({ headers, text }: Answer): void {
  assert.match(String(headers['x-request-id']), /^[0-9a-f]{12}-[0-9a-z]+$/);
  assert(!Number.isNaN(Date.parse(String(headers.date))), 'a Date header');
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.equal(headers['content-length'], String(Buffer.byteLength(text)));
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers.connection, 'keep-alive');
}
