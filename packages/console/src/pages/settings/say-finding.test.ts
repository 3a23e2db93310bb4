import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayFinding } from './say-finding.ts';

const found = {
  message: 'no backup is known',
  advice: 'make one',
  said: { key: 'noBackup', values: {} },
  advised: { key: 'makeBackup', values: {} },
};

test('a finding is said in the language of the reader', () => {
  assert.deepEqual(sayFinding(found, 'en'), { message: 'No backup is known.', advice: 'make one' });
  assert.deepEqual(sayFinding(found, 'zh'), {
    message: '没有备份记录。',
    advice: '请立即备份，并查明为什么没有更新的备份。',
    original: undefined,
  });
});

test('free space is said in the unit that keeps it readable', () => {
  const free = (freeMebibytes: number) =>
    sayFinding(
      { message: '', said: { key: 'free', values: { folder: '/data', freeMebibytes, usedMebibytes: 212 } } },
      'zh',
    ).message;
  assert.equal(free(74_249), '/data 剩余 73 GiB，数据库占用 212 MiB。');
  assert.equal(free(980), '/data 剩余 980 MiB，数据库占用 212 MiB。');
});

test('a finding that this console does not know, or that comes without data, stays in English', () => {
  const { message, advice } = found;
  const newer = { ...found, said: { key: 'newer', values: {} }, advised: { key: 'toString', values: {} } };
  const original = undefined;
  assert.deepEqual(sayFinding(newer, 'zh'), { message, advice, original });
  assert.deepEqual(sayFinding({ message, advice }, 'zh'), { message, advice, original });
  assert.deepEqual(sayFinding({ message }, 'zh'), { message, advice: undefined, original });
});

test('no English is in a Chinese sentence: the reason is in Chinese, and the original beside it if it says more', () => {
  for (const [reason, message, original] of [
    ["EACCES: permission denied, open '/data/x'", '无法打开数据库（没有权限）。', undefined],
    ['self-signed certificate', '无法打开数据库。', 'self-signed certificate'],
    [
      'the database /x is damaged (no page 7)',
      '无法打开数据库（文件已损坏）。',
      'the database /x is damaged (no page 7)',
    ],
    [
      'connect ECONNREFUSED 127.0.0.1:5432',
      '无法打开数据库（连接被拒绝）。',
      'connect ECONNREFUSED 127.0.0.1:5432',
    ],
  ] as const) {
    const unopened = { ...found, message: reason, said: { key: 'unopened', values: { reason } } };
    const said = sayFinding(unopened, 'zh');
    assert.deepEqual([said.message, said.original], [message, original]);
    assert.equal(sayFinding(unopened, 'en').original, undefined);
  }
});

test('a file of records that cannot be read is said in Chinese, with the original beside it', () => {
  const reason = 'cannot be read: unable to open database file';
  const unread = { message: reason, said: { key: 'recordsUnread', values: { file: '/data/b.db', reason } } };
  const { message, original } = sayFinding(unread, 'zh');
  assert.deepEqual([message, original], ['无法读取 /data/b.db（无法打开文件）。', reason]);
});

test('an English finding is a sentence, unless it begins with the name of a command', () => {
  const said = (message: string) => sayFinding({ message }, 'en').message;
  assert.equal(said('the tables are those of this release'), 'The tables are those of this release.');
  assert.equal(said('/data can be read'), '/data can be read.');
  assert.equal(said('serve does not start: a port is taken'), 'serve does not start: a port is taken.');
});
