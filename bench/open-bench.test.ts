import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keep } from './open-bench.ts';

test('a shared resource is started once and stopped once, the newest first', async () => {
  const keep = new Keep();
  const events: string[] = [];
  const get = (name: string) =>
    keep.get(
      name,
      async () => events.push(`start ${name}`),
      async () => void events.push(`stop ${name}`),
    );
  await get('directory');
  await get('server');
  await get('server');
  await keep.stopAll();
  await keep.stopAll();
  assert.deepEqual(events, ['start directory', 'start server', 'stop server', 'stop directory']);
  await get('server');
  assert.equal(events.at(-1), 'start server');
});
