import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCodeEntry, errorCodes, limits } from '@fieldroster/contract';
import {
  AlreadyAcceptedError,
  ClaimsPurgedError,
  KeyReplacedError,
  NonceUsedError,
  OutcomeUnknownError,
} from '../../database/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import { BusyError } from '../../errors/busy-error.ts';
import { toFailure } from './to-failure.ts';

const nowMs = 1_700_000_000_900;

test('a refusal that names its code is reported unchanged', () => {
  const refusal = new ApiError(1101, 'no such user');
  assert.equal(toFailure(refusal, 'r', nowMs), refusal);
});

test('each failure of the database has its code, and the log keeps the cause', () => {
  const failures = [
    [1015, new AlreadyAcceptedError('claimed')],
    [1015, new NonceUsedError('claimed')],
    [1012, new ClaimsPurgedError(1_000, 2_000)],
    [1503, new BusyError('locked by process 4711')],
    [1503, new KeyReplacedError()],
    [1500, new OutcomeUnknownError(true)],
    [1500, new TypeError('secret detail')],
    [1500, 'a thrown text'],
  ] as const;
  for (const [code, thrown] of failures) {
    const failure = toFailure(thrown, 'r', nowMs);
    assert.equal(failure.code, code);
    assert.equal(failure.cause, thrown);
    const detail = thrown instanceof Error ? thrown.message : thrown;
    assert.ok(!failure.message.includes(detail), `${failure.message} shows the cause`);
  }
});

test('a nonce that another request used is not called a request that took effect', () => {
  const messageOf = (thrown: Error) => toFailure(thrown, 'r', nowMs).message;
  assert.match(
    messageOf(new AlreadyAcceptedError('claimed')),
    /^this signed request has already taken effect, and nothing was done now; take it as success, or /,
  );
  assert.equal(
    messageOf(new NonceUsedError('claimed')),
    'this nonce was used before, and nothing was done now; sign again with a new nonce for every request',
  );
});

test('messages begin as the contract promises to programs', () => {
  const promised = Object.entries<ErrorCodeEntry>(errorCodes).flatMap(([code, { fixedBeginnings = [] }]) =>
    fixedBeginnings.map(({ text }) => [Number(code), text] as const),
  );
  const failures = [
    [new ClaimsPurgedError(1_000, 2_000), 'the record of requests up to Timestamp '],
    [new AlreadyAcceptedError('claimed'), 'this signed request has already taken effect'],
    [new ApiError(1429, { key: 'manyGuesses', values: { max: 10, seconds: 5 } }), 'this username had'],
    [new NonceUsedError('claimed'), 'this nonce was used before'],
    [new OutcomeUnknownError(true), 'the outcome is unknown'],
    [new OutcomeUnknownError(false), 'the outcome is unknown'],
  ] as const;
  const begun = new Set<string>();
  for (const [thrown, text] of failures) {
    const { code, message } = toFailure(thrown, 'r', nowMs);
    assert.ok(message.startsWith(text), message);
    begun.add(`${code} ${text.trim()}`);
  }
  assert.deepEqual(
    begun,
    new Set(promised.map(([code, text]) => `${code} ${text}`)),
    'programs depend on these texts, which never change',
  );
});

test('only a busy database asks for a retry with the same request', () => {
  assert.equal(toFailure(new BusyError('locked'), 'r', nowMs).retryAfterSeconds, 1);
  assert.equal(toFailure(new TypeError('broken'), 'r', nowMs).retryAfterSeconds, undefined);
});

test('an internal error names the request id, under which the log has the cause', () => {
  for (const thrown of [new TypeError('broken'), new OutcomeUnknownError(false)]) {
    assert.match(toFailure(thrown, 'request-7', nowMs).message, /request id request-7$/);
  }
});

test('if the outcome is unknown, only a claimed write may be sent again to learn it', () => {
  const message = (claimed: boolean) => toFailure(new OutcomeUnknownError(claimed), 'r', nowMs).message;
  assert.match(message(true), /send the same signed request again: 1015 proves that it took effect/);
  assert.match(message(false), /check whether it took effect before you repeat it/);
});

test('only what the database calls unknown is reported as an unknown outcome', () => {
  assert.match(toFailure(new TypeError('broken'), 'r', nowMs).message, /^internal error; /);
  assert.match(toFailure(new OutcomeUnknownError(false), 'r', nowMs).message, /^the outcome is unknown; /);
});

test('a purged claim names the timestamps of the request and of the purge, and the time in seconds', () => {
  const purged = new ClaimsPurgedError(
    1_000 + limits.timestampSkewSeconds,
    2_000 + limits.timestampSkewSeconds,
  );
  const { message, retryAfterSeconds } = toFailure(purged, 'r', nowMs);
  assert.equal(retryAfterSeconds, undefined, 'a new signature is accepted at once');
  assert.match(
    message,
    /^the record of requests up to Timestamp 2000 was purged, so Timestamp 1000 is too old .* \(the server's time 1700000000\); sign again with the current time/,
  );
});

test('a claim purged up to a time ahead, as after a restore, says in how many seconds to sign again', () => {
  const nowSeconds = Math.floor(nowMs / 1000);
  const purged = new ClaimsPurgedError(
    nowSeconds + limits.timestampSkewSeconds,
    nowSeconds + 89 + limits.timestampSkewSeconds,
  );
  const { message, retryAfterSeconds } = toFailure(purged, 'r', nowMs);
  assert.equal(retryAfterSeconds, 90);
  assert.match(
    message,
    /; after a restore, writes are refused for a while: sign again in 90 seconds\. If nothing was restored, ask the operator /,
  );
});
