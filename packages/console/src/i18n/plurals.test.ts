import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from './en.ts';
import { zh } from './zh.ts';

test('a rate limit is one request, or many, with the thousands separated', () => {
  const { perSecond } = en.applications;
  assert.deepEqual([0, 1, 2, 10_000].map(perSecond), [
    'No limit',
    '1 request per second',
    '2 requests per second',
    '10,000 requests per second',
  ]);
  assert.equal(zh.applications.perSecond(10_000), '每秒 10,000 次请求');
});

test('the calls that were only counted are one, or many, with the thousands separated, or any number', () => {
  const counted = (unkept: number | undefined) =>
    en.requests.reasons(unkept).find((reason) => /only counted: too/.test(reason));
  assert.equal(counted(1), 'It is the one call that was only counted: too many failed at once.');
  assert.equal(counted(2), 'It is one of 2 calls that were only counted: too many failed at once.');
  assert.equal(counted(12_345), 'It is one of 12,345 calls that were only counted: too many failed at once.');
  assert.equal(counted(undefined), 'It was only counted: too many failed at once.');
  assert.equal(counted(0), undefined);
  assert.match(zh.requests.reasons(12_345).join(), /有 12,345 次调用/);
  assert.match(zh.requests.reasons(undefined).join(), /该调用可能只计数、未保存/);
});

test('the organizations below another one are one, or many, with the thousands separated', () => {
  const { blocked } = en.targets;
  assert.match(blocked('North', 1), /has 1 organization below it\. Move or delete that one first/);
  assert.match(blocked('North', 1200), /has 1,200 organizations below it\. Move or delete those first/);
  assert.match(zh.targets.blocked('North', 1200), /1,200/);
});

test('the deletion of a user names the stores that lose the representative, as far as they are known', () => {
  const { removeHelp } = en.users;
  assert.match(removeHelp('Mara', 0), /every assignment\. The ID/);
  assert.match(removeHelp('Mara', 1), /every assignment; 1 store loses this representative\./);
  assert.match(removeHelp('Mara', 1200), /; 1,200 stores lose this representative\./);
  assert.match(removeHelp('Mara'), /; every store of this user loses this representative\./);
  assert.match(zh.users.removeHelp('Mara'), /，该用户名下的门店都将失去这位业务代表。/);
});
