import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from '../../test/test-server.ts';
import { type AuditSubject, findAuditTrail } from './audit-trail.ts';

const server = await startTestServer();
after(() => server.close());

interface More {
  readonly limit?: number;
  readonly untilMs?: number;
  readonly tenant?: string;
  readonly searchMsMax?: number;
}

function trailOf(subject: AuditSubject, more: More = {}) {
  const { database, vault } = server;
  return findAuditTrail({ database, vault }, { tenant: 'default', limit: 50, ...more, subject });
}

const mara = await server.createUser('mara');
server.nowMs += 1_000;
await server.succeed('PUT', '/user', { username: 'mara', nickname: 'Mara' });
server.nowMs += 1_000;
const bound = await server.succeed('POST', '/user/store', { user_id: mara, store_code: 'S001' });
await server.createUser('somebody-else');

test('the changes of a user come newest first, with values before and after and who made them', async () => {
  const { events, searchedBackToMs } = await trailOf({ username: 'mara' });
  assert.equal(searchedBackToMs, undefined);
  assert.deepEqual(
    events.map(({ operation }) => operation),
    ['bind-user-store', 'update-user', 'batch-update-user-stores'],
  );
  assert.deepEqual(events[1]?.changes, { nickname: { from: '', to: 'Mara' } });
  const [newest] = events;
  assert.equal(newest?.appId, 'app-main');
  assert.equal(newest.requestId, bound.requestId);
  assert.equal(newest.atMs, BigInt(server.nowMs));
  assert.deepEqual((await trailOf({ userId: BigInt(mara) })).events, events);
});

test('the changes of a store include those of its bindings', async () => {
  await server.succeed('POST', '/store', { code: 'N-001', name: 'North' });
  await server.succeed('POST', '/store', { code: 'N-0011', name: 'Its code only begins like that' });
  await server.succeed('POST', '/user/stores', { username: 'mara', store_codes: ['N-001', 'S001'] });
  await server.succeed('PUT', '/store', { code: 'N-001', name: 'North 2' });
  await server.succeed('DELETE', `/user/store?user_id=${mara}&store_code=N-001`);
  const { events, lookedAfterBy } = await trailOf({ storeCode: 'N-001' });
  assert.deepEqual(lookedAfterBy, { usernames: [], hasMore: false });
  assert.deepEqual((await trailOf({ storeCode: 'S001' })).lookedAfterBy?.usernames, ['mara']);
  await assert.rejects(trailOf({ storeCode: 'N-002' }), /has no store "N-002"/);
  await assert.rejects(trailOf({ storeCode: 'N-001\u200b' }), /has no store "N-001\\u200b"/);
  assert.deepEqual(
    events.map(({ operation }) => operation),
    ['unbind-user-store', 'update-store', 'batch-update-user-stores', 'create-store'],
  );
});

test('a code with quotes, percent signs and other scripts is found literally', async () => {
  const code = '50%_"店!\\';
  await server.succeed('POST', '/store', { code, name: 'Odd' });
  await server.succeed('POST', '/store', { code: '50xx"店!\\', name: 'Matches the pattern' });
  assert.equal((await trailOf({ storeCode: code })).events.length, 1);
});

test('a limit and a time end the list, which says how far back it goes', async () => {
  const { events, searchedBackToMs } = await trailOf({ username: 'mara' }, { limit: 2 });
  assert.equal(events.length, 2);
  assert.ok(searchedBackToMs !== undefined);
  const first = await trailOf({ username: 'mara' }, { untilMs: server.nowMs - 1_999 });
  assert.deepEqual(
    first.events.map(({ operation }) => operation),
    ['batch-update-user-stores'],
  );
});

test('a deleted user is found by its former name', async () => {
  await server.createUser('gone', { nickname: 'G' });
  await server.succeed('DELETE', '/user?username=gone');
  const { events } = await trailOf({ username: 'gone' });
  assert.deepEqual(
    events.map(({ operation }) => operation),
    ['delete-user', 'batch-update-user-stores'],
  );
});

test('a user that never existed, and an unknown tenant, are refused with advice', async () => {
  await assert.rejects(trailOf({ username: 'nobody' }), {
    name: 'AdminError',
    message: /^tenant 'default' has no user "nobody"; check the spelling and --tenant/,
  });
  await assert.rejects(trailOf({ username: 'mara' }, { tenant: 'nowhere' }), /there is no tenant 'nowhere'/);
  await assert.rejects(trailOf({ username: 'mara' }, { tenant: 'other' }), /has no user "mara"/);
  await assert.rejects(trailOf({ username: 'mara\u00a0' }), /has no user "mara\\u00a0"/);
});

test('a search for a deleted user that ends early says how far back it went, and goes on from there', async () => {
  const iso = (atMs: number) => new Date(atMs).toISOString();
  await server.createUser('left.early');
  await server.succeed('DELETE', '/user?username=left.early');
  // Each of these rows mentions the name, and ends a search that may take no time.
  const times: number[] = [];
  for (const nickname of ['left.early', 'the successor of left.early']) {
    server.nowMs += 1_000;
    times.unshift(server.nowMs);
    await server.succeed('PUT', '/user', { username: 'mara', nickname });
  }
  const [latestMs = 0, earlierMs = 0] = times;
  const find = (untilMs?: number, username = 'left.early') =>
    trailOf({ username }, { searchMsMax: 0, ...(untilMs !== undefined && { untilMs }) });
  await assert.rejects(find(), {
    name: 'AdminError',
    message:
      `tenant 'default' has no user "left.early", and the audit since ${iso(latestMs + 1)} records no deletion of one; ` +
      `check the spelling and --tenant, search further back with --until ${iso(latestMs + 1)}, ` +
      'or give the id of the deleted user with --user-id',
  });
  await assert.rejects(find(latestMs), ({ message }: Error) => {
    assert.match(
      message,
      new RegExp(`the audit from ${iso(earlierMs + 1)} to ${iso(latestMs)} records no deletion`),
    );
    assert.match(message, new RegExp(`search further back with --until ${iso(earlierMs + 1)},`));
    return true;
  });
  for (const ms of times)
    await assert.rejects(
      find(ms + 1),
      new RegExp(
        `search further back with --until ${iso(ms)}, which leaves out the rest of that millisecond,`,
      ),
      'the same --until would end in the same millisecond again',
    );
  const { events } = await find(earlierMs);
  assert.deepEqual(
    events.map(({ operation }) => operation),
    ['delete-user', 'batch-update-user-stores'],
  );
  const whole = await trailOf({ username: 'left.early' }, { untilMs: earlierMs - 60_000 });
  assert.deepEqual(whole.events, [], 'the name is found although the deletion is later');
  for (const nickname of ['who.never', 'not who.never']) {
    server.nowMs += 1_000;
    await server.succeed('PUT', '/user', { username: 'mara', nickname });
  }
  await assert.rejects(
    find(earlierMs, 'who.never'),
    new RegExp(`the audit before ${iso(earlierMs)} records no deletion of one; check the spelling`),
  );
});

test('a search that goes on as told finds a deletion in the very millisecond in which the one before ended', async () => {
  server.nowMs += 1_000;
  await server.createUser('same.moment');
  await server.succeed('DELETE', '/user?username=same.moment');
  await server.succeed('PUT', '/user', { username: 'mara', nickname: 'same.moment' });
  const subject = { username: 'same.moment' };
  const failure: Error = await trailOf(subject, { searchMsMax: 0 }).then(
    () => assert.fail('it was found at once'),
    (error: Error) => error,
  );
  const [, until = ''] = /--until (\S+),/.exec(failure.message) ?? [];
  const { events } = await trailOf(subject, { untilMs: Date.parse(until) });
  assert.equal(events[0]?.operation, 'delete-user');
});

test('large changes are read in parts, and end the list, which says how far back it goes', async () => {
  const texts = Array.from({ length: 30_000 }, () => 'x'.repeat(100));
  for (let row = 0; row < 16; row += 1) {
    server.nowMs += 1_000;
    await server.database.write(server.tenantId, undefined, async () => ({
      result: undefined,
      audit: { operation: 'large', userId: 4711n, changes: { texts } },
    }));
  }
  const { events, searchedBackToMs } = await trailOf({ userId: 4711n });
  assert.ok(events.length > 0 && events.length <= 12, `${events.length} of 3 MB fit 32 MiB`);
  assert.equal(searchedBackToMs, Number(events.at(-1)?.atMs));
});
