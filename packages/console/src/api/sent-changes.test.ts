import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallError } from './exchange.ts';
import { type SendChange, type SentChanges, sendOnce } from './sent-changes.ts';

const password = 'correct horse battery staple';
const content = `POST /console/api/tenants/1/user {"username":"ada","password":"${password}"}`;
const lost: SendChange = () => Promise.reject(new Error('the answer was lost'));

test('what is kept of a change does not tell its password, neither before its answer nor after a failure', async () => {
  const sent: SentChanges = new Map();
  const answer = sendOnce(content, lost, sent);
  assert.equal(sent.size, 1);
  assert.doesNotMatch([...sent.keys()].join(), /correct horse|ada/);
  await assert.rejects(answer, /was lost/);
  assert.equal(sent.size, 1);
  assert.doesNotMatch(JSON.stringify([...sent]), /correct horse|ada/);
});

test('a change that failed goes out again under its id, and one with another password under its own', async () => {
  const sent: SentChanges = new Map();
  const ids: string[] = [];
  const send: SendChange = (changeId, isRepeated) => {
    ids.push(changeId);
    return lost(changeId, isRepeated);
  };
  for (const text of [content, content, content.replace('staple', 'stable')])
    await assert.rejects(sendOnce(text, send, sent));
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[0], ids[2]);
});

test('a change that succeeded leaves nothing, and takes the failed ones along', async () => {
  const sent: SentChanges = new Map();
  await assert.rejects(sendOnce(content, lost, sent));
  await sendOnce('DELETE /console/api/session ', async () => undefined, sent);
  assert.equal(sent.size, 0);
});

/** As the exchange reports it, which knows of answers that it lost itself. */
const refusal =
  (code: number, lostBefore = false): SendChange =>
  (_, isRepeated) =>
    Promise.reject(new CallError({ code, message: 'refused' }, '', lostBefore || isRepeated));

const refused = refusal(1301);

/** Sends the same content once for each answer, and returns whether it went out under the id of the time before. */
async function repeats(...answers: readonly SendChange[]): Promise<boolean[]> {
  const sent: SentChanges = new Map();
  const ids: string[] = [];
  for (const answer of answers) {
    const send: SendChange = (changeId, isRepeated) => {
      ids.push(changeId);
      return answer(changeId, isRepeated);
    };
    await assert.rejects(sendOnce(content, send, sent));
  }
  return ids.slice(1).map((id, index) => id === ids[index]);
}

test('a change that was refused goes out again under a new id, unless an answer to it was lost before', async () => {
  assert.deepEqual(await repeats(refused, refused), [false]);
  assert.deepEqual(await repeats(lost, refused, refused), [true, true]);
  const [failed, endedSession] = [refusal(1500), refusal(1601, true)];
  assert.deepEqual(await repeats(failed, failed), [true], 'nobody knows whether it took effect');
  assert.deepEqual(await repeats(endedSession, refused), [true], 'an earlier attempt may have taken effect');
  assert.deepEqual(await repeats(lost, refusal(1012), refused), [true, false], 'the id is too old');
});
