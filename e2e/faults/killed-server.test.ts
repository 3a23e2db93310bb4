import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { countSignedWrites, findDamage, untilAlone } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { NoAnswerError, type SignedCall, SignedClient } from '../signed-client.ts';
import { type OwnedUser, readState, WriteLoad } from '../write-load.ts';

const kills = atScale({ bounded: 2, full: 200 });
const writers = 32;
const unheardWrites = 8;
const refusedPauseMs = 50;
const refusedMax = 200;

describeOnEachEngine((provision, engine) => {
  test(`after kill -9 under load, every acknowledged write exists, no batch is half done, and replays are refused (${kills} kills)`, async (t) => {
    const random = SeededRandom.ofRun();
    const directory = await provision();
    const load = new WriteLoad(directory, random);
    let server = await ServerProcess.start(directory);
    let unanswered = 0;
    let unansweredApplied = 0;
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
        unanswered += touched.filter((user) => user.unanswered !== undefined).length;
        await load.verifyReplays(reader);
        await load.verifyShared(reader);
        unanswered += await load.settleShared(reader);
        unansweredApplied += await settleUnanswered(touched, reader);
        await load.verifyUsers(reader, touched);
        if (engine === 'SQLite') assert.deepEqual(await findDamage(directory), []);
        assert.equal(
          await countSignedWrites(directory),
          load.acknowledged + unanswered,
          'one audit row each',
        );
        reader.close();
      }
      const client = new SignedClient(server.url, directory.credentials);
      await load.verifyUsers(client);
      client.close();
      assert.ok(unanswered > 0, 'no kill hit a request in flight: the test has shown nothing');
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
        `${unanswered} in flight at a kill, ${unansweredApplied} of them applied`,
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

/** Sends a write again while the server refuses it for overload: new passwords alone can overload a slow machine. */
async function sendUntilKilled(client: SignedClient, call: SignedCall) {
  try {
    let envelope = await client.send(call);
    for (let refused = 0; envelope.code === 1503 && refused < refusedMax; refused++) {
      await delay(refusedPauseMs);
      envelope = await client.send(call);
    }
    assert.equal(envelope.code, 0, `${call.method} ${call.target} ${call.body}: ${JSON.stringify(envelope)}`);
    return envelope;
  } catch (error) {
    if (error instanceof NoAnswerError) return undefined;
    throw error;
  }
}

/**
 * An unanswered write has happened completely or not at all, and the answer to its replay says which.
 * Returns how many had happened.
 */
async function settleUnanswered(users: readonly OwnedUser[], client: SignedClient): Promise<number> {
  let applied = 0;
  for (const user of users) {
    if (user.unanswered === undefined) continue;
    const { call, next } = user.unanswered;
    const before = (await readState(client, user.username))?.state;
    const happened = JSON.stringify(before) === JSON.stringify(next);
    if (!happened)
      assert.deepEqual(before, user.settled, `${user.username} after an unanswered ${call.body}`);
    const { code } = await client.send(call);
    assert.equal(code, happened ? 1015 : 0, `the replay of an unanswered ${call.method} ${call.target}`);
    user.settled = next;
    user.unanswered = undefined;
    if (happened) applied += 1;
  }
  return applied;
}
