import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { limits } from '@fieldroster/contract';
import { WithRevision } from '../../operations/with-revision.ts';
import { pieceCharacters } from '../../slices/encode-in-slices.ts';
import { presentAnswer, presentLargeAnswer, presentLongList } from './present-answer.ts';

test('an answer is the envelope around the data, with every digit of its ids', () => {
  const stores = [{ code: 'S"1', name: 'Größe 🙂', address: '' }];
  assert.deepEqual(presentAnswer('queryUserStores', { stores }), {
    body: '{"code":0,"message":"","data":{"stores":[{"code":"S\\"1","name":"Größe 🙂","address":""}]}}',
    etag: undefined,
  });
  const roles = [{ id: 2n ** 63n - 1n, name: 'n', system_id: 0n, order: 1, description: '' }];
  assert.match(presentAnswer('queryUserRole', { user_id: 5n, roles }).body, /"id":9223372036854775807,/);
});

test('a handler that forgets its data is our bug, not an empty answer', () => {
  assert.throws(() => presentAnswer('queryUserStores', undefined), {
    name: 'TypeError',
    message: 'the handler of query-user-stores has returned no data',
  });
});

test('the answer of an operation without data has only its message', () => {
  const { body, etag } = presentAnswer('bindUserStore', new WithRevision(undefined, 3n));
  const envelope = JSON.parse(body) as Record<string, unknown>;
  assert.deepEqual(Object.keys(envelope), ['code', 'message']);
  assert.equal(envelope.code, 0);
  assert.equal(etag, '"3"');
});

const counts = { applied: true, created: 1, updated: 0, unchanged: 0, failed: 0 };
const outcome = (message: string, index: number) => ({
  index,
  username: 'u',
  id: 5n,
  outcome: 'created',
  code: 0,
  message,
  changes: [],
  stores_added: ['S001'],
  stores_removed: [],
});
const batchOf = (...messages: readonly string[]) => ({ ...counts, results: messages.map(outcome) });

async function piecesOf(data: object): Promise<readonly Buffer[]> {
  return (await presentLargeAnswer('batchUsers', data)) ?? [];
}

const storesOf = (count: number) => ({
  stores: Array.from({ length: count }, (_, index) => ({
    code: `S${index}`,
    name: 'Größe',
    address: '\u0001',
  })),
});

/** Codes as long as they may be. */
const codesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `"${index}`.padEnd(limits.storeCodeCharactersMax, '店'));

test('a list longer than any page is presented in slices of time, as the same envelope', async () => {
  assert.equal(presentLargeAnswer('queryUserStores', storesOf(limits.pageEntriesMax)), undefined);
  const data = storesOf(limits.pageEntriesMax + 1);
  const { body } = presentAnswer('queryUserStores', data);
  const pieces = await presentLargeAnswer('queryUserStores', data);
  assert.equal(Buffer.concat(pieces ?? []).toString(), body);
});

test('an entry with as many stores as a user may have is presented piece by piece, as the same envelope', async () => {
  for (const [added, removed] of [
    [500, 501],
    [1_000, 0],
    [1, limits.storeCodesMax],
  ] as const) {
    const entry = {
      ...outcome('"', 0),
      changes: [{ field: 'real_name', from: '', to: '店' }],
      stores_added: codesOf(added),
      stores_removed: codesOf(removed),
      hidden: 'not in the schema',
    };
    const data = { ...counts, results: [outcome('', 1), entry, outcome('', 2)] };
    const pieces = await piecesOf(data);
    assert.equal(Buffer.concat(pieces).toString(), presentAnswer('batchUsers', data).body);
    for (const piece of pieces) {
      const characters = piece.toString().length;
      assert.ok(characters < 2 * pieceCharacters, `a piece of ${characters} characters`);
    }
  }
});

test('a list that is read while it is sent is presented as the same envelope, however it is sliced', async () => {
  const { stores } = storesOf(7);
  const { body } = presentAnswer('queryUserStores', { stores });
  for (const slices of [[stores], [stores.slice(0, 3), [], stores.slice(3)]]) {
    const pieces: Buffer[] = [];
    const read = Readable.from(slices, { objectMode: true });
    for await (const piece of presentLongList('queryUserStores', { stores: [] }, read)) pieces.push(piece);
    assert.equal(Buffer.concat(pieces).toString(), body);
  }
});

test('a slice is read only once the pieces before it are taken', async () => {
  const { stores } = storesOf(3_000);
  let read = 0;
  async function* slices() {
    for (let start = 0; start < stores.length; start += 1_500) {
      read += 1;
      yield stores.slice(start, start + 1_500);
    }
  }
  const pieces = presentLongList('queryUserStores', { stores: [] }, slices());
  assert.equal(read, 0);
  await pieces.next();
  assert.equal(read, 1);
  for (let left = await pieces.next(); left.done !== true; left = await pieces.next());
  assert.equal(read, 2);
});

test('a list of an operation whose answer ends with none is our bug', () => {
  assert.throws(() => presentLongList('bindUserStore', {}, Readable.from([])), { name: 'TypeError' });
});

test('a short answer is presented in slices of time only if it is that of a bulk operation that ends with a list', () => {
  assert.equal(presentLargeAnswer('queryUserStores', { stores: [] }), undefined);
  assert.equal(presentLargeAnswer('bindUserStore', {}), undefined);
  assert.equal(
    presentLargeAnswer('upsertStores', { applied: true, created: 1, updated: 0, unchanged: 0 }),
    undefined,
  );
  assert.equal(presentLargeAnswer('batchUsers', undefined), undefined);
  assert(presentLargeAnswer('batchUsers', batchOf()) instanceof Promise);
});

test('an answer presented in slices of time is the same envelope, whatever the length of its list', async () => {
  for (const data of [batchOf(), batchOf('a'), batchOf('Größe', '"', '🙂'), counts]) {
    const { body } = presentAnswer('batchUsers', { results: [], ...data });
    assert.equal(Buffer.concat(await piecesOf(data)).toString(), body);
  }
});

test('an answer is encoded in pieces of 64 Ki characters, to the end of an entry', async () => {
  const ending = ']}}'.length;
  const bare = presentAnswer('batchUsers', batchOf('')).body.length - ending;
  const lengthsOf = async (characters: number) => {
    const pieces = await piecesOf(batchOf('x'.repeat(characters - bare)));
    return pieces.map(({ length }) => length);
  };
  assert.deepEqual(await lengthsOf(65_535), [65_535 + ending]);
  assert.deepEqual(await lengthsOf(65_536), [65_536, ending]);
});

test('the event loop serves others once an entry has taken five milliseconds', async (t) => {
  // The slice of the test before may not have ended.
  await nextIteration();
  let nowMs = performance.now();
  t.mock.method(performance, 'now', () => {
    nowMs += 5;
    return nowMs;
  });
  let slices = 0;
  setImmediate(() => {
    slices += 1;
  });
  await piecesOf(batchOf('a'));
  assert.equal(slices, 1);
});
