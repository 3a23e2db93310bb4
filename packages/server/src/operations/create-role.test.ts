import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { foreign } from '../../test/sample-directory.ts';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const fields = { name: 'Auditor 🦜', system_id: 9, order: -3, description: 'd', code: 'AUD' };

test('a role is created with every field, returned as by the query, and audited', async () => {
  const answer = await server.succeed('POST', '/role', { id: 70, ...fields });
  assert.deepEqual(answer.envelope.data, { id: 70, ...fields, revision: 1 });
  const queried = await server.succeed('GET', '/role?id=70');
  assert.deepEqual(queried.envelope.data, answer.envelope.data);
  const to = Object.entries(fields).map(([name, value]) => [name, { to: value }]);
  await server.assertAudited(answer, 'create-role', undefined, { id: 70, ...Object.fromEntries(to) });
});

test('a name is enough; the other fields are empty, code is absent, and the audit names only what is not empty', async () => {
  const role = { id: 71, name: 'Bare', code: '', order: 0, system_id: null, description: '' };
  const answer = await server.succeed('POST', '/role', role);
  const expected = { id: 71, name: 'Bare', system_id: 0, order: 0, description: '', revision: 1 };
  assert.deepEqual(answer.envelope.data, expected);
  await server.assertAudited(answer, 'create-role', undefined, { id: 71, name: { to: 'Bare' } });
});

test('without an id, or with the 0 of typed clients, a role gets an id above every other', async () => {
  const first = await server.succeed('POST', '/role', { name: 'Given' });
  assert.match(first.text, /"id":9007199254740994,/);
  const second = await server.succeed('POST', '/role', { id: 0, name: 'Given' });
  assert.match(second.text, /"id":9007199254740995,/);
});

test('once the largest id is taken, new roles get the smallest free ids', async () => {
  await server.succeed('POST', '/role', `{"id":9223372036854775807,"name":"Last"}`);
  const ids = [];
  for (let count = 0; count < 8; count += 1) {
    const { envelope } = await server.succeed('POST', '/role', { name: 'Given' });
    ids.push((envelope.data as { id: number }).id);
  }
  assert.deepEqual(ids, [1, 2, 3, 4, 5, 6, 8, 9]);
});

test('a taken id is 1204, and free in another tenant', async () => {
  await server.refuse(1204, /^a role with id 7 already exists; leave the id out to get a new one, /, [
    'POST',
    '/role',
    { id: 7, name: 'R' },
  ]);
  const theirs = { id: Number(foreign.roleId), name: 'Ours now' };
  await server.succeed('POST', '/role', theirs);
  const { envelope } = await server.succeed('GET', '/role?id=800', undefined, { as: applications.other });
  assert.equal((envelope.data as { name: string }).name, 'Foreign role');
});

test('simultaneous creations get different ids', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `At once ${index}`);
  const answers = await Promise.all(names.map((name) => server.succeed('POST', '/role', { name })));
  const ids = answers.map(({ envelope }) => (envelope.data as { id: number }).id);
  assert.equal(new Set(ids).size, names.length);
});

const refused: readonly (readonly [label: string, body: object, message: RegExp])[] = [
  ['a missing name', { id: 1000 }, /^name is required$/],
  ['an empty name', { name: '' }, /^name must not be empty$/],
  ['a long name', { name: 'x'.repeat(256) }, /^name must be at most 255 characters/],
  ['a negative id', { id: -1, name: 'R' }, /^id must be positive; it is -1;/],
  ['an order beyond 32 bits', { name: 'R', order: 2 ** 31 }, /^order must be/],
  ['a long description', { name: 'R', description: 'x'.repeat(1001) }, /^description must be at most 1000/],
];

for (const [label, body, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['POST', '/role', body]);
  });
}
