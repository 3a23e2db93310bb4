import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runFieldroster } from './fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient } from './signed-client.ts';

const basePath = '/api/v1';

/** The inputs of an integrator's signing code. */
interface Request {
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly md5: Buffer;
  readonly timestamp: string;
  readonly nonce: string;
  readonly secret: string;
  readonly appId: string;
}

interface WrongSigner {
  /** True if only the explain command names the cause. */
  readonly onlyExplained?: true;
  readonly label: string;
  readonly method: string;
  readonly target: string;
  readonly body?: string;
  /** Part of the sentence that the help must contain. */
  readonly cause: RegExp;
  readonly signature: (request: Request) => string;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
const base64 = (request: Request, text: string) => hmac(request.secret, text).digest('base64');
const join5 = (...lines: readonly string[]) => lines.join('\n');
const postText = (request: Request, md5: string, path = request.target) =>
  join5('POST', md5, request.timestamp, request.nonce, path);
const rightPost = (request: Request) => postText(request, request.md5.toString('base64'));
const getText = (request: Request, resource: string) =>
  join5('GET', request.timestamp, request.nonce, resource);

const user = `${basePath}/user`;
const body = '{"username":"lî.wei","password":"Gr33n-Tea"}';
const create = { method: 'POST', target: user, body };
const query = { method: 'GET', target: `${user}?username=li%20wei%2Bplus&extra=1` };
const decoded = `${user}?extra=1&username=li wei+plus`;

/** Each signer makes one classic mistake. None uses the signing library. */
const wrongSigners: readonly WrongSigner[] = [
  {
    ...create,
    label: 'MD5 as hexadecimal digits',
    cause: /Content-MD5 was signed as hexadecimal/,
    signature: (request) => base64(request, postText(request, request.md5.toString('hex'))),
  },
  {
    ...create,
    label: 'MD5 as Base64 of hexadecimal digits',
    cause: /Content-MD5 was signed as the Base64 of hexadecimal/,
    signature: (request) =>
      base64(request, postText(request, Buffer.from(request.md5.toString('hex')).toString('base64'))),
  },
  {
    ...create,
    label: 'no MD5 for POST',
    cause: /Content-MD5 was left out/,
    signature: (request) => base64(request, join5('POST', request.timestamp, request.nonce, request.target)),
  },
  {
    ...query,
    label: 'MD5 of nothing for GET',
    cause: /a line for Content-MD5 was signed although/,
    signature: (request) =>
      base64(request, join5('GET', '1B2M2Y8AsgTpgAmY7PhCfg==', request.timestamp, request.nonce, decoded)),
  },
  {
    ...query,
    label: 'values left URL-encoded',
    cause: /query values were signed URL-encoded/,
    signature: (request) => base64(request, getText(request, `${user}?extra=1&username=li%20wei%2Bplus`)),
  },
  {
    ...query,
    label: 'unsorted parameters',
    cause: /parameters were not sorted/,
    signature: (request) => base64(request, getText(request, `${user}?username=li wei+plus&extra=1`)),
  },
  {
    ...query,
    label: 'a plus sign decoded as a space',
    cause: /plus sign and a space were mixed up/,
    signature: (request) => base64(request, getText(request, `${user}?extra=1&username=li wei plus`)),
  },
  {
    ...query,
    label: 'no query',
    cause: /the query was left out/,
    signature: (request) => base64(request, getText(request, user)),
  },
  {
    ...create,
    label: 'a trailing line feed',
    cause: /a line feed follows the last line/,
    signature: (request) => base64(request, `${rightPost(request)}\n`),
  },
  {
    ...create,
    label: 'CR LF between the lines',
    cause: /not separated by one line feed/,
    signature: (request) => base64(request, rightPost(request).replaceAll('\n', '\r\n')),
  },
  {
    ...create,
    label: 'the path without its base path',
    cause: /signed without its base path/,
    signature: (request) => base64(request, postText(request, request.md5.toString('base64'), '/user')),
  },
  {
    ...query,
    label: 'milliseconds in the text, seconds in the header',
    cause: /Timestamp was signed in milliseconds/,
    signature: (request) => base64(request, join5('GET', `${request.timestamp}000`, request.nonce, decoded)),
  },
  {
    ...create,
    label: 'the body as Python would serialise it',
    onlyExplained: true,
    cause: /the same JSON written differently/,
    signature: (request) => {
      const python = '{"username": "l\\u00ee.wei", "password": "Gr33n-Tea"}';
      return base64(request, postText(request, createHash('md5').update(python).digest('base64')));
    },
  },
  {
    ...create,
    label: 'the secret with a line feed',
    cause: /secret was used with white space or a line feed/,
    signature: (request) => hmac(`${request.secret}\n`, rightPost(request)).digest('base64'),
  },
  {
    ...create,
    label: 'the secret decoded from its digits',
    cause: /secret was decoded from hexadecimal digits/,
    signature: (request) => hmac(Buffer.from(request.secret, 'hex'), rightPost(request)).digest('base64'),
  },
  {
    ...create,
    label: 'the signature as hexadecimal digits',
    cause: /signature is written as hexadecimal/,
    signature: (request) => hmac(request.secret, rightPost(request)).digest('hex'),
  },
  {
    ...create,
    label: 'the method in lower case',
    cause: /not signed in upper case/,
    signature: (request) => base64(request, rightPost(request).replace('POST', 'post')),
  },
  {
    ...query,
    label: 'the nonce before the timestamp',
    cause: /lines are in another order/,
    signature: (request) => base64(request, join5('GET', request.nonce, request.timestamp, decoded)),
  },
  {
    ...create,
    label: 'HMAC-SHA1',
    cause: /not a SHA-256 digest/,
    signature: (request) => createHmac('sha1', request.secret).update(rightPost(request)).digest('base64'),
  },
];

describe('who signs wrongly is told the cause by the server and by explain', { concurrency: 1 }, () => {
  let directory: Provisioned;
  let server: ServerProcess;
  let client: SignedClient;

  before(async () => {
    directory = await provisionDirectory(1);
    server = await ServerProcess.start(directory, '--base-path', basePath);
    client = new SignedClient(server.url, directory.credentials, 1);
  });

  after(async () => {
    client.close();
    await server.kill();
    await directory.remove();
  });

  function sign({ method, target, body = '', signature }: WrongSigner) {
    const { appId, appSecret: secret } = directory.credentials;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const md5 = createHash('md5').update(body).digest();
    const request = { method, target, body, md5, timestamp, nonce: randomUUID(), secret, appId };
    return { ...request, signature: signature(request) };
  }

  function send({ method, target, body, timestamp, nonce, appId, signature }: ReturnType<typeof sign>) {
    const headers = { Authorization: `cbs:${appId}:${signature}`, Timestamp: timestamp, Nonce: nonce };
    return client.send({
      method,
      target,
      body: body === '' ? undefined : body,
      headers: { ...headers, ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }) },
    });
  }

  async function explain(signed: ReturnType<typeof sign>) {
    const file = join(directory.folder, 'body.json');
    await writeFile(file, signed.body);
    const { method, target, timestamp, nonce, appId, secret, signature } = signed;
    const request = ['--method', method, '--url', server.url + target, '--data', `@${file}`];
    const headers = ['--timestamp', timestamp, '--nonce', nonce, '--signature', signature];
    return runFieldroster('explain', ...request, ...headers, '--app-id', appId, '--app-secret', secret);
  }

  for (const wrongSigner of wrongSigners) {
    test(wrongSigner.label, async () => {
      let signed = sign(wrongSigner);
      let { code, message } = await send(signed);
      // The server spends a twentieth of each second on help; a busy machine may have used it up.
      for (let attempts = 0; attempts < 5 && wrongSigner.onlyExplained !== true; attempts++) {
        if (message.includes('; likely cause: ')) break;
        await delay(1_000);
        signed = sign(wrongSigner);
        ({ code, message } = await send(signed));
      }
      assert.equal(code, 1014);
      const [stringToSign, cause] = message
        .replace(/; if the string that you signed is the same, [^"]+$/, '')
        .split('; likely cause: ');
      // The server does not parse the body of an unauthenticated sender; explain may.
      if (wrongSigner.onlyExplained === true) assert.equal(cause, undefined);
      else assert.match(cause ?? message, wrongSigner.cause);
      assert.match(stringToSign ?? '', /^the signature does not match; the server's StringToSign is ".*"$/);
      const { exitCode, stdout, stderr } = await explain(signed);
      assert.equal(exitCode, 1, stderr);
      assert.match(stdout, wrongSigner.cause);
      for (const text of [message, stdout, stderr, server.output]) {
        assert.ok(!text.includes(signed.secret) && !text.includes(signed.signature), text);
      }
    });
  }

  test('who signs rightly is told nothing of it', async () => {
    const right: WrongSigner = {
      ...query,
      label: '',
      cause: /^$/,
      signature: (request) => base64(request, getText(request, decoded)),
    };
    const signed = sign(right);
    assert.equal((await send(signed)).code, 1101);
    const { exitCode, stdout } = await explain(signed);
    assert.deepEqual([exitCode, stdout.includes('It is right.')], [0, true]);
  });

  test('who signs with a foreign secret is told the string to sign and no cause', async () => {
    const foreign: WrongSigner = {
      ...query,
      label: '',
      cause: /^$/,
      signature: (request) => hmac('foreign', getText(request, decoded)).digest('base64'),
    };
    const signed = sign(foreign);
    const { code, message } = await send(signed);
    assert.deepEqual([code, message.includes('likely cause')], [1014, false]);
    assert.match(message, /; if the string that you signed is the same, you signed with another APPSECRET$/);
    assert.match((await explain(signed)).stdout, /no known mistake/);
  });
});
