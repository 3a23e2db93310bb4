import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import type { Envelope } from '../signed-client.ts';
import { readAnswers } from './run-program.ts';

const awkward = [
  'plus+plus',
  'two  spaces',
  'a&b=c',
  '100%',
  '%2B%20',
  '李娜',
  '🙂 emoji',
  '#?/\\;:@!$\'()*,[]"',
  'é as e + ́',
];

describe('a shell script signs with openssl and sends with curl', () => {
  let directory: Provisioned;
  let server: ServerProcess;

  before(async () => {
    directory = await provisionDirectory(20);
    server = await ServerProcess.start(directory);
  });

  after(async () => {
    await server.kill();
    await directory.remove();
  });

  async function send(method: string, path: string, ...rest: readonly string[]): Promise<Envelope> {
    const { appId: APP_ID, appSecret: APP_SECRET } = directory.credentials;
    const given = ['signed-request.sh', method, server.url, path, ...rest];
    const [envelope] = await readAnswers<Envelope>('bash', given, { APP_ID, APP_SECRET });
    return envelope as Envelope;
  }

  for (const username of awkward) {
    test(`POST and GET of the username ${username}`, async () => {
      const body = JSON.stringify({ username, real_name: `${username}!`, store_codes: ['S000001'] });
      const created = await send('POST', '/user/stores', '--body', body);
      assert.equal(created.code, 0, created.message);
      const found = await send('GET', '/user', `username=${username}`, `another=${username}`, 'a=');
      assert.equal(found.code, 0, found.message);
      assert.deepEqual(
        [found.data?.id, found.data?.username, found.data?.real_name],
        [created.data?.id, username, `${username}!`],
      );
    });
  }
});
