import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { describeOnEachEngine } from './each-engine.ts';
import type { Provisioned } from './provision-directory.ts';
import { countAuditEvents } from './read-database.ts';
import { ServerProcess } from './server-process.ts';
import { type SignedCall, SignedClient, signCall } from './signed-client.ts';

const copies = 100;

/** The server hashes the password of each copy of a creation that arrives before the first one has taken effect. */
const copiesOfCreation = 6;

describeOnEachEngine((provision, engine) => {
  for (const processes of engine === 'SQLite' ? [1, 2] : [2]) {
    describe(`of ${copies} copies of one signed write sent at once to ${processes} server process${processes > 1 ? 'es on one database' : ''}, one takes effect and the others answer 1015`, () => {
      let directory: Provisioned;
      let servers: ServerProcess[];
      let clients: SignedClient[];

      before(async () => {
        directory = await provision(20);
        servers = await Promise.all(Array.from({ length: processes }, () => ServerProcess.start(directory)));
        clients = servers.map(({ url }) => new SignedClient(url, directory.credentials, copies));
      });

      after(async () => {
        for (const client of clients) client.close();
        await Promise.all(servers.map((server) => server.kill()));
        await directory.remove();
      });

      async function createUser(username: string): Promise<number> {
        const { data } = await call('POST', '/user/stores', { username });
        return Number(data?.id);
      }

      async function call(method: string, target: string, content?: unknown) {
        const envelope = await (clients[0] as SignedClient).call(method, target, content);
        assert.equal(envelope.code, 0, envelope.message);
        return envelope;
      }

      async function storesOf(id: number): Promise<string[]> {
        const { data } = await call('GET', `/user/store?user_id=${id}`);
        return (data as { stores: { code: string }[] }).stores.map(({ code }) => code);
      }

      function sendCopies(method: string, target: string, content?: unknown) {
        return sendEach(signCall(directory.credentials, method, target, content), copies);
      }

      async function sendEach(signed: SignedCall, count: number, accepted = 1) {
        const sends = Array.from({ length: count }, (_, index) =>
          clients[index % clients.length]?.send(signed),
        );
        const codes = (await Promise.all(sends)).map((envelope) => envelope?.code);
        const counts = Map.groupBy(codes, (code) => code);
        assert.deepEqual(
          [...counts].map(([code, same]) => [code, same.length]).sort(),
          [
            [0, accepted],
            [1015, count - accepted],
          ].filter(([, of]) => of !== 0),
        );
      }

      test('create', async () => {
        const content = { username: 'once', password: 'a password' };
        const signed = signCall(directory.credentials, 'POST', '/user', content);
        await sendEach(signed, copiesOfCreation);
        // Those that follow are recognised without a hash.
        await sendEach(signed, copies, 0);
        const { data } = await call('GET', '/user?username=once');
        assert.equal(await countAuditEvents(directory, 'create-user', Number(data?.id)), 1);
      });

      test('update', async () => {
        const id = await createUser('renamed');
        await sendCopies('PUT', '/user', { id, real_name: 'New name' });
        assert.equal(await countAuditEvents(directory, 'update-user', id), 1);
      });

      test('bind store', async () => {
        const id = await createUser('bound');
        await sendCopies('POST', '/user/store', { user_id: id, store_code: directory.storeCodes[3] });
        assert.deepEqual(await storesOf(id), [directory.storeCodes[3]]);
        assert.equal(await countAuditEvents(directory, 'bind-user-store', id), 1);
      });

      test('batch', async () => {
        const store_codes = directory.storeCodes.slice(4, 9);
        await sendCopies('POST', '/user/stores', { username: 'batched', store_codes });
        const { data } = await call('GET', '/user?username=batched');
        assert.deepEqual(await storesOf(Number(data?.id)), store_codes);
        assert.equal(await countAuditEvents(directory, 'batch-update-user-stores', Number(data?.id)), 1);
      });

      test('unbind', async () => {
        const id = await createUser('unbound');
        const [first, second] = directory.storeCodes;
        await call('POST', '/user/stores', { username: 'unbound', store_codes: [first, second] });
        await sendCopies('DELETE', `/user/store?user_id=${id}&store_code=${first}`);
        assert.deepEqual(await storesOf(id), [second]);
        assert.equal(await countAuditEvents(directory, 'unbind-user-store', id), 1);
      });
    });
  }
});
