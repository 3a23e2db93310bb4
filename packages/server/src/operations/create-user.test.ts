import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { after, test } from 'node:test';
import { emptyProfile, sampleProfile } from '../../test/sample-profile.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer({ costlyPasswords: true });
after(() => server.close());

const everyField = {
  username: 'zhang.wei',
  password: 'correct horse battery staple',
  ...sampleProfile('张伟 🦜'),
};

async function storedHash(username: string): Promise<string> {
  const row = await server.db
    .selectFrom('user')
    .select('password_hash')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  return row.password_hash ?? '';
}

test('the answer to a creation has the id, every field sent and the password, and the creation is audited', async () => {
  const answer = await server.succeed('POST', '/user', everyField);
  const { id } = answer.envelope.data as { id: number };
  assert(Number.isSafeInteger(id) && id > 0);
  assert.deepEqual(answer.envelope, { code: 0, message: '', data: { id, ...everyField } });
  const { username, password: _, ...profile } = everyField;
  const changes = Object.fromEntries(
    Object.entries({ username, ...profile }).map(([field, to]) => [field, { to }]),
  );
  await server.assertAudited(answer, 'create-user', id, { ...changes, password: 'set' });
  assert.deepEqual(await server.queryUser(id), { id, username, ...profile, roles: [], orgs: [] });
});

test('fields that were not sent come back as an empty value of their type', async () => {
  const answer = await server.succeed('POST', '/user', { username: 'sparse', password: 'p' });
  const { id } = answer.envelope.data as { id: number };
  assert.deepEqual(answer.envelope.data, { id, username: 'sparse', password: 'p', ...emptyProfile });
});

test('fields that are null and a gender of 0, as typed clients send them, count as not given', async () => {
  const answer = await server.succeed('POST', '/user', {
    username: 'typed.client',
    password: 'p',
    real_name: null,
    nickname: null,
    gender: 0,
    email: null,
    phone: null,
    department: null,
    avatar: null,
    unique_code: null,
  });
  const data = answer.envelope.data as Record<string, unknown>;
  assert.equal(data.real_name, '');
  assert.equal(data.gender, 0);
});

test('only an argon2id hash of the password is stored, and it verifies', async () => {
  await server.succeed('POST', '/user', { username: 'hashed', password: 'pässword 🔑' });
  const [, algorithm, version, cost, salt, tag] = (await storedHash('hashed')).split('$');
  assert.deepEqual([algorithm, version, cost], ['argon2id', 'v=19', 'm=19456,t=2,p=1']);
  const expected = argon2Sync('argon2id', {
    message: 'pässword 🔑',
    nonce: Buffer.from(salt ?? '', 'base64'),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  });
  assert.equal(tag, expected.toString('base64').replaceAll('=', ''));
});

test('equal passwords of two users have different hashes', async () => {
  await server.succeed('POST', '/user', { username: 'twin.a', password: 'same' });
  await server.succeed('POST', '/user', { username: 'twin.b', password: 'same' });
  assert.notEqual(await storedHash('twin.a'), await storedHash('twin.b'));
});

test('a taken username is 1102 and changes nothing', async () => {
  const id = await server.createUser('taken', { real_name: 'First' });
  await server.refuse(1102, /"taken"/, ['POST', '/user', { username: 'taken', password: 'p' }]);
  assert.equal((await server.queryUser(id)).real_name, 'First');
});

test('usernames are compared exactly: a different case is a different user', async () => {
  await server.createUser('case');
  await server.succeed('POST', '/user', { username: 'Case', password: 'p' });
});

test('a username taken in another tenant is free', async () => {
  await server.createUser('shared.name', {}, applications.other);
  const answer = await server.succeed('POST', '/user', { username: 'shared.name', password: 'p' });
  const [row] = await server.auditOf(answer);
  assert.equal(row?.tenantId, server.tenantId);
});

test('one of several simultaneous creations of a username succeeds, and the others are 1102', async () => {
  const attempts = Array.from({ length: 5 }, () =>
    server.call('POST', '/user', { username: 'race', password: 'p' }),
  );
  const codes = (await Promise.all(attempts)).map((answer) => answer.envelope.code);
  assert.deepEqual(codes.sort(), [0, 1102, 1102, 1102, 1102]);
});

test('unique_code, email and phone need not be unique', async () => {
  const common = { unique_code: 'same', email: 'same@example.com', phone: '1' };
  await server.succeed('POST', '/user', { username: 'common.a', password: 'p', ...common });
  await server.succeed('POST', '/user', { username: 'common.b', password: 'p', ...common });
});

test('lengths count characters: as many emoji as the limit are accepted and come back', async () => {
  const fields = {
    username: '🦜'.repeat(50),
    real_name: '🦜'.repeat(100),
    password: '🦜'.repeat(200),
    nickname: '🦜'.repeat(100),
    email: '🦜'.repeat(255),
    phone: '🦜'.repeat(255),
    department: '🦜'.repeat(100),
    avatar: '🦜'.repeat(250),
    unique_code: '🦜'.repeat(50),
  };
  const answer = await server.succeed('POST', '/user', fields);
  const answered = answer.envelope.data as Record<string, unknown>;
  for (const [field, text] of Object.entries(fields)) assert.equal(answered[field], text, field);
});

const limits = {
  username: 50,
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
  test(`${field} of ${max + 1} characters is 1001, and the message names the field and its limit`, async () => {
    const body = { username: 'too.long', password: 'p', [field]: 'x'.repeat(max + 1) };
    const message = new RegExp(`^${field} must be at most ${max} characters; it has ${max + 1}$`);
    await server.refuse(1001, message, ['POST', '/user', body]);
  });
}

const refused: readonly (readonly [label: string, body: object, message: RegExp])[] = [
  ['a missing username', { password: 'p' }, /^username is required$/],
  ['a null username', { username: null, password: 'p' }, /^username is required$/],
  ['an empty username', { username: '', password: 'p' }, /^username must not be empty$/],
  ['a username with a space before it', { username: ' a', password: 'p' }, /^username must be .*white space/],
  ['a username with a no-break space after it', { username: 'a\u00a0', password: 'p' }, /^username must be/],
  ['a username with a line feed', { username: 'a\nb', password: 'p' }, /^username must be .*control/],
  ['a username with a C1 control', { username: 'a\u0085b', password: 'p' }, /^username must be .*control/],
  ['a missing password', { username: 'u' }, /^password is required$/],
  ['a null password', { username: 'u', password: null }, /^password is required$/],
  ['an empty password', { username: 'u', password: '' }, /^password must not be empty$/],
  [
    'a username that is a number',
    { username: 1, password: 'p' },
    /^username must be a string; it is a number$/,
  ],
  [
    'a password that is a number',
    { username: 'u', password: 1234 },
    /^password must be a string; it is a number$/,
  ],
  [
    'a gender of 3',
    { username: 'u', password: 'p', gender: 3 },
    /^gender must be an integer: 0, 1 or 2; it is 3$/,
  ],
  [
    'a gender that is a string',
    { username: 'u', password: 'p', gender: '1' },
    /^gender must be an integer: 0, 1 or 2; it is a string: send the digits without quotes$/,
  ],
  [
    'a gender of 1.5',
    { username: 'u', password: 'p', gender: 1.5 },
    /^gender must be an integer: 0, 1 or 2; it is 1\.5$/,
  ],
  [
    'a gender that is true',
    { username: 'u', password: 'p', gender: true },
    /^gender must be an integer: 0, 1 or 2; it is a boolean$/,
  ],
  [
    'an email that is an object',
    { username: 'u', password: 'p', email: {} },
    /^email must be a string; it is an object$/,
  ],
  ['a NUL character', { username: 'u', password: 'p', nickname: 'a\0b' }, /^nickname must be .*NUL/],
  ['half a surrogate pair', { username: 'u', password: 'p', nickname: '\ud83e' }, /^nickname must be .*surr/],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001 and creates nobody`, async () => {
    await server.refuse(1001, message, ['POST', '/user', body]);
  });
}

test('a username may contain white space and punctuation inside, and a combining character stays as sent', async () => {
  const username = 'Ann-Marie O\u2019Neil e\u0301 \u00e9';
  const answer = await server.succeed('POST', '/user', { username, password: 'p' });
  assert.equal((answer.envelope.data as { username: string }).username, username);
});

test('the format of email, phone and avatar is not checked', async () => {
  const odd = { email: 'not a mail address', phone: 'none', avatar: 'javascript:' };
  const answer = await server.succeed('POST', '/user', { username: 'odd', password: 'p', ...odd });
  const { email, phone, avatar } = answer.envelope.data as typeof odd;
  assert.deepEqual({ email, phone, avatar }, odd);
});

test('unknown body fields are ignored', async () => {
  const answer = await server.succeed('POST', '/user', {
    username: 'unknown.fields',
    password: 'p',
    id: 5,
    roles: [1],
    constructor: 'x',
  });
  assert(!('roles' in (answer.envelope.data as object)));
});

test('a password keeps its leading and trailing spaces', async () => {
  const answer = await server.succeed('POST', '/user', { username: 'spaces', password: '  p  ' });
  assert.equal((answer.envelope.data as { password: string }).password, '  p  ');
});
