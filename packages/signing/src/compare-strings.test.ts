import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareLines, firstDifference } from './compare-strings.ts';

const right = 'GET\n1767225600\nn\n/user?a=1';
const differenceFrom = (theirs: string) => firstDifference(compareLines(right, theirs));

test('the lines of both strings are paired under the names of the right one', () => {
  assert.deepEqual(compareLines('GET\n1767225600\nn\n/', 'get\n1767225600\nn\n/'), [
    { name: 'Method', right: 'GET', theirs: 'get' },
    { name: 'Timestamp', right: '1767225600', theirs: '1767225600' },
    { name: 'Nonce', right: 'n', theirs: 'n' },
    { name: 'CanonicalizedResource', right: '/', theirs: '/' },
  ]);
});

test('a line that only one string has is paired with nothing', () => {
  assert.deepEqual(compareLines(right, `${right}\n`).at(-1), {
    name: 'no such line',
    right: undefined,
    theirs: '',
  });
  assert.deepEqual(compareLines(right, 'GET\n1767225600\nn').at(-1), {
    name: 'CanonicalizedResource',
    right: '/user?a=1',
    theirs: undefined,
  });
});

test('equal strings have no difference', () => {
  assert.equal(differenceFrom(right), undefined);
});

test('the first character that differs is found', () => {
  const resource = { line: 4, name: 'CanonicalizedResource' };
  assert.deepEqual(differenceFrom(right.replace('/user', '\\user')), { ...resource, column: 1 });
  assert.deepEqual(differenceFrom(right.replace('/user', '/User')), { ...resource, column: 2 });
  assert.deepEqual(differenceFrom(right.replace('a=1', 'a=2')), { ...resource, column: 9 });
  assert.deepEqual(differenceFrom(right.replace('GET', 'GOT').replace('a=1', 'a=2')), {
    line: 1,
    column: 2,
    name: 'Method',
  });
});

test('two lines of which one is longer differ after their last common character', () => {
  const resource = { line: 4, column: 10, name: 'CanonicalizedResource' };
  assert.deepEqual(differenceFrom(`${right}&b=2`), resource);
  assert.deepEqual(firstDifference(compareLines(`${right}&b=2`, right)), resource);
});

test('a line that one string lacks differs at its beginning', () => {
  assert.deepEqual(differenceFrom(`${right}\nmore`), { line: 5, column: 1, name: 'no such line' });
  const nonceMissing = { line: 3, column: 1, name: 'Nonce' };
  assert.deepEqual(differenceFrom('GET\n1767225600'), nonceMissing);
});

test('a character outside the basic plane is one column', () => {
  const lines = compareLines('GET\n1\nn\n/user?a=😀1', 'GET\n1\nn\n/user?a=😀2');
  assert.equal(firstDifference(lines)?.column, 10);
});
