import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sampleProfile } from '../../test/sample-profile.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const everyField = sampleProfile('new');

async function storedHash(id: number): Promise<string | null> {
  const row = await server.db
    .selectFrom('user')
    .select('password_hash')
    .where('id', '=', BigInt(id))
    .executeTakeFirstOrThrow();
  return row.password_hash;
}

test('every field sent is changed, the envelope has no data, and the audit row has old and new values', async () => {
  const id = await server.createUser('update.all', { real_name: 'Old Name' });
  const answer = await server.succeed('PUT', '/user', { id, ...everyField });
  assert.equal(answer.text, '{"code":0,"message":""}');
  const { roles: _, orgs: __, ...user } = await server.queryUser(id);
  assert.deepEqual(user, { id, username: 'update.all', ...everyField });
  const before: Record<string, unknown> = { real_name: 'Old Name', gender: 0 };
  const changes = Object.entries(everyField).map(([name, to]) => [name, { from: before[name] ?? '', to }]);
  await server.assertAudited(answer, 'update-user', id, Object.fromEntries(changes));
});

test('a username alone identifies the user', async () => {
  const id = await server.createUser('update.by.name');
  await server.succeed('PUT', '/user', { username: 'update.by.name', nickname: 'N' });
  assert.equal((await server.queryUser(id)).nickname, 'N');
});

test('an id of 0 beside a username, as typed clients send it, counts as left out', async () => {
  const id = await server.createUser('update.zero');
  await server.succeed('PUT', '/user', { id: 0, username: 'update.zero', nickname: 'N' });
  assert.equal((await server.queryUser(id)).nickname, 'N');
});

test('an empty username beside an id, as typed clients send it, counts as left out', async () => {
  const id = await server.createUser('update.empty.name');
  await server.succeed('PUT', '/user', { id, username: '', nickname: 'N' });
  assert.equal((await server.queryUser(id)).nickname, 'N');
  await server.refuse(1001, /^id or username is required; /, ['PUT', '/user', { username: '' }]);
});

test('an id of 0 beside an empty username, as typed clients send them unset, is neither', async () => {
  const message = /^id or username is required; /;
  await server.refuse(1001, message, ['PUT', '/user', { id: 0, username: '', nickname: 'N' }]);
  const large = { id: 0, username: '', ignored: 'x'.repeat(20_000) };
  await server.refuse(1001, message, ['PUT', '/user', large]);
  await server.refuse(1101, /id 0$/, ['PUT', '/user', { id: 0, username: null }]);
});

test('fields that are left out or null stay as they are', async () => {
  const id = await server.createUser('update.keep', { real_name: 'Keep', phone: '1', department: 'D' });
  const answer = await server.succeed('PUT', '/user', { id, real_name: null, phone: null, nickname: 'N' });
  const { real_name, phone, department, nickname } = await server.queryUser(id);
  assert.deepEqual([real_name, phone, department, nickname], ['Keep', '1', 'D', 'N']);
  await server.assertAudited(answer, 'update-user', id, { nickname: { from: '', to: 'N' } });
});

test('an empty string and a gender of 0 clear', async () => {
  const id = await server.createUser('update.clear');
  await server.succeed('PUT', '/user', { id, ...everyField });
  const cleared = Object.fromEntries(
    Object.entries(everyField).map(([name, value]) => [name, typeof value === 'number' ? 0 : '']),
  );
  const answer = await server.succeed('PUT', '/user', { id, ...cleared });
  const { roles: _, orgs: __, ...user } = await server.queryUser(id);
  assert.deepEqual(user, { id, username: 'update.clear', ...cleared });
  const changes = Object.entries(everyField).map(([name, from]) => [name, { from, to: cleared[name] }]);
  await server.assertAudited(answer, 'update-user', id, Object.fromEntries(changes));
});

test('a password that is sent replaces the hash, and the audit row says only whether it was the first', async () => {
  const id = await server.createUser('update.password');
  assert.equal(await storedHash(id), null);
  for (const [password, change] of [
    ['f1rst p4ssword', 'set'],
    ['n3w p4ssword', 'replaced'],
  ]) {
    const before = await storedHash(id);
    const answer = await server.succeed('PUT', '/user', { id, password });
    assert.match((await storedHash(id)) ?? '', /^\$argon2id\$v=19\$/);
    assert.notEqual(await storedHash(id), before);
    await server.assertAudited(answer, 'update-user', id, { password: change });
  }
});

test('a password that is empty, null or left out stays as it is', async () => {
  const id = await server.createUser('update.password.kept', { password: 'first' });
  const before = await storedHash(id);
  for (const body of [{ password: '' }, { password: null }, { nickname: 'x' }]) {
    await server.succeed('PUT', '/user', { id, ...body });
    assert.equal(await storedHash(id), before);
  }
});

test('an update without fields to change succeeds, and the audit row shows no change', async () => {
  const id = await server.createUser('update.nothing', { real_name: 'Same' });
  for (const fields of [{}, { real_name: 'Same' }, { unknown: 1 }]) {
    const answer = await server.succeed('PUT', '/user', { id, ...fields });
    await server.assertAudited(answer, 'update-user', id, {});
  }
});

test('id and username of the same user are accepted', async () => {
  const id = await server.createUser('update.both');
  await server.succeed('PUT', '/user', { id, username: 'update.both', nickname: 'N' });
});

test('a username never renames a user: a different one beside the id is 1103', async () => {
  const id = await server.createUser('update.rename');
  await server.createUser('update.rename.taken');
  for (const username of ['update.renamed', 'update.rename.taken', 'Update.Rename']) {
    await server.refuse(1103, /cannot be changed/, ['PUT', '/user', { id, username, nickname: 'N' }]);
  }
});

const user = await server.createUser('update.refused', { real_name: 'Unchanged' });

const refused: readonly (readonly [label: string, body: object, message: RegExp])[] = [
  [
    'neither id nor username',
    { real_name: 'x' },
    /^id or username is required; here the id is sent as id, not as user_id$/,
  ],
  [
    'the name of another operation',
    { user_id: 82 },
    /^id or username is required; here the id is sent as id, not as user_id$/,
  ],
  ['null for both', { id: null, username: null, real_name: 'x' }, /^id or username is required; /],
  [
    'an id that is a string',
    { id: String(user) },
    /^id must be an integer; it is a string: send the digits without quotes$/,
  ],
  ['an id with a fraction', { id: 1.5 }, /^id must be an integer; it is 1\.5$/],
  ['a gender of -1', { id: user, gender: -1 }, /^gender must be an integer: 0, 1 or 2; it is -1$/],
  ['an array for a string', { id: user, nickname: ['x'] }, /^nickname must be a string; it is an array$/],
  ['a lone surrogate', { id: user, department: '\udc00' }, /^department must be .*surrogate/],
  ['a NUL character', { id: user, avatar: '\0' }, /^avatar must be .*NUL/],
  ['one good and one bad field', { id: user, real_name: 'Changed', gender: 9 }, /^gender must be/],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001 and changes nothing`, async () => {
    await server.refuse(1001, message, ['PUT', '/user', body]);
  });
}

const limits = {
  real_name: 100,
  password: 200,
  nickname: 100,
  email: 255,
  phone: 255,
  department: 100,
  avatar: 250,
  unique_code: 50,
};

for (const [field, max] of Object.entries(limits)) {
  test(`${field} of ${max} characters is accepted, of ${max + 1} it is 1001`, async () => {
    await server.succeed('PUT', '/user', { id: user, [field]: '🦜'.repeat(max) });
    const message = new RegExp(`^${field} must be at most ${max} characters; it has ${max + 1}$`);
    await server.refuse(1001, message, ['PUT', '/user', { id: user, [field]: 'x'.repeat(max + 1) }]);
  });
}

test('an unknown id or username is 1101', async () => {
  await server.refuse(1101, /^no user has id 987654$/, ['PUT', '/user', { id: 987654, nickname: 'N' }]);
  await server.refuse(1101, /"nobody"/, ['PUT', '/user', { username: 'nobody', nickname: 'N' }]);
  await server.refuse(1101, /id 0/, ['PUT', '/user', { id: 0, nickname: 'N' }]);
});

test('an id of 9223372036854775807 keeps its digits in the message', async () => {
  await server.refuse(1101, /id 9223372036854775807$/, ['PUT', '/user', '{"id":9223372036854775807}']);
});

test("another tenant's user is unknown", async () => {
  const foreignId = await server.createUser('update.foreign', {}, applications.other);
  await server.refuse(1101, /id/, ['PUT', '/user', { id: foreignId, nickname: 'N' }]);
  await server.refuse(1101, /update\.foreign/, ['PUT', '/user', { username: 'update.foreign' }]);
});

test('the user keeps the time of the update', async () => {
  const id = await server.createUser('update.time');
  server.nowMs += 5000;
  await server.succeed('PUT', '/user', { id, nickname: 'N' });
  const row = await server.db
    .selectFrom('user')
    .select(['created_at', 'updated_at'])
    .where('id', '=', BigInt(id))
    .executeTakeFirstOrThrow();
  assert.equal(row.updated_at - row.created_at, 5000n);
});
