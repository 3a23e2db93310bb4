import assert from 'node:assert/strict';
import crypto, { createHash, createHmac } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { after, type TestContext, test } from 'node:test';
import { operations } from '@fieldroster/contract';
import { applications, type Overrides, startTestServer } from '../../../test/test-server.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type Call, noBody } from '../call.ts';
import { FailedCall } from '../failures/failed-call.ts';
import { MismatchHelp } from '../failures/mismatch-help.ts';
import { verifyHeaders, verifySignature } from './verify-signature.ts';

const server = await startTestServer();
const based = await startTestServer({ settings: { basePath: '/api/v1' } });
after(() => Promise.all([server.close(), based.close()]));

const id = await server.createUser('signed');
const stranger = { appId: 'nobody', appSecret: 'x' };
const forger = { appId: applications.main.appId, appSecret: 'wrong' };

/** Signs by the text of the interface document, without the signing library. */
function signByHand(secret: string, ...lines: readonly string[]): string {
  return createHmac('sha256', secret).update(lines.join('\n')).digest('base64');
}

test('a request signed by hand, with the MD5 of the body sent, is accepted', async () => {
  const body = '{ "username":"by\\u002ehand" ,\n "password":"p"}';
  const md5 = createHash('md5').update(body).digest('base64');
  const timestamp = String(server.nowSeconds);
  const { appId, appSecret } = applications.main;
  const signature = signByHand(appSecret, 'POST', md5, timestamp, 'n0nce', '/user');
  const headers = { Authorization: `cbs:${appId}:${signature}`, Timestamp: timestamp, Nonce: 'n0nce' };
  const { envelope } = await server.send({ method: 'POST', target: '/user', headers, body });
  assert.equal(envelope.code, 0, envelope.message);
  assert.equal((envelope.data as { username: string }).username, 'by.hand');
});

test('a query is signed sorted by name and decoded, even if it is sent unsorted and encoded', async () => {
  const timestamp = String(server.nowSeconds);
  const { appId, appSecret } = applications.main;
  const resource = `/user?a=x y&a-b=1&user_id=${id}&username=signed&字=é`;
  const signature = signByHand(appSecret, 'GET', timestamp, 'n', resource);
  const target = `/user?%E5%AD%97=%c3%a9&username=%73igned&user_id=${id}&a-b=1&a=x%20y`;
  const headers = { Authorization: `cbs:${appId}:${signature}`, Timestamp: timestamp, Nonce: 'n' };
  const { envelope } = await server.send({ method: 'GET', target, headers });
  assert.equal(envelope.code, 0, envelope.message);
});

test('the base path is part of what is signed', async () => {
  const { appId, appSecret } = applications.main;
  const timestamp = String(based.nowSeconds);
  const send = (resource: string) => {
    const signature = signByHand(appSecret, 'GET', timestamp, 'n', resource);
    const headers = { Authorization: `cbs:${appId}:${signature}`, Timestamp: timestamp, Nonce: 'n' };
    return based.send({ method: 'GET', target: '/api/v1/user?username=nobody', headers });
  };
  assert.equal((await send('/api/v1/user?username=nobody')).envelope.code, 1101);
  assert.equal((await send('/user?username=nobody')).envelope.code, 1014);
});

test('an operation is found only below the base path', async () => {
  assert.equal((await based.send({ method: 'GET', target: '/user' })).envelope.code, 1005);
});

/** Every fault that a request can have, in the order in which they are reported. */
const faults: readonly (readonly [code: number, overrides: Overrides])[] = [
  [1011, { headers: { Timestamp: 'soon' } }],
  [1013, { as: stranger }],
  [1012, { timestampSeconds: server.nowSeconds - 61 }],
  [1014, { as: forger }],
];

test('the first of several faults is reported: headers, application, timestamp, signature', async () => {
  for (const [index, [code]] of faults.entries()) {
    const overrides = Object.assign(
      {},
      ...faults
        .slice(index)
        .toReversed()
        .map(([, each]) => each),
    );
    const answer = await server.call('POST', '/user', '{}', overrides);
    assert.equal(answer.envelope.code, code);
  }
});

/** Makes a call whose signature is for another string. */
function callOf(target: string, signed: string, host?: string): Call {
  const { appId, appSecret } = applications.main;
  return {
    key: 'queryUser',
    operation: operations.queryUser,
    requestId: 'r',
    method: 'GET',
    target,
    host,
    address: undefined,
    authorization: `cbs:${appId}:${signByHand(appSecret, signed)}`,
    timestamp: String(server.nowSeconds),
    nonce: 'n',
    contentType: undefined,
    contentEncoding: undefined,
    disconnectSignal: () => AbortSignal.any([]),
  };
}

test('the headers are checked without a body, and name the application', () => {
  const call = callOf('/user', 'another text');
  const parts = { applications: server.app.applications, database: server.database };
  assert.equal(verifyHeaders(call, parts, server.nowMs), applications.main.appId);
  for (const [code, headers] of [
    [1011, { nonce: undefined }],
    [1013, { authorization: 'cbs:nobody:x' }],
    [1012, { timestamp: String(server.nowSeconds - 61) }],
  ] as const) {
    assert.throws(
      () => verifyHeaders({ ...call, ...headers }, parts, server.nowMs),
      (thrown) => (FailedCall.of(thrown).cause as ApiError).code === code,
    );
  }
});

/** Returns what is known of the caller whose signature is refused. */
function refusedCaller(call: Call) {
  const { app, database } = server;
  const parts = { applications: app.applications, database, help: new MismatchHelp(() => 0) };
  try {
    verifySignature(call, noBody, parts, { arrivedAtMs: server.nowMs });
  } catch (thrown) {
    return FailedCall.of(thrown).caller;
  }
  throw new TypeError('the signature is right');
}

/** Counts the hashes and HMACs that Node.js computes while a call is verified or refused. */
function cryptographyOf(t: TestContext, call: Call): number[] {
  const parts = { applications: server.app.applications, database: server.database };
  const spies = (['hash', 'createHmac'] as const).map((name) => t.mock.method(crypto, name));
  syncBuiltinESMExports();
  try {
    verifySignature(
      call,
      noBody,
      { ...parts, help: new MismatchHelp(() => 0) },
      { arrivedAtMs: server.nowMs },
    );
  } catch {
    // Only the work matters.
  }
  const counts = spies.map((spy) => spy.mock.callCount());
  for (const spy of spies) spy.mock.restore();
  syncBuiltinESMExports();
  return counts;
}

test('an unknown application takes the same hashes as a known one, so that time does not tell them apart', (t) => {
  const known = callOf('/user', `GET\n${server.nowSeconds}\nn\n/user`);
  const unknown = { ...known, authorization: 'cbs:nobody:x' };
  assert.deepEqual(cryptographyOf(t, known), [2, 0]);
  assert.deepEqual(cryptographyOf(t, unknown), [2, 0]);
});

test('an operator may see the string to sign of a refused call, with its cause', () => {
  const right = `GET\n${server.nowSeconds}\nn\n/user`;
  const caller = refusedCaller(callOf('/user', `${right}\n`));
  assert.equal(caller.appId, applications.main.appId);
  const { cause, stringsToSign } = caller.describeMismatch?.() ?? {};
  assert.deepEqual(stringsToSign, [right]);
  assert.match(cause ?? '', /^a line feed follows the last line/);
});

test('an empty Host header is no part of what may have been signed', () => {
  const signed = `GET\n${server.nowSeconds}\nn\nhttp:///user`;
  assert.equal(refusedCaller(callOf('/user', signed, '')).describeMismatch?.().cause, undefined);
});

test('undecodable percent-encoding is reported after the timestamp and before the signature', async () => {
  const target = '/user?username=%zz';
  const send = (overrides: Overrides) =>
    server.call('GET', target, undefined, { signedTarget: '/user', ...overrides });
  const late = { timestampSeconds: server.nowSeconds + 61 };
  assert.equal((await send({ headers: { Nonce: undefined } })).envelope.code, 1011);
  assert.equal((await send({ as: stranger })).envelope.code, 1013);
  assert.equal((await send(late)).envelope.code, 1012);
  assert.equal((await send({ as: forger })).envelope.code, 1001);
  assert.equal((await send({ as: applications.reader })).envelope.code, 1001);
});

test('the scope is checked after the signature and before the body', async () => {
  const body = 'not JSON';
  const headers = { 'Content-Type': 'text/plain' };
  const { reader } = applications;
  const send = (overrides: Overrides) => server.call('POST', '/user', body, { headers, ...overrides });
  const wrong = { appId: reader.appId, appSecret: 'wrong' };
  assert.equal((await send({ as: wrong })).envelope.code, 1014);
  assert.equal((await send({ as: reader })).envelope.code, 1016);
  assert.equal((await send({})).envelope.code, 1003);
  assert.equal((await server.call('POST', '/user', body)).envelope.code, 1002);
  assert.equal((await server.call('POST', '/user', '{}')).envelope.code, 1001);
});

test('1016 names the scope that is missing', async () => {
  await server.refuse(1016, /create-user needs the scope write.*app-reader.*scope read/, [
    'POST',
    '/user',
    {},
    { as: applications.reader },
  ]);
});

test('a timestamp 60 seconds away is accepted, 61 seconds away it is 1012, on both sides', async () => {
  const target = `/user?user_id=${id}`;
  for (const seconds of [-60, -59, 0, 59, 60]) {
    await server.succeed('GET', target, undefined, { timestampSeconds: server.nowSeconds + seconds });
  }
  const now = server.nowSeconds;
  await server.refuse(1012, new RegExp(`^Timestamp ${now - 61} is 61 seconds behind .*${now};.* 60 `), [
    'GET',
    target,
    undefined,
    { timestampSeconds: now - 61 },
  ]);
  await server.refuse(1012, new RegExp(`^Timestamp ${now + 61} is 61 seconds ahead of .*${now};`), [
    'GET',
    target,
    undefined,
    { timestampSeconds: now + 61 },
  ]);
});

test('a request ages with the clock: accepted at 60 seconds, refused at 61', async () => {
  const timestampSeconds = server.nowSeconds;
  server.nowMs += 60_999 - (server.nowMs % 1000);
  await server.succeed('GET', `/user?user_id=${id}`, undefined, { timestampSeconds });
  server.nowMs += 1;
  await server.refuse(1012, /61 seconds behind/, [
    'GET',
    `/user?user_id=${id}`,
    undefined,
    { timestampSeconds },
  ]);
});

test('a timestamp in milliseconds is 1012, and the message says so', async () => {
  const { message } = (
    await server.call('GET', `/user?user_id=${id}`, undefined, { timestampSeconds: server.nowMs })
  ).envelope;
  assert.match(message, /looks like milliseconds, send seconds$/);
  const other = await server.call('GET', '/user', undefined, { timestampSeconds: server.nowSeconds - 90 });
  assert(!other.envelope.message.includes('milliseconds'));
});

test('a timestamp is taken for milliseconds or microseconds up to a day from now, and for local time at whole hours', async () => {
  const messageAt = async (timestampSeconds: number) =>
    (await server.call('GET', '/user', undefined, { timestampSeconds })).envelope.message;
  const now = server.nowSeconds;
  const clockAdvice =
    /are accepted; sign right before you send, and keep the clock of your machine set by NTP$/;
  assert.match(await messageAt((now - 86_399) * 1000), /milliseconds, send seconds$/);
  assert.match(await messageAt((now - 86_400) * 1000), clockAdvice);
  assert.match(await messageAt((now - 86_399) * 1_000_000), /microseconds, send seconds$/);
  for (const hours of [-8, 8]) {
    assert.match(
      await messageAt(now + hours * 3600),
      /are accepted; 8 hours look like a time zone: send seconds/,
    );
  }
  assert.match(await messageAt(now + 3600), /are accepted; 1 hour looks like a time zone: send seconds/);
  assert.match(await messageAt(now + 1000), clockAdvice);
});

test('a timestamp that is a date in digits is 1012, and the message says so', async () => {
  const year = new Date(server.nowMs).getUTCFullYear();
  const messageAt = async (digits: string) =>
    (await server.call('GET', '/user', undefined, { timestampSeconds: Number(digits) })).envelope.message;
  const advice = /accepted; it looks like a date and a time in digits, send seconds since 1970-01-01 UTC$/;
  for (const digits of [`${year}0131`, `${year + 1}01312359`, `${year - 1}1231235959`])
    assert.match(await messageAt(digits), advice);
  for (const digits of [`${year}0031`, `${year}1331`, `${year + 2}0131`, `${year - 2}0131`, `${year}01311`])
    assert.match(await messageAt(digits), /set by NTP$/);
});

test('a write that comes too late is told to check what became of an earlier attempt', async () => {
  const messageOf = async (method: string, timestampSeconds: number) =>
    (await server.call(method, '/user', undefined, { timestampSeconds })).envelope.message;
  const advice = /by NTP; if this is a second attempt, first check whether the earlier one took effect$/;
  const now = server.nowSeconds;
  for (const method of ['POST', 'PUT', 'DELETE']) {
    assert.match(await messageOf(method, now - 61), advice);
    assert.match(await messageOf(method, now + 61), /set by NTP$/);
  }
  assert.match(await messageOf('GET', now - 61), /set by NTP$/);
  const late =
    /not local time; if this is a second attempt, first check whether the earlier one took effect$/;
  for (const seconds of [3_600, 3_650, 28_800]) {
    assert.match(await messageOf('POST', now - seconds), late);
    assert.match(await messageOf('POST', now + seconds), /not local time$/);
    assert.match(await messageOf('GET', now - seconds), /not local time$/);
  }
});

test("a server that is not ready because of its clock leaves a request that is in time by the database's to others", async () => {
  let aheadMs: number | undefined;
  const own = await startTestServer({
    wrapDatabase: (database) => {
      database.claims.clockDifferenceMs = () => aheadMs;
      return database;
    },
  });
  const answerAt = async (method: string, timestampSeconds: number, body?: object) => {
    const { status, headers, envelope } = await own.call(method, '/user', body, { timestampSeconds });
    return { status, retryAfter: headers['retry-after'], ...envelope };
  };
  const messageAt = async (timestampSeconds: number) => {
    const { status, code, message } = await answerAt('GET', timestampSeconds);
    assert.deepEqual([status, code], [200, 1012]);
    return message;
  };
  const now = own.nowSeconds;
  const unready = (clock: string) => ({
    status: 503,
    retryAfter: '1',
    code: 1503,
    message: `the server's clock is ${clock} its database's, so it cannot tell whether the request is in time; send it again, which may reach another server, and tell the server's operator`,
  });
  aheadMs = 3_600_000;
  assert.deepEqual(await answerAt('GET', now - 3600), unready('3600 seconds ahead of'));
  assert.deepEqual(await answerAt('POST', now - 3590, {}), unready('3600 seconds ahead of'));
  assert.match(await messageAt(now + 3600), /1 hour looks like a time zone/, 'both disagree with it');
  aheadMs = -90_400;
  assert.deepEqual(await answerAt('GET', now + 90), unready('90 seconds behind'));
  for (aheadMs of [15_000, 30_000])
    assert.ok(
      (await messageAt(now - 70)).endsWith(
        `are accepted; the server's clock is ${aheadMs / 1000} seconds ahead of its database's, so it may be the wrong one: if yours is right, tell the server's operator`,
      ),
    );
  assert.match(await messageAt(now - 7200), /2 hours look like a time zone/, 'wrong by either clock');
  assert.match(await messageAt(now * 1000), /it looks like milliseconds, send seconds/);
  assert.match(await messageAt(now - 259_200), /are accepted; sign right before you send, /);
  for (aheadMs of [undefined, 0, 10_000])
    assert.match(await messageAt(now - 70), /are accepted; sign right before you send, /);
  await own.close();
});

test('a host of 255 characters is tried as a part of what was signed, a longer or an empty one is not', async () => {
  const { appId, appSecret } = applications.main;
  const timestamp = String(server.nowSeconds);
  const messageFor = async (Host: string) => {
    const signature = signByHand(appSecret, 'GET', timestamp, 'n', `http://${Host}/user`);
    const headers = { Host, Authorization: `cbs:${appId}:${signature}`, Timestamp: timestamp, Nonce: 'n' };
    return (await server.send({ method: 'GET', target: '/user', headers })).envelope.message;
  };
  const hostSigned = /likely cause: the scheme or the host was signed/;
  assert.match(await messageFor('h'.repeat(255)), hostSigned);
  for (const host of ['h'.repeat(256), '']) assert.doesNotMatch(await messageFor(host), hostSigned);
});

test('the log shows the whole APPID of an application that exists', async () => {
  const answer = await server.call('GET', '/user', undefined, { as: forger });
  const line = server.logLines
    .map((each) => JSON.parse(each))
    .find(({ request_id }) => request_id === answer.requestId);
  assert.equal(line.app_id, forger.appId);
});

const malformed: readonly (readonly [
  label: string,
  headers: Record<string, string | undefined>,
  message: RegExp,
])[] = [
  ['no Authorization', { Authorization: undefined }, /^the Authorization header is missing/],
  ['another scheme', { Authorization: 'Bearer x' }, /^the Authorization header must start with cbs:/],
  [
    'the prefix in capitals',
    { Authorization: 'CBS:a:b' },
    /^the Authorization header must start with cbs: in lower case/,
  ],
  ['two parts', { Authorization: 'cbs:a' }, /^the Authorization header has 2 parts/],
  ['spaces around a colon', { Authorization: 'cbs: a:b' }, /^the Authorization header contains white space/],
  ['no Timestamp', { Timestamp: undefined }, /^the Timestamp header is missing/],
  ['a Timestamp with a sign', { Timestamp: '+1768478400' }, /^the Timestamp header/],
  ['a Timestamp with a fraction', { Timestamp: '1768478400.0' }, /^the Timestamp header/],
  ['a Timestamp in hexadecimal', { Timestamp: '0x6968' }, /^the Timestamp header/],
  ['an empty Timestamp', { Timestamp: '' }, /^the Timestamp header/],
  ['no Nonce', { Nonce: undefined }, /^the Nonce header is missing/],
  ['an empty Nonce', { Nonce: '' }, /^the Nonce header is empty/],
  ['a Nonce of 37 characters', { Nonce: 'n'.repeat(37) }, /^the Nonce header has 37 characters/],
];

for (const [label, headers, message] of malformed) {
  test(`${label} is 1011 and the message says what is wrong`, async () => {
    await server.refuse(1011, message, ['GET', `/user?user_id=${id}`, undefined, { headers }]);
  });
}

test('nonces of 1 and of 36 characters are accepted, ASCII or not', async () => {
  for (const nonce of ['n', 'n'.repeat(36), '名'.repeat(36), 'A1b2C3d4E5']) {
    await server.succeed('GET', `/user?user_id=${id}`, undefined, { nonce });
  }
});

test('1013 and the log show the beginning of the APPID, never as much as half, because it may be a secret', async () => {
  await server.refuse(1013, /^the application "nob…" is unknown or revoked; check the APPID$/, [
    'GET',
    '/user',
    undefined,
    { as: stranger },
  ]);
  const as = { ...stranger, appId: 'ab\u200bcdefgh' };
  await server.refuse(1013, /^the application "ab\\u200bc…" is/, ['GET', '/user', undefined, { as }]);
  const { appId, appSecret } = applications.main;
  const swapped = { appId: appSecret, appSecret: appId };
  const { envelope } = await server.call('GET', '/user', undefined, { as: swapped });
  const shown = `${appSecret.slice(0, 8)}…`;
  assert.equal(envelope.message, `the application "${shown}" is unknown or revoked; check the APPID`);
  const line = server.logLines.at(-1) ?? '';
  assert.equal(JSON.parse(line).app_id, shown);
  assert(!line.includes(appSecret.slice(0, 9)), line);
});

test("1014 carries the server's string to sign as a JSON string, and no part of a signature", async () => {
  const body = '{"username":"u","password":"p"}';
  const overrides = { as: forger, nonce: 'no"nce' };
  const { envelope } = await server.refuse(1014, /./, ['POST', '/user', body, overrides]);
  const md5 = createHash('md5').update(body).digest('base64');
  const string = `POST\n${md5}\n${server.nowSeconds}\nno"nce\n/user`;
  assert.equal(
    envelope.message,
    `the signature does not match; the server's StringToSign is ${JSON.stringify(string)}; if your string has another Content-MD5, the body was changed after you signed it (the one that arrived has ${Buffer.byteLength(body)} bytes): sign the bytes that you send; if the string that you signed is the same, you signed with another APPSECRET, or with one that a rotation has ended`,
  );
  const expected = signByHand(applications.main.appSecret, string);
  assert(!envelope.message.includes(expected.slice(0, 8)));
});

test('1014 for a GET has four lines, without an MD5', async () => {
  const { envelope } = await server.call('GET', '/user?b=2&a=%31', undefined, { as: forger, nonce: 'n' });
  const string = `GET\n${server.nowSeconds}\nn\n/user?a=1&b=2`;
  assert(envelope.message.includes(`is ${JSON.stringify(string)}; if`), envelope.message);
});

test('1014 for a query with a plus sign has both readings', async () => {
  const { envelope } = await server.call('GET', '/user?username=a+b', undefined, { as: forger, nonce: 'n' });
  const string = (value: string) => JSON.stringify(`GET\n${server.nowSeconds}\nn\n/user?username=${value}`);
  assert(envelope.message.includes(string('a b')), envelope.message);
  assert(envelope.message.includes(string('a+b')), envelope.message);
});

test('1014 for a query with an encoded name and a plus sign has all four readings, each described', async () => {
  const target = '/user?user%6Eame=a+b';
  const { envelope } = await server.call('GET', target, undefined, { as: forger, nonce: 'n' });
  const string = (query: string) => JSON.stringify(`GET\n${server.nowSeconds}\nn\n/user?${query}`);
  const readings = [
    string('username=a b'),
    `, or with + kept in the query ${string('username=a+b')}`,
    `, or with parameter names as they stand in the URL ${string('user%6Eame=a b')}`,
    `, or with parameter names as they stand in the URL and + kept in the query ${string('user%6Eame=a+b')}; if`,
  ];
  assert(envelope.message.includes(readings.join('')), envelope.message);
});

test('a name is read as it was signed: decoded, or as it appears in the URL, and then unknown', async () => {
  await server.succeed('GET', `/user?user%5Fid=${id}`);
  const timestamp = String(server.nowSeconds);
  const { appId, appSecret } = applications.main;
  const signedAsSent = async (target: string, resource = target) => {
    const signature = signByHand(appSecret, 'GET', timestamp, 'n', resource);
    const headers = { Authorization: `cbs:${appId}:${signature}`, Timestamp: timestamp, Nonce: 'n' };
    const { envelope } = await server.send({ method: 'GET', target, headers });
    return `${envelope.code} ${envelope.message}`;
  };
  assert.equal(
    await signedAsSent(`/user?user%5Fid=${id}`),
    '1001 user_id or username is required; here the id is sent as user_id, not as id',
  );
  assert.equal(await signedAsSent(`/user?n%61me=%C3%A9&user_id=${id}`, `/user?n%61me=é&user_id=${id}`), '0 ');
  assert.match(await signedAsSent('/users?departm%65nt=X'), /^1001 .*"departm%65nt" is not known/);
});

test('a cached answer to a target with an encoded name is not reused for a signature of another reading', async () => {
  const target = '/users?departm%65nt=nowhere';
  for (let round = 0; round < 3; round += 1) await server.succeed('GET', target);
  const { appId, appSecret } = applications.main;
  const timestamp = String(server.nowSeconds);
  const signature = signByHand(appSecret, 'GET', timestamp, 'n', target);
  const headers = { Authorization: `cbs:${appId}:${signature}`, Timestamp: timestamp, Nonce: 'n' };
  const { envelope } = await server.send({ method: 'GET', target, headers });
  assert.equal(envelope.code, 1001, envelope.message);
});

test('a name with "=", "&" or a control character is 1001, before the signature is checked', async () => {
  for (const name of ['department%3DX%26search', 'a%26b', '%3D', 'a%0Ab', 'a%C2%85']) {
    const target = `/user?user_id=${id}&${name}=1`;
    await server.refuse(1001, /^a parameter name has "=", "&" or a control character/, [
      'GET',
      target,
      undefined,
      { as: forger, signedTarget: '/user' },
    ]);
  }
});

test('every part of a request is covered by its signature', async () => {
  const target = `/user?user_id=${id}`;
  const changed: readonly Overrides[] = [
    { signedTarget: '/user' },
    { signedTarget: `/user?user_id=${id}&x=1` },
    { signedTarget: `/user?user_id=${id + 1}` },
    { signedMethod: 'PUT' },
    { headers: { Timestamp: String(server.nowSeconds - 1) } },
    { headers: { Nonce: 'another' } },
    { signedBody: '{}' },
  ];
  for (const overrides of changed) await server.refuse(1014, /./, ['GET', target, undefined, overrides]);
  const body = '{"id":1}';
  await server.refuse(1014, /./, ['PUT', '/user', body, { signedBody: '{"id":2}' }]);
  await server.refuse(1014, /./, ['PUT', '/user', body, { signedBody: '' }]);
});

test('a signature in another form of Base64 does not match', async () => {
  const { headers } = server.sign('GET', `/user?user_id=${id}`);
  const forms = [
    headers.Authorization.replace(/=$/, ''),
    headers.Authorization.replace(/(.)=$/, (_, last) => `${last === 'A' ? 'B' : 'A'}=`),
    `${headers.Authorization}=`,
  ];
  for (const Authorization of forms) {
    await server.refuse(1014, /./, [
      'GET',
      `/user?user_id=${id}`,
      undefined,
      { headers: { ...headers, Authorization } },
    ]);
  }
});

test('a Content-MD5 header is not needed and not read', async () => {
  const headers = { 'Content-MD5': 'bm90IHRoZSBkaWdlc3Q=' };
  await server.succeed('PUT', '/user', { id, nickname: 'N' }, { headers });
});

test('with a plus sign in the query, the reading that was signed is executed', async () => {
  const spaced = await server.createUser('plus sign');
  const kept = await server.createUser('plus+sign');
  const ask = async (target: string, plus: 'space' | 'literal') => {
    const { envelope } = await server.succeed('GET', target, undefined, { plus });
    return (envelope.data as { id: number }).id;
  };
  assert.equal(await ask('/user?username=plus+sign', 'space'), spaced);
  assert.equal(await ask('/user?username=plus+sign', 'literal'), kept);
  assert.equal(await ask('/user?username=plus%2Bsign', 'space'), kept);
  assert.equal(await ask('/user?username=plus%20sign', 'literal'), spaced);
});

test('parameters that the operation does not know are signed and ignored, repeated ones too', async () => {
  const target = `/user?name=x&user_id=${id}&name=y&flag&&empty=`;
  await server.succeed('GET', target);
  await server.refuse(1014, /./, ['GET', target, undefined, { signedTarget: `/user?user_id=${id}` }]);
});

test('a bare question mark counts as no query', async () => {
  await server.succeed('PUT', '/user?', { id, nickname: 'N' }, { signedTarget: '/user' });
});

test('a GET with a content type and no body is accepted, as deployed clients send it', async () => {
  const headers = { 'Content-Type': 'application/json' };
  await server.succeed('GET', `/user?user_id=${id}`, undefined, { headers });
  await server.succeed('GET', `/user?user_id=${id}`, undefined, {
    headers: { ...headers, 'Content-Length': '0' },
  });
});

test('a GET or DELETE with a body signs the body and does not use it', async () => {
  await server.succeed('GET', `/user?user_id=${id}`, '{"user_id":99}');
  await server.refuse(1014, /./, ['GET', `/user?user_id=${id}`, '{"user_id":99}', { signedBody: '' }]);
  const bound = await server.createUser('body.on.delete', { store_codes: ['S001'] });
  const target = `/user/store?user_id=${bound}&store_code=S001`;
  await server.refuse(1014, /./, ['DELETE', target, 'x', { signedBody: '' }]);
  await server.succeed('DELETE', target, 'any bytes', { headers: { 'Content-Type': 'text/plain' } });
});

test('a POST with no bytes signs the MD5 of nothing and is then refused for its empty body', async () => {
  await server.refuse(1002, /^the body is empty/, ['POST', '/user', '']);
  const md5 = '1B2M2Y8AsgTpgAmY7PhCfg==';
  const { envelope } = await server.call('POST', '/user', '', { as: forger });
  assert(envelope.message.includes(`POST\\n${md5}\\n`), envelope.message);
});

test('the order of the headers and the case of their names do not matter', async () => {
  const { Authorization, Timestamp, Nonce } = server.sign('GET', `/user?user_id=${id}`).headers;
  const headers = { nonce: Nonce, TIMESTAMP: Timestamp, authorization: Authorization };
  const { envelope } = await server.send({ method: 'GET', target: `/user?user_id=${id}`, headers });
  assert.equal(envelope.code, 0);
});
