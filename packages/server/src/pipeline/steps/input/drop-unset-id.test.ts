import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { unsetIdDropper, withoutUnsetId } from './drop-unset-id.ts';

const int64 = Type.Integer({ format: 'int64' });
const username = Type.String();

for (const name of ['id', 'user_id']) {
  const drop = unsetIdDropper(Type.Object({ [name]: int64, username }));

  test(`a ${name} of 0 is dropped if an empty username was sent beside it`, () => {
    assert.deepEqual(drop({ [name]: 0n, nickname: 'N' }, ''), { nickname: 'N' });
  });

  test(`any other ${name} stays, and so does 0 without an empty username`, () => {
    assert.deepEqual(drop({ [name]: 7n }, ''), { [name]: 7n });
    for (const sent of [undefined, null, 'ada']) assert.deepEqual(drop({ [name]: 0n }, sent), { [name]: 0n });
  });
}

test('fields of an operation that has no id, no username or no fields at all stay as they are', () => {
  for (const schema of [Type.Object({ username }), Type.Object({ id: int64 }), undefined]) {
    const drop = unsetIdDropper(schema);
    assert.deepEqual(drop({ id: 0n, undefined: 0n }, ''), { id: 0n, undefined: 0n });
  }
});

test('a reader drops such an id by the username that was sent', () => {
  const schema = Type.Object({ id: int64, username });
  const sent: Record<string, unknown> = { username: '' };
  const read = withoutUnsetId(schema, (find, prefix) => ({ id: 0n, found: find('username'), prefix }));
  const readSent = () => read((name) => sent[name], 'p.');
  assert.deepEqual(readSent(), { found: '', prefix: 'p.' });
  sent.username = 'ada';
  assert.deepEqual(readSent(), { id: 0n, found: 'ada', prefix: 'p.' });
});
