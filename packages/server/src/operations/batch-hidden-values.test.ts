import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { applications, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const writer = { appId: 'app-writer', appSecret: 'the-secret-of-app-writer' };
await server.issueApplication('write', writer);

interface Report {
  readonly results: readonly { readonly outcome: string; readonly changes: readonly object[] }[];
}

const [secret, path] = ['the old information', '/users/batch'];

for (const [label, options] of [
  ['a dry run', { dry_run: true }],
  ['a batch', {}],
  ['an atomic batch that fails', { atomic: true }],
] as const) {
  test(`${label} shows the value that ext_info had to the scope manage only`, async () => {
    const username = `hidden.${label.replaceAll(' ', '.')}`;
    await server.createUser(username, { ext_info: secret, phone: '1' });
    const failing = 'atomic' in options ? [{ username: 'bad', phone: 1 }] : [];
    const users = [{ username, ext_info: 'new', phone: '2' }, ...failing];
    const call = ['POST', path, { users, ...options }] as const;
    const seen = [
      { field: 'phone', from: '1', to: '2' },
      { field: 'ext_info', from: '', to: 'new' },
    ];
    if (label !== 'a batch') {
      // The other scope asks first: its answer must not be given to the writer.
      const { text, envelope } = await server.succeed(...call);
      assert(text.includes(secret), text);
      assert.equal((envelope.data as Report).results[0]?.outcome, 'updated');
    }
    for (const _ of label === 'a batch' ? [1] : [1, 2]) {
      const { text, envelope } = await server.succeed(...call, { as: writer });
      assert(!text.includes(secret), text);
      assert.deepEqual((envelope.data as Report).results[0]?.changes, seen);
    }
    if (label === 'a batch') return;
    assert((await server.succeed(...call)).text.includes(secret));
  });
}

test('an ext_info that is cleared is listed for every scope', async () => {
  await server.createUser('hidden.cleared', { ext_info: secret });
  const body = { users: [{ username: 'hidden.cleared', ext_info: '' }], dry_run: true };
  for (const [as, from] of [
    [writer, ''],
    [applications.main, secret],
  ] as const) {
    const { envelope } = await server.succeed('POST', path, body, { as });
    assert.deepEqual((envelope.data as Report).results[0]?.changes, [{ field: 'ext_info', from, to: '' }]);
  }
});
