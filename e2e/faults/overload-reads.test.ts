import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { SignedClient, signCall } from '../signed-client.ts';
import { assertWithinLimits, loadAfterwards } from './overload-limits.ts';
import { runClosedLoop } from './overload-load.ts';
import { serveUsers } from './serve-users.ts';

/** One process answers lists one after the other, so that more connections only add waiting. */
const peakConnections = 4;
const seconds = atScale({ bounded: { usual: 0.5, overload: 2 }, full: { usual: 10, overload: 60 } });
const users = 1_000;
/**
 * Lists cost the server about a hundred times as much as the client.
 * Look-ups are too cheap for the client to overload the server.
 */
const pageSize = 500;

test('lists over ten times the connections of the peak stay within the limits of overload, even if clients ignore Retry-After', async (t) => {
  const { server, memory, credentials } = await serveUsers(t, users);
  const next = () => signCall(credentials, 'GET', `/users?limit=${pageSize}`);
  const load = (connections: number, loadSeconds: number) =>
    runClosedLoop({ port: server.port, connections, seconds: loadSeconds, next });
  await load(peakConnections, seconds.usual);
  const unloaded = await load(1, seconds.usual);
  const peak = await load(peakConnections, seconds.usual);
  const health = new SignedClient(server.url, credentials, 1);
  t.after(() => health.close());
  const overloading = load(10 * peakConnections, seconds.overload);
  const { status } = await health.get('/healthz');
  const ready = await health.get('/readyz');
  const overload = await overloading;
  const afterwards = await loadAfterwards(() => load(1, Math.min(4, seconds.usual)));
  assert.equal(status, 200);
  const isLate = !fullScale && ready.text.includes('it has not answered within');
  assert.ok(ready.status === 200 || isLate, ready.text);
  for (const code of overload.codes.keys()) assert.ok(code === 0 || code === 1503, `answered with ${code}`);
  assertWithinLimits(t, { unloaded, peak, overload, afterwards });
  memory.assertBounded(t);
});
