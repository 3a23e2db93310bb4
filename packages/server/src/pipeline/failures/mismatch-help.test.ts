import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { queryParametersMax, secretKey, verifyRequest } from '@fieldroster/signing';
import { applications, startTestServer } from '../../../test/test-server.ts';
import { unfoldingBodies } from '../../../test/unfolding-bodies.ts';
import { MismatchHelp } from './mismatch-help.ts';

const server = await startTestServer();
after(() => server.close());

const { appId, appSecret } = applications.main;

function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

async function messageOf(signature: string, method = 'GET', target = '/user', body?: string | Uint8Array) {
  const headers = {
    Authorization: `cbs:${appId}:${signature}`,
    Timestamp: String(server.nowSeconds),
    Nonce: 'n',
  };
  const { envelope } = await server.send({ method, target, headers, ...(body !== undefined && { body }) });
  assert.equal(envelope.code, 1014);
  return envelope.message;
}

test('1014 ends with the likely cause, after the usual string to sign', async () => {
  const body = '{"username":"u"}';
  const hex = createHash('md5').update(body).digest('hex');
  const md5 = createHash('md5').update(body).digest('base64');
  const text = (digest: string) => `POST\n${digest}\n${server.nowSeconds}\nn\n/user`;
  assert.equal(
    await messageOf(sign(appSecret, text(hex)), 'POST', '/user', body),
    `the signature does not match; the server's StringToSign is ${JSON.stringify(text(md5))}; likely cause: ` +
      'Content-MD5 was signed as hexadecimal digits; ' +
      'sign the Base64 of the 16 raw bytes of the MD5 digest (24 characters)',
  );
});

test('1014 for a secret with a line feed says so and shows no part of the secret', async () => {
  const text = `GET\n${server.nowSeconds}\nn\n/user`;
  const message = await messageOf(sign(`${appSecret}\n`, text));
  assert.match(message, /likely cause: the secret was used with white space/);
  assert.ok(!message.includes(appSecret) && !message.includes(sign(appSecret, text).slice(0, 8)));
  assert.ok(!server.logLines.some((line) => line.includes(appSecret)));
});

test('1014 for a full URL signed as the resource says so, with or without TLS in front of the server', async () => {
  const target = '/user?b=x%20y&a=1';
  for (const scheme of ['http', 'https']) {
    const resource = `${scheme}://127.0.0.1:${server.port}${target}`;
    const text = `GET\n${server.nowSeconds}\nn\n${resource}`;
    const message = await messageOf(sign(appSecret, text), 'GET', target);
    assert.match(
      message,
      /likely cause: the scheme or the host was signed; sign the path and the query alone$/,
    );
  }
});

test('an unknown application gets no help, because there is nothing to compare with', async () => {
  const text = `GET\n${server.nowSeconds}\nn\n/user`;
  const headers = {
    Authorization: `cbs:nobody:${sign('', text)}`,
    Timestamp: String(server.nowSeconds),
    Nonce: 'n',
  };
  const { envelope } = await server.send({ method: 'GET', target: '/user', headers });
  assert.deepEqual([envelope.code, envelope.message.includes('likely cause')], [1013, false]);
});

test('a body is not parsed to find a cause, because its sender is not verified', async () => {
  const body = JSON.stringify({ text: 'x' });
  const otherwise = createHash('md5').update('{ "text": "x" }').digest('base64');
  const text = `POST\n${otherwise}\n${server.nowSeconds}\nn\n/user`;
  assert.ok(!(await messageOf(sign(appSecret, text), 'POST', '/user', body)).includes('likely cause'));
});

test('1014 names what happened to the body on its way, and unfolds no body without a bound', async () => {
  const sent = '{"username":"u","nickname":"n"}';
  const digest = createHash('md5').update(sent).digest('base64');
  const signature = () => sign(appSecret, `POST\n${digest}\n${server.nowSeconds}\nn\n/user`);
  const causes = [
    [gzipSync(sent), /likely cause: the body was compressed after it was signed/],
    [`\ufeff${sent}`, /likely cause: the body was sent with a byte order mark/],
    [`${sent}\n`, /likely cause: the body was signed with a line feed at its end and sent without it, or/],
    [
      'username=u&nickname=n',
      /likely cause: Content-MD5 is that of a JSON object, and the body was sent as a form/,
    ],
    [
      '{"username": "u", "nickname": "n"}',
      /likely cause: Content-MD5 is that of the same JSON written differently/,
    ],
  ] as const;
  for (const [body, cause] of causes)
    assert.match(await messageOf(signature(), 'POST', '/user', body), cause);
  const arrived = (what: string, odd?: string) =>
    new RegExp(
      `you signed it \\(the one that arrived has ${what}\\): sign the bytes that you send` +
        `${odd === undefined ? '; if' : `\\. The body that arrived ${odd}\\. If`} the string that you signed`,
    );
  for (const body of [gzipSync(sent.padEnd(65_537)), gzipSync(sent).subarray(0, 12)])
    assert.match(
      await messageOf(signature(), 'POST', '/user', body),
      arrived(`${body.length} bytes`, 'is compressed with gzip; send it uncompressed'),
    );
  for (const [body, what, odd] of [
    ['', '0 bytes'],
    ['{"a":1} \n', '9 bytes, a line feed at its end'],
    ['\ufeff[1]\r\n', '8 bytes, a byte order mark at its start, a line feed at its end'],
    ['1', '1 byte'],
    ['--x form-data', '13 bytes', 'is a multipart form; send a JSON object in place of its parts'],
  ] as const)
    assert.match(await messageOf(sign('other', ''), 'POST', '/user', body), arrived(what, odd));
});

/** As many parameters as a query may have, in eight kilobytes. */
const longQuery = Array.from({ length: queryParametersMax }, () => 'a'.repeat(30)).join('&');

/** Eight kilobytes of parameters, signed with a secret that nobody has, so that every attempt fails. */
function hopelessMismatch(sent = { method: 'GET', target: `/user?${longQuery}`, body: '' }) {
  const headers = { authorization: `cbs:a:${sign('x', 'x')}`, timestamp: '1767225600', nonce: 'n' };
  const request = { ...sent, body: Buffer.from(sent.body), ...headers };
  const secrets = [secretKey('s')];
  const verification = verifyRequest(request, { findSecrets: () => secrets, nowSeconds: 1767225600 });
  if (verification.outcome !== 'mismatch') throw new TypeError(verification.outcome);
  return { request, stringsToSign: verification.stringsToSign, secrets };
}

/** Makes help whose attempts take a millisecond each by its stopwatch. */
function countingHelp() {
  const work = { ms: 0 };
  const help = new MismatchHelp(() => {
    work.ms += 1;
    return work.ms;
  });
  searchFirst(help);
  return { help, work };
}

/** Makes the first search, which may take longer than later ones, in a second of its own. */
function searchFirst(help: MismatchHelp): void {
  help.search(easyMismatch(), 0);
}

test('help takes at most 25 ms per request and 50 ms per second', () => {
  const { help, work } = countingHelp();
  const mismatch = hopelessMismatch();
  const workOf = (nowMs: number, requests: number) => {
    const before = work.ms;
    for (let sent = 0; sent < requests; sent += 1) help.search(mismatch, nowMs);
    return work.ms - before;
  };
  // Each later refusal reads the stopwatch a few times and tries nothing.
  const looksOfRefusal = 5;
  for (const request of ['first', 'second']) {
    const worked = workOf(1_000, 1);
    assert.ok(worked >= 20 && worked <= 25 + looksOfRefusal, `${request}: ${worked}`);
  }
  assert.ok(workOf(1_999, 10) <= 10 * looksOfRefusal);
  const next = workOf(2_000, 1);
  assert.ok(next > 0 && next <= 25 + looksOfRefusal, String(next));
});

for (const [label, body] of unfoldingBodies)
  test(`help makes and changes few long texts of ${label}`, (t) => {
    let characters = 0;
    const { encode } = TextEncoder.prototype;
    t.mock.method(TextEncoder.prototype, 'encode', function (this: TextEncoder, text = '') {
      characters += text.length;
      return encode.call(this, text);
    });
    const { replaceAll } = String.prototype;
    t.mock.method(
      String.prototype,
      'replaceAll',
      function (this: string, ...change: Parameters<typeof replaceAll>) {
        characters += this.length;
        return replaceAll.apply(this, change);
      },
    );
    const mismatch = hopelessMismatch({ method: 'POST', target: '/user', body });
    characters = 0;
    assert.deepEqual(new MismatchHelp(() => 0).search(mismatch, 1_000), {});
    assert.ok(characters < 100 * body.length, `${characters} characters`);
  });

/** Makes a request that was signed with a line feed at its end. */
function easyMismatch(text = 'GET\n1767225600\nn\n/user\n') {
  const mismatch = hopelessMismatch();
  const request = { ...mismatch.request, target: '/user', authorization: `cbs:a:${sign('s', text)}` };
  return { ...mismatch, request, stringsToSign: ['GET\n1767225600\nn\n/user'] };
}

test('a clock that is set back also renews the time for help', () => {
  const help = new MismatchHelp(() => 0);
  for (const nowMs of [5_000, 1_000])
    assert.match(help.search(easyMismatch(), nowMs).cause ?? '', /line feed/);
});

test('a search ends when its 25 ms are over', () => {
  for (const [spentMs, cause] of [
    [24.9, /line feed/],
    [25, /^$/],
  ] as const) {
    let readings = 0;
    let spentEachMs = 0;
    const help = new MismatchHelp(() => (readings++ === 0 ? 0 : spentEachMs));
    searchFirst(help);
    [readings, spentEachMs] = [0, spentMs];
    assert.match(help.search(easyMismatch(), 1_000).cause ?? '', cause);
  }
});

test('the first search of a process ends when the 50 ms of its second are over', () => {
  for (const [spentMs, cause] of [
    [49.9, /line feed/],
    [50, /^$/],
  ] as const) {
    let readings = 0;
    const help = new MismatchHelp(() => (readings++ === 0 ? 0 : spentMs));
    assert.match(help.search(easyMismatch(), 1_000).cause ?? '', cause);
  }
});

test('a search that found nothing says whether it was cut short, by its own length or by those before it', () => {
  const { help } = countingHelp();
  const mismatch = hopelessMismatch();
  assert.deepEqual(help.search(mismatch, 1_000), { cutShort: 'long' });
  for (const _ of ['what is left of the second', 'nothing'])
    assert.deepEqual(help.search(mismatch, 1_500), { cutShort: 'others' });
  assert.deepEqual(new MismatchHelp(() => 0).search(easyMismatch('x'), 1_000), {});
});

test('1014 and the record of the call say that the search for a mistake was cut short', async (t) => {
  const work = { ms: 0, perLook: 0 };
  const busy = await startTestServer({
    helpStopwatch: () => {
      work.ms += work.perLook;
      return work.ms;
    },
  });
  t.after(() => busy.close());
  const explain = async () => {
    const headers = {
      Authorization: `cbs:${appId}:${sign('x', 'x')}`,
      Timestamp: String(busy.nowSeconds),
      Nonce: 'n',
    };
    const { envelope, requestId } = await busy.send({ method: 'GET', target: '/user', headers });
    const string = JSON.stringify(`GET\n${busy.nowSeconds}\nn\n/user`);
    const [, help] = envelope.message.split(`StringToSign is ${string}; `);
    await busy.database.bookkeeping.flush();
    const kept = await busy.database.bookkeeping.calls.findFailure(requestId);
    return { help, kept: kept?.message };
  };
  const compare =
    'if the string that you signed is the same, you signed with another APPSECRET, or with one that a rotation has ended';
  const mismatch = 'the signature does not match';
  assert.deepEqual(await explain(), { help: compare, kept: mismatch });
  work.perLook = 30;
  const long = 'the search for a known mistake took too long and was cut short';
  assert.deepEqual(await explain(), {
    help: `${long}: fieldroster explain can finish it; ${compare}`,
    kept: `${mismatch}; ${long}`,
  });
  const others =
    'the search for a known mistake was cut short, because other wrong signatures of the same second had used up its time';
  assert.deepEqual(await explain(), {
    help: `${others}: send one such request alone; ${compare}`,
    kept: `${mismatch}; ${others}`,
  });
});

test('time that a second leaves is not added to that of the next', () => {
  const { help } = countingHelp();
  const helpedIn = (second: number) => {
    let helped = 0;
    while (help.search(easyMismatch(), second * 1_000).cause !== undefined) helped += 1;
    return helped;
  };
  const first = helpedIn(1);
  help.search(easyMismatch(), 2_000);
  assert.equal(helpedIn(3), first);
});

test('without another stopwatch, the time is that of the thread, in the program and in the system', (t) => {
  const spent = { user: 0, system: 0 };
  t.mock.method(process, 'threadCpuUsage', () => {
    const usage = { ...spent };
    Object.assign(spent, after);
    return usage;
  });
  const after = { user: 40_000, system: 9_900 };
  assert.match(new MismatchHelp().search(easyMismatch(), 1_000).cause ?? '', /line feed/);
  Object.assign(spent, { user: 0, system: 0 });
  after.system = 10_000;
  assert.deepEqual(new MismatchHelp().search(easyMismatch(), 1_000), { cutShort: 'long' });
});

test('mistakes are counted by name, pairs together, and from the start those without a known mistake', () => {
  const help = new MismatchHelp(() => 0);
  assert.deepEqual([...help.mistakes], [['unknown', 0]]);
  const both = easyMismatch('get\n1767225600\nn\n/user\n');
  const unknown = easyMismatch('x');
  for (const mismatch of [easyMismatch(), unknown, easyMismatch(), both]) help.search(mismatch, 1_000);
  assert.deepEqual(Object.fromEntries(help.mistakes), { unknown: 1, 'trailing-line-feed': 2, several: 1 });
});

test('1014 for a path whose prefix a proxy removed says so, for usual prefixes and the one that a trusted proxy names', async () => {
  const behindProxy = await startTestServer({ settings: { trustProxy: 'loopback' } });
  const causeOf = async (at: typeof server, prefix: string, forwarded: Record<string, string> = {}) => {
    const text = `GET\n${at.nowSeconds}\nn\n${prefix}/user`;
    const headers = {
      Authorization: `cbs:${appId}:${sign(appSecret, text)}`,
      Timestamp: String(at.nowSeconds),
      Nonce: 'n',
      ...forwarded,
    };
    const { envelope } = await at.send({ method: 'GET', target: '/user', headers });
    assert.equal(envelope.code, 1014);
    return /likely cause: (.*)$/.exec(envelope.message)?.[1];
  };
  const removed =
    /^the path was signed with a prefix that did not reach the server; sign the path that is sent, .* --base-path$/;
  assert.match((await causeOf(server, '/api/v1')) ?? '', removed);
  const named = { 'X-Forwarded-Prefix': '/directory/', 'X-Forwarded-For': '192.0.2.1' };
  assert.match((await causeOf(behindProxy, '/directory', named)) ?? '', removed);
  assert.equal(await causeOf(server, '/directory', named), undefined, 'the proxy is not trusted');
  for (const prefix of ['directory', `/${'x'.repeat(101)}`, '/a?b'])
    assert.equal(await causeOf(behindProxy, prefix, { ...named, 'X-Forwarded-Prefix': prefix }), undefined);
  await behindProxy.close();
});
