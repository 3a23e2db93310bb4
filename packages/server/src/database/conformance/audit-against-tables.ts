import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atScale } from '../../../../../scripts/testing/full-scale.ts';
import { type Answered, anyCall, type RandomCall, sendCopies } from './random-calls.ts';
import { readUsers, replayAudit } from './replay-audit.ts';
import { auditRows, newFilledTenant, type Subject } from './subject.ts';

const numRuns = atScale({ bounded: 2, full: 40 });
const callers = 10;
const callsOfEach = 40;

const anyCalls = fc.array(fc.array(anyCall, { minLength: callsOfEach, maxLength: callsOfEach }), {
  minLength: callers,
  maxLength: callers,
});

export function testAuditAgainstTables(subject: Subject): void {
  test(`the audit rows of ${callers * callsOfEach} calls at once over two processes say how each user came to be what the tables say`, async () => {
    const property = fc.asyncProperty(anyCalls, async (calls) => {
      const tenantId = await newFilledTenant(subject);
      const answers = await makeCalls(subject, tenantId, calls);
      const rows = await auditRows(subject, tenantId);
      checkAnswers(
        answers,
        rows.flatMap(({ request_id }) => request_id ?? []),
      );
      const ofUsers = rows.flatMap(({ user_id, ...row }) => (user_id === null ? [] : [{ ...row, user_id }]));
      assert.deepEqual(await readUsers(subject, tenantId), replayAudit(ofUsers));
    });
    // Concurrent calls run in another order each time, so a shrunk set of them would not reproduce the failure.
    await fc.assert(property, { numRuns, endOnFailure: true });
  });
}

/** Makes the calls of each caller one after the other, and returns the answers to the copies of each call. */
async function makeCalls(
  { under: { database, second } }: Subject,
  tenantId: bigint,
  calls: readonly (readonly RandomCall[])[],
): Promise<Answered[][]> {
  const answers = await Promise.all(
    calls.map(async (ofCaller, caller) => {
      const processes = caller % 2 === 0 ? [database, second] : [second, database];
      const answered: Answered[][] = [];
      for (const call of ofCaller) answered.push(await sendCopies(call, tenantId, processes));
      return answered;
    }),
  );
  return answers.flat();
}

/** Asserts that exactly the calls answered with 0 have audit rows, and that no call was carried out twice. */
function checkAnswers(answers: readonly (readonly Answered[])[], recorded: readonly string[]): void {
  const requests = new Set(recorded);
  for (const copies of answers) {
    const done = copies.filter(({ code }) => code === 0);
    assert(done.length <= 1, 'at most one copy takes effect');
    const accepted = copies.some(({ code }) => code === 'accepted before');
    assert(!accepted || done.length === 1, 'a copy is refused as one only if another took effect');
    for (const { requestId, code } of copies) {
      assert.equal(requests.has(requestId), code === 0, `${requestId} was answered with ${code}`);
    }
  }
}
