import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fillStores, foreign } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const path = '/user/stores';

async function codesOf(id: number): Promise<string[]> {
  const answer = await server.succeed('GET', `/user/store?user_id=${id}`);
  return (answer.envelope.data as { stores: { code: string }[] }).stores.map((store) => store.code);
}

async function rowOf(username: string) {
  const row = await server.db
    .selectFrom('user')
    .select(['ext_info', 'password_hash'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  return { ...row };
}

const fields = {
  username: 'batch.new',
  real_name: 'Batch New',
  password: 'b4tch p4ssword',
  phone: '555',
  department: 'Field',
  ext_info: '{"shirt":"L"}',
};

test('an unknown username creates a user; the answer has exactly id and username, and the message success', async () => {
  const answer = await server.succeed('POST', path, { ...fields, store_codes: ['S002', 'S001'] });
  const { id } = answer.envelope.data as { id: number };
  assert.equal(answer.text, `{"code":0,"message":"success","data":{"id":${id},"username":"batch.new"}}`);
  const { real_name, phone, department, gender, roles } = await server.queryUser(id);
  assert.deepEqual(
    { real_name, phone, department },
    { real_name: 'Batch New', phone: '555', department: 'Field' },
  );
  assert.deepEqual([gender, roles], [0, []]);
  assert.deepEqual(await codesOf(id), ['S001', 'S002']);
  const row = await rowOf('batch.new');
  assert.equal(row.ext_info, fields.ext_info);
  assert.match(row.password_hash ?? '', /^\$argon2id\$/);
  await server.assertAudited(answer, 'batch-update-user-stores', id, {
    username: { to: 'batch.new' },
    real_name: { to: 'Batch New' },
    phone: { to: '555' },
    department: { to: 'Field' },
    ext_info: { to: '{"shirt":"L"}' },
    password: 'set',
    stores: { added: ['S002', 'S001'] },
  });
});

test('a known username updates that user and replaces its stores with the listed ones', async () => {
  const id = await server.createUser('batch.known', { real_name: 'Before', store_codes: ['S001', 'S002'] });
  const body = { username: 'batch.known', real_name: 'After', store_codes: ['S003', 'S002'] };
  const answer = await server.succeed('POST', path, body);
  assert.deepEqual(answer.envelope, { code: 0, message: 'success', data: { id, username: 'batch.known' } });
  assert.equal((await server.queryUser(id)).real_name, 'After');
  assert.deepEqual(await codesOf(id), ['S002', 'S003']);
  await server.assertAudited(answer, 'batch-update-user-stores', id, {
    real_name: { from: 'Before', to: 'After' },
    stores: { added: ['S003'], removed: ['S001'] },
  });
});

test('store_codes left out or null leaves the bindings as they are', async () => {
  const id = await server.createUser('batch.left.out', { store_codes: ['S001'] });
  for (const body of [{ username: 'batch.left.out' }, { username: 'batch.left.out', store_codes: null }]) {
    const answer = await server.succeed('POST', path, body);
    assert.deepEqual(await codesOf(id), ['S001']);
    await server.assertAudited(answer, 'batch-update-user-stores', id, {});
  }
});

test('an empty array removes all bindings', async () => {
  const id = await server.createUser('batch.empty', { store_codes: ['S001', 'S003'] });
  const answer = await server.succeed('POST', path, { username: 'batch.empty', store_codes: [] });
  assert.deepEqual(await codesOf(id), []);
  await server.assertAudited(answer, 'batch-update-user-stores', id, {
    stores: { removed: ['S001', 'S003'] },
  });
});

test('the audit row of a batch says nothing of stores that the user has already', async () => {
  const id = await server.createUser('batch.same', { store_codes: ['S001', 'S003'] });
  const same = await server.succeed('POST', path, { username: 'batch.same', store_codes: ['S003', 'S001'] });
  await server.assertAudited(same, 'batch-update-user-stores', id, {});
  const created = await server.succeed('POST', path, { username: 'batch.storeless', store_codes: [] });
  const { id: storeless } = created.envelope.data as { id: number };
  const changes = { username: { to: 'batch.storeless' } };
  await server.assertAudited(created, 'batch-update-user-stores', storeless, changes);
});

test('an unknown store code is 1401, names only the unknown codes, and leaves the user unchanged', async () => {
  const id = await server.createUser('batch.refused', { real_name: 'Kept', store_codes: ['S001'] });
  const body = {
    username: 'batch.refused',
    real_name: 'Changed',
    store_codes: ['S002', 'no-1', 'S003', 'no-2'],
  };
  await server.refuse(1401, /^the store does not exist: "no-1", "no-2"$/, ['POST', path, body]);
  assert.equal((await server.queryUser(id)).real_name, 'Kept');
  assert.deepEqual(await codesOf(id), ['S001']);
});

test('an unknown store code creates no user, and the username stays free', async () => {
  const body = { username: 'batch.never', store_codes: ['S001', 'none'] };
  await server.refuse(1401, /"none"/, ['POST', path, body]);
  await server.refuse(1101, /batch\.never/, ['GET', '/user?username=batch.never']);
  await server.createUser('batch.never');
});

test('the first hundred of many unknown codes are named and the rest counted', async () => {
  const store_codes = Array.from({ length: 150 }, (_, index) => `no-${index}`);
  const answer = await server.refuse(1401, /"no-99" and 50 more$/, [
    'POST',
    path,
    { username: 'batch.many.unknown', store_codes },
  ]);
  assert(!answer.envelope.message.includes('no-100'));
});

test('repeated codes count once', async () => {
  const store_codes = ['S001', 'S001', 'S002', 'S001'];
  const id = await server.createUser('batch.repeated', { store_codes });
  assert.deepEqual(await codesOf(id), ['S001', 'S002']);
  await server.refuse(1401, /^the store does not exist: "none"$/, [
    'POST',
    path,
    { username: 'batch.repeated', store_codes: ['none', 'none'] },
  ]);
});

test("another tenant's stores are unknown", async () => {
  const body = { username: 'batch.foreign.store', store_codes: [foreign.storeCode] };
  await server.refuse(1401, /"X001"/, ['POST', path, body]);
});

test("another tenant's username is free: a user of this tenant is created", async () => {
  const foreignId = await server.createUser('batch.foreign', { real_name: 'Theirs' }, applications.other);
  const id = await server.createUser('batch.foreign', { real_name: 'Ours' });
  assert.notEqual(id, foreignId);
  const theirs = await server.succeed('GET', `/user?user_id=${foreignId}`, undefined, {
    as: applications.other,
  });
  assert.equal((theirs.envelope.data as { real_name: string }).real_name, 'Theirs');
});

test('a user may be created without a password and get one later', async () => {
  await server.createUser('batch.no.password');
  assert.equal((await rowOf('batch.no.password')).password_hash, null);
  await server.createUser('batch.no.password', { password: '' });
  assert.equal((await rowOf('batch.no.password')).password_hash, null);
  const first = await server.succeed('POST', '/user/stores', {
    username: 'batch.no.password',
    password: 'now',
  });
  const { data } = first.envelope as { data: { id: number } };
  await server.assertAudited(first, 'batch-update-user-stores', data.id, { password: 'set' });
  assert.match((await rowOf('batch.no.password')).password_hash ?? '', /^\$argon2id\$/);
});

test('fields that are left out or null stay as they are; an empty string clears', async () => {
  const before = { real_name: 'R', phone: 'P', department: 'D', ext_info: 'E', password: 'p' };
  const id = await server.createUser('batch.fields', before);
  const hash = (await rowOf('batch.fields')).password_hash;
  await server.createUser('batch.fields', { real_name: null, phone: '', ext_info: null, password: '' });
  const { real_name, phone, department } = await server.queryUser(id);
  assert.deepEqual([real_name, phone, department], ['R', '', 'D']);
  assert.deepEqual(await rowOf('batch.fields'), { ext_info: 'E', password_hash: hash });
  await server.createUser('batch.fields', { ext_info: '' });
  assert.equal((await rowOf('batch.fields')).ext_info, '');
});

test('ext_info accepts any text of up to 1000 characters', async () => {
  const ext_info = `{"not json": 🦜 "${'x'.repeat(984)}`;
  assert.equal([...ext_info].length, 1000);
  await server.createUser('batch.ext', { ext_info });
  assert.equal((await rowOf('batch.ext')).ext_info, ext_info);
});

test('five thousand stores are replaced in one request', async () => {
  const codes = Array.from({ length: 5000 }, (_, index) => `B${index}`);
  for (let start = 0; start < codes.length; start += 1000) {
    await fillStores(server.db, server.tenantId, codes.slice(start, start + 1000));
  }
  const id = await server.createUser('batch.large', { store_codes: codes });
  assert.equal((await codesOf(id)).length, 5000);
  await server.createUser('batch.large', { store_codes: codes.slice(0, 10) });
  assert.equal((await codesOf(id)).length, 10);
});

test('concurrent batches for a new user create one user and end in a serial outcome', async () => {
  const sets = [['S001'], ['S002'], ['S003'], [], ['S001', 'S002'], ['S002', 'S003']];
  const answers = await Promise.all(
    sets.map((store_codes, index) =>
      server.succeed('POST', path, { username: 'batch.race', real_name: String(index), store_codes }),
    ),
  );
  const ids = new Set(answers.map((answer) => (answer.envelope.data as { id: number }).id));
  assert.equal(ids.size, 1);
  const [id = 0] = ids;
  const winner = Number((await server.queryUser(id)).real_name);
  assert.deepEqual(await codesOf(id), sets[winner], 'fields and stores are those of the same batch');
});

const refused: readonly (readonly [label: string, body: object, message: RegExp])[] = [
  ['a missing username', { real_name: 'x' }, /^username is required$/],
  ['a null username', { username: null }, /^username is required$/],
  ['an empty username', { username: '' }, /^username must not be empty$/],
  ['a username of 51 characters', { username: 'x'.repeat(51) }, /^username must be at most 50 characters/],
  ['a username with a space at its end', { username: 'x ' }, /^username must be .*white space/],
  ['a real_name of 101', { username: 'x', real_name: 'x'.repeat(101) }, /^real_name must be at most 100 /],
  ['a password of 201', { username: 'x', password: 'x'.repeat(201) }, /^password must be at most 200 /],
  ['a phone of 256', { username: 'x', phone: 'x'.repeat(256) }, /^phone must be at most 255 /],
  ['a department of 101', { username: 'x', department: 'x'.repeat(101) }, /^department must be at most 100 /],
  ['an ext_info of 1001', { username: 'x', ext_info: 'x'.repeat(1001) }, /^ext_info must be at most 1000 /],
  [
    'an ext_info that is an object',
    { username: 'x', ext_info: {} },
    /^ext_info must be a string; it is an object$/,
  ],
  [
    'store_codes that are a text',
    { username: 'x', store_codes: 'S001' },
    /^store_codes must be an array; it is a string$/,
  ],
  [
    'store_codes that are an object',
    { username: 'x', store_codes: {} },
    /^store_codes must be an array; it is an object$/,
  ],
  [
    'a store code that is a number',
    { username: 'x', store_codes: ['S001', 1] },
    /^store_codes\[1\] must be a string; it is a number$/,
  ],
  [
    'a store code that is null',
    { username: 'x', store_codes: [null] },
    /^store_codes\[0\] must be a string; it is null$/,
  ],
  ['an empty store code', { username: 'x', store_codes: [''] }, /^store_codes\[0\] must not be empty$/],
  [
    'a store code with a NUL',
    { username: 'x', store_codes: ['S001', 'S\0'] },
    /^store_codes\[1\] must be .*NUL/,
  ],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001 and creates nobody`, async () => {
    await server.refuse(1001, message, ['POST', path, body]);
  });
}

test('a revision of 0 creates a user and changes none, and any other changes one and creates none', async () => {
  const newcomer = { username: 'batch.revision' };
  await server.refuse(
    1017,
    /^if_revision is 1, and the user does not exist; leave if_revision out, or send 0, to create it$/,
    ['POST', path, { ...newcomer, if_revision: 1 }],
  );
  await server.refuse(1101, /./, ['GET', '/user?username=batch.revision']);
  await server.succeed('POST', path, { ...newcomer, if_revision: 0 });
  await server.refuse(1017, /^if_revision is 0, and the revision is now 1; read it again$/, [
    'POST',
    path,
    { ...newcomer, if_revision: 0 },
  ]);
  await server.succeed('POST', path, { ...newcomer, phone: '1', if_revision: 1 });
});

test('of several batches at once that each expect no such user, exactly one takes effect', async () => {
  for (let round = 0; round < 5; round += 1) {
    const username = `batch.race.${round}`;
    const batches = ['S001', 'S002', 'S003', 'S001'].map((code, index) =>
      server.call('POST', path, { username, phone: String(index), store_codes: [code], if_revision: 0 }),
    );
    const codes = (await Promise.all(batches)).map((answer) => answer.envelope.code);
    assert.deepEqual(codes.toSorted(), [0, 1017, 1017, 1017]);
  }
});
