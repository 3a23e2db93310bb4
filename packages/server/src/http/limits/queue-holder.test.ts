import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Holder } from '../../fairness/memory-pool.ts';
import { queueHolder } from './queue-holder.ts';

/** Returns who is charged for a request with these headers. */
async function holderOf(
  t: TestContext,
  trustProxy: string,
  headers: Record<string, string>,
): Promise<Holder> {
  const server = createServer((request, response) =>
    response.end(JSON.stringify(queueHolder(request, trustProxy))),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers });
  return (await answer.json()) as Holder;
}

test('a client may have half of the places for requests sent ahead, and a proxy three quarters', async (t) => {
  const forwarded = { 'X-Forwarded-For': '203.0.113.7' };
  const expected = [
    ['', {}, 1 / 2],
    ['', forwarded, 3 / 4],
    ['', { Forwarded: 'for=203.0.113.7' }, 3 / 4],
    ['0', forwarded, 1 / 2],
    ['1', forwarded, 3 / 4],
    ['1', {}, 1 / 2],
    ['127.0.0.1', forwarded, 3 / 4],
    ['127.0.0.1', {}, 1 / 2],
  ] as const;
  for (const [trustProxy, headers, partMax] of expected)
    assert.deepEqual(await holderOf(t, trustProxy, headers), { name: '127.0.0.1', partMax });
});
