import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainRequest } from '../pages/lab/explain-request.ts';
import { sayRequestFault } from './zh/request-faults.ts';

const right = { method: 'GET', url: '/user', timestamp: '1767225600', nonce: 'n' };

function say(wrong: Partial<typeof right>): string {
  const { method, url, timestamp, nonce } = { ...right, ...wrong };
  const headers = `Timestamp: ${timestamp}\nNonce: ${nonce}`;
  const explained = explainRequest({ method, url, headers, body: '', signedString: '' });
  assert('fault' in explained && explained.fault !== undefined);
  return sayRequestFault(explained.fault);
}

test('everything that the signature lab refuses has a Chinese sentence', () => {
  for (const [wrong, sentence] of [
    [{ timestamp: 'now' }, 'Timestamp 不是秒数，应为 Unix 纪元以来的整秒数，即 1 到 16 位数字。'],
    [{ timestamp: '1767225600, 1767225600' }, 'Timestamp 发送了 2 次，只能发送一次。'],
    [{ nonce: 'n'.repeat(37) }, 'Nonce 有 37 个字符，最多 36 个。'],
    [{ nonce: '3f2c9a4e-3f2c9a4e-3f2c9a, 3f2c9a4e-3f2c9a4e-3f2c9a' }, 'Nonce 发送了 2 次，只能发送一次。'],
    [{ url: '/user?a%3Db=1' }, '参数名 "a=b" 含有“=”、“&”或控制字符，参数名不能含有这些字符。'],
    [{ url: '/user?%z=1' }, '有一个参数名含有“%”，但其后不是两位十六进制数字，位置在 "%z"。'],
    [{ url: '/user?a=%ff' }, '参数 "a" 的值含有百分号编码的字节，但不是 UTF-8，位置在 "%ff" 或其后。'],
  ] as const)
    assert.equal(say(wrong), sentence);
});
