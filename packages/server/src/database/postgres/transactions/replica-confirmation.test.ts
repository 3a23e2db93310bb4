import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestPostgres, patient } from '../../../../test/test-postgres.ts';
import { openSessionWithoutTimeout } from '../open.ts';
import { ReplicaConfirmation } from './replica-confirmation.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

test('callers that wait share one question, and one that comes later asks again', async (t) => {
  const { db } = openSessionWithoutTimeout(await postgres.createMigratedDatabase(), patient.connectTimeoutMs);
  t.after(() => db.destroy());
  let questions = 0;
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      questions += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const confirmation = new ReplicaConfirmation(counting);
  await Promise.all(Array.from({ length: 100 }, () => confirmation.confirm()));
  assert.equal(questions, 1);
  const first = confirmation.confirm();
  // The first question may have been sent before a commit that this caller has seen.
  await new Promise(setImmediate);
  await Promise.all([first, ...Array.from({ length: 100 }, () => confirmation.confirm())]);
  assert.equal(questions, 3);
});
