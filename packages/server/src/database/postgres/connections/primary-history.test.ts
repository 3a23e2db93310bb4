import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PrimaryHistory, type PrimarySeen } from './primary-history.ts';

const seen = (timeline: number, system = 'ours'): PrimarySeen => ({ system, timeline });

test('the first primary seen decides the cluster', () => {
  const history = new PrimaryHistory();
  assert.equal(history.judge(seen(3)), 'current');
  history.note(seen(3));
  assert.equal(history.judge(seen(9, 'theirs')), 'other cluster');
});

test('a primary on a lower timeline than the highest seen is a former one', () => {
  const history = new PrimaryHistory(seen(3));
  assert.equal(history.judge(seen(2)), 'former');
  assert.equal(history.judge(seen(3)), 'current');
  assert.equal(history.judge(seen(4)), 'current');
  history.note(seen(2));
  assert.deepEqual(history.newest, seen(3), 'a former primary changes nothing');
  history.note(seen(9, 'theirs'));
  assert.deepEqual(history.newest, seen(3), 'nor does one of another cluster');
});

test('listeners hear of each newer primary once', () => {
  const history = new PrimaryHistory();
  const heard: number[] = [];
  const end = history.onNewer(({ timeline }) => heard.push(timeline));
  for (const timeline of [1, 1, 2, 1, 2]) history.note(seen(timeline));
  end();
  history.note(seen(3));
  assert.deepEqual(heard, [1, 2]);
});
