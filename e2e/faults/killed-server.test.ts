import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { countSignedWrites, findDamage, untilAlone } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { type SignedCall, SignedClient } from '../signed-client.ts';
import { WriteLoad } from '../write-load.ts';
import { sendUntilKilled, settleUnanswered } from './unanswered-writes.ts';

const kills = atScale({ bounded: 2, full: 200 });
const writers = 32;
const unheardWrites = 8;

describeOnEachEngine((provision, engine) => {
  test(`after kill -9 under load, every acknowledged write exists, no batch is half done, and replays are refused (${kills} kills)`, async (t) => {
    const random = SeededRandom.ofRun();
    const directory = await provision();
    const load = new WriteLoad(directory, random);
    let server = await ServerProcess.start(directory);
    // Only the writers count: writes that are sent unheard stay marked as unanswered even after an answer.
    let ownedUnanswered = 0;
    let sharedUnanswered = 0;
    let unansweredApplied = 0;
    let unheardInAll = 0;
    try {
      for (let kill = 0; kill < kills; kill++) {
        const firstOfRound = load.users.length;
        const client = new SignedClient(server.url, directory.credentials, writers + unheardWrites);
        await killUnderLoad(load, random, server, client, kill);
        client.close();
        await untilAlone(directory);
        server = await ServerProcess.start(directory);
        const reader = new SignedClient(server.url, directory.credentials);
        const touched = load.users.slice(firstOfRound);
        const unheard = touched.filter(({ username }) => username.startsWith('user-unheard-'));
        const owned = touched.filter((user) => !unheard.includes(user));
        unheardInAll += unheard.length;
        ownedUnanswered += owned.filter((user) => user.unanswered !== undefined).length;
        await load.verifyReplays(reader);
        await load.verifyShared(reader);
        sharedUnanswered += await load.settleShared(reader);
        unansweredApplied += await settleUnanswered(owned, reader);
        await settleUnanswered(unheard, reader);
        await load.verifyUsers(reader, touched);
        if (engine === 'SQLite') assert.deepEqual(await findDamage(directory), []);
        assert.equal(
          await countSignedWrites(directory),
          load.acknowledged + ownedUnanswered + sharedUnanswered + unheardInAll,
          'one audit row each',
        );
        reader.close();
      }
      const client = new SignedClient(server.url, directory.credentials);
      await load.verifyUsers(client);
      client.close();
      // A few kills may all come before a commit, or after one of everything in flight; hundreds do not.
      if (fullScale)
        assert.ok(
          0 < unansweredApplied && unansweredApplied < ownedUnanswered,
          `${unansweredApplied} of ${ownedUnanswered} applied`,
        );
      assert.equal(await server.stop(), 0);
    } catch (error) {
      t.diagnostic(`seed ${random.seed}`);
      throw error;
    } finally {
      await server.kill();
      await directory.remove();
    }
    t.diagnostic(
      `figure: ${kills} kills; of ${load.acknowledged} acknowledged writes 0 lost; ` +
        `${ownedUnanswered + sharedUnanswered} in flight at a kill; ${unansweredApplied} of ${ownedUnanswered} with a user of their own applied`,
    );
  });
});

/** Lets all writers run until a random number of acknowledgements, kills the server, and waits for them to notice. */
async function killUnderLoad(
  load: WriteLoad,
  random: SeededRandom,
  server: ServerProcess,
  client: SignedClient,
  kill: number,
): Promise<void> {
  const killAt = load.acknowledged + random.integer(100, 500);
  load.lastAcknowledged.clear();
  const { promise: killed, resolve } = Promise.withResolvers<void>();
  const onAcknowledged = () => {
    if (load.acknowledged !== killAt) return;
    sendUnheard(load, client);
    // Right after an answer nothing is in flight; a moment later the next group of writes is.
    setTimeout(() => resolve(server.kill()), random.integer(0, 30));
  };
  const send = (call: SignedCall) => sendUntilKilled(client, call);
  const writing = Array.from({ length: writers }, (_, writer) =>
    load.runWriter({ writer, mark: `${kill}-${writer}`, send, onAcknowledged }),
  );
  await Promise.all([killed, ...writing]);
}

/** Sends writes without reading the answers, so that some are applied but not acknowledged. */
function sendUnheard(load: WriteLoad, client: SignedClient): void {
  for (let count = 0; count < unheardWrites; count++) {
    const { user, call, next } = load.createUser(`unheard-${load.acknowledged}-${count}`);
    user.unanswered = { call, next };
    client.send(call).catch(() => {});
  }
}
