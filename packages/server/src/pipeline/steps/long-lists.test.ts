import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { TooManyWaitError } from '../../errors/busy-error.ts';
import { LongList } from '../../operations/long-list.ts';
import { currentDeadline, Deadline, runUnderDeadline } from '../../time/deadline.ts';
import type { Call } from '../call.ts';
import { LongLists } from './long-lists.ts';
import type { AnswerInPieces } from './present-answer.ts';

const store = { code: 'S', name: 'n', address: '' };

async function* slicesOf(count: number) {
  for (let slice = 0; slice < count; slice += 1) yield [store];
}

function callOf(signal = new AbortController().signal): Call {
  return { key: 'queryUserStores', disconnectSignal: () => signal } as Call;
}

interface Begin {
  readonly owner?: string;
  readonly totalMs?: number;
  readonly signal?: AbortSignal;
  readonly slices?: AsyncIterable<object[]>;
}

function beginIn(lists: LongLists, list: LongList<object>, deadline: Deadline, signal?: AbortSignal) {
  return runUnderDeadline(deadline, async () => {
    const answer = await lists.begin(callOf(signal), list);
    assert(answer !== undefined);
    return answer;
  });
}

/** Begins lists, and counts those of each application that were opened. */
function startLists() {
  const lists = new LongLists();
  const opened: string[] = [];
  const begin = ({ owner = 'a', totalMs = 10_000, signal, slices = slicesOf(1) }: Begin = {}) => {
    const open = async () => {
      opened.push(owner);
      return { count: 1, slices };
    };
    const list = new LongList({ stores: [] }, open);
    const begun = beginIn(lists, list, new Deadline(totalMs, { owner }), signal);
    begun.catch(() => {});
    return begun;
  };
  const measured = () => {
    const values = new Map(lists.metricSources().map(({ name, read }) => [name, read()]));
    return {
      running: values.get('fieldroster_running_long_lists'),
      queued: values.get('fieldroster_queued_long_lists'),
      refused: values.get('fieldroster_long_lists_refused_total'),
    };
  };
  return { begin, opened, measured };
}

async function textOf({ pieces }: AnswerInPieces): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece.toString();
  return text;
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a list is presented from its first slice to its last', async () => {
  const { begin } = startLists();
  const entry = JSON.stringify(store);
  for (const [count, entries] of [
    [0, ''],
    [3, [entry, entry, entry].join()],
  ] as const) {
    const answer = await begin({ slices: slicesOf(count) });
    assert.equal(await textOf(answer), `{"code":0,"message":"","data":{"stores":[${entries}]}}`);
  }
});

test('eight lists are opened at once, and applications take turns as the answers end', async () => {
  const { begin, opened } = startLists();
  const first = await Promise.all(Array.from({ length: 8 }, () => begin()));
  const waiting = [begin(), begin(), begin({ owner: 'b' })];
  await settle();
  assert.equal(opened.length, 8);
  for (const answer of first.slice(0, 2)) {
    await textOf(answer);
    await settle();
  }
  assert.deepEqual(opened.slice(8), ['a', 'b']);
  await textOf(first[2] as AnswerInPieces);
  await Promise.all(waiting);
});

test('an answer that its client does not read makes room after a second', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { begin, opened } = startLists();
  await Promise.all(Array.from({ length: 8 }, () => begin()));
  const ninth = begin();
  t.mock.timers.tick(999);
  await settle();
  assert.equal(opened.length, 8);
  t.mock.timers.tick(1);
  await ninth;
});

test('an answer whose client disconnects makes room at once', async () => {
  const { begin, opened } = startLists();
  const [first] = await Promise.all(Array.from({ length: 8 }, () => begin({ slices: slicesOf(2) })));
  const ninth = begin();
  await settle();
  assert.equal(opened.length, 8);
  const pieces = first?.pieces[Symbol.asyncIterator]();
  await pieces?.next();
  await pieces?.return?.();
  await ninth;
});

for (const [moment, leave] of [
  ['before its answer', async () => {}],
  [
    'after the first piece',
    async ({ pieces }) => {
      const iterator = pieces[Symbol.asyncIterator]();
      await iterator.next();
      await iterator.return?.();
    },
  ],
] satisfies readonly (readonly [string, (answer: AnswerInPieces) => Promise<void>])[]) {
  test(`the list of a client that disconnects ${moment} is no longer read`, async () => {
    const { begin } = startLists();
    const gone = new AbortController();
    const ended = Promise.withResolvers<void>();
    async function* slices() {
      try {
        for (;;) yield Array(1_000).fill(store);
      } finally {
        ended.resolve();
      }
    }
    const answer = await begin({ slices: slices(), signal: gone.signal });
    await leave(answer);
    if (moment === 'before its answer') gone.abort();
    await ended.promise;
  });
}

test('the list of a client that disconnects during its first slice is no longer read', async () => {
  const { begin } = startLists();
  const gone = new AbortController();
  const ended = Promise.withResolvers<void>();
  async function* slices() {
    try {
      gone.abort();
      for (;;) yield [store];
    } finally {
      ended.resolve();
    }
  }
  await begin({ slices: slices(), signal: gone.signal });
  await ended.promise;
});

test('more lists than may wait are refused', async () => {
  const { begin, opened, measured } = startLists();
  await Promise.all(Array.from({ length: 8 }, () => begin()));
  for (let waiting = 0; waiting < 500; waiting += 1) void begin();
  await assert.rejects(begin(), TooManyWaitError);
  assert.equal(opened.length, 8);
  assert.deepEqual(measured(), { running: 8, queued: 500, refused: 1 });
});

test('a list whose time is over, or whose caller disconnects while it waits, is not opened', async () => {
  const { begin, opened, measured } = startLists();
  const [first] = await Promise.all(Array.from({ length: 8 }, () => begin()));
  const caller = new AbortController();
  const late = begin({ totalMs: 0 });
  const gone = begin({ signal: caller.signal });
  caller.abort();
  await assert.rejects(gone, { name: 'BusyError', message: /disconnected/ });
  await textOf(first as AnswerInPieces);
  await assert.rejects(late, {
    name: 'BusyError',
    message: /^the call waited too long in the queue for long lists/,
  });
  assert.equal(opened.length, 8);
  assert.deepEqual(measured(), { running: 7, queued: 0, refused: 1 }, 'the caller that left was not refused');
});

test('a list whose first slice cannot be read is refused, and makes room', async () => {
  const { begin } = startLists();
  async function* broken(): AsyncGenerator<object[]> {
    yield Promise.reject(new Error('broken'));
  }
  for (let times = 0; times < 9; times += 1)
    await assert.rejects(begin({ slices: broken() }), { message: 'broken' });
});

test('the first slice is read under the deadline of the call, and each later one under its own, which is patient', async () => {
  const { begin } = startLists();
  const seen: (Deadline | undefined)[] = [];
  async function* slices() {
    for (let slice = 0; slice < 3; slice += 1) {
      seen.push(currentDeadline());
      // The code below runs in the context of the caller that asks for the next slice.
      await settle();
      yield [store];
    }
  }
  const answer = await begin({ owner: 'c', totalMs: 5_000, slices: slices() });
  // Reads as the connection does, outside the call.
  assert.equal(currentDeadline(), undefined);
  await textOf(answer);
  assert.deepEqual(
    seen.map((deadline) => [deadline?.owner, deadline?.patient]),
    [
      ['c', false],
      ['c', true],
      ['c', true],
    ],
  );
  assert.equal(new Set(seen).size, 3);
});

test('the memory that an answer holds grows with the number of its entries', async () => {
  const lists = new LongLists();
  const heldBy = async (count: number) => {
    const list = new LongList({ stores: [] }, async () => ({ count, slices: slicesOf(1) }));
    const { heldBytes } = await beginIn(lists, list, new Deadline(10_000));
    return heldBytes;
  };
  const kibibyte = 1024;
  assert.equal(await heldBy(0), 0);
  // An entry of the slice, and its code.
  assert.equal(await heldBy(256), 256 * 2 * kibibyte + 32 * kibibyte);
  assert.equal(await heldBy(8_000), 1_000 * 2 * kibibyte + 1_000 * kibibyte);
});

test('every other result is presented elsewhere', () => {
  const lists = new LongLists();
  assert.equal(lists.begin(callOf(), { stores: [] }), undefined);
  assert.equal(lists.begin(callOf(), undefined), undefined);
});

test('a list outside a call is our bug', () => {
  const list = new LongList({ stores: [] }, async () => ({ count: 0, slices: slicesOf(0) }));
  assert.throws(() => new LongLists().begin(callOf(), list), {
    name: 'TypeError',
    message: 'a long list has no deadline',
  });
});
