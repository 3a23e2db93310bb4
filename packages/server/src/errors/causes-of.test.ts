import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causesOf } from './causes-of.ts';

test('yields the error first, then its causes, and stops at one that is not an error', () => {
  const inner = new Error('inner', { cause: 'a text' });
  const outer = new Error('outer', { cause: inner });
  assert.deepEqual([...causesOf(outer)], [outer, inner]);
  assert.deepEqual([...causesOf('a text')], []);
});

test('an error that is its own cause comes once', () => {
  const first = new Error('first');
  const second = new Error('second', { cause: first });
  first.cause = second;
  assert.deepEqual([...causesOf(first)], [first, second]);
});
