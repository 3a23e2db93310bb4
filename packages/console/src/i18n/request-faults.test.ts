import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFault } from '@fieldroster/signing';
import { explainRequest } from '../pages/lab/explain-request.ts';
import { sayRequestFault } from './zh/request-faults.ts';

const right = { method: 'GET', url: '/user', timestamp: '1767225600', nonce: 'n' };

/** Returns what the signature lab finds wrong with the request. */
function faultOf(wrong: Partial<typeof right>): RequestFault {
  const { method, url, timestamp, nonce } = { ...right, ...wrong };
  const headers = `Timestamp: ${timestamp}\nNonce: ${nonce}`;
  const explained = explainRequest({ method, url, headers, body: '', signedString: '' });
  assert('fault' in explained && explained.fault !== undefined);
  return explained.fault;
}

const ruleOfTimestamp = '应为 Unix 纪元以来的整秒数，即 1 到 16 位数字';

type Case = readonly [fault: RequestFault, sentence: string];

/** The lab asks for headers that are missing or empty before it looks at their values, and takes each from one line. */
const cases: Readonly<Record<RequestFault['kind'], readonly Case[]>> = {
  missing: [[{ header: 'Nonce', kind: 'missing' }, '缺少 Nonce。']],
  empty: [[{ header: 'Nonce', kind: 'empty' }, 'Nonce 为空。']],
  'line-feed': [[{ header: 'Nonce', kind: 'line-feed' }, 'Nonce 含有换行符，只能使用可见字符。']],
  nanoseconds: [[faultOf({ timestamp: '1767225600000000000' }), `Timestamp 像是纳秒，${ruleOfTimestamp}。`]],
  'too-many-digits': [
    [faultOf({ timestamp: '17672256000000000' }), `Timestamp 有 17 位数字，${ruleOfTimestamp}。`],
  ],
  'not-seconds': [[faultOf({ timestamp: 'now' }), `Timestamp 不是秒数，${ruleOfTimestamp}。`]],
  repeated: [
    [faultOf({ timestamp: '1767225600, 1767225600' }), 'Timestamp 发送了 2 次，只能发送一次。'],
    [
      faultOf({ nonce: '3f2c9a4e-3f2c9a4e-3f2c9a, 3f2c9a4e-3f2c9a4e-3f2c9a' }),
      'Nonce 发送了 2 次，只能发送一次。',
    ],
  ],
  'too-long': [[faultOf({ nonce: 'n'.repeat(37) }), 'Nonce 有 37 个字符，最多 36 个。']],
  'too-many-parameters': [
    [faultOf({ url: `/user?${'&a'.repeat(256)}` }), '查询参数超过 256 个，请减少参数。'],
  ],
  'name-character': [
    [
      faultOf({ url: '/user?a%3Db' }),
      '查询中有一段没有值的文字含有“=”、“&”或控制字符，参数名不能含有这些字符。',
    ],
    [faultOf({ url: '/user?a%3Db=1' }), '参数名 "a=b" 含有“=”、“&”或控制字符，参数名不能含有这些字符。'],
  ],
  'loose-percent': [
    [faultOf({ url: '/user?%z' }), '查询中有一段没有值的文字含有“%”，但其后不是两位十六进制数字。'],
    [faultOf({ url: '/user?%z=1' }), '有一个参数名含有“%”，但其后不是两位十六进制数字，位置在 "%z"。'],
  ],
  'not-utf8': [
    [faultOf({ url: '/user?%ff' }), '查询中有一段没有值的文字含有百分号编码的字节，但不是 UTF-8。'],
    [
      faultOf({ url: '/user?a=%ff' }),
      '参数 "a" 的值含有百分号编码的字节，但不是 UTF-8，位置在 "%ff" 或其后。',
    ],
  ],
};

test('each fault of a request has a Chinese sentence', () => {
  for (const [kind, ofKind] of Object.entries(cases))
    for (const [fault, sentence] of ofKind)
      assert.deepEqual([fault.kind, sayRequestFault(fault)], [kind, sentence]);
});
