import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Data, type Operations, operations } from '@fieldroster/contract';
import fc from 'fast-check';
import { bigRole, foreign, org, role, storeEntry } from '../../test/sample-directory.ts';
import { sampleProfile } from '../../test/sample-profile.ts';
import { type Answer, applications, startTestServer } from '../../test/test-server.ts';
import { batchUsers } from './batch-users.ts';
import type { WriteContext } from './handler.ts';

const server = await startTestServer();
const strict = await startTestServer({ settings: { replay: 'nonce' } });
after(() => Promise.all([server.close(), strict.close()]));

type Report = Data<Operations['batchUsers']>;
type Entry = Readonly<Record<string, unknown>>;

const path = '/users/batch';

const nothing = { code: 0, message: '', changes: [], stores_added: [], stores_removed: [] };

async function send(
  users: readonly unknown[],
  options: Entry = {},
): Promise<{ answer: Answer; report: Report }> {
  const answer = await server.succeed('POST', path, { users, ...options });
  return { answer, report: answer.envelope.data as Report };
}

async function storesOf(username: string): Promise<unknown> {
  const { envelope } = await server.succeed('GET', `/user?username=${username}`);
  const { id } = envelope.data as { id: number };
  return ((await server.succeed('GET', `/user/store?user_id=${id}`)).envelope.data as { stores: unknown })
    .stores;
}

/** Returns the audit rows of a batch, the summary first. */
async function auditedBy(answer: Answer) {
  const rows = await server.auditOf(answer);
  return rows.map(({ operation, userId, changes }) => ({ operation, userId, changes }));
}

test('every field that update-user sets can be set for many users', async () => {
  const fields = sampleProfile('of many');
  const bodyFields = Object.keys(operations.updateUser.body.properties);
  const [notOfBatch, unanswered] = [['id', 'user_id', 'username', 'if_revision'], ['ext_info']];
  const profile = new Set(bodyFields).difference(new Set([...notOfBatch, ...unanswered, 'password']));
  assert.deepEqual([...profile].toSorted(), Object.keys(fields).toSorted());
  const { report } = await send([{ username: 'many.fields', ...fields, ext_info: '{}' }]);
  const [result] = report.results;
  assert.deepEqual(
    new Set(result?.changes.map(({ field }) => field)),
    new Set([...profile, 'username', 'ext_info']),
  );
  const { envelope } = await server.succeed('GET', '/user?username=many.fields');
  assert.partialDeepStrictEqual(envelope.data, fields);
});

test('users are created and updated with their bindings, each with its outcome and its audit row', async () => {
  const known = await server.createUser('many.known', { real_name: 'Before', store_codes: ['S001', 'S002'] });
  const { answer, report } = await send([
    {
      username: 'many.new',
      real_name: 'New',
      role_id: role.id,
      org_id: org.id,
      store_codes: ['S003', 'S001', 'S003'],
    },
    { username: 'many.known', real_name: 'After', ext_info: '{}', store_codes: ['S002', 'S003'] },
    { username: 'many.bare' },
  ]);
  const [created, , bare] = report.results;
  assert.deepEqual(report, {
    applied: true,
    created: 2,
    updated: 1,
    unchanged: 0,
    failed: 0,
    results: [
      {
        ...nothing,
        index: 0,
        username: 'many.new',
        outcome: 'created',
        id: created?.id,
        changes: [
          { field: 'username', from: '', to: 'many.new' },
          { field: 'real_name', from: '', to: 'New' },
          { field: 'role_id', from: '', to: '7' },
          { field: 'org_id', from: '', to: '1' },
        ],
        stores_added: ['S001', 'S003'],
      },
      {
        ...nothing,
        index: 1,
        username: 'many.known',
        outcome: 'updated',
        id: known,
        changes: [
          { field: 'real_name', from: 'Before', to: 'After' },
          { field: 'ext_info', from: '', to: '{}' },
        ],
        stores_added: ['S003'],
        stores_removed: ['S001'],
      },
      {
        ...nothing,
        index: 2,
        username: 'many.bare',
        outcome: 'created',
        id: bare?.id,
        changes: [{ field: 'username', from: '', to: 'many.bare' }],
      },
    ],
  });
  const user = await server.queryUser(Number(created?.id));
  assert.deepEqual(
    [user.real_name, (user.roles as unknown[]).length, (user.orgs as unknown[]).length],
    ['New', 1, 1],
  );
  assert.deepEqual(await storesOf('many.known'), [storeEntry('S002'), storeEntry('S003')]);
  const [summary, ...rows] = await auditedBy(answer);
  const operation = 'batch-users';
  const counts = { created: 2, updated: 1, unchanged: 0, failed: 0 };
  assert.deepEqual(summary, { operation, userId: null, changes: counts });
  const byUser = rows.toSorted((a, b) => Number((a.userId ?? 0n) - (b.userId ?? 0n)));
  assert.deepEqual(byUser, [
    {
      operation,
      userId: BigInt(known),
      changes: {
        real_name: { from: 'Before', to: 'After' },
        ext_info: { from: '', to: '{}' },
        stores: { added: ['S003'], removed: ['S001'] },
      },
    },
    ...[
      { operation, userId: BigInt(Number(bare?.id)), changes: { username: { to: 'many.bare' } } },
      {
        operation,
        userId: BigInt(Number(created?.id)),
        changes: {
          username: { to: 'many.new' },
          real_name: { to: 'New' },
          role_id: { from: null, to: 7 },
          org_id: { from: null, to: 1 },
          stores: { added: ['S001', 'S003'] },
        },
      },
    ].toSorted((a, b) => Number(a.userId - b.userId)),
  ]);
});

test('an entry without changes leaves its user, its revision and the audit alone', async () => {
  const entry = { username: 'many.same', phone: '1', role_id: 7, org_id: 1, store_codes: ['S001'] };
  await send([entry]);
  const before = await server.snapshot();
  const { answer, report } = await send([entry, { username: 'many.same.not' }]);
  const [same] = report.results;
  assert.deepEqual(same, { ...nothing, index: 0, username: 'many.same', outcome: 'unchanged', id: same?.id });
  assert.equal(report.unchanged, 1);
  const rowOf = (rows: unknown) =>
    (rows as { username: string }[]).find(({ username }) => username === 'many.same');
  assert.deepEqual(rowOf((await server.snapshot()).user), rowOf(before.user));
  assert.deepEqual(
    (await auditedBy(answer)).map(({ userId }) => userId),
    [null, BigInt(Number(report.results[1]?.id))],
  );
});

test('an entry raises the revision of its user by one, however much it changes', async () => {
  await send([{ username: 'many.revision', store_codes: ['S001'] }]);
  await send([{ username: 'many.revision', phone: '2', role_id: 7, org_id: 1, store_codes: ['S002'] }]);
  const row = await server.db
    .selectFrom('user')
    .select('revision')
    .where('username', '=', 'many.revision')
    .executeTakeFirst();
  assert.equal(row?.revision, 2n);
});

const failing: readonly (readonly [label: string, entry: unknown, code: number, message: RegExp])[] = [
  ['no object', 7, 1001, /^users\[1\] must be an object; it is a number$/],
  ['without a username', { phone: '1' }, 1001, /^users\[1\]\.username is required$/],
  ['with an untidy username', { username: ' x' }, 1001, /^users\[1\]\.username must be free of/],
  [
    'with a phone that is a number',
    { username: 'f', phone: 1 },
    1001,
    /^users\[1\]\.phone must be a string; it is a number$/,
  ],
  ['with a long name', { username: 'f', real_name: 'x'.repeat(101) }, 1001, /real_name must be at most 100/],
  [
    'with a role_id that is a string',
    { username: 'f', role_id: '7' },
    1001,
    /role_id must be an integer; it is a string: send the digits without quotes$/,
  ],
  [
    'with a store code that is empty',
    { username: 'f', store_codes: [''] },
    1001,
    /store_codes\[0\] must not be empty$/,
  ],
  ['with two passwords', { username: 'f', password: 'p', password_hash: '$2b$' }, 1001, /not both$/],
  [
    'with an unknown kind of hash',
    { username: 'f', password_hash: 'md5' },
    1001,
    /password_hash is not accepted: it must be/,
  ],
  [
    'with a hash that costs too much',
    { username: 'f', password_hash: `$2b$20$${'a'.repeat(53)}` },
    1001,
    /the cost of bcrypt is 20; it must be from 4 to 12$/,
  ],
  [
    'with a hash that costs more than a new one may',
    { username: 'f', password_hash: `$2b$13$${'a'.repeat(53)}` },
    1001,
    /^users\[1\]\.password_hash is not accepted: the cost of bcrypt is 13; it must be from 4 to 12$/,
  ],
  [
    'for a new user with an invisible character',
    { username: 'f\u2060g' },
    1001,
    /^users\[1\]\.username has the invisible character U\+2060, which the username of a new user must not/,
  ],
  ['with an unknown role', { username: 'f', role_id: 4711 }, 1201, /^no role has id 4711$/],
  ['with an unknown organization', { username: 'f', org_id: 4711 }, 1301, /^no organization has id 4711$/],
  [
    'with unknown stores',
    { username: 'f', store_codes: ['S001', 'no', 'none'] },
    1401,
    /^the store does not exist: "no", "none"$/,
  ],
  ["with another tenant's role", { username: 'f', role_id: foreign.roleId }, 1201, /800/],
  ["with another tenant's organization", { username: 'f', org_id: foreign.orgId }, 1301, /900/],
  ["with another tenant's store", { username: 'f', store_codes: [foreign.storeCode] }, 1401, /X001/],
];

for (const [index, [label, entry, code, message]] of failing.entries()) {
  test(`an entry ${label} fails with ${code} and does not affect the others`, async () => {
    const [first, last] = [`fine.${index}.a`, `fine.${index}.b`];
    const { report } = await send([{ username: first }, entry, { username: last }]);
    assert.deepEqual([report.created, report.failed], [2, 1]);
    const [, failed] = report.results;
    assert.deepEqual(
      { ...failed, username: '', message: '' },
      { ...nothing, index: 1, username: '', outcome: 'failed', id: 0, code },
    );
    assert.match(failed?.message ?? '', message);
    for (const username of [first, last]) await server.succeed('GET', `/user?username=${username}`);
    await server.refuse(1101, /f/, ['GET', '/user?username=f']);
  });
}

test('an update that fails leaves its user as it was', async () => {
  await server.createUser('many.kept', { phone: '1', store_codes: ['S001'] });
  const before = await server.snapshot();
  const { report } = await send([{ username: 'many.kept', phone: '2', store_codes: ['none'] }]);
  assert.equal(report.failed, 1);
  const after = await server.snapshot();
  assert.deepEqual([after.user, after.user_store], [before.user, before.user_store]);
});

test('the first entry for a user is applied; later ones fail and name it', async () => {
  const { report } = await send([
    { username: 'twice', phone: '1' },
    { username: 'Twice' },
    { username: 'twice', phone: '2' },
  ]);
  assert.deepEqual(
    report.results.map(({ outcome }) => outcome),
    ['created', 'created', 'failed'],
  );
  assert.match(report.results[2]?.message ?? '', /^users\[2\]\.username is the same as users\[0\]\.username/);
  assert.equal((await server.queryUser(Number(report.results[0]?.id))).phone, '1');
});

test('ids of 0 and fields that are null change nothing; empty strings clear', async () => {
  await send([
    { username: 'many.null', phone: '1', department: 'D', role_id: 7, org_id: 1, store_codes: ['S001'] },
  ]);
  const unset = { real_name: null, phone: null, role_id: 0, org_id: 0, store_codes: null, password: '' };
  const { report } = await send([{ username: 'many.null', ...unset, password_hash: '', department: '' }]);
  assert.deepEqual(report.results[0]?.changes, [{ field: 'department', from: 'D', to: '' }]);
});

test('empty fields of a new user are no changes, in the answer, in a dry run and in the audit', async () => {
  const empty = { real_name: '', phone: '', gender: 0, department: '' };
  const users = [{ username: 'many.empty', nickname: 'E', ...empty }];
  const { report: dry } = await send(users, { dry_run: true });
  const { answer, report } = await send(users);
  const changes = [
    { field: 'username', from: '', to: 'many.empty' },
    { field: 'nickname', from: '', to: 'E' },
  ];
  assert.deepEqual([dry.results[0]?.changes, report.results[0]?.changes], [changes, changes]);
  const [, row] = await auditedBy(answer);
  assert.deepEqual(row?.changes, { username: { to: 'many.empty' }, nickname: { to: 'E' } });
  assert.equal((await send(users)).report.unchanged, 1);
});

test('a dry run reports what the real batch would, changes nothing, and may be sent again unchanged', async () => {
  await server.createUser('dry.known', { phone: '1', store_codes: ['S001'] });
  const users = [
    { username: 'dry.new', password: 'secret', role_id: bigRole.id, store_codes: ['S002'] },
    { username: 'dry.known', phone: '2', store_codes: [] },
    { username: 'dry.bad', store_codes: ['none'] },
  ];
  const before = await server.snapshot();
  const body = { users, dry_run: true };
  const answer = await server.succeed('POST', path, body, { nonce: 'dry' });
  assert.deepEqual(await server.snapshot(), before);
  const again = await server.succeed('POST', path, body, { nonce: 'dry' });
  assert.equal(again.text, answer.text);
  const dry = answer.envelope.data as Report;
  assert.deepEqual([dry.applied, dry.results[0]?.id], [false, 0]);
  const { report } = await send(users);
  const withoutId = ({ results, applied: _, ...counts }: Report) => ({
    ...counts,
    results: results.map((result) => ({ ...result, id: 0 })),
  });
  assert.deepEqual(withoutId(dry), withoutId(report));
});

for (const [label, bad] of [
  ['is wrong in itself', { username: 'atomic.bad', phone: 1 }],
  ['names what does not exist', { username: 'atomic.bad', store_codes: ['none'] }],
] as const) {
  test(`an atomic batch with an entry that ${label} changes nothing and may be sent again unchanged`, async () => {
    await server.createUser(`atomic.known`, { phone: '1' });
    const users = [{ username: 'atomic.new', phone: '1' }, { username: 'atomic.known', phone: '2' }, bad];
    const before = await server.snapshot();
    for (const _ of [1, 2]) {
      const answer = await server.succeed(
        'POST',
        path,
        { users, atomic: true },
        { nonce: `atomic ${label}` },
      );
      const { results, ...rest } = answer.envelope.data as Report;
      assert.deepEqual(rest, { applied: false, created: 1, updated: 1, unchanged: 0, failed: 1 });
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ['created', 'updated', 'failed'],
      );
      assert.equal(results[0]?.id, 0);
      assert.deepEqual(await server.snapshot(), before);
    }
  });
}

test('an atomic batch in which nothing fails is applied', async () => {
  const { report } = await send([{ username: 'atomic.a' }, { username: 'atomic.b' }], { atomic: true });
  assert.deepEqual([report.applied, report.created], [true, 2]);
});

test('the same signed batch again is 1015', async () => {
  const body = { users: [{ username: 'many.replayed' }] };
  await server.succeed('POST', path, body, { nonce: 'batch' });
  await server.refuse(1015, /already taken effect/, ['POST', path, body, { nonce: 'batch' }]);
});

for (const [label, users, failed] of [
  ['some entries fail', [{ username: 'partly' }, { username: 'partly.bad', role_id: 4711 }], 1],
  ['every entry fails', [{ username: 'wholly.bad', phone: 1 }], 1],
] as const) {
  test(`a batch of which ${label} is applied, and the same signed batch again is 1015`, async () => {
    for (const atServer of [server, strict]) {
      const call = ['POST', path, { users, atomic: false }, { nonce: label }] as const;
      const { applied, ...report } = (await atServer.succeed(...call)).envelope.data as Report;
      assert.deepEqual([applied, report.failed], [true, failed]);
      const before = await atServer.snapshot();
      await atServer.refuse(1015, /already taken effect|used before/, call);
      assert.deepEqual(await atServer.snapshot(), before);
    }
  });
}

test('where a nonce counts once, a dry run and an atomic batch that fails do not use theirs up', async () => {
  const users = [{ username: 'strictly' }, { username: 'strictly.bad', role_id: 4711 }];
  for (const flags of [{ dry_run: true }, { atomic: true }]) {
    const call = ['POST', path, { users, ...flags }, { nonce: `strict ${Object.keys(flags)}` }] as const;
    for (const _ of [1, 2]) {
      const { applied } = (await strict.succeed(...call)).envelope.data as Report;
      assert.equal(applied, false);
    }
  }
});

test('passwords are hashed, hashes are kept as they are, and both let the user in', async () => {
  const bcrypt = '$2b$05$abcdefghijklmnopqrstuuibKwIzcGzOGRTVXSPMGkUMsYBjljCFS';
  const { report } = await send([
    ...['one', 'two', 'three', 'four', 'five'].map((name) => ({
      username: `pass.${name}`,
      password: `of ${name}`,
    })),
    { username: 'pass.hash', password_hash: bcrypt },
  ]);
  assert.deepEqual(report.results[0]?.changes.at(-1), { field: 'password', from: '', to: 'set' });
  for (const name of ['one', 'five']) {
    await server.succeed('POST', '/user/password/check', {
      username: `pass.${name}`,
      password: `of ${name}`,
    });
  }
  const row = await server.db
    .selectFrom('user')
    .select('password_hash')
    .where('username', '=', 'pass.hash')
    .executeTakeFirst();
  assert.equal(row?.password_hash, bcrypt);
  await server.succeed('POST', '/user/password/check', {
    username: 'pass.hash',
    password: 'correct horse 马',
  });
  const { report: without } = await send([{ username: 'pass.one', phone: '1' }]);
  assert.equal(without.updated, 1);
  await server.succeed('POST', '/user/password/check', { username: 'pass.one', password: 'of one' });
});

test('a password counts as set for a user without one and as replaced for another, tried and applied', async () => {
  await server.createUser('word.none');
  await server.createUser('word.some', { password: 'old' });
  const users = ['word.none', 'word.some'].map((username) => ({ username, password: 'new' }));
  const words = [
    { field: 'password', from: '', to: 'set' },
    { field: 'password', from: '', to: 'replaced' },
  ];
  for (const dry_run of [true, false]) {
    const { report } = await send(users, { dry_run });
    assert.deepEqual(
      report.results.flatMap(({ changes }) => changes),
      words,
    );
  }
});

test('a request with too many passwords is refused as a whole', async () => {
  const users = Array.from({ length: 1001 }, (_, index) => ({ username: `p${index}`, password: 'p' }));
  await server.refuse(1001, /^users may have at most 1000 entries with a password; it has 1001/, [
    'POST',
    path,
    { users },
  ]);
});

const refused: readonly (readonly [label: string, body: unknown, message: RegExp])[] = [
  ['no users', {}, /^users is required$/],
  ['an empty list', { users: [] }, /^users must not be empty$/],
  ['users that are not an array', { users: {} }, /^users must be an array; it is an object$/],
  [
    'more than 10,000 users',
    { users: Array(10_001).fill({}) },
    /^users must be an array of at most 10000 entries; it has 10001$/,
  ],
  [
    'a dry_run that is a string',
    { users: [{}], dry_run: 'true' },
    /^dry_run must be true or false; it is a string$/,
  ],
  [
    'an atomic that is a number',
    { users: [{}], atomic: 1 },
    /^atomic must be true or false; it is a number$/,
  ],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001 for the whole request`, async () => {
    await server.refuse(1001, message, ['POST', path, body]);
  });
}

test("another tenant's user of the same name is another user", async () => {
  const foreignId = await server.createUser('many.shared', { phone: 'theirs' }, applications.other);
  const { report } = await send([{ username: 'many.shared', phone: 'ours' }]);
  assert.equal(report.created, 1);
  assert.notEqual(report.results[0]?.id, foreignId);
});

test('reads are answered while a batch runs, and see none of its changes before its end', async () => {
  const users = Array.from({ length: 3000 }, (_, index) => ({
    username: `large.${index}`,
    store_codes: ['S001', 'S002', 'S003'],
  }));
  let done = false;
  const batch = send(users).then(({ report }) => {
    done = true;
    return report;
  });
  let answered = 0;
  while (!done) {
    const { envelope } = await server.call('GET', '/user?username=large.2999');
    if (done) break;
    answered += 1;
    // The answer may be in transit while the commit is made.
    if (envelope.code === 0) break;
    assert.equal(envelope.code, 1101);
  }
  assert.equal((await batch).created, 3000);
  assert(answered > 1, `${answered} reads were answered`);
});

test('the event loop serves others after every slice of a large batch', async () => {
  const users = Array.from({ length: 2500 }, (_, index) => ({ value: { username: `slice.${index}` } }));
  let iterations = 0;
  const count = () => {
    iterations += 1;
    counter = setImmediate(count);
  };
  let counter = setImmediate(count);
  const writeMany: WriteContext<Operations['batchUsers']>['writeMany'] = (_rows, work) =>
    server.database.write(server.tenantId, undefined, async (directory) => {
      const { result, changes } = await work(directory, () => {});
      return { result, audit: { operation: 'test', changes } };
    });
  // Without passwords, it needs nothing else from its context.
  const directory = server.database.directory(server.tenantId);
  const context = { directory, writeMany } as WriteContext<Operations['batchUsers']>;
  const report = await batchUsers({ users }, context);
  clearImmediate(counter);
  assert.equal(report.created, 2500);
  assert(iterations >= 10, `${iterations} iterations`);
});

test('concurrent batches for the same users, in any order, end in a serial outcome', async () => {
  const users = (phone: string, codes: string[]) =>
    Array.from({ length: 60 }, (_, index) => ({ username: `race.${index}`, phone, store_codes: codes }));
  await Promise.all([
    send(users('a', ['S001'])),
    send(users('b', ['S002', 'S003']).reverse()),
    send(users('c', [])),
  ]);
  const rows = await server.db
    .selectFrom('user')
    .select(['phone', 'revision'])
    .where('username', 'like', 'race.%')
    .execute();
  assert.equal(rows.length, 60);
  assert.equal(new Set(rows.map(({ phone }) => phone)).size, 1);
  assert(rows.every(({ revision }) => revision === 3n));
});

const anyEntry = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    real_name: fc.constantFrom('', 'R', 'S'),
    phone: fc.constantFrom('', '1'),
    department: fc.constantFrom('D'),
    ext_info: fc.constantFrom('', '{}'),
    role_id: fc.constantFrom(7, Number.NaN, 4711),
    org_id: fc.constantFrom(1, 4711),
    store_codes: fc.subarray(['S001', 'S002', 'S003', 'none'], { maxLength: 3 }),
  },
  { requiredKeys: ['name'] },
);

test('a batch does what the single operations would do for its entries in order', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uniqueArray(anyEntry, { selector: ({ name }) => name, minLength: 1 }), {
        minLength: 1,
        maxLength: 3,
      }),
      async (batches) => {
        run += 1;
        for (const batch of batches) {
          const entries = batch.map(({ role_id, ...rest }) => ({ ...rest, ...(role_id && { role_id }) }));
          await send(entries.map(({ name, ...rest }) => ({ username: `batch.${run}.${name}`, ...rest })));
          for (const { name, ...rest } of entries) await applySingly(`single.${run}.${name}`, rest);
        }
        assert.deepEqual(await directoryOf(`batch.${run}.`), await directoryOf(`single.${run}.`));
      },
    ),
    { numRuns: 40 },
  );
});

async function applySingly(
  username: string,
  entry: { role_id?: number; org_id?: number; store_codes?: string[] },
) {
  const { role_id, org_id, ...fields } = entry;
  if (role_id === 4711 || org_id === 4711 || fields.store_codes?.includes('none')) return;
  const user_id = await server.createUser(username, fields);
  if (role_id !== undefined) await server.succeed('POST', '/user/role', { user_id, role_id });
  if (org_id !== undefined) await server.succeed('POST', '/user/org', { user_id, org_id });
}

/** Returns the users with this name prefix and all their data, except ids, revisions and times. */
async function directoryOf(prefix: string): Promise<unknown> {
  const rows = await server.db
    .selectFrom('user')
    .selectAll()
    .where('username', 'like', `${prefix}%`)
    .execute();
  const users = rows.map(
    async ({ id, username, revision: _, created_at: __, updated_at: ___, ...fields }) => {
      const { roles, orgs } = await server.queryUser(id);
      return [username.slice(prefix.length), fields, roles, orgs, await storesOf(username)] as const;
    },
  );
  return (await Promise.all(users)).sort(([a], [b]) => (a < b ? -1 : 1));
}
