import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type Envelope, NoAnswerError, type SignedCall, type SignedClient } from '../signed-client.ts';
import { type OwnedUser, readState } from '../write-load.ts';

const refusedPauseMs = 50;
const refusedMax = 200;

/**
 * Sends a write, again while the server refuses it for overload: new passwords alone can overload a slow machine. Returns
 * `undefined` once the server has been killed.
 */
export async function sendUntilKilled(client: SignedClient, call: SignedCall): Promise<Envelope | undefined> {
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
export async function settleUnanswered(users: readonly OwnedUser[], client: SignedClient): Promise<number> {
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
