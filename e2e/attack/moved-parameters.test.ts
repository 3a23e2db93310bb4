import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { describeOnEachEngine } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Envelope, type SignedCall, SignedClient } from '../signed-client.ts';
import { issueManager } from './issue-manager.ts';

/** Sends another target under the signature of a captured request. */
function moved(captured: SignedCall, target: string): SignedCall {
  return { ...captured, target };
}

describeOnEachEngine((provision) => {
  describe('parameters cannot be moved under a captured signature', () => {
    let directory: Provisioned;
    let server: ServerProcess;
    let client: SignedClient;

    before(async () => {
      directory = await provision(3);
      const manager = await issueManager(directory);
      server = await ServerProcess.start(directory);
      client = new SignedClient(server.url, manager);
      for (const username of ['bob', 'bob&x=1', 'eve']) await succeed('POST', '/user/stores', { username });
    });

    after(async () => {
      client.close();
      await server.kill();
      await directory.remove();
    });

    async function succeed(method: string, target: string, content?: unknown): Promise<Envelope> {
      const envelope = await client.call(method, target, content);
      assert.equal(envelope.code, 0, envelope.message);
      return envelope;
    }

    test('a filtered list cannot be sent again without its filters', async (t) => {
      const captured = client.sign('GET', '/users?department=X&search=Y');
      const { data } = await client.send(captured);
      assert.deepEqual(data?.users, []);
      const targets = [
        '/users?department%3DX%26search=Y',
        '/users?department%3DX%26search%3DY',
        '/users?department=X%26search%3DY',
        '/users?department=X%26search=Y',
        '/users?department%3dX&search=Y',
        '/users?%64epartment%3DX%26search=Y',
      ];
      for (const target of targets) {
        const { code, message } = await client.send(moved(captured, target));
        assert.ok(code === 1001 || code === 1014, `${target}: ${code} ${message}`);
      }
      t.diagnostic(`figure: ${targets.length} moved targets of a filtered list, 0 answered with users`);
    });

    test('a deletion cannot be sent again for another user', async () => {
      const captured = client.sign('DELETE', '/user?username=bob%26x%3D1');
      const answer = await client.send(moved(captured, '/user?username=bob&x=1'));
      assert.equal(answer.code, 1001, answer.message);
      await succeed('GET', '/user?username=bob');
      const original = await client.send(captured);
      assert.equal(original.code, 0, original.message);
      await succeed('GET', '/user?username=bob');
      assert.equal((await client.call('GET', '/user?username=bob%26x%3D1')).code, 1101);
    });

    test('a removal that could be turned into another one is refused, and the message says why', async () => {
      const [code = ''] = directory.storeCodes;
      const { data } = await succeed('GET', '/user?username=eve');
      await succeed('POST', '/user/store', { user_id: data?.id, store_code: code });
      const refused = await client.call('DELETE', `/store?code=${code}%26force%3Dtrue`);
      assert.equal(refused.code, 1001, refused.message);
      assert.match(refused.message, /^code contains "&force=", /);
      assert.equal((await client.call('DELETE', `/store?code=${code}`)).code, 1403);
    });
  });
});
