import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { describeOnEachEngine } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { countSignedWrites } from '../read-database.ts';
import { RetryingClient } from '../retrying-client.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { WriteLoad } from '../write-load.ts';
import { untilWorkers } from './worker-pids.ts';

const rounds = Number(process.env.FIELDROSTER_E2E_SECONDS ?? 3);
const workers = 3;
const writers = 12;
const killEveryMs = 1_000;

/**
 * Pause of each writer before a write. It leaves the machine to other tests; the workers are still killed under load.
 */
const pauseMs = 60;

describeOnEachEngine((provision) => {
  test(`when one of ${workers} workers is killed in each of ${rounds} rounds, and all of them in one, clients that retry see no error and lose no write`, async (t) => {
    const random = SeededRandom.ofRun();
    const directory = await provision();
    const server = await ServerProcess.start(directory, '--workers', String(workers));
    const client = new SignedClient(server.url, directory.credentials, writers);
    const retrying = new RetryingClient(client);
    const load = new WriteLoad(directory, random);
    let going = true;
    try {
      const writing = Promise.all(
        Array.from({ length: writers }, (_, writer) =>
          load.runWriter({
            writer,
            mark: `w${writer}`,
            async send(call) {
              await delay(pauseMs);
              return retrying.send(call);
            },
            goesOn: () => going,
          }),
        ),
      );
      const killed = await Promise.race([killWorkers(server, random), writing.then(() => 0)]);
      going = false;
      await writing;
      assert.equal(killed, rounds - 1 + workers, 'killed workers');
      assert.ok(server.running, 'the supervisor has ended');
      assert.deepEqual(retrying.unavailable, [], 'a write was refused for the moment');
      await untilWorkers(server.pid, workers);
      await verify(load, server, directory);
      assert.equal(await countSignedWrites(directory), load.acknowledged, 'each write took effect once');
      t.diagnostic(
        `${load.acknowledged} writes acknowledged over ${killed} killed workers; ${retrying.broken.length} connections broke, ` +
          `${retrying.provenByReplay} writes were applied and answered only on the replay`,
      );
    } catch (error) {
      t.diagnostic(`seed ${random.seed}`);
      throw error;
    } finally {
      going = false;
      client.close();
      await server.stop();
      await server.kill();
      await directory.remove();
    }
  });
});

/** Opens fresh connections: those of the load may lead to the worker that was killed last. */
async function verify(load: WriteLoad, { url }: ServerProcess, { credentials }: Provisioned): Promise<void> {
  const client = new SignedClient(url, credentials);
  await load.verifyReplays(client);
  await load.verifyUsers(client);
  await load.verifyShared(client);
  client.close();
}

/** Kills one worker in each round, and once all of them at the same time. Returns how many it killed. */
async function killWorkers({ pid }: ServerProcess, random: SeededRandom): Promise<number> {
  let killed = 0;
  for (let round = 0; round < rounds; round++) {
    await delay(killEveryMs);
    // On a busy machine, those that were killed in the round before are not replaced yet.
    const alive = await untilWorkers(pid, workers);
    const chosen = round === Math.floor(rounds / 2) ? alive : [random.pick(alive)];
    for (const worker of chosen) process.kill(worker, 'SIGKILL');
    killed += chosen.length;
  }
  return killed;
}
