import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { applications, startTestServer } from '../../../test/test-server.ts';
import { ApiError } from '../../errors/api-error.ts';
import { PasswordGuesses } from '../../passwords/password-guesses.ts';
import type { Call } from '../call.ts';
import { FailedCall } from './failed-call.ts';
import { nameRefusedUser } from './name-refused-user.ts';

const server = await startTestServer();
after(() => server.close());

const guesses = new PasswordGuesses({
  failures: server.database.bookkeeping.passwordFailures,
  keyedHash: (text) => text.replaceAll('\n', '/'),
  now: () => server.nowMs,
});
const refusal = new ApiError(1014, 'the signature does not match');

/** Returns the hash of the username in a refused request, which here begins with the tenant and the name. */
function hashIn(target: string, body = '', thrown: unknown = refusal): string | undefined {
  const verifiedBody = { bytes: Buffer.from(body) };
  const refused = { call: { target } as Call, verifiedBody, application: undefined };
  return FailedCall.of(nameRefusedUser(thrown, refused, guesses)).caller.usernameHash;
}

test('a refusal of the caller names the user in the query or in the body, and no other error does', () => {
  for (const code of [1011, 1012, 1013, 1014, 1016] as const)
    assert.equal(hashIn('/user?username=bob', '', new ApiError(code, 'm')), 'user/0/bob');
  assert.equal(hashIn('/user', '{"username":"bob"}'), 'user/0/bob');
  for (const other of [new ApiError(1101, 'm'), new Error('the disk is full'), 'text'])
    assert.equal(hashIn('/user?username=bob', '', other), undefined);
});

test('the query begins at the first question mark of the target, wherever that is', () => {
  assert.equal(hashIn('/?username=bob'), 'user/0/bob');
  assert.equal(hashIn('/user&username=bob'), undefined);
});

test('a query with more than 256 parameters names nobody', () => {
  assert.equal(hashIn(`/user?username=bob${'&k'.repeat(255)}`), 'user/0/bob');
  assert.equal(hashIn(`/user?username=bob${'&k'.repeat(256)}`), undefined);
});

test('a body of 16 KiB is parsed for the name, a longer one is not', () => {
  const body = '{"username":"bob"}';
  assert.equal(hashIn('/user', body.padEnd(16_384)), 'user/0/bob');
  assert.equal(hashIn('/user', body.padEnd(16_385)), undefined);
});

test("the hash belongs to the application's tenant", () => {
  const application = server.app.applications.find(applications.main.appId);
  const refused = { call: { target: '/user?username=bob' } as Call, application };
  const { caller } = FailedCall.of(nameRefusedUser(refusal, refused, guesses));
  assert.equal(caller.usernameHash, `user/${server.tenantId}/bob`);
});
