import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, operations } from '@fieldroster/contract';
import { ApiError } from '../../../errors/api-error.ts';
import { JsonProblem } from '../../../json/exact-json.ts';
import { bodyValuesMax, parseLargeBody, parseSmallBody } from './parse-body.ts';

const valuesMax = 10_000_000;

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 1002 && error.cause instanceof JsonProblem;
}

test('the number of values that a body may hold is that of its operation', () => {
  assert.equal(bodyValuesMax(operations.updateUser), limits.bodyValuesMax);
  assert.equal(bodyValuesMax({ ...operations.updateUser, bodyLimit: 'batch' }), limits.batchBodyValuesMax);
  assert.equal(bodyValuesMax({ ...operations.updateUser, bodyLimit: 'bulk' }), limits.bulkBodyValuesMax);
});

test('a body that cannot be parsed is 1002, and the log gets the problem', async () => {
  for (const text of ['{', '{"a":1,}', '\xff']) {
    const bytes = Buffer.from(text, 'latin1');
    assert.throws(() => parseSmallBody(bytes), isRefusal);
    await assert.rejects(parseLargeBody({ bytes }, valuesMax), isRefusal);
  }
});

test('whether a body is UTF-8 is found out unless it is known', async () => {
  const bytes = Buffer.from('{"a":"\xff"}', 'latin1');
  for (const body of [{ bytes }, { bytes, isUtf8: false }]) {
    await assert.rejects(parseLargeBody(body, valuesMax), /it is not encoded in UTF-8$/);
  }
  const good = Buffer.from('{"a":"\u674e"}');
  for (const body of [{ bytes: good }, { bytes: good, isUtf8: true }]) {
    assert.deepEqual(await parseLargeBody(body, valuesMax), { a: '\u674e' });
  }
});

test('a byte order mark is skipped', async () => {
  const bytes = Buffer.from('\ufeff{"a":1}');
  assert.deepEqual(parseSmallBody(bytes), { a: 1 });
  assert.deepEqual(await parseLargeBody({ bytes }, valuesMax), { a: 1 });
});

test('other work is done while a large body is parsed', async () => {
  const bytes = Buffer.from(JSON.stringify(Array(500_000).fill({ a: 1 })));
  let wasDone = false;
  setImmediate(() => {
    wasDone = true;
  });
  await parseLargeBody({ bytes }, valuesMax);
  assert(wasDone);
});

test('an unknown field may fill the body, however large', async () => {
  for (const bytesMax of [limits.bodyBytesMax, limits.batchBodyBytesMax, limits.bulkBodyBytesMax]) {
    const [before, after] = ['{"a":[1],"z":"', '","b":2}'];
    const filler = 'z'.repeat(bytesMax - before.length - after.length);
    const value = await parseLargeBody({ bytes: Buffer.from(before + filler + after) }, valuesMax);
    assert.deepEqual({ ...Object(value), z: '' }, { a: [1], z: '', b: 2 });
  }
});
