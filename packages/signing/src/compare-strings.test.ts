import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareLines, firstDifference } from './compare-strings.ts';

const expected = 'GET\n1767225600\nn\n/user?a=1';
const differenceFrom = (actual: string) => firstDifference(compareLines(expected, actual));

test('the lines of both strings are paired under the names of the expected one', () => {
  assert.deepEqual(compareLines('GET\n1767225600\nn\n/', 'get\n1767225600\nn\n/'), [
    { name: 'Method', expected: 'GET', actual: 'get' },
    { name: 'Timestamp', expected: '1767225600', actual: '1767225600' },
    { name: 'Nonce', expected: 'n', actual: 'n' },
    { name: 'CanonicalizedResource', expected: '/', actual: '/' },
  ]);
});

test('a line that only one string has is paired with nothing', () => {
  assert.deepEqual(compareLines(expected, `${expected}\n`).at(-1), {
    name: 'no such line',
    expected: undefined,
    actual: '',
  });
  assert.deepEqual(compareLines(expected, 'GET\n1767225600\nn').at(-1), {
    name: 'CanonicalizedResource',
    expected: '/user?a=1',
    actual: undefined,
  });
});

test('equal strings have no difference', () => {
  assert.equal(differenceFrom(expected), undefined);
});

test('the first character that differs is found', () => {
  const resource = { line: 4, name: 'CanonicalizedResource' };
  assert.deepEqual(differenceFrom(expected.replace('/user', '\\user')), { ...resource, column: 1 });
  assert.deepEqual(differenceFrom(expected.replace('/user', '/User')), { ...resource, column: 2 });
  assert.deepEqual(differenceFrom(expected.replace('a=1', 'a=2')), { ...resource, column: 9 });
  assert.deepEqual(differenceFrom(expected.replace('GET', 'GOT').replace('a=1', 'a=2')), {
    line: 1,
    column: 2,
    name: 'Method',
  });
});

test('two lines of which one is longer differ after their last common character', () => {
  const resource = { line: 4, column: 10, name: 'CanonicalizedResource' };
  assert.deepEqual(differenceFrom(`${expected}&b=2`), resource);
  assert.deepEqual(firstDifference(compareLines(`${expected}&b=2`, expected)), resource);
});

test('a line that one string lacks differs at its beginning', () => {
  assert.deepEqual(differenceFrom(`${expected}\nmore`), { line: 5, column: 1, name: 'no such line' });
  const nonceMissing = { line: 3, column: 1, name: 'Nonce' };
  assert.deepEqual(differenceFrom('GET\n1767225600'), nonceMissing);
});

test('a character outside the basic plane is one column', () => {
  const lines = compareLines('GET\n1\nn\n/user?a=😀1', 'GET\n1\nn\n/user?a=😀2');
  assert.equal(firstDifference(lines)?.column, 10);
});
