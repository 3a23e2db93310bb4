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
  assert.deepEqual(sayFinding(found, 'en'), { message: 'no backup is known', advice: 'make one' });
  assert.deepEqual(sayFinding(found, 'zh'), {
    message: '没有已知的备份。',
    advice: '请立即备份，并查明为什么没有更新的备份。',
  });
});

test('a finding that this console does not know, or that comes without data, stays in English', () => {
  const { message, advice } = found;
  const newer = { ...found, said: { key: 'newer', values: {} }, advised: { key: 'toString', values: {} } };
  assert.deepEqual(sayFinding(newer, 'zh'), { message, advice });
  assert.deepEqual(sayFinding({ message, advice }, 'zh'), { message, advice });
  assert.deepEqual(sayFinding({ message }, 'zh'), { message, advice: undefined });
});
