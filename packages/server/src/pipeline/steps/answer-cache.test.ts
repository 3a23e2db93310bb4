import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, beforeEach, test } from 'node:test';
import { type OperationKey, operations } from '@fieldroster/contract';
import { GroupRead } from '../../database/sqlite/connections/group-read.ts';
import type { Call } from '../call.ts';
import { AnswerCache, type CacheLookup } from './answer-cache.ts';
import type { Answer } from './present-answer.ts';
import type { Caller } from './verify-signature.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-answer-cache-'));
const path = join(folder, 'test.db');
const writer = new DatabaseSync(path);
writer.exec('pragma journal_mode = wal; create table entry (n integer)');
const reader = new DatabaseSync(path, { readBigInts: true });
const group = new GroupRead(reader, () => 0);
const store = { dataVersion: () => group.dataVersion() };
const commit = () => writer.exec('insert into entry values (1)');
const answer: Answer = { body: '{"code":0,"message":""}', etag: undefined };

after(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function callOf(target: string, key: OperationKey = 'queryUser'): Call {
  const operation = operations[key];
  const none = undefined;
  return {
    key,
    operation,
    requestId: 'r',
    method: operation.method,
    target,
    authorization: none,
    timestamp: none,
    nonce: none,
    contentType: none,
    contentEncoding: none,
    host: none,
    address: none,
    disconnectSignal: () => new AbortController().signal,
  };
}

function callerOf(tenantId: bigint): Caller {
  const application = { appId: `app-${tenantId}`, tenantId, scope: 'read' } as const;
  return { application, timestampSeconds: 0, nonce: 'n', signature: 's', parameters: [], ambiguous: false };
}

const call = callOf('/user?user_id=1');
const caller = callerOf(1n);
let cache: AnswerCache;

beforeEach(() => {
  cache = new AnswerCache(store, 'write');
});

async function lookupOf(asked = call, by = caller) {
  const lookup = await cache.find(asked, by);
  assert(lookup !== undefined, 'the answer is kept');
  return lookup;
}

/** Keeps an answer as if it was asked for twice at that version of the data. */
function keep(lookup: CacheLookup, kept: Answer, by = cache): void {
  by.keep(lookup, kept);
  by.keep(lookup, kept);
}

test('an answer is kept the second time it is asked for', async () => {
  cache.keep(await lookupOf(), answer);
  assert.equal((await lookupOf()).answer, undefined);
  cache.keep(await lookupOf(), answer);
  assert.equal((await lookupOf()).answer, answer);
});

test('a key that was asked for before a commit is kept the first time after it', async () => {
  cache.keep(await lookupOf(), answer);
  const other = callOf('/user?user_id=2');
  keep(await lookupOf(other), answer);
  commit();
  assert.equal((await lookupOf(other)).answer, undefined, 'the commit is noticed');
  cache.keep(await lookupOf(), answer);
  assert.equal((await lookupOf()).answer, answer);
});

test('an answer is reused as long as nothing is committed', async () => {
  keep(await lookupOf(), answer);
  assert.equal((await lookupOf()).answer, answer);
  assert.equal((await lookupOf()).answer, answer);
});

test('no answer is reused after a commit by any other connection', async () => {
  keep(await lookupOf(), answer);
  commit();
  assert.equal((await lookupOf()).answer, undefined);
});

test('an answer that may have been read before a commit is not cached after it', async () => {
  const other = callOf('/user?user_id=2');
  keep(await lookupOf(other), answer);
  const early = await lookupOf();
  commit();
  assert.equal((await lookupOf(other)).answer, undefined);
  keep(early, answer);
  assert.equal((await lookupOf()).answer, undefined);
  keep(await lookupOf(), answer);
  assert.equal((await lookupOf()).answer, answer);
});

test('an answer cached before a commit was noticed is not reused', async () => {
  keep(await lookupOf(callOf('/user?user_id=2')), answer);
  commit();
  keep(await lookupOf(), answer);
  assert.equal((await lookupOf()).answer, undefined);
});

test('the version is queried for a known answer, and otherwise only once', async () => {
  let asked = 0;
  const dataVersion = () => {
    asked += 1;
    return group.dataVersion();
  };
  const counted = new AnswerCache({ dataVersion }, 'write');
  for (const id of [1, 2, 3]) {
    const lookup = await counted.find(callOf(`/user?user_id=${id}`), caller);
    assert(lookup !== undefined);
    keep(lookup, answer, counted);
  }
  assert.equal(asked, 1);
  assert.equal((await counted.find(call, caller))?.answer, answer);
  assert.equal(asked, 2);
});

test('an answer is reused only for its tenant and its request', async () => {
  keep(await lookupOf(), answer);
  assert.equal((await lookupOf(call, callerOf(2n))).answer, undefined);
  assert.equal((await lookupOf(callOf('/user?user_id=2'))).answer, undefined);
  assert.equal((await lookupOf(call, { ...caller, nonce: 'another', signature: 'another' })).answer, answer);
});

test('an answer is reused only for its scope', async () => {
  keep(await lookupOf(), answer);
  const manager: Caller = { ...caller, application: { ...caller.application, scope: 'manage' } };
  assert.equal((await lookupOf(call, manager)).answer, undefined);
});

test('an answer to a target with several readings is not cached, because the target does not show which was signed', async () => {
  const ambiguous = { ...caller, ambiguous: true };
  assert.equal(await cache.find(callOf('/user?username=a+b'), ambiguous), undefined);
});

test('an answer to a write, or to a password check, is not cached', async () => {
  assert.equal(await cache.find(callOf('/user', 'createUser'), caller), undefined);
  assert.equal(await cache.find(callOf('/user/password/check', 'checkPassword'), caller), undefined);
});

test('an answer to an operation that needs more than the scope read is not cached', async () => {
  for (const access of ['write', 'manage'] as const) {
    const writing: Call = { ...call, operation: { ...call.operation, access, repeatable: false } };
    assert.equal(await cache.find(writing, caller), undefined);
  }
});

test('nothing is cached when every read claims its nonce', async () => {
  assert.equal(await new AnswerCache(store, 'nonce').find(call, caller), undefined);
});

test('an answer that is too large is not cached', async () => {
  keep(await lookupOf(), { ...answer, body: 'x'.repeat(20_000) });
  assert.equal((await lookupOf()).answer, undefined);
});

test('the size of an answer includes its target, up to the limit', async () => {
  const key = `1 read ${call.target}`;
  const sized = (characters: number) => ({ ...answer, body: 'x'.repeat(characters - key.length) });
  keep(await lookupOf(), sized(16 * 1024 + 1));
  assert.equal((await lookupOf()).answer, undefined);
  keep(await lookupOf(), sized(16 * 1024));
  assert.notEqual((await lookupOf()).answer, undefined);
});

test('all answers together are bounded: 1,000 of 16,000 characters are cached, and more replace the oldest', async () => {
  const large = { ...answer, body: 'x'.repeat(16_000) };
  const keepMany = async (from: number, to: number) => {
    for (let id = from; id < to; id += 1) keep(await lookupOf(callOf(`/user?user_id=${id}`)), large);
  };
  const isKept = async (id: number) => (await lookupOf(callOf(`/user?user_id=${id}`))).answer === large;
  await keepMany(0, 1_000);
  assert.equal(await isKept(0), true);
  await keepMany(1_000, 1_200);
  assert.deepEqual([await isKept(1), await isKept(1_199)], [false, true]);
});

test('a look-up that learns late of a known commit drops no answers', async () => {
  const replies: PromiseWithResolvers<bigint>[] = [];
  const dataVersion = () => {
    const reply = Promise.withResolvers<bigint>();
    replies.push(reply);
    return reply.promise;
  };
  const slow = new AnswerCache({ dataVersion }, 'write');
  const first = slow.find(call, caller);
  const second = slow.find(call, caller);
  replies[0]?.resolve(1n);
  const lookup = await first;
  assert(lookup !== undefined);
  keep(lookup, answer, slow);
  replies[1]?.resolve(1n);
  await second;
  const third = slow.find(call, caller);
  replies[2]?.resolve(1n);
  assert.equal((await third)?.answer, answer);
});
