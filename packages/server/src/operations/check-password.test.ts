import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const path = '/user/password/check';
const mebibyte = 1024 * 1024;

/** Hash of 'correct horse 马', at the lowest cost that bcrypt has. */
const bcrypt = '$2b$05$abcdefghijklmnopqrstuuibKwIzcGzOGRTVXSPMGkUMsYBjljCFS';
const ofBcrypt = 'correct horse 马';

async function rowOf(username: string, { db } = server) {
  const row = await db
    .selectFrom('user')
    .select(['id', 'password_hash', 'revision', 'updated_at'])
    .where('username', '=', username)
    .executeTakeFirst();
  return {
    hash: row?.password_hash,
    revision: row?.revision,
    updatedAt: row?.updated_at,
    id: Number(row?.id),
  };
}

test('the right password returns the user and leaves no trace', async () => {
  const id = await server.createUser('check.right', { password: 'right 🦜' });
  const before = await server.snapshot();
  const answer = await server.succeed('POST', path, { username: 'check.right', password: 'right 🦜' });
  assert.deepEqual(answer.envelope.data, { id, username: 'check.right' });
  assert.deepEqual(await server.snapshot(), before);
});

test('a read scope is enough', async () => {
  await server.createUser('check.reader', { password: 'p' });
  const as = applications.reader;
  await server.succeed('POST', path, { username: 'check.reader', password: 'p' }, { as });
});

test('an unknown user, a user without a password and a wrong password get the same answer', async () => {
  await server.createUser('check.none');
  await server.createUser('check.wrong', { password: 'right' });
  await server.createUser('check.foreign', { password: 'right' }, applications.other);
  for (const username of ['check.nobody', 'check.none', 'check.wrong', 'check.foreign', 'Check.wrong']) {
    const password = username === 'check.wrong' ? 'Right' : 'right';
    await server.refuse(1104, /^the username or the password is wrong$/, [
      'POST',
      path,
      { username, password },
    ]);
  }
});

test('only the right password reveals that a user is disabled', async () => {
  await server.createUser('check.disabled', { password: 'right' });
  await server.succeed('PUT', '/user/status', { username: 'check.disabled', status: 'disabled' });
  const attempt = (password: string) => ({ username: 'check.disabled', password });
  await server.refuse(1104, /wrong/, ['POST', path, attempt('wrong')]);
  await server.refuse(
    1105,
    /^the user "check.disabled" is disabled; PUT \/user\/status makes a user active again$/,
    ['POST', path, attempt('right')],
  );
  await server.succeed('PUT', '/user/status', { username: 'check.disabled', status: 'active' });
  await server.succeed('POST', path, attempt('right'));
});

/** Hash of 'p' by argon2id, at the lowest cost that it has. */
const cheap = '$argon2id$v=19$m=8,t=1,p=1$c2l4dGVlbiBieXRlcyBvaw$cvtUOL2hXij0uofdYKIbixlCjI+/UB4XU4+LQZIQYuY';

for (const [kind, old, password] of [
  ['a hash of bcrypt', bcrypt, ofBcrypt],
  ['one of argon2id that costs less than a new one', cheap, 'p'],
] as const) {
  test(`an old hash is replaced on success: audited, but invisible to readers, ${kind}`, async () => {
    const own = await startTestServer({ costlyPasswords: true });
    try {
      const username = 'check.old';
      await own.succeed('POST', '/users/batch', { users: [{ username, password_hash: old }] });
      const before = await rowOf(username, own);
      own.nowMs += 1000;
      await own.refuse(1104, /wrong/, ['POST', path, { username, password: 'wrong' }]);
      const answer = await own.succeed('POST', path, { username, password });
      const { hash, ...rest } = await rowOf(username, own);
      assert.match(hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      assert.deepEqual({ ...rest, hash: old }, before);
      await own.assertAudited(answer, 'check-password', before.id, { password: 'rehashed' });
      const again = await own.succeed('POST', path, { username, password });
      assert.deepEqual(await own.auditOf(again), []);
      assert.equal((await rowOf(username, own)).hash, hash);
    } finally {
      await own.close();
    }
  });
}

test('a bcrypt hash stays if the password is longer than bcrypt reads', async () => {
  const username = 'check.long';
  // Made by the C library's crypt from 72 letters.
  const hash = '$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i';
  await server.succeed('POST', '/users/batch', { users: [{ username, password_hash: hash }] });
  for (const password of [`${'x'.repeat(72)}anything`, `${'x'.repeat(72)}é`]) {
    const answer = await server.succeed('POST', path, { username, password });
    assert.deepEqual(await server.auditOf(answer), []);
    assert.equal((await rowOf(username)).hash, hash);
  }
  await server.succeed('POST', path, { username, password: 'x'.repeat(72) });
  assert.match((await rowOf(username)).hash ?? '', /^\$argon2id/);
  await server.refuse(1104, /wrong/, ['POST', path, { username, password: `${'x'.repeat(72)}anything` }]);
});

test('an old hash is kept, and the check succeeds, if the database refuses writes', async () => {
  const impatient = await startTestServer({ lockWaitMs: 20 });
  try {
    const username = 'check.locked';
    await impatient.succeed('POST', '/users/batch', { users: [{ username, password_hash: bcrypt }] });
    await impatient.whileLocked(() => impatient.succeed('POST', path, { username, password: ofBcrypt }));
    const stored = await impatient.db.selectFrom('user').select('password_hash').executeTakeFirst();
    assert.equal(stored?.password_hash, bcrypt);
  } finally {
    await impatient.close();
  }
});

test('after ten wrong passwords within a minute that user, known or not, has to wait, and others do not', async () => {
  const own = await startTestServer();
  try {
    await own.createUser('throttled', { password: 'right' });
    await own.createUser('other', { password: 'right' });
    for (const username of ['throttled', 'nobody']) {
      const attempt = (password: string) => own.call('POST', path, { username, password });
      const wrong: Awaited<ReturnType<typeof attempt>>[] = [];
      // On a busy machine, a check that waits behind many others is refused.
      for (let batch = 0; batch < 3; batch += 1)
        wrong.push(...(await Promise.all(Array.from({ length: 4 }, () => attempt('wrong')))));
      assert.equal(wrong.filter(({ envelope }) => envelope.code === 1104).length, 10);
      own.nowMs += 20_500;
      const refused = await attempt('right');
      assert.deepEqual([refused.envelope.code, refused.status], [1429, 429]);
      assert.match(refused.envelope.message, /^this username had 10 wrong passwords .* try again in 40 s$/);
      assert.equal(refused.headers['retry-after'], '40');
    }
    await own.succeed('POST', path, { username: 'other', password: 'right' });
    own.nowMs += 39_500;
    await own.succeed('POST', path, { username: 'throttled', password: 'right' });
  } finally {
    await own.close();
  }
});

test('a check that fails although its password was right is also logged with the hash of its username', async () => {
  const own = await startTestServer();
  try {
    const user_id = await own.createUser('locked.out', { password: 'right' });
    const lineOf = async (password: string) => {
      const { requestId } = await own.call('POST', path, { username: 'locked.out', password });
      return JSON.parse(own.logLines.find((each) => each.includes(requestId)) ?? '');
    };
    const wrong = await lineOf('wrong');
    await own.succeed('PUT', '/user/status', { id: user_id, status: 'disabled' });
    const disabled = await lineOf('right');
    assert.deepEqual([wrong.code, disabled.code, disabled.app_id], [1104, 1105, 'app-main']);
    assert.match(disabled.username_hash, /^[0-9a-f]{16}$/);
    assert.equal(disabled.username_hash, wrong.username_hash);
  } finally {
    await own.close();
  }
});

test('for a failed check, the database and the log keep a hash of the username, the same for every try', async () => {
  const own = await startTestServer();
  try {
    await own.createUser('real.name', { password: 'right' });
    const hashes = [];
    for (const username of ['real.name', 'made-up-or-a-password', 'real.name']) {
      const { requestId } = await own.call('POST', path, { username, password: 'wrong' });
      const line = JSON.parse(own.logLines.find((each) => each.includes(requestId)) ?? '');
      assert.match(line.username_hash, /^[0-9a-f]{16}$/);
      hashes.push(line.username_hash);
    }
    const [real, madeUp, again] = hashes;
    assert.equal(again, real);
    assert.notEqual(madeUp, real);
    const rows = await own.bookkeeping.selectFrom('password_failure').selectAll().execute();
    assert.deepEqual(rows.map(({ failures }) => failures).sort(), [1n, 2n, 3n]);
    for (const text of [JSON.stringify(rows.map(({ subject }) => subject)), own.logLines.join()])
      assert.ok(!/real\.name|made-up|app-main.{0,9}\\n/.test(text), text);
    const succeeded = await own.succeed('POST', path, { username: 'real.name', password: 'right' });
    assert.ok(!own.logLines.some((each) => each.includes(succeeded.requestId) && each.includes('hash')));
  } finally {
    await own.close();
  }
});

test('expired counts are removed from the database while the server runs', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const own = await startTestServer();
  try {
    await own.call('POST', path, { username: 'nobody', password: 'wrong' });
    const rows = () => own.bookkeeping.selectFrom('password_failure').selectAll().execute();
    assert.equal((await rows()).length, 2);
    own.nowMs += 60_000;
    t.mock.timers.tick(10_000);
    while ((await rows()).length > 0) await delay(5);
  } finally {
    await own.close();
  }
});

test('a right password clears the failures of its user', async () => {
  await server.createUser('check.cleared', { password: 'right' });
  const attempt = (password: string) => server.call('POST', path, { username: 'check.cleared', password });
  for (const _ of [1, 2]) {
    for (let count = 0; count < 9; count += 1) assert.equal((await attempt('wrong')).envelope.code, 1104);
    assert.equal((await attempt('right')).envelope.code, 0);
  }
});

const refused: readonly (readonly [label: string, body: object, message: RegExp])[] = [
  ['no username', { password: 'p' }, /^username is required$/],
  ['no password', { username: 'u' }, /^password is required$/],
  ['a password with NUL, where bcrypt in C ends', { username: 'u', password: 'p\0q' }, /^password .*NUL/],
  ['an empty password', { username: 'u', password: '' }, /^password must not be empty$/],
  [
    'a long password',
    { username: 'u', password: 'x'.repeat(201) },
    /^password must be at most 200 characters/,
  ],
  ['an untidy username', { username: 'u ', password: 'p' }, /^username must be free of/],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['POST', path, body]);
  });
}

test('a check with a large body does not wait for the memory that its own body holds', async () => {
  // Memory for one body of the largest size, or for one of the costliest hashes.
  const constrained = mock.method(process, 'constrainedMemory', () => 512 * mebibyte);
  const small = await startTestServer({ settings: { bodyBytesMax: 4 * mebibyte } });
  constrained.mock.restore();
  try {
    await small.createUser('check.costly');
    const salt = 'c2l4dGVlbiBieXRlcyBvaw';
    const password_hash = `$argon2id$v=19$m=262144,t=1,p=1$${salt}$${'A'.repeat(43)}`;
    await small.db
      .updateTable('user')
      .set({ password_hash })
      .where('username', '=', 'check.costly')
      .execute();
    const body = { username: 'check.costly', password: 'p', padding: 'x'.repeat(2 * mebibyte) };
    const { envelope } = await small.call('POST', path, body);
    assert.equal(envelope.code, 1104, envelope.message);
  } finally {
    await small.close();
  }
});
