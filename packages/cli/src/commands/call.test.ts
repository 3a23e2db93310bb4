import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { errorCodes } from '@fieldroster/contract';
import { verifyRequest } from '@fieldroster/signing';
import { makeCertificate } from '../../../../scripts/testing/make-certificate.ts';
import { collect, runCommand, startCommand, temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
const appSecret = 'a secret that both sides know';

interface Received {
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly body: string;
  readonly outcome: string;
}

let received: Received | undefined;
let answer = '{"code":0,"message":""}';

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  received = {
    method: request.method,
    target: request.url,
    body: String(body),
    outcome: verify(request, body),
  };
  response.end(answer);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A port that was free a moment ago. */
const unusedPort = await new Promise<number>((resolve) => {
  const taken = createServer().listen(0, '127.0.0.1', () => {
    const { port } = taken.address() as AddressInfo;
    taken.close(() => resolve(port));
  });
});

function verify({ method = '', url = '', headers }: IncomingMessage, body: Uint8Array): string {
  const { authorization, timestamp, nonce } = headers;
  return verifyRequest(
    { method, target: url, authorization, timestamp: timestamp as string, nonce: nonce as string, body },
    {
      findSecrets: (appId) => (appId === 'app' ? [appSecret] : undefined),
      nowSeconds: Math.floor(Date.now() / 1000),
    },
  ).outcome;
}

/** Serves TLS with a certificate that was valid from 2025 until the end, and returns the URL. */
async function serveTls(end: string): Promise<string> {
  const own = join(folder, end);
  mkdirSync(own);
  const { key, cert } = makeCertificate(own, end);
  const tls = createTlsServer({ key, cert }).listen(0, '127.0.0.1');
  after(() => tls.close());
  await once(tls, 'listening');
  return `https://127.0.0.1:${(tls.address() as AddressInfo).port}`;
}

/** Answers every connection as SSH does, and returns the URL. */
async function serveGreetings(): Promise<string> {
  const server = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-greeting\r\n'));
  server.listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const env = { FIELDROSTER_URL: origin, FIELDROSTER_APP_ID: 'app', FIELDROSTER_APP_SECRET: appSecret };
const call = (...words: string[]) => runCommand(['call', ...words], { env });

describe('call', () => {
  test('prints the envelope as it came, with every digit', async () => {
    answer = '{"code":0, "message":"", "data":{"id":9223372036854775807}}';
    assert.deepEqual(await call('get', '/user?username=ada'), {
      exitCode: 0,
      stdout: `${answer}\n`,
      stderr: '',
    });
    assert.deepEqual(received, {
      method: 'GET',
      target: '/user?username=ada',
      body: '',
      outcome: 'verified',
    });
  });

  test('exits 1 for any code other than 0, with the envelope on standard output', async () => {
    answer = '{"code":1101,"message":"no user has id 1"}\n';
    assert.deepEqual(await call('GET', '/user?user_id=1'), { exitCode: 1, stdout: answer, stderr: '' });
  });

  test('exits 0 for a 1015 that proves the write, and 1 for one about a used nonce', async () => {
    const [took, used] = errorCodes[1015].fixedBeginnings.map(({ text }) => text);
    for (const [message, exitCode] of [
      [took, 0],
      [used, 1],
    ] as const) {
      answer = `{"code":1015,"message":"${message}, and nothing was done now"}\n`;
      const sent = await call('POST', '/user', '--data', '{}');
      assert.deepEqual(sent, { exitCode, stdout: answer, stderr: '' });
    }
  });

  test('says in its help which codes it exits 0 for', async () => {
    const { stdout } = await call('--help');
    assert.match(
      stdout,
      /^Exits with 0 for code 0, and for a 1015 that proves that the write took effect;$/m,
    );
  });

  test('sends the path byte for byte, below the base path of the URL', async () => {
    answer = '{"code":0,"message":""}';
    const path = '/user//a/../b;c?name=%E6%BC%A2+x&b=%2f&a';
    const { exitCode } = await call('DELETE', path, '--url', `${origin}/api/./v1/`);
    assert.equal(exitCode, 0);
    assert.deepEqual(received, {
      method: 'DELETE',
      target: `/api/./v1${path}`,
      body: '',
      outcome: 'verified',
    });
  });

  test('sends a body from the flag or a file, with any method', async () => {
    const file = join(folder, 'body.json');
    writeFileSync(file, ' {"username":"ädä"}\n');
    for (const method of ['POST', 'PUT', 'GET', 'DELETE']) {
      assert.equal((await call(method, '/user', '--data', `@${file}`)).exitCode, 0);
      assert.deepEqual(received, {
        method,
        target: '/user',
        body: ' {"username":"ädä"}\n',
        outcome: 'verified',
      });
    }
    await call('POST', '/user', '--data', '{"id":9007199254740993}');
    assert.deepEqual([received?.body, received?.outcome], ['{"id":9007199254740993}', 'verified']);
  });

  test('with --explain prints each stage to standard error, and the answer as usual', async () => {
    answer = '{"code":0,"message":""}\n';
    const words = ['POST', '/user?b=%0a&a=1', '--data', '{}', '--explain'];
    const { exitCode, stdout, stderr } = await call(...words);
    assert.deepEqual([exitCode, stdout, received?.outcome], [0, answer, 'verified']);
    assert.ok(!stderr.includes(appSecret));
    const md5 = 'mZFLkyvTelC5g8XnyQrpOw==';
    const [, timestamp, nonce] = /\nTimestamp: (\d+)\nNonce: (\S+)\n$/.exec(stderr) ?? [];
    const [, signature] = /\nSignature: (\S+)\n/.exec(stderr) ?? [];
    assert.deepEqual(stderr.split('\n'), [
      `Content-MD5: ${md5}`,
      'CanonicalizedResource: /user?a=1&b=\\n',
      `StringToSign as JSON: "POST\\n${md5}\\n${timestamp}\\n${nonce}\\n/user?a=1&b=\\n"`,
      '  1 Method: POST',
      `  2 Content-MD5: ${md5}`,
      `  3 Timestamp: ${timestamp}`,
      `  4 Nonce: ${nonce}`,
      '  5 CanonicalizedResource: /user?a=1&b=',
      '  6 CanonicalizedResource: ',
      `Signature: ${signature}`,
      `Authorization: cbs:app:${signature}`,
      `Timestamp: ${timestamp}`,
      `Nonce: ${nonce}`,
      '',
    ]);
    const get = await call('GET', '/user', '--explain');
    assert.match(get.stderr, /^Content-MD5: \(does not participate: no body\)\n/);
    assert.match(get.stderr, /\n {2}4 CanonicalizedResource: \/user\n/);
  });

  test('exits 1 when the answer is not an envelope', async () => {
    for (const text of ['<html>\nnot found</html>', '[]', '{"message":""}', '']) {
      answer = text;
      const { exitCode, stdout, stderr } = await call('GET', '/user');
      assert.deepEqual([exitCode, stdout], [1, '']);
      assert.match(stderr, /^fieldroster: http:[^\n]* answered HTTP 200 without an envelope[^\n]*\n$/);
    }
  });

  test('names where a redirect leads', async (t) => {
    const proxy = createServer((_, response) => {
      response.writeHead(301, { Location: 'https://there.example/user?x=1' }).end();
    }).listen(0, '127.0.0.1');
    t.after(() => proxy.close());
    await once(proxy, 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { exitCode, stderr } = await call('GET', '/user', '--url', url);
    assert.equal(exitCode, 1);
    assert.equal(
      stderr,
      `fieldroster: ${url}: the server answered with a redirect to https://there.example/user; --url or FIELDROSTER_URL sets its URL\n`,
    );
    assert.equal(
      (await runCommand(['user', 'list', '--url', url], { env })).stderr,
      `fieldroster: ${url}: the server answered with a redirect to https://there.example/user; give the client the URL that it leads to; --url or FIELDROSTER_URL sets its URL\n`,
    );
  });

  const typed: readonly (readonly [words: readonly string[], target: string])[] = [
    [['/user?username=张三'], '/user?username=%E5%BC%A0%E4%B8%89'],
    [['/user?username=😀é&x=%41'], '/user?username=%F0%9F%98%80%C3%A9&x=%41'],
    [['/user', '-q', 'username=张三'], '/user?username=%E5%BC%A0%E4%B8%89'],
    [
      ['/users', '-q', 'search=a b&c=d+e%41\n#?', '--query', 'limit=10'],
      '/users?search=a%20b%26c%3Dd%2Be%2541%0A%23%3F&limit=10',
    ],
    [['/users?limit=10', '-q', 'search='], '/users?limit=10&search='],
    [['/users?', '-q', 'ordre né=1'], '/users?ordre%20n%C3%A9=1'],
  ];
  for (const [words, target] of typed) {
    test(`signs and sends ${words.join(' ')} as ${target}`, async () => {
      answer = '{"code":0,"message":""}';
      const { exitCode, stderr } = await call('GET', ...words);
      assert.deepEqual([exitCode, stderr], [0, '']);
      assert.deepEqual(received, { method: 'GET', target, body: '', outcome: 'verified' });
    });
  }

  const faults: Record<string, { url: () => string | Promise<string>; said: string; trusted?: string }> = {
    'nothing listens there': {
      url: () => `http://127.0.0.1:${unusedPort}/base`,
      said: 'the server cannot be reached: nothing listens there; --url or FIELDROSTER_URL sets its URL',
    },
    'there is no such host': {
      url: () => 'http://directory.invalid',
      said: 'the server cannot be reached: there is no such host; --url or FIELDROSTER_URL sets its URL',
    },
    'the server speaks no TLS': {
      url: () => origin.replace('http:', 'https:'),
      said: 'the server speaks http, not https; give its URL with http://; --url or FIELDROSTER_URL sets its URL',
    },
    'the server speaks no HTTP': {
      url: serveGreetings,
      said: 'the server at this address does not speak HTTP; check the URL',
    },
    'nobody vouches for the certificate': {
      url: () => serveTls('20991231235959Z'),
      said: 'the certificate of the server was refused: its authority is not known here; name the file with the authority’s certificate in NODE_EXTRA_CA_CERTS',
    },
    'the certificate has expired': {
      url: () => serveTls('20250201000000Z'),
      said: 'the certificate of the server was refused: it has expired',
    },
    'the certificate is for another host': {
      url: async () => (await serveTls('20991231000000Z')).replace('127.0.0.1', 'localhost'),
      trusted: join(folder, '20991231000000Z', 'cert.pem'),
      said: 'the certificate of the server was refused: it was issued for a host other than the one in the URL',
    },
  };
  for (const [name, { url, said, trusted }] of Object.entries(faults)) {
    test(`exits 1 and says so as the commands on users do: ${name}`, async () => {
      const to = await url();
      const expected = { exitCode: 1, stdout: '', stderr: `fieldroster: ${to}: ${said}\n` };
      // Node.js reads the certificates of that variable once, so these commands need processes of their own.
      const run = (words: readonly string[]) =>
        trusted === undefined
          ? runCommand(words, { env })
          : collect(startCommand(words, { env: { ...env, NODE_EXTRA_CA_CERTS: trusted } }));
      assert.deepEqual(await run(['call', 'GET', '/user', '--url', to]), expected);
      assert.deepEqual(await run(['user', 'list', '--url', to]), expected);
    });
  }

  const mistakes: readonly (readonly string[])[] = [
    ['GET', 'user'],
    ['GET', '/user?name=a b'],
    ['GET', '/user?name=a\u3000b'],
    ['GET', '/user', '-q', 'name'],
    ['GET', '/user', '-q', '=value'],
    ['GET', '/user', '-q', 'a&b=1'],
    ['GET', '/user?name=%zz'],
    ['GET', '/user#top'],
    ['G T', '/user'],
    ['GET', '/user', '--url', 'ftp://example.org'],
    ['POST', '/user', '--data', '@missing.json'],
    ['GET', '/user', '--app-id', 'a:b'],
  ];

  test('names the file of --data that it cannot read, and says what to do', async () => {
    const { stderr } = await call('POST', '/user', '--data', '@missing.json');
    assert.equal(
      stderr,
      'fieldroster: --data names missing.json, which does not exist; put it there or correct the path\n',
    );
  });

  test('reads no body that is larger than any server accepts, such as a device without an end', async () => {
    received = undefined;
    const file = join(folder, 'large.json');
    writeFileSync(file, '');
    truncateSync(file, 256 * 1024 * 1024 + 1);
    const { exitCode, stderr } = await call('POST', '/user', '--data', `@${file}`);
    assert.deepEqual([exitCode, received], [2, undefined]);
    assert.equal(
      stderr,
      `fieldroster: --data names ${file}, which is larger than 256 MiB, more than any server accepts; correct the path\n`,
    );
  });

  for (const words of mistakes) {
    test(`exits 2 without sending anything: ${words.join(' ')}`, async () => {
      received = undefined;
      const { exitCode, stdout, stderr } = await call(...words);
      assert.deepEqual([exitCode, stdout, received], [2, '', undefined], stderr);
      assert.match(stderr, /^fieldroster: [^\n]+\n$/);
    });
  }
});

describe('credentials of a call', () => {
  const config = join(folder, 'config');
  const file = join(config, 'fieldroster', 'credentials.json');
  mkdirSync(join(config, 'fieldroster'), { recursive: true });

  function writeCredentials(content: object | string, mode = 0o600): void {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    chmodSync(file, mode);
  }

  test('come from the file below XDG_CONFIG_HOME or ~/.config', async () => {
    answer = '{"code":0,"message":""}';
    writeCredentials({ url: origin, app_id: 'app', app_secret: appSecret });
    const byXdg = await runCommand(['call', 'GET', '/user'], { env: { XDG_CONFIG_HOME: config } });
    assert.deepEqual([byXdg.exitCode, byXdg.stderr, received?.outcome], [0, '', 'verified']);
    mkdirSync(join(folder, '.config', 'fieldroster'), { recursive: true });
    writeFileSync(
      join(folder, '.config', 'fieldroster', 'credentials.json'),
      JSON.stringify({ app_id: 'app', app_secret: appSecret }),
      { mode: 0o600 },
    );
    const env = { XDG_CONFIG_HOME: '', HOME: folder, FIELDROSTER_URL: origin };
    assert.equal((await runCommand(['call', 'GET', '/user'], { env })).exitCode, 0);
  });

  test('come from flags before the environment before the file', async () => {
    writeCredentials({ url: 'http://127.0.0.1:1', app_id: 'of the file', app_secret: 'of the file' });
    const env = {
      XDG_CONFIG_HOME: config,
      FIELDROSTER_URL: origin,
      FIELDROSTER_APP_ID: 'app',
      FIELDROSTER_APP_SECRET: 'x',
    };
    const { exitCode } = await runCommand(['call', 'GET', '/user', '--app-secret', appSecret], { env });
    assert.deepEqual([exitCode, received?.outcome], [0, 'verified']);
  });

  for (const words of [
    ['call', 'GET', '/user'],
    ['user', 'list'],
  ]) {
    test(`of ${words[0]} with a user or a password in the URL are refused, and the URL is not printed`, async () => {
      const env = { FIELDROSTER_APP_ID: 'app', FIELDROSTER_APP_SECRET: appSecret };
      for (const given of ['//ada:hidden@', '//ada:hid/den@', '//hidden@', 'ada:hidden@']) {
        const url = origin.replace('//', given);
        const { exitCode, stdout, stderr } = await runCommand([...words, '--url', url], { env });
        assert.deepEqual([exitCode, stdout], [2, '']);
        assert.match(
          stderr,
          /^fieldroster: --url has a user or a password before an @[^\n]*; leave them out[^\n]*\n$/,
        );
        assert.doesNotMatch(stderr, /hid|ada/);
      }
    });

    test(`of ${words[0]} with an invalid URL are refused by the flag, the variable or the key that has it`, async () => {
      const url = `"${origin}"`;
      writeCredentials({ url, app_id: 'app', app_secret: appSecret });
      const env = { XDG_CONFIG_HOME: config };
      const fault = `is ${JSON.stringify(url)}; it must be like http://127.0.0.1:8080/base/path\n`;
      for (const { source, flags = [], variables } of [
        { source: '--url', flags: ['--url', url] },
        { source: 'FIELDROSTER_URL', variables: { FIELDROSTER_URL: url } },
        { source: `url in ${file}` },
      ]) {
        const { exitCode, stderr } = await runCommand([...words, ...flags], {
          env: { ...env, ...variables },
        });
        assert.deepEqual([exitCode, stderr], [2, `fieldroster: ${source} ${fault}`]);
      }
    });
  }

  test('are used with a warning when others may read the file', async () => {
    writeCredentials({ url: origin, app_id: 'app', app_secret: appSecret }, 0o644);
    const { exitCode, stderr } = await runCommand(['call', 'GET', '/user'], {
      env: { XDG_CONFIG_HOME: config },
    });
    assert.equal(exitCode, 0);
    assert.match(
      stderr,
      /^fieldroster: .*credentials\.json holds a secret and may be read by others; run: chmod 600 /,
    );
  });

  test('are not looked for in the file when flags and variables give all, and a closed file is named', async () => {
    const closed = join(folder, 'closed');
    // Root may read any file, but nobody can read a folder as one.
    mkdirSync(join(closed, 'fieldroster', 'credentials.json'), { recursive: true });
    const env = { XDG_CONFIG_HOME: closed, FIELDROSTER_APP_ID: 'app', FIELDROSTER_APP_SECRET: appSecret };
    const lacksUrl = await runCommand(['call', 'GET', '/user'], { env });
    assert.equal(lacksUrl.exitCode, 2);
    assert.match(
      lacksUrl.stderr,
      /^fieldroster: the credentials file is .*credentials\.json, which is a folder; .*; or give --url, --app-id and FIELDROSTER_APP_SECRET\n$/,
    );
    answer = '{"code":0,"message":""}';
    const all = await runCommand(['call', 'GET', '/user', '--url', origin], { env });
    assert.deepEqual([all.exitCode, all.stderr], [0, '']);
  });

  test('are not read from a file that is too large for them', async () => {
    writeCredentials('');
    truncateSync(file, 1024 * 1024 + 1);
    const { exitCode, stderr } = await runCommand(['call', 'GET', '/user'], {
      env: { XDG_CONFIG_HOME: config },
    });
    assert.equal(exitCode, 2);
    assert.match(stderr, /credentials\.json, which is larger than 1 MiB; correct the path; or give --url/);
  });

  test('are asked for when they are missing, and the file must be readable', async () => {
    const missing = await runCommand(['call', 'GET', '/user'], { env: { FIELDROSTER_APP_ID: 'app' } });
    assert.equal(missing.exitCode, 2);
    assert.match(
      missing.stderr,
      /^fieldroster: no APPSECRET: give --app-secret, set FIELDROSTER_APP_SECRET, or write /,
    );
    for (const content of ['not json', 'null', '[]', '["app"]', '{"app_id":1}']) {
      writeCredentials(content);
      const { exitCode, stderr } = await runCommand(['call', 'GET', '/user'], {
        env: { XDG_CONFIG_HOME: config },
      });
      assert.equal(exitCode, 2, content);
      assert.match(
        stderr,
        /credentials\.json must contain a JSON object with strings under url, app_id and app_secret\n$/,
      );
    }
  });
});
