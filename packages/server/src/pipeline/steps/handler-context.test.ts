import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@fieldroster/contract';
import {
  type AcceptanceClaim,
  AlreadyAcceptedError,
  type AuditEvent,
  type Database,
  type DirectoryReader,
  type DirectoryWriter,
  type WriteResult,
} from '../../database/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Guesser, PasswordGuesses } from '../../passwords/password-guesses.ts';
import type { PasswordHasher, PasswordOwner } from '../../passwords/password-hasher.ts';
import { Deadline, runUnderDeadline } from '../../time/deadline.ts';
import type { Call } from '../call.ts';
import { FailedCall } from '../failures/failed-call.ts';
import { type HandlerCaller, handlerContext } from './handler-context.ts';
import { LargeDryRuns } from './large-dry-runs.ts';

const { signal } = new AbortController();
const call = {
  operation: operations.updateUser,
  requestId: 'r-1',
  disconnectSignal: () => signal,
} as Partial<Call> as Call;
const made: AcceptanceClaim = { requestId: 'r-1', expiresAtSeconds: 1 };
const application: HandlerCaller = { tenantId: 7n, scope: 'write', appId: 'app' };
const operator: HandlerCaller = {
  tenantId: 7n,
  scope: 'write',
  actor: { kind: 'operator', id: 'op-1' },
};
const writer = {} as DirectoryWriter;
const reader = {} as DirectoryReader;

/** Makes the context of a handler on a database, hasher and guesses that record what they are asked. */
function observe(caller: HandlerCaller, claim: AcceptanceClaim | undefined = made) {
  const writes: { tenantId: bigint; claimed: AcceptanceClaim | undefined; rows: AuditEvent[] }[] = [];
  const owners: PasswordOwner[] = [];
  const guessers: Guesser[] = [];
  const looked: AcceptanceClaim[] = [];
  const accepted: AcceptanceClaim[] = [];
  const clock = { nowMs: 0 };
  const noteOwner = async (owner: PasswordOwner) => {
    owners.push(owner);
    clock.nowMs += 500;
  };
  const claims: Pick<Database['claims'], 'refuseCopy'> = {
    async refuseCopy(claimed) {
      looked.push(claimed);
      if (accepted.includes(claimed)) throw new AlreadyAcceptedError('accepted before');
    },
  };
  const database: Pick<Database, 'directory' | 'write'> & { claims: typeof claims } = {
    claims,
    directory: (tenantId) => (tenantId === 7n ? reader : writer),
    async write<T>(
      tenantId: bigint,
      claimed: AcceptanceClaim | undefined,
      work: (directory: DirectoryWriter) => Promise<WriteResult<T>>,
    ) {
      const { result, audit, more = [] } = await work(writer);
      writes.push({ tenantId, claimed, rows: [audit, ...more] });
      return result;
    },
  };
  const passwords: Pick<PasswordHasher, 'hash' | 'verify'> = {
    hash: async (owner, password) => {
      await noteOwner(owner);
      return `hash of ${password}`;
    },
    verify: async (owner, password, stored) => {
      await noteOwner(owner);
      return { matches: stored === `hash of ${password}`, outdated: false };
    },
  };
  const guesses: Pick<PasswordGuesses, 'countFailures' | 'hashOf'> = {
    countFailures: (guesser, check) => {
      guessers.push(guesser);
      return check();
    },
    hashOf: ({ tenantId, username }) => `${tenantId} ${username}`,
  };
  const context = handlerContext(
    { call, caller, claim },
    {
      database: database as unknown as Database,
      passwords: passwords as PasswordHasher,
      guesses: guesses as PasswordGuesses,
      largeDryRuns: new LargeDryRuns(),
      now: Date.now,
    },
  );
  return { context, writes, owners, guessers, clock, looked, accepted };
}

test('a handler reads the directory of the caller’s tenant, and sees the caller’s scope', () => {
  const { context } = observe({ ...application, scope: 'read' });
  assert.equal(context.directory, reader);
  assert.equal(context.scope, 'read');
});

test('a refusal has the code and the message that the handler gives', () => {
  const refusal = observe(application).context.refuse(1101, 'no such user');
  assert(refusal instanceof ApiError);
  assert.deepEqual([refusal.code, refusal.message], [1101, 'no such user']);
});

test('a write makes the claim of the request, and a write aside makes none', async () => {
  const { context, writes } = observe(application);
  const work = async (directory: DirectoryWriter) => {
    assert.equal(directory, writer);
    return { result: 'done', changes: {} };
  };
  assert.equal(await context.write(work), 'done');
  assert.equal(await context.writeAside(work), 'done');
  assert.deepEqual(
    writes.map(({ tenantId, claimed }) => [tenantId, claimed]),
    [
      [7n, made],
      [7n, undefined],
    ],
  );
});

test('each effect of a write has an audit row that names the caller, the request and the operation', async () => {
  const by = { requestId: 'r-1', operation: 'update-user' };
  for (const [caller, who] of [
    [application, { appId: 'app' }],
    [operator, { actor: { kind: 'operator', id: 'op-1' } }],
  ] as const) {
    const { context, writes } = observe(caller);
    const more = [{ userId: 3n, changes: { c: 3 } }, { changes: { d: 4 } }];
    await context.write(async () => ({ result: undefined, changes: { a: 1 } }));
    await context.write(async () => ({ result: undefined, userId: 2n, changes: { b: 2 }, more }));
    assert.deepEqual(
      writes.map(({ rows }) => rows),
      [
        [{ ...who, ...by, changes: { a: 1 } }],
        [
          { ...who, ...by, userId: 2n, changes: { b: 2 } },
          { ...who, ...by, userId: 3n, changes: { c: 3 } },
          { ...who, ...by, changes: { d: 4 } },
        ],
      ],
    );
  }
});

test('work on passwords does not use up the deadline, and queues under the caller and its tenant', async () => {
  for (const [caller, owner] of [
    [application, 'app'],
    [operator, 'console'],
  ] as const) {
    for (const patient of [false, true]) {
      const { context, owners, clock } = observe(caller);
      const { hash, verify } = context.passwords;
      const deadline = new Deadline(1_000, { patient, now: () => clock.nowMs });
      await runUnderDeadline(deadline, async () => {
        assert.equal(await hash('p'), 'hash of p');
        assert.deepEqual(await verify('p', 'hash of p'), { matches: true, outdated: false });
      });
      assert.deepEqual([clock.nowMs, deadline.remainingMs], [1_000, 1_000]);
      const expected = { group: 'tenant 7', owner, patient, signal };
      assert.deepEqual(owners, [expected, expected]);
    }
  }
});

test('work on passwords runs without a deadline too, and may then be refused because others wait', async () => {
  const { context, owners } = observe(application);
  assert.equal(await context.passwords.hash('p'), 'hash of p');
  assert.equal((await context.passwords.verify('p', undefined)).matches, false);
  assert.deepEqual(
    owners.map(({ patient }) => patient),
    [false, false],
  );
});

test('a copy of an accepted request is refused before its passwords are hashed, after one look', async () => {
  const { context, owners, looked } = observe(application);
  for (const hashes of [1, 2]) {
    await context.passwords.hash('p');
    assert.deepEqual([owners.length, looked], [hashes, [made]]);
  }
  const copy = observe(application);
  copy.accepted.push(made);
  for (const password of ['p', 'q'])
    await assert.rejects(copy.context.passwords.hash(password), AlreadyAcceptedError);
  assert.deepEqual([copy.owners, copy.looked], [[], [made]]);
  await copy.context.passwords.verify('p', undefined);
});

test('failed passwords count for the tenant, the caller and the username', async () => {
  for (const [caller, appId] of [
    [application, 'app'],
    [operator, 'console'],
  ] as const) {
    const { context, guessers } = observe(caller);
    assert.equal(await context.passwords.countFailures('ann', async () => 'found'), 'found');
    assert.deepEqual(guessers, [{ tenantId: 7n, signal, appId, username: 'ann' }]);
  }
});

test('work that fails on a password tells the log a hash of the username', async () => {
  const { logUsername } = observe(application).context.passwords;
  assert.equal(await logUsername('ann', async () => 'done'), 'done');
  const thrown = new ApiError(1104, 'wrong');
  const failing = logUsername('ann', () => Promise.reject(thrown));
  await assert.rejects(failing, (failed) => {
    assert(failed instanceof FailedCall);
    assert.equal(failed.cause, thrown);
    assert.deepEqual(failed.caller, { usernameHash: '7 ann' });
    return true;
  });
});
