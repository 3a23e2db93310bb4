import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainRequest } from './explain-request.ts';

test('a path that was signed with a usual prefix and sent without it is recognized', () => {
  for (const prefix of ['/api/v1', '/api']) {
    const explained = explainRequest({
      method: 'GET',
      url: '/user?id=1',
      headers: 'Timestamp: 1767225600\nNonce: n1',
      body: '',
      signedString: `GET\n1767225600\nn1\n${prefix}/user?id=1`,
    });
    assert('mistakes' in explained);
    assert.deepEqual(explained.mistakes, ['path-prefix-removed']);
  }
});
