import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { isAvailable, quickJava, readAnswers } from './run-program.ts';

interface Walked {
  readonly id: number;
  readonly username: string;
}

describe('clients of other languages walk through the whole interface', () => {
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

  /** The state after every walk: a user with two stores, and without role or organization. */
  async function verifyWalk({ id, username }: Walked): Promise<void> {
    const client = new SignedClient(server.url, directory.credentials, 1);
    const { data } = await client.call('GET', `/user?username=${encodeURIComponent(username)}`);
    const bound = await client.call('GET', `/user/store?user_id=${id}`);
    client.close();
    assert.deepEqual([data?.id, data?.roles, data?.orgs], [id, [], []]);
    const codes = (bound.data as { stores: { code: string }[] }).stores.map(({ code }) => code);
    assert.deepEqual(codes, ['S000002', 'S000003']);
  }

  async function walk(program: string, programArguments: readonly string[], walks: number): Promise<void> {
    const walked = await readAnswers<Walked>(program, programArguments);
    assert.equal(walked.length, walks);
    for (const one of walked) await verifyWalk(one);
  }

  function connection(): string[] {
    return [server.url, directory.credentials.appId, directory.credentials.appSecret];
  }

  for (const style of ['quote-plus', 'keep-plus']) {
    test(`Python, its plus signs in the style ${style}`, async () => {
      await walk('python3', ['directory_client.py', ...connection(), `python ${style}`, style], 1);
    });
  }

  test('Java, by HttpURLConnection and by java.net.http', async (t) => {
    if (!isAvailable('java', (text) => t.diagnostic(text))) return;
    await walk(
      'java',
      [...quickJava, 'DirectoryClient.java', ...connection(), 'java', 'connection', 'client'],
      2,
    );
  });

  test('Go', async (t) => {
    if (!isAvailable('go', (text) => t.diagnostic(text))) return;
    await walk('go', ['run', 'directory_client.go', ...connection(), 'go'], 1);
  });
});
