import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient, signCall } from '../signed-client.ts';
import { assertBoundedMemory, assertWithinLimits } from './overload-limits.ts';
import { runClosedLoop } from './overload-load.ts';

const peakConnections = 32;
const seconds = atScale({ bounded: { usual: 0.5, overload: 2 }, full: { usual: 10, overload: 60 } });
const users = 1_000;

test('reads from ten times the connections of the peak', async (t) => {
  const directory = await provisionDirectory(1);
  t.after(() => directory.remove());
  const server = await ServerProcess.start(directory, '--log-level', 'error');
  t.after(() => server.kill());
  let sent = 0;
  const next = () =>
    signCall(directory.credentials, 'GET', `/user?username=nobody-${(sent++ * 7919) % users}`);
  const load = (connections: number, loadSeconds: number) =>
    runClosedLoop({ port: server.port, connections, seconds: loadSeconds, next });
  await load(peakConnections, seconds.usual);
  const unloaded = await load(1, seconds.usual);
  const peak = await load(peakConnections, seconds.usual);
  const health = new SignedClient(server.url, directory.credentials, 1);
  const overloading = load(10 * peakConnections, seconds.overload);
  const { status } = await health.get('/healthz');
  const ready = await health.get('/readyz');
  const overload = await overloading;
  const afterwards = await load(1, Math.min(4, seconds.usual));
  health.close();
  assert.deepEqual([status, ready.status], [200, 200]);
  for (const code of overload.codes.keys())
    assert.ok(code === 1101 || code === 1503, `answered with ${code}`);
  assertWithinLimits(t, { unloaded, peak, overload, afterwards });
  assertBoundedMemory(t, server);
});
