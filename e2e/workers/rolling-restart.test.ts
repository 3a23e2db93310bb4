import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { untilWorkers } from './worker-pids.ts';

const workers = 2;
const clients = 8;
const restarts = 2;

describeOnEachEngine((provision) => {
  test(`SIGHUP replaces every worker, ${restarts} times in a row, and no request of clients that keep their connections fails`, async (t) => {
    const directory = await provision(20);
    const server = await ServerProcess.start(directory, '--workers', String(workers));
    const load = startLoad(directory, server);
    try {
      for (let restart = 0; restart < restarts; restart++) {
        const before = await Promise.race([untilWorkers(server.pid, workers), load.ended]);
        server.signal('SIGHUP');
        await Promise.race([untilWorkers(server.pid, workers, before), load.ended]);
      }
      const answered = await load.stop();
      assert.ok(answered > clients, `only ${answered} requests`);
      t.diagnostic(`${answered} requests answered`);
      assert.equal(await server.stop(), 0);
    } finally {
      load.stop().catch(() => {});
      await server.kill();
      await directory.remove();
    }
  });
});

interface Load {
  /** Rejects with the first request that failed. */
  readonly ended: Promise<never>;
  /** Returns how many requests were answered. */
  stop(): Promise<number>;
}

/** Each client has one connection and uses it for one request after the other, reads and writes. */
function startLoad({ credentials }: Provisioned, { url }: ServerProcess): Load {
  let going = true;
  let answered = 0;
  const work = async (number: number) => {
    const client = new SignedClient(url, credentials, 1);
    const username = `client-${number}`;
    for (let count = 0; going; count++) {
      const write = { username, real_name: String(count) };
      const { code, message } = await client.call('POST', '/user/stores', write);
      assert.equal(code, 0, message);
      const { data } = await client.call('GET', `/user?username=${username}`);
      assert.equal(data?.real_name, String(count));
      answered += 2;
    }
    client.close();
  };
  const all = Promise.all(Array.from({ length: clients }, (_, number) => work(number)));
  const ended = all.then(() => new Promise<never>(() => {}));
  ended.catch(() => {});
  return {
    ended,
    async stop() {
      going = false;
      await all;
      return answered;
    },
  };
}
