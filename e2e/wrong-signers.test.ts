import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from '../packages/cli/test/run-command.ts';
import { type Provisioned, provisionDirectory } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient, signText } from './signed-client.ts';
import {
  basePath,
  type SignerInput,
  type WrongRequest,
  type WrongSigner,
  wrongSigners,
} from './wrong-signers-table.ts';

type SentRequest = SignerInput & WrongRequest & { readonly authorization: string };

const namedMin = 69;

/** The server's limit on help delays an explanation by fewer seconds than this. */
const attemptsMax = 5;

describe('a wrong signature is explained by the server and by explain', { concurrency: 1 }, () => {
  const named = { server: 0, explain: 0, either: 0 };
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

  function sign({ method, target, body = '', wrong }: WrongSigner): SentRequest {
    const { appId, appSecret: secret } = directory.credentials;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const input = { method, target, body, timestamp, nonce: randomUUID(), secret, appId };
    const { signature, authorization = `cbs:${appId}:${signature}`, ...changes } = wrong(input);
    return { ...input, authorization, signature, ...changes };
  }

  function send({ method, target, body, timestamp, nonce, authorization }: SentRequest) {
    const headers = { Authorization: authorization, Timestamp: timestamp, Nonce: nonce };
    return client.send({
      method,
      target,
      body: body === '' ? undefined : body,
      headers: { ...headers, ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }) },
    });
  }

  /** Runs explain with everything that the integrator has: the request, its header and, if known, what was signed. */
  async function explain({ text, ...signed }: SentRequest) {
    const file = join(directory.folder, 'body.json');
    await writeFile(file, signed.body);
    const { method, target, timestamp, nonce, appId, secret, authorization } = signed;
    const request = ['--method', method, '--url', server.url + target, '--data', `@${file}`];
    const headers = ['--timestamp', timestamp, '--nonce', nonce, '--signature', authorization];
    const theirs = text === undefined ? [] : ['--string-to-sign', text];
    const credentials = ['--app-id', appId, '--app-secret', secret];
    return runCommand(['explain', ...request, ...headers, ...theirs, ...credentials]);
  }

  /** Sends until the cause is named; the server spends a twentieth of each second on help. */
  async function messageOf(wrongSigner: WrongSigner) {
    for (let attempt = 1; ; attempt += 1) {
      const signed = sign(wrongSigner);
      const { code, message } = await send(signed);
      assert.ok([1011, 1012, 1013, 1014].includes(code), message);
      if (wrongSigner.cause.test(message) || !isNamedBy(wrongSigner, 'server') || attempt === attemptsMax) {
        return { signed, message };
      }
      await delay(1_000);
    }
  }

  for (const wrongSigner of wrongSigners) {
    test(wrongSigner.label, async () => {
      const { signed, message } = await messageOf(wrongSigner);
      const { exitCode, stdout, stderr } = await explain(signed);
      const byServer = wrongSigner.cause.test(message);
      const byExplain = wrongSigner.cause.test(stdout);
      named.server += Number(byServer);
      named.explain += Number(byExplain);
      named.either += Number(byServer || byExplain);
      assert.equal(byServer, isNamedBy(wrongSigner, 'server'), message);
      assert.equal(byExplain, isNamedBy(wrongSigner, 'explain'), stdout + stderr);
      assert.equal(exitCode, 1, stderr);
      for (const text of [message, stdout, stderr, server.output]) {
        assert.ok(!text.includes(signed.secret) && !text.includes(signed.signature), text);
      }
    });
  }

  test(`of ${wrongSigners.length} wrong signers, at least ${namedMin} learn their mistake`, (t) => {
    const count = wrongSigners.length;
    t.diagnostic(
      `figure: named by the server ${named.server} / ${count}, by explain ${named.explain} / ${count}, ` +
        `by either ${named.either} / ${count}`,
    );
    assert.ok(named.either >= namedMin, `${named.either} / ${count}`);
  });

  const right: WrongSigner = {
    label: '',
    method: 'GET',
    target: `${basePath}/user?username=li`,
    cause: /^$/,
    namedBy: 'neither',
    wrong: () => ({ signature: '' }),
  };

  test('explain says that a right signature is right', async () => {
    const { Authorization = '', Timestamp = '', Nonce = '' } = client.sign('GET', right.target).headers;
    const headers = { authorization: Authorization, timestamp: Timestamp, nonce: Nonce };
    const request: SentRequest = { ...sign(right), ...headers };
    assert.equal((await send(request)).code, 1101);
    const { exitCode, stdout } = await explain(request);
    assert.deepEqual([exitCode, stdout.includes('It is right.')], [0, true], stdout);
  });

  test('the server and explain recognize a body sent in GBK under the Content-MD5 of its UTF-8', async () => {
    const sent = Buffer.from('7b22757365726e616d65223a22c0eec4c8227d', 'hex');
    const target = `${basePath}/user`;
    const cause = /the body was sent in GBK or GB18030, and Content-MD5 is that of its UTF-8/;
    // Repeated because the tests before may have used up the time that the server spends on help in a second.
    for (let attempt = 1; ; attempt += 1) {
      const signed = signText(directory.credentials, 'POST', target, '{"username":"李娜"}').headers;
      const { Authorization = '', Timestamp = '', Nonce = '' } = signed;
      const answer = await fetch(new URL(target, server.url), {
        method: 'POST',
        body: sent,
        headers: { Authorization, Timestamp, Nonce },
      });
      const { code, message } = (await answer.json()) as { code: number; message: string };
      assert.equal(code, 1014);
      if (!cause.test(message) && attempt < attemptsMax) {
        await delay(1_000);
        continue;
      }
      assert.match(message, cause);
      const file = join(directory.folder, 'gbk.json');
      await writeFile(file, sent);
      const { appId, appSecret } = directory.credentials;
      const { stdout } = await runCommand([
        ...['explain', '--method', 'POST', '--url', new URL(target, server.url).href],
        ...['--data', `@${file}`, '--timestamp', Timestamp, '--nonce', Nonce, '--signature', Authorization],
        ...['--app-id', appId, '--app-secret', appSecret],
      ]);
      assert.match(stdout, cause);
      return;
    }
  });

  test('a Timestamp that no clock shows is a mistake, even with a right signature', async () => {
    const { appId, appSecret: secret } = directory.credentials;
    const request = ['--method', 'GET', '--url', '/user', '--nonce', 'n', '--timestamp', '1'];
    const string = ['--string-to-sign', 'GET\n1\nn\n/user'];
    const { exitCode, stdout } = await runCommand([
      'explain',
      ...request,
      ...string,
      '--app-id',
      appId,
      '--app-secret',
      secret,
    ]);
    assert.equal(exitCode, 1);
    assert.match(stdout, /Likely cause: the Timestamp 1 is a time in 1970; send the current time/);
  });
});

function isNamedBy({ namedBy }: WrongSigner, who: 'server' | 'explain'): boolean {
  return namedBy === 'both' || namedBy === who;
}
